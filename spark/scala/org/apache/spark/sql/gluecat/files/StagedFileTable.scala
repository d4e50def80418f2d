package org.apache.spark.sql.gluecat.files

import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.catalyst.catalog.CatalogTablePartition
import org.apache.spark.sql.connector.catalog.{Identifier, StagedTable}
import org.apache.spark.sql.gluecat._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType

import io.github.sdaberdaku.gluecat.GlueCatalogException

/** The table that a REPLACE finds, with what it takes to put it back. */
private[files] final class ReplacedTable(
    catalog: CatalogContext,
    val description: TableDescription
) {

  private lazy val table = new GlueFileTable(catalog, description)

  /** Read before the entry goes, with which Glue removes them. */
  lazy val partitions: Seq[CatalogTablePartition] =
    if (table.tracksPartitions) table.partitions.list(Nil) else Nil

  def location: Option[Path] = description.location.map(new Path(_))

  def restore(): Unit = {
    val ident = description.identifier
    FileTables.register(
      catalog,
      ident,
      TableSpec(
        provider = table.provider,
        schema = description.schema,
        partitionColumns = description.partitionColumns,
        location = description.location,
        managed = description.managed,
        bucketing = description.bucketing,
        options = description.options,
        properties = description.properties,
        comment = description.comment,
        owner = description.owner,
        partitionsTracked = description.partitionsTracked
      )
    )
    table.partitions.add(
      partitions.map(p =>
        NewPartition(table.partitions.values(p.spec), new Path(p.location).toString)
      ),
      "ignore"
    )
  }
}

/**
 * A table that comes into being with its rows: the entry is made only after they are written.
 *
 * Its columns stand as the statement named them, because Spark hands over the rows by position; the entry has the
 * partition columns last.
 */
private[files] final class StagedFileTable(
    catalog: CatalogContext,
    name: Identifier,
    declared: StructType,
    spec: TableSpec,
    mode: StageMode,
    replaced: Option[ReplacedTable]
) extends GlueFileTable(
      catalog,
      StagedFileTable.describe(name, spec)
    )
    with StagedTable {

  private var jobs = List.empty[String]
  private var rows: Option[Seq[Map[String, String]]] = None
  private var options = spec.options
  private var rootWasThere = true
  private var leftovers: Option[Seq[Path]] = None
  private var committed = false

  override lazy val schema: StructType = if (declared.isEmpty) spec.schema else declared

  private def conf = hadoopConf(catalog.session)

  /** Whether the rows go where the replaced table lies. */
  private def inPlace: Boolean = {
    val qualify = new Qualifier(conf)
    replaced.flatMap(_.location).exists(l => qualify(l) == qualify(location))
  }

  /** Looks at what is at the location, before anything is written there. */
  def beforeWrite(files: DataFiles, root: Path): Unit = {
    rootWasThere = root.getFileSystem(conf).exists(root)
    val replaces = mode != StageMode.Create && (inPlace || spec.managed)
    if (replaces) leftovers = Some(files.under(root))
    else if (!SQLConf.get.allowNonEmptyLocationInCTAS && files.exists(root)) {
      refuse(
        s"cannot be created with rows: its location $root is not empty. Dropping a table leaves its files: remove " +
          "them or choose another location"
      )
    }
  }

  /** @param options the writer's, of which those about the format must be known to readers */
  def writing(jobId: String, options: Map[String, String]): Unit = {
    jobs = jobId :: jobs
    this.options = FileTableFormats.merge(
      this.options,
      options.filterNot { case (key, _) => StagedFileTable.ofThisWriteOnly(key) }
    )
  }

  def written(partitions: Seq[Map[String, String]]): Unit =
    rows = Some(rows.getOrElse(Nil) ++ partitions)

  override def commitStagedChanges(): Unit = {
    val files = new DataFiles(conf)
    if (rows.isEmpty && spec.managed) {
      if (replaced.isDefined && inPlace) leftovers = Some(files.under(location))
      else FileTables.requireEmpty(catalog.session, catalog, ident, spec)
    }
    replaced.foreach { old =>
      old.partitions
      catalog.callTable("drop_table", ident)(_ => ())
    }
    try register()
    catch {
      case NonFatal(e) =>
        replaced.foreach(putBack(_, e))
        throw e
    }
    committed = true
    leftovers.foreach(files.delete(_, location, writtenDirectories))
    Caches.refresh(catalog.session, this)
  }

  private def register(): Unit = {
    FileTables.register(catalog, ident, spec.copy(options = options))
    if (tracksPartitions) {
      val list = partitions
      val added = rows.getOrElse(Nil).map { p =>
        NewPartition(list.values(p), list.defaultLocation(p).toString)
      }
      try list.add(added, "ignore")
      catch {
        case NonFatal(e) =>
          // An entry without its partitions would look like an empty table.
          try catalog.callTable("drop_table", ident)(_ => ())
          catch { case NonFatal(again) => e.addSuppressed(again) }
          throw e
      }
    }
  }

  private def putBack(old: ReplacedTable, cause: Throwable): Unit =
    try old.restore()
    catch {
      case NonFatal(e) =>
        val lost = GlueCatalogException.of(
          Errors.failure(
            catalog,
            "internal",
            s"table ${description.qualifiedName} could not be replaced (${cause.getMessage}), and its old entry, already " +
              s"removed, could not be put back: ${e.getMessage}. Its files are unharmed at " +
              s"${old.description.location.getOrElse("?")}: create it again with LOCATION",
            description.qualifiedName
          )
        )
        lost.addSuppressed(cause)
        throw lost
    }

  private def writtenDirectories: Set[Path] = {
    val list = partitions
    if (partitionColumnNames.isEmpty) Set(location)
    else rows.getOrElse(Nil).map(list.defaultLocation).toSet
  }

  private def partitionColumnNames = entry.partitionColumnNames

  /** Removes this statement's files and no other. */
  override def abortStagedChanges(): Unit =
    if (!committed && jobs.nonEmpty) {
      val files = new DataFiles(conf)
      files.deleteOnly(
        files.under(location).filter(f => jobs.exists(f.getName.contains(_))),
        location
      )
      if (!rootWasThere) files.deleteIfOnlyMarkers(location)
    }
}

private[files] object StagedFileTable {

  private val notStored = Set("path", "partitionoverwritemode", "maxrecordsperfile")

  /** Options that say nothing about the files, or must not be stored. */
  private def ofThisWriteOnly(key: String): Boolean = {
    val name = key.toLowerCase(java.util.Locale.ROOT)
    notStored(name) || name.startsWith("fs.") || name.startsWith("dfs.")
  }

  private def describe(ident: Identifier, spec: TableSpec): TableDescription =
    TableDescription(
      namespace = ident.namespace.mkString("."),
      name = ident.name,
      kind = TableDescription.DataSource,
      reason = None,
      provider = Some(spec.provider),
      managed = spec.managed,
      schema = spec.schema,
      partitionColumns = spec.partitionColumns,
      bucketing = spec.bucketing,
      partitionsTracked = spec.partitionsTracked,
      projection = None,
      format = None,
      location = spec.location,
      options = spec.options,
      properties = spec.properties,
      comment = spec.comment,
      owner = spec.owner,
      createdMs = None,
      createVersion = None,
      statistics = None,
      versionId = None
    )
}
