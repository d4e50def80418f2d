package org.apache.spark.sql.hive.gluecat

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorUtils.ObjectInspectorCopyOption
import org.apache.hadoop.hive.serde2.objectinspector.{ObjectInspectorUtils, StructObjectInspector}
import org.apache.hadoop.hive.serde2.{Deserializer, Serializer}
import org.apache.hadoop.io.{BytesWritable, Text}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.gluecat.files.serde.{
  LineColumns,
  LineSerializer,
  OpenCsv,
  SerDeSettings,
  SerDes
}
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.types.{DataType, StringType, StructField, StructType}
import org.apache.spark.unsafe.types.UTF8String

/** Has a SerDe of Hive write the lines. */
private[sql] final class HiveSerDeSerializer(
    settings: SerDeSettings,
    columns: LineColumns,
    conf: Configuration
) extends LineSerializer {

  private val rows = new RowsOf(columns.data, columns.data.fields.map(column))

  override def serialize(row: InternalRow): Text = rows.serialize(row)

  override def header: Text = {
    val names = columns.data.fieldNames
    val strings = StructType(names.map(n => StructField(n, StringType)))
    val text = new RowsOf(strings, names.map(_ => (StringType: DataType, identity[Any] _)))
    text.serialize(new GenericInternalRow(names.map(n => UTF8String.fromString(n): Any)))
  }

  /** What the SerDe gets for a column, and how that is made of Spark's value. */
  private def column(field: StructField): (DataType, Any => Any) =
    if (OpenCsv.isSerDe(settings.className)) (StringType, OpenCsv.writer(field, settings))
    else (field.dataType, identity)

  /** Writes rows with columns of these types. */
  private final class RowsOf(schema: StructType, fields: Array[(DataType, Any => Any)]) {
    private val serde = HiveSerDe.create(settings, schema, conf)
    private val serializer = serializerOf(serde)
    private val values = new HiveValues(columns.timeZone)
    private val inspector = ObjectInspectorUtils
      .getStandardObjectInspector(serde.getObjectInspector, ObjectInspectorCopyOption.JAVA)
      .asInstanceOf[StructObjectInspector]
    private val wrappers = inspector.getAllStructFieldRefs.asScala.toArray.zip(fields).map {
      case (field, (dataType, convert)) =>
        val wrap = values.wrapperFor(field.getFieldObjectInspector, dataType)
        (value: Any) => wrap(convert(value))
    }
    private val wrapped = new Array[AnyRef](wrappers.length)
    private val line = new Text

    def serialize(row: InternalRow): Text = {
      var i = 0
      while (i < wrappers.length) {
        wrapped(i) = wrappers(i)(row.get(i, schema(i).dataType)).asInstanceOf[AnyRef]
        i += 1
      }
      serializer.serialize(wrapped, inspector) match {
        case text: Text => text
        case bytes: BytesWritable =>
          line.set(bytes.getBytes, 0, bytes.getLength)
          line
        case other => notText(other.getClass.getName)
      }
    }
  }

  private def serializerOf(serde: Deserializer): Serializer = serde match {
    case writes: Serializer => writes
    case _ =>
      SerDes.refuse(settings, s"is read with the SerDe ${settings.className}, which reads only")
  }

  private def notText(given: String): Nothing =
    SerDes.refuse(
      settings,
      s"cannot be written: ${settings.className} makes $given, not lines of text"
    )
}
