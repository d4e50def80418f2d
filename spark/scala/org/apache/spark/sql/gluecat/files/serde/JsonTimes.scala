package org.apache.spark.sql.gluecat.files.serde

import java.math.RoundingMode
import java.time.format.{DateTimeFormatter, DateTimeFormatterBuilder, ResolverStyle}
import java.time.temporal.{ChronoField, TemporalQueries}
import java.time.{DateTimeException, Instant, LocalDate, LocalTime, ZoneId, ZonedDateTime}
import java.util.Locale
import java.util.concurrent.TimeUnit

/**
 * Dates and timestamps of JSON lines.
 *
 * @throws IllegalArgumentException
 *   if one of the table's formats is no pattern
 */
private[serde] final class JsonTimes(options: JsonSerDeOptions, zone: ZoneId) {
  import JsonTimes._

  private val formats: Array[String => Long] = options.timestampFormats.map(ofPattern).toArray

  private def ofPattern(pattern: String): String => Long =
    if (pattern == "millis") text => TimeUnit.MILLISECONDS.toMicros(text.toLong)
    else {
      val formatter =
        try DateTimeFormatter.ofPattern(pattern, Locale.ROOT)
        catch {
          case e: IllegalArgumentException =>
            throw new IllegalArgumentException(
              s"timestamp.formats: $pattern is no pattern of java.time.format.DateTimeFormatter: ${e.getMessage}",
              e
            )
        }
      microsOf(formatter, _)
    }

  /**
   * Microseconds since 1970. A text without a zone is in the session's.
   *
   * @throws RuntimeException
   *   if it is no timestamp
   */
  def timestamp(text: String): Long = {
    var i = 0
    while (i < formats.length) {
      try return formats(i)(text)
      catch {
        // The next one may fit.
        case _: DateTimeException | _: NumberFormatException =>
      }
      i += 1
    }
    if (options.dialect.numericTimes && text.indexOf(':') < 0) ofNumber(text)
    else microsOf(Default, text)
  }

  /**
   * Days since 1970.
   *
   * @throws RuntimeException
   *   if it is no date
   */
  def date(text: String): Int =
    if (options.dialect.numericTimes && text.indexOf('-', 1) < 0) text.toInt
    else {
      val end = text.indexOf(' ')
      val day = if (end < 0) text else text.substring(0, end)
      Math.toIntExact(LocalDate.parse(day, Day).toEpochDay)
    }

  private def microsOf(formatter: DateTimeFormatter, text: String): Long = {
    // Not by parseBest, for which what the text has not is an exception each time.
    val parsed = formatter.parse(text)
    val day = parsed.query(TemporalQueries.localDate)
    if (day == null) throw new DateTimeException("no day")
    val time = parsed.query(TemporalQueries.localTime)
    val stated = parsed.query(TemporalQueries.zone)
    micros(
      ZonedDateTime
        .of(
          day,
          if (time == null) LocalTime.MIDNIGHT else time,
          if (stated == null) zone else stated
        )
        .toInstant
    )
  }

  private def ofNumber(text: String): Long =
    if (text.indexOf('.') >= 0) {
      val millis =
        JsonNumbers.integral(JsonNumbers.parse(text).scaleByPowerOfTen(3), RoundingMode.DOWN)
      Math.multiplyExact(millis, TimeUnit.MILLISECONDS.toMicros(1))
    } else {
      val number = text.toLong
      val unit = if (text.length >= MillisDigits) TimeUnit.MILLISECONDS else TimeUnit.SECONDS
      Math.multiplyExact(number, unit.toMicros(1))
    }

  private def micros(instant: Instant): Long = Math.addExact(
    Math.multiplyExact(instant.getEpochSecond, TimeUnit.SECONDS.toMicros(1)),
    TimeUnit.NANOSECONDS.toMicros(instant.getNano.toLong)
  )
}

private object JsonTimes {

  /** From this many characters on, openx takes a number for milliseconds. */
  private val MillisDigits = 13

  private val Day = DateTimeFormatter
    .ofPattern("uuuu-M-d", Locale.ROOT)
    .withResolverStyle(ResolverStyle.STRICT)

  private val Default = new DateTimeFormatterBuilder()
    .parseCaseInsensitive()
    .append(Day)
    .optionalStart()
    .appendPattern("[' ']['T']H:m")
    .optionalStart()
    .appendPattern(":s")
    .optionalStart()
    .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
    .optionalEnd()
    .optionalEnd()
    .appendPattern("[' '][XXX][XX][X]")
    .optionalEnd()
    .toFormatter(Locale.ROOT)
    .withResolverStyle(ResolverStyle.STRICT)
}
