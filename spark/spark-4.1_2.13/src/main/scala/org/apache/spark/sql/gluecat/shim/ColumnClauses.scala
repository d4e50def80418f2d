package org.apache.spark.sql.gluecat.shim

import org.apache.spark.sql.connector.catalog.{Column, TableCatalogCapability}

/** Column clauses that not every Spark version knows. */
object ColumnClauses {

  /** GENERATED … AS IDENTITY */
  final case class Identity(start: Long, step: Long, explicitInsert: Boolean)

  def identity(column: Column): Option[Identity] =
    Option(column.identityColumnSpec).map(i =>
      Identity(i.getStart, i.getStep, i.isAllowExplicitInsert)
    )

  val capabilities: Seq[TableCatalogCapability] = Seq(
    TableCatalogCapability.SUPPORT_COLUMN_DEFAULT_VALUE,
    TableCatalogCapability.SUPPORTS_CREATE_TABLE_WITH_GENERATED_COLUMNS,
    TableCatalogCapability.SUPPORTS_CREATE_TABLE_WITH_IDENTITY_COLUMNS,
    TableCatalogCapability.SUPPORT_TABLE_CONSTRAINT
  )
}
