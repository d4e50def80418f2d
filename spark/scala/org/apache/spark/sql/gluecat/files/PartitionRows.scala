package org.apache.spark.sql.gluecat.files

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.{StringType, StructType}
import org.apache.spark.unsafe.types.UTF8String

import io.github.sdaberdaku.gluecat.internal.PartitionFrame

/**
 * The values of listed partitions as rows of Spark. Expressions that turn texts into values are made once for all
 * partitions: making them takes far longer than to evaluate them. Not thread-safe.
 */
private[files] final class PartitionRows(
    frame: PartitionFrame,
    schema: StructType,
    timeZone: String
) {

  private val text = new GenericInternalRow(1)
  private val casts = schema.fields.map { field =>
    Cast(BoundReference(0, StringType, nullable = false), field.dataType, Some(timeZone))
  }

  // Neighbours in a list share most of their values, as the same strings.
  private val lastTexts = new Array[String](schema.size)
  private val lastValues = new Array[Any](schema.size)

  def apply(index: Int): InternalRow = {
    val values = new Array[Any](schema.size)
    var column = 0
    while (column < values.length) {
      val found = frame.value(index, column)
      if (found ne lastTexts(column)) {
        lastValues(column) = value(column, found)
        lastTexts(column) = found
      }
      values(column) = lastValues(column)
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

  private def value(column: Int, found: String): Any =
    if (found == ExternalCatalogUtils.DEFAULT_PARTITION_NAME) null
    else {
      text.update(0, UTF8String.fromString(found))
      casts(column).eval(text)
    }
}
