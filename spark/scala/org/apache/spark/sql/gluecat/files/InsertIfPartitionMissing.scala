package org.apache.spark.sql.gluecat.files

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.plans.logical.{
  InsertIntoStatement,
  LogicalPlan,
  UnresolvedWith
}
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.gluecat.SessionNames
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.{Row, SparkSession}

/**
 * INSERT OVERWRITE … PARTITION (…) IF NOT EXISTS, which Spark refuses for the tables of catalogs: the same INSERT without
 * these words, run unless there is a partition of those values.
 *
 * @param statement
 *   as it was parsed, with the WITH that may be around it
 */
private[gluecat] case class InsertIfPartitionMissing(
    target: Seq[String],
    partition: Map[String, String],
    statement: InsertIfPartitionMissing.Parsed
) extends LeafRunnableCommand {

  override protected def stringArgs: Iterator[Any] = Iterator(target, partition)

  override def run(sparkSession: SparkSession): Seq[Row] = {
    val session = sparkSession.asInstanceOf[Session]
    val (catalog, ident) = new SessionNames(session).ours(target).get
    val insert = catalog.loadTable(ident) match {
      case table: GlueFileTable =>
        table.requireWritableRows()
        if (exists(table)) None
        else Some(statement.plan.transform { case i: InsertIntoStatement =>
          i.copy(ifPartitionNotExists = false)
        })
      // Spark's own refusal.
      case _ => Some(statement.plan)
    }
    insert.foreach(session.sessionState.executePlan(_).assertCommandExecuted())
    Seq.empty
  }

  private def exists(table: GlueFileTable): Boolean = {
    val spec = PartitionText.values(table, partition)
    if (table.tracksPartitions) table.partitions.listMatching(spec).nonEmpty
    else {
      val leading = table.entry.partitionColumnNames.takeWhile(spec.contains)
      if (leading.size < spec.size) {
        table.refuse(
          "has no partitions in Glue: IF NOT EXISTS needs values for its leading partition columns"
        )
      }
      val directory = new Path(table.location, table.partitions.fragment(spec))
      new DataFiles(table.hadoopConf(table.catalog.session)).exists(directory)
    }
  }
}

private[gluecat] object InsertIfPartitionMissing {

  /** A statement that no rule looks into before it is run. */
  final class Parsed(val plan: LogicalPlan)

  /** `plan` itself, or our command if it is such a statement on a table of one of our catalogs. */
  def of(session: Session, plan: LogicalPlan): LogicalPlan = {
    val insert = plan match {
      case i: InsertIntoStatement => Some(i)
      case w: UnresolvedWith =>
        w.child match {
          case i: InsertIntoStatement => Some(i)
          case _                      => None
        }
      case _ => None
    }
    insert.filter(_.ifPartitionNotExists).map(i => (i.table, i.partitionSpec)) match {
      case Some((relation: UnresolvedRelation, spec))
          if new SessionNames(session).ours(relation.multipartIdentifier).nonEmpty =>
        // The parser lets none pass without a value.
        val values = spec.map { case (column, value) => column -> value.get }
        InsertIfPartitionMissing(relation.multipartIdentifier, values, new Parsed(plan))
      case _ => plan
    }
  }
}
