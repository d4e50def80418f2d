package org.apache.spark.sql.gluecat.delta

import org.apache.spark.sql.catalyst.catalog.CatalogTableType
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.util.{CharVarcharUtils, QuotingUtils}
import org.apache.spark.sql.connector.catalog.Identifier
import org.apache.spark.sql.delta.catalog.DeltaTableV2
import org.apache.spark.sql.delta.skipping.clustering.ClusteredTableUtils
import org.apache.spark.sql.delta.skipping.clustering.ClusteringColumnInfo
import org.apache.spark.sql.delta.sources.DeltaSourceUtils._
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.types.StructField
import org.apache.spark.sql.{Row, SparkSession}

/**
 * SHOW CREATE TABLE, which Delta refuses and Spark's own form would not be enough for: generated columns, identity,
 * clustering and constraints are in the log only.
 */
private[delta] final case class ShowCreateDeltaTable(
    catalog: String,
    ident: Identifier,
    table: DeltaTableV2,
    override val output: Seq[Attribute]
) extends LeafRunnableCommand {

  override protected def stringArgs: Iterator[Any] = Iterator(name)

  override def run(sparkSession: SparkSession): Seq[Row] = Seq(Row(statement))

  private def statement: String = {
    val snapshot = table.initialSnapshot
    val metadata = snapshot.metadata
    val columns = CharVarcharUtils.getRawSchema(metadata.schema).map(column)
    val clustering =
      if (ClusteredTableUtils.getClusterBySpecOptional(snapshot).isEmpty) Nil
      else ClusteringColumnInfo.extractLogicalNames(snapshot)
    val managed = table.catalogTable.exists(_.tableType == CatalogTableType.MANAGED)
    val properties = snapshot.getProperties.toSeq
      .filterNot { case (key, _) => ShowCreateDeltaTable.ofTheLog(key) }
      .sortBy(_._1)
      .map { case (key, value) => s"  ${literal(key)} = ${literal(value)}" }
    val clauses = Seq(
      Some("USING delta"),
      list("PARTITIONED BY", metadata.partitionColumns.map(quoted)),
      list("CLUSTER BY", clustering),
      Option(metadata.description).filter(_.nonEmpty).map(c => s"COMMENT ${literal(c)}"),
      if (managed) None else Some(s"LOCATION ${literal(table.path.toString)}"),
      if (properties.isEmpty) None
      else Some(properties.mkString("TBLPROPERTIES (\n", ",\n", ")"))
    )
    val head = columns.mkString(s"CREATE TABLE $name (\n  ", ",\n  ", ")\n")
    clauses.flatten.mkString(head, "\n", "")
  }

  private def name: String =
    (catalog +: ident.namespace :+ ident.name).map(quoted).mkString(".")

  private def column(field: StructField): String = {
    val metadata = field.metadata
    val computed =
      if (metadata.contains(GENERATION_EXPRESSION_METADATA_KEY)) {
        Some(s"GENERATED ALWAYS AS (${metadata.getString(GENERATION_EXPRESSION_METADATA_KEY)})")
      } else if (metadata.contains(IDENTITY_INFO_START)) {
        val when =
          if (metadata.getBoolean(IDENTITY_INFO_ALLOW_EXPLICIT_INSERT)) "BY DEFAULT" else "ALWAYS"
        val start = metadata.getLong(IDENTITY_INFO_START)
        val step = metadata.getLong(IDENTITY_INFO_STEP)
        Some(s"GENERATED $when AS IDENTITY (START WITH $start INCREMENT BY $step)")
      } else field.getCurrentDefaultValue().map(value => s"DEFAULT $value")
    Seq(
      Some(s"${quoted(field.name)} ${field.dataType.sql}"),
      if (field.nullable) None else Some("NOT NULL"),
      computed,
      field.getComment().map(c => s"COMMENT ${literal(c)}")
    ).flatten.mkString(" ")
  }

  private def list(clause: String, items: Seq[String]): Option[String] =
    if (items.isEmpty) None else Some(items.mkString(s"$clause (", ", ", ")"))

  private def quoted(part: String): String = QuotingUtils.quoteIfNeeded(part)

  private def literal(text: String): String =
    "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
}

private[delta] object ShowCreateDeltaTable {

  private val keptByDelta = Set(
    "delta.minreaderversion",
    "delta.minwriterversion",
    "delta.columnmapping.maxcolumnid",
    "delta.rowtracking.materializedrowidcolumnname",
    "delta.rowtracking.materializedrowcommitversioncolumnname",
    "delta.incommittimestampenablementversion",
    "delta.incommittimestampenablementtimestamp",
    ClusteredTableUtils.PROP_CLUSTERING_COLUMNS.toLowerCase(java.util.Locale.ROOT)
  )

  /** What Delta finds out, or numbers, by itself. */
  private def ofTheLog(key: String): Boolean = keptByDelta(key.toLowerCase(java.util.Locale.ROOT))
}
