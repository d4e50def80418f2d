package org.apache.spark.sql.gluecat.files

import scala.collection.mutable
import scala.util.Try

import com.fasterxml.jackson.databind.node.{ArrayNode, ObjectNode}
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.catalog.{
  CatalogStorageFormat,
  CatalogTable,
  CatalogTablePartition,
  ExternalCatalogUtils
}
import org.apache.spark.sql.catalyst.expressions.{
  AttributeReference,
  Cast,
  EqualNullSafe,
  Expression,
  Literal
}
import org.apache.spark.sql.connector.catalog.Identifier
import org.apache.spark.sql.execution.datasources.{PartitionPath, PartitioningUtils}
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.gluecat.{CatalogContext, Errors, TableDescription, TableRequests}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.ThreadUtils

import io.github.sdaberdaku.gluecat.internal.{Json, Locations, PartitionFrame}

/** A partition to register: its values in the order of the partition columns, and its directory. */
private[files] final case class NewPartition(values: Seq[String], location: String)

/** Spark's reader of the files of partitions that are not of their table's own format. */
private[files] final case class PartitionReader(provider: String, options: Map[String, String])

/** Partitions to read: those of the table's own format, and those that other readers read. */
private[files] final case class FoundPartitions(
    own: Seq[PartitionPath],
    others: Seq[(PartitionReader, Seq[PartitionPath])]
) {

  def all: Seq[PartitionPath] = own ++ others.flatMap(_._2)

  /** All by their reader, None for the table's own. */
  def byReader: Seq[(Option[PartitionReader], Seq[PartitionPath])] =
    (if (own.isEmpty) Nil else Seq(None -> own)) ++ others.map { case (r, paths) =>
      Some(r) -> paths
    }
}

/** The partitions that Glue holds for one table. Values are Glue's strings, `__HIVE_DEFAULT_PARTITION__` for null. */
private[files] final class TablePartitions(
    catalog: CatalogContext,
    description: TableDescription,
    table: CatalogTable
) {

  private val ident: Identifier = description.identifier

  /** Char and varchar appear as string, as in Spark's own listings. */
  val schema: StructType = table.partitionSchema
  val columns: Seq[String] = table.partitionColumnNames
  private val root = new Path(table.location)

  /**
   * The partitions for which all `filters` hold, in one `list_partitions`.
   *
   * @param filters
   *   expressions over the partition columns, which are matched by name
   * @param withParameters
   *   whether the parameters of partitions are wanted, which are many in long lists
   */
  def list(
      filters: Seq[Expression],
      withParameters: Boolean = false
  ): Seq[CatalogTablePartition] = {
    val frame = listed(filters)
    val all = (0 until frame.size).map(partition(frame, _, withParameters))
    prune(all, filters)
  }

  /**
   * The partitions to read for which all `filters` hold. Refuses those whose files no reader reads. Of long lists only
   * these get objects of their own.
   */
  def find(filters: Seq[Expression], qualify: Qualifier): FoundPartitions = {
    val frame = listed(filters)
    val conf = SQLConf.get
    def inRange(range: Seq[Int]): Seq[(Int, PartitionPath)] = {
      val rows = new PartitionRows(frame, schema, conf.sessionLocalTimeZone)
      val keeps = rows.predicate(filters)
      range.flatMap { index =>
        val row = rows(index)
        if (keeps(row)) Some(index -> PartitionPath(row, qualify(location(frame, index)))) else None
      }
    }
    val all = 0 until frame.size
    val kept =
      if (all.size <= TablePartitions.Chunk) inRange(all)
      else {
        val chunks = all.grouped(TablePartitions.Chunk).toSeq
        val threads = math.min(chunks.size, Runtime.getRuntime.availableProcessors)
        // Expressions ask the settings of the thread that evaluates them.
        ThreadUtils
          .parmap(chunks, "gluecat-partitions", threads)(range =>
            Try(SQLConf.withExistingConf(conf)(inRange(range)))
          )
          .flatMap(_.get)
      }
    val own = Vector.newBuilder[PartitionPath]
    val others = mutable.LinkedHashMap.empty[PartitionReader, mutable.Buffer[PartitionPath]]
    kept.foreach { case (index, path) =>
      frame.reader(index) match {
        case null => own += path
        case reader =>
          others.getOrElseUpdate(readerOf(reader, frame, index), mutable.Buffer.empty) += path
      }
    }
    FoundPartitions(
      own.result(),
      others.toSeq.map { case (reader, paths) => reader -> paths.toSeq }
    )
  }

  private def readerOf(
      reader: PartitionFrame.Reader,
      frame: PartitionFrame,
      index: Int
  ): PartitionReader = {
    if (reader.provider == null) {
      val name = fragment(spec(frame, index))
      Errors.refuse(
        catalog,
        "unsupported",
        s"partition $name of table ${description.qualifiedName}${reader.reason}: exclude it with a filter",
        description.qualifiedName
      )
    }
    PartitionReader(reader.provider, reader.options.asScala.toMap)
  }

  private def listed(filters: Seq[Expression]): PartitionFrame =
    catalog.listPartitions(ident) { request =>
      request.set[ObjectNode]("partition_schema", Json.parse(schema.json))
      new PartitionPredicates(schema, SQLConf.get.sessionLocalTimeZone)
        .translate(filters)
        .foreach(request.set[ObjectNode]("filter", _))
      description.projection.foreach(request.set[ObjectNode]("projection", _))
      description.format.foreach(request.set[ObjectNode]("format", _))
    }

  /** Those of `all` for which all `filters` hold, by Spark's own semantics. */
  def prune(
      all: Seq[CatalogTablePartition],
      filters: Seq[Expression]
  ): Seq[CatalogTablePartition] =
    ExternalCatalogUtils.prunePartitionsByFilter(
      table,
      all,
      filters,
      SQLConf.get.sessionLocalTimeZone
    )

  /** The partitions whose columns have exactly these values. */
  def listMatching(
      spec: Map[String, String],
      withParameters: Boolean = false
  ): Seq[CatalogTablePartition] =
    list(equalities(spec), withParameters = withParameters).filter(p =>
      spec.forall { case (k, v) => p.spec(k) == v }
    )

  /** @param ifExists what happens to a partition that is there already: fail, ignore or update */
  def add(partitions: Seq[NewPartition], ifExists: String): Unit =
    if (partitions.nonEmpty) {
      catalog.client.callJson(
        "add_partitions",
        catalog.tableRequest(ident) { request =>
          val array = request.putArray("partitions")
          partitions.foreach { p =>
            val node = array.addObject()
            node.set[ArrayNode](
              "values",
              TableRequests.array(p.values)
            )
            node.put("location", p.location)
          }
          request.put("if_exists", ifExists)
        }
      )
    }

  /** Says that the files of partitions are of the table's format now, whatever they were before. */
  def takeTableFormat(specs: Seq[Map[String, String]]): Unit =
    alter(specs, "ignore")(_ => _.put("table_format", true))

  /** Moves a partition to another location; its files stay where they are. */
  def setLocation(spec: Map[String, String], location: String): Unit =
    alter(Seq(spec), "fail")(_ => _.put("location", location))

  /** Sets parameters of partitions; their others stay. Partitions that are gone by now are passed over. */
  def setParameters(parameters: Map[Map[String, String], Map[String, String]]): Unit =
    alter(parameters.keys.toSeq, "ignore") { spec => request =>
      request.replace("parameters", TableRequests.map(parameters(spec)))
    }

  private def alter(specs: Seq[Map[String, String]], ifMissing: String)(
      members: Map[String, String] => ObjectNode => Any
  ): Unit =
    if (specs.nonEmpty) {
      catalog.client.callJson(
        "alter_partitions",
        catalog.tableRequest(ident) { request =>
          val array = request.putArray("partitions")
          specs.foreach { spec =>
            val node = array.addObject()
            node.replace("values", TableRequests.array(values(spec)))
            members(spec)(node)
          }
          request.put("if_missing", ifMissing)
        }
      )
    }

  /** @param location of the renamed partition, if it is another one */
  def rename(from: Map[String, String], to: Map[String, String], location: Option[String]): Unit =
    catalog.client.callJson(
      "rename_partition",
      catalog.tableRequest(ident) { request =>
        request.replace("values", TableRequests.array(values(from)))
        request.replace("to_values", TableRequests.array(values(to)))
        location.foreach(request.put("location", _))
      }
    )

  /** @return how many there were */
  def drop(partitions: Seq[Seq[String]], ifMissing: String): Int =
    if (partitions.isEmpty) 0
    else {
      catalog.client
        .callJson(
          "drop_partitions",
          catalog.tableRequest(ident) { request =>
            val array = request.putArray("partitions")
            partitions.foreach(values => array.add(TableRequests.array(values)))
            request.put("if_missing", ifMissing)
          }
        )
        .path("dropped")
        .asInt
    }

  /** `month=1/day=2`, the directory of a partition below the table's. */
  def fragment(spec: Map[String, String]): String = PartitioningUtils.getPathFragment(spec, schema)

  def defaultLocation(spec: Map[String, String]): Path = new Path(root, fragment(spec))

  def values(spec: Map[String, String]): Seq[String] = columns.map(spec)

  /** The partition's values as Glue holds them. */
  def specOf(row: InternalRow): Map[String, String] =
    columns.zipWithIndex.map { case (column, i) =>
      column -> PartitionText.of(row.get(i, schema(i).dataType), schema(i).dataType)
    }.toMap

  private def equalities(spec: Map[String, String]): Seq[Expression] = {
    val timeZone = Some(SQLConf.get.sessionLocalTimeZone)
    schema.fields.toSeq.filter(f => spec.contains(f.name)).map { field =>
      val attribute = AttributeReference(field.name, field.dataType)()
      val value = spec(field.name)
      val literal =
        if (value == ExternalCatalogUtils.DEFAULT_PARTITION_NAME) Literal(null, field.dataType)
        else {
          Literal(
            Cast(Literal(value), field.dataType, timeZone).eval(InternalRow.empty),
            field.dataType
          )
        }
      EqualNullSafe(attribute, literal)
    }
  }

  private def partition(
      frame: PartitionFrame,
      index: Int,
      withParameters: Boolean
  ): CatalogTablePartition = {
    CatalogTablePartition(
      spec(frame, index),
      CatalogStorageFormat.empty.copy(
        locationUri = Some(location(frame, index).toUri),
        serde = Option(frame.reader(index)).map(r => Option(r.provider).getOrElse(r.reason))
      ),
      parameters = if (withParameters) frame.parameters(index).asScala.toMap else Map.empty
    )
  }

  private def spec(frame: PartitionFrame, index: Int): Map[String, String] =
    columns.indices.map(k => columns(k) -> frame.value(index, k)).toMap

  private def location(frame: PartitionFrame, index: Int): Path = frame.location(index) match {
    case null | "" => defaultLocation(spec(frame, index))
    case location  => Locations.path(location)
  }
}

private[files] object TablePartitions {

  /** How many partitions a thread makes objects of before there is more than one. */
  private val Chunk = 10000

  /** Whether the files of a listed partition are of another format than the table's. */
  def isOfAnotherFormat(partition: CatalogTablePartition): Boolean =
    partition.storage.serde.nonEmpty
}
