package org.apache.spark.sql.gluecat.files.serde

import java.util

import com.fasterxml.jackson.core.{JsonParser, JsonToken}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.StructType

/**
 * The fields of a struct, or the columns of a row.
 *
 * @param all
 *   in the order of the elements of an array that stands for them
 * @param required
 *   those that are read, which are the row's
 */
private[serde] final class JsonFields(
    all: StructType,
    required: StructType,
    options: JsonSerDeOptions,
    columns: JsonColumns
) {
  import JsonFields._

  private val values: Array[JsonValue] = required.map(field => columns.of(field.dataType)).toArray

  private val byOrdinal: Array[Int] =
    all.map(field => required.fieldNames.indexOf(field.name)).toArray

  private val byKey: Map[String, Int] = indexes(name => options.folded(options.keyOf(name)))

  /** By a key with underscores for dots, which a mapping does not change. */
  private val byUndottedKey: Map[String, Int] =
    if (options.dotsAsUnderscores) indexes(options.folded) else Map.empty

  /** Where the keys seen so far belong: lines mostly have the same ones. */
  private val known = new util.HashMap[String, Place]

  /** Which fields of the current object came with their own key, which counts more than one with dots. */
  private val named = new Array[Boolean](values.length)

  private var current = 0

  /** The field that is being read, for messages. */
  def currentName: String = required.fieldNames(current)

  /** Reads the object that has begun into `row`, whose fields are NULL. Of a key that comes twice the last one counts. */
  def fromObject(parser: JsonParser, row: InternalRow): Unit = {
    util.Arrays.fill(named, false)
    while (JsonLines.next(parser) != JsonToken.END_OBJECT) {
      val place = placeOf(parser.getText)
      JsonLines.next(parser)
      if (place.field < 0 || (place.dotted && named(place.field))) parser.skipChildren()
      else {
        // Before the value, in which another object of this very struct cannot be: schemas are trees.
        named(place.field) = !place.dotted
        readInto(parser, row, place.field)
      }
    }
  }

  /**
   * Reads the array that has begun in the same way.
   *
   * @return
   *   how many elements it has
   */
  def fromArray(parser: JsonParser, row: InternalRow): Int = {
    var ordinal = 0
    while (JsonLines.next(parser) != JsonToken.END_ARRAY) {
      val field = ofOrdinal(ordinal)
      if (field < 0) parser.skipChildren() else readInto(parser, row, field)
      ordinal += 1
    }
    ordinal
  }

  private def readInto(parser: JsonParser, row: InternalRow, field: Int): Unit = {
    current = field
    if (parser.getCurrentToken == JsonToken.VALUE_NULL) row.setNullAt(field)
    else row.update(field, values(field).read(parser))
  }

  private def placeOf(key: String): Place = {
    val found = known.get(key)
    if (found != null) found
    else {
      val place = find(key)
      if (known.size < MaxKnown) known.put(key, place)
      place
    }
  }

  private def find(key: String): Place = {
    val folded = options.folded(key)
    byKey.get(folded).map(Place(_, dotted = false))
      .orElse(byUndottedKey.get(folded.replace('.', '_')).map(Place(_, dotted = true)))
      .getOrElse(Place(positional(folded), dotted = false))
  }

  private def positional(key: String): Int = key match {
    case Positional(ordinal) if options.dialect.positionalNames => ofOrdinal(ordinal.toInt)
    case _                                                      => Absent
  }

  private def ofOrdinal(ordinal: Int): Int =
    if (ordinal < byOrdinal.length) byOrdinal(ordinal) else Absent

  private def indexes(keyOf: String => String): Map[String, Int] =
    required.fieldNames.zipWithIndex.map { case (name, i) => keyOf(name) -> i }.toMap
}

private object JsonFields {

  /**
   * @param field
   *   negative if nobody asks for it
   * @param dotted
   *   the key is the field's name but for its dots
   */
  private final case class Place(field: Int, dotted: Boolean)

  private val Absent = -1

  /** Keys may be data, and then there is no end of them. */
  private val MaxKnown = 4096

  private val Positional = "_col([0-9]{1,5})".r
}
