package org.apache.spark.sql.gluecat.files

import java.util.UUID

import org.apache.hadoop.fs.Path
import org.apache.spark.internal.io.{FileCommitProtocol, HadoopMapReduceCommitProtocol}
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.catalog.CatalogTypes.TablePartitionSpec
import org.apache.spark.sql.catalyst.catalog.{BucketSpec, CatalogTablePartition}
import org.apache.spark.sql.catalyst.expressions.{Attribute, SortOrder}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.util.SchemaUtils

import io.github.sdaberdaku.gluecat.GlueCatalogException

/** How a write meets the rows that are there. */
private[files] sealed trait WriteMode

private[files] object WriteMode {

  case object Append extends WriteMode

  final case class Overwrite(scope: OverwriteScope) extends WriteMode

  /** Replaces the partitions that it writes to. */
  case object OverwriteWritten extends WriteMode
}

/**
 * Writes rows into a file table and registers the partitions they made.
 *
 * The order of things is what makes it safe: write and commit the data, remove what it replaces, then tell Glue. Until
 * the commit, a failure leaves the table as it was.
 *
 * @param constants
 *   partition columns that have one value in all rows, in Glue's text form
 * @param options
 *   the table's and the writer's, without the catalog's Hadoop options, which are the target's
 * @param writeOptions
 *   the writer's alone
 */
private[files] case class WriteToFileTable(
    target: GlueFileTable,
    mode: WriteMode,
    constants: Map[String, String],
    override val fileFormat: FileFormat,
    override val partitionColumns: Seq[Attribute],
    override val options: Map[String, String],
    writeOptions: Map[String, String],
    query: LogicalPlan,
    outputColumnNames: Seq[String]
) extends V1WriteCommand {

  override def bucketSpec: Option[BucketSpec] = target.entry.bucketSpec

  /** Static values arrive as constant columns of the query; there is nothing left for Spark to treat apart. */
  override def staticPartitions: TablePartitionSpec = Map.empty

  override def requiredOrdering: Seq[SortOrder] =
    V1WritesUtils.getSortOrder(outputColumns, partitionColumns, bucketSpec, options)

  /** Options may hold secrets. */
  override protected def stringArgs: Iterator[Any] = Iterator(target.name, mode, outputColumnNames)

  override protected def withNewChildInternal(newChild: LogicalPlan): WriteToFileTable =
    copy(query = newChild)

  override def run(session: Session, child: SparkPlan): Seq[Row] = {
    target.requireWritableRows()
    SchemaUtils.checkColumnNameDuplication(
      outputColumnNames,
      session.sessionState.conf.caseSensitiveAnalysis
    )
    val hadoopConf = target.hadoopConf(session)
    val qualify = new Qualifier(hadoopConf)
    val root = qualify(target.location)
    val files = new DataFiles(hadoopConf)
    IsolatedOutputCommitter.configure(session, hadoopConf, root)
    val staged = target match {
      case staged: StagedFileTable => Some(staged)
      case _                       => None
    }
    staged.foreach(_.beforeWrite(files, root))

    val (known, inScope) =
      if (staged.isEmpty && target.tracksPartitions) knownPartitions else (Nil, Nil)
    val closed = closedToRows(known, inScope)
    val elsewhere = known
      .map(p => p.spec -> qualify(new Path(p.location)))
      .filter { case (spec, path) => path != qualify(target.partitions.defaultLocation(spec)) }
      .toMap
    val replaced = mode match {
      case WriteMode.Overwrite(scope) if staged.isEmpty =>
        replacedDirectories(scope, root, inScope.map(p => qualify(new Path(p.location))))
          .map(d => d -> files.under(d))
      case _ => Seq.empty
    }

    val jobId = writeOptions.getOrElse(WriteToFileTable.JobId, UUID.randomUUID.toString)
    val protocol = session.sessionState.conf.fileCommitProtocolClass
    def instantiate(dynamic: Boolean): FileCommitProtocol =
      FileCommitProtocol.instantiate(protocol, jobId, root.toString, dynamic)
    val overwriteWritten = mode == WriteMode.OverwriteWritten && staged.isEmpty
    // Its files carry the job's id in their names, so that what they replace can be told from them after the commit.
    // Any other protocol has to replace the partitions by itself.
    val plain = instantiate(false)
    val named = plain.isInstanceOf[HadoopMapReduceCommitProtocol]
    if (!named && writeOptions.contains(WriteToFileTable.JobId)) {
      target.refuse(
        s"cannot be the target of a stream with $protocol, which does not put the job's id into the names of files"
      )
    }
    val byProtocol = overwriteWritten && !named
    val committer =
      if (byProtocol) instantiate(true)
      else if (closed.nonEmpty) guarded(plain, closed, elsewhere)
      else plain
    val output =
      if (byProtocol) qualify(FileCommitProtocol.getStagingDir(root.toString, jobId)) else root
    staged.foreach(_.writing(jobId, writeOptions))

    val written = FileFormatWriter.write(
      sparkSession = session,
      plan = child,
      fileFormat = fileFormat,
      committer = committer,
      outputSpec = FileFormatWriter.OutputSpec(
        output.toString,
        elsewhere.map { case (spec, path) => spec -> path.toString },
        outputColumns
      ),
      hadoopConf = hadoopConf,
      partitionColumns = partitionColumns,
      bucketSpec = bucketSpec,
      statsTrackers = Seq(basicWriteJobStatsTracker(hadoopConf)),
      options = options,
      numStaticPartitionCols = 0
    )
    val specs =
      written.toSeq.map(PartitioningUtils.parsePathFragment) ++ emptyStaticPartition(written)

    staged match {
      case Some(table) => table.written(specs)
      case None =>
        val directories =
          specs.map(s => s -> elsewhere.getOrElse(s, qualify(new Path(root, fragment(s)))))
        val kept = if (partitionColumns.isEmpty) Set(root) else directories.map(_._2).toSet
        replaced.foreach { case (directory, old) => files.delete(old, directory, kept) }
        if (overwriteWritten && named) {
          removeReplaced(files, if (partitionColumns.isEmpty) Seq(root) else kept.toSeq, jobId)
        }
        if (target.tracksPartitions) {
          register(root, directories.toMap, known, inScope.map(_.spec))
        }
        // Statistics and caches follow the data even if nothing was registered.
        Statistics.forget(target)
        Caches.refresh(session, target, elsewhere.values.toSeq: _*)
    }
    Seq.empty
  }

  /** The partitions that rows may go to, which may lie elsewhere than they would by default, and those replaced. */
  private def knownPartitions: (Seq[CatalogTablePartition], Seq[CatalogTablePartition]) = {
    val partitions = target.partitions
    mode match {
      case WriteMode.Overwrite(OverwriteScope.WholeTable) =>
        val all = partitions.list(Nil)
        (all, all)
      case WriteMode.Overwrite(scope: OverwriteScope.Matching) =>
        val rowsStayInScope =
          scope.onlyFixed && scope.fixed.forall { case (c, v) => constants.get(c).contains(v) }
        if (rowsStayInScope) {
          val matching = partitions.list(scope.filters)
          (matching, matching)
        } else {
          val all = partitions.list(Nil)
          (all, partitions.prune(all, scope.filters))
        }
      case _ => (partitions.listMatching(constants), Nil)
    }
  }

  /**
   * The partitions of another format that would keep their files: rows of the table's format must not get among them.
   * Where it is known already that they would, the statement is refused.
   */
  private def closedToRows(
      known: Seq[CatalogTablePartition],
      inScope: Seq[CatalogTablePartition]
  ): Seq[Map[String, String]] = {
    val replaced = inScope.map(_.spec).toSet
    val closed = mode match {
      case WriteMode.OverwriteWritten => Nil
      case _ =>
        known.filter(TablePartitions.isOfAnotherFormat).map(_.spec).filterNot(replaced)
    }
    closed.find(_ == constants).foreach(spec => refuseRows(Seq(spec)))
    closed
  }

  private def guarded(
      protocol: FileCommitProtocol,
      closed: Seq[Map[String, String]],
      elsewhere: Map[Map[String, String], Path]
  ): FileCommitProtocol = {
    val byDirectory = closed.map { spec =>
      elsewhere.get(spec).map(_.toString).getOrElse(fragment(spec)) -> spec
    }.toMap
    new GuardedCommit(
      protocol,
      byDirectory.keySet,
      directories => refuseRows(directories.toSeq.sorted.map(byDirectory))
    )
  }

  private def refuseRows(specs: Seq[Map[String, String]]): Nothing =
    target.refuse(
      s"has files of another format than its own in ${specs.map(fragment).mkString(", ")}, among which no rows can be " +
        "written; nothing was. Replace them with INSERT OVERWRITE, which gives the partition the table's format"
    )

  private def replacedDirectories(
      scope: OverwriteScope,
      root: Path,
      known: Seq[Path]
  ): Seq[Path] = scope match {
    case OverwriteScope.WholeTable => DataFiles.outermost(root +: known)
    case OverwriteScope.Matching(_, fixed, onlyFixed) =>
      val columns = target.entry.partitionColumnNames
      val leading = columns.takeWhile(fixed.contains)
      if (onlyFixed && leading.size == fixed.size) {
        DataFiles.outermost(new Path(root, leading.map(fragment(_, fixed)).mkString("/")) +: known)
      } else if (target.tracksPartitions) {
        known
      } else {
        target.refuse(
          "has no partitions in Glue: it can be overwritten as a whole or where its leading partition columns " +
            "equal constants"
        )
      }
  }

  /** A partition that was named but got no rows exists all the same, as in Spark. */
  private def emptyStaticPartition(written: Set[String]): Seq[Map[String, String]] = mode match {
    case WriteMode.Overwrite(OverwriteScope.Matching(_, fixed, true))
        if written.isEmpty && fixed.size == partitionColumns.size =>
      Seq(fixed)
    case _ => Seq.empty
  }

  private def removeReplaced(files: DataFiles, directories: Seq[Path], jobId: String): Unit =
    directories.foreach { directory =>
      val (own, old) = files.under(directory).partition(_.getName.contains(jobId))
      if (own.nonEmpty || partitionColumns.isEmpty) files.delete(old, directory, Set(directory))
      else if (old.nonEmpty) {
        target.refuse(
          s"was written, but the new files in $directory cannot be told from those they replace, so none were " +
            s"removed: ${session.sessionState.conf.fileCommitProtocolClass} does not put the job's id into names"
        )
      }
    }

  private def session: Session = target.catalog.session

  private def fragment(spec: Map[String, String]): String =
    if (partitionColumns.isEmpty) "." else target.partitions.fragment(spec)

  private def fragment(column: String, spec: Map[String, String]): String =
    org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils
      .getPartitionPathString(column, spec(column))

  private def register(
      root: Path,
      directories: Map[Map[String, String], Path],
      known: Seq[CatalogTablePartition],
      inScope: Seq[Map[String, String]]
  ): Unit = {
    val partitions = target.partitions
    val before = known.map(_.spec).toSet
    val rewritten =
      known.filter(TablePartitions.isOfAnotherFormat).map(_.spec).filter(directories.contains)
    val added = directories.keys.filterNot(before).toSeq.map { spec =>
      NewPartition(partitions.values(spec), partitions.defaultLocation(spec).toString)
    }
    val gone = inScope.filterNot(directories.contains)
    try {
      partitions.add(added, "ignore")
      partitions.takeTableFormat(rewritten)
      partitions.drop(gone.map(partitions.values), "ignore")
    } catch {
      case e: GlueCatalogException =>
        val repeat = mode match {
          case WriteMode.Append =>
            "Do not repeat the statement, which would write the rows again; run"
          case _ if rewritten.nonEmpty =>
            s"Repeat the statement, which also gives ${rewritten.map(fragment).mkString(", ")} the table's format, and run"
          case _ => "Repeat the statement, or run"
        }
        throw GlueCatalogException.of(
          e.failure.withMessage(
            s"${target.title}: the rows are written to $root, but of the partitions ${added.size} could not all be " +
              s"registered and ${gone.size} could not all be removed in Glue. $repeat MSCK REPAIR TABLE " +
              s"${target.name} SYNC PARTITIONS. Cause: ${e.getMessage}"
          )
        )
    }
  }
}

private[files] object WriteToFileTable {

  /** A writer's option: the id of the job, which is part of the names of its files. */
  val JobId = "gluecat.job-id"
}
