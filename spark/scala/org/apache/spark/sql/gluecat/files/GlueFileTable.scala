package org.apache.spark.sql.gluecat.files

import java.util

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.analysis.{
  NoSuchPartitionException,
  PartitionsAlreadyExistException
}
import org.apache.spark.sql.catalyst.catalog.{CatalogTable, CatalogTablePartition}
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.expressions.{Expressions, Transform}
import org.apache.spark.sql.connector.write.{LogicalWriteInfo, WriteBuilder}
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.gluecat.{CatalogContext, Errors, TableDescription}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType

/**
 * A table of data files: Parquet, ORC, CSV, JSON, Avro, text and whatever else Spark reads by a provider's name.
 *
 * Spark never reads or writes it through this class. [[FileTableRules]] turn it into Spark's native file relation and
 * the writes into [[WriteToFileTable]], so that pruning, bucketing, `_metadata` and streaming reads are Spark's own.
 */
private[gluecat] class GlueFileTable(
    val catalog: CatalogContext,
    val description: TableDescription
) extends V2TableWithV1Fallback
    with SupportsAtomicPartitionManagement
    with SupportsWrite
    with TruncatableTable {

  import CatalogV2Implicits._

  /** Spark's form of the entry, with the catalog's Hadoop options among the storage properties. */
  val entry: CatalogTable = {
    val described = description.toCatalogTable(catalog)
    val table = if (description.filesInManifests) Manifests.mark(described) else described
    table.copy(
      // Hive's buckets are not Spark's: other functions decide what goes into them.
      bucketSpec = if (description.isHiveTable) None else table.bucketSpec,
      schema = CharVarcharUtils.replaceCharVarcharWithStringInSchema(table.schema)
    )
  }

  /** [[entry]] with the statistics that the session's optimizer uses. */
  def planned(session: Session): CatalogTable = Statistics.planned(session, this)

  def ident: Identifier = description.identifier

  val identity: TableIdentity = TableIdentity(
    catalog.name,
    description.namespace,
    description.name,
    description.createdMs,
    description.versionId
  )

  /** `catalog 'acct_a' (glue.id 111111111111): table sales.orders` */
  def title: String = s"${catalog.title}: table ${description.qualifiedName}"

  def partitions: TablePartitions = new TablePartitions(catalog, description, entry)

  /** Whether Glue knows the partitions; otherwise they are what directories say. */
  def tracksPartitions: Boolean =
    entry.partitionColumnNames.nonEmpty && entry.tracksPartitionsInCatalog

  def provider: String =
    entry.provider.getOrElse(
      Errors.refuse(
        catalog,
        "unsupported",
        s"table ${description.qualifiedName} names no provider",
        description.qualifiedName
      )
    )

  def location: Path =
    entry.storage.locationUri
      .map(new Path(_))
      .getOrElse(
        Errors.refuse(
          catalog,
          "unsupported",
          s"table ${description.qualifiedName} has no location",
          description.qualifiedName
        )
      )

  def hadoopConf(session: Session): Configuration =
    session.sessionState.newHadoopConfWithOptions(entry.storage.properties)

  /** Refuses to write files that nobody would read, or could. */
  def requireWritable(): Unit = {
    requirePartitionsInGlue()
    if (description.filesInManifests) {
      refuse(
        "lists its files in manifests (SymlinkTextInputFormat) and cannot be written: write to the table that the " +
          "manifests are made of"
      )
    }
    if (description.isHiveTable && description.bucketing.isDefined) {
      refuse("is bucketed by Hive, whose buckets Spark cannot write")
    }
  }

  /** Refuses to change partitions that nobody has stored. */
  def requirePartitionsInGlue(): Unit =
    if (description.projection.isDefined) {
      refuse(
        "has partitions that are computed from its properties (projection.enabled) and cannot be written through this " +
          "catalog: write the files to their locations"
      )
    }

  /** Refuses to write rows; partitions may still be added and files removed. */
  def requireWritableRows(): Unit = {
    requireWritable()
    description.readOnly.foreach(why => refuse(s"$why, so that no rows can be written into it"))
  }

  def refuse(what: String): Nothing =
    Errors.refuse(
      catalog,
      "unsupported",
      s"table ${description.qualifiedName} $what",
      description.qualifiedName
    )

  override def v1Table: CatalogTable = entry

  override def name: String = {
    val parts = catalog.name +: ident.namespace.toSeq :+ ident.name
    parts.map(org.apache.spark.sql.catalyst.util.quoteIfNeeded).mkString(".")
  }

  override lazy val schema: StructType =
    CharVarcharUtils.getRawSchema(description.schema, SQLConf.get)

  override lazy val partitioning: Array[Transform] =
    (entry.partitionColumnNames.map(c => Expressions.identity(quoted(c))) ++
      entry.bucketSpec.map(_.asTransform)).toArray

  private def quoted(column: String): String = "`" + column.replace("`", "``") + "`"

  /** What users see: the table's own options, without those of the catalog, which may hold secrets. */
  override lazy val properties: util.Map[String, String] =
    V1Table
      .addV2TableProperties(
        entry.copy(storage = entry.storage.copy(properties = description.options))
      )
      .asJava

  override def capabilities: util.Set[TableCapability] = util.EnumSet.of(
    TableCapability.BATCH_READ,
    TableCapability.BATCH_WRITE,
    TableCapability.OVERWRITE_BY_FILTER,
    TableCapability.OVERWRITE_DYNAMIC,
    TableCapability.TRUNCATE,
    TableCapability.STREAMING_WRITE
  )

  /** Not reached in a session that has our rules, and every other one is refused when it loads the table. */
  override def newWriteBuilder(info: LogicalWriteInfo): WriteBuilder =
    refuse("cannot be written without gluecat's rules")

  override def toString: String = s"GlueFileTable($name)"

  // ---- partitions ----

  override def partitionSchema: StructType = entry.partitionSchema

  override def listPartitionIdentifiers(
      names: Array[String],
      values: InternalRow
  ): Array[InternalRow] = {
    val timeZone = SQLConf.get.sessionLocalTimeZone
    matching(names, values).map(_.toRow(partitionSchema, timeZone)).toArray
  }

  override def loadPartitionMetadata(row: InternalRow): util.Map[String, String] =
    Map(TableCatalog.PROP_LOCATION -> new Path(existing(row).location).toString).asJava

  override def createPartitions(
      rows: Array[InternalRow],
      properties: Array[util.Map[String, String]]
  ): Unit = {
    requireChangeable("ADD PARTITION")
    val list = partitions
    val added = rows.toSeq.zip(properties.toSeq).map { case (row, own) =>
      val spec = list.specOf(row)
      val location = Option(own.get(TableCatalog.PROP_LOCATION))
        .map(qualified)
        .getOrElse(list.defaultLocation(spec).toString)
      NewPartition(list.values(spec), location)
    }
    // The core names those that exist; Spark has filtered them out for IF NOT EXISTS.
    list.add(added, "fail")
    Statistics.forget(this)
    Caches.refresh(catalog.session, this)
  }

  /** The files stay: nothing in Glue ever deletes data. */
  override def dropPartitions(rows: Array[InternalRow]): Boolean = {
    requireChangeable("DROP PARTITION")
    val list = partitions
    val values = rows.toSeq.map(row => list.values(list.specOf(row)))
    val dropped = list.drop(values, "ignore")
    Statistics.forget(this)
    Caches.refresh(catalog.session, this)
    dropped == rows.length
  }

  override def replacePartitionMetadata(
      row: InternalRow,
      properties: util.Map[String, String]
  ): Unit =
    Option(properties.get(TableCatalog.PROP_LOCATION)) match {
      case Some(location) =>
        partitions.setLocation(existing(row).spec, qualified(location))
        Statistics.forget(this)
      case None => refuse("has partitions without properties other than a location")
    }

  /**
   * Glue cannot change a partition's values: one with the new values takes its place. The directory of a managed table's
   * partition moves along where it is in its own place, as in Hive; files elsewhere stay.
   */
  override def renamePartition(from: InternalRow, to: InternalRow): Boolean = {
    requireChangeable("RENAME PARTITION")
    val list = partitions
    val old = existing(from)
    val spec = list.specOf(to)
    if (list.listMatching(spec).nonEmpty) {
      throw new PartitionsAlreadyExistException(name, to, partitionSchema)
    }
    val session = catalog.session
    val qualify = new Qualifier(hadoopConf(session))
    val directory = qualify(new Path(old.location))
    val moves = description.managed && directory == qualify(list.defaultLocation(old.spec))
    val target = qualify(list.defaultLocation(spec))
    if (moves) {
      val fs = qualify.fileSystem(directory)
      if (fs.exists(directory)) {
        fs.mkdirs(target.getParent)
        if (!fs.rename(directory, target)) {
          refuse(s"cannot RENAME PARTITION: $directory could not be moved to $target")
        }
      }
    }
    list.rename(old.spec, spec, if (moves) Some(target.toString) else None)
    Caches.refresh(session, this, directory, target)
    true
  }

  override def truncatePartition(row: InternalRow): Boolean = truncatePartitions(Array(row))

  override def truncatePartitions(rows: Array[InternalRow]): Boolean = {
    requireWritable()
    val session = catalog.session
    val files = new DataFiles(hadoopConf(session))
    val directories = rows.toSeq.map(row => new Path(existing(row).location))
    directories.foreach { directory =>
      files.delete(files.under(directory), directory, written = Set.empty)
    }
    Caches.refresh(session, this, directories: _*)
    true
  }

  /** Removes all files; partitions stay registered. */
  override def truncateTable(): Boolean = {
    requireWritable()
    val session = catalog.session
    val files = new DataFiles(hadoopConf(session))
    dataDirectories.foreach { directory =>
      files.delete(files.under(directory), directory, written = Set.empty)
    }
    Statistics.forget(this)
    Caches.refresh(session, this)
    true
  }

  /** The directories that all files of the table lie below, those of partitions elsewhere included. */
  private[files] def dataDirectories: Seq[Path] = {
    val ofPartitions =
      if (tracksPartitions) partitions.list(Nil).map(p => new Path(p.location)) else Nil
    DataFiles.outermost(location +: ofPartitions)
  }

  private def requireTracked(operation: String): Unit =
    if (!tracksPartitions) {
      refuse(s"cannot $operation: it has no partitions in Glue")
    }

  private def requireChangeable(operation: String): Unit = {
    requireTracked(operation)
    requirePartitionsInGlue()
  }

  private def matching(names: Array[String], values: InternalRow): Seq[CatalogTablePartition] = {
    requireTracked("list partitions")
    val types = names.map(n => entry.partitionSchema(n).dataType)
    val spec =
      names.indices.map(i => names(i) -> PartitionText.of(values.get(i, types(i)), types(i)))
    partitions.listMatching(spec.toMap)
  }

  private[files] def existing(row: InternalRow): CatalogTablePartition =
    matching(partitionSchema.names, row).headOption.getOrElse(
      throw new NoSuchPartitionException(name, row, partitionSchema)
    )

  private[files] def qualified(location: String): String = {
    val path = new Path(location)
    if (path.isAbsolute && path.toUri.getScheme == null) {
      new Qualifier(hadoopConf(catalog.session))(path).toString
    } else path.toString
  }
}
