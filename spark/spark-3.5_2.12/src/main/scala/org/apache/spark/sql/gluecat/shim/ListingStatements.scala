package org.apache.spark.sql.gluecat.shim

import org.apache.spark.sql.catalyst.analysis.{
  NoSuchPartitionException,
  NoSuchTableException,
  ResolvedNamespace,
  ResolvedTable,
  UnresolvedPartitionSpec
}
import org.apache.spark.sql.catalyst.expressions.{Attribute, Cast, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{
  LocalRelation,
  LogicalPlan,
  ShowColumns,
  ShowTableExtended
}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.util.{StringUtils, quoteIfNeeded}
import org.apache.spark.sql.catalyst.{InternalRow, TableIdentifier}
import org.apache.spark.sql.connector.catalog.{
  CatalogManager,
  CatalogV2Util,
  Identifier,
  SupportsPartitionManagement,
  Table,
  TableCatalog
}
import org.apache.spark.sql.errors.QueryCompilationErrors
import org.apache.spark.sql.execution.command.{LeafRunnableCommand, ShowTablesCommand}
import org.apache.spark.sql.gluecat.SessionNames
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.types.StringType
import org.apache.spark.sql.{Row, SparkSession, SparkSessionExtensions}
import org.apache.spark.unsafe.types.UTF8String

import io.github.sdaberdaku.gluecat.GlueCatalog

/** SHOW COLUMNS and SHOW TABLE EXTENDED, which Spark 3.5 has for its session catalog only; laid out as Spark 4's. */
object ListingStatements {

  def inject(extensions: SparkSessionExtensions): Unit =
    extensions.injectResolutionRule(session => new ListOurs(session))

  private final class ListOurs(session: Session) extends Rule[LogicalPlan] {
    private val names = new SessionNames(session)

    override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperators {
      case ShowColumns(ResolvedTable(_: GlueCatalog, ident, table, _), namespace, output) =>
        namespace.filterNot(_ == ident.namespace.toSeq).foreach { other =>
          throw QueryCompilationErrors.showColumnsWithConflictDatabasesError(
            other,
            TableIdentifier(ident.name, Some(ident.namespace.mkString(".")))
          )
        }
        val rows = table.columns.map(c => InternalRow(UTF8String.fromString(c.name)))
        LocalRelation(output, rows.toSeq)
      case ShowTableExtended(ResolvedNamespace(catalog: GlueCatalog, ns), pattern, spec, output) =>
        val values = spec.collect { case UnresolvedPartitionSpec(values, _) => values }
        ShowTablesExtended(catalog, ns.toArray, pattern, values, output)
      // Spark has taken it for a statement on its own session catalog.
      case s @ ShowTablesCommand(database, pattern, output, true, spec) =>
        names.catalog(CatalogManager.SESSION_CATALOG_NAME) match {
          case Some(catalog) =>
            val namespace = database.map(Array(_)).getOrElse(names.currentNamespace)
            ShowTablesExtended(catalog, namespace, pattern.getOrElse("*"), spec, output)
          case None => s
        }
    }
  }

  private final case class ShowTablesExtended(
      catalog: TableCatalog,
      namespace: Array[String],
      pattern: String,
      partition: Option[Map[String, String]],
      override val output: Seq[Attribute]
  ) extends LeafRunnableCommand {

    override protected def stringArgs: Iterator[Any] = Iterator(catalog.name, pattern, partition)

    override def run(session: SparkSession): Seq[Row] = partition match {
      case None =>
        catalog
          .listTables(namespace)
          .toSeq
          .filter(t => StringUtils.filterPattern(Seq(t.name), pattern).nonEmpty)
          .map(ident => row(ident, describe(ident, catalog.loadTable(ident))))
      case Some(values) =>
        val ident = Identifier.of(namespace, pattern)
        Seq(row(ident, describePartition(ident, values)))
    }

    private def row(ident: Identifier, information: Seq[String]) =
      Row(
        ident.namespace.map(quoteIfNeeded).mkString("."),
        ident.name,
        false,
        information.mkString("", "\n", "\n")
      )

    private def describe(ident: Identifier, table: Table): Seq[String] = {
      val properties = table.properties.asScala
      val external = properties.contains(TableCatalog.PROP_EXTERNAL)
      val reserved = CatalogV2Util.TABLE_RESERVED_PROPERTIES
        .filterNot(_ == TableCatalog.PROP_EXTERNAL)
        .flatMap(key => properties.get(key).map(value => s"${key.capitalize}: $value"))
      val others = properties.toSeq
        .filterNot { case (key, _) => CatalogV2Util.TABLE_RESERVED_PROPERTIES.contains(key) }
        .sorted
        .map { case (key, value) => s"$key=$value" }
      val partitioned = table match {
        case t: SupportsPartitionManagement if !t.partitionSchema.isEmpty =>
          Seq(
            "Partition Provider: Catalog",
            t.partitionSchema.map(f => quoteIfNeeded(f.name)).mkString(
              "Partition Columns: [",
              ", ",
              "]"
            )
          )
        case _ => Nil
      }
      Seq(
        s"Catalog: ${catalog.name}",
        s"Namespace: ${ident.namespace.map(quoteIfNeeded).mkString(".")}",
        s"Table: ${ident.name}",
        s"Type: ${if (external) "EXTERNAL" else "MANAGED"}"
      ) ++ reserved ++
        (if (others.isEmpty) Nil else Seq(others.mkString("Table Properties: [", ", ", "]"))) ++
        partitioned :+ s"Schema: ${CatalogV2Util.v2ColumnsToStructType(table.columns).treeString}"
    }

    private def describePartition(ident: Identifier, values: Map[String, String]): Seq[String] =
      catalog.loadTable(ident) match {
        case table: SupportsPartitionManagement =>
          val schema = table.partitionSchema
          val fields = values.keys.toSeq.map { name =>
            schema.fields.find(_.name.equalsIgnoreCase(name)).getOrElse(
              throw new NoSuchPartitionException(ident.namespace.mkString("."), ident.name, values)
            ) -> values(name)
          }
          val sought = InternalRow.fromSeq(fields.map { case (field, text) =>
            Cast(
              Literal.create(text, StringType),
              field.dataType,
              Some(conf.sessionLocalTimeZone)
            ).eval()
          })
          table.listPartitionIdentifiers(fields.map(_._1.name).toArray, sought) match {
            case Array(found) =>
              val shown = schema.zipWithIndex.map { case (field, i) =>
                s"${field.name}=${Cast(Literal.create(found.get(i, field.dataType), field.dataType), StringType).eval()}"
              }
              val parameters = table.loadPartitionMetadata(found).asScala.map { case (k, v) =>
                s"$k: $v"
              }
              Seq(
                shown.mkString("Partition Values: [", ", ", "]"),
                parameters.mkString("Partition Parameters: {", ", ", "}")
              )
            case _ =>
              throw new NoSuchPartitionException(ident.namespace.mkString("."), ident.name, values)
          }
        case _ => throw new NoSuchTableException(ident)
      }
  }
}
