package org.apache.spark.sql.gluecat

import java.util

import org.apache.spark.sql.connector.catalog.{NamespaceChange, SupportsNamespaces}
import org.apache.spark.sql.gluecat.TableDescription.{stringMap, strings, text}
import org.apache.spark.sql.gluecat.shim.Collections._

import io.github.sdaberdaku.gluecat.GlueCatalogException
import io.github.sdaberdaku.gluecat.internal.Json

/** Glue databases as Spark's namespaces. */
final class Namespaces(catalog: CatalogContext) {

  def list(): Array[Array[String]] =
    strings(catalog.callJson("list_namespaces", Json.`object`()).path("namespaces"))
      .map(Array(_))
      .toArray

  /** A database holds no namespaces. */
  def list(parent: Array[String]): Array[Array[String]] =
    if (parent.isEmpty) list()
    else {
      load(parent)
      Array.empty
    }

  def exists(namespace: Array[String]): Boolean = namespace match {
    case Array() => true
    case Array(database) =>
      try {
        catalog.callJson("load_namespace", request(database))
        true
      } catch {
        case e: GlueCatalogException if e.kind == "not_found" => false
      }
    case _ => false
  }

  def load(namespace: Array[String]): util.Map[String, String] = {
    val answer = call("load_namespace", namespace)(identity)
    val reserved = Seq(
      SupportsNamespaces.PROP_COMMENT,
      SupportsNamespaces.PROP_LOCATION,
      SupportsNamespaces.PROP_OWNER).flatMap(key => text(answer, key).map(key -> _))
    (stringMap(answer.path("properties")) ++ reserved).asJava
  }

  def create(namespace: Array[String], properties: util.Map[String, String]): Unit =
    call("create_namespace", namespace) { request =>
      request.set("properties", TableRequests.map(properties.asScala.toMap))
    }

  def alter(namespace: Array[String], changes: Seq[NamespaceChange]): Unit =
    call("alter_namespace", namespace) { request =>
      val list = request.putArray("changes")
      changes.foreach {
        case c: NamespaceChange.SetProperty =>
          list.add(TableRequests.change("set_property").put("key", c.property).put("value", c.value))
        case c: NamespaceChange.RemoveProperty =>
          list.add(TableRequests.change("remove_property").put("key", c.property))
        case other =>
          Errors.refuse(catalog, "unsupported", s"unknown change of a namespace: $other")
      }
    }

  def drop(namespace: Array[String], cascade: Boolean): Boolean = {
    call("drop_namespace", namespace)(_.put("cascade", cascade))
    true
  }

  private def request(database: String) = Json.`object`().put("namespace", database)

  private def call(operation: String, namespace: Array[String])(
      members: com.fasterxml.jackson.databind.node.ObjectNode => Any) =
    catalog.onNamespace(namespace) {
      val json = request(Names.database(catalog, namespace))
      members(json)
      catalog.callJson(operation, json)
    }
}
