package org.apache.spark.sql.gluecat.files.serde

import org.apache.hadoop.io.Text
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.StructType

/** Makes rows of the lines of one file. Used by one thread. */
private[sql] trait LineParser {

  /**
   * The row of a line: the required columns in their order.
   *
   * @param line
   *   without its end; the caller uses it again for the next one
   * @return
   *   valid until the next call, so that an implementation may use one row over and over
   * @throws RuntimeException
   *   if the line cannot be read, where its SerDe says that this is an error and not NULL. The caller adds the table, the
   *   file and the line
   */
  def parse(line: Text): InternalRow
}

/** Makes lines of rows. Used by one thread. */
private[sql] trait LineSerializer {

  /**
   * The line of a row of all data columns, without its end.
   *
   * @return
   *   valid until the next call
   */
  def serialize(row: InternalRow): Text

  /** The line of the columns' names. */
  def header: Text
}

/**
 * The columns that a parser works on.
 *
 * @param data
 *   all columns of the files, in the order of the entry; CHAR and VARCHAR are strings whose metadata have the declared type
 * @param required
 *   those that the query needs, which are the row that a parser gives
 * @param timeZone
 *   the session's: times without a zone are in it
 */
private[sql] final case class LineColumns(
    data: StructType,
    required: StructType,
    timeZone: String
)
