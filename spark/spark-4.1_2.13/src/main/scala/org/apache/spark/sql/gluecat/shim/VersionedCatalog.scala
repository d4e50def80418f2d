package org.apache.spark.sql.gluecat.shim

import java.util

import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.catalog.constraints.Check
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.gluecat.{StageMode, TableDefinition}
import org.apache.spark.sql.types.StructType

/**
 * The many ways in which Spark asks a catalog to make a table, as two. Spark 4.1 asks with a TableInfo; the other forms
 * are there for callers of older interfaces.
 */
trait VersionedCatalog extends StagingTableCatalog {

  protected def create(ident: Identifier, definition: TableDefinition): Table

  protected def stage(ident: Identifier, definition: TableDefinition, mode: StageMode): StagedTable

  /** Tables of a namespace with their TableSummary type. */
  protected def summarize(namespace: Array[String]): Seq[(Identifier, String)]

  override def listTableSummaries(namespace: Array[String]): Array[TableSummary] =
    summarize(namespace).map { case (ident, kind) => TableSummary.of(ident, kind) }.toArray

  override def createTable(ident: Identifier, info: TableInfo): Table =
    create(ident, define(info))

  override def stageCreate(ident: Identifier, info: TableInfo): StagedTable =
    stage(ident, define(info), StageMode.Create)

  override def stageReplace(ident: Identifier, info: TableInfo): StagedTable =
    stage(ident, define(info), StageMode.Replace)

  override def stageCreateOrReplace(ident: Identifier, info: TableInfo): StagedTable =
    stage(ident, define(info), StageMode.CreateOrReplace)

  override def createTable(
      ident: Identifier,
      columns: Array[Column],
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): Table =
    create(ident, Definitions.of(columns, partitions, properties))

  override def stageCreate(
      ident: Identifier,
      columns: Array[Column],
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): StagedTable =
    stage(ident, Definitions.of(columns, partitions, properties), StageMode.Create)

  override def stageReplace(
      ident: Identifier,
      columns: Array[Column],
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): StagedTable =
    stage(ident, Definitions.of(columns, partitions, properties), StageMode.Replace)

  override def stageCreateOrReplace(
      ident: Identifier,
      columns: Array[Column],
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): StagedTable =
    stage(ident, Definitions.of(columns, partitions, properties), StageMode.CreateOrReplace)

  override def createTable(
      ident: Identifier,
      schema: StructType,
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): Table =
    createTable(ident, CatalogV2Util.structTypeToV2Columns(schema), partitions, properties)

  override def stageCreate(
      ident: Identifier,
      schema: StructType,
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): StagedTable =
    stageCreate(ident, CatalogV2Util.structTypeToV2Columns(schema), partitions, properties)

  override def stageReplace(
      ident: Identifier,
      schema: StructType,
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): StagedTable =
    stageReplace(ident, CatalogV2Util.structTypeToV2Columns(schema), partitions, properties)

  override def stageCreateOrReplace(
      ident: Identifier,
      schema: StructType,
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): StagedTable =
    stageCreateOrReplace(ident, CatalogV2Util.structTypeToV2Columns(schema), partitions, properties)

  private def define(info: TableInfo): TableDefinition = {
    val definition = Definitions.of(info.columns, info.partitions, info.properties)
    val checks = info.constraints.map {
      case check: Check => check.name -> check.predicateSql
      case other =>
        throw new UnsupportedOperationException(s"constraint ${other.name} is not a CHECK")
    }.toMap
    Definitions.withChecks(definition, checks)
  }
}
