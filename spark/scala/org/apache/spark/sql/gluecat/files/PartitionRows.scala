package org.apache.spark.sql.gluecat.files

import java.util

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.StructType

import io.github.sdaberdaku.gluecat.internal.PartitionFrame

/**
 * The values of listed partitions as rows of Spark. The same few texts are the values of many partitions, and turning
 * one into a value of the column's type takes longer than all else: each is turned once. Not thread-safe.
 */
private[files] final class PartitionRows(
    frame: PartitionFrame,
    schema: StructType,
    timeZone: String
) {

  private val seen = Array.fill(schema.size)(new util.HashMap[String, Any])

  def apply(index: Int): InternalRow = {
    val values = new Array[Any](schema.size)
    var column = 0
    while (column < values.length) {
      values(column) = value(column, frame.value(index, column))
      column += 1
    }
    new GenericInternalRow(values)
  }

  /** Whether all `filters` hold for a row; their columns are matched by name. */
  def predicate(filters: Seq[Expression]): InternalRow => Boolean =
    filters.reduceOption(And) match {
      case None => _ => true
      case Some(filter) =>
        val bound = Predicate.createInterpreted(filter.transform { case a: AttributeReference =>
          val index = schema.fieldIndex(a.name)
          BoundReference(index, schema(index).dataType, nullable = true)
        })
        bound.eval(_)
    }

  private def value(column: Int, text: String): Any = {
    val known = seen(column)
    val found = known.get(text)
    if (found != null || known.containsKey(text)) found
    else {
      val value = parse(column, text)
      known.put(text, value)
      value
    }
  }

  private def parse(column: Int, text: String): Any =
    if (text == ExternalCatalogUtils.DEFAULT_PARTITION_NAME) null
    else Cast(Literal(text), schema(column).dataType, Some(timeZone)).eval(InternalRow.empty)
}
