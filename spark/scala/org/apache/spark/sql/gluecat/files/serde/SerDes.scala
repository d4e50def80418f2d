package org.apache.spark.sql.gluecat.files.serde

import org.apache.hadoop.conf.Configuration
import org.apache.spark.sql.hive.gluecat.{HiveSerDeParser, HiveSerDeSerializer}

import io.github.sdaberdaku.gluecat.{Failure, GlueCatalogException}

/** Who parses and writes the lines of a SerDe: its class, or what takes its place. */
private[sql] object SerDes {

  /** @throws GlueCatalogException if there is no such class, what it needs is missing, or it refuses the entry */
  def parser(settings: SerDeSettings, columns: LineColumns, conf: Configuration): LineParser =
    if (JsonSerDeOptions.isJsonSerDe(settings.className))
      accepting(settings)(new JsonSerDeParser(settings.className, settings.parameters, columns))
    else needingHive(settings)(new HiveSerDeParser(settings, columns, conf))

  /** @throws GlueCatalogException as [[parser]] */
  def serializer(
      settings: SerDeSettings,
      columns: LineColumns,
      conf: Configuration
  ): LineSerializer =
    if (JsonSerDeOptions.isJsonSerDe(settings.className))
      accepting(settings)(
        new JsonSerDeSerializer(settings.className, settings.parameters, columns)
      )
    else needingHive(settings)(new HiveSerDeSerializer(settings, columns, conf))

  private def accepting[A](settings: SerDeSettings)(body: => A): A =
    try body
    catch { case e: IllegalArgumentException => refuseEntry(settings, e) }

  private def needingHive[A](settings: SerDeSettings)(body: => A): A =
    try body
    catch {
      case e: NoClassDefFoundError =>
        val missing = String.valueOf(e.getMessage).replace('/', '.')
        val advice =
          if (OfHive.exists(missing.contains)) {
            "Spark's distributions have Hive's SerDes in jars/: spark-hive, hive-serde, hive-exec (core), hive-common, " +
              "hive-storage-api"
          } else "add its jar, with --jars or spark.jars"
        refuse(
          settings,
          s"is read with the SerDe ${settings.className}, which needs $missing, and that is not on the class path: $advice",
          e
        )
    }

  private val OfHive = Seq("org.apache.hadoop.hive.", "org.apache.spark.sql.hive.")

  /** Fails as a SerDe that cannot do with the entry's parameters or columns. */
  def refuseEntry(settings: SerDeSettings, cause: Throwable): Nothing =
    refuse(
      settings,
      s"cannot be used: ${settings.className} refuses the parameters of its SerDe, or the columns: ${root(cause)}. " +
        "Correct the entry",
      cause
    )

  private def root(e: Throwable): Throwable = if (e.getCause == null) e else root(e.getCause)

  /** Fails with the table's name before `what`. */
  def refuse(settings: SerDeSettings, what: String, cause: Throwable = null): Nothing = {
    val refusal = GlueCatalogException.of(
      Failure.of("unsupported", s"table ${settings.table} $what")
    )
    refusal.initCause(cause)
    throw refusal
  }
}
