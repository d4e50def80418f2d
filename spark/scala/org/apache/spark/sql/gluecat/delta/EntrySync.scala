package org.apache.spark.sql.gluecat.delta

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.spark.sql.delta.Snapshot
import org.apache.spark.sql.gluecat.{CatalogContext, TableDescription, TableRequests}
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
  final case class State(
      schema: StructType,
      partitionColumns: Seq[String],
      comment: Option[String]
  )

  def stateOf(snapshot: Snapshot): State =
    State(
      withoutDeltaMetadata(snapshot.metadata.schema),
      snapshot.metadata.partitionColumns,
      Option(snapshot.metadata.description)
    )

  /** What to change in the entry; nothing if it says so already. */
  def changes(description: TableDescription, state: State): Seq[JsonNode] = {
    val schema =
      if (sameColumns(description, state)) Nil
      else Seq(TableRequests.setSchema(state.schema, state.partitionColumns))
    val comment =
      if (description.comment.filter(_.nonEmpty) == state.comment.filter(_.nonEmpty)) Nil
      else Seq(setComment(state.comment))
    schema ++ comment
  }

  def setComment(comment: Option[String]): JsonNode = {
    val change = TableRequests.change("set_comment")
    comment.fold[JsonNode](change.putNull("comment"))(change.put("comment", _))
  }

  /** None if there is nothing to send. A failure tells that the log has the change. */
  def send(
      catalog: CatalogContext,
      description: TableDescription,
      changes: Seq[JsonNode]
  ): Option[TableDescription] =
    if (changes.isEmpty) None
    else
      Some(
        afterCommit(catalog, description.qualifiedName, description.location.getOrElse("")) {
          catalog.describe("alter_table", description.identifier) { request =>
            val list = request.putArray("changes")
            changes.foreach(c => list.add(c))
          }
        }
      )

  /** Runs a call that follows a Delta commit. */
  def afterCommit[T](catalog: CatalogContext, table: String, location: String)(body: => T): T =
    try body
    catch {
      case e: Exception =>
        val failure = e match {
          case glue: GlueCatalogException => glue.failure
          case other => Failure.of("internal", String.valueOf(other.getMessage))
        }
        val message =
          s"${catalog.title}: the change of table $table is committed to its Delta log at $location, but its Glue entry " +
            s"could not be written: ${failure.message}. Nothing is lost. For a new table, register it with CREATE TABLE " +
            s"$table USING delta LOCATION '$location'; for an existing one, run REFRESH TABLE $table"
        throw new DeltaCommittedButGlueFailedException(failure.withMessage(message), location, e)
    }

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
      val metadata = new MetadataBuilder().withMetadata(field.metadata)
      Json
        .parse(field.metadata.json)
        .asInstanceOf[ObjectNode]
        .fieldNames
        .forEachRemaining(key => if (key.startsWith("delta.")) metadata.remove(key))
      field.copy(dataType = cleanType(field.dataType), metadata = metadata.build())
    })

  private def cleanType(dataType: DataType): DataType = dataType match {
    case struct: StructType               => withoutDeltaMetadata(struct)
    case ArrayType(element, containsNull) => ArrayType(cleanType(element), containsNull)
    case MapType(key, value, valueContainsNull) =>
      MapType(cleanType(key), cleanType(value), valueContainsNull)
    case other => other
  }
}
