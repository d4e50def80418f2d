package org.apache.spark.sql.gluecat

import org.apache.spark.sql.catalyst.analysis._
import org.apache.spark.sql.connector.catalog.Identifier

import io.github.sdaberdaku.gluecat.{Failure, GlueCatalogException}

/**
 * Spark's exceptions with the core's message, which names the catalog, its `glue.id` and the object.
 *
 * Spark decides by the class (CREATE … IF NOT EXISTS, DROP … IF EXISTS), a person by the message. Only `not_found`,
 * `already_exists` and `not_empty` have classes of Spark's; "denied" and "throttled" must never look like "absent".
 */
object Errors {

  /** Marks an exception whose message is complete. */
  trait Complete

  def forTable(e: GlueCatalogException, ident: Identifier): Throwable = e.kind match {
    case "not_found"      => noSuchTable(ident, e.getMessage)
    case "already_exists" => tableExists(ident, e.getMessage)
    case _                => e
  }

  def forNamespace(e: GlueCatalogException, namespace: Array[String]): Throwable = e.kind match {
    case "not_found"      => noSuchNamespace(namespace, e.getMessage)
    case "already_exists" => namespaceExists(namespace, e.getMessage)
    case "not_empty"      => notEmpty(namespace, e.getMessage)
    case _                => e
  }

  def noSuchTable(ident: Identifier, text: String): NoSuchTableException =
    new NoSuchTableException(ident) with Complete { override def getMessage: String = text }

  def cannotReplace(ident: Identifier, text: String): CannotReplaceMissingTableException =
    new CannotReplaceMissingTableException(ident) with Complete {
      override def getMessage: String = text
    }

  def noSuchNamespace(namespace: Array[String], text: String): NoSuchNamespaceException =
    new NoSuchNamespaceException(namespace) with Complete {
      override def getMessage: String = text
    }

  def notEmpty(namespace: Array[String], text: String): NonEmptyNamespaceException =
    new shim.NonEmptyNamespace(namespace) with Complete { override def getMessage: String = text }

  def namespaceExists(namespace: Array[String], text: String): NamespaceAlreadyExistsException =
    new NamespaceAlreadyExistsException(namespace) with Complete {
      override def getMessage: String = text
    }

  def tableExists(ident: Identifier, text: String): TableAlreadyExistsException =
    new TableAlreadyExistsException(ident) with Complete {
      override def getMessage: String = text
    }

  /** A failure of this side, in the words of the core's. */
  def failure(catalog: CatalogContext, kind: String, what: String, obj: String = ""): Failure =
    new Failure(
      kind,
      s"${catalog.title}: $what",
      "",
      0,
      "",
      false,
      catalog.name,
      catalog.glueId,
      obj
    )

  def refuse(catalog: CatalogContext, kind: String, what: String, obj: String = ""): Nothing =
    throw GlueCatalogException.of(failure(catalog, kind, what, obj))
}
