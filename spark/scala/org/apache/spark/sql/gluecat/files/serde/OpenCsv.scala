package org.apache.spark.sql.gluecat.files.serde

import java.util.concurrent.TimeUnit

import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/**
 * The types of OpenCSVSerde's columns. The SerDe itself has only strings; an entry's types are those of Athena, which says
 * how values are written: https://docs.aws.amazon.com/athena/latest/ug/csv-serde.html
 */
private[sql] object OpenCsv {

  def isSerDe(className: String): Boolean =
    className == "org.apache.hadoop.hive.serde2.OpenCSVSerde"

  /**
   * How the text of a column becomes its value. What is none of its type, the empty text included, is an error as in
   * Athena, or NULL where the table has `use.null.for.invalid.data`.
   *
   * @throws io.github.sdaberdaku.gluecat.GlueCatalogException
   *   if the column has a type that such a file cannot hold
   */
  def reader(column: StructField, settings: SerDeSettings): Any => Any = {
    val value = valueOf(column, settings)
    val lenient = nullForInvalid(settings)
    text =>
      if (text == null) null
      else
        try value(text.asInstanceOf[UTF8String])
        catch {
          case e: IllegalArgumentException =>
            if (lenient) null
            else
              throw new IllegalArgumentException(
                s"'$text' in column ${column.name} is no ${column.dataType.catalogString}",
                e
              )
        }
  }

  private def valueOf(column: StructField, settings: SerDeSettings): UTF8String => Any =
    column.dataType match {
      case StringType  => identity
      case ByteType    => _.toString.toByte
      case ShortType   => _.toString.toShort
      case IntegerType => _.toString.toInt
      case LongType    => _.toString.toLong
      case FloatType   => _.toString.toFloat
      case DoubleType  => _.toString.toDouble
      case BooleanType => text => text.toString.toBoolean
      case decimal: DecimalType =>
        text =>
          val value = Decimal(new java.math.BigDecimal(text.toString))
          if (value.changePrecision(decimal.precision, decimal.scale)) value
          else throw new NumberFormatException("too large")
      case DateType => _.toString.toInt
      case TimestampType =>
        text => TimeUnit.MILLISECONDS.toMicros(text.toString.toLong)
      case _ => refuse(column, settings)
    }

  /**
   * The text of a value, as [[reader]] reads it. Of times, milliseconds are left. A string that is NULL becomes the empty
   * one, which is all that the SerDe can write; for other types that would be unreadable, and is an error.
   *
   * @throws io.github.sdaberdaku.gluecat.GlueCatalogException
   *   if the column has a type that such a file cannot hold
   */
  def writer(column: StructField, settings: SerDeSettings): Any => Any = {
    val text: Any => Any = column.dataType match {
      case StringType => identity
      case TimestampType =>
        micros => Math.floorDiv(micros.asInstanceOf[Long], TimeUnit.MILLISECONDS.toMicros(1))
      case _: ArrayType | _: MapType | _: StructType | BinaryType => refuse(column, settings)
      case _                                                      => identity
    }
    val nullable = column.dataType == StringType || nullForInvalid(settings)
    value =>
      if (value != null) UTF8String.fromString(text(value).toString)
      else if (nullable) null
      else
        throw new IllegalArgumentException(
          s"table ${settings.table}: column ${column.name} of type ${column.dataType.catalogString} is NULL in a row, " +
            "which files of OpenCSVSerde can only hold as a string"
        )
  }

  private def nullForInvalid(settings: SerDeSettings): Boolean =
    settings.parameters.get("use.null.for.invalid.data").exists(_.equalsIgnoreCase("true"))

  private def refuse(column: StructField, settings: SerDeSettings): Nothing =
    SerDes.refuse(
      settings,
      s"has the column ${column.name} of type ${column.dataType.catalogString}, which files of OpenCSVSerde cannot hold"
    )
}
