package org.apache.spark.sql.gluecat

import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.gluecat.files.InsertIfPartitionMissing
import org.apache.spark.sql.gluecat.shim.{Session, VersionedParser}

/**
 * Statements for which Spark's grammar, or Delta's, has no names with a catalog in them.
 *
 * Extensions take turns: of two, the one whose rules come first has the inner parser. A CLONE, which must come before
 * Delta's rules, is therefore looked for in two places, here and in a rule: one of them is always in time.
 */
final class GlueParser(
    session: Session,
    override protected val delegate: ParserInterface
) extends VersionedParser {

  override protected def parseStatement(sqlText: String)(
      parse: String => LogicalPlan
  ): LogicalPlan =
    CreateTableLike.parse(session, sqlText, delegate, parse).getOrElse {
      val plan =
        InsertIfPartitionMissing.of(session, CreateTableLike.of(session, parse(sqlText)))
      DeltaTables.available.fold(plan)(_.parsed(session, sqlText, delegate, plan))
    }

  override def parseTableIdentifier(sqlText: String): TableIdentifier =
    DeltaTables.available
      .flatMap(_.identifierForApi(session, sqlText, delegate))
      .getOrElse(delegate.parseTableIdentifier(sqlText))
}
