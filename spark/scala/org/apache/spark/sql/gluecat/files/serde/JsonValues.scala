package org.apache.spark.sql.gluecat.files.serde

import java.io.StringWriter
import java.nio.charset.StandardCharsets
import java.util.Base64
import scala.util.control.NoStackTrace

import com.fasterxml.jackson.core.{JsonGenerator, JsonParser, JsonToken}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/**
 * Reads the value at which a parser stands, and leaves it at the value's last token. JSON's null is the caller's.
 *
 * @throws InvalidJsonValue
 *   if it is no value of the type; the parser is at the value's last token then too
 */
private[serde] trait JsonValue {
  def read(parser: JsonParser): Any
}

/** A value that is none of its column's type. */
private[serde] final class InvalidJsonValue(message: String)
    extends IllegalArgumentException(message)
    with NoStackTrace

private[serde] object InvalidJsonValue {

  private val MaxShown = 100

  /** Fails, with what was read and where it begins, and skips what is left of it. */
  def fail(parser: JsonParser, dataType: DataType): Nothing = {
    val where = parser.getTokenLocation.getColumnNr
    val what = parser.getCurrentToken match {
      case JsonToken.START_OBJECT => "an object"
      case JsonToken.START_ARRAY  => "an array"
      case _                      => s"'${shortened(parser.getText)}'"
    }
    parser.skipChildren()
    throw new InvalidJsonValue(s"$what at byte $where of the line is no ${dataType.catalogString}")
  }

  /** So much of a text as a message may show: data are not for logs. */
  def shortened(text: String): String =
    if (text.length <= MaxShown) text else text.substring(0, MaxShown) + "..."
}

/** The values of scalar columns. */
private[serde] final class JsonScalars(options: JsonSerDeOptions, times: JsonTimes) {

  private val coercions = options.dialect.coercions

  /**
   * @throws IllegalArgumentException
   *   if such files hold no values of the type
   */
  def of(dataType: DataType): JsonValue = dataType match {
    case StringType    => string
    case BooleanType   => boolean
    case BinaryType    => scalar(BinaryType, binary)
    case DateType      => scalar(DateType, parser => times.date(parser.getText))
    case TimestampType => scalar(TimestampType, parser => times.timestamp(parser.getText))
    case decimal: DecimalType =>
      scalar(decimal, parser => JsonNumbers.decimal(JsonNumbers.parse(parser.getText), decimal))
    case ByteType =>
      scalar(ByteType, parser => within(integer(parser), Byte.MinValue, Byte.MaxValue).toByte)
    case ShortType =>
      scalar(ShortType, parser => within(integer(parser), Short.MinValue, Short.MaxValue).toShort)
    case IntegerType => scalar(IntegerType, parser => Math.toIntExact(integer(parser)))
    case LongType    => scalar(LongType, integer)
    case FloatType   => scalar(FloatType, parser => floating(parser).toFloat)
    case DoubleType  => scalar(DoubleType, parser => floating(parser).toDouble)
    case other =>
      throw new IllegalArgumentException(
        s"files of a JSON SerDe hold no values of type ${other.catalogString}"
      )
  }

  /** The same of a key, which is always text. */
  def ofKey(dataType: DataType): String => Any = dataType match {
    case StringType           => UTF8String.fromString
    case BooleanType          => _.equalsIgnoreCase("true")
    case DateType             => times.date
    case TimestampType        => times.timestamp
    case decimal: DecimalType => key => JsonNumbers.decimal(JsonNumbers.parse(key), decimal)
    case ByteType => key => within(JsonNumbers.integer(key), Byte.MinValue, Byte.MaxValue).toByte
    case ShortType =>
      key => within(JsonNumbers.integer(key), Short.MinValue, Short.MaxValue).toShort
    case IntegerType => key => Math.toIntExact(JsonNumbers.integer(key))
    case LongType    => JsonNumbers.integer
    case FloatType   => _.toFloat
    case DoubleType  => _.toDouble
    case other =>
      throw new IllegalArgumentException(
        s"maps in files of a JSON SerDe have no keys of type ${other.catalogString}"
      )
  }

  private def scalar(dataType: DataType, convert: JsonParser => Any): JsonValue = parser => {
    if (parser.getCurrentToken.isStructStart) InvalidJsonValue.fail(parser, dataType)
    try convert(parser)
    catch {
      case _: java.time.DateTimeException | _: IllegalArgumentException | _: ArithmeticException =>
        InvalidJsonValue.fail(parser, dataType)
    }
  }

  /** Whatever is not true is false, to both SerDes. */
  private val boolean: JsonValue = parser =>
    if (parser.getCurrentToken.isStructStart) {
      if (!coercions) InvalidJsonValue.fail(parser, BooleanType)
      parser.skipChildren()
      false
    } else parser.getText.equalsIgnoreCase("true")

  private val string: JsonValue = parser =>
    if (!parser.getCurrentToken.isStructStart) UTF8String.fromString(parser.getText)
    else if (coercions) UTF8String.fromString(JsonText.of(parser))
    else InvalidJsonValue.fail(parser, StringType)

  private def binary(parser: JsonParser): Array[Byte] =
    if (!options.dialect.base64) parser.getText.getBytes(StandardCharsets.UTF_8)
    else if (parser.getCurrentToken == JsonToken.VALUE_STRING) {
      Base64.getDecoder.decode(parser.getText)
    } else throw new IllegalArgumentException("not quoted")

  private def integer(parser: JsonParser): Long = parser.getCurrentToken match {
    case JsonToken.VALUE_NUMBER_INT =>
      if (parser.getNumberType == JsonParser.NumberType.BIG_INTEGER) {
        throw new ArithmeticException("too large")
      }
      parser.getLongValue
    case JsonToken.VALUE_NUMBER_FLOAT => JsonNumbers.integer(parser.getText)
    case _                            => JsonNumbers.integer(coerced(parser))
  }

  private def floating(parser: JsonParser): String =
    if (parser.getCurrentToken.isNumeric) parser.getText else coerced(parser)

  private def coerced(parser: JsonParser): String =
    if (coercions) parser.getText else throw new NumberFormatException("not a number")

  private def within(number: Long, least: Long, most: Long): Long =
    if (number < least || number > most) throw new ArithmeticException("too large") else number
}

/** Objects and arrays as the text that columns of strings show. */
private[serde] object JsonText {

  /** Without white space; numbers as they are written in the line. */
  def of(parser: JsonParser): String = {
    val text = new StringWriter
    val generator = JsonLines.generator(text)
    copy(parser, generator)
    var depth = 1
    while (depth > 0) {
      val token = JsonLines.next(parser)
      if (token.isStructStart) depth += 1 else if (token.isStructEnd) depth -= 1
      copy(parser, generator)
    }
    generator.close()
    text.toString
  }

  private def copy(parser: JsonParser, generator: JsonGenerator): Unit =
    parser.getCurrentToken match {
      case JsonToken.VALUE_NUMBER_INT | JsonToken.VALUE_NUMBER_FLOAT =>
        generator.writeNumber(parser.getText)
      case _ => generator.copyCurrentEvent(parser)
    }
}
