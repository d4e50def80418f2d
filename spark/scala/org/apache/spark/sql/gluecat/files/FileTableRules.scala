package org.apache.spark.sql.gluecat.files

import java.util.Locale
import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.analysis.{
  EliminateSubqueryAliases,
  NamedRelation,
  ResolvedTable
}
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.streaming.WriteToStream
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.catalyst.{InternalRow, TableIdentifier}
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.gluecat.SessionNames
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.gluecat.shim.{Session, StreamingRelation}
import org.apache.spark.sql.internal.SQLConf.PartitionOverwriteMode

/** The rules that make Spark serve [[GlueFileTable]] with its native file relation. */
object FileTableRules {

  def inject(extensions: SparkSessionExtensions): Unit = {
    extensions.injectResolutionRule(s => new FileTableCommands(s.asInstanceOf[Session]))
    extensions.injectResolutionRule(s => new ReadFileTables(s.asInstanceOf[Session]))
    extensions.injectPostHocResolutionRule(s => new WriteFileTables(s.asInstanceOf[Session]))
    extensions.injectPreCBORule(s => new PreparePartitionScans(s.asInstanceOf[Session]))
  }
}

/** A relation over a file table, as Spark's resolution of names leaves it. */
private[files] object FileTableRelation {

  def unapply(plan: LogicalPlan): Option[(DataSourceV2Relation, GlueFileTable)] = plan match {
    case r: DataSourceV2Relation =>
      r.table match {
        case table: GlueFileTable => Some((r, table))
        case _                    => None
      }
    case _ => None
  }
}

/** Reads: our relation becomes a native one with the same columns, under the same ids. */
private[files] class ReadFileTables(session: Session) extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperators {
    case FileTableRelation(r, table) => native(r, table)
  }

  private def native(r: DataSourceV2Relation, table: GlueFileTable): LogicalPlan = {
    val options =
      FileTableFormats.merge(
        table.entry.storage.properties,
        r.options.asCaseSensitiveMap.asScala.toMap
      )
    val relation = FileTableFormats.find(session, table.provider) match {
      case Some(format) =>
        val index = fileIndex(table, options)
        HadoopFsRelation(
          index,
          table.entry.partitionSchema,
          table.entry.dataSchema.asNullable,
          table.entry.bucketSpec,
          format,
          options
        )(session)
      case None =>
        DataSource(
          session,
          className = table.provider,
          userSpecifiedSchema = Some(table.entry.schema),
          options = DataSourceUtils.generateDatasourceOptions(r.options, table.entry),
          catalogTable = Some(table.entry)
        ).resolveRelation(checkFilesExist = false)
    }
    // Files may hold nulls whatever the entry says.
    LogicalRelation(relation, table.planned(session))
      .copy(output = r.output.map(_.withNullability(true)))
  }

  private def fileIndex(table: GlueFileTable, options: Map[String, String]): FileIndex =
    if (table.tracksPartitions) new GluePartitionIndex(session, table)
    else new GlueDirectoryIndex(session, table, options)
}

/** Writes: Spark's write plans, once it has matched rows with columns, become [[WriteToFileTable]]. */
private[files] class WriteFileTables(session: Session) extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperators {
    case d: DeleteWhere if d.resolved => DeletePartitions.of(d)
    case a: AppendData if ready(a, a.table) =>
      write(a.table, WriteMode.Append, a.writeOptions, a.query)
    case o: OverwriteByExpression if ready(o, o.table) =>
      val table = fileTable(o.table)
      val scope = OverwriteScope
        .of(o.deleteExpr, table)
        .getOrElse(
          table.refuse(
            s"cannot be overwritten where ${o.deleteExpr.sql}: only as a whole, or by conditions on its partition " +
              "columns" + table.entry.partitionColumnNames.mkString(" (", ", ", ")")
          )
        )
      val dynamic = overwriteMode(o.writeOptions).contains(PartitionOverwriteMode.DYNAMIC)
      val mode =
        if (dynamic && scope == OverwriteScope.WholeTable && isPartitioned(table)) {
          WriteMode.OverwriteWritten
        } else WriteMode.Overwrite(scope)
      write(o.table, mode, o.writeOptions, o.query)
    case o: OverwritePartitionsDynamic if ready(o, o.table) =>
      val static = overwriteMode(o.writeOptions).contains(PartitionOverwriteMode.STATIC)
      val mode =
        if (static || !isPartitioned(fileTable(o.table))) {
          WriteMode.Overwrite(OverwriteScope.WholeTable)
        } else WriteMode.OverwriteWritten
      write(o.table, mode, o.writeOptions, o.query)
  }

  private def ready(plan: V2WriteCommand, table: NamedRelation): Boolean = table match {
    case FileTableRelation(_, _) => plan.resolved
    case _                       => false
  }

  private def fileTable(relation: NamedRelation): GlueFileTable = relation match {
    case FileTableRelation(_, table) => table
  }

  private def isPartitioned(table: GlueFileTable): Boolean =
    table.entry.partitionColumnNames.nonEmpty

  /** The writer's own choice, which goes before the session's. */
  private def overwriteMode(options: Map[String, String]): Option[PartitionOverwriteMode.Value] =
    CaseInsensitiveMap(options)
      .get(DataSourceUtils.PARTITION_OVERWRITE_MODE)
      .map(m => PartitionOverwriteMode.withName(m.toUpperCase(Locale.ROOT)))

  private def write(
      relation: NamedRelation,
      mode: WriteMode,
      writeOptions: Map[String, String],
      query: LogicalPlan
  ): LogicalPlan = {
    val table = fileTable(relation)
    val format = FileTableFormats
      .find(session, table.provider)
      .getOrElse(table.refuse(s"cannot be written: ${table.provider} is not a file format"))
    val names = relation.output.map(_.name)
    val byName = names.zip(query.output).toMap
    val partitionColumns = table.entry.partitionColumnNames.map(c => byName(c).withName(c))
    val constants = partitionColumns.flatMap { column =>
      ConstantColumns
        .find(column, query)
        .map(literal => column.name -> PartitionText.of(literal.value, literal.dataType))
    }
    WriteToFileTable(
      target = table,
      mode = mode,
      constants = constants.toMap,
      fileFormat = format,
      partitionColumns = partitionColumns,
      options =
        FileTableFormats.merge(table.description.options, writeOptions - WriteToFileTable.JobId),
      writeOptions = writeOptions,
      query = query,
      outputColumnNames = names
    )
  }
}

/** Columns of a plan that have the same value in every row, such as those of PARTITION (month = 6). */
private[files] object ConstantColumns {

  def find(column: Attribute, plan: LogicalPlan): Option[Literal] = plan match {
    case Project(list, child) =>
      list.find(_.exprId == column.exprId).flatMap {
        case Alias(expression, _) => constant(expression, child)
        case a: Attribute         => find(a, child)
        case _                    => None
      }
    case _ => None
  }

  private def constant(expression: Expression, child: LogicalPlan): Option[Literal] = {
    val known = expression.transform { case a: Attribute => find(a, child).getOrElse(a) }
    if (!known.foldable) None
    else {
      try Some(Literal(known.eval(InternalRow.empty), known.dataType))
      // A value that cannot be computed fails with the rows, where Spark words the error.
      catch { case NonFatal(_) => None }
    }
  }
}

/** Statements on file tables that Spark would refuse to plan for a catalog's table, or would plan wrongly. */
private[files] class FileTableCommands(session: Session) extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperators {
    case r: RepairTable =>
      withTable(r.child, r)(RepairPartitions(_, r.enableAddPartitions, r.enableDropPartitions))
    case r: RecoverPartitions =>
      withTable(r.child, r)(RepairPartitions(_, addMissing = true, dropGone = false))
    case r: RefreshTable => withTable(r.child, r)(RefreshFileTable(_))
    case a: AnalyzeTable =>
      withTable(a.child, a)(AnalyzeFileTable(_, a.partitionSpec, a.noScan))
    case a: AnalyzeColumn =>
      withTable(a.child, a)(AnalyzeFileTableColumns(_, a.columnNames, a.allColumns))
    case l: LoadData => withTable(l.child, l)(LoadFiles.of(l, _))
    case s @ SetTableLocation(child, Some(spec), location) =>
      withTable(child, s)(SetPartitionLocation(_, spec, location))
    case d: DescribeRelation if d.partitionSpec.nonEmpty =>
      withTable(d.relation, d)(DescribePartition(_, d.partitionSpec, d.isExtended, d.output))
    case d: DeleteFromTable =>
      EliminateSubqueryAliases(d.table) match {
        case FileTableRelation(_, table) => DeleteWhere.of(d, table)
        case _                           => d
      }
    case u: UpdateTable    => refused(u.table, "UPDATE", u)
    case m: MergeIntoTable => refused(m.targetTable, "MERGE INTO", m)
    case s: StreamingRelation =>
      s.dataSource.catalogTable.filter(Manifests.areIn).foreach(t => refuseStream(t.identifier))
      s
    case w: WriteToStream =>
      w.sink match {
        case table: GlueFileTable => FileTableSink.of(w, table)
        case _                    => w
      }
  }

  /** Spark's relation of a stream knows nothing of our table but its name. */
  private def refuseStream(name: TableIdentifier): Unit =
    new SessionNames(session).ours(name.nameParts).map { case (catalog, ident) =>
      catalog.loadTable(ident)
    } match {
      case Some(table: GlueFileTable) =>
        table.refuse(
          "lists its files in manifests (SymlinkTextInputFormat), which no stream follows: read the table that the " +
            "manifests are made of"
        )
      case _ => ()
    }

  private def withTable(child: LogicalPlan, plan: LogicalPlan)(
      command: GlueFileTable => LogicalPlan
  ): LogicalPlan = child match {
    case r: ResolvedTable =>
      r.table match {
        case table: GlueFileTable => command(table)
        case _                    => plan
      }
    case _ => plan
  }

  private def refused(target: LogicalPlan, statement: String, plan: LogicalPlan): LogicalPlan =
    EliminateSubqueryAliases(target) match {
      case FileTableRelation(_, table) =>
        table.refuse(
          s"does not support $statement: it is a table of ${table.provider} files, whose rows cannot be changed. Use a " +
            "Delta table, or INSERT OVERWRITE"
        )
      case _ => plan
    }
}
