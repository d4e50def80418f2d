package org.apache.spark.sql.gluecat.delta

import org.apache.spark.sql.catalyst.analysis.{ResolvedTable, UnresolvedTable}
import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.catalyst.plans.logical.{CloneTableStatement, LogicalPlan}
import org.apache.spark.sql.delta.commands.DeltaReorgTable
import org.apache.spark.sql.gluecat.shim.{DeltaParserFacts, Session}
import org.apache.spark.sql.gluecat.{GlueParser, SessionNames}

import io.github.sdaberdaku.gluecat.{Failure, GlueCatalog, UnsupportedTableException}

/** What Delta's parser makes of a statement, put right where it would mean another table. */
private[delta] object DeltaSyntax {

  private val reorgName =
    s"(?is)\\s*REORG\\s+TABLE\\s+(${SessionNames.pattern})\\s+(?:WHERE|APPLY)\\b.*".r

  def parsed(sqlText: String, parser: ParserInterface, plan: LogicalPlan): LogicalPlan =
    plan match {
      case clone: CloneTableStatement => UnresolvedClone(clone)
      // Delta 3.3 drops the catalog of the name.
      case reorg: DeltaReorgTable if !DeltaParserFacts.keepsCatalogInReorg =>
        (reorg.target, sqlText) match {
          case (target: UnresolvedTable, reorgName(text)) =>
            val parts = parser.parseMultipartIdentifier(text)
            reorg.copy(target = target.copy(multipartIdentifier = parts))(reorg.predicates)
          case _ => reorg
        }
      case other => other
    }

  /**
   * Refuses a REORG whose name may have lost its catalog, where no parser of ours has seen the text: it would rewrite a
   * table of the same name in the session catalog.
   */
  def requireUnambiguous(session: Session, reorg: DeltaReorgTable): LogicalPlan =
    reorg.target match {
      case target: ResolvedTable
          if !DeltaParserFacts.keepsCatalogInReorg && !target.catalog.isInstanceOf[GlueCatalog] &&
            !target.identifier.name.contains("/") &&
            !session.sessionState.sqlParser.isInstanceOf[GlueParser] && hasNamedCatalog(session) =>
        throw new UnsupportedTableException(
          Failure.of(
            "unsupported",
            s"REORG TABLE ${target.identifier}: Delta's parser drops the catalog of a name, so that another table could be " +
              "meant. Put io.github.sdaberdaku.gluecat.GlueCatalogExtensions behind " +
              "io.delta.sql.DeltaSparkSessionExtension in spark.sql.extensions"
          )
        )
      case _ => reorg
    }

  private def hasNamedCatalog(session: Session): Boolean =
    session.conf.getAll.exists { case (key, value) =>
      key.startsWith("spark.sql.catalog.") && key != "spark.sql.catalog.spark_catalog" &&
      value == classOf[GlueCatalog].getName
    }
}
