package org.apache.spark.sql.gluecat.files

import java.util.Locale
import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.execution.datasources.csv.CSVFileFormat
import org.apache.spark.sql.execution.datasources.json.JsonFileFormat
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.execution.datasources.text.TextFileFormat
import org.apache.spark.sql.execution.datasources.{DataSource, FileFormat}
import org.apache.spark.sql.gluecat.files.serde.TextSerDeFormat
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.internal.SQLConf

/** Readers and writers by provider name: Spark's, and ours of text files with a SerDe. */
private[files] object FileTableFormats {

  /** One instance of each class, or Spark's plan cache would take two loads of a CSV table for different relations. */
  private val instances = new ConcurrentHashMap[Class[_], FileFormat]()

  /** Spark's look-up by name goes through the whole class path, so its own formats are known here. */
  private def builtIn(session: Session, provider: String): Option[Class[_ <: FileFormat]] =
    provider.toLowerCase(Locale.ROOT) match {
      case "parquet" => Some(classOf[ParquetFileFormat])
      case "orc" if session.sessionState.conf.getConf(SQLConf.ORC_IMPLEMENTATION) == "native" =>
        Some(classOf[OrcFileFormat])
      case "csv"                => Some(classOf[CSVFileFormat])
      case "json"               => Some(classOf[JsonFileFormat])
      case "text"               => Some(classOf[TextFileFormat])
      case TextSerDeFormat.Name => Some(classOf[TextSerDeFormat])
      case _                    => None
    }

  /** The format of a provider; None for providers that are no file formats, such as `jdbc`. */
  def find(session: Session, provider: String): Option[FileFormat] =
    builtIn(session, provider).map(instance).orElse {
      val found = DataSource(session, className = provider).providingClass
      if (classOf[FileFormat].isAssignableFrom(found)) Some(instance(found)) else None
    }

  private def instance(format: Class[_]): FileFormat = {
    val known = instances.get(format)
    if (known != null) known
    else {
      val made = format.getConstructor().newInstance().asInstanceOf[FileFormat]
      val other = instances.putIfAbsent(format, made)
      if (other == null) made else other
    }
  }

  /** `specific` over `general`; names in any case mean the same option. */
  def merge(general: Map[String, String], specific: Map[String, String]): Map[String, String] = {
    val overridden = CaseInsensitiveMap(specific)
    general.filterNot { case (key, _) => overridden.contains(key) } ++ specific
  }
}
