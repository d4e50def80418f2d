package org.apache.spark.sql.gluecat.shim

import java.util

import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.gluecat.{StageMode, TableDefinition}
import org.apache.spark.sql.types.StructType

/** The many ways in which Spark asks a catalog to make a table, as two: with columns or with a schema, staged or not. */
trait CreationForms extends StagingTableCatalog {

  protected def create(ident: Identifier, definition: TableDefinition): Table

  protected def stage(ident: Identifier, definition: TableDefinition, mode: StageMode): StagedTable

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
