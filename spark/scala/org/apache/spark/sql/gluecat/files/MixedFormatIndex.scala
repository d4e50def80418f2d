package org.apache.spark.sql.gluecat.files

import scala.collection.mutable

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.gluecat.shim.Session

/**
 * The files of partitions that are not all of their table's format.
 *
 * It lists the files of all of them, for who only wants to know the files or their size. [[MixedFormatScans]] reads them
 * part by part.
 */
private[files] final class MixedFormatIndex(
    session: Session,
    source: GlueFileTable,
    found: FoundPartitions,
    took: Option[Long]
) extends DirectoryFiles(
      session,
      source,
      found.all.map(_.path),
      PartitionSpec(source.entry.partitionSchema, found.all),
      took
    ) {

  val parts: Seq[ReaderPart] = ReaderPart.of(session, source, found, this)

  private lazy val nested: Map[Path, Seq[PartitionPath]] =
    if (source.description.isHiveTable) NestedDirectories.of(found.all, leafDirToChildrenFiles.keys)
    else Map.empty

  private lazy val spec = withNested(found.all)

  override def partitionSpec(): PartitionSpec = spec

  /** Some of the partitions with the directories below theirs. */
  private[files] def withNested(partitions: Seq[PartitionPath]): PartitionSpec =
    PartitionSpec(
      source.entry.partitionSchema,
      partitions ++ partitions.flatMap(p => nested.getOrElse(p.path, Nil))
    )

  private[files] def filesIn(directory: Path): Option[Array[FileStatus]] =
    leafDirToChildrenFiles.get(directory)
}

/**
 * Partitions that one reader reads.
 *
 * @param reader
 *   None for the table's own
 */
private[files] final case class ReaderPart(
    source: GlueFileTable,
    reader: Option[PartitionReader],
    files: FileIndex
)

private[files] object ReaderPart {

  /** @param files of all partitions, which are listed when a part is first read */
  def of(
      session: Session,
      source: GlueFileTable,
      found: FoundPartitions,
      files: => MixedFormatIndex
  ): Seq[ReaderPart] =
    found.byReader.map { case (reader, partitions) =>
      ReaderPart(source, reader, new PartIndex(session, source, partitions, () => files))
    }

  private final class PartIndex(
      session: Session,
      source: GlueFileTable,
      partitions: Seq[PartitionPath],
      files: () => MixedFormatIndex
  ) extends PartitioningAwareFileIndex(
        session,
        source.entry.storage.properties,
        Some(source.entry.partitionSchema),
        NoopCache
      ) {

    private lazy val spec = files().withNested(partitions)

    override def partitionSpec(): PartitionSpec = spec

    override protected lazy val leafDirToChildrenFiles: Map[Path, Array[FileStatus]] =
      spec.partitions.flatMap(p => files().filesIn(p.path).map(p.path -> _)).toMap

    override protected lazy val leafFiles: mutable.LinkedHashMap[Path, FileStatus] =
      DirectoryFiles.byPath(leafDirToChildrenFiles)

    override val rootPaths: Seq[Path] = partitions.map(_.path)

    /** Nothing is kept. */
    override def refresh(): Unit = ()

    private def content = (source.identity, rootPaths.toSet)

    override def equals(other: Any): Boolean = other match {
      case index: PartIndex => content == index.content
      case _                => false
    }

    override def hashCode(): Int = content.hashCode
  }
}
