package org.apache.spark.sql.gluecat.delta

import scala.annotation.tailrec
import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.JsonNode
import io.delta.exceptions.{MetadataChangedException, ProtocolChangedException}
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.connector.catalog.{
  Identifier,
  StagedTable,
  Table,
  TableCatalog,
  TableChange
}
import org.apache.spark.sql.delta.catalog.{DeltaCatalog, DeltaTableV2}
import org.apache.spark.sql.delta.{DeltaLog, DeltaTimeTravelSpec}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.gluecat.{
  CatalogContext,
  DeltaTables,
  Errors,
  StageMode,
  TableDefinition,
  TableDescription,
  TableRequests
}
import org.apache.spark.sql.types.TimestampType

import io.github.sdaberdaku.gluecat.GlueCatalogException

/**
 * Delta tables by path: the entry says where the table lies, the log there says everything else. Delta is never given a
 * name to look up, because it would look in the session catalog.
 */
private[gluecat] final class DeltaTablesImpl extends DeltaTables {

  /** How often an ALTER is tried that others keep overtaking. */
  private val AlterAttempts = 10

  override def prepare(): Unit = S3Commits.install()

  override def load(catalog: CatalogContext, description: TableDescription): Table =
    open(catalog, description, None)

  override def loadVersion(
      catalog: CatalogContext,
      description: TableDescription,
      version: String
  ): Table = {
    val number =
      try version.toLong
      catch {
        case _: NumberFormatException =>
          Errors.refuse(
            catalog,
            "invalid_argument",
            s"table ${description.qualifiedName} has no version '$version': Delta versions are numbers",
            description.qualifiedName
          )
      }
    open(catalog, description, Some(DeltaTimeTravelSpec(None, Some(number), Some("SQL"))))
  }

  override def loadTimestamp(
      catalog: CatalogContext,
      description: TableDescription,
      micros: Long
  ): Table = {
    val timestamp = Literal(micros, TimestampType)
    open(catalog, description, Some(DeltaTimeTravelSpec(Some(timestamp), None, Some("SQL"))))
  }

  override def stage(
      catalog: CatalogContext,
      ident: Identifier,
      definition: TableDefinition,
      mode: StageMode,
      existing: Option[TableDescription]
  ): StagedTable = {
    DeltaSession.check(catalog)
    new StagedDeltaTable(catalog, ident, definition, mode, existing)
  }

  override def create(
      catalog: CatalogContext,
      ident: Identifier,
      definition: TableDefinition
  ): Table = {
    DeltaSession.check(catalog)
    val staged = new StagedDeltaTable(catalog, ident, definition, StageMode.Create, None)
    load(catalog, staged.commit())
  }

  override def alter(
      catalog: CatalogContext,
      description: TableDescription,
      changes: Seq[TableChange]
  ): Table = {
    val table = open(catalog, description, None)
    val (ofEntry, ofLog) = changes.partition(isOfEntry)
    val target = newLocation(catalog, description, ofEntry)
    val before = EntrySync.stateOf(table.initialSnapshot)
    if (ofLog.nonEmpty) {
      alterLog(catalog, description, table, ofLog, AlterAttempts)
    }
    val log = target.getOrElse(table.deltaLog)
    val now = EntrySync.stateOf(log.update())
    val entryChanges = Seq.newBuilder[JsonNode]
    TableRequests
      .changes(catalog, description.qualifiedName, ofEntry)
      .forEach(c => entryChanges += c)
    entryChanges ++= (if (target.isEmpty) EntrySync.changes(description, before, now)
                      else EntrySync.differences(description, now))
    val altered =
      EntrySync.send(catalog, description, log, now, entryChanges.result())
    open(catalog, altered.getOrElse(description), None)
  }

  /**
   * Applies the changes to the log, if need be on the version that another session has made meanwhile. Delta gives up then,
   * even if the two have nothing to do with each other; if they have, it says so when it is asked again. It is not asked
   * again for changes of several kinds, since it commits each kind by itself.
   */
  @tailrec
  private def alterLog(
      catalog: CatalogContext,
      description: TableDescription,
      table: DeltaTableV2,
      changes: Seq[TableChange],
      attempts: Int
  ): Unit = {
    val overtaken =
      try {
        new AlterOnly(table).alterTable(description.identifier, changes: _*)
        false
      } catch {
        case _: MetadataChangedException | _: ProtocolChangedException
            if attempts > 1 && changes.map(_.getClass).distinct.size == 1 =>
          true
      }
    if (overtaken) {
      alterLog(catalog, description, open(catalog, description, None), changes, attempts - 1)
    }
  }

  override def atPaths: TableCatalog = new PathTables

  override def injectRules(extensions: SparkSessionExtensions): Unit = {
    extensions.injectResolutionRule(s => DeltaStatements(s.asInstanceOf[Session]))
    extensions.injectPostHocResolutionRule(s => FollowStreams(s.asInstanceOf[Session]))
  }

  override def parsed(
      session: Session,
      sqlText: String,
      parser: ParserInterface,
      plan: LogicalPlan
  ): LogicalPlan = DeltaSyntax.parsed(sqlText, parser, plan)

  override def identifierForApi(
      session: Session,
      sqlText: String,
      parser: ParserInterface
  ): Option[TableIdentifier] = ApiNames.identifier(session, sqlText, parser)

  override def follow(command: SparkPlan): Option[SparkPlan] = FollowSchemaExec.wrap(command)

  private def open(
      catalog: CatalogContext,
      description: TableDescription,
      timeTravel: Option[DeltaTimeTravelSpec]
  ): DeltaTableV2 = {
    DeltaSession.check(catalog)
    val location = description.location.getOrElse(
      Errors.refuse(
        catalog,
        "invalid_data",
        s"table ${description.qualifiedName} is a Delta table whose entry has no location",
        description.qualifiedName
      )
    )
    val path = new Path(location)
    // The identifier stays out: Delta takes it for a name in the session catalog. So does the schema: Delta keeps the one
    // of its own entries empty, and 3.3 refuses to stream from a table that has one.
    val table = DeltaTableV2(
      catalog.session,
      path,
      catalogTable = Some(DeltaSession.catalogTable(catalog, description)),
      timeTravelOpt = timeTravel
    )
    if (!readable(catalog, description, table)) {
      Errors.refuse(
        catalog,
        "invalid_data",
        s"table ${description.qualifiedName} is a Delta table, but there is no Delta log at $location",
        description.qualifiedName
      )
    }
    SeenEntries.put(catalog, description)
    table
  }

  /** Whether there is a log. One that Delta cannot read is reported with the table's name, which Delta does not know. */
  private def readable(
      catalog: CatalogContext,
      description: TableDescription,
      table: DeltaTableV2
  ): Boolean =
    try table.deltaLog.tableExists && table.deltaLog.unsafeVolatileSnapshot.metadata != null
    catch {
      case NonFatal(e) =>
        val reason = Iterator.iterate[Throwable](e)(_.getCause).takeWhile(_ != null).toSeq.last
        val failure = Errors.failure(
          catalog,
          "invalid_data",
          s"table ${description.qualifiedName}: its Delta log at ${description.location.getOrElse("")} cannot be read: " +
            s"${reason.getClass.getSimpleName}: ${reason.getMessage}",
          description.qualifiedName
        )
        throw new GlueCatalogException(failure, e)
    }

  /** Owner and location belong to the entry, everything else to the log. */
  private def isOfEntry(change: TableChange): Boolean = change match {
    case c: TableChange.SetProperty =>
      c.property == TableCatalog.PROP_LOCATION || c.property == TableCatalog.PROP_OWNER
    case _ => false
  }

  /** The log that SET LOCATION moves the entry to; there must be one. */
  private def newLocation(
      catalog: CatalogContext,
      description: TableDescription,
      changes: Seq[TableChange]
  ): Option[DeltaLog] =
    changes
      .collect {
        case c: TableChange.SetProperty if c.property == TableCatalog.PROP_LOCATION => c.value
      }
      .lastOption
      .map { location =>
        val log = DeltaSession.log(catalog, location, description.options)
        if (!log.tableExists) {
          Errors.refuse(
            catalog,
            "invalid_argument",
            s"table ${description.qualifiedName} cannot be moved to $location: there is no Delta table",
            description.qualifiedName
          )
        }
        log
      }

  /** Delta's ALTER TABLE, applied to one table that is already loaded. */
  private final class AlterOnly(table: DeltaTableV2) extends DeltaCatalog {
    override def loadTable(ident: Identifier): Table = table
  }
}
