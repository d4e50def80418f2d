package org.apache.spark.sql.gluecat

import java.util

import com.fasterxml.jackson.databind.node.{ArrayNode, ObjectNode}
import org.apache.spark.sql.catalyst.catalog.BucketSpec
import org.apache.spark.sql.connector.catalog.{TableCatalog, TableChange}
import org.apache.spark.sql.connector.expressions._
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.types.StructType

import io.github.sdaberdaku.gluecat.internal.Json

/**
 * How a new table is laid out, from Spark's partitioning transforms.
 *
 * @param clusterBy
 *   the columns of CLUSTER BY, which only Delta has
 */
final case class TableLayout(
    partitionColumns: Seq[String],
    bucketing: Option[BucketSpec],
    clusterBy: Option[Seq[Seq[String]]]
)

object TableLayout {

  /** Spark's name of CLUSTER BY, and the one Delta gives it on versions that lack it. */
  private val ClusterBy = Set("cluster_by", "temp_cluster_by")

  /** @param title whose table it is, for the message about a transform that Glue cannot hold */
  def of(catalog: CatalogContext, transforms: Seq[Transform], title: String): TableLayout = {
    val partitionColumns = Seq.newBuilder[String]
    var bucketing: Option[BucketSpec] = None
    var clusterBy: Option[Seq[Seq[String]]] = None
    transforms.foreach {
      case IdentityTransform(FieldReference(Seq(column))) => partitionColumns += column
      case BucketTransform(count, columns, sortColumns) =>
        bucketing = Some(
          BucketSpec(
            count,
            columns.map(_.fieldNames.mkString(".")),
            sortColumns.map(_.fieldNames.mkString("."))
          )
        )
      case other if ClusterBy(other.name) =>
        clusterBy = Some(other.references.toSeq.map(_.fieldNames.toSeq))
      case other =>
        Errors.refuse(
          catalog,
          "invalid_argument",
          s"table $title cannot be partitioned by ${other.describe}: only by columns as they are"
        )
    }
    TableLayout(partitionColumns.result(), bucketing, clusterBy)
  }
}

/**
 * The properties that Spark hands over with CREATE and REPLACE, taken apart.
 *
 * @param provider
 *   of USING or of the session's default; lower case
 * @param location
 *   as the user named it; empty for a managed table
 * @param options
 *   of OPTIONS (…) and of writers
 * @param properties
 *   the user's own, TBLPROPERTIES (…)
 */
final case class TableProperties(
    provider: Option[String],
    location: Option[String],
    comment: Option[String],
    owner: Option[String],
    external: Boolean,
    options: Map[String, String],
    properties: Map[String, String]
)

object TableProperties {

  private val reserved = Set(
    TableCatalog.PROP_LOCATION,
    TableCatalog.PROP_PROVIDER,
    TableCatalog.PROP_COMMENT,
    TableCatalog.PROP_OWNER,
    TableCatalog.PROP_EXTERNAL,
    TableCatalog.PROP_IS_MANAGED_LOCATION
  )

  def split(properties: util.Map[String, String]): TableProperties = {
    val all = properties.asScala.toMap
    val options = all.collect {
      case (key, value) if key.startsWith(TableCatalog.OPTION_PREFIX) =>
        key.stripPrefix(TableCatalog.OPTION_PREFIX) -> value
    }
    // Spark names every option twice, with the prefix and without.
    val own = all.filter { case (key, value) =>
      !reserved(key) && !key.startsWith(TableCatalog.OPTION_PREFIX) &&
      !options.get(key).contains(value)
    }
    TableProperties(
      provider = all.get(TableCatalog.PROP_PROVIDER).map(_.toLowerCase(util.Locale.ROOT)),
      location = all
        .get(TableCatalog.PROP_LOCATION)
        .filterNot(_ => all.get(TableCatalog.PROP_IS_MANAGED_LOCATION).contains("true")),
      comment = all.get(TableCatalog.PROP_COMMENT),
      owner = all.get(TableCatalog.PROP_OWNER),
      external = all.contains(TableCatalog.PROP_EXTERNAL),
      options = options,
      properties = own
    )
  }
}

/** The `spec` of `create_table`. */
final case class TableSpec(
    provider: String,
    schema: StructType,
    partitionColumns: Seq[String],
    location: Option[String],
    managed: Boolean,
    bucketing: Option[BucketSpec] = None,
    options: Map[String, String] = Map.empty,
    properties: Map[String, String] = Map.empty,
    comment: Option[String] = None,
    owner: Option[String] = None,
    partitionsTracked: Boolean = true
) {

  def toJson: ObjectNode = {
    val json = Json.`object`()
    json.put("provider", provider)
    json.replace("schema", Json.parse(schema.json))
    json.replace("partition_columns", TableRequests.array(partitionColumns))
    bucketing.foreach { b =>
      val node = json.putObject("bucketing")
      node.put("count", b.numBuckets)
      node.replace("columns", TableRequests.array(b.bucketColumnNames))
      node.replace("sort_columns", TableRequests.array(b.sortColumnNames))
    }
    location.foreach(json.put("location", _))
    json.put("managed", managed)
    json.replace("options", TableRequests.map(options))
    json.replace("properties", TableRequests.map(properties))
    comment.foreach(json.put("comment", _))
    owner.foreach(json.put("owner", _))
    json.put("partitions_tracked", partitionsTracked)
    json
  }
}

/** Spark's table changes as the `changes` of `alter_table`. */
object TableRequests {

  def array(values: Seq[String]): ArrayNode = {
    val node = Json.array()
    values.foreach(v => node.add(v))
    node
  }

  def map(values: Map[String, String]): ObjectNode = {
    val node = Json.`object`()
    values.foreach { case (key, value) => node.put(key, value) }
    node
  }

  def change(op: String): ObjectNode = Json.`object`().put("op", op)

  def setSchema(schema: StructType, partitionColumns: Seq[String]): ObjectNode = {
    val json = change("set_schema")
    json.replace("schema", Json.parse(schema.json))
    json.replace("partition_columns", array(partitionColumns))
    json
  }

  def changes(catalog: CatalogContext, title: String, changes: Seq[TableChange]): ArrayNode = {
    val node = Json.array()
    changes.foreach(c => node.add(toJson(catalog, title, c)))
    node
  }

  private def toJson(catalog: CatalogContext, title: String, change: TableChange): ObjectNode =
    change match {
      case c: TableChange.SetProperty    => setProperty(c.property, c.value)
      case c: TableChange.RemoveProperty => removeProperty(c.property)
      case c: TableChange.AddColumn =>
        val json = column("add_column", c)
        json.replace("type", Json.parse(c.dataType.json))
        json.put("nullable", c.isNullable)
        Option(c.comment).foreach(json.put("comment", _))
        Option(c.defaultValue).foreach(d => json.put("default", d.getSql))
        Option(c.position).foreach(setPosition(json, _))
        json
      case c: TableChange.DeleteColumn =>
        column("delete_column", c).put("if_exists", c.ifExists.booleanValue)
      case c: TableChange.RenameColumn => column("rename_column", c).put("to", c.newName)
      case c: TableChange.UpdateColumnType =>
        val json = column("update_column_type", c)
        json.replace("type", Json.parse(c.newDataType.json))
        json
      case c: TableChange.UpdateColumnNullability =>
        column("update_column_nullability", c).put("nullable", c.nullable)
      case c: TableChange.UpdateColumnComment =>
        column("update_column_comment", c).put("comment", c.newComment)
      case c: TableChange.UpdateColumnPosition =>
        val json = column("update_column_position", c)
        setPosition(json, c.position)
        json
      case other =>
        Errors.refuse(
          catalog,
          "unsupported",
          s"table $title cannot be altered this way: ${other.getClass.getSimpleName}",
          title
        )
    }

  private def setProperty(key: String, value: String): ObjectNode = key match {
    case TableCatalog.PROP_COMMENT  => change("set_comment").put("comment", value)
    case TableCatalog.PROP_OWNER    => change("set_owner").put("owner", value)
    case TableCatalog.PROP_LOCATION => change("set_location").put("location", value)
    case _ if key.startsWith(TableCatalog.OPTION_PREFIX) =>
      change("set_option").put("key", key.stripPrefix(TableCatalog.OPTION_PREFIX)).put(
        "value",
        value
      )
    case _ => change("set_property").put("key", key).put("value", value)
  }

  private def removeProperty(key: String): ObjectNode = key match {
    case TableCatalog.PROP_COMMENT => change("set_comment").putNull("comment")
    case _ if key.startsWith(TableCatalog.OPTION_PREFIX) =>
      change("remove_option").put("key", key.stripPrefix(TableCatalog.OPTION_PREFIX))
    case _ => change("remove_property").put("key", key)
  }

  private def column(op: String, change: TableChange.ColumnChange): ObjectNode = {
    val json = TableRequests.change(op)
    json.replace("path", array(change.fieldNames.toSeq))
    json
  }

  private def setPosition(json: ObjectNode, position: TableChange.ColumnPosition): Unit =
    position match {
      case after: TableChange.After => json.putObject("position").put("after", after.column)
      case _                        => json.put("position", "first")
    }
}
