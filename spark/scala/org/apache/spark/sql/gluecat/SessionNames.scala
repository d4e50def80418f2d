package org.apache.spark.sql.gluecat

import org.apache.spark.sql.connector.catalog.{CatalogPlugin, Identifier, LookupCatalog}
import org.apache.spark.sql.gluecat.shim.Session

import io.github.sdaberdaku.gluecat.GlueCatalog

/** What names mean in a session, for rules and parsers: they are made before the session's state is. */
private[gluecat] final class SessionNames(session: Session) extends LookupCatalog {

  override protected lazy val catalogManager = session.sessionState.catalogManager

  def resolve(parts: Seq[String]): Option[(CatalogPlugin, Identifier)] = parts match {
    case CatalogAndIdentifier(catalog, ident) => Some((catalog, ident))
    case _                                    => None
  }

  /** The table of ours that a name means. A path, as in delta.`/some/where`, is none. */
  def ours(parts: Seq[String]): Option[(GlueCatalog, Identifier)] = resolve(parts) match {
    case Some((catalog: GlueCatalog, ident))
        if ident.namespace.length == 1 && !ident.name.contains("/") =>
      Some((catalog, ident))
    case _ => None
  }

  def currentNamespace: Array[String] = catalogManager.currentNamespace

  /** The catalog of that name, if it is one of ours. */
  def catalog(name: String): Option[GlueCatalog] =
    if (!catalogManager.isCatalogRegistered(name)) None
    else
      catalogManager.catalog(name) match {
        case catalog: GlueCatalog => Some(catalog)
        case _                    => None
      }

  def isTemporaryView(parts: Seq[String]): Boolean =
    parts.size < 3 && session.sessionState.catalog.isTempView(parts)
}

private[gluecat] object SessionNames {

  /** A regular expression for names of any number of parts, as statements have them. */
  val pattern: String = {
    val part = "(?:`(?:[^`]|``)+`|[\\p{L}\\p{N}_]+)"
    s"$part(?:\\s*\\.\\s*$part)*"
  }
}
