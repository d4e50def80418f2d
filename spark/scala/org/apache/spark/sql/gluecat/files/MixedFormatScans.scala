package org.apache.spark.sql.gluecat.files

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.planning.ScanOperation
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.types._

/**
 * Prepares the scans of tables that have partitions in Glue, once Spark has pushed its filters into them.
 *
 * Each query asks Glue once for the partitions of a table: they are looked at when it is planned, which adaptive execution
 * does several times, and again when its files are listed.
 *
 * It also sees to it that [[MixedFormatScans]] comes before all other strategies. As an extension's it would come before or
 * after Delta's, whichever Spark loads first, and that one plans the scans of all files.
 */
private[files] final class PreparePartitionScans(session: Session) extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = {
    // Equal indexes are of one table, which the query may name several times.
    val indexes = mutable.HashMap.empty[GluePartitionIndex, GluePartitionIndex]
    plan.transform { case l: LogicalRelation =>
      l.relation match {
        case fs @ HadoopFsRelation(index: GluePartitionIndex, _, _, _, _, _) =>
          MixedFormatScans.install(session)
          val ofQuery = indexes.getOrElseUpdate(index, index.forOneQuery)
          if (ofQuery eq index) l
          else l.copy(relation = fs.copy(location = ofQuery)(fs.sparkSession))
        case HadoopFsRelation(_: MixedFormatIndex, _, _, _, _, _) =>
          MixedFormatScans.install(session)
          l
        case _ => l
      }
    }
  }
}

/**
 * Plans the scan of a table of which some partitions to be read are of another format: a union of Spark's own scans, one
 * for each reader with its partitions. Each is vectorised, prunes columns and pushes filters down as its format does.
 * Where all partitions are of the table's format, the plan is Spark's.
 */
private[files] object MixedFormatScans extends SparkStrategy {

  private val OrcByPosition = "orc.force.positional.evolution"

  /** Adds the strategy to a session that does not have it. */
  def install(session: Session): Unit = {
    val methods = session.sessionState.experimentalMethods
    methods.synchronized {
      if (!methods.extraStrategies.contains(this)) {
        methods.extraStrategies = this +: methods.extraStrategies
      }
    }
  }

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case ScanOperation(projects, stayUpFilters, filters, l: LogicalRelation) =>
      l.relation match {
        case fs: HadoopFsRelation =>
          val parts = partsOf(fs, l, filters)
          if (parts.isEmpty) Nil else Seq(union(projects, stayUpFilters, filters, l, fs, parts))
        case _ => Nil
      }
    case _ => Nil
  }

  private def partsOf(
      fs: HadoopFsRelation,
      l: LogicalRelation,
      filters: Seq[Expression]
  ): Seq[ReaderPart] = fs.location match {
    case mixed: MixedFormatIndex   => mixed.parts
    case index: GluePartitionIndex => index.partsByReader(partitionFilters(fs, l, filters))
    case _                         => Nil
  }

  /** The filters for which Spark's scan of `l` will list files. */
  private def partitionFilters(
      fs: HadoopFsRelation,
      l: LogicalRelation,
      filters: Seq[Expression]
  ): Seq[Expression] = {
    val columns = l.resolve(fs.partitionSchema, fs.sparkSession.sessionState.analyzer.resolver)
    val normalized = DataSourceStrategy.normalizeExprs(filters.filter(_.deterministic), l.output)
    DataSourceStrategy
      .getPushedDownFilters(columns, normalized)
      .toSeq
      .filterNot(_.exists(_.isInstanceOf[PlanExpression[_]]))
  }

  /**
   * What is not deterministic stays above the union: rows of different parts must not get the same random numbers or
   * ids.
   */
  private def union(
      projects: Seq[NamedExpression],
      stayUpFilters: Seq[Expression],
      filters: Seq[Expression],
      l: LogicalRelation,
      fs: HadoopFsRelation,
      parts: Seq[ReaderPart]
  ): SparkPlan = {
    val needed = AttributeSet(projects ++ stayUpFilters)
    val output = l.output.filter(needed.contains)
    val scans = parts.map { part =>
      val rows = relation(part, l, fs)
      planLater(Project(output, filters.reduceOption(And).fold(rows)(Filter(_, rows))))
    }
    val all = if (scans.size == 1) scans.head else UnionExec(scans)
    val kept = stayUpFilters.reduceOption(And).fold(all)(FilterExec(_, all))
    if (projects == output) kept else ProjectExec(projects, kept)
  }

  private def relation(part: ReaderPart, l: LogicalRelation, fs: HadoopFsRelation): LogicalPlan = {
    // Buckets are of files that the table's own format wrote.
    val own = fs.copy(location = part.files, bucketSpec = None)(fs.sparkSession)
    part.reader match {
      case None         => l.copy(relation = own)
      case Some(reader) => ofOtherFormat(part.source, reader, l, own)
    }
  }

  private def ofOtherFormat(
      table: GlueFileTable,
      reader: PartitionReader,
      l: LogicalRelation,
      own: HadoopFsRelation
  ): LogicalPlan = {
    val format = FileTableFormats
      .find(own.sparkSession.asInstanceOf[Session], reader.provider)
      .getOrElse(
        table.refuse(s"has partitions of ${reader.provider} files, which Spark does not read")
      )
    requireMetadata(table, reader, format, l)
    // The table's options are for the table's format.
    val ofTable = CaseInsensitiveMap(table.description.options)
    val options =
      own.options.filterNot { case (key, _) => ofTable.contains(key) } ++ reader.options
    val relation = own.copy(fileFormat = format, options = options)(own.sparkSession)
    if (readsPrunedSchemas(format, reader)) l.copy(relation = relation)
    else withWholeSchema(l, relation, table.entry.dataSchema.asNullable)
  }

  /** Spark prunes the schema of a scan for the table's format; these formats can do with it too. */
  private def readsPrunedSchemas(format: FileFormat, reader: PartitionReader): Boolean =
    format match {
      case _: ParquetFileFormat => true
      case _: OrcFileFormat     => !reader.options.contains(OrcByPosition)
      case _                    => false
    }

  /** Columns by their position need the whole schema, down to the fields of structs. */
  private def withWholeSchema(
      l: LogicalRelation,
      relation: HadoopFsRelation,
      schema: StructType
  ): LogicalPlan = {
    val pruned = l.output.map(a => a.name -> a).toMap
    val data = schema.map { field =>
      pruned
        .get(field.name)
        .filter(a => DataType.equalsIgnoreNullability(a.dataType, field.dataType))
        .getOrElse(AttributeReference(field.name, field.dataType)())
    }
    val others = l.output.filterNot(a => schema.fieldNames.contains(a.name))
    val whole =
      l.copy(
        relation = relation.copy(dataSchema = schema)(relation.sparkSession),
        output = data ++ others
      )
    if (l.output.forall(whole.outputSet.contains)) whole
    else {
      val byName = whole.output.map(a => a.name -> a).toMap
      Project(
        l.output.map { a =>
          if (whole.outputSet.contains(a)) a
          else {
            Alias(StructFields.keep(byName(a.name), a.dataType), a.name)(a.exprId, a.qualifier)
          }
        },
        whole
      )
    }
  }

  /** What only the table's own reader knows of a row, such as its place in a Parquet file. */
  private def requireMetadata(
      table: GlueFileTable,
      reader: PartitionReader,
      format: FileFormat,
      l: LogicalRelation
  ): Unit = {
    val known = format.metadataSchemaFields.map(_.name).toSet
    for {
      metadata <- l.output.collectFirst { case FileSourceMetadataAttribute(attribute) => attribute }
      field <- metadata.dataType.asInstanceOf[StructType].fieldNames.find(!known(_))
    } table.refuse(
      s"has partitions of ${reader.provider} files, which have no _metadata.$field: exclude them with a filter"
    )
  }
}

/** Values of nested types with only some of the fields of their structs. */
private[files] object StructFields {

  /** `value` as `wanted`, which has the same structure without some fields. */
  def keep(value: Expression, wanted: DataType): Expression = (value.dataType, wanted) match {
    case (from, to) if DataType.equalsIgnoreNullability(from, to) => value
    case (from: StructType, to: StructType) =>
      val fields = to.fields.toSeq.flatMap { field =>
        val index = from.fieldIndex(field.name)
        Seq(
          Literal(field.name),
          keep(GetStructField(value, index, Some(field.name)), field.dataType)
        )
      }
      If(IsNull(value), Literal(null, to), CreateNamedStruct(fields))
    case (ArrayType(from, containsNull), ArrayType(to, _)) =>
      val element = NamedLambdaVariable("element", from, containsNull)
      ArrayTransform(value, LambdaFunction(keep(element, to), Seq(element)))
    case (MapType(fromKey, fromValue, containsNull), MapType(toKey, toValue, _)) =>
      val key = NamedLambdaVariable("key", fromKey, nullable = false)
      val entry = NamedLambdaVariable("value", fromValue, containsNull)
      val values = TransformValues(value, LambdaFunction(keep(entry, toValue), Seq(key, entry)))
      val kept = NamedLambdaVariable("value", toValue, containsNull)
      TransformKeys(values, LambdaFunction(keep(key, toKey), Seq(key, kept)))
    case (from, to) =>
      throw new IllegalStateException(s"a scan prunes ${from.sql} to ${to.sql}")
  }
}
