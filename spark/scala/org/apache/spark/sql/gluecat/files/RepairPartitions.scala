package org.apache.spark.sql.gluecat.files

import java.io.FileNotFoundException
import java.util.concurrent.atomic.AtomicLong

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils
import org.apache.spark.sql.catalyst.expressions.{Cast, Literal}
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.util.ThreadUtils
import org.slf4j.LoggerFactory

/**
 * MSCK REPAIR TABLE and ALTER TABLE … RECOVER PARTITIONS: makes Glue's partitions those that have directories.
 *
 * Directories are read level by level, many at a time: `column=value`, in the order of the partition columns, in any case
 * of the column's name. What does not look so is not a partition.
 */
private[files] case class RepairPartitions(
    table: GlueFileTable,
    addMissing: Boolean,
    dropGone: Boolean
) extends LeafRunnableCommand {

  override protected def stringArgs: Iterator[Any] = Iterator(table.name, addMissing, dropGone)

  override def run(sparkSession: SparkSession): Seq[Row] = {
    val session = sparkSession.asInstanceOf[Session]
    if (!table.tracksPartitions) {
      table.refuse("has no partitions in Glue to repair")
    }
    table.requirePartitionsInGlue()
    val partitions = table.partitions
    val qualify = new Qualifier(table.hadoopConf(session))
    val known = partitions.list(Nil)
    val progress = new RepairProgress(table.name)
    val before = known.map(_.spec).toSet
    val found =
      if (!addMissing) Nil
      else directories(session, qualify, progress).filterNot { case (spec, _) => before(spec) }
    val gone =
      if (!dropGone) Nil
      else {
        inParallel(known) { p =>
          val path = new Path(p.location)
          if (qualify.fileSystem(path).exists(path)) None else Some(partitions.values(p.spec))
        }.flatten
      }
    progress.finds(found.size, gone.size)
    table.catalog.onTable(table.ident) {
      partitions.add(
        found.map { case (spec, path) => NewPartition(partitions.values(spec), path.toString) },
        "ignore"
      )
      partitions.drop(gone, "ignore")
    }
    if (found.nonEmpty || gone.nonEmpty) Statistics.forget(table)
    Caches.refresh(session, table)
    Seq.empty
  }

  private def directories(
      session: Session,
      qualify: Qualifier,
      progress: RepairProgress
  ): Seq[(Map[String, String], Path)] = {
    val root = qualify(table.location)
    val fs = qualify.fileSystem(root)
    val resolver = session.sessionState.conf.resolver
    val timeZone = Some(session.sessionState.conf.sessionLocalTimeZone)

    def children(path: Path): Seq[FileStatus] = {
      progress.reads()
      try fs.listStatus(path).toSeq
      catch { case _: FileNotFoundException => Nil }
    }

    val start = Seq((Map.empty[String, String], root))
    table.partitionSchema.fields.foldLeft(start) { (level, column) =>
      inParallel(level) { case (spec, path) =>
        children(path).filter(_.isDirectory).flatMap { status =>
          status.getPath.getName.split("=", 2) match {
            case Array(name, text)
                if resolver(ExternalCatalogUtils.unescapePathName(name), column.name) =>
              val value = ExternalCatalogUtils.unescapePathName(text)
              val readable = value == ExternalCatalogUtils.DEFAULT_PARTITION_NAME ||
                Cast(
                  Literal(value),
                  column.dataType,
                  timeZone,
                  org.apache.spark.sql.catalyst.expressions.EvalMode.TRY
                ).eval(InternalRow.empty) != null
              if (readable && value.nonEmpty) Some((spec + (column.name -> value), status.getPath))
              else None
            case _ => None
          }
        }
      }.flatten
    }
  }

  private def inParallel[A, B](items: Seq[A])(f: A => B): Seq[B] =
    if (items.size <= 4) items.map(f)
    else ThreadUtils.parmap(items, "gluecat-repair", RepairPartitions.Threads)(f)
}

private[files] object RepairPartitions {
  private val Threads = 16
}

/** Says in the log how far a repair is: a table of many directories takes minutes on an object store. Thread-safe. */
private final class RepairProgress(table: String) {

  private val log = LoggerFactory.getLogger(classOf[RepairPartitions])
  private val read = new AtomicLong

  def reads(): Unit = {
    val count = read.incrementAndGet()
    if (count % RepairProgress.Step == 0)
      log.info("Repair of {}: read {} directories", table, count)
  }

  def finds(missing: Int, gone: Int): Unit =
    log.info(
      s"Repair of $table: read $read directories, adding $missing partitions, dropping $gone"
    )
}

private object RepairProgress {
  private val Step = 1000L
}

/** REFRESH TABLE: cached results and the catalog's own memory of the table go. */
private[files] case class RefreshFileTable(table: GlueFileTable) extends LeafRunnableCommand {

  override protected def stringArgs: Iterator[Any] = Iterator(table.name)

  override def run(sparkSession: SparkSession): Seq[Row] = {
    val session = sparkSession.asInstanceOf[Session]
    session.sessionState.catalogManager.catalog(table.catalog.name) match {
      case tables: org.apache.spark.sql.connector.catalog.TableCatalog =>
        tables.invalidateTable(table.ident)
      case _ =>
    }
    Caches.refresh(session, table)
    Seq.empty
  }
}
