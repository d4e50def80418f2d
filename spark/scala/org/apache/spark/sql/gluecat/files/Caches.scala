package org.apache.spark.sql.gluecat.files

import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.gluecat.TableRequests
import org.apache.spark.sql.gluecat.shim.Session

import io.github.sdaberdaku.gluecat.internal.Json

/** What Spark keeps of a table's data. */
private[files] object Caches {

  /** Cached results that read from `path` are computed again at their next use. */
  def refresh(session: Session, table: GlueFileTable, path: Path): Unit =
    session.sharedState.cacheManager
      .recacheByPath(session, path, path.getFileSystem(table.hadoopConf(session)))
}

private[files] object Statistics {

  /** Statistics that a write has made wrong would mislead the planner: they go, as in Spark. */
  def forget(table: GlueFileTable): Unit =
    if (table.description.statistics.isDefined) {
      table.catalog.callTable("alter_table", table.ident) { request =>
        val change = TableRequests.change("set_statistics")
        change.putNull("size_in_bytes")
        change.putNull("row_count")
        request.set[ObjectNode](
          "changes",
          Json.array().add(change)
        )
      }
    }
}
