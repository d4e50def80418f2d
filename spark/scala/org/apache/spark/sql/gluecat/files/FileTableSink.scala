package org.apache.spark.sql.gluecat.files

import java.util.UUID

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.plans.logical.AppendData
import org.apache.spark.sql.catalyst.streaming.{InternalOutputModes, WriteToStream}
import org.apache.spark.sql.connector.catalog.Identifier
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.execution.streaming.Sink
import org.apache.spark.sql.gluecat.shim.Session

import io.github.sdaberdaku.gluecat.GlueCatalog

/**
 * Streams into a file table: each batch is one append, whose partitions are registered, and whose rows are in the table
 * once even if Spark repeats the batch.
 *
 * Spark repeats the last batch of a query that was stopped before it had written down that the batch is done. The files of
 * a batch have names that follow from the query and the batch, and [[StreamProgress]] says how far the table got: a batch
 * that is in the table is left out, the files of one that was begun are removed before it is written again.
 */
private[files] final class FileTableSink(catalog: GlueCatalog, ident: Identifier) extends Sink {

  private var started = false

  override def addBatch(batchId: Long, data: DataFrame): Unit = {
    val session = data.sparkSession.asInstanceOf[Session]
    val query = session.sparkContext.getLocalProperty(FileTableSink.QueryId)
    val job = UUID.nameUUIDFromBytes(s"$query/$batchId".getBytes("UTF-8")).toString
    // Every batch anew: the table may have got columns or another location.
    val table = FileTableSink.load(catalog, ident)
    val progress = new StreamProgress(table.location, table.hadoopConf(session), query)
    val seen = if (started) StreamProgress.Absent else progress.of(batchId)
    started = true
    if (seen != StreamProgress.Written) {
      if (seen == StreamProgress.Begun) removeFiles(session, table, job)
      progress.begin(batchId)
      val rows = session.internalCreateDataFrame(data.queryExecution.toRdd, data.schema)
      val target = DataSourceV2Relation.create(table, Some(catalog), Some(ident))
      val append =
        AppendData.byName(target, rows.queryExecution.analyzed, Map(WriteToFileTable.JobId -> job))
      session.sessionState.executePlan(append).assertCommandExecuted()
      progress.finish(batchId)
    }
  }

  private def removeFiles(session: Session, table: GlueFileTable, job: String): Unit = {
    val files = new DataFiles(table.hadoopConf(session))
    table.dataDirectories.foreach { directory =>
      files.deleteOnly(files.under(directory).filter(_.getName.contains(job)), directory)
    }
  }

  /** What the progress of a query shows. */
  override def toString: String = s"FileTableSink[${catalog.name}.$ident]"
}

private[files] object FileTableSink {

  /** Where Spark's StreamExecution tells the id that a query keeps over restarts. */
  private val QueryId = "sql.streaming.queryId"

  def of(write: WriteToStream, table: GlueFileTable): WriteToStream =
    write.catalogAndIdent match {
      case Some((catalog: GlueCatalog, ident)) =>
        table.requireWritableRows()
        if (write.outputMode != InternalOutputModes.Append) {
          table.refuse(
            s"can be the target of a stream in output mode append only, not ${write.outputMode}: use foreachBatch, " +
              "or a Delta table"
          )
        }
        write.copy(sink = new FileTableSink(catalog, ident))
      case _ => write
    }

  private def load(catalog: GlueCatalog, ident: Identifier): GlueFileTable =
    catalog.loadTable(ident) match {
      case table: GlueFileTable => table
      case other =>
        throw new IllegalStateException(
          s"${other.name} is no longer a table of data files, so that the stream into it cannot go on"
        )
    }
}
