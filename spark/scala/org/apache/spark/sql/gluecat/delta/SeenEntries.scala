package org.apache.spark.sql.gluecat.delta

import java.util

import org.apache.spark.sql.connector.catalog.Identifier
import org.apache.spark.sql.gluecat.{CatalogContext, TableDescription}

/**
 * What the entries of Delta tables said when this process saw them last. A write compares that with the log, so that an
 * entry that lags behind is noticed without a call to Glue. It is no cache: what is sent is computed from the entry as
 * Glue has it.
 */
private[delta] object SeenEntries {

  private val capacity = 256

  private final class Recent
      extends util.LinkedHashMap[(String, String), TableDescription](16, 0.75f, true) {
    override def removeEldestEntry(
        eldest: util.Map.Entry[(String, String), TableDescription]
    ): Boolean = size > capacity
  }

  private val catalogs = new util.WeakHashMap[CatalogContext, Recent]

  def put(catalog: CatalogContext, description: TableDescription): Unit = synchronized {
    catalogs
      .computeIfAbsent(catalog, _ => new Recent)
      .put((description.namespace, description.name), description)
  }

  def get(catalog: CatalogContext, ident: Identifier): Option[TableDescription] = synchronized {
    for {
      recent <- Option(catalogs.get(catalog))
      description <- Option(recent.get((folded(ident.namespace.mkString(".")), folded(ident.name))))
    } yield description
  }

  private def folded(name: String): String = name.toLowerCase(util.Locale.ROOT)
}
