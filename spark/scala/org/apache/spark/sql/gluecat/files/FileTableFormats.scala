package org.apache.spark.sql.gluecat.files

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.execution.datasources.{DataSource, FileFormat}
import org.apache.spark.sql.gluecat.shim.Session

/** Spark's readers and writers by provider name. */
private[files] object FileTableFormats {

  /** One instance of each class, or Spark's plan cache would take two loads of a CSV table for different relations. */
  private val instances = new ConcurrentHashMap[Class[_], FileFormat]()

  def providerClass(session: Session, provider: String): Class[_] =
    DataSource(session, className = provider).providingClass

  def isFileFormat(provider: Class[_]): Boolean = classOf[FileFormat].isAssignableFrom(provider)

  /** The format of a provider; None for providers that are no file formats, such as `jdbc`. */
  def find(session: Session, provider: String): Option[FileFormat] = {
    val found = providerClass(session, provider)
    if (isFileFormat(found)) Some(instance(found)) else None
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
