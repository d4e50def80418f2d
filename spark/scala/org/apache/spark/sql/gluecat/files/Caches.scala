package org.apache.spark.sql.gluecat.files

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.gluecat.shim.Session

/** What Spark keeps of a table's data. */
private[files] object Caches {

  /**
   * Cached results of a table are computed again at their next use.
   *
   * @param directories
   *   in which something changed, for those who read them by path. Spark takes a table for changed only where its own
   *   location lies in a directory that changed, which that of a partition is not
   */
  def refresh(session: Session, table: GlueFileTable, directories: Path*): Unit = {
    val conf = table.hadoopConf(session)
    (table.location +: directories).foreach { path =>
      session.sharedState.cacheManager.recacheByPath(session, path, path.getFileSystem(conf))
    }
  }
}
