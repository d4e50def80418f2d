package org.apache.spark.sql.gluecat.files

import java.io.FileNotFoundException
import java.nio.charset.StandardCharsets.UTF_8
import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{ChecksumException, Path}

/**
 * How far a streaming query got with a table: one small file for each query below the table's directory, which no reader
 * takes for data. It holds the number of the last batch, and whether that is written.
 */
private[files] final class StreamProgress(location: Path, conf: Configuration, query: String) {

  import StreamProgress._

  private val file = new Path(new Path(location, Directory), s"_$query")
  private val fs = file.getFileSystem(conf)

  /** What is known of a batch. An unreadable file is what a crash left while it was written: perhaps of this batch. */
  def of(batchId: Long): State =
    read().fold[State](Absent) { text =>
      text.split(' ') match {
        case Array(number, state) if Try(number.toLong).isSuccess && Words.contains(state) =>
          val last = number.toLong
          if (last > batchId) Written else if (last < batchId) Absent else Words(state)
        case _ => Begun
      }
    }

  def begin(batchId: Long): Unit = write(s"$batchId begun")

  def finish(batchId: Long): Unit = write(s"$batchId written")

  private def read(): Option[String] =
    try {
      val in = fs.open(file)
      try Some(scala.io.Source.fromInputStream(in, UTF_8.name).mkString)
      finally in.close()
    } catch {
      case _: FileNotFoundException => None
      case _: ChecksumException     => Some("")
    }

  private def write(text: String): Unit = {
    val out = fs.create(file, true)
    try out.write(text.getBytes(UTF_8))
    finally out.close()
  }
}

private[files] object StreamProgress {

  /** Below the table's directory. */
  val Directory = "_gluecat_streams"

  sealed trait State
  case object Absent extends State
  case object Begun extends State
  case object Written extends State

  private val Words: Map[String, State] = Map("begun" -> Begun, "written" -> Written)
}
