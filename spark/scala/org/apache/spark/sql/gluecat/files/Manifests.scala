package org.apache.spark.sql.gluecat.files

import java.io.{BufferedReader, FileNotFoundException, InputStreamReader}
import java.nio.charset.StandardCharsets.UTF_8
import scala.collection.mutable

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.execution.datasources.PartitionSpec
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.gluecat.shim.Session

/**
 * Texts that name data files, one in each line: what lies in the directories of a table that Hive reads with
 * SymlinkTextInputFormat. Files beside those they name, such as old ones of a Delta table, are no data.
 */
private[files] final class Manifests(title: String, conf: Configuration) {

  private val qualify = new Qualifier(conf)
  private val files = new DataFiles(conf)

  /** The files that the manifests right in a directory name; none if it is missing. */
  def filesOf(directory: Path): Seq[FileStatus] = {
    val found =
      try qualify.fileSystem(directory).listStatus(directory).toSeq
      catch { case _: FileNotFoundException => Nil }
    filesIn(Map(directory -> found.filter(s => s.isFile && !isHidden(s.getPath))))(directory)
  }

  /**
   * By the key of the manifests that name them. Each directory that holds files is listed once, however many are named.
   * Fails if a file is not there: its rows would be missing.
   */
  def filesIn[Key](manifests: Map[Key, Seq[FileStatus]]): Map[Key, Seq[FileStatus]] = {
    val all = manifests.values.flatten.map(_.getPath).toSeq.distinct
    val named = all.zip(files.inParallel(all)(read)).toMap
    val directories = named.values.flatten.map(_.getParent).toSeq.distinct
    val listed = files
      .inParallel(directories) { directory =>
        try qualify.fileSystem(directory).listStatus(directory).toSeq
        catch { case _: FileNotFoundException => Nil }
      }
      .flatten
      .map(status => status.getPath -> status)
      .toMap
    manifests.map { case (key, texts) =>
      key -> texts.flatMap { text =>
        val manifest = text.getPath
        named(manifest).map(file => listed.getOrElse(file, missing(manifest, file)))
      }
    }
  }

  private def missing(manifest: Path, file: Path): Nothing =
    throw new FileNotFoundException(
      s"$title: $manifest names $file, which is not there. Write the manifests again, of a Delta table with GENERATE " +
        "symlink_format_manifest"
    )

  private def read(manifest: Path): Seq[Path] = {
    val reader = new BufferedReader(
      new InputStreamReader(qualify.fileSystem(manifest).open(manifest), UTF_8)
    )
    try reader.lines.iterator.asScala.filter(_.trim.nonEmpty).map(l => qualify(new Path(l))).toList
    finally reader.close()
  }

  private def isHidden(path: Path): Boolean =
    path.getName.startsWith("_") || path.getName.startsWith(".")
}

private[files] object Manifests {
  private val InputFormat = "org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat"

  /** Marks Spark's form of a table's entry. */
  def mark(entry: CatalogTable): CatalogTable =
    entry.copy(storage = entry.storage.copy(inputFormat = Some(InputFormat)))

  def areIn(entry: CatalogTable): Boolean = entry.storage.inputFormat.contains(InputFormat)
}

/** The files that the manifests in the directories of a table or of partitions name. */
private[files] final class ManifestIndex(
    session: Session,
    table: GlueFileTable,
    directories: Seq[Path],
    partitions: PartitionSpec,
    took: Option[Long]
) extends DirectoryFiles(session, table, directories, partitions, took) {

  private lazy val byDirectory: Map[Path, Array[FileStatus]] =
    new Manifests(table.title, hadoopConf)
      .filesIn(super.leafDirToChildrenFiles.map { case (directory, texts) =>
        directory -> texts.toSeq
      })
      .map { case (directory, files) => directory -> files.toArray }

  override protected def leafDirToChildrenFiles: Map[Path, Array[FileStatus]] = byDirectory

  override protected lazy val leafFiles: mutable.LinkedHashMap[Path, FileStatus] =
    DirectoryFiles.byPath(byDirectory)
}
