package org.apache.spark.sql.gluecat.delta

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException
import org.apache.spark.sql.connector.catalog.{Identifier, Table}
import org.apache.spark.sql.delta.catalog.{DeltaCatalog, DeltaTableV2}

/**
 * What Delta makes of names like delta.`/some/where`, with `spark.sql.runSQLOnFiles`. Its own session catalog asks for a
 * table of that name first; here there is none.
 */
private[delta] final class PathTables extends DeltaCatalog {

  override def loadTable(ident: Identifier): Table =
    if (isPathIdentifier(ident)) DeltaTableV2(spark, new Path(ident.name))
    else throw new NoSuchTableException(ident)
}
