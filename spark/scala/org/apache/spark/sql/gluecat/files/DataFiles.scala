package org.apache.spark.sql.gluecat.files

import java.io.FileNotFoundException

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.util.ThreadUtils

/**
 * Finds and removes data files.
 *
 * An overwrite finds the old files before it writes and removes them after its own are committed, so that a statement
 * that fails leaves the table as it was, and a table can be overwritten from itself.
 */
private[files] final class DataFiles(conf: Configuration) {

  private val qualify = new Qualifier(conf)

  /**
   * All files below a directory but those of running jobs, what streams keep, and the markers that jobs write; none if it
   * is missing.
   */
  def under(directory: Path): Seq[Path] = {
    val fs = qualify.fileSystem(directory)
    val root = qualify(directory)
    try {
      val found = Seq.newBuilder[Path]
      val files = fs.listFiles(root, true)
      while (files.hasNext) {
        val file = files.next().getPath
        if (!DataFiles.isOfJob(root, file)) found += file
      }
      found.result()
    } catch { case _: FileNotFoundException => Nil }
  }

  /** The bytes of all files below a directory, without those of running jobs. */
  def size(directory: Path): Long = {
    val fs = qualify.fileSystem(directory)
    val root = qualify(directory)
    try {
      var bytes = 0L
      val files = fs.listFiles(root, true)
      while (files.hasNext) {
        val file = files.next()
        if (!DataFiles.isOfJob(root, file.getPath) && !file.getPath.getName.startsWith("."))
          bytes += file.getLen
      }
      bytes
    } catch { case _: FileNotFoundException => 0L }
  }

  /** Whether there is anything in a directory; false if it is missing. */
  def exists(directory: Path): Boolean =
    try qualify.fileSystem(directory).listStatus(directory).nonEmpty
    catch { case _: FileNotFoundException => false }

  /**
   * Removes files and the directories below `root` that become empty.
   *
   * @param written
   *   directories that were written meanwhile: what is in them is removed file by file
   */
  def delete(files: Seq[Path], root: Path, written: Set[Path]): Unit = {
    val top = qualify(root)
    val kept = DataFiles.withParents(written.map(qualify(_)), top)
    val (shared, whole) = files.map(_.getParent).distinct.partition(kept)
    val sharedSet = shared.toSet
    val single = files.filter(f => sharedSet(f.getParent))
    parallel(single)(file => qualify.fileSystem(file).delete(file, false))
    parallel(whole)(directory => qualify.fileSystem(directory).delete(directory, true))
    removeEmpty(whole.map(_.getParent), top)
  }

  /** Removes exactly these files, and the directories below `root` that become empty. */
  def deleteOnly(files: Seq[Path], root: Path): Unit = {
    parallel(files)(file => qualify.fileSystem(file).delete(file, false))
    removeEmpty(files.map(_.getParent), qualify(root))
  }

  /** Removes a directory if nothing is left in it but the markers of finished jobs. */
  def deleteIfOnlyMarkers(directory: Path): Unit = {
    val fs = qualify.fileSystem(directory)
    val left =
      try Some(fs.listStatus(directory).toSeq)
      catch { case _: FileNotFoundException => None }
    if (left.exists(_.forall(s => s.isFile && DataFiles.isMarker(s.getPath)))) {
      fs.delete(directory, true)
    }
  }

  private def removeEmpty(directories: Seq[Path], top: Path): Unit = {
    var level = directories.filter(d => DataFiles.isBelow(d, top)).distinct
    while (level.nonEmpty) {
      val removed = level.filter { directory =>
        val fs = qualify.fileSystem(directory)
        val empty =
          try fs.listStatus(directory).isEmpty
          catch { case _: FileNotFoundException => false }
        empty && fs.delete(directory, false)
      }
      level = removed.map(_.getParent).filter(d => DataFiles.isBelow(d, top)).distinct
    }
  }

  private def parallel(paths: Seq[Path])(action: Path => Any): Unit = inParallel(paths)(action)

  def inParallel[T](paths: Seq[Path])(action: Path => T): Seq[T] =
    if (paths.size <= 4) paths.map(action)
    else ThreadUtils.parmap(paths, "gluecat-files", DataFiles.Threads)(action)
}

private[files] object DataFiles {
  private val Threads = 16
  private val markers = Set("_SUCCESS", "_metadata", "_common_metadata")

  /** Whether `path` lies strictly below `directory`. */
  def isBelow(path: Path, directory: Path): Boolean = {
    val parent = directory.toUri.getPath.stripSuffix("/") + "/"
    path.toUri.getPath.startsWith(parent) && path.toUri.getPath.length > parent.length &&
    path.toUri.getScheme == directory.toUri.getScheme &&
    path.toUri.getAuthority == directory.toUri.getAuthority
  }

  /** Those directories that lie in no other of them. */
  def outermost(directories: Seq[Path]): Seq[Path] = {
    val sorted = directories.distinct.sortBy(_.toString + "/")
    sorted
      .foldLeft(List.empty[Path]) {
        case (last :: rest, next) if isBelow(next, last) => last :: rest
        case (kept, next)                                => next :: kept
      }
      .reverse
  }

  /** The directories and those above them, up to `top`. */
  private def withParents(directories: Set[Path], top: Path): Set[Path] =
    directories.foldLeft(Set(top)) { (all, directory) =>
      all ++ Iterator
        .iterate(directory)(_.getParent)
        .takeWhile(d => d != null && !all(d) && isBelow(d, top))
    }

  private def isMarker(file: Path): Boolean =
    markers(file.getName) || (file.getName.startsWith(".") && file.getName.endsWith(".crc") &&
      markers(file.getName.stripPrefix(".").stripSuffix(".crc")))

  private def isOfJob(root: Path, file: Path): Boolean = {
    val relative = file.toUri.getPath.stripPrefix(root.toUri.getPath).split('/')
    isMarker(file) || relative.exists(part =>
      part.startsWith("_temporary") || part.startsWith(".spark-staging") || part == "__magic" ||
        part == StreamProgress.Directory
    )
  }
}
