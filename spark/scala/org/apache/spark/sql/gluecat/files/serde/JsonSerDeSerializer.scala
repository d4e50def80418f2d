package org.apache.spark.sql.gluecat.files.serde

import java.io.StringWriter
import java.util.Locale

import org.apache.hadoop.io.Text
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.json.{JSONOptions, JacksonGenerator}
import org.apache.spark.sql.types._

/**
 * Writes rows as a JSON SerDe does: by Spark's own writer, with the SerDe's names, times and NULLs. openx leaves NULL out
 * unless `explicit.null` is set, Hive writes it.
 *
 * @param className
 *   of the SerDe, one of those that [[JsonSerDeOptions.isJsonSerDe]] knows
 * @param parameters
 *   of the SerDe
 * @throws IllegalArgumentException
 *   if a column has a type that is not written
 */
private[sql] final class JsonSerDeSerializer(
    className: String,
    parameters: Map[String, String],
    columns: LineColumns
) extends LineSerializer {

  private val options = JsonSerDeOptions.of(className, parameters)
  private val buffer = new StringWriter
  private val generator = new JacksonGenerator(
    named(columns.data),
    buffer,
    new JSONOptions(
      Map(
        "ignoreNullFields" -> (!options.explicitNull).toString,
        "timestampFormat" -> "yyyy-MM-dd HH:mm:ss.SSSSSS",
        "dateFormat" -> "yyyy-MM-dd"
      ),
      columns.timeZone
    )
  )
  private val line = new Text

  override def serialize(row: InternalRow): Text = {
    buffer.getBuffer.setLength(0)
    generator.write(row)
    generator.flush()
    line.set(buffer.toString)
    line
  }

  override def header: Text =
    throw new UnsupportedOperationException("lines of JSON have no header")

  /** With the keys as names. */
  private def named(dataType: StructType): StructType = StructType(dataType.map { field =>
    field.copy(
      name = options.keys.getOrElse(
        field.name.toLowerCase(Locale.ROOT),
        field.name.toLowerCase(Locale.ROOT)
      ),
      dataType = written(field.dataType)
    )
  })

  private def written(dataType: DataType): DataType = dataType match {
    case struct: StructType => named(struct)
    case array: ArrayType   => array.copy(elementType = written(array.elementType))
    case map: MapType =>
      map.keyType match {
        case DateType | TimestampType | BinaryType | _: ArrayType | _: StructType =>
          refuse(s"keys of type ${map.keyType.catalogString}")
        case _ => map.copy(valueType = written(map.valueType))
      }
    case BinaryType if !options.dialect.base64 => refuse("bytes that need not be text")
    case other                                 => other
  }

  private def refuse(what: String): Nothing =
    throw new IllegalArgumentException(s"lines of $className cannot hold $what")
}
