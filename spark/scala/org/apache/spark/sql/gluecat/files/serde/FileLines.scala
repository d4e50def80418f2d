package org.apache.spark.sql.gluecat.files.serde

import java.io.{IOException, OutputStream}
import java.nio.charset.StandardCharsets
import java.util
import scala.util.control.NonFatal

import org.apache.hadoop.io.Text
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.{OutputWriter, PartitionedFile}

/** The lines of a file that are rows. */
private[serde] object FileLines {

  /**
   * @param lines
   *   of a part of a file; each is valid until the next one
   * @param first
   *   whether it is the file's first part
   */
  def rows(lines: Iterator[Text], first: Boolean, settings: SerDeSettings): Iterator[Text] = {
    val afterHeader = if (first) lines.drop(settings.headerLines) else lines
    if (settings.footerLines == 0) afterHeader else withoutLast(afterHeader, settings.footerLines)
  }

  private def withoutLast(lines: Iterator[Text], footer: Int): Iterator[Text] =
    new Iterator[Text] {
      private val held = new util.ArrayDeque[Text]

      override def hasNext: Boolean = {
        while (held.size <= footer && lines.hasNext) held.add(new Text(lines.next()))
        held.size > footer
      }

      override def next(): Text = {
        if (!hasNext) throw new NoSuchElementException("no line left")
        held.poll()
      }
    }
}

/** The rows of lines; a line that cannot be read is named. */
private[serde] final class ParsedLines(
    lines: Iterator[Text],
    parser: LineParser,
    file: PartitionedFile,
    settings: SerDeSettings
) extends Iterator[InternalRow] {

  private var number = 0L

  override def hasNext: Boolean = lines.hasNext

  override def next(): InternalRow = {
    val line = lines.next()
    number += 1
    try parser.parse(line)
    catch {
      case NonFatal(e) =>
        val from = if (file.start == 0) "" else s" after byte ${file.start}"
        throw new IOException(
          s"table ${settings.table}: row $number$from of ${file.filePath} cannot be read by ${settings.className}: $e. " +
            "Mend the file, or the column's type and the SerDe's parameters in the table's entry",
          e
        )
    }
  }
}

/** Writes rows as lines. */
private[serde] final class LinesWriter(
    override val path: String,
    out: OutputStream,
    serializer: LineSerializer,
    settings: SerDeSettings
) extends OutputWriter {

  private val end =
    settings.lineDelimiter.getOrElse("\n").getBytes(StandardCharsets.UTF_8)

  private val endsAtBreaks = settings.lineDelimiter.isEmpty

  if (settings.headerLines > 0) put(serializer.header)

  override def write(row: InternalRow): Unit = put(serializer.serialize(row))

  private def put(line: Text): Unit = {
    if (endsAtBreaks) requireOneLine(line)
    out.write(line.getBytes, 0, line.getLength)
    out.write(end)
  }

  /** Whoever reads it would take it for two rows. */
  private def requireOneLine(line: Text): Unit = {
    val bytes = line.getBytes
    var i = 0
    while (i < line.getLength) {
      val byte = bytes(i)
      if (byte == '\n' || byte == '\r') {
        throw new IllegalArgumentException(
          s"table ${settings.table}: a value holds a line break, which ${settings.className} cannot write: the row would " +
            "be read as two. Replace it in the query"
        )
      }
      i += 1
    }
  }

  override def close(): Unit = out.close()
}
