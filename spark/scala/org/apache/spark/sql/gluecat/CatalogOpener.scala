package org.apache.spark.sql.gluecat

import java.util
import java.util.Locale

import org.apache.hadoop.util.VersionInfo
import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.gluecat.TableDescription.{stringMap, strings, text}
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.gluecat.shim.Session
import org.slf4j.LoggerFactory

import io.github.sdaberdaku.gluecat.GlueCatalog
import io.github.sdaberdaku.gluecat.internal.{GlueCatalogClient, Json, NativeLibrary}

/** Turns Spark's configuration of a catalog into an open one. */
object CatalogOpener {

  /** What `describe_catalog` tells, beside the context that everything else needs. */
  final case class Opened(context: CatalogContext, defaultNamespace: Array[String])

  private val log = LoggerFactory.getLogger(classOf[GlueCatalog])

  /** Warnings that were logged: Spark makes new catalog instances all the time. */
  private val logged = util.concurrent.ConcurrentHashMap.newKeySet[String]()

  private val providerKey = "fs.s3a.aws.credentials.provider"
  private val stsProviderKey = "fs.s3a.assumed.role.credentials.provider"

  /** Option keys of which only this much is case-insensitive. */
  private val openPrefixes = Seq("hadoop.", "client.credentials-provider.")

  // Before all that needs it not.
  NativeLibrary.loadAhead()

  /** Makes no network call. */
  def open(name: String, options: util.Map[String, String]): Opened = {
    DeltaTables.available.foreach(_.prepare())
    val client = GlueCatalogClient.open(request(name, options.asScala.toMap))
    val answer = client.callJson("describe_catalog", Json.`object`())
    val glueId = text(answer, "glue_id").getOrElse("")
    val context = new CatalogContext(
      name,
      glueId,
      client,
      stringMap(answer.path("hadoop_options")),
      answer.path("purge_enabled").asBoolean
    )
    Option(answer.get("credentials_provider"))
      .foreach(client.useCredentialsProvider(context.title, _))
    strings(answer.path("warnings")).foreach { warning =>
      if (logged.add(s"$name: $warning")) log.warn("{}: {}", context.title, warning: Any)
    }
    Opened(context, Array(answer.path("default_namespace").asText))
  }

  private def request(name: String, options: Map[String, String]) = {
    val json = Json.`object`()
    json.put("catalog", name)
    val normalized = options.map { case (key, value) => normalize(key) -> value }
    json.replace("options", TableRequests.map(normalized))
    json.replace("system_properties", TableRequests.map(systemProperties))
    json.put("spark_version", SPARK_VERSION)
    json.replace("hadoop", TableRequests.map(hadoop))
    json
  }

  private[gluecat] def normalize(key: String): String = {
    val lower = key.toLowerCase(Locale.ROOT)
    openPrefixes.find(lower.startsWith) match {
      case Some(prefix) => prefix + key.substring(prefix.length)
      case None         => lower
    }
  }

  private def systemProperties: Map[String, String] =
    System.getProperties.stringPropertyNames.asScala.collect {
      case key if key.startsWith("aws.") || key.startsWith("http.") || key.startsWith("https.") =>
        key -> System.getProperty(key)
    }.toMap

  private def hadoop: Map[String, String] = {
    val configuration = Session.active.sparkContext.hadoopConfiguration
    def value(key: String) = Option(configuration.getTrimmed(key)).filter(_.nonEmpty).map(key -> _)
    // Hadoop's default for S3A's call to STS is not what the user wants it to be.
    val setByUser = Option(configuration.getPropertySources(stsProviderKey))
      .exists(!_.lastOption.contains("core-default.xml"))
    Map("version" -> VersionInfo.getVersion) ++ value(providerKey) ++
      value(stsProviderKey).filter(_ => setByUser)
  }
}
