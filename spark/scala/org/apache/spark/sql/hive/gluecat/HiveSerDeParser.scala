package org.apache.spark.sql.hive.gluecat

import java.util.Locale

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hive.serde2.objectinspector.{
  ObjectInspector,
  ObjectInspectorConverters,
  ObjectInspectorUtils,
  StructField,
  StructObjectInspector
}
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils
import org.apache.hadoop.io.Text
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.gluecat.files.serde.{LineColumns, LineParser, OpenCsv, SerDeSettings}
import org.apache.spark.sql.types

/** Has a SerDe of Hive read the lines, and takes the required columns out of its rows. */
private[sql] final class HiveSerDeParser(
    settings: SerDeSettings,
    columns: LineColumns,
    conf: Configuration
) extends LineParser {

  private val values = new HiveValues(columns.timeZone)
  private val serde = HiveSerDe.create(settings, columns.data, conf)
  private val inspector = serde.getObjectInspector.asInstanceOf[StructObjectInspector]
  private val fields: Array[StructField] =
    columns.required.fieldNames.map(n => inspector.getStructFieldRef(n.toLowerCase(Locale.ROOT)))
  private val readers: Array[Any => Any] =
    columns.required.fields.zip(fields).map { case (column, field) => reader(column, field) }
  private val row = new GenericInternalRow(fields.length)

  override def parse(line: Text): InternalRow = {
    val data = serde.deserialize(line)
    var i = 0
    while (i < fields.length) {
      val value = if (data == null) null else inspector.getStructFieldData(data, fields(i))
      row.update(i, if (value == null) null else readers(i)(value))
      i += 1
    }
    row
  }

  private def reader(column: types.StructField, field: StructField): Any => Any = {
    val given = field.getFieldObjectInspector
    val declared =
      TypeInfoUtils.getTypeInfoFromTypeString(HiveSerDe.typeName(HiveSerDe.declaredType(column)))
    if (OpenCsv.isSerDe(settings.className)) {
      val text = values.unwrapperFor(given)
      val convert = OpenCsv.reader(column, settings)
      value => convert(text(value))
    } else if (TypeInfoUtils.getTypeInfoFromObjectInspector(given) == declared) {
      values.unwrapperFor(given)
    } else {
      // A SerDe that goes by its own types: Hive converts them to those of the entry.
      val target: ObjectInspector = ObjectInspectorUtils.getStandardObjectInspector(
        TypeInfoUtils.getStandardJavaObjectInspectorFromTypeInfo(declared)
      )
      val converter = ObjectInspectorConverters.getConverter(given, target)
      val unwrap = values.unwrapperFor(target)
      value => unwrap(converter.convert(value))
    }
  }
}
