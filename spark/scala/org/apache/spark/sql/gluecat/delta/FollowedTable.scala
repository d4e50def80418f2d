package org.apache.spark.sql.gluecat.delta

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.connector.catalog.Identifier
import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.catalog.DeltaTableV2
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.gluecat.{CatalogContext, SessionNames, TableDescription, Tables}

/**
 * A Delta table of ours whose entry follows what is committed to its log.
 *
 * Delta has no hook for this that is ours to use. But a command runs on its caller's thread, and afterwards the log of
 * this process knows what was committed: comparing before and after costs no call, to Glue or to storage.
 */
private[delta] final case class FollowedTable(
    catalog: CatalogContext,
    ident: Identifier,
    log: DeltaLog
) {

  def state: EntrySync.State = EntrySync.stateOf(log.unsafeVolatileSnapshot)

  /** After something that may have committed: updates the entry if the log changed, or if it was left behind before. */
  def follow(before: EntrySync.State): Unit = {
    val now = state
    if (now.version != before.version) {
      SeenEntries.get(catalog, ident).foreach(send(_, now, EntrySync.changes(_, before, now)))
    }
  }

  /** With options of its own the log may be another one than that of Delta's sink, which 3.3 opens without them. */
  def catchUp(): Unit =
    if (DeltaSession.fileSystemOptions(catalog, log.dataPath, Map.empty).nonEmpty) log.update()

  /** Makes the entry say what the log says now, whoever committed it. */
  def repair(): Unit = {
    val now = EntrySync.stateOf(log.update())
    SeenEntries.get(catalog, ident).foreach(send(_, now, EntrySync.differences(_, now)))
  }

  private def send(
      description: TableDescription,
      now: EntrySync.State,
      changes: TableDescription => Seq[com.fasterxml.jackson.databind.JsonNode]
  ): Unit = EntrySync.send(catalog, description, log, now, changes(description))
}

private[delta] object FollowedTable {

  def of(session: Session, table: CatalogTable): Option[FollowedTable] =
    if (!table.provider.exists(_.equalsIgnoreCase("delta")) || table.storage.locationUri.isEmpty)
      None
    else
      context(session, table).map { catalog =>
        val path = new Path(table.location)
        val options = DeltaSession.fileSystemOptions(catalog, path, table.storage.properties)
        val log = DeltaLog.forTable(session, path, options)
        FollowedTable(catalog, ident(table), log)
      }

  def of(session: Session, table: DeltaTableV2): Option[FollowedTable] =
    table.catalogTable match {
      case Some(ct) => context(session, ct).map(FollowedTable(_, ident(ct), table.deltaLog))
      case None     => named(session, table.path, table.deltaLog)
    }

  /** The table of ours that the `DeltaTable` API opened by its path. */
  def named(session: Session, path: Path, log: DeltaLog): Option[FollowedTable] =
    for {
      (catalog, ident) <- ApiNames.named(path)
      ours <- new SessionNames(session).catalog(catalog)
    } yield FollowedTable(ours.context, ident, log)

  private def ident(table: CatalogTable): Identifier =
    Identifier.of(table.identifier.database.toArray, table.identifier.table)

  private def context(session: Session, table: CatalogTable): Option[CatalogContext] =
    table.identifier.catalog.flatMap(new SessionNames(session).catalog).map(_.context)
}
