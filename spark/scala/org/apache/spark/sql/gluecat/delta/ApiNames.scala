package org.apache.spark.sql.gluecat.delta

import java.util

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.connector.catalog.Identifier
import org.apache.spark.sql.delta.catalog.DeltaTableV2
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.gluecat.{Errors, SessionNames, Tables}

/**
 * Names in Delta's `DeltaTable` API. It has them parsed as identifiers of the session catalog, and looks there: always in
 * Delta 3.3, for names of one or two parts in Delta 4. For tables of ours it is told the path instead; the name is kept,
 * so that the entry follows what is done through the API.
 *
 * Nobody else is answered so. Spark's own callers of `parseTableIdentifier` drop the catalog of a name, and rely on the
 * parser to refuse three parts.
 */
private[delta] object ApiNames {

  private val api = "io.delta.tables."
  private val capacity = 256
  private val maxFrames = 16

  private val names =
    new util.LinkedHashMap[String, (String, Identifier)](16, 0.75f, true) {
      override def removeEldestEntry(
          eldest: util.Map.Entry[String, (String, Identifier)]
      ): Boolean = size > capacity
    }

  /** The catalog and the table that the API was last told this path for. */
  def named(path: Path): Option[(String, Identifier)] =
    names.synchronized(Option(names.get(path.toString)))

  def identifier(
      session: Session,
      sqlText: String,
      parser: ParserInterface
  ): Option[TableIdentifier] =
    caller.flatMap { className =>
      val parts = parser.parseMultipartIdentifier(sqlText)
      // The builder parses the name a second time, with its catalog.
      if (className.startsWith(s"${api}DeltaTableBuilder")) {
        parts match {
          case Seq(catalog, database, table) =>
            Some(TableIdentifier(table, Some(database), Some(catalog)))
          case _ => None
        }
      } else if (className == s"${api}DeltaTable$$") path(session, parts)
      else None
    }

  private def path(session: Session, parts: Seq[String]): Option[TableIdentifier] = {
    val known = new SessionNames(session)
    if (known.isTemporaryView(parts)) None
    else
      known.ours(parts).map { case (catalog, ident) =>
        val title = Tables.title(ident)
        catalog.loadTable(ident) match {
          case table: DeltaTableV2 =>
            val options = DeltaSession.fileSystemOptions(catalog.context, table.path, Map.empty)
            if (options.nonEmpty) {
              Errors.refuse(
                catalog.context,
                "unsupported",
                s"DeltaTable.forName cannot use table $title with this version of Delta: it would open the table " +
                  s"without the catalog's Hadoop options (${options.keys.toSeq.sorted.mkString(", ")}). Use SQL, or " +
                  "DeltaTable.forPath with these options",
                title
              )
            }
            names.synchronized(names.put(table.path.toString, (catalog.name, ident)))
            TableIdentifier(table.path.toString, Some("delta"))
          case _ =>
            Errors.refuse(
              catalog.context,
              "unsupported",
              s"DeltaTable.forName needs a Delta table, and table $title is none",
              title
            )
        }
      }
  }

  /** The class of Delta's API that is asking. */
  private def caller: Option[String] =
    Thread.currentThread.getStackTrace.iterator
      .take(maxFrames)
      .map(_.getClassName)
      .find(_.startsWith(api))
}
