package org.apache.spark.sql.gluecat.delta

import org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils.DEFAULT_PARTITION_NAME
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.delta.DeltaColumnMapping
import org.apache.spark.sql.delta.catalog.DeltaTableV2
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.execution.datasources.PartitioningUtils
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.gluecat.{CatalogContext, Errors}
import org.apache.spark.sql.{Row, SparkSession}

/** SHOW PARTITIONS: the values that the files of the table's last version have. Glue knows no partitions of it. */
private[delta] final case class ShowDeltaPartitions(
    catalog: CatalogContext,
    table: DeltaTableV2,
    wanted: Map[String, String],
    override val output: Seq[Attribute]
) extends LeafRunnableCommand {

  override protected def stringArgs: Iterator[Any] = Iterator(table.name)

  override def run(sparkSession: SparkSession): Seq[Row] = {
    val snapshot = table.initialSnapshot
    val columns = snapshot.metadata.partitionSchema
    if (columns.isEmpty) refuse(s"table ${table.name} is not partitioned")
    val resolver = sparkSession.sessionState.conf.resolver
    val conditions = wanted.map { case (name, value) =>
      val column = columns
        .find(c => resolver(c.name, name))
        .getOrElse(refuse(s"table ${table.name} is not partitioned by column $name"))
      column.name -> value
    }
    val physicalNames = columns.map(DeltaColumnMapping.getPhysicalName)
    snapshot.allFiles.toDF
      .select(physicalNames.map(name => col("partitionValues").getItem(name)): _*)
      .distinct()
      .collect()
      .map { row =>
        columns.indices.map { i =>
          columns(i).name -> Option(row.getString(i)).filter(_.nonEmpty).getOrElse(
            DEFAULT_PARTITION_NAME
          )
        }.toMap
      }
      .filter(spec => conditions.forall { case (name, value) => spec(name) == value })
      .map(PartitioningUtils.getPathFragment(_, columns))
      .sorted
      .map(Row(_))
      .toSeq
  }

  private def refuse(what: String): Nothing = Errors.refuse(catalog, "invalid_argument", what)
}
