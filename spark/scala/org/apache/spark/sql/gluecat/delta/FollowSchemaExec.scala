package org.apache.spark.sql.gluecat.delta

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.delta.catalog.DeltaTableV2
import org.apache.spark.sql.delta.files.TahoeFileIndex
import org.apache.spark.sql.execution.command.{ExecutedCommandExec, RunnableCommand}
import org.apache.spark.sql.execution.datasources.FileIndex
import org.apache.spark.sql.execution.datasources.v2._
import org.apache.spark.sql.execution.{SparkPlan, UnaryExecNode}
import org.apache.spark.sql.gluecat.shim.Session

import io.github.sdaberdaku.gluecat.GlueCatalog

/**
 * Runs a command and lets the Glue entries of its Delta tables follow when it changed their schema: MERGE WITH SCHEMA
 * EVOLUTION, an append with mergeSchema, RESTORE. REFRESH TABLE repairs the entry.
 */
private[delta] final case class FollowSchemaExec(
    child: SparkPlan,
    tables: Seq[FollowedTable],
    repair: Boolean
) extends UnaryExecNode {

  override def output: Seq[Attribute] = child.output

  override def executeCollect(): Array[InternalRow] = following(child.executeCollect())

  override protected def doExecute(): RDD[InternalRow] = following(child.execute())

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)

  private def following[T](body: => T): T = {
    val before = tables.map(t => t -> t.state)
    val result = body
    before.foreach { case (table, state) => if (repair) table.repair() else table.follow(state) }
    result
  }
}

private[delta] object FollowSchemaExec {

  private val maxDepth = 8

  def wrap(command: SparkPlan): Option[SparkPlan] = {
    val candidates = command match {
      case _: FollowSchemaExec    => Nil
      case c: RefreshTableExec    => refreshed(c)
      case c: ExecutedCommandExec => if (reads(c.cmd)) Nil else find(c.cmd, 0)
      case c @ (_: AppendDataExecV1 | _: OverwriteByExpressionExecV1) =>
        c.productIterator.flatMap(find(_, 0)).toList
      case _ => Nil
    }
    val distinct = candidates.groupBy(f => (f.catalog.name, f.ident)).values.map(_.head).toSeq
    if (distinct.isEmpty) None
    else Some(FollowSchemaExec(command, distinct, command.isInstanceOf[RefreshTableExec]))
  }

  /** A statement that only reads never writes to Glue, even if it sees that others have changed the log. */
  private def reads(command: RunnableCommand): Boolean = command match {
    case _: ShowCreateDeltaTable | _: ShowDeltaPartitions => true
    case other => other.getClass.getSimpleName.startsWith("DescribeDelta")
  }

  /** The statement's analysis has just loaded the table. */
  private def refreshed(command: RefreshTableExec): Seq[FollowedTable] = command.catalog match {
    case catalog: GlueCatalog =>
      val context = catalog.context
      for {
        description <- SeenEntries.get(context, command.ident).toSeq
        location <- description.location
      } yield FollowedTable(
        context,
        command.ident,
        DeltaSession.log(context, location, description.options)
      )
    case _ => Nil
  }

  /** The tables of ours in a command, whatever class of Delta's it is. */
  private def find(node: Any, depth: Int): Seq[FollowedTable] =
    if (depth > maxDepth) Nil
    else
      node match {
        case table: DeltaTableV2 => FollowedTable.of(Session.active, table).toSeq
        case table: CatalogTable => FollowedTable.of(Session.active, table).toSeq
        // All that MERGE on Delta 3.3 has of a table that the DeltaTable API opened by path.
        case index: TahoeFileIndex =>
          FollowedTable.named(Session.active, index.path, index.deltaLog).toSeq
        case _: FileIndex | _: SparkPlan | _: Expression => Nil
        case product: Product => product.productIterator.flatMap(find(_, depth + 1)).toList
        case many: Iterable[_] if many.size <= 64 => many.flatMap(find(_, depth + 1)).toList
        case _                                    => Nil
      }
}
