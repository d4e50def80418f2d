package org.apache.spark.sql.gluecat.files

import java.util.Locale

import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.Row
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.{
  CatalogStatistics,
  CatalogTable,
  CatalogTablePartition
}
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.execution.command.{CommandUtils, LeafRunnableCommand}
import org.apache.spark.sql.functions.{col, count, lit}
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.gluecat.{TableDescription, TableRequests}
import org.apache.spark.sql.types._

import io.github.sdaberdaku.gluecat.internal.Json

/** Statistics of a table, in the form in which Spark's own catalog keeps them. */
private[files] object Statistics {

  private val Size = "spark.sql.statistics.totalSize"
  private val Rows = "spark.sql.statistics.numRows"

  /**
   * The entry as the optimizer sees it. Statistics of columns that are not in it are asked for where the optimizer uses
   * them, which it does along with the number of rows: any other query is planned without that request.
   */
  def planned(session: Session, table: GlueFileTable): CatalogTable = {
    val conf = session.sessionState.conf
    table.entry.stats match {
      case Some(known)
          if (conf.cboEnabled || conf.planStatsEnabled) && known.rowCount.isDefined &&
            known.colStats.isEmpty =>
        val columns = TableDescription.columnStatistics(
          table.catalog.callTable("load_column_statistics", table.ident)(_ => ()),
          table.description.name,
          table.description.schema
        )
        table.entry.copy(stats = Some(known.copy(colStats = columns)))
      case _ => table.entry
    }
  }

  /** Statistics that a write has made wrong would mislead the planner: they go, as in Spark. */
  def forget(table: GlueFileTable): Unit =
    if (table.description.statistics.isDefined) store(table, None)

  def store(table: GlueFileTable, statistics: Option[CatalogStatistics]): Unit =
    table.catalog.callTable("alter_table", table.ident) { request =>
      val change = TableRequests.change("set_statistics")
      statistics match {
        case Some(known) => write(known, change)
        case None        => change.putNull("size_in_bytes")
      }
      request.replace("changes", Json.array().add(change))
    }

  /** Keeps the statistics of the columns that were analyzed; what is known of other columns stays. */
  def storeColumns(table: GlueFileTable, analyzed: CatalogStatistics): Unit =
    table.catalog.callTable("store_column_statistics", table.ident) { request =>
      write(analyzed, request.putObject("statistics"))
    }

  private def write(statistics: CatalogStatistics, json: ObjectNode): Unit = {
    json.put("size_in_bytes", statistics.sizeInBytes.toLong)
    statistics.rowCount.foreach(rows => json.put("row_count", rows.toLong))
    val columns = statistics.colStats.flatMap { case (column, stat) => stat.toMap(column) }
    if (columns.nonEmpty) json.replace("columns", TableRequests.map(columns))
  }

  /** The parameters of a partition's own statistics. */
  def ofPartition(size: Long, rows: Option[Long]): Map[String, String] =
    Map(Size -> size.toString) ++ rows.map(r => Rows -> r.toString)

  /** The bytes of all files of a table. */
  def size(session: Session, table: GlueFileTable): Long = {
    val directories =
      if (table.tracksPartitions) table.partitions.list(Nil).map(p => new Path(p.location))
      else Seq(table.location)
    sizes(session, table, directories).sum
  }

  def sizes(session: Session, table: GlueFileTable, directories: Seq[Path]): Seq[Long] = {
    val conf = table.hadoopConf(session)
    val files = new DataFiles(conf)
    if (table.description.filesInManifests) {
      val manifests = new Manifests(table.title, conf)
      files.inParallel(directories)(manifests.filesOf(_).map(_.getLen).sum)
    } else files.inParallel(directories)(files.size)
  }
}

/**
 * ANALYZE TABLE … COMPUTE STATISTICS [NOSCAN], of the table or of partitions.
 *
 * @param partitionSpec
 *   partition columns, with the value that they must have or without
 */
private[files] case class AnalyzeFileTable(
    table: GlueFileTable,
    partitionSpec: Map[String, Option[String]],
    noScan: Boolean
) extends LeafRunnableCommand {

  override protected def stringArgs: Iterator[Any] = Iterator(table.name, partitionSpec, noScan)

  override def run(sparkSession: SparkSession): Seq[Row] = {
    val session = sparkSession.asInstanceOf[Session]
    if (partitionSpec.isEmpty) analyzeTable(session) else analyzePartitions(session)
    Seq.empty
  }

  private def analyzeTable(session: Session): Unit = {
    val size = Statistics.size(session, table)
    val rows = if (noScan) None else Some(BigInt(session.table(table.name).count()))
    val known = table.description.statistics
    CommandUtils
      .compareAndGetNewStats(known, size, rows)
      .foreach(stats =>
        // What is known of columns stays as long as nothing else changed, as in Spark.
        Statistics.store(table, Some(stats))
      )
  }

  private def analyzePartitions(session: Session): Unit = {
    val spec = PartitionText.resolve(table, partitionSpec)
    val stated = spec.collect { case (column, Some(value)) => column -> value }
    val partitions = table.partitions.listMatching(stated)
    if (partitions.isEmpty && stated.nonEmpty) PartitionText.missing(table, stated)
    val sizes = Statistics.sizes(session, table, partitions.map(p => new Path(p.location)))
    val rows =
      if (noScan) Map.empty[Map[String, String], Long] else countRows(session, partitions)
    val statistics = partitions.zip(sizes).map { case (partition, size) =>
      val counted = if (noScan) None else Some(rows.getOrElse(partition.spec, 0L))
      partition.spec -> Statistics.ofPartition(size, counted)
    }
    table.catalog.onTable(table.ident)(table.partitions.setParameters(statistics.toMap))
  }

  private def countRows(
      session: Session,
      partitions: Seq[CatalogTablePartition]
  ): Map[Map[String, String], Long] = {
    val columns = table.partitionSchema.fields.toSeq
    val wanted = partitions.map(_.spec).toSet
    val keys = columns.map(f => col(quoteIfNeeded(f.name)))
    session
      .table(table.name)
      .groupBy(keys: _*)
      .agg(count(lit(1)))
      .collect()
      .toSeq
      .map { row =>
        val spec = columns.indices.map { i =>
          val value = if (row.isNullAt(i)) null else row.get(i)
          columns(i).name -> PartitionText.ofExternal(value, columns(i).dataType)
        }.toMap
        spec -> row.getLong(columns.size)
      }
      .filter { case (spec, _) => wanted(spec) }
      .toMap
  }
}

/** ANALYZE TABLE … COMPUTE STATISTICS FOR COLUMNS. */
private[files] case class AnalyzeFileTableColumns(
    table: GlueFileTable,
    columnNames: Option[Seq[String]],
    allColumns: Boolean
) extends LeafRunnableCommand {

  override protected def stringArgs: Iterator[Any] = Iterator(table.name, columnNames, allColumns)

  override def run(sparkSession: SparkSession): Seq[Row] = {
    val session = sparkSession.asInstanceOf[Session]
    val relation = session.table(table.name).queryExecution.analyzed
    val columns = wanted(session, relation.output)
    val (rows, statistics) = CommandUtils.computeColumnStats(session, relation, columns)
    val computed = statistics.map { case (attribute, stat) =>
      attribute.name -> stat.toCatalogColumnStat(attribute.name, attribute.dataType)
    }
    Statistics.storeColumns(
      table,
      CatalogStatistics(
        sizeInBytes = Statistics.size(session, table),
        rowCount = Some(rows),
        colStats = computed
      )
    )
    Seq.empty
  }

  private def wanted(session: Session, output: Seq[Attribute]): Seq[Attribute] = {
    val resolver = session.sessionState.conf.resolver
    columnNames match {
      case Some(names) if !allColumns =>
        names.map { name =>
          val found = output.find(a => resolver(a.name, name)).getOrElse(
            table.refuse(s"has no column $name to ANALYZE")
          )
          if (!analyzable(found.dataType)) {
            table.refuse(
              s"cannot be ANALYZEd for column $name: Spark has no statistics for type " +
                found.dataType.simpleString.toLowerCase(Locale.ROOT)
            )
          }
          found
        }
      case _ => output.filter(a => analyzable(a.dataType))
    }
  }

  private def analyzable(dataType: DataType): Boolean = dataType match {
    case _: NumericType | DateType | TimestampType | TimestampNTZType | BooleanType | BinaryType =>
      true
    case _: StringType => true
    case _             => false
  }
}
