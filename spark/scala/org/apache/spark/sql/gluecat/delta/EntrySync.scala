package org.apache.spark.sql.gluecat.delta

import java.util.Locale

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.{DeltaLog, Snapshot}
import org.apache.spark.sql.gluecat.{CatalogContext, TableDescription, TableRequests, TableSpec}
import org.apache.spark.sql.types._

import io.github.sdaberdaku.gluecat.internal.Json
import io.github.sdaberdaku.gluecat.{
  DeltaCommittedButGlueFailedException,
  Failure,
  GlueCatalogException
}

/** Makes the Glue entry of a Delta table say what its log says. */
private[delta] object EntrySync {

  /** What the entry repeats of the log. */
  final class State(metadata: Metadata, val version: Long) {
    lazy val schema: StructType = withoutDeltaMetadata(metadata.schema)
    def partitionColumns: Seq[String] = metadata.partitionColumns
    def comment: Option[String] = Option(metadata.description).filter(_.nonEmpty)

    /** The text is compared first: it seldom differs. When it does, it may be in what is the log's own. */
    def sameColumns(other: State): Boolean =
      partitionColumns == other.partitionColumns &&
        (schemaString == other.schemaString || schema == other.schema)

    private def schemaString: String = metadata.schemaString
  }

  def stateOf(snapshot: Snapshot): State = new State(snapshot.metadata, snapshot.version)

  /** The entry of a new table. Properties stay in the log, and the catalog's Hadoop options in the catalog. */
  def spec(
      state: State,
      location: Option[String],
      managed: Boolean,
      owner: Option[String]
  ): TableSpec =
    TableSpec(
      provider = "delta",
      schema = state.schema,
      partitionColumns = state.partitionColumns,
      location = location,
      managed = managed,
      comment = state.comment,
      owner = owner,
      partitionsTracked = false
    )

  /** What to change in the entry after something that found the log at `before`; nothing if all is in step. */
  def changes(description: TableDescription, before: State, now: State): Seq[JsonNode] = {
    val schema =
      if (now.sameColumns(before) && !lags(description, now)) Nil else Seq(setSchema(now))
    val comment = if (now.comment == before.comment) Nil else Seq(setComment(now.comment))
    schema ++ comment
  }

  /** What to change in the entry, whatever was done before. A comment of its own stays if the log has none. */
  def differences(description: TableDescription, now: State): Seq[JsonNode] = {
    val schema = if (sameColumns(description, now)) Nil else Seq(setSchema(now))
    val comment =
      if (now.comment.isEmpty || description.comment == now.comment) Nil
      else Seq(setComment(now.comment))
    schema ++ comment
  }

  /** What to change in the entry of a table that was replaced. */
  def replacements(description: TableDescription, now: State): Seq[JsonNode] =
    differences(description, now) ++
      (if (now.comment.isEmpty && description.comment.nonEmpty) Seq(setComment(None)) else Nil)

  private def setSchema(state: State): JsonNode =
    TableRequests.setSchema(state.schema, state.partitionColumns)

  def setComment(comment: Option[String]): JsonNode = {
    val change = TableRequests.change("set_comment")
    comment.fold[JsonNode](change.putNull("comment"))(change.put("comment", _))
  }

  /**
   * Sends changes that were computed from `state` of the log. Another writer may commit and send meanwhile, and be
   * overtaken; so whoever has sent looks at the log again and sends what it says then. None if there is nothing to send. A
   * failure tells that the log has the change.
   */
  def send(
      catalog: CatalogContext,
      description: TableDescription,
      log: DeltaLog,
      state: State,
      changes: Seq[JsonNode]
  ): Option[TableDescription] =
    if (changes.isEmpty) None
    else {
      val title = description.qualifiedName
      val recovery = s"run REFRESH TABLE ${catalog.name}.$title"
      val altered =
        afterCommit(catalog, title, log.dataPath.toString, recovery) {
          catalog.describe("alter_table", description.identifier) { request =>
            val list = request.putArray("changes")
            changes.foreach(c => list.add(c))
          }
        }
      SeenEntries.put(catalog, altered)
      val now = stateOf(log.update())
      val later = if (now.sameColumns(state) && now.comment == state.comment) Nil
      else differences(altered, now)
      send(catalog, altered, log, now, later).orElse(Some(altered))
    }

  /**
   * Runs a call that follows a Delta commit.
   *
   * @param recovery
   *   what to do once the reason is gone
   */
  def afterCommit[T](catalog: CatalogContext, table: String, location: String, recovery: String)(
      body: => T
  ): T =
    try body
    catch {
      case e: Exception =>
        val failure = e match {
          case glue: GlueCatalogException => glue.failure
          case other => Failure.of("internal", String.valueOf(other.getMessage))
        }
        val message =
          s"${catalog.title}: the change of table $table is committed to its Delta log at $location, but its Glue entry " +
            s"could not be written: ${failure.message}. Nothing is lost: $recovery"
        throw new DeltaCommittedButGlueFailedException(failure.withMessage(message), location, e)
    }

  /** The recovery of a new table. */
  def register(catalog: CatalogContext, table: String, location: String): String =
    s"CREATE TABLE ${catalog.name}.$table USING delta LOCATION '$location' registers it"

  /**
   * Whether an earlier change of the log did not reach the entry. Of an entry that others wrote only the names count:
   * Glue's types are not Spark's. One without columns never had any.
   */
  private def lags(description: TableDescription, state: State): Boolean =
    if (description.schemaStored) !sameColumns(description, state)
    else description.schema.nonEmpty && names(description.schema) != names(state.schema)

  private def names(schema: StructType): Set[String] =
    schema.fieldNames.map(_.toLowerCase(Locale.ROOT)).toSet

  private def sameColumns(description: TableDescription, state: State): Boolean =
    description.partitionColumns == state.partitionColumns &&
      withoutDeltaMetadata(description.schema) == entryOrder(state)

  /** Entries hold the partition columns last. */
  private def entryOrder(state: State): StructType = {
    val (partition, data) = state.schema.partition(f => state.partitionColumns.contains(f.name))
    StructType(data ++ state.partitionColumns.flatMap(name => partition.find(_.name == name)))
  }

  /** Column mapping ids, generation expressions and the like are the log's own. */
  def withoutDeltaMetadata(schema: StructType): StructType =
    StructType(schema.map { field =>
      val plain = if (field.metadata == noMetadata) field.metadata else withoutDeltaKeys(field)
      field.copy(dataType = cleanType(field.dataType), metadata = plain)
    })

  private val noMetadata = org.apache.spark.sql.types.Metadata.empty

  private def withoutDeltaKeys(field: StructField) = {
    val metadata = new MetadataBuilder().withMetadata(field.metadata)
    Json
      .parse(field.metadata.json)
      .asInstanceOf[ObjectNode]
      .fieldNames
      .forEachRemaining(key => if (key.startsWith("delta.")) metadata.remove(key))
    metadata.build()
  }

  private def cleanType(dataType: DataType): DataType = dataType match {
    case struct: StructType               => withoutDeltaMetadata(struct)
    case ArrayType(element, containsNull) => ArrayType(cleanType(element), containsNull)
    case MapType(key, value, valueContainsNull) =>
      MapType(cleanType(key), cleanType(value), valueContainsNull)
    case other => other
  }
}
