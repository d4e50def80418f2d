package org.apache.spark.sql.hive.gluecat

import java.util.Properties
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hive.serde.serdeConstants
import org.apache.hadoop.hive.serde2.Deserializer
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.gluecat.files.serde.{SerDeSettings, SerDes}
import org.apache.spark.sql.hive.DeserializerLock
import org.apache.spark.sql.types._
import org.apache.spark.util.Utils

/** Makes instances of the SerDe classes that entries name. */
private[gluecat] object HiveSerDe {

  /**
   * An initialised SerDe.
   *
   * The name comes from the catalog, so nothing of the class runs before it is known to be a SerDe.
   *
   * @param schema
   *   what the SerDe is told that the columns are
   * @throws io.github.sdaberdaku.gluecat.GlueCatalogException
   *   if the class is missing or is none, or the SerDe refuses its parameters or columns
   */
  def create(settings: SerDeSettings, schema: StructType, conf: Configuration): Deserializer = {
    val made = serdeClass(settings)
    try {
      val serde = made.getConstructor().newInstance()
      // Hive's SerDes fill maps that all of them share, and do not lock them.
      DeserializerLock.synchronized(serde.initialize(conf, properties(settings, schema)))
      serde
    } catch {
      case NonFatal(e) => SerDes.refuseEntry(settings, e)
    }
  }

  private def serdeClass(settings: SerDeSettings): Class[_ <: Deserializer] = {
    val found =
      try Utils.classForName[Any](settings.className, initialize = false)
      catch {
        case _: ClassNotFoundException =>
          SerDes.refuse(
            settings,
            s"is read with the SerDe ${settings.className}, which is not on the class path: add its jar, with --jars or " +
              "spark.jars"
          )
      }
    if (!classOf[Deserializer].isAssignableFrom(found)) {
      SerDes.refuse(
        settings,
        s"names the class ${settings.className} as its SerDe, which is none: it does not implement " +
          s"${classOf[Deserializer].getName}. Correct the entry"
      )
    }
    found.asSubclass(classOf[Deserializer])
  }

  /** As Hive's metastore hands them to a SerDe. */
  private def properties(settings: SerDeSettings, schema: StructType): Properties = {
    val all = new Properties
    settings.parameters.foreach { case (key, value) => all.setProperty(key, value) }
    val delimiter = if (schema.fieldNames.exists(_.contains(","))) "\u0000" else ","
    all.setProperty(serdeConstants.COLUMN_NAME_DELIMITER, delimiter)
    all.setProperty(serdeConstants.LIST_COLUMNS, schema.fieldNames.mkString(delimiter))
    all.setProperty(
      serdeConstants.LIST_COLUMN_TYPES,
      schema.map(f => typeName(declaredType(f))).mkString(":")
    )
    // RegexSerDe wants them, and nothing of them.
    all.setProperty("columns.comments", "\u0000" * (schema.length - 1).max(0))
    all.setProperty("name", settings.table)
    all.setProperty(serdeConstants.SERIALIZATION_LIB, settings.className)
    all
  }

  /** The type in the entry, where Spark has a string in place of CHAR and VARCHAR. */
  def declaredType(field: StructField): DataType =
    CharVarcharUtils.getRawType(field.metadata).getOrElse(field.dataType)

  /** A type as Hive writes it: other than Spark, without quotes around names. */
  def typeName(dataType: DataType): String = dataType match {
    case ArrayType(element, _)  => s"array<${typeName(element)}>"
    case MapType(key, value, _) => s"map<${typeName(key)},${typeName(value)}>"
    case StructType(fields) =>
      fields.map(f => s"${f.name}:${typeName(f.dataType)}").mkString("struct<", ",", ">")
    case CharType(length)    => s"char($length)"
    case VarcharType(length) => s"varchar($length)"
    case other               => other.catalogString
  }
}
