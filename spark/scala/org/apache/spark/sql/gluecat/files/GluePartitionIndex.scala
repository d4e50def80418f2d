package org.apache.spark.sql.gluecat.files

import scala.collection.mutable

import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.types.StructType

/**
 * What makes two loads of a table the same relation for Spark's plan cache: the table of this catalog, as it was at the
 * same version.
 */
private[files] final case class TableIdentity(
    catalog: String,
    namespace: String,
    name: String,
    createdMs: Option[Long],
    versionId: Option[String]
)

/**
 * The files of a partitioned table, found through the partitions in Glue.
 *
 * Spark hands over the filters on partition columns before anything is listed, so directories of other partitions are
 * never touched. Nothing is cached between queries: the next one sees what an INSERT registered.
 *
 * @param once
 *   whether Glue is asked once for the same filters: then it is an index of one query
 */
private[files] final class GluePartitionIndex(
    session: Session,
    source: GlueFileTable,
    once: Boolean = false
) extends CatalogFileIndex(session, source.entry, GluePartitionIndex.size(session, source)) {

  override protected val hadoopConf = source.hadoopConf(session)

  private val known = mutable.HashMap.empty[Set[Expression], FoundPartitions]

  override def filterPartitions(filters: Seq[Expression]): InMemoryFileIndex = {
    val started = System.nanoTime()
    val found = find(filters)
    val took = Some(System.nanoTime() - started)
    lazy val spec = PartitionSpec(partitionSchema, found.own)
    if (found.others.nonEmpty) new MixedFormatIndex(session, source, found, took)
    else if (source.description.filesInManifests)
      new ManifestIndex(session, source, found.own.map(_.path), spec, took)
    else if (source.description.isHiveTable) new NestedDirectoriesIndex(session, source, spec, took)
    else new DirectoryFiles(session, source, found.own.map(_.path), spec, took)
  }

  /** The partitions by the readers of their files, without a look at the files; Nil if all are of the table's format. */
  def partsByReader(filters: Seq[Expression]): Seq[ReaderPart] = {
    val found = find(filters)
    if (found.others.isEmpty) Nil
    else {
      lazy val files = new MixedFormatIndex(session, source, found, None)
      ReaderPart.of(session, source, found, files)
    }
  }

  private def find(filters: Seq[Expression]): FoundPartitions = {
    def asked = source.partitions.find(filters, new Qualifier(hadoopConf))
    if (once) synchronized(known.getOrElseUpdate(filters.map(_.canonicalized).toSet, asked))
    else asked
  }

  /** The same for one query, which may be planned and executed in any number of steps. */
  def forOneQuery: GluePartitionIndex =
    if (once) this else new GluePartitionIndex(session, source, once = true)

  /** Nothing is kept. */
  override def refresh(): Unit = ()

  /** One of a query is not equal to the one it is made of: Spark would not put it in its place. */
  private def identity: (TableIdentity, Boolean) = (source.identity, once)

  override def equals(other: Any): Boolean = other match {
    case index: GluePartitionIndex => identity == index.identity
    case _                         => false
  }

  override def hashCode(): Int = identity.hashCode
}

/** The files right in the directories of partitions, or of a table whose partitions are none. */
private[files] class DirectoryFiles(
    session: Session,
    source: GlueFileTable,
    directories: Seq[Path],
    partitions: PartitionSpec,
    took: Option[Long]
) extends InMemoryFileIndex(
      session,
      directories,
      source.entry.storage.properties,
      Some(partitions.partitionColumns),
      NoopCache,
      Some(partitions),
      took
    )

private[files] object DirectoryFiles {

  /** All files of directories, as Spark's indexes hold them beside these. */
  def byPath(
      directories: Map[Path, Array[FileStatus]]
  ): mutable.LinkedHashMap[Path, FileStatus] =
    mutable.LinkedHashMap(
      directories.values.flatten.map(status => status.getPath -> status).toSeq: _*
    )
}

/**
 * The files of partitions with all directories below them. Crawlers, Athena and Hive on Tez read and write such; Spark's
 * own index takes only the files right in a partition's directory.
 */
private final class NestedDirectoriesIndex(
    session: Session,
    source: GlueFileTable,
    partitions: PartitionSpec,
    took: Option[Long]
) extends DirectoryFiles(session, source, partitions.partitions.map(_.path), partitions, took) {

  private lazy val withNested: PartitionSpec = {
    val nested = NestedDirectories.of(partitions.partitions, leafDirToChildrenFiles.keys)
    partitions.copy(partitions = partitions.partitions ++ nested.values.flatten)
  }

  override def partitionSpec(): PartitionSpec = withNested
}

private[files] object NestedDirectories {

  /** Those of `directories` that lie below partitions, as partitions, by the path of the one they belong to. */
  def of(
      partitions: Seq[PartitionPath],
      directories: Iterable[Path]
  ): Map[Path, Seq[PartitionPath]] = {
    val byPath = partitions.map(p => p.path -> p.values).toMap
    directories.toSeq
      .filterNot(byPath.contains)
      .flatMap { directory =>
        Iterator
          .iterate(directory.getParent)(_.getParent)
          .takeWhile(_ != null)
          .collectFirst {
            case above if byPath.contains(above) => above -> PartitionPath(byPath(above), directory)
          }
      }
      .groupBy(_._1)
      .map { case (above, nested) => above -> nested.map(_._2) }
  }
}

private[files] object GluePartitionIndex {

  private def size(session: Session, source: GlueFileTable): Long =
    source.entry.stats
      .map(_.sizeInBytes.toLong)
      .getOrElse(session.sessionState.conf.defaultSizeInBytes)
}

/**
 * The files below the location of a table whose partitions, if it has any, are not in Glue. They are listed when a query
 * first asks, not when the table is named.
 */
private[files] final class GlueDirectoryIndex(
    session: Session,
    source: GlueFileTable,
    parameters: Map[String, String]
) extends FileIndex {

  private lazy val listed =
    if (source.description.filesInManifests)
      new ManifestIndex(session, source, rootPaths, PartitionSpec.emptySpec, None)
    else
      new InMemoryFileIndex(
        session,
        rootPaths,
        // Without a provider of Spark's, directories below are not partitions; others put files there.
        if (source.description.isHiveTable) parameters + ("recursiveFileLookup" -> "true")
        else parameters,
        Some(source.entry.schema),
        NoopCache
      )

  override def rootPaths: Seq[Path] = Seq(source.location)

  override def partitionSchema: StructType = source.entry.partitionSchema

  override def listFiles(
      partitionFilters: Seq[Expression],
      dataFilters: Seq[Expression]
  ): Seq[PartitionDirectory] =
    listed.listFiles(partitionFilters, dataFilters)

  override def inputFiles: Array[String] = listed.inputFiles

  override def sizeInBytes: Long = listed.sizeInBytes

  override def metadataOpsTimeNs: Option[Long] = listed.metadataOpsTimeNs

  override def refresh(): Unit = listed.refresh()

  private def identity: TableIdentity = source.identity

  override def equals(other: Any): Boolean = other match {
    case index: GlueDirectoryIndex => identity == index.identity
    case _                         => false
  }

  override def hashCode(): Int = identity.hashCode
}

/** Qualifies paths with one look-up of the file system for each scheme and authority. Thread-safe. */
private[files] final class Qualifier(conf: org.apache.hadoop.conf.Configuration) {
  private val systems = mutable.HashMap.empty[(String, String), FileSystem]

  def fileSystem(path: Path): FileSystem = synchronized {
    systems.getOrElseUpdate(
      (path.toUri.getScheme, path.toUri.getAuthority),
      path.getFileSystem(conf)
    )
  }

  def apply(path: Path): Path = {
    val uri = path.toUri
    // Whatever the file system would add is there: it need not be found for each of many paths.
    if (uri.getScheme != null && uri.getAuthority != null) path
    else {
      val fs = fileSystem(path)
      path.makeQualified(fs.getUri, fs.getWorkingDirectory)
    }
  }
}
