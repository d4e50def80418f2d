package org.apache.spark.sql.gluecat

import java.io.IOException
import java.util.Locale

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.connector.catalog.{
  Identifier,
  StagedTable,
  Table,
  TableCatalog,
  TableChange
}
import org.apache.spark.sql.gluecat.files.FileTables
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.gluecat.shim.UnsupportedEntryException

import io.github.sdaberdaku.gluecat.GlueCatalogException

/** The tables of a catalog: reads the entry, and gives it to those who serve its kind. */
final class Tables(catalog: CatalogContext) {
  import Tables._

  /**
   * The description that a statement's analysis loaded, until the ALTER of the same statement asks for it. Saves a call,
   * and alters what was analyzed.
   */
  private val analyzed = new ThreadLocal[(Identifier, TableDescription, Long)]

  /** Every entry, whatever its kind, with Spark's word for its type. */
  def list(namespace: Array[String]): Seq[(Identifier, String)] = {
    val answer = catalog.onNamespace(namespace) {
      val request = io.github.sdaberdaku.gluecat.internal.Json.`object`()
      request.put("namespace", Names.database(catalog, namespace))
      catalog.callJson("list_tables", request)
    }
    answer
      .path("tables")
      .elements
      .asScala
      .map { t =>
        Identifier.of(namespace, t.path("name").asText) ->
          summaryType(t.path("kind").asText, t.path("table_type").asText)
      }
      .toList
  }

  def exists(ident: Identifier): Boolean =
    isName(ident) &&
      (try {
        catalog.client.callJson("load_table", catalog.tableRequest(ident)(_ => ()))
        true
      } catch {
        case e: GlueCatalogException if e.kind == "not_found" => false
      })

  /** Has the next statement ask Glue, whatever may be remembered. */
  def forget(ident: Identifier): Unit =
    if (isName(ident)) catalog.client.callJson("forget_table", catalog.tableRequest(ident)(_ => ()))

  def load(ident: Identifier): Table =
    if (isDeltaPath(ident)) atPaths(ident).loadTable(ident) else loadNamed(ident)

  private def loadNamed(ident: Identifier): Table = {
    val description = describe(ident)
    analyzed.set((ident, description, System.nanoTime))
    description.kind match {
      case TableDescription.Delta       => delta(description).load(catalog, description)
      case _ if description.isFileTable => FileTables.load(catalog, description)
      case _                            => refuse(description)
    }
  }

  def loadVersion(ident: Identifier, version: String): Table =
    if (isDeltaPath(ident)) atPaths(ident).loadTable(ident, version)
    else {
      val description = describe(ident)
      requireDelta(description, "time travel").loadVersion(catalog, description, version)
    }

  def loadTimestamp(ident: Identifier, micros: Long): Table =
    if (isDeltaPath(ident)) atPaths(ident).loadTable(ident, micros)
    else {
      val description = describe(ident)
      requireDelta(description, "time travel").loadTimestamp(catalog, description, micros)
    }

  def create(ident: Identifier, definition: TableDefinition): Table = {
    ExtensionCheck.require(catalog)
    requireName(ident)
    providerOf(ident, definition) match {
      case "delta" =>
        DeltaTables.required(catalog, title(ident)).create(catalog, ident, definition)
      case provider =>
        requireNoDeltaClauses(ident, provider, definition)
        FileTables.create(
          catalog,
          ident,
          definition.schema,
          definition.partitions,
          definition.properties
        )
    }
  }

  def stage(ident: Identifier, definition: TableDefinition, mode: StageMode): StagedTable = {
    ExtensionCheck.require(catalog)
    requireName(ident)
    val provider = providerOf(ident, definition)
    val existing = mode match {
      case StageMode.Create          => None
      case StageMode.Replace         => Some(describe(ident))
      case StageMode.CreateOrReplace => find(ident)
    }
    existing.foreach(requireSameFormat(_, provider))
    provider match {
      case "delta" =>
        DeltaTables
          .required(catalog, title(ident))
          .stage(catalog, ident, definition, mode, existing)
      case _ =>
        requireNoDeltaClauses(ident, provider, definition)
        FileTables.stage(
          catalog,
          ident,
          definition.schema,
          definition.partitions,
          definition.properties,
          mode,
          existing
        )
    }
  }

  def alter(ident: Identifier, changes: Seq[TableChange]): Table =
    if (isDeltaPath(ident)) atPaths(ident).alterTable(ident, changes: _*)
    else alterNamed(ident, changes)

  private def alterNamed(ident: Identifier, changes: Seq[TableChange]): Table = {
    val description = takeAnalyzed(ident).getOrElse(describe(ident))
    description.kind match {
      case TableDescription.Delta => delta(description).alter(catalog, description, changes)
      case _ =>
        val altered = catalog.describe("alter_table", ident) { request =>
          request.replace("changes", TableRequests.changes(catalog, title(ident), changes))
        }
        if (altered.isFileTable) FileTables.load(catalog, altered)
        else EntryTable(altered)
    }
  }

  def drop(ident: Identifier): Boolean =
    isName(ident) && catalog.callTable("drop_table", ident)(_ => ()).path("dropped").asBoolean

  /** Drops the entry first: what fails then leaves data without a table, and not a table without data. */
  def purge(ident: Identifier): Boolean =
    find(ident) match {
      case None => false
      case Some(description) =>
        val location = purgeable(description)
        val dropped = drop(ident)
        if (dropped) remove(description, location)
        dropped
    }

  private def purgeable(description: TableDescription): Path = {
    def refused(why: String): Nothing = Errors.refuse(
      catalog,
      "unsupported",
      s"table ${description.qualifiedName} cannot be dropped with PURGE: $why. DROP TABLE without PURGE removes the " +
        "entry and keeps the data",
      description.qualifiedName
    )
    if (!catalog.purgeEnabled) {
      refused(s"option spark.sql.catalog.${catalog.name}.purge.enabled is not true")
    }
    if (!description.managed)
      refused("it was created with a LOCATION, and its data is not the catalog's")
    val path = new Path(description.location.getOrElse(refused("its entry has no location")))
    if (path.isRoot) refused(s"its location is $path")
    path
  }

  private def remove(description: TableDescription, location: Path): Unit =
    try {
      val configuration = catalog.session.sessionState
        .newHadoopConfWithOptions(catalog.hadoopOptionsAt(location.toUri) ++ description.options)
      val fileSystem = location.getFileSystem(configuration)
      if (!fileSystem.delete(location, true) && fileSystem.exists(location)) {
        throw new IOException(s"$location is still there")
      }
    } catch {
      case e: IOException =>
        val failure = Errors.failure(
          catalog,
          "internal",
          s"table ${description.qualifiedName} is dropped, but its data at $location could not be deleted: " +
            s"${e.getMessage}. Remove it yourself",
          description.qualifiedName
        )
        throw new GlueCatalogException(failure, e)
    }

  def rename(from: Identifier, to: Identifier): Unit = {
    val request = catalog.tableRequest(from) { request =>
      request.put("to_namespace", Names.database(catalog, to.namespace))
      request.put("to_table", to.name)
    }
    try catalog.client.callJson("rename_table", request)
    catch {
      case e: GlueCatalogException if e.kind == "already_exists" => throw Errors.forTable(e, to)
      case e: GlueCatalogException                               => throw Errors.forTable(e, from)
    }
  }

  private def describe(ident: Identifier): TableDescription = {
    ExtensionCheck.require(catalog)
    if (!isName(ident)) {
      throw Errors.noSuchTable(ident, s"${catalog.title}: table ${title(ident)} does not exist")
    }
    catalog.describe("load_table", ident)(_ => ())
  }

  private def find(ident: Identifier): Option[TableDescription] =
    if (!isName(ident)) None
    else
      try Some(TableDescription.parse(
          catalog.client.callJson("load_table", catalog.tableRequest(ident)(_ => ()))
        ))
      catch { case e: GlueCatalogException if e.kind == "not_found" => None }

  private def takeAnalyzed(ident: Identifier): Option[TableDescription] = {
    val remembered = Option(analyzed.get)
    analyzed.remove()
    remembered.collect {
      case (of, description, at) if of == ident && System.nanoTime - at < AnalyzedNanos =>
        description
    }
  }

  private def atPaths(ident: Identifier): TableCatalog =
    DeltaTables.required(catalog, title(ident)).atPaths

  private def delta(description: TableDescription): DeltaTables =
    DeltaTables.required(catalog, description.qualifiedName)

  private def requireDelta(description: TableDescription, what: String): DeltaTables =
    description.kind match {
      case TableDescription.Delta => delta(description)
      case _ if description.isFileTable =>
        Errors.refuse(
          catalog,
          "unsupported",
          s"table ${description.qualifiedName} is a ${description.provider.getOrElse("")} table, " +
            s"and $what needs a Delta table",
          description.qualifiedName
        )
      case _ => refuse(description)
    }

  private def refuse(description: TableDescription): Nothing =
    throw new UnsupportedEntryException(
      Errors.failure(
        catalog,
        "unsupported",
        s"table ${description.qualifiedName} cannot be used: " +
          description.reason.getOrElse(s"it is of kind ${description.kind}"),
        description.qualifiedName
      )
    )

  private def requireName(ident: Identifier): Unit =
    if (isDeltaPath(ident)) {
      Errors.refuse(
        catalog,
        "unsupported",
        s"table ${title(ident)} cannot be created by its path: use CREATE TABLE with a name and LOCATION " +
          s"'${ident.name}', or DataFrameWriter.save",
        title(ident)
      )
    }

  private def requireSameFormat(existing: TableDescription, provider: String): Unit = {
    val current = existing.kind match {
      case TableDescription.DataSource => existing.provider.getOrElse("")
      case kind                        => kind
    }
    if (current != provider) {
      Errors.refuse(
        catalog,
        "unsupported",
        s"table ${existing.qualifiedName} is $current and cannot be replaced by a $provider table: " +
          "drop it first",
        existing.qualifiedName
      )
    }
  }

  private def requireNoDeltaClauses(
      ident: Identifier,
      provider: String,
      definition: TableDefinition
  ): Unit =
    definition.deltaOnly.clauses.headOption.foreach { clause =>
      Errors.refuse(
        catalog,
        "unsupported",
        s"table ${title(ident)} cannot have $clause: $provider tables have none, Delta tables do",
        title(ident)
      )
    }

  /** Lower case; without USING, what `spark.sql.sources.default` says. */
  private def providerOf(ident: Identifier, definition: TableDefinition): String = {
    val provider = TableProperties
      .split(definition.properties)
      .provider
      .getOrElse(catalog.session.sessionState.conf.defaultDataSourceName)
      .toLowerCase(Locale.ROOT)
    unwritable.get(provider).foreach { advice =>
      Errors.refuse(
        catalog,
        "unsupported",
        s"table ${title(ident)} cannot be created with provider '$provider': $advice",
        title(ident)
      )
    }
    provider
  }
}

object Tables {

  /** How long an analyzed table may wait for its ALTER. */
  private val AnalyzedNanos = 30L * 1000 * 1000 * 1000

  private val unwritable = Map(
    "iceberg" -> "use Iceberg's own catalog for it, or USING delta",
    "hudi" -> "use USING delta or a file format",
    "hive" -> "use USING parquet (or another file format) in place of STORED AS"
  )

  def title(ident: Identifier): String = (ident.namespace :+ ident.name).mkString(".")

  /** Whether the identifier is one like delta.`/some/where`. */
  private def isDeltaPath(ident: Identifier): Boolean =
    ident.namespace.length == 1 && ident.namespace.head.equalsIgnoreCase("delta") &&
      ident.name.contains("/")

  /**
   * Whether the identifier can be a table's. A path like parquet.`/some/where` comes here too, and Glue need not be asked
   * about it.
   */
  private def isName(ident: Identifier): Boolean =
    ident.namespace.length == 1 && !ident.name.contains("/")

  private def summaryType(kind: String, glueType: String): String =
    if (kind == "view") "VIEW"
    else if (glueType == "MANAGED_TABLE") "MANAGED"
    else if (kind == TableDescription.Delta || kind == TableDescription.DataSource) "EXTERNAL"
    else "FOREIGN"
}
