package org.apache.spark.sql.gluecat.files.serde

import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.gluecat.TableDescription

import io.github.sdaberdaku.gluecat.internal.Json

/**
 * How the lines of text files are read: the options of provider `hive-text`, which docs/waist.md describes.
 *
 * @param table
 *   for messages
 * @param className
 *   of the SerDe
 * @param parameters
 *   of the SerDe, with those of the table that count for it
 * @param headerLines
 *   how many lines at the beginning of each file are no rows
 * @param footerLines
 *   the same at its end
 * @param lineDelimiter
 *   what ends a line, if not a line feed, a carriage return or both
 */
private[sql] final case class SerDeSettings(
    table: String,
    className: String,
    parameters: Map[String, String],
    headerLines: Int,
    footerLines: Int,
    lineDelimiter: Option[String]
)

private[sql] object SerDeSettings {

  /** @throws IllegalArgumentException if there is no SerDe among the options */
  def of(options: Map[String, String]): SerDeSettings = {
    val stated = CaseInsensitiveMap(options)
    SerDeSettings(
      table = stated.getOrElse("table", ""),
      className = stated.getOrElse(
        "serde",
        throw new IllegalArgumentException(
          s"provider ${TextSerDeFormat.Name} is for tables whose entry names a SerDe; there is no option 'serde'"
        )
      ),
      parameters = stated
        .get("serde.parameters")
        .map(text => TableDescription.stringMap(Json.parse(text)))
        .getOrElse(Map.empty),
      headerLines = headerLines(stated),
      footerLines = footerLines(stated),
      lineDelimiter = stated.get("line.delimiter")
    )
  }

  /** Without the other settings: it is asked of every file. */
  def headerLines(options: Map[String, String]): Int = lines(options, "header.lines")

  def footerLines(options: Map[String, String]): Int = lines(options, "footer.lines")

  private def lines(options: Map[String, String], name: String): Int =
    CaseInsensitiveMap(options).get(name).fold(0)(_.toInt)
}
