package org.apache.spark.sql.gluecat.delta

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.connector.catalog.Identifier
import org.apache.spark.sql.delta.commands.ConvertToDeltaCommand
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.execution.datasources.PartitioningUtils
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.gluecat.{
  CatalogContext,
  Errors,
  TableDescription,
  TableRequests,
  Tables
}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.{Row, SparkSession}

import io.github.sdaberdaku.gluecat.internal.Json

/**
 * CONVERT TO DELTA by name: Delta converts the directory, then the Parquet entry becomes a Delta one and its partitions
 * leave Glue. Of a conversion that failed half way, the same statement does the rest.
 */
private[delta] final case class ConvertTable(
    command: ConvertToDeltaCommand,
    catalog: CatalogContext,
    ident: Identifier
) extends LeafRunnableCommand {

  override protected def stringArgs: Iterator[Any] = Iterator(Tables.title(ident))

  override def run(sparkSession: SparkSession): Seq[Row] = {
    val session = sparkSession.asInstanceOf[Session]
    DeltaSession.check(catalog)
    val table = catalog.describe("load_table", ident)(_ => ())
    if (table.kind != TableDescription.Delta) convert(session, table)
    Seq.empty
  }

  private def convert(session: Session, table: TableDescription): Unit = {
    val title = table.qualifiedName
    if (table.kind != TableDescription.DataSource || !table.provider.contains("parquet")) {
      refuse(
        table,
        s"it is a ${table.provider.getOrElse(table.kind)} table, and only Parquet tables can be converted"
      )
    }
    val location = table.location.getOrElse(refuse(table, "its entry has no location"))
    val partitionSchema =
      StructType(table.partitionColumns.flatMap(c => table.schema.find(_.name == c)))
    val partitions = partitionValues(table, location, partitionSchema)
    // Delta opens the directory without the catalog's options; Hadoop then gives it the file system that is open.
    val path = new Path(location)
    path.getFileSystem(
      session.sessionState.newHadoopConfWithOptions(
        catalog.hadoopOptionsAt(path.toUri) ++ table.options
      )
    )
    command
      .copy(
        tableIdentifier = TableIdentifier(location, Some("parquet")),
        partitionSchema =
          command.partitionSchema.orElse(Some(partitionSchema).filter(_.nonEmpty))
      )
      .run(session)
    val state = EntrySync.stateOf(DeltaSession.log(catalog, location, table.options).update())
    val recovery = s"run CONVERT TO DELTA ${catalog.name}.$title again"
    EntrySync.afterCommit(catalog, title, location, recovery) {
      dropPartitions(partitions)
      catalog.callTable("alter_table", ident) { request =>
        val change = TableRequests.setSchema(state.schema, state.partitionColumns)
        request.putArray("changes").add(change.put("op", "convert_to_delta"))
      }
    }
  }

  /** What Glue knows of partitions. Delta takes them from the names of directories, and nothing else. */
  private def partitionValues(
      table: TableDescription,
      location: String,
      schema: StructType
  ): Seq[Seq[String]] =
    if (schema.isEmpty || !table.partitionsTracked) Nil
    else {
      val frame = catalog.listPartitions(ident) { request =>
        request.replace("partition_schema", Json.parse(schema.json))
        table.format.foreach(request.replace("format", _))
      }
      (0 until frame.size).map { i =>
        val values = schema.indices.map(frame.value(i, _))
        val spec = table.partitionColumns.zip(values).toMap
        val expected = new Path(new Path(location), PartitioningUtils.getPathFragment(spec, schema))
        val actual = Option(frame.location(i)).filter(_.nonEmpty)
        if (actual.exists(a => !Locations.same(a, expected.toString))) {
          refuse(
            table,
            s"its partition ${PartitioningUtils.getPathFragment(spec, schema)} lies at ${actual.get}, and a Delta table " +
              s"has all its files below $location"
          )
        }
        if (frame.reader(i) != null) {
          refuse(
            table,
            s"the files of its partition ${PartitioningUtils.getPathFragment(spec, schema)} are of another format"
          )
        }
        values
      }
    }

  private def dropPartitions(partitions: Seq[Seq[String]]): Unit =
    if (partitions.nonEmpty) {
      catalog.callTable("drop_partitions", ident) { request =>
        val list = request.putArray("partitions")
        partitions.foreach(values => list.add(TableRequests.array(values)))
        request.put("if_missing", "ignore")
      }
    }

  private def refuse(table: TableDescription, why: String): Nothing =
    Errors.refuse(
      catalog,
      "unsupported",
      s"table ${table.qualifiedName} cannot be converted to Delta: $why",
      table.qualifiedName
    )
}
