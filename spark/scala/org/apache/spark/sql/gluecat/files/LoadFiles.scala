package org.apache.spark.sql.gluecat.files

import java.util.UUID

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, FileSystem, FileUtil, Path}
import org.apache.spark.sql.catalyst.catalog.CatalogTablePartition
import org.apache.spark.sql.catalyst.plans.logical.LoadData
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.{Row, SparkSession}

/**
 * LOAD DATA: files, as they are, become files of a table or of one of its partitions. Files named LOCAL are copied, others
 * are moved, as in Hive. Nobody looks whether they are of the table's format.
 *
 * The partition is registered first, since without files it has no rows; then the files appear one by one under names that
 * are free, and what OVERWRITE replaces goes last. A statement that failed can be repeated.
 *
 * @param from
 *   a file, a directory, or a pattern of either
 */
private[files] case class LoadFiles(
    table: GlueFileTable,
    from: String,
    local: Boolean,
    overwrite: Boolean,
    partition: Option[Map[String, String]]
) extends LeafRunnableCommand {

  override protected def stringArgs: Iterator[Any] = Iterator(table.name, from, partition)

  override def run(sparkSession: SparkSession): Seq[Row] = {
    val session = sparkSession.asInstanceOf[Session]
    table.requireWritable()
    if (table.entry.bucketSpec.isDefined) {
      table.refuse("is bucketed, which loaded files are not: use INSERT")
    }
    val conf = table.hadoopConf(session)
    val (sourceSystem, sources) = findSources(conf)
    val existing = registered()
    val otherFormat = existing.filter(TablePartitions.isOfAnotherFormat).map(_.spec)
    if (!overwrite) otherFormat.foreach { spec =>
      table.refuse(
        s"has files of another format than its own in ${table.partitions.fragment(spec)}, among which no others can be " +
          "put: use LOAD DATA … OVERWRITE, which gives the partition the table's format"
      )
    }
    val directory = targetDirectory(existing, new Qualifier(conf))
    val target = directory.getFileSystem(conf)
    val files = new DataFiles(conf)
    val replaced = if (overwrite) files.under(directory) else Nil
    target.mkdirs(directory)
    val moves = !local && sourceSystem.getUri == target.getUri
    if (moves) sources.foreach(file => place(target, file.getPath, directory))
    else {
      // Copied out of sight, so that nobody reads half a file.
      val hidden = new Path(directory, s"_temporary-${UUID.randomUUID}")
      try {
        // Files of several directories may have the same name.
        val copies = sources.zipWithIndex.map { case (file, i) =>
          val copy = new Path(new Path(hidden, i.toString), file.getPath.getName)
          FileUtil.copy(sourceSystem, file.getPath, target, copy, false, true, conf)
          copy
        }
        copies.foreach(place(target, _, directory))
      } finally target.delete(hidden, true)
      if (!local) sources.foreach(file => sourceSystem.delete(file.getPath, false))
    }
    files.delete(replaced, directory, written = Set(directory))
    table.catalog.onTable(table.ident)(table.partitions.takeTableFormat(otherFormat.toSeq))
    Statistics.forget(table)
    Caches.refresh(session, table, directory)
    Seq.empty
  }

  private def findSources(conf: Configuration): (FileSystem, Seq[FileStatus]) = {
    val given = new Path(from)
    val fs =
      if (local && given.toUri.getScheme == null) FileSystem.getLocal(conf)
      else given.getFileSystem(conf)
    if (local && fs.getUri.getScheme != "file") {
      table.refuse(s"cannot LOAD DATA LOCAL from $from: it is not a local file. Leave out LOCAL")
    }
    val matching = Option(fs.globStatus(given)).fold(Seq.empty[FileStatus])(_.toSeq)
    if (matching.isEmpty) table.refuse(s"cannot LOAD DATA from $from: nothing is there")
    val found = matching.flatMap { status =>
      if (status.isDirectory) fs.listStatus(status.getPath).toSeq else Seq(status)
    }.filterNot(status => isHidden(status.getPath))
    found.find(_.isDirectory).foreach { nested =>
      table.refuse(
        s"cannot LOAD DATA from $from: ${nested.getPath} is a directory. Load each directory's files by themselves"
      )
    }
    (fs, found)
  }

  private lazy val spec: Map[String, String] = {
    val values = PartitionText.values(table, partition.getOrElse(Map.empty))
    val without = table.entry.partitionColumnNames.filterNot(values.contains)
    if (without.nonEmpty) {
      table.refuse(
        s"is partitioned: LOAD DATA needs PARTITION with a value for ${without.mkString(", ")}"
      )
    }
    values
  }

  /** The partition, if it is in Glue. */
  private def registered(): Option[CatalogTablePartition] =
    if (table.tracksPartitions) table.partitions.listMatching(spec).headOption else None

  private def targetDirectory(
      existing: Option[CatalogTablePartition],
      qualify: Qualifier
  ): Path = {
    val list = table.partitions
    if (spec.isEmpty) qualify(table.location)
    else if (!table.tracksPartitions) qualify(list.defaultLocation(spec))
    else {
      if (existing.isEmpty) {
        table.catalog.onTable(table.ident) {
          list.add(
            Seq(NewPartition(list.values(spec), list.defaultLocation(spec).toString)),
            "ignore"
          )
        }
      }
      qualify(existing.map(p => new Path(p.location)).getOrElse(list.defaultLocation(spec)))
    }
  }

  /** Moves a file into the directory under its own name or, where there is one, as Hive does: `name_copy_1.csv`. */
  private def place(fs: FileSystem, file: Path, directory: Path): Unit = {
    val name = file.getName
    val dot = name.indexOf('.')
    val (stem, ending) = if (dot > 0) name.splitAt(dot) else (name, "")
    val target = (Iterator.single(name) ++ Iterator.from(1).map(n => s"${stem}_copy_$n$ending"))
      .map(new Path(directory, _))
      .find(!fs.exists(_))
      .get
    if (!fs.rename(file, target)) {
      table.refuse(s"cannot LOAD DATA: $file could not be moved to $target")
    }
  }

  private def isHidden(file: Path): Boolean =
    file.getName.startsWith("_") || file.getName.startsWith(".")
}

private[files] object LoadFiles {

  def of(statement: LoadData, table: GlueFileTable): LoadFiles =
    LoadFiles(
      table,
      statement.path,
      statement.isLocal,
      statement.isOverwrite,
      statement.partition
    )
}
