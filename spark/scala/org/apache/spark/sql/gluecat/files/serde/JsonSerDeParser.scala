package org.apache.spark.sql.gluecat.files.serde

import java.time.ZoneId

import com.fasterxml.jackson.core.{
  JsonParseException,
  JsonParser,
  JsonProcessingException,
  JsonToken
}
import org.apache.hadoop.io.Text
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow

/**
 * Reads lines as a JSON SerDe does, which Spark's `json` does not: keys in any case, coercions, arrays as rows, empty lines,
 * what is an error and what is NULL.
 *
 * @param className
 *   of the SerDe, one of those that [[JsonSerDeOptions.isJsonSerDe]] knows
 * @param parameters
 *   of the SerDe
 * @throws IllegalArgumentException
 *   if a column has a type that such files do not hold, or a format of timestamps is none
 */
private[sql] final class JsonSerDeParser(
    className: String,
    parameters: Map[String, String],
    columns: LineColumns
) extends LineParser {

  private val options = JsonSerDeOptions.of(className, parameters)
  private val factory = JsonLines.factory(options.dialect)
  private val fields = {
    val times = new JsonTimes(options, ZoneId.of(columns.timeZone, ZoneId.SHORT_IDS))
    new JsonFields(columns.data, columns.required, options, new JsonColumns(options, times))
  }
  private val row = new GenericInternalRow(columns.required.length)

  override def parse(line: Text): InternalRow = {
    setNull()
    if (!options.dialect.nullLines || begins(line)) {
      val parser = factory.createParser(line.getBytes, 0, line.getLength)
      try read(parser)
      catch {
        case e: JsonProcessingException =>
          if (!options.ignoreMalformed) throw malformed(e)
          setNull()
        case e: InvalidJsonValue =>
          throw new IllegalArgumentException(s"column ${fields.currentName}: ${e.getMessage}", e)
      } finally parser.close()
    }
    row
  }

  /** Text after the end of the row does not count. */
  private def read(parser: JsonParser): Unit = parser.nextToken() match {
    case JsonToken.START_OBJECT                                => fields.fromObject(parser, row)
    case JsonToken.START_ARRAY if options.dialect.arraysAsRows => fields.fromArray(parser, row)
    case other =>
      throw new JsonParseException(
        parser,
        if (other == null) "the line is empty" else "the line is no object"
      )
  }

  private def malformed(e: JsonProcessingException): RuntimeException = {
    val where = Option(e.getLocation).fold("")(at => s" at byte ${at.getColumnNr}")
    // Without Jackson's exception as its cause: that quotes as much of the line as it likes.
    new IllegalArgumentException(
      s"malformed JSON$where of the line: ${InvalidJsonValue.shortened(e.getOriginalMessage)}"
    )
  }

  /** Whether an object or an array begins; what else a line may be is NULL to openx. */
  private def begins(line: Text): Boolean = {
    val bytes = line.getBytes
    var i = 0
    while (i < line.getLength && bytes(i) >= 0 && bytes(i) <= ' ') i += 1
    i < line.getLength && (bytes(i) == '{' || bytes(i) == '[')
  }

  private def setNull(): Unit = {
    var i = 0
    while (i < row.numFields) {
      row.setNullAt(i)
      i += 1
    }
  }
}
