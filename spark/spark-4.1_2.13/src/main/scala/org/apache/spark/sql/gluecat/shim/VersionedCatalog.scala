package org.apache.spark.sql.gluecat.shim

import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.catalog.constraints.Check
import org.apache.spark.sql.gluecat.{StageMode, TableDefinition}

/** Spark 4.1 asks for tables with a TableInfo, and lists them with their types. */
trait VersionedCatalog extends CreationForms {

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
