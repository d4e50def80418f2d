package org.apache.spark.sql.gluecat.shim

import org.apache.spark.sql.connector.catalog.{Column, TableCatalogCapability}

/** Column clauses that not every Spark version knows. */
object ColumnClauses {

  /** GENERATED … AS IDENTITY, which Spark 3.5 has no syntax for. */
  final case class Identity(start: Long, step: Long, explicitInsert: Boolean)

  def identity(column: Column): Option[Identity] = None

  val capabilities: Seq[TableCatalogCapability] = Seq(
    TableCatalogCapability.SUPPORT_COLUMN_DEFAULT_VALUE,
    TableCatalogCapability.SUPPORTS_CREATE_TABLE_WITH_GENERATED_COLUMNS
  )
}
