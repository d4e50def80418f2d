package org.apache.spark.sql.gluecat

import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException

/** What differs between the Spark versions: here for Spark 3.5 with Scala 2.12. */
package object shim {

  /** The session that has a `sessionState`; the public one is an interface since Spark 4.0. */
  type Session = org.apache.spark.sql.SparkSession

  type ClassicDataFrame = org.apache.spark.sql.DataFrame

  object Session {
    def active: Session = org.apache.spark.sql.SparkSession.active
  }

  /** asScala and asJava. */
  object Collections
      extends scala.collection.convert.DecorateAsJava
      with scala.collection.convert.DecorateAsScala

  class NonEmptyNamespace(namespace: Array[String])
      extends NonEmptyNamespaceException(namespace)
}
