package org.apache.spark.sql.gluecat.shim

import java.util

import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.gluecat.{StageMode, TableDefinition}
import org.apache.spark.sql.types.StructType

/**
 * The many ways in which Spark asks a catalog to make a table, as two. Spark 3.5 asks with columns; the form with a
 * schema is there for callers of older interfaces.
 */
trait VersionedCatalog extends StagingTableCatalog {

  protected def create(ident: Identifier, definition: TableDefinition): Table

  protected def stage(ident: Identifier, definition: TableDefinition, mode: StageMode): StagedTable

  /** Tables of a namespace with their TableSummary type. */
  protected def summarize(namespace: Array[String]): Seq[(Identifier, String)]

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
}
