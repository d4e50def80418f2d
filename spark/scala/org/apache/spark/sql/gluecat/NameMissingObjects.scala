package org.apache.spark.sql.gluecat

import org.apache.spark.sql.catalyst.analysis.{UnresolvedRelation, UnresolvedTable, UnresolvedTableOrView}
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
case class NameMissingObjects(session: Session)
    extends Rule[LogicalPlan]
    with LookupCatalog {

  override protected val catalogManager = session.sessionState.catalogManager

  override def apply(plan: LogicalPlan): LogicalPlan = {
    plan.foreach {
      case u: UnresolvedRelation if !u.isStreaming => report(u.multipartIdentifier)
      case u: UnresolvedTable => report(u.multipartIdentifier)
      case u: UnresolvedTableOrView => report(u.multipartIdentifier)
      case _ =>
    }
    plan
  }

  private def report(name: Seq[String]): Unit = name match {
    // One part may be a temporary view, a CTE or a name that the session catalog knows better.
    case CatalogAndIdentifier(catalog: GlueCatalog, ident) if ident.namespace.length == 1 =>
      catalog.context.callTable("load_table", ident)(_ => ())
    case _ =>
  }
}
