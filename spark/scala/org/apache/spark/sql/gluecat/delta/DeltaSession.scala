package org.apache.spark.sql.gluecat.delta

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.delta.{DeltaLog, DeltaTableUtils}
import org.apache.spark.sql.gluecat.{CatalogContext, Errors, TableDescription}
import org.apache.spark.sql.types.StructType

/** What Delta is given by this catalog, and what it must not do meanwhile. */
private[delta] object DeltaSession {

  private val updateHook = "spark.databricks.delta.catalog.update.enabled"

  /** Delta's hook would repoint a table of the same name in the session catalog to ours, without an error. */
  def check(catalog: CatalogContext): Unit =
    if (catalog.session.conf.getOption(updateHook).exists(_.equalsIgnoreCase("true"))) {
      Errors.refuse(
        catalog,
        "invalid_argument",
        s"Delta tables cannot be used while $updateHook is true: Delta would change the session catalog's table of the " +
          "same name. Set it to false; gluecat keeps the Glue entries in step itself"
      )
    }

  /** Those that Delta accepts for its file systems; they are part of its log cache's key. */
  def fileSystemOptions(options: Map[String, String]): Map[String, String] =
    options.filter { case (key, _) =>
      DeltaTableUtils.validDeltaTableHadoopPrefixes.exists(key.startsWith)
    }

  /** For a table at `location`: the catalog's, and `tableOptions` over them. */
  def fileSystemOptions(
      catalog: CatalogContext,
      location: Path,
      tableOptions: Map[String, String]
  ): Map[String, String] =
    fileSystemOptions(catalog.hadoopOptionsAt(location.toUri) ++ tableOptions)

  def log(
      catalog: CatalogContext,
      location: String,
      tableOptions: Map[String, String]
  ): DeltaLog = {
    val path = new Path(location)
    DeltaLog.forTable(catalog.session, path, fileSystemOptions(catalog, path, tableOptions))
  }

  /** The entry in the form that Delta takes; the log has the schema. */
  def catalogTable(catalog: CatalogContext, description: TableDescription): CatalogTable = {
    val table = description.toCatalogTable(catalog)
    table.copy(
      schema = new StructType(),
      partitionColumnNames = Nil,
      bucketSpec = None,
      provider = Some("delta"),
      storage = table.storage.copy(properties = fileSystemOptions(table.storage.properties)),
      stats = None,
      tracksPartitionsInCatalog = false
    )
  }
}
