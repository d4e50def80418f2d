package org.apache.spark.sql.gluecat.files

import org.apache.spark.sql.catalyst.CatalystTypeConverters
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.analysis.NoSuchPartitionException
import org.apache.spark.sql.catalyst.catalog.{CatalogTablePartition, ExternalCatalogUtils}
import org.apache.spark.sql.catalyst.expressions.{Cast, Literal}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DataType, StringType}

/** Partition values as Glue and the names of directories hold them. */
private[files] object PartitionText {

  /** Of a value of Spark's inner form. */
  def of(value: Any, dataType: DataType): String =
    if (value == null) ExternalCatalogUtils.DEFAULT_PARTITION_NAME
    else {
      val timeZone = Some(SQLConf.get.sessionLocalTimeZone)
      val text =
        Cast(Literal(value, dataType), StringType, timeZone).eval(InternalRow.empty).toString
      if (text.isEmpty) ExternalCatalogUtils.DEFAULT_PARTITION_NAME else text
    }

  /** Of a value as rows show it. */
  def ofExternal(value: Any, dataType: DataType): String =
    of(CatalystTypeConverters.createToCatalystConverter(dataType)(value), dataType)

  /**
   * The columns and values of a PARTITION clause, whose names may be in any case and whose values are SQL text, in the
   * form of the partitions in Glue.
   */
  def resolve(
      table: GlueFileTable,
      spec: Map[String, Option[String]]
  ): Map[String, Option[String]] = {
    val resolver = SQLConf.get.resolver
    spec.map { case (name, value) =>
      val field = table.partitionSchema.fields.find(f => resolver(f.name, name)).getOrElse(
        table.refuse(
          s"has no partition column $name: its partition columns are " +
            table.entry.partitionColumnNames.mkString(", ")
        )
      )
      field.name -> value.map { text =>
        if (text == null || text == ExternalCatalogUtils.DEFAULT_PARTITION_NAME) {
          ExternalCatalogUtils.DEFAULT_PARTITION_NAME
        } else {
          val timeZone = Some(SQLConf.get.sessionLocalTimeZone)
          val read = Cast(Literal(text), field.dataType, timeZone).eval(InternalRow.empty)
          of(read, field.dataType)
        }
      }
    }
  }

  /** The same of a clause in which every column has a value. */
  def values(table: GlueFileTable, spec: Map[String, String]): Map[String, String] =
    resolve(table, spec.map { case (k, v) => k -> Some(v) }).map { case (k, v) => k -> v.get }

  /** The one partition that a PARTITION clause names with all columns. */
  def single(table: GlueFileTable, spec: Map[String, String]): CatalogTablePartition = {
    if (!table.tracksPartitions) table.refuse("has no partitions in Glue")
    val stated = values(table, spec)
    val missingColumns = table.entry.partitionColumnNames.filterNot(stated.contains)
    if (missingColumns.nonEmpty) {
      table.refuse(
        s"needs a value for each partition column here: ${missingColumns.mkString(", ")} has none"
      )
    }
    table.partitions.listMatching(stated, withParameters = true).headOption.getOrElse(missing(
      table,
      stated
    ))
  }

  def missing(table: GlueFileTable, spec: Map[String, String]): Nothing =
    throw new NoSuchPartitionException(
      table.description.namespace,
      table.description.name,
      spec
    )
}
