package org.apache.spark.sql.gluecat.delta

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{
  CloneTableStatement,
  LeafNode,
  LogicalPlan,
  UnaryNode
}
import org.apache.spark.sql.connector.catalog.Identifier
import org.apache.spark.sql.delta.catalog.DeltaTableV2
import org.apache.spark.sql.delta.commands.CreateDeltaTableCommand
import org.apache.spark.sql.execution.command.LeafRunnableCommand
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.gluecat.{CatalogContext, Errors, SessionNames, TableSpec, Tables}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.{Row, SparkSession}

/** A CLONE as it is parsed, out of sight of Delta's rules until ours has looked at its target. */
private[delta] final case class UnresolvedClone(statement: CloneTableStatement) extends LeafNode {
  override def output: Seq[Attribute] = Nil
  override lazy val resolved: Boolean = false
}

/**
 * CREATE TABLE … SHALLOW CLONE with a new table of ours as its target.
 *
 * Left alone, Delta makes an empty table while it analyzes the statement, ignores LOCATION, and clones over it. So it is
 * given a path as its target, and the entry is made when the clone is.
 *
 * @param child
 *   the statement, later the command that Delta makes of it
 */
private[delta] final case class CloneToNewTable(
    child: LogicalPlan,
    catalog: CatalogContext,
    ident: Identifier,
    location: String,
    managed: Boolean
) extends UnaryNode {

  override def output: Seq[Attribute] = Nil

  override lazy val resolved: Boolean = false

  override protected def withNewChildInternal(newChild: LogicalPlan): CloneToNewTable =
    copy(child = newChild)

  /** Itself as long as Delta has not resolved the statement. */
  def command: LogicalPlan = child match {
    case command: CreateDeltaTableCommand =>
      val storage = command.table.storage.copy(properties =
        DeltaSession.fileSystemOptions(
          catalog,
          new Path(location),
          command.table.storage.properties
        )
      )
      CloneAndRegister(
        command.copy(table = command.table.copy(storage = storage)),
        catalog,
        ident,
        location,
        managed
      )
    case _ => this
  }
}

private[delta] object CloneToNewTable {

  /** `clone` itself if its target is not ours, or is there already. */
  def of(session: Session, names: SessionNames, clone: CloneTableStatement): LogicalPlan =
    clone.target match {
      case target: UnresolvedRelation =>
        names.ours(target.multipartIdentifier) match {
          case Some((catalog, ident)) if !catalog.tableExists(ident) =>
            toPath(session, catalog.context, ident, clone)
          case _ => clone
        }
      case _ => clone
    }

  private def toPath(
      session: Session,
      catalog: CatalogContext,
      ident: Identifier,
      clone: CloneTableStatement
  ): LogicalPlan = {
    DeltaSession.check(catalog)
    val title = Tables.title(ident)
    if (!clone.isCreateCommand) {
      throw Errors.cannotReplace(ident, s"${catalog.title}: table $title does not exist")
    }
    val managed = clone.targetLocation.isEmpty
    // The columns are not known yet; Delta tables have none that Glue would refuse.
    val spec = TableSpec("delta", new StructType(), Nil, clone.targetLocation, managed)
    val location = catalog
      .callTable("prepare_table", ident)(request => request.replace("spec", spec.toJson))
      .path("location")
      .asText
    if (DeltaSession.log(catalog, location, Map.empty).update().version >= 0) {
      Errors.refuse(
        catalog,
        "invalid_argument",
        s"table $title cannot be cloned to $location: a Delta table lies there. " +
          s"${EntrySync.register(catalog, title, location)}; to start anew, remove the files first",
        title
      )
    }
    val path = new Path(location)
    val target = DeltaTableV2(
      session,
      path,
      options = DeltaSession.fileSystemOptions(catalog, path, Map.empty)
    )
    CloneToNewTable(
      clone.copy(target = DataSourceV2Relation.create(target, None, None), targetLocation = None),
      catalog,
      ident,
      location,
      managed
    )
  }
}

private[delta] final case class CloneAndRegister(
    command: CreateDeltaTableCommand,
    catalog: CatalogContext,
    ident: Identifier,
    location: String,
    managed: Boolean
) extends LeafRunnableCommand {

  override val output: Seq[Attribute] = command.output

  override protected def stringArgs: Iterator[Any] = Iterator(Tables.title(ident), location)

  override def run(sparkSession: SparkSession): Seq[Row] = {
    val rows = command.run(sparkSession.asInstanceOf[Session])
    val state = EntrySync.stateOf(DeltaSession.log(catalog, location, Map.empty).update())
    val title = Tables.title(ident)
    val recovery = EntrySync.register(catalog, title, location)
    EntrySync.afterCommit(catalog, title, location, recovery) {
      catalog.callTable("create_table", ident) { request =>
        request.replace("spec", EntrySync.spec(state, Some(location), managed, None).toJson)
      }
    }
    rows
  }
}
