package io.github.sdaberdaku.gluecat

import java.util

import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException
import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction
import org.apache.spark.sql.gluecat.shim.{ColumnClauses, VersionedCatalog}
import org.apache.spark.sql.gluecat.{
  CatalogContext,
  CatalogOpener,
  Errors,
  Namespaces,
  SessionRequirements,
  StageMode,
  TableDefinition,
  Tables
}
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/**
 * A Spark catalog over one Glue Data Catalog.
 *
 * {{{
 * spark.sql.catalog.acct_a               = io.github.sdaberdaku.gluecat.GlueCatalog
 * spark.sql.catalog.acct_a.glue.id       = 111111111111
 * spark.sql.catalog.acct_a.client.region = eu-central-1
 * }}}
 *
 * docs/configuration.md has all options. Any number of catalogs live side by side; the name `spark_catalog` makes one
 * the session's own, with spark.sql.catalogImplementation=in-memory.
 *
 * It is no CatalogExtension: Spark would then send statements about tables without a V2 provider (Parquet and the like)
 * to its built-in session catalog.
 */
class GlueCatalog extends VersionedCatalog with SupportsNamespaces with FunctionCatalog {

  private var opened: CatalogOpener.Opened = _
  private var namespaces: Namespaces = _
  private var tables: Tables = _

  /** Used by gluecat's own rules. */
  def context: CatalogContext = opened.context

  override def initialize(name: String, options: CaseInsensitiveStringMap): Unit = {
    SessionRequirements.check(name)
    opened = CatalogOpener.open(name, options.asCaseSensitiveMap)
    namespaces = new Namespaces(context)
    tables = new Tables(context)
  }

  override def name: String = context.name

  override def defaultNamespace: Array[String] = opened.defaultNamespace.clone

  override def capabilities: util.Set[TableCatalogCapability] = {
    val set = util.EnumSet.noneOf(classOf[TableCatalogCapability])
    ColumnClauses.capabilities.foreach(set.add)
    set
  }

  // Databases

  override def listNamespaces(): Array[Array[String]] = namespaces.list()

  override def listNamespaces(namespace: Array[String]): Array[Array[String]] =
    namespaces.list(namespace)

  override def namespaceExists(namespace: Array[String]): Boolean = namespaces.exists(namespace)

  override def loadNamespaceMetadata(namespace: Array[String]): util.Map[String, String] =
    namespaces.load(namespace)

  override def createNamespace(
      namespace: Array[String],
      metadata: util.Map[String, String]
  ): Unit = namespaces.create(namespace, metadata)

  override def alterNamespace(namespace: Array[String], changes: NamespaceChange*): Unit =
    namespaces.alter(namespace, changes.toSeq)

  override def dropNamespace(namespace: Array[String], cascade: Boolean): Boolean =
    namespaces.drop(namespace, cascade)

  // Functions: none yet, but a name that is no function must be reported as that

  override def listFunctions(namespace: Array[String]): Array[Identifier] = Array.empty

  override def loadFunction(ident: Identifier): UnboundFunction =
    throw new NoSuchFunctionException(ident)

  // Tables

  override def listTables(namespace: Array[String]): Array[Identifier] =
    tables.list(namespace).map(_._1).toArray

  override protected def summarize(namespace: Array[String]): Seq[(Identifier, String)] =
    tables.list(namespace)

  override def tableExists(ident: Identifier): Boolean = tables.exists(ident)

  override def loadTable(ident: Identifier): Table = tables.load(ident)

  override def invalidateTable(ident: Identifier): Unit = tables.forget(ident)

  override def loadTable(ident: Identifier, version: String): Table =
    tables.loadVersion(ident, version)

  override def loadTable(ident: Identifier, timestamp: Long): Table =
    tables.loadTimestamp(ident, timestamp)

  override protected def create(ident: Identifier, definition: TableDefinition): Table =
    tables.create(ident, definition)

  override protected def stage(
      ident: Identifier,
      definition: TableDefinition,
      mode: StageMode
  ): StagedTable = tables.stage(ident, definition, mode)

  override def alterTable(ident: Identifier, changes: TableChange*): Table =
    tables.alter(ident, changes.toSeq)

  /** Removes the entry and never touches the data. */
  override def dropTable(ident: Identifier): Boolean = tables.drop(ident)

  /** With `purge.enabled`, removes the entry and the data of a table whose location the catalog chose. */
  override def purgeTable(ident: Identifier): Boolean = tables.purge(ident)

  override def renameTable(from: Identifier, to: Identifier): Unit = tables.rename(from, to)
}
