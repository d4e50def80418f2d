package org.apache.spark.sql.gluecat.files

import java.io.{FileNotFoundException, IOException}
import java.util.concurrent.ThreadLocalRandom

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter
import org.apache.hadoop.mapreduce.{JobContext, MRJobConfig, OutputCommitter, TaskAttemptContext}
import org.apache.parquet.hadoop.ParquetOutputFormat
import org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol
import org.apache.spark.sql.gluecat.shim.Session
import org.apache.spark.sql.internal.SQLConf

/**
 * Hadoop's committer for jobs that write to the same table at once.
 *
 * Hadoop's own keeps the tasks of all jobs in one directory below the table: a job that ends takes the others' finished
 * tasks into its result and removes their unfinished ones. Here each job has a directory of its own, by a number of its
 * own, and removes no other.
 */
class IsolatedOutputCommitter(output: Path, context: TaskAttemptContext)
    extends FileOutputCommitter(output, context) {

  override def setupJob(job: JobContext): Unit = {
    super.setupJob(job)
    val file = running(job)
    file.getFileSystem(job.getConfiguration).create(file, true).close()
  }

  override def commitJob(job: JobContext): Unit = {
    makeDirectories(job)
    super.commitJob(job)
  }

  /** Spark does not wait for the other tasks of a job that fails: the last one clears up. */
  override def abortTask(task: TaskAttemptContext): Unit = {
    super.abortTask(task)
    val file = running(task)
    if (!file.getFileSystem(task.getConfiguration).exists(file)) cleanupJob(task)
  }

  override def cleanupJob(job: JobContext): Unit = {
    val own = getJobAttemptPath(job)
    val fs = own.getFileSystem(job.getConfiguration)
    fs.delete(own, true)
    removeIfEmpty(fs, own.getParent)
  }

  /** A file that is there from the beginning of the job to its end, where Hadoop keeps unfinished tasks. */
  private def running(job: JobContext): Path =
    new Path(new Path(getJobAttemptPath(job), FileOutputCommitter.PENDING_DIR_NAME), "_running")

  /**
   * Hadoop moves a task's directory as a whole where there is none yet, and into it if another job has made it in the
   * meantime. With all directories there beforehand it moves file by file.
   */
  private def makeDirectories(job: JobContext): Unit = {
    val own = getJobAttemptPath(job)
    val fs = own.getFileSystem(job.getConfiguration)
    val prefix = fs.makeQualified(own).toUri.getPath + "/"
    val directories = scala.collection.mutable.LinkedHashSet.empty[String]
    try {
      val files = fs.listFiles(own, true)
      while (files.hasNext) {
        // <task>/<partitions>/<file>
        val parts = files.next().getPath.toUri.getPath.stripPrefix(prefix).split('/')
        if (parts.length > 2 && parts.head.startsWith("task_")) {
          directories += parts.slice(1, parts.length - 1).mkString("/")
        }
      }
    } catch { case _: FileNotFoundException => () }
    directories.foreach(d => fs.mkdirs(new Path(getOutputPath, d)))
  }

  private def removeIfEmpty(fs: FileSystem, directory: Path): Unit =
    try {
      if (fs.listStatus(directory).isEmpty) fs.delete(directory, false)
    } catch {
      // Another job has removed it, or has put something there.
      case _: IOException => ()
    }
}

private[files] object IsolatedOutputCommitter {

  /** Uses it for a write, unless the user or the file system has a committer of its own. */
  def configure(session: Session, conf: Configuration, output: Path): Unit =
    if (isHadoopsOwn(session, conf, output)) {
      conf.setInt(
        MRJobConfig.APPLICATION_ATTEMPT_ID,
        ThreadLocalRandom.current.nextInt(1, Int.MaxValue)
      )
      Seq(SQLConf.OUTPUT_COMMITTER_CLASS, SQLConf.PARQUET_OUTPUT_COMMITTER_CLASS).foreach { key =>
        conf.setClass(key.key, classOf[IsolatedOutputCommitter], classOf[OutputCommitter])
      }
    }

  private def isHadoopsOwn(session: Session, conf: Configuration, output: Path): Boolean = {
    def unset(key: String, harmless: String*): Boolean =
      Option(conf.get(key)).forall(v => v.isEmpty || harmless.contains(v))
    session.sessionState.conf.fileCommitProtocolClass ==
      classOf[SQLHadoopMapReduceCommitProtocol].getName &&
      unset(SQLConf.OUTPUT_COMMITTER_CLASS.key) &&
      unset(SQLConf.PARQUET_OUTPUT_COMMITTER_CLASS.key) &&
      unset("mapreduce.outputcommitter.factory.class") &&
      unset(
        s"mapreduce.outputcommitter.factory.scheme.${output.toUri.getScheme}",
        "org.apache.hadoop.fs.s3a.commit.S3ACommitterFactory"
      ) &&
      unset("fs.s3a.committer.name", "file") &&
      // Summary files are written by Parquet's committer only. Spark's default is to have none.
      unset(ParquetOutputFormat.JOB_SUMMARY_LEVEL, ParquetOutputFormat.JobSummaryLevel.NONE.name)
  }
}
