package org.apache.spark.sql.gluecat

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException

import io.github.sdaberdaku.gluecat.{Failure, UnsupportedTableException}

/** What differs between the Spark versions: here for Spark 4.1 with Scala 2.13. */
package object shim {

  /** The session that has a `sessionState`; the public one is an interface since Spark 4.0. */
  type Session = org.apache.spark.sql.classic.SparkSession

  type ClassicDataFrame = org.apache.spark.sql.classic.DataFrame

  type StreamingRelation = org.apache.spark.sql.execution.streaming.runtime.StreamingRelation

  object Session {
    def active: Session = org.apache.spark.sql.classic.SparkSession.active
  }

  /** asScala and asJava. */
  object Collections
      extends scala.collection.convert.AsJavaExtensions
      with scala.collection.convert.AsScalaExtensions

  class NonEmptyNamespace(namespace: Array[String])
      extends NonEmptyNamespaceException(namespace, "", None)

  /** The Delta release that this version is built against. */
  val DeltaArtifact = "delta-spark_4.1_2.13:4.3.0"

  /**
   * An entry that cannot be used, under the error condition that Spark's own listings tolerate: one such entry must not
   * keep `spark.catalog.listTables` from listing the others.
   */
  final class UnsupportedEntryException(failure: Failure)
      extends UnsupportedTableException(failure)
      with SparkThrowable {
    override def getCondition: String = "UNSUPPORTED_FEATURE.HIVE_TABLE_TYPE"
  }
}
