package org.apache.spark.sql.gluecat.files

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral
import org.apache.spark.sql.catalyst.expressions._

/** What an overwrite replaces. */
private[files] sealed trait OverwriteScope

private[files] object OverwriteScope {

  case object WholeTable extends OverwriteScope

  /**
   * The partitions for which all `filters` hold.
   *
   * @param fixed
   *   the columns that the filters fix to one value, in Glue's text form
   * @param onlyFixed
   *   whether `fixed` says all that the filters say
   */
  final case class Matching(
      filters: Seq[Expression],
      fixed: Map[String, String],
      onlyFixed: Boolean
  ) extends OverwriteScope

  private object And extends PredicateHelper {
    def conjuncts(e: Expression): Seq[Expression] = splitConjunctivePredicates(e)
  }

  /** The scope of the condition of an overwrite; None if it speaks of anything but partition columns. */
  def of(condition: Expression, table: GlueFileTable): Option[OverwriteScope] = condition match {
    case TrueLiteral => Some(WholeTable)
    case other =>
      val columns = table.entry.partitionColumnNames.toSet
      val filters = And.conjuncts(other).filterNot(_ == TrueLiteral)
      val sayable = filters.forall { f =>
        f.deterministic && f.references.nonEmpty && f.references.forall(a => columns(a.name)) &&
        !SubqueryExpression.hasSubquery(f)
      }
      if (!sayable) None
      else if (filters.isEmpty) Some(WholeTable)
      else {
        val fixed = filters.map(fixedValue)
        Some(Matching(filters, fixed.flatten.toMap, fixed.forall(_.isDefined)))
      }
  }

  private def fixedValue(filter: Expression): Option[(String, String)] = filter match {
    case EqualNullSafe(a: Attribute, value) => constant(a, value, nullSafe = true)
    case EqualNullSafe(value, a: Attribute) => constant(a, value, nullSafe = true)
    case EqualTo(a: Attribute, value)       => constant(a, value, nullSafe = false)
    case EqualTo(value, a: Attribute)       => constant(a, value, nullSafe = false)
    case _                                  => None
  }

  private def constant(
      column: Attribute,
      value: Expression,
      nullSafe: Boolean
  ): Option[(String, String)] =
    if (!value.foldable || value.dataType != column.dataType) None
    else {
      val result = value.eval(InternalRow.empty)
      if (result == null && !nullSafe) None
      else Some(column.name -> PartitionText.of(result, column.dataType))
    }
}
