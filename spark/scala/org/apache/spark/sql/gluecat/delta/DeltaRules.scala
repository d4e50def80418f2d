package org.apache.spark.sql.gluecat.delta

import org.apache.spark.sql.catalyst.analysis.{
  PartitionSpec,
  ResolvedTable,
  UnresolvedPartitionSpec
}
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.streaming.WriteToStream
import org.apache.spark.sql.connector.catalog.TruncatableTable
import org.apache.spark.sql.delta.catalog.DeltaTableV2
import org.apache.spark.sql.delta.commands.{
  ConvertToDeltaCommand,
  CreateDeltaTableCommand,
  DeltaReorgTable
}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.gluecat.SessionNames
import org.apache.spark.sql.gluecat.shim.Session

import io.github.sdaberdaku.gluecat.GlueCatalog

/** Statements on our tables that Delta would resolve in the session catalog, or does not take. */
private[delta] case class DeltaStatements(session: Session) extends Rule[LogicalPlan] {

  private val names = new SessionNames(session)

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsDown {
    case UnresolvedClone(statement)     => CloneToNewTable.of(session, names, statement)
    case pending: CloneToNewTable       => pending.command
    case statement: CloneTableStatement => CloneToNewTable.of(session, names, statement)
    // CLONE onto a table of ours: by path, so that the session catalog is not asked to alter it.
    case command: CreateDeltaTableCommand
        if !command.tableByPath && command.table.identifier.catalog.exists(isOurs) =>
      command.copy(tableByPath = true)
    case command: ConvertToDeltaCommand =>
      names
        .ours(command.tableIdentifier.nameParts)
        .fold[LogicalPlan](command) { case (catalog, ident) =>
          ConvertTable(command, catalog.context, ident)
        }
    case ShowCreateTable(
          ResolvedTable(catalog: GlueCatalog, ident, table: DeltaTableV2, _),
          _,
          out
        ) =>
      ShowCreateDeltaTable(catalog.name, ident, table, out)
    case ShowPartitions(
          ResolvedTable(catalog: GlueCatalog, _, table: DeltaTableV2, _),
          spec,
          out
        ) =>
      ShowDeltaPartitions(catalog.context, table, values(spec), out)
    // Delta 3.3 does not truncate.
    case TruncateTable(ResolvedTable(catalog: GlueCatalog, ident, table: DeltaTableV2, _))
        if !table.isInstanceOf[TruncatableTable] =>
      DeleteFromTable(
        DataSourceV2Relation.create(table, Some(catalog), Some(ident)),
        Literal.TrueLiteral
      )
    case reorg: DeltaReorgTable => DeltaSyntax.requireUnambiguous(session, reorg)
  }

  private def values(spec: Option[PartitionSpec]): Map[String, String] = spec match {
    case Some(wanted: UnresolvedPartitionSpec) => wanted.spec
    case _                                     => Map.empty
  }

  private def isOurs(catalog: String): Boolean = names.catalog(catalog).nonEmpty
}

/** Streams into our tables: the entry follows when a batch changes the schema. */
private[delta] case class FollowStreams(session: Session) extends Rule[LogicalPlan] {

  // After Delta's own rules, which look for its sink.
  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperators {
    case write: WriteToStream =>
      val sink = for {
        table <- write.catalogTable
        followed <- FollowedTable.of(session, table)
        sink <- FollowingSink.around(write.sink, followed)
      } yield sink
      sink.fold(write)(s => write.copy(sink = s))
  }
}
