package org.apache.spark.sql.gluecat.shim

/** How the parser of Delta 4 reads names. */
private[gluecat] object DeltaParserFacts {

  /** Whether REORG TABLE with a name of three parts keeps the catalog. */
  val keepsCatalogInReorg = true
}
