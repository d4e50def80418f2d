package org.apache.spark.sql.gluecat

import java.util

import org.apache.spark.sql.connector.catalog.{Table, TableCapability}
import org.apache.spark.sql.gluecat.shim.Collections._
import org.apache.spark.sql.types.StructType

/** An entry as it is after an ALTER of something that cannot be read. */
private[gluecat] final case class EntryTable(description: TableDescription) extends Table {
  override def name: String = description.qualifiedName
  override def schema: StructType = description.schema
  override def properties: util.Map[String, String] = description.properties.asJava
  override def capabilities: util.Set[TableCapability] =
    util.EnumSet.noneOf(classOf[TableCapability])
}
