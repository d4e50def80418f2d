package org.apache.spark.sql.gluecat

import org.apache.spark.sql.catalyst.analysis.{
  UnresolvedRelation,
  UnresolvedTable,
  UnresolvedTableOrView
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.connector.catalog.LookupCatalog
import org.apache.spark.sql.gluecat.shim.Session

import io.github.sdaberdaku.gluecat.GlueCatalog

/**
 * Reports a table of ours that was not found in the core's words: whether the table or its database is missing, and in
 * which Glue catalog. Spark's own message, a step later, knows only the name.
 *
 * Runs after resolution, so that nothing else can still resolve the name.
 */
case class NameMissingObjects(session: Session) extends Rule[LogicalPlan] with LookupCatalog {

  // Rules are made while the session state is: too early to ask it for anything.
  override protected lazy val catalogManager = session.sessionState.catalogManager

  override def apply(plan: LogicalPlan): LogicalPlan = {
    visit(plan)
    plan
  }

  private def visit(plan: LogicalPlan): Unit = plan match {
    case u: UnresolvedRelation               => report(u.multipartIdentifier)
    case u: UnresolvedTable                  => report(u.multipartIdentifier)
    case u: UnresolvedTableOrView            => report(u.multipartIdentifier)
    case _ if plan.resolved && plan.analyzed =>
    case _ =>
      plan.children.foreach(visit)
      plan.subqueries.foreach(visit)
      // The target of a write and the table of a time travel are no children.
      plan.productIterator.foreach {
        case other: LogicalPlan if !plan.containsChild(other) => visit(other)
        case _                                                =>
      }
  }

  private def report(name: Seq[String]): Unit = name match {
    case CatalogAndIdentifier(catalog: GlueCatalog, ident) if ident.namespace.length == 1 =>
      catalog.context.callTable("load_table", ident)(_ => ())
    case _ =>
  }
}
