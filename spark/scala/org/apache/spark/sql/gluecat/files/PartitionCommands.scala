package org.apache.spark.sql.gluecat.files

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.catalyst.catalog.CatalogTablePartition
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{
  DeleteFromTable,
  LocalRelation,
  LogicalPlan,
  UnaryNode
}
import org.apache.spark.sql.catalyst.util.escapeSingleQuotedString
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.{Row, SparkSession}

/** ALTER TABLE … PARTITION (…) SET LOCATION: the files stay where they are. */
private[files] case class SetPartitionLocation(
    table: GlueFileTable,
    partitionSpec: Map[String, String],
    location: String
) extends LeafRunnableCommand {

  override protected def stringArgs: Iterator[Any] = Iterator(table.name, partitionSpec, location)

  override def run(sparkSession: SparkSession): Seq[Row] = {
    table.requirePartitionsInGlue()
    val partition = PartitionText.single(table, partitionSpec)
    table.catalog.onTable(table.ident) {
      table.partitions.setLocation(partition.spec, table.qualified(location))
    }
    Statistics.forget(table)
    val session = sparkSession.asInstanceOf[Session]
    Caches.refresh(session, table, new Path(partition.location))
    Seq.empty
  }
}

/** DESCRIBE [EXTENDED] … PARTITION (…), laid out as Spark's own. */
private[files] case class DescribePartition(
    table: GlueFileTable,
    partitionSpec: Map[String, String],
    extended: Boolean,
    override val output: Seq[Attribute]
) extends LeafRunnableCommand {

  override protected def stringArgs: Iterator[Any] = Iterator(table.name, partitionSpec, extended)

  override def run(sparkSession: SparkSession): Seq[Row] = {
    val partition = PartitionText.single(table, partitionSpec)
    val columns = table.schema.map(f => Row(f.name, f.dataType.simpleString, f.getComment().orNull))
    val keys =
      Row("# Partition Information", "", "") +: Row("# col_name", "data_type", "comment") +:
        table.partitionSchema.map(f => Row(f.name, f.dataType.simpleString, f.getComment().orNull))
    columns ++ keys ++ (if (extended) details(partition) else Nil)
  }

  private def details(partition: CatalogTablePartition): Seq[Row] = {
    val values = table.entry.partitionColumnNames.map(c => s"$c=${partition.spec(c)}")
    val parameters = partition.parameters.toSeq.sorted.map { case (k, v) =>
      s"${escapeSingleQuotedString(k)}=${escapeSingleQuotedString(v)}"
    }
    Seq(
      Row("", "", ""),
      Row("# Detailed Partition Information", "", ""),
      Row("Database", table.description.namespace, ""),
      Row("Table", table.description.name, ""),
      Row("Partition Values", values.mkString("[", ", ", "]"), ""),
      Row("Location", new Path(partition.location).toString, "")
    ) ++ (if (parameters.isEmpty) Nil
          else Seq(Row("Partition Parameters", parameters.mkString("{", ", ", "}"), "")))
  }
}

/** A DELETE whose condition Spark still has to resolve against the columns of the table. */
private[files] case class DeleteWhere(
    table: GlueFileTable,
    condition: Expression,
    columns: LogicalPlan
) extends UnaryNode {

  override def child: LogicalPlan = columns

  override def output: Seq[Attribute] = Nil

  override protected def withNewChildInternal(newChild: LogicalPlan): DeleteWhere =
    copy(columns = newChild)
}

private[files] object DeleteWhere {

  def of(delete: DeleteFromTable, table: GlueFileTable): DeleteWhere = {
    // No rows are read for it.
    val columns = delete.table.transform { case FileTableRelation(r, _) => LocalRelation(r.output) }
    DeleteWhere(table, delete.condition, columns)
  }
}

/** DELETE of whole partitions, or of all rows: their files go, and then the partitions. */
private[files] case class DeletePartitions(table: GlueFileTable, scope: OverwriteScope)
    extends LeafRunnableCommand {

  override protected def stringArgs: Iterator[Any] = Iterator(table.name, scope)

  override def run(sparkSession: SparkSession): Seq[Row] = {
    val session = sparkSession.asInstanceOf[Session]
    scope match {
      case OverwriteScope.WholeTable => table.truncateTable()
      case OverwriteScope.Matching(filters, _, _) =>
        table.requireWritable()
        if (!table.tracksPartitions) table.refuse("has no partitions in Glue to DELETE from")
        val gone = table.partitions.list(filters)
        val files = new DataFiles(table.hadoopConf(session))
        gone.foreach { partition =>
          val directory = new Path(partition.location)
          files.delete(files.under(directory), directory, written = Set.empty)
        }
        // Until now a repetition finishes what a failure left.
        table.catalog.onTable(table.ident) {
          table.partitions.drop(gone.map(p => table.partitions.values(p.spec)), "ignore")
        }
        Statistics.forget(table)
        Caches.refresh(session, table, gone.map(p => new Path(p.location)): _*)
    }
    Seq.empty
  }
}

private[files] object DeletePartitions {

  def of(delete: DeleteWhere): DeletePartitions = {
    val table = delete.table
    val scope = OverwriteScope
      .of(delete.condition, table)
      .getOrElse(
        table.refuse(
          s"does not support DELETE where ${delete.condition.sql}: it is a table of ${table.provider} files, of which " +
            "only whole partitions can be deleted, by conditions on partition columns" +
            table.entry.partitionColumnNames.mkString(" (", ", ", ")") +
            ". Use a Delta table, or INSERT OVERWRITE"
        )
      )
    DeletePartitions(table, scope)
  }
}
