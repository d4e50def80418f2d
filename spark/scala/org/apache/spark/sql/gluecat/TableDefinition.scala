package org.apache.spark.sql.gluecat

import java.util

import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.types.StructType

/** What CREATE or REPLACE asks for, in one form for all Spark versions. */
final case class TableDefinition(
    schema: StructType,
    partitions: Array[Transform],
    properties: util.Map[String, String],
    deltaOnly: DeltaOnlyClauses
)

/**
 * Clauses that only a Delta table can hold.
 *
 * @param schema
 *   the table's schema with generation expressions and identity in Delta's column metadata
 * @param checks
 *   CHECK constraints, name to SQL text
 * @param clauses
 *   what the statement used, in SQL's words, for the message that refuses them elsewhere
 */
final case class DeltaOnlyClauses(
    schema: StructType,
    checks: Map[String, String],
    clauses: Seq[String]
)

/** How a staged table meets what may exist under its name. */
sealed trait StageMode

object StageMode {

  /** CREATE TABLE … AS SELECT: there must be none. */
  case object Create extends StageMode

  /** REPLACE TABLE: there must be one. */
  case object Replace extends StageMode

  /** CREATE OR REPLACE TABLE. */
  case object CreateOrReplace extends StageMode
}
