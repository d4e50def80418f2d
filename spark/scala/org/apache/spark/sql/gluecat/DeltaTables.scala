package org.apache.spark.sql.gluecat

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.TableIdentifier
import org.apache.spark.sql.catalyst.parser.ParserInterface
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.connector.catalog.{
  Identifier,
  StagedTable,
  Table,
  TableCatalog,
  TableChange
}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.gluecat.shim.Session

/** Delta tables of a catalog. The implementation needs Delta's classes, this trait does not. */
trait DeltaTables {

  /** Prepares the process for tables of a catalog. */
  def prepare(): Unit

  def load(catalog: CatalogContext, description: TableDescription): Table

  def loadVersion(catalog: CatalogContext, description: TableDescription, version: String): Table

  /** @param micros since the epoch */
  def loadTimestamp(catalog: CatalogContext, description: TableDescription, micros: Long): Table

  /** @param existing the Delta entry that has the name; required to replace one */
  def stage(
      catalog: CatalogContext,
      ident: Identifier,
      definition: TableDefinition,
      mode: StageMode,
      existing: Option[TableDescription]
  ): StagedTable

  def create(catalog: CatalogContext, ident: Identifier, definition: TableDefinition): Table

  /** Applies the changes to the Delta log, then to the entry what of it the entry holds. */
  def alter(
      catalog: CatalogContext,
      description: TableDescription,
      changes: Seq[TableChange]
  ): Table

  /** Tables named by their path, as in delta.`/some/where`: to be read, written and altered, not to be created. */
  def atPaths: TableCatalog

  /** Rules for statements that Delta would resolve in the session catalog. */
  def injectRules(extensions: SparkSessionExtensions): Unit

  /** The same for what Delta's parser made of a statement. */
  def parsed(
      session: Session,
      sqlText: String,
      parser: ParserInterface,
      plan: LogicalPlan
  ): LogicalPlan

  /** The identifier that Delta's `DeltaTable` API can use for a name; None for all other callers of a parser. */
  def identifierForApi(
      session: Session,
      sqlText: String,
      parser: ParserInterface
  ): Option[TableIdentifier]

  /**
   * Wraps a command that may change the schema of one of our tables, so that the entry follows; None if it touches none.
   */
  def follow(command: SparkPlan): Option[SparkPlan]
}

object DeltaTables {

  /** None without Delta on the class path. */
  lazy val available: Option[DeltaTables] = {
    val loader = getClass.getClassLoader
    val present =
      try {
        Class.forName("org.apache.spark.sql.delta.DeltaLog", false, loader)
        true
      } catch {
        case _: ClassNotFoundException => false
      }
    if (!present) None
    else
      Some(
        Class
          .forName("org.apache.spark.sql.gluecat.delta.DeltaTablesImpl", true, loader)
          .getDeclaredConstructor()
          .newInstance()
          .asInstanceOf[DeltaTables]
      )
  }

  /** Delta's support, or a message that says what to add. */
  def required(catalog: CatalogContext, table: String): DeltaTables =
    available.getOrElse(
      Errors.refuse(
        catalog,
        "unsupported",
        s"table $table is a Delta table, and Delta is not on the class path: add " +
          s"io.delta:${shim.DeltaArtifact} (for example with --packages) and " +
          "spark.sql.extensions=io.delta.sql.DeltaSparkSessionExtension",
        table
      )
    )
}
