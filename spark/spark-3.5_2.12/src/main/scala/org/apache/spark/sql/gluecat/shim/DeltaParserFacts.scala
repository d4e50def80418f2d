package org.apache.spark.sql.gluecat.shim

/** How the parser of Delta 3.3 reads names. */
private[gluecat] object DeltaParserFacts {

  /** Whether REORG TABLE with a name of three parts keeps the catalog. */
  val keepsCatalogInReorg = false
}
