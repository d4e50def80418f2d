package org.apache.spark.sql.gluecat.files

import java.nio.file.AccessDeniedException
import java.util

import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.hadoop.fs.{Path, UnsupportedFileSystemException}
import org.apache.spark.sql.catalyst.catalog.CatalogUtils
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.connector.catalog.{Identifier, StagedTable, Table}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.gluecat._
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.types.StructType

/** Tables of data files in a catalog: load, create, and create or replace with rows. */
private[gluecat] object FileTables {

  def load(catalog: CatalogContext, description: TableDescription): Table =
    new GlueFileTable(catalog, description)

  /** CREATE TABLE: makes the Glue entry, and neither directory nor file. */
  def create(
      catalog: CatalogContext,
      ident: Identifier,
      schema: StructType,
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): Table = {
    val session = catalog.session
    val asked = specification(session, catalog, ident, schema, partitions, properties)
    val spec =
      if (asked.managed) asked.copy(location = Some(managedLocation(catalog, ident))) else asked
    if (spec.managed) requireEmpty(session, catalog, ident, spec)
    load(catalog, register(catalog, ident, spec))
  }

  /**
   * CREATE TABLE … AS SELECT and REPLACE TABLE with and without AS SELECT.
   *
   * @param existing
   *   the table to replace
   */
  def stage(
      catalog: CatalogContext,
      ident: Identifier,
      schema: StructType,
      partitions: Array[Transform],
      properties: util.Map[String, String],
      mode: StageMode,
      existing: Option[TableDescription]
  ): StagedTable = {
    val asked = specification(catalog.session, catalog, ident, schema, partitions, properties)
    // What the catalog would refuse later must be refused before rows are written.
    val location = catalog
      .callTable("prepare_table", ident) { request =>
        request.set[ObjectNode]("spec", asked.toJson)
      }
      .path("location")
      .asText
    val spec = asked.copy(location = Some(location))
    new StagedFileTable(
      catalog,
      ident,
      schema,
      spec,
      mode,
      existing.map(new ReplacedTable(catalog, _))
    )
  }

  private[files] def register(
      catalog: CatalogContext,
      ident: Identifier,
      spec: TableSpec
  ): TableDescription =
    catalog.describe("create_table", ident) { request =>
      request.set[ObjectNode]("spec", spec.toJson)
    }

  /** What the entry will hold; refuses what Spark could not read or write later. */
  private def specification(
      session: Session,
      catalog: CatalogContext,
      ident: Identifier,
      schema: StructType,
      partitions: Array[Transform],
      properties: util.Map[String, String]
  ): TableSpec = {
    val title = s"${ident.namespace.mkString(".")}.${ident.name}"
    val stated = TableProperties.split(properties)
    val provider = stated.provider.getOrElse(session.sessionState.conf.defaultDataSourceName)
    val layout = TableLayout.of(catalog, partitions.toSeq, title)
    layout.clusterBy.foreach { _ =>
      Errors.refuse(catalog, "unsupported", s"table $title: CLUSTER BY needs a Delta table", title)
    }
    val location = stated.location
      .orElse(stated.options.collectFirst { case (k, v) if k.equalsIgnoreCase("path") => v })
    val options = stated.options.filterNot(_._1.equalsIgnoreCase("path"))
    val stored = CharVarcharUtils.replaceCharVarcharWithStringInSchema(schema)
    val (full, partitionColumns) =
      if (schema.nonEmpty)
        (partitionsLast(stored, layout.partitionColumns), layout.partitionColumns)
      else inferred(session, catalog, title, provider, location, options)
    validate(session, provider, full, partitionColumns)
    TableSpec(
      provider = provider,
      schema = full,
      partitionColumns = partitionColumns,
      location = location,
      managed = location.isEmpty,
      bucketing = layout.bucketing,
      options = options,
      properties = stated.properties,
      comment = stated.comment,
      owner = stated.owner,
      partitionsTracked = partitionColumns.nonEmpty
    )
  }

  private def managedLocation(catalog: CatalogContext, ident: Identifier): String =
    catalog.callTable("resolve_location", ident)(_ => ()).path("location").asText

  private def partitionsLast(schema: StructType, partitionColumns: Seq[String]): StructType = {
    val (last, first) = schema.fields.toSeq.partition(f => partitionColumns.contains(f.name))
    StructType(first ++ partitionColumns.flatMap(c => last.find(_.name == c)))
  }

  private def validate(
      session: Session,
      provider: String,
      schema: StructType,
      partitionColumns: Seq[String]
  ): Unit = {
    PartitioningUtils.validatePartitionColumn(
      schema,
      partitionColumns,
      session.sessionState.conf.caseSensitiveAnalysis
    )
    val data = StructType(schema.filterNot(f => partitionColumns.contains(f.name)))
    FileTableFormats.find(session, provider).foreach { format =>
      DataSourceUtils.verifySchema(format, data)
      DataSourceUtils.checkFieldNames(format, data)
    }
  }

  /** The schema of existing files, for CREATE TABLE without columns. */
  private def inferred(
      session: Session,
      catalog: CatalogContext,
      title: String,
      provider: String,
      location: Option[String],
      options: Map[String, String]
  ): (StructType, Seq[String]) = {
    val own = location.map(CatalogUtils.stringToURI)
      .fold(catalog.hadoopOptions)(catalog.hadoopOptionsAt)
    val all = own ++ options ++ location.map("path" -> _)
    DataSource(session, className = provider, options = all)
      .resolveRelation(checkFilesExist = false) match {
      case relation: HadoopFsRelation =>
        if (relation.schema.isEmpty) {
          Errors.refuse(
            catalog,
            "invalid_argument",
            s"table $title: no columns are stated and none can be read from " +
              location.getOrElse("files, for there is no LOCATION"),
            title
          )
        }
        (relation.schema, relation.partitionSchema.fieldNames.toSeq)
      case relation => (relation.schema, Nil)
    }
  }

  /**
   * A managed table takes a directory for itself. Dropping a table leaves its files, which must not turn up as rows of a
   * new one of the same name.
   */
  private[files] def requireEmpty(
      session: Session,
      catalog: CatalogContext,
      ident: Identifier,
      spec: TableSpec
  ): Unit =
    spec.location.foreach { location =>
      val conf = session.sessionState.newHadoopConfWithOptions(
        catalog.hadoopOptionsAt(CatalogUtils.stringToURI(location))
      )
      val occupied =
        try new DataFiles(conf).exists(new Path(location))
        catch {
          // An entry can be made by who cannot look at the files.
          case _: UnsupportedFileSystemException | _: AccessDeniedException => false
        }
      if (occupied) {
        val title = s"${ident.namespace.mkString(".")}.${ident.name}"
        Errors.refuse(
          catalog,
          "invalid_argument",
          s"table $title cannot be created: its location $location is not empty. Dropping a table leaves its files: " +
            "remove them, or name the location with LOCATION to use them",
          title
        )
      }
    }
}
