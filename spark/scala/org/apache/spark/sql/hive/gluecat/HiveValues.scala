package org.apache.spark.sql.hive.gluecat

import java.sql.Timestamp
import java.time.ZoneId

import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector
import org.apache.hadoop.hive.serde2.objectinspector.primitive.{
  JavaTimestampObjectInspector,
  TimestampObjectInspector
}
import org.apache.spark.sql.catalyst.util.DateTimeUtils
import org.apache.spark.sql.hive.HiveInspectors
import org.apache.spark.sql.types.DataType

/**
 * Spark's translation between Hive's values and its own, but for times: they are in the session's time zone, as in Spark's
 * own readers of text. Spark's Hive tables have them in the zone of the machine that reads.
 */
private[gluecat] class HiveValues(timeZone: String) extends HiveInspectors {

  private val zone: ZoneId = DateTimeUtils.getZoneId(timeZone)

  override def unwrapperFor(inspector: ObjectInspector): Any => Any = inspector match {
    case times: TimestampObjectInspector =>
      value =>
        if (value == null) null
        else {
          val local = times.getPrimitiveJavaObject(value).toLocalDateTime
          DateTimeUtils.instantToMicros(local.atZone(zone).toInstant)
        }
    case other => super.unwrapperFor(other)
  }

  override def wrapperFor(inspector: ObjectInspector, dataType: DataType): Any => Any =
    inspector match {
      case _: JavaTimestampObjectInspector =>
        value =>
          if (value == null) null
          else {
            val instant = DateTimeUtils.microsToInstant(value.asInstanceOf[Long])
            Timestamp.valueOf(instant.atZone(zone).toLocalDateTime)
          }
      case other => super.wrapperFor(other, dataType)
    }
}
