package org.apache.spark.sql.gluecat.shim

import java.util

import org.apache.spark.sql.connector.catalog.{CatalogV2Util, Column}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.gluecat.{DeltaOnlyClauses, TableDefinition}
import org.apache.spark.sql.types.{MetadataBuilder, StructField, StructType}

/**
 * Spark's columns as a schema. Its own conversion loses generation expressions and identity, so these go into the column
 * metadata that Delta reads them from.
 */
private[shim] object Definitions {

  def of(
      columns: Array[Column],
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): TableDefinition = {
    val schema = CatalogV2Util.v2ColumnsToStructType(columns)
    val withClauses = schema.zip(columns).map { case (field, column) => clauses(field, column) }
    val used =
      (if (columns.exists(_.generationExpression != null)) Seq("generated columns") else Nil) ++
        (if (columns.exists(c => ColumnClauses.identity(c).nonEmpty)) Seq("identity columns")
         else Nil)
    TableDefinition(
      schema,
      partitions,
      properties,
      DeltaOnlyClauses(StructType(withClauses), Map.empty, used)
    )
  }

  def withChecks(definition: TableDefinition, checks: Map[String, String]): TableDefinition =
    if (checks.isEmpty) definition
    else
      definition.copy(deltaOnly =
        definition.deltaOnly
          .copy(checks = checks, clauses = definition.deltaOnly.clauses :+ "CHECK constraints")
      )

  private def clauses(field: StructField, column: Column): StructField = {
    val metadata = new MetadataBuilder().withMetadata(field.metadata)
    Option(column.generationExpression).foreach(
      metadata.putString("delta.generationExpression", _)
    )
    ColumnClauses.identity(column).foreach { identity =>
      metadata
        .putLong("delta.identity.start", identity.start)
        .putLong("delta.identity.step", identity.step)
        .putBoolean("delta.identity.allowExplicitInsert", identity.explicitInsert)
    }
    field.copy(metadata = metadata.build())
  }
}
