package org.apache.spark.sql.gluecat.shim

import org.apache.spark.sql.connector.catalog.Identifier

/** Spark 3.5 asks for tables in no other form, and never for their types. */
trait VersionedCatalog extends CreationForms {

  /** Tables of a namespace with their TableSummary type. */
  protected def summarize(namespace: Array[String]): Seq[(Identifier, String)]
}
