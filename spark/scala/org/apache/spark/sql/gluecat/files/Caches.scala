package org.apache.spark.sql.gluecat.files

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.gluecat.shim.Session

/** What Spark keeps of a table's data. */
private[files] object Caches {

  /** Cached results that read from `path` are computed again at their next use. */
  def refresh(session: Session, table: GlueFileTable, path: Path): Unit =
    session.sharedState.cacheManager
      .recacheByPath(session, path, path.getFileSystem(table.hadoopConf(session)))
}
