package org.apache.spark.sql.gluecat

import java.lang.ref.WeakReference
import java.util

import com.fasterxml.jackson.databind.JsonNode
import org.apache.spark.sql.catalyst.analysis.AnalysisContext
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
    case Array(_) =>
      try {
        read(namespace)
        true
      } catch {
        case e: GlueCatalogException if e.kind == "not_found" => false
      }
    case _ => false
  }

  def load(namespace: Array[String]): util.Map[String, String] = {
    val answer = catalog.onNamespace(namespace)(read(namespace))
    val reserved = Seq(
      SupportsNamespaces.PROP_COMMENT,
      SupportsNamespaces.PROP_LOCATION,
      SupportsNamespaces.PROP_OWNER
    ).flatMap(key => text(answer, key).map(key -> _))
    (stringMap(answer.path("properties")) ++ reserved).asJava
  }

  def create(namespace: Array[String], properties: util.Map[String, String]): Unit =
    call("create_namespace", namespace) { request =>
      request.replace("properties", TableRequests.map(properties.asScala.toMap))
    }

  def alter(namespace: Array[String], changes: Seq[NamespaceChange]): Unit = {
    lastRead.remove()
    call("alter_namespace", namespace) { request =>
      val list = request.putArray("changes")
      changes.foreach {
        case c: NamespaceChange.SetProperty =>
          list.add(TableRequests.change("set_property").put("key", c.property).put(
            "value",
            c.value
          ))
        case c: NamespaceChange.RemoveProperty =>
          list.add(TableRequests.change("remove_property").put("key", c.property))
        case other =>
          Errors.refuse(catalog, "unsupported", s"unknown change of a namespace: $other")
      }
    }
  }

  def drop(namespace: Array[String], cascade: Boolean): Boolean = {
    lastRead.remove()
    call("drop_namespace", namespace)(_.put("cascade", cascade))
    true
  }

  /**
   * What Glue says of a database. Spark 4.1 asks again in every pass of an analysis (for the default collation of CREATE
   * TABLE): one analysis is answered from one request.
   */
  private def read(namespace: Array[String]): JsonNode = {
    val database = Names.database(catalog, namespace)
    val analysis = AnalysisContext.get.relationCache
    lastRead.get match {
      case Some(last) if last.database == database && last.isOf(analysis) => last.answer
      case _ =>
        val answer = catalog.callJson("load_namespace", request(database))
        lastRead.set(Some(new LastRead(database, analysis, answer)))
        answer
    }
  }

  private val lastRead = ThreadLocal.withInitial[Option[LastRead]](() => None)

  /** Outside an analysis a context lives on, so that the age counts too. */
  private final class LastRead(val database: String, analysis: AnyRef, val answer: JsonNode) {
    private val context = new WeakReference(analysis)
    private val deadline = System.nanoTime + 1000000000L

    def isOf(current: AnyRef): Boolean =
      (context.get eq current) && System.nanoTime - deadline < 0
  }

  private def request(database: String) = Json.`object`().put("namespace", database)

  private def call(operation: String, namespace: Array[String])(
      members: com.fasterxml.jackson.databind.node.ObjectNode => Any
  ) =
    catalog.onNamespace(namespace) {
      val json = request(Names.database(catalog, namespace))
      members(json)
      catalog.callJson(operation, json)
    }
}
