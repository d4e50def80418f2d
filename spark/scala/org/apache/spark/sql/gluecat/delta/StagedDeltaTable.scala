package org.apache.spark.sql.gluecat.delta

import java.util
import java.util.Locale

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.catalog.{
  CatalogStorageFormat,
  CatalogTable,
  CatalogTableType,
  CatalogUtils
}
import org.apache.spark.sql.connector.catalog.{
  Identifier,
  StagedTable,
  SupportsWrite,
  Table,
  TableCapability
}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.connector.write.{
  LogicalWriteInfo,
  SupportsTruncate,
  V1Write,
  WriteBuilder
}
import org.apache.spark.sql.delta.catalog.DeltaCatalog
import org.apache.spark.sql.delta.commands.{CreateDeltaTableCommand, TableCreationModes}
import org.apache.spark.sql.delta.skipping.clustering.temp.{ClusterBySpec, ClusterByTransform}
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.gluecat.{
  CatalogContext,
  Errors,
  StageMode,
  TableDefinition,
  TableDescription,
  TableLayout,
  TableProperties,
  TableSpec,
  Tables
}
import org.apache.spark.sql.sources.InsertableRelation
import org.apache.spark.sql.types.StructType

/**
 * A Delta table in the making. Its commit writes the Delta log by path, with the query's rows if there are any, and then
 * the Glue entry.
 */
private[delta] final class StagedDeltaTable(
    catalog: CatalogContext,
    ident: Identifier,
    definition: TableDefinition,
    mode: StageMode,
    existing: Option[TableDescription]
) extends StagedTable
    with SupportsWrite {

  private val title = Tables.title(ident)
  private val requested = TableProperties.split(definition.properties)
  private val layout = TableLayout.of(catalog, definition.partitions.toSeq, title)
  private var query: Option[DataFrame] = None
  private var writeOptions: Map[String, String] = requested.options

  override def name: String = title

  override def schema: StructType = definition.schema

  override def partitioning: Array[Transform] = definition.partitions

  override def capabilities: util.Set[TableCapability] =
    util.EnumSet.of(TableCapability.V1_BATCH_WRITE, TableCapability.TRUNCATE)

  override def newWriteBuilder(info: LogicalWriteInfo): WriteBuilder = {
    writeOptions = requested.options ++ info.options.asCaseSensitiveMap.asScala
    new WriteBuilder with SupportsTruncate {
      override def truncate(): WriteBuilder = this
      override def build(): V1Write = new V1Write {
        override def toInsertableRelation: InsertableRelation = new InsertableRelation {
          override def insert(data: DataFrame, overwrite: Boolean): Unit = query = Some(data)
        }
      }
    }
  }

  override def commitStagedChanges(): Unit = commit()

  /** Nothing happens before the commit, so there is nothing to undo. */
  override def abortStagedChanges(): Unit = ()

  /** Answers with the entry. */
  def commit(): TableDescription = {
    val managed = existing.fold(requested.location.isEmpty)(_.managed)
    existing.foreach(requireSameLocation)
    val location = existing.flatMap(_.location).getOrElse(prepare())
    val log = DeltaSession.log(catalog, location, storageOptions)
    val snapshot =
      if (mode == StageMode.Create && managed && leftBehind(log, location))
        log.unsafeVolatileSnapshot
      else commitToLog(log, location, managed)
    val recovery =
      if (existing.isEmpty) EntrySync.register(catalog, title, location)
      else s"run REFRESH TABLE ${catalog.name}.$title"
    EntrySync.afterCommit(catalog, title, location, recovery)(
      register(log, snapshot, location, managed)
    )
  }

  /** Where the table shall lie. What Glue would refuse is refused here, before Delta commits. */
  private def prepare(): String = {
    val managed = requested.location.isEmpty
    val spec = TableSpec(
      provider = "delta",
      schema = EntrySync.withoutDeltaMetadata(definition.schema),
      partitionColumns = layout.partitionColumns,
      location = requested.location,
      managed = managed,
      comment = requested.comment,
      owner = requested.owner,
      partitionsTracked = false
    )
    catalog
      .callTable("prepare_table", ident)(request => request.replace("spec", spec.toJson))
      .path("location")
      .asText
  }

  private def requireSameLocation(description: TableDescription): Unit =
    for (wanted <- requested.location; current <- description.location) {
      if (!Locations.same(wanted, current)) {
        Errors.refuse(
          catalog,
          "unsupported",
          s"table $title lies at $current and REPLACE cannot move it to $wanted: use ALTER TABLE … SET LOCATION, or drop " +
            "it and create it there",
          title
        )
      }
    }

  private def storageOptions: Map[String, String] =
    existing.fold(Map.empty[String, String])(_.options) ++ writeOptions

  /**
   * Whether just this table, without rows, is there already: an earlier CREATE came as far as its commit. Anything else
   * that lies there (DROP keeps the data, and so does a failed CREATE … AS SELECT) is never adopted unasked.
   */
  private def leftBehind(log: DeltaLog, location: String): Boolean = {
    // What Delta remembers of the directory may have been removed since.
    val snapshot = log.update()
    snapshot.version >= 0 && {
      val found = EntrySync.stateOf(snapshot)
      val same = query.isEmpty && snapshot.version == 0 && snapshot.numOfFiles == 0 &&
        found.schema == EntrySync.withoutDeltaMetadata(definition.schema) &&
        found.partitionColumns == layout.partitionColumns &&
        found.comment == requested.comment &&
        snapshot.metadata.configuration == requested.properties &&
        definition.deltaOnly.clauses.isEmpty && layout.clusterBy.isEmpty
      if (!same) {
        Errors.refuse(
          catalog,
          "invalid_argument",
          s"table $title cannot be created at $location: a Delta table lies there, left by DROP TABLE or by a statement " +
            s"that failed after its commit. ${EntrySync.register(catalog, title, location)}; to start anew, remove the " +
            "files first",
          title
        )
      }
      true
    }
  }

  private def commitToLog(log: DeltaLog, location: String, managed: Boolean): Snapshot = {
    val delta = new DeltaCatalog()
    val clustering: Option[ClusterBySpec] = definition.partitions.collectFirst {
      case ClusterByTransform(columns) => ClusterBySpec(columns)
    }
    delta.validateClusterBySpec(clustering, definition.schema)
    val table = delta.verifyTableAndSolidify(
      CatalogTable(
        identifier = TableIdentifier(ident.name, Some(ident.namespace.head), Some(catalog.name)),
        tableType = if (managed) CatalogTableType.MANAGED else CatalogTableType.EXTERNAL,
        storage = CatalogStorageFormat.empty.copy(
          locationUri = Some(CatalogUtils.stringToURI(location)),
          properties =
            catalog.hadoopOptionsAt(CatalogUtils.stringToURI(location)) ++ storageOptions
        ),
        schema = definition.deltaOnly.schema,
        provider = Some("delta"),
        partitionColumnNames = layout.partitionColumns,
        bucketSpec = layout.bucketing,
        properties = tableProperties,
        comment = requested.comment
      ),
      None,
      clustering
    )
    // The query as it is: the class that writes it has another constructor in each Delta release.
    CreateDeltaTableCommand(
      table,
      existing.map(DeltaSession.catalogTable(catalog, _)),
      operation.mode,
      query.map(_.queryExecution.analyzed),
      operation,
      tableByPath = true
    ).run(catalog.session)
    log.update()
  }

  /** TBLPROPERTIES, constraints, and what writers give as delta.* options. */
  private def tableProperties: Map[String, String] =
    requested.properties ++
      definition.deltaOnly.checks.map { case (name, sql) => s"delta.constraints.$name" -> sql } ++
      writeOptions.filter { case (key, _) => key.toLowerCase(Locale.ROOT).startsWith("delta.") }

  private def operation: TableCreationModes.CreationMode = mode match {
    case StageMode.Create          => TableCreationModes.Create
    case StageMode.Replace         => TableCreationModes.Replace
    case StageMode.CreateOrReplace => TableCreationModes.CreateOrReplace
  }

  private def register(
      log: DeltaLog,
      snapshot: Snapshot,
      location: String,
      managed: Boolean
  ): TableDescription = {
    val state = EntrySync.stateOf(snapshot)
    existing match {
      case Some(description) =>
        EntrySync
          .send(catalog, description, log, state, EntrySync.replacements(description, state))
          .getOrElse(description)
      case None =>
        catalog.describe("create_table", ident) { request =>
          request.replace(
            "spec",
            EntrySync.spec(state, Some(location), managed, requested.owner).toJson
          )
        }
    }
  }
}
