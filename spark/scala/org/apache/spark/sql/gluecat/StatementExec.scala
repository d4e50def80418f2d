package org.apache.spark.sql.gluecat

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.analysis._
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.connector.catalog.Identifier
import org.apache.spark.sql.execution.datasources.v2._
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan, UnaryExecNode}

import io.github.sdaberdaku.gluecat.GlueCatalog

/**
 * Runs a DDL command on one of our catalogs, and puts the catalog and its `glue.id` in front of what Spark itself says
 * about a missing or existing object: Spark asks `tableExists` first and then words the error without us.
 */
case class StatementExec(child: SparkPlan, catalog: GlueCatalog)
    extends UnaryExecNode {

  override def output: Seq[Attribute] = child.output

  override def executeCollect(): Array[InternalRow] = explain(child.executeCollect())

  override protected def doExecute(): RDD[InternalRow] = explain(child.execute())

  override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan =
    copy(child = newChild)

  private def explain[T](body: => T): T =
    try body
    catch {
      case e: Errors.Complete => throw e
      case e: TableAlreadyExistsException =>
        throw Errors.tableExists(identifier, explained(e.getMessage))
      case e: NoSuchTableException =>
        throw Errors.noSuchTable(identifier, explained(e.getMessage))
      case e: NoSuchNamespaceException =>
        throw Errors.noSuchNamespace(namespace, explained(e.getMessage))
      case e: NamespaceAlreadyExistsException =>
        throw Errors.namespaceExists(namespace, explained(e.getMessage))
      // Spark makes a plain AnalysisException of the catalog's NonEmptyNamespaceException.
      case e: AnalysisException if e.errorClass.contains("SCHEMA_NOT_EMPTY") =>
        throw Errors.notEmpty(namespace, explained(e.getMessage))
      case e: CannotReplaceMissingTableException =>
        throw Errors.cannotReplace(identifier, explained(e.getMessage))
    }

  private def explained(message: String): String = s"${catalog.context.title}: $message"

  private def identifier: Identifier =
    child.productIterator
      .collectFirst { case ident: Identifier => ident }
      .getOrElse(Identifier.of(Array.empty, ""))

  private def namespace: Array[String] =
    child.productIterator
      .collectFirst {
        case parts: Seq[_]       => parts.map(_.toString).toArray
        case Some(parts: Seq[_]) => parts.map(_.toString).toArray
      }
      .getOrElse(identifier.namespace)
}

object StatementExec {

  /** Commands that Spark words the errors of. Others are left alone: some are recognized by their class later on. */
  private def explainable(command: SparkPlan): Boolean = command match {
    case _: CreateTableExec | _: CreateTableAsSelectExec | _: AtomicCreateTableAsSelectExec |
        _: ReplaceTableExec | _: AtomicReplaceTableExec | _: ReplaceTableAsSelectExec |
        _: AtomicReplaceTableAsSelectExec | _: DropTableExec | _: RenameTableExec |
        _: CreateNamespaceExec | _: DropNamespaceExec | _: AlterNamespaceSetPropertiesExec |
        _: SetCatalogAndNamespaceExec =>
      true
    case _ => false
  }

  private def catalogOf(command: SparkPlan): Option[GlueCatalog] = command match {
    case use: SetCatalogAndNamespaceExec =>
      val manager = use.catalogManager
      use.catalogName.fold(manager.currentCatalog)(manager.catalog) match {
        case catalog: GlueCatalog => Some(catalog)
        case _                    => None
      }
    case _ => command.productIterator.collectFirst { case catalog: GlueCatalog => catalog }
  }

  def wrap(command: SparkPlan): SparkPlan =
    if (!explainable(command)) command
    else catalogOf(command).fold(command)(StatementExec(command, _))
}

/** Wraps the command of a statement. Spark plans it as the root, so only the root is looked at. */
object CommandRule extends ColumnarRule {

  override def postColumnarTransitions: Rule[SparkPlan] = new Rule[SparkPlan] {
    override def apply(plan: SparkPlan): SparkPlan = plan match {
      case wrapped: StatementExec => wrapped
      case command =>
        val explained = StatementExec.wrap(command)
        DeltaTables.available.flatMap(_.follow(command)).getOrElse(explained)
    }
  }
}
