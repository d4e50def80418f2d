package org.apache.spark.sql.gluecat.files.serde

import java.util
import scala.collection.mutable.ArrayBuffer

import com.fasterxml.jackson.core.{JsonParser, JsonToken}
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.catalyst.util.{ArrayBasedMapData, GenericArrayData}
import org.apache.spark.sql.types._

/** The values of columns of any type. The schema's depth bounds that of the calls, whatever the line's is. */
private[serde] final class JsonColumns(options: JsonSerDeOptions, times: JsonTimes) {

  private val scalars = new JsonScalars(options, times)

  /**
   * @throws IllegalArgumentException
   *   if such files hold no values of the type
   */
  def of(dataType: DataType): JsonValue = {
    val value = dataType match {
      case ArrayType(element, _)   => array(dataType, of(element))
      case MapType(key, values, _) => map(dataType, scalars.ofKey(key), of(values))
      case struct: StructType      => structure(struct)
      case _                       => scalars.of(dataType)
    }
    if (options.invalidAsNull) orNull(value) else value
  }

  private def orNull(value: JsonValue): JsonValue = parser =>
    try value.read(parser)
    catch { case _: InvalidJsonValue => null }

  private def array(dataType: DataType, element: JsonValue): JsonValue = parser =>
    if (parser.getCurrentToken == JsonToken.START_ARRAY) {
      val elements = ArrayBuffer.empty[Any]
      while (JsonLines.next(parser) != JsonToken.END_ARRAY) elements += orJsonNull(element, parser)
      new GenericArrayData(elements.toArray[Any])
    } else if (!options.dialect.coercions) InvalidJsonValue.fail(parser, dataType)
    else if (isText(parser, _.isEmpty)) null
    else new GenericArrayData(Array(element.read(parser)))

  private def map(dataType: DataType, key: String => Any, value: JsonValue): JsonValue = parser =>
    if (parser.getCurrentToken == JsonToken.START_OBJECT) {
      // The last one of a key counts.
      val entries = new util.LinkedHashMap[Any, Any]
      while (JsonLines.next(parser) != JsonToken.END_OBJECT) {
        val read = keyOf(parser, dataType, key)
        JsonLines.next(parser)
        val held = orJsonNull(value, parser)
        if (read != null) entries.put(read, held)
      }
      new ArrayBasedMapData(
        new GenericArrayData(entries.keySet.toArray.asInstanceOf[Array[Any]]),
        new GenericArrayData(entries.values.toArray.asInstanceOf[Array[Any]])
      )
    } else blankOrFail(parser, dataType)

  /** An entry whose key is invalid, and may be, is left out: a map has no NULL for a key. */
  private def keyOf(parser: JsonParser, dataType: DataType, key: String => Any): Any = {
    val name =
      if (options.dialect.foldsMapKeys) options.folded(parser.getText) else parser.getText
    try key(name)
    catch {
      case _: java.time.DateTimeException | _: IllegalArgumentException | _: ArithmeticException =>
        if (options.invalidAsNull) null else InvalidJsonValue.fail(parser, dataType)
    }
  }

  private def structure(struct: StructType): JsonValue = {
    val fields = new JsonFields(struct, struct, options, this)
    parser =>
      parser.getCurrentToken match {
        case JsonToken.START_OBJECT =>
          val row = new GenericInternalRow(struct.length)
          fields.fromObject(parser, row)
          row
        case JsonToken.START_ARRAY if options.dialect.arraysAsRows =>
          val row = new GenericInternalRow(struct.length)
          if (fields.fromArray(parser, row) == 0) null else row
        case _ => blankOrFail(parser, struct)
      }
  }

  private def blankOrFail(parser: JsonParser, dataType: DataType): Any =
    if (options.dialect.coercions && isText(parser, _.trim.isEmpty)) null
    else InvalidJsonValue.fail(parser, dataType)

  private def isText(parser: JsonParser, which: String => Boolean): Boolean =
    parser.getCurrentToken == JsonToken.VALUE_STRING && which(parser.getText)

  private def orJsonNull(value: JsonValue, parser: JsonParser): Any =
    if (parser.getCurrentToken == JsonToken.VALUE_NULL) null else value.read(parser)
}
