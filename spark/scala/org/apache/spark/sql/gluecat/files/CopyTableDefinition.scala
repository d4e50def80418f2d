package org.apache.spark.sql.gluecat.files

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.analysis.{NoSuchTableException, TableAlreadyExistsException}
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.connector.catalog.{Identifier, TableCatalog, V1Table}
import org.apache.spark.sql.execution.command.{CreateTableLikeCommand, LeafRunnableCommand}
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.{Row, SparkSession}

import io.github.sdaberdaku.gluecat.GlueCatalog

/**
 * CREATE TABLE … LIKE, while one of our catalogs is the current one.
 *
 * Spark parses it into a command of the session catalog, whatever the current catalog is, and takes no name of a catalog
 * in it.
 */
private[files] case class CopyTableDefinition(catalog: GlueCatalog, stated: CreateTableLikeCommand)
    extends LeafRunnableCommand {

  override protected def stringArgs: Iterator[Any] =
    Iterator(catalog.name, stated.targetTable, stated.sourceTable)

  override def run(sparkSession: SparkSession): Seq[Row] = {
    val session = sparkSession.asInstanceOf[Session]
    val target = identifier(session, stated.targetTable)
    if (catalog.tableExists(target)) {
      if (!stated.ifNotExists) throw new TableAlreadyExistsException(target)
    } else {
      val source = definition(session)
      catalog.createTable(
        target,
        source.schema,
        V1Table(source).partitioning,
        properties(source).asJava
      )
    }
    Seq.empty
  }

  private def definition(session: Session): CatalogTable =
    session.sessionState.catalog
      .getTempView(stated.sourceTable.table)
      .filter(_ => stated.sourceTable.database.isEmpty)
      .map(_.desc.copy(provider = None))
      .getOrElse {
        val ident = identifier(session, stated.sourceTable)
        catalog.loadTable(ident) match {
          case table: GlueFileTable =>
            table.entry.copy(
              schema = table.schema,
              storage = table.entry.storage.copy(properties = table.description.options)
            )
          case table: org.apache.spark.sql.connector.catalog.V2TableWithV1Fallback =>
            table.v1Table.copy(schema = table.schema, storage = stated.fileFormat)
          case _ => throw new NoSuchTableException(ident)
        }
      }

  /** The stated ones; of the source its provider, options and comment, as in Spark's own catalog. */
  private def properties(source: CatalogTable): Map[String, String] = {
    val location = stated.fileFormat.locationUri.map(l => new Path(l).toString)
    val provider = stated.provider.orElse(source.provider)
    val options =
      if (stated.provider.isDefined) stated.fileFormat.properties else source.storage.properties
    stated.properties ++
      options.map { case (k, v) => (TableCatalog.OPTION_PREFIX + k) -> v } ++
      provider.map(TableCatalog.PROP_PROVIDER -> _) ++
      location.map(TableCatalog.PROP_LOCATION -> _) ++
      source.comment.map(TableCatalog.PROP_COMMENT -> _)
  }

  private def identifier(session: Session, name: TableIdentifier): Identifier = {
    val namespace =
      name.database.map(Array(_)).getOrElse(session.sessionState.catalogManager.currentNamespace)
    Identifier.of(namespace, name.table)
  }
}
