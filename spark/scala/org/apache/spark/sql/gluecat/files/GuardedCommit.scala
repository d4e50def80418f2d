package org.apache.spark.sql.gluecat.files

import scala.collection.mutable

import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.hadoop.mapreduce.{JobContext, TaskAttemptContext}
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage
import org.apache.spark.internal.io.{FileCommitProtocol, FileNameSpec}

/**
 * Commits as `protocol` does, unless tasks have written to directories that nothing may be added to. Which partitions a
 * job writes to is known only after its tasks have run; then it is aborted, which leaves nothing behind.
 *
 * @param closed
 *   the directories, as tasks name them: relative to the table's, or absolute for partitions elsewhere
 * @param refuse
 *   is called in the driver with those that were written to, and throws
 */
private[files] final class GuardedCommit(
    protocol: FileCommitProtocol,
    closed: Set[String],
    @transient refuse: Set[String] => Nothing
) extends FileCommitProtocol
    with Serializable {

  /** Of the task that runs in this copy. */
  @transient private lazy val written = mutable.Set.empty[String]

  private def note(directory: String): Unit = if (closed(directory)) written += directory

  override def commitTask(task: TaskAttemptContext): TaskCommitMessage =
    new TaskCommitMessage(GuardedCommit.Message(protocol.commitTask(task), written.toSet))

  override def onTaskCommit(message: TaskCommitMessage): Unit =
    protocol.onTaskCommit(GuardedCommit.of(message).inner)

  override def commitJob(job: JobContext, messages: Seq[TaskCommitMessage]): Unit = {
    val all = messages.map(GuardedCommit.of)
    val touched = all.flatMap(_.written).toSet
    if (touched.nonEmpty) refuse(touched)
    protocol.commitJob(job, all.map(_.inner))
  }

  override def newTaskTempFile(
      task: TaskAttemptContext,
      directory: Option[String],
      spec: FileNameSpec
  ): String = {
    directory.foreach(note)
    protocol.newTaskTempFile(task, directory, spec)
  }

  override def newTaskTempFile(
      task: TaskAttemptContext,
      directory: Option[String],
      ending: String
  ): String = newTaskTempFile(task, directory, FileNameSpec("", ending))

  override def newTaskTempFileAbsPath(
      task: TaskAttemptContext,
      directory: String,
      spec: FileNameSpec
  ): String = {
    note(directory)
    protocol.newTaskTempFileAbsPath(task, directory, spec)
  }

  override def newTaskTempFileAbsPath(
      task: TaskAttemptContext,
      directory: String,
      ending: String
  ): String = newTaskTempFileAbsPath(task, directory, FileNameSpec("", ending))

  override def setupJob(job: JobContext): Unit = protocol.setupJob(job)

  override def abortJob(job: JobContext): Unit = protocol.abortJob(job)

  override def setupTask(task: TaskAttemptContext): Unit = protocol.setupTask(task)

  override def abortTask(task: TaskAttemptContext): Unit = protocol.abortTask(task)

  override def deleteWithJob(fs: FileSystem, path: Path, recursive: Boolean): Boolean =
    protocol.deleteWithJob(fs, path, recursive)
}

private object GuardedCommit {

  final case class Message(inner: TaskCommitMessage, written: Set[String])

  def of(message: TaskCommitMessage): Message = message.obj.asInstanceOf[Message]
}
