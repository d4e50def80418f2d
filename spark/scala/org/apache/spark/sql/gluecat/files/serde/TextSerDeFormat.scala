package org.apache.spark.sql.gluecat.files.serde

import java.nio.charset.StandardCharsets

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.hadoop.mapreduce.{Job, TaskAttemptContext}
import org.apache.spark.TaskContext
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.util.{CaseInsensitiveMap, CompressionCodecs}
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.sources.{DataSourceRegister, Filter}
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.SerializableConfiguration

/**
 * Text files whose lines a SerDe of Hive reads: provider `hive-text`. What the SerDe is and how it is set comes as
 * options, see [[SerDeSettings]]. Spark's DataSourceRegister knows it for the sake of `readStream.table`.
 */
class TextSerDeFormat extends TextBasedFileFormat with DataSourceRegister {

  override def shortName: String = TextSerDeFormat.Name

  override def toString: String = TextSerDeFormat.Name

  /** The columns are those of the entry. */
  override def inferSchema(
      session: SparkSession,
      options: Map[String, String],
      files: Seq[FileStatus]
  ): Option[StructType] = None

  /**
   * One header line begins in the first part of a file, wherever that ends. More of them may not, and nobody knows where a
   * footer begins but who reads to the end.
   */
  override def isSplitable(
      session: SparkSession,
      options: Map[String, String],
      path: Path
  ): Boolean =
    SerDeSettings.headerLines(options) <= 1 && SerDeSettings.footerLines(options) == 0 &&
      super.isSplitable(session, options, path)

  override def buildReader(
      session: SparkSession,
      dataSchema: StructType,
      partitionSchema: StructType,
      requiredSchema: StructType,
      filters: Seq[Filter],
      options: Map[String, String],
      hadoopConf: Configuration
  ): PartitionedFile => Iterator[InternalRow] = {
    val settings = SerDeSettings.of(options)
    val columns = LineColumns(dataSchema, requiredSchema, TextSerDeFormat.timeZone(session))
    // What cannot work must fail before tasks are started, and once.
    SerDes.parser(settings, columns, hadoopConf)
    val conf = session.sparkContext.broadcast(new SerializableConfiguration(hadoopConf))
    file => {
      val lines = new HadoopFileLinesReader(
        file,
        settings.lineDelimiter.map(_.getBytes(StandardCharsets.UTF_8)),
        conf.value.value
      )
      Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => lines.close()))
      val parser = SerDes.parser(settings, columns, conf.value.value)
      new ParsedLines(FileLines.rows(lines, file.start == 0, settings), parser, file, settings)
    }
  }

  override def prepareWrite(
      session: SparkSession,
      job: Job,
      options: Map[String, String],
      dataSchema: StructType
  ): OutputWriterFactory = {
    val settings = SerDeSettings.of(options)
    val columns = LineColumns(dataSchema, dataSchema, TextSerDeFormat.timeZone(session))
    CaseInsensitiveMap(options).get("compression").foreach { name =>
      CompressionCodecs.setCodecConfiguration(
        job.getConfiguration,
        CompressionCodecs.getCodecClassName(name)
      )
    }
    SerDes.serializer(settings, columns, job.getConfiguration)
    new OutputWriterFactory {
      // As Hive names its files: other engines take the codec from the end, and nothing else.
      override def getFileExtension(context: TaskAttemptContext): String =
        CodecStreams.getCompressionExtension(context)

      override def newInstance(
          path: String,
          schema: StructType,
          context: TaskAttemptContext
      ): OutputWriter = new LinesWriter(
        path,
        CodecStreams.createOutputStream(context, new Path(path)),
        SerDes.serializer(settings, columns, context.getConfiguration),
        settings
      )
    }
  }
}

private[sql] object TextSerDeFormat {

  /** The provider, as the core names it. */
  val Name = "hive-text"

  private def timeZone(session: SparkSession): String =
    session.asInstanceOf[Session].sessionState.conf.sessionLocalTimeZone
}
