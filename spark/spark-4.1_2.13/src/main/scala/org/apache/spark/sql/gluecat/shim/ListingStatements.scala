package org.apache.spark.sql.gluecat.shim

import org.apache.spark.sql.SparkSessionExtensions

/** Spark 4.1 has SHOW COLUMNS and SHOW TABLE EXTENDED for the tables of all catalogs. */
object ListingStatements {

  def inject(extensions: SparkSessionExtensions): Unit = ()
}
