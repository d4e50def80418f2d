package org.apache.spark.sql.gluecat.files.serde

import java.math.{BigDecimal, RoundingMode}

import org.apache.spark.sql.types.{Decimal, DecimalType}

/** Numbers of JSON lines, whose exponents and lengths are anybody's choice. */
private[serde] object JsonNumbers {

  /** As many as Jackson lets a number without quotes have: the time of the conversion grows with their square. */
  private val MaxCharacters = 1000

  /** @throws NumberFormatException if it is no number */
  def parse(text: String): BigDecimal =
    if (text.length > MaxCharacters) throw new NumberFormatException("too long")
    else new BigDecimal(text)

  /**
   * An integer of any width as openx reads it: `0x` begins a hexadecimal number, and what follows the decimal point is
   * dropped.
   *
   * @throws NumberFormatException
   *   if it is no number
   * @throws ArithmeticException
   *   if it is too large
   */
  def integer(text: String): Long =
    if (text.startsWith("0x") || text.startsWith("0X")) {
      if (text.startsWith("-", 2) || text.startsWith("+", 2)) throw new NumberFormatException(text)
      java.lang.Long.parseLong(text.substring(2), 16)
    } else if (isInteger(text)) text.toLong
    else integral(parse(text), RoundingMode.DOWN)

  private def isInteger(text: String): Boolean =
    text.length < 19 && text.nonEmpty && {
      var i = if (text.charAt(0) == '-' && text.length > 1) 1 else 0
      while (i < text.length && text.charAt(i) >= '0' && text.charAt(i) <= '9') i += 1
      i == text.length
    }

  /**
   * @throws ArithmeticException
   *   if it is too large
   */
  def integral(number: BigDecimal, rounding: RoundingMode): Long = {
    requireDigits(number, 19)
    rescaled(number, 0, rounding).longValueExact
  }

  /**
   * Rounded half up to the type's scale.
   *
   * @throws ArithmeticException
   *   if it is too large
   */
  def decimal(number: BigDecimal, dataType: DecimalType): Decimal = {
    requireDigits(number, dataType.precision)
    val scaled = rescaled(number, dataType.scale, RoundingMode.HALF_UP)
    if (scaled.precision > dataType.precision) throw new ArithmeticException("too large")
    Decimal(scaled, dataType.precision, dataType.scale)
  }

  /** `1e999999999` has as many digits when it is written out. */
  private def requireDigits(number: BigDecimal, digits: Int): Unit =
    if (number.signum != 0 && number.precision.toLong - number.scale > digits) {
      throw new ArithmeticException("too large")
    }

  /** `1e-999999999` is 0 at any scale that a type has, and not worth a division by that power of ten. */
  private def rescaled(number: BigDecimal, scale: Int, rounding: RoundingMode): BigDecimal =
    if (number.signum == 0 || number.scale.toLong - number.precision > scale) {
      BigDecimal.ZERO.setScale(scale)
    } else number.setScale(scale, rounding)
}
