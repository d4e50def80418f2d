package org.apache.spark.sql.gluecat.files

import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

import io.github.sdaberdaku.gluecat.internal.Json

/**
 * Catalyst filters on partition columns as predicates of docs/waist.md.
 *
 * The core may answer with more partitions than match, never with fewer: what cannot be said is left out where that only
 * widens the answer (under AND), and gives up the whole term where it would narrow it (under OR and NOT). Spark's own
 * evaluation follows in every case.
 */
private[files] final class PartitionPredicates(partitionSchema: StructType, timeZone: String) {

  /** The predicate for the conjunction of `filters`; None if none of them can be said. */
  def translate(filters: Seq[Expression]): Option[ObjectNode] =
    combine("and", filters.flatMap(widened))

  /** Holds for at least what `filter` holds for. */
  private def widened(filter: Expression): Option[ObjectNode] = filter match {
    case And(left, right) => combine("and", Seq(left, right).flatMap(widened))
    case Or(left, right) =>
      for (l <- widened(left); r <- widened(right); both <- combine("or", Seq(l, r))) yield both
    case other => exact(other)
  }

  private def exact(filter: Expression): Option[ObjectNode] = filter match {
    case EqualTo(Column(c), Value(v))               => Some(comparison("=", c, v))
    case EqualTo(Value(v), Column(c))               => Some(comparison("=", c, v))
    case EqualNullSafe(Column(c), Value(v))         => Some(comparison("=", c, v))
    case EqualNullSafe(Value(v), Column(c))         => Some(comparison("=", c, v))
    case EqualNullSafe(Column(c), Literal(null, _)) => Some(test("is_null", c))
    case Not(EqualTo(Column(c), Value(v)))          => Some(comparison("<>", c, v))
    case Not(EqualTo(Value(v), Column(c)))          => Some(comparison("<>", c, v))
    case LessThan(Column(c), Value(v))              => Some(comparison("<", c, v))
    case LessThan(Value(v), Column(c))              => Some(comparison(">", c, v))
    case LessThanOrEqual(Column(c), Value(v))       => Some(comparison("<=", c, v))
    case LessThanOrEqual(Value(v), Column(c))       => Some(comparison(">=", c, v))
    case GreaterThan(Column(c), Value(v))           => Some(comparison(">", c, v))
    case GreaterThan(Value(v), Column(c))           => Some(comparison("<", c, v))
    case GreaterThanOrEqual(Column(c), Value(v))    => Some(comparison(">=", c, v))
    case GreaterThanOrEqual(Value(v), Column(c))    => Some(comparison("<=", c, v))
    case In(Column(c), items) =>
      val values = items.collect { case Value(v) => v }
      if (values.size == items.size) Some(in(c, values)) else None
    case InSet(Column(c), items) if !items.contains(null) =>
      val dataType = partitionSchema(c).dataType
      Some(in(c, items.toSeq.map(v => text(Literal(v, dataType)))))
    case IsNull(Column(c))               => Some(test("is_null", c))
    case IsNotNull(Column(c))            => Some(test("is_not_null", c))
    case StartsWith(Column(c), Value(v)) => Some(comparison("starts_with", c, v))
    case _                               => None
  }

  /** A partition column of a type whose text form the core orders as Spark does. */
  private object Column {
    def unapply(e: Expression): Option[String] = e match {
      case a: AttributeReference if a.dataType == StringType => known(a.name)
      case a: AttributeReference =>
        a.dataType match {
          case ByteType | ShortType | IntegerType | LongType | DateType | BooleanType =>
            known(a.name)
          case _: DecimalType => known(a.name)
          case _              => None
        }
      case _ => None
    }

    private def known(name: String): Option[String] =
      partitionSchema.fields.find(_.name == name).map(_.name)
  }

  private object Value {
    def unapply(e: Expression): Option[String] = e match {
      case Literal(null, _) => None
      case literal: Literal => Some(text(literal))
      case _                => None
    }
  }

  private def text(literal: Literal): String =
    Cast(literal, StringType, Some(timeZone)).eval(InternalRow.empty).toString

  private def comparison(op: String, column: String, value: String): ObjectNode =
    test(op, column).put("value", value)

  private def test(op: String, column: String): ObjectNode =
    Json.`object`().put("op", op).put("column", column)

  private def in(column: String, values: Seq[String]): ObjectNode = {
    val json = test("in", column)
    val array = json.putArray("values")
    values.foreach(v => array.add(v))
    json
  }

  private def combine(op: String, terms: Seq[ObjectNode]): Option[ObjectNode] = terms match {
    case Seq()       => None
    case Seq(single) => Some(single)
    case several =>
      val json = Json.`object`().put("op", op)
      val array = json.putArray("args")
      several.foreach(t => array.add(t))
      Some(json)
  }

}
