package org.apache.spark.sql.gluecat

import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException
import org.apache.spark.sql.catalyst.catalog.CatalogUtils
import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.connector.catalog.{CatalogV2Util, Column, Identifier, TableCatalog}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.execution.command.{CreateTableLikeCommand, LeafRunnableCommand}
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.{Row, SparkSession}

import io.github.sdaberdaku.gluecat.GlueCatalog

/**
 * CREATE TABLE … LIKE with a target in one of our catalogs: the columns, the partitioning and the comment of a table or
 * view, and its provider unless USING names another.
 *
 * @param clauses
 *   the statement as Spark parses it; its names do not count
 */
private[gluecat] case class CreateTableLike(
    target: Seq[String],
    source: Seq[String],
    clauses: CreateTableLikeCommand
) extends LeafRunnableCommand {

  override def run(sparkSession: SparkSession): Seq[Row] = {
    val session = sparkSession.asInstanceOf[Session]
    val (catalog, ident) = CreateTableLike.ours(session, target).get
    if (clauses.ifNotExists && catalog.tableExists(ident)) return Seq.empty
    val shape = CreateTableLike.shapeOf(session, source, clauses.provider.isDefined)
    val location = clauses.fileFormat.locationUri.map(CatalogUtils.URIToString)
    val properties = clauses.properties ++
      clauses.fileFormat.properties.map { case (key, value) =>
        TableCatalog.OPTION_PREFIX + key -> value
      } ++
      shape.options ++
      shape.needed ++
      location.map(TableCatalog.PROP_LOCATION -> _) ++
      shape.comment.map(TableCatalog.PROP_COMMENT -> _) +
      (TableCatalog.PROP_PROVIDER -> clauses.provider.getOrElse(shape.provider))
    try catalog.createTable(ident, shape.columns, shape.partitioning, properties.asJava)
    catch { case _: TableAlreadyExistsException if clauses.ifNotExists => }
    Seq.empty
  }
}

private[gluecat] object CreateTableLike {

  private val dotted = SessionNames.pattern
  private val statement =
    s"(?is)(\\s*CREATE\\s+TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?)($dotted)(\\s+LIKE\\s+)($dotted)(\\s.*|;.*|)".r

  /** The target's catalog, if it is one of ours. */
  def ours(session: Session, parts: Seq[String]): Option[(GlueCatalog, Identifier)] =
    new SessionNames(session).resolve(parts) match {
      case Some((catalog: GlueCatalog, ident)) => Some((catalog, ident))
      case _                                   => None
    }

  /**
   * A statement with a name of three parts, which Spark's grammar does not take; None for all others. The names are
   * replaced by plain ones, so that Spark itself parses everything else.
   */
  def parse(
      session: Session,
      sqlText: String,
      parser: ParserInterface,
      parse: String => LogicalPlan
  ): Option[LogicalPlan] = sqlText match {
    case statement(create, target, like, source, clauses) =>
      val names = Seq(target, source).map(parser.parseMultipartIdentifier)
      if (names.forall(_.size < 3) || ours(session, names.head).isEmpty) None
      else
        parse(s"${create}target${like}source$clauses") match {
          case command: CreateTableLikeCommand =>
            Some(CreateTableLike(names.head, names.last, command))
          case _ => None
        }
    case _ => None
  }

  /** `plan` itself, or our command if it is Spark's with a target in one of our catalogs. */
  def of(session: Session, plan: LogicalPlan): LogicalPlan = plan match {
    case command: CreateTableLikeCommand
        if ours(session, command.targetTable.nameParts).nonEmpty =>
      CreateTableLike(command.targetTable.nameParts, command.sourceTable.nameParts, command)
    case _ => plan
  }

  /**
   * What a new table takes from the one it is like. `options` are those of its files; `needed` are properties without which
   * it could not have it.
   */
  private final case class Shape(
      columns: Array[Column],
      partitioning: Array[Transform],
      provider: String,
      comment: Option[String],
      options: Map[String, String],
      needed: Map[String, String]
  )

  private def shapeOf(
      session: Session,
      source: Seq[String],
      otherProvider: Boolean
  ): Shape = {
    val defaultProvider = session.sessionState.conf.defaultDataSourceName
    if (new SessionNames(session).isTemporaryView(source)) {
      val schema = session.table(quoted(source)).schema
      Shape(
        CatalogV2Util.structTypeToV2Columns(schema),
        Array.empty,
        defaultProvider,
        None,
        Map.empty,
        Map.empty
      )
    } else {
      new SessionNames(session).resolve(source) match {
        case Some((catalog: TableCatalog, ident)) =>
          val table = catalog.loadTable(ident)
          val properties = table.properties
          val provider =
            Option(properties.get(TableCatalog.PROP_PROVIDER)).getOrElse(defaultProvider)
          val defaults = table.columns.exists(_.defaultValue != null)
          Shape(
            table.columns,
            table.partitioning,
            provider,
            Option(properties.get(TableCatalog.PROP_COMMENT)),
            if (otherProvider || provider.equalsIgnoreCase("delta")) Map.empty
            else properties.asScala.toMap.filter(_._1.startsWith(TableCatalog.OPTION_PREFIX)),
            if (defaults && provider.equalsIgnoreCase("delta"))
              Map("delta.feature.allowColumnDefaults" -> "supported")
            else Map.empty
          )
        case _ =>
          throw new IllegalArgumentException(
            s"CREATE TABLE LIKE ${quoted(source)}: its catalog has no tables"
          )
      }
    }
  }

  private def quoted(name: Seq[String]): String =
    name.map(part => "`" + part.replace("`", "``") + "`").mkString(".")
}
