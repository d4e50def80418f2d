package org.apache.spark.sql.gluecat

import java.net.URI

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.spark.sql.connector.catalog.Identifier
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.gluecat.shim.Session

import io.github.sdaberdaku.gluecat.GlueCatalogException
import io.github.sdaberdaku.gluecat.internal.{GlueCatalogClient, Json, PartitionFrame}
import io.github.sdaberdaku.gluecat.s3a.BucketIdentities

/**
 * One configured catalog, as the parts that serve its tables need it.
 *
 * @param name
 *   the Spark name of the catalog
 * @param glueId
 *   its `glue.id`; empty if none is configured
 * @param hadoopOptions
 *   Hadoop configuration for the tables of this catalog, `hadoop.*` options and derived keys
 * @param purgeEnabled
 *   whether DROP TABLE … PURGE may delete data
 */
final class CatalogContext(
    val name: String,
    val glueId: String,
    val client: GlueCatalogClient,
    val hadoopOptions: Map[String, String],
    val purgeEnabled: Boolean
) {

  /** The session of the calling thread. */
  def session: Session = Session.active

  /** `catalog 'acct_a' (glue.id 111111111111)`, the beginning of every message. */
  val title: String =
    if (glueId.isEmpty) s"catalog '$name'" else s"catalog '$name' (glue.id $glueId)"

  /** The Hadoop options for data at `location`: [[hadoopOptions]], and as whom it is reached. */
  def hadoopOptionsAt(location: URI): Map[String, String] = {
    val conf = session.sparkContext.hadoopConfiguration
    hadoopOptions ++ BucketIdentities.of(conf).use(location, hadoopOptions.asJava, conf).asScala
  }

  /** Runs an operation of docs/waist.md; a failure becomes a [[GlueCatalogException]]. */
  def callJson(operation: String, request: JsonNode): JsonNode =
    client.callJson(operation, request)

  /** Runs an operation on a table; a failure becomes the exception that Spark expects for it. */
  def callTable(operation: String, ident: Identifier)(members: ObjectNode => Unit): JsonNode = {
    val request = tableRequest(ident)(members)
    try client.callJson(operation, request)
    catch {
      // What is not there when a table is to be made is its database.
      case e: GlueCatalogException if creating(operation) && e.kind == "not_found" =>
        throw Errors.noSuchNamespace(ident.namespace, e.getMessage)
      case e: GlueCatalogException => throw Errors.forTable(e, ident)
    }
  }

  def describe(operation: String, ident: Identifier)(
      members: ObjectNode => Unit
  ): TableDescription =
    TableDescription.parse(callTable(operation, ident)(members))

  /** Runs `list_partitions`; `members` adds `partition_schema` and `filter`. */
  def listPartitions(ident: Identifier)(members: ObjectNode => Unit): PartitionFrame =
    onTable(ident)(client.listPartitions(tableRequest(ident)(members)))

  private def creating(operation: String): Boolean =
    Set("create_table", "prepare_table", "resolve_location")(operation)

  /** Runs `body`, turning failures about the table `ident` into Spark's exceptions. */
  def onTable[T](ident: Identifier)(body: => T): T =
    try body
    catch { case e: GlueCatalogException => throw Errors.forTable(e, ident) }

  /** Runs `body`, turning failures about the namespace into Spark's exceptions. */
  def onNamespace[T](namespace: Array[String])(body: => T): T =
    try body
    catch { case e: GlueCatalogException => throw Errors.forNamespace(e, namespace) }

  /** A request that names a table. */
  def tableRequest(ident: Identifier)(members: ObjectNode => Unit): ObjectNode = {
    val request = Json.`object`()
    request.put("namespace", Names.database(this, ident.namespace))
    request.put("table", ident.name)
    members(request)
    request
  }
}

object Names {

  /** The Glue database of a namespace, which has one level; anything else exists nowhere. */
  def database(catalog: CatalogContext, namespace: Array[String]): String = namespace match {
    case Array(database) => database
    case other =>
      throw Errors.noSuchNamespace(
        other,
        s"${catalog.title}: namespace ${other.mkString("'", ".", "'")} does not exist: " +
          "Glue databases have exactly one level"
      )
  }
}
