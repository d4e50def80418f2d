package org.apache.spark.sql.gluecat

import com.fasterxml.jackson.databind.JsonNode
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.catalog.{
  BucketSpec,
  CatalogColumnStat,
  CatalogStatistics,
  CatalogStorageFormat,
  CatalogTable,
  CatalogTableType,
  CatalogUtils
}
import org.apache.spark.sql.connector.catalog.Identifier
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.types.{DataType, StructType}

/** A Glue entry as the core describes it: docs/waist.md, "Table description". */
final case class TableDescription(
    namespace: String,
    name: String,
    kind: String,
    reason: Option[String],
    provider: Option[String],
    readOnly: Option[String] = None,
    managed: Boolean,
    schema: StructType,
    schemaStored: Boolean = false,
    partitionColumns: Seq[String],
    bucketing: Option[BucketSpec],
    partitionsTracked: Boolean,
    filesInManifests: Boolean = false,
    projection: Option[JsonNode],
    format: Option[JsonNode],
    location: Option[String],
    options: Map[String, String],
    properties: Map[String, String],
    comment: Option[String],
    owner: Option[String],
    createdMs: Option[Long],
    createVersion: Option[String],
    statistics: Option[CatalogStatistics],
    versionId: Option[String]
) {

  def identifier: Identifier = Identifier.of(Array(namespace), name)

  /** Whether it is a table of files that Spark reads, whoever made its entry. */
  def isFileTable: Boolean =
    kind == TableDescription.DataSource || (isHiveTable && provider.nonEmpty)

  /** Without a Spark provider of its own: made by a crawler, Athena, Trino or Hive. */
  def isHiveTable: Boolean = kind == TableDescription.HiveSerDe

  /** `sales.orders` */
  def qualifiedName: String = s"$namespace.$name"

  /**
   * Spark's own form of the entry. Its identifier names the catalog; the storage properties are the table's options on
   * top of the catalog's Hadoop options.
   */
  def toCatalogTable(catalog: CatalogContext): CatalogTable = {
    val uri = location.map(CatalogUtils.stringToURI)
    CatalogTable(
      identifier = TableIdentifier(name, Some(namespace), Some(catalog.name)),
      tableType = if (managed) CatalogTableType.MANAGED else CatalogTableType.EXTERNAL,
      storage = CatalogStorageFormat.empty.copy(
        locationUri = uri,
        properties = uri.fold(catalog.hadoopOptions)(catalog.hadoopOptionsAt) ++ options
      ),
      schema = schema,
      provider = provider,
      partitionColumnNames = partitionColumns,
      bucketSpec = bucketing,
      owner = owner.getOrElse(""),
      createTime = createdMs.getOrElse(0L),
      createVersion = createVersion.getOrElse(""),
      properties = properties,
      stats = statistics,
      comment = comment,
      tracksPartitionsInCatalog = partitionsTracked
    )
  }
}

object TableDescription {

  val Delta = "delta"
  val DataSource = "data_source"
  val HiveSerDe = "hive_serde"

  def parse(json: JsonNode): TableDescription = {
    val columns = schema(json)
    TableDescription(
      namespace = json.path("namespace").asText,
      name = json.path("name").asText,
      kind = json.path("kind").asText,
      reason = text(json, "reason"),
      provider = text(json, "provider").filter(_.nonEmpty),
      readOnly = text(json, "read_only"),
      managed = json.path("managed").asBoolean,
      schema = columns,
      schemaStored = json.path("schema_stored").asBoolean,
      partitionColumns = strings(json.path("partition_columns")),
      bucketing = Option(json.get("bucketing")).map(b =>
        BucketSpec(
          b.path("count").asInt,
          strings(b.path("columns")),
          strings(b.path("sort_columns"))
        )
      ),
      partitionsTracked = json.path("partitions_tracked").asBoolean,
      filesInManifests = json.path("files_in_manifests").asBoolean,
      projection = Option(json.get("projection")),
      format = Option(json.get("format")),
      location = text(json, "location"),
      options = stringMap(json.path("options")),
      properties = stringMap(json.path("properties")),
      comment = text(json, "comment"),
      owner = text(json, "owner"),
      createdMs = Option(json.get("created_ms")).map(_.asLong),
      createVersion = text(json, "create_version"),
      statistics =
        Option(json.get("statistics")).map(statistics(_, json.path("name").asText, columns)),
      versionId = text(json, "version_id")
    )
  }

  private def schema(json: JsonNode): StructType = json.get("schema") match {
    case null   => new StructType()
    case schema => DataType.fromJson(schema.toString).asInstanceOf[StructType]
  }

  private def statistics(json: JsonNode, table: String, schema: StructType): CatalogStatistics = {
    CatalogStatistics(
      BigInt(json.path("size_in_bytes").asLong),
      Option(json.get("row_count")).map(n => BigInt(n.asLong)),
      columnStatistics(json, table, schema)
    )
  }

  /** The member `columns`: statistics of columns as Spark's catalog stores them. */
  private[gluecat] def columnStatistics(
      json: JsonNode,
      table: String,
      schema: StructType
  ): Map[String, CatalogColumnStat] = {
    val stored = stringMap(json.path("columns"))
    schema.fieldNames.toSeq
      .filter(column => stored.contains(s"$column.${CatalogColumnStat.KEY_VERSION}"))
      .flatMap(column => CatalogColumnStat.fromMap(table, column, stored).map(column -> _))
      .toMap
  }

  private[gluecat] def text(json: JsonNode, member: String): Option[String] =
    Option(json.get(member)).filterNot(_.isNull).map(_.asText)

  private[gluecat] def strings(json: JsonNode): Seq[String] =
    json.elements.asScala.map(_.asText).toList

  private[gluecat] def stringMap(json: JsonNode): Map[String, String] =
    json.fields.asScala.map(e => e.getKey -> e.getValue.asText).toMap
}
