package org.apache.spark.sql.gluecat.shim

import org.apache.spark.sql.catalyst.parser.ParameterContext
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.gluecat.DelegatingParser
import org.apache.spark.sql.types.StructType

/** Spark 4.1 also parses statements with parameters, and parameters of SQL functions. */
trait VersionedParser extends DelegatingParser {

  override def parsePlanWithParameters(sqlText: String, parameters: ParameterContext): LogicalPlan =
    parseStatement(sqlText)(delegate.parsePlanWithParameters(_, parameters))

  override def parseRoutineParam(sqlText: String): StructType = delegate.parseRoutineParam(sqlText)
}
