package org.apache.spark.sql.gluecat.delta

import org.apache.hadoop.fs.Path
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.connector.catalog.Identifier
import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.catalog.DeltaTableV2
import org.apache.spark.sql.execution.command.ExecutedCommandExec
import org.apache.spark.sql.execution.datasources.FileIndex
import org.apache.spark.sql.execution.datasources.v2._
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.gluecat.{CatalogContext, TableDescription}

import io.github.sdaberdaku.gluecat.GlueCatalog

/**
 * Runs a command and lets the Glue entries of its Delta tables follow when it changed their schema: MERGE WITH SCHEMA
 * EVOLUTION, an append with mergeSchema, RESTORE.
 *
 * Delta has no hook for this that is ours to use; but the command runs on the caller's thread, and afterwards the log of
 * this process knows what was committed. Comparing before and after costs no call, to Glue or to storage.
 */
private[delta] final case class FollowSchemaExec(
    child: SparkPlan,
    tables: Seq[FollowSchemaExec.Followed],
    always: Boolean
) extends UnaryExecNode {

  override def output: Seq[Attribute] = child.output

  override def executeCollect(): Array[InternalRow] = following(child.executeCollect())

  override protected def doExecute(): RDD[InternalRow] = following(child.execute())

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)

  private def following[T](body: => T): T = {
    val before = tables.map(t => t -> state(t))
    val result = body
    before.foreach { case (table, earlier) =>
      if (always || state(table) != earlier) table.sync()
    }
    result
  }

  private def state(table: FollowSchemaExec.Followed): EntrySync.State =
    EntrySync.stateOf(table.log.unsafeVolatileSnapshot)
}

private[delta] object FollowSchemaExec {

  private val maxDepth = 8

  final case class Followed(catalog: CatalogContext, ident: Identifier, log: DeltaLog) {

    def sync(): Unit = {
      val state = EntrySync.stateOf(log.unsafeVolatileSnapshot)
      val location = log.dataPath.toString
      val title = s"${ident.namespace.mkString(".")}.${ident.name}"
      EntrySync.afterCommit(catalog, title, location) {
        val description = catalog.describe("load_table", ident)(_ => ())
        if (description.kind == TableDescription.Delta) {
          EntrySync.send(catalog, description, EntrySync.changes(description, state))
        }
      }
    }
  }

  def wrap(command: SparkPlan): Option[SparkPlan] = {
    val candidates = command match {
      case _: FollowSchemaExec    => Nil
      case c: RefreshTableExec    => refreshed(c)
      case c: ExecutedCommandExec => find(c.cmd, 0)
      case c @ (_: AppendDataExecV1 | _: OverwriteByExpressionExecV1) =>
        c.productIterator.flatMap(find(_, 0)).toList
      case _ => Nil
    }
    val distinct = candidates.groupBy(f => (f.catalog.name, f.ident)).values.map(_.head).toSeq
    if (distinct.isEmpty) None
    else Some(FollowSchemaExec(command, distinct, command.isInstanceOf[RefreshTableExec]))
  }

  /** REFRESH TABLE on a Delta table is the repair of an entry that lags behind. */
  private def refreshed(command: RefreshTableExec): Seq[Followed] = command.catalog match {
    case catalog: GlueCatalog =>
      catalog.loadTable(command.ident) match {
        case table: DeltaTableV2 => followed(table)
        case _                   => Nil
      }
    case _ => Nil
  }

  /** The tables of ours in a command, whatever class of Delta's it is. */
  private def find(node: Any, depth: Int): Seq[Followed] =
    if (depth > maxDepth) Nil
    else
      node match {
        case table: DeltaTableV2                         => followed(table)
        case table: CatalogTable                         => followed(table)
        case _: FileIndex | _: SparkPlan | _: Expression => Nil
        case product: Product => product.productIterator.flatMap(find(_, depth + 1)).toList
        case many: Iterable[_] if many.size <= 64 => many.flatMap(find(_, depth + 1)).toList
        case _                                    => Nil
      }

  private def followed(table: DeltaTableV2): Seq[Followed] =
    table.catalogTable.toSeq.flatMap(ct => context(ct).map(Followed(_, ident(ct), table.deltaLog)))

  private def followed(table: CatalogTable): Seq[Followed] =
    if (!table.provider.exists(_.equalsIgnoreCase("delta")) || table.storage.locationUri.isEmpty)
      Nil
    else
      context(table).toSeq.map { catalog =>
        val log = DeltaLog.forTable(
          catalog.session,
          new Path(table.location),
          DeltaSession.fileSystemOptions(
            catalog.hadoopOptionsAt(table.location) ++ table.storage.properties
          )
        )
        Followed(catalog, ident(table), log)
      }

  private def ident(table: CatalogTable): Identifier =
    Identifier.of(table.identifier.database.toArray, table.identifier.table)

  private def context(table: CatalogTable): Option[CatalogContext] =
    table.identifier.catalog.flatMap { name =>
      val manager = org.apache.spark.sql.gluecat.shim.Session.active.sessionState.catalogManager
      if (!manager.isCatalogRegistered(name)) None
      else
        manager.catalog(name) match {
          case catalog: GlueCatalog => Some(catalog.context)
          case _                    => None
        }
    }
}
