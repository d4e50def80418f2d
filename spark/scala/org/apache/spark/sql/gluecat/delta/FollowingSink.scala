package org.apache.spark.sql.gluecat.delta

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.connector.catalog.Table
import org.apache.spark.sql.execution.streaming.Sink

/**
 * Delta's streaming sink, and the entry that follows each of its batches. A batch whose entry cannot be written fails the
 * query; started again, Delta skips that batch, and the next one brings the entry up.
 */
private[delta] final class FollowingSink(sink: Sink, table: FollowedTable) extends Sink {

  override def addBatch(batchId: Long, data: DataFrame): Unit = {
    val before = table.state
    sink.addBatch(batchId, data)
    table.catchUp()
    table.follow(before)
  }

  /** What the progress of a query shows. */
  override def toString: String = sink.toString
}

private[delta] object FollowingSink {

  def around(sink: Table, table: FollowedTable): Option[Sink] = sink match {
    case _: FollowingSink => None
    case v1: Sink         => Some(new FollowingSink(v1, table))
    case _                => None
  }
}
