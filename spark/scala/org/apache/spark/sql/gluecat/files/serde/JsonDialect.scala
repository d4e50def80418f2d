package org.apache.spark.sql.gluecat.files.serde

import java.util.Locale

/**
 * What the SerDes of JSON lines do differently. The classes are https://github.com/rcongiu/Hive-JSON-Serde and Hive's own;
 * what openx lacks, its types DATE, DECIMAL and BINARY among it, is as Athena and Trino have it. docs/file-tables.md shows
 * the rules side by side.
 *
 * @param lenientSyntax
 *   single quotes, names without quotes, comments, missing elements of arrays
 * @param nullLines
 *   a line that does not begin as an object or an array, an empty one among them, is a row of NULLs and not malformed
 * @param arraysAsRows
 *   the elements of an array are the columns of a row, or the fields of a struct, in their order
 * @param coercions
 *   a text is read as the type of the column, anything is text where the column is, and one value is an array of one
 * @param numericTimes
 *   numbers are timestamps in seconds, or in milliseconds from 13 digits on, and dates in days
 * @param positionalNames
 *   a key `_col3` that names no column is the fourth
 * @param foldsMapKeys
 *   what makes keys of any case the columns' counts for keys of maps too: they become lower case
 * @param base64
 *   BINARY is in Base64, else the text's own bytes
 */
private[serde] final case class JsonDialect(
    lenientSyntax: Boolean,
    nullLines: Boolean,
    arraysAsRows: Boolean,
    coercions: Boolean,
    numericTimes: Boolean,
    positionalNames: Boolean,
    foldsMapKeys: Boolean,
    base64: Boolean
)

private[serde] object JsonDialect {

  val OpenX: JsonDialect = JsonDialect(
    lenientSyntax = true,
    nullLines = true,
    arraysAsRows = true,
    coercions = true,
    numericTimes = true,
    positionalNames = false,
    foldsMapKeys = true,
    base64 = true
  )

  val Hive: JsonDialect = JsonDialect(
    lenientSyntax = false,
    nullLines = false,
    arraysAsRows = false,
    coercions = false,
    numericTimes = false,
    positionalNames = true,
    foldsMapKeys = false,
    base64 = false
  )
}

/**
 * The dialect and the parameters of a JSON SerDe.
 *
 * @param ignoreMalformed
 *   a malformed line is a row of NULLs, else an error
 * @param invalidAsNull
 *   a value that is none of its column's type is NULL, else an error
 * @param caseInsensitive
 *   keys of any case are the columns'
 * @param dotsAsUnderscores
 *   a key `a.b` is the column `a_b` if no key is named so
 * @param explicitNull
 *   NULL is written, else left out
 * @param keys
 *   of columns whose key is another than their name, by the columns' names in lower case
 * @param timestampFormats
 *   patterns that are tried before the SerDe's own
 */
private[serde] final case class JsonSerDeOptions(
    dialect: JsonDialect,
    ignoreMalformed: Boolean,
    invalidAsNull: Boolean,
    caseInsensitive: Boolean,
    dotsAsUnderscores: Boolean,
    explicitNull: Boolean,
    keys: Map[String, String],
    timestampFormats: Seq[String]
) {

  /** The key of the column or the field `name`. */
  def keyOf(name: String): String =
    keys.getOrElse(name.toLowerCase(Locale.ROOT), name)

  /** A key as it is compared. */
  def folded(key: String): String = if (caseInsensitive) key.toLowerCase(Locale.ROOT) else key
}

private[sql] object JsonSerDeOptions {

  private val OpenXClass = "org.openx.data.jsonserde.JsonSerDe"
  private val HCatalogClass = "org.apache.hive.hcatalog.data.JsonSerDe"
  private val HiveClass = "org.apache.hadoop.hive.serde2.JsonSerDe"
  private val Mapping = "mapping."

  /** Whether lines of this SerDe are read here, without the class. */
  def isJsonSerDe(className: String): Boolean =
    className == OpenXClass || className == HCatalogClass || className == HiveClass

  /**
   * @param className
   *   one of those that [[isJsonSerDe]] knows
   * @param parameters
   *   of the SerDe: `ignore.malformed.json`, `use.null.for.invalid.data` and `timestamp.formats` of each; of openx also
   *   `case.insensitive`, `dots.in.keys`, `explicit.null` and `mapping.<column>`; of Hive 3 also `json.binary.format`
   */
  private[serde] def of(className: String, parameters: Map[String, String]): JsonSerDeOptions = {
    def flag(name: String, default: Boolean): Boolean =
      parameters.get(name).fold(default)(_.trim.equalsIgnoreCase("true"))
    val openX = className == OpenXClass
    val rawBinary =
      parameters.get("json.binary.format").exists(_.trim.equalsIgnoreCase("rawstring"))
    JsonSerDeOptions(
      dialect =
        if (openX) JsonDialect.OpenX
        else JsonDialect.Hive.copy(base64 = className == HiveClass && !rawBinary),
      ignoreMalformed = flag("ignore.malformed.json", default = false),
      invalidAsNull = flag("use.null.for.invalid.data", default = false),
      caseInsensitive = !openX || flag("case.insensitive", default = true),
      dotsAsUnderscores = openX && flag("dots.in.keys", default = false),
      explicitNull = !openX || flag("explicit.null", default = false),
      keys =
        if (openX) {
          parameters.collect {
            case (name, key) if name.startsWith(Mapping) =>
              name.substring(Mapping.length).toLowerCase(Locale.ROOT) -> key
          }
        } else Map.empty,
      timestampFormats = parameters
        .get("timestamp.formats")
        .toSeq
        .flatMap(_.split(','))
        .map(_.trim)
        .filter(_.nonEmpty)
    )
  }
}
