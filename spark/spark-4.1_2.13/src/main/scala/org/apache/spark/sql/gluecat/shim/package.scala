package org.apache.spark.sql.gluecat

import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException

/** What differs between the Spark versions: here for Spark 4.1 with Scala 2.13. */
package object shim {

  /** The session that has a `sessionState`; the public one is an interface since Spark 4.0. */
  type Session = org.apache.spark.sql.classic.SparkSession

  type ClassicDataFrame = org.apache.spark.sql.classic.DataFrame

  object Session {
    def active: Session = org.apache.spark.sql.classic.SparkSession.active
  }

  /** asScala and asJava. */
  object Collections
      extends scala.collection.convert.AsJavaExtensions
      with scala.collection.convert.AsScalaExtensions

  class NonEmptyNamespace(namespace: Array[String])
      extends NonEmptyNamespaceException(namespace, "", None)
}
