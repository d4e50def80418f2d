package io.github.sdaberdaku.gluecat.s3a;

import com.amazonaws.AmazonServiceException;
import com.amazonaws.services.s3.model.PutObjectRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.s3a.Invoker;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.apache.hadoop.fs.s3a.WriteOperationHelper;
import org.apache.hadoop.fs.s3a.statistics.impl.EmptyS3AStatisticsContext;
import org.apache.hadoop.util.functional.CallableRaisingIOE;

/** How S3A of this Hadoop release sends {@code If-None-Match: *}: here for Hadoop 3.3, which has no option for it. */
final class ConditionalPut {

  /** What only S3A says of itself. */
  private static final String S3A = "fs.s3a.capability.directory.marker.aware";

  private ConditionalPut() {}

  /** False where the file system is not S3A. */
  static boolean isOffered(FileSystem fs, Path path) throws IOException {
    return fs.hasPathCapability(path, S3A);
  }

  /**
   * Sends one object. The AWS SDK below S3A repeats what may pass; a refusal by the condition is not repeated.
   *
   * @param metadata the name of an item of the object's metadata, and {@code value} what it holds
   * @throws IOException whatever S3 answered, see {@link #status}
   */
  static void send(FileSystem fs, Path path, byte[] content, String metadata, String value)
      throws IOException {
    S3AFileSystem s3a = (S3AFileSystem) fs;
    // S3A keeps the map and may add to it.
    Map<String, String> headers = new HashMap<>();
    headers.put(metadata, value);
    SentOnce operations = new SentOnce(s3a, path);
    PutObjectRequest request =
        operations.createPutObjectRequest(
            s3a.pathToKey(s3a.qualify(path)),
            new ByteArrayInputStream(content),
            content.length,
            headers);
    request.putCustomRequestHeader("If-None-Match", "*");
    operations.putObject(request);
  }

  /** The HTTP status that S3 answered with; 0 if there was no answer. */
  static int status(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof AmazonServiceException) {
        return ((AmazonServiceException) cause).getStatusCode();
      }
    }
    return 0;
  }

  /** S3A's way to send an object, without its retries: they take a failed condition for something that passes. */
  private static final class SentOnce extends WriteOperationHelper {

    SentOnce(S3AFileSystem fs, Path path) throws IOException {
      super(
          fs,
          fs.getConf(),
          new EmptyS3AStatisticsContext(),
          fs,
          fs.createSpan("op_create", path.toString(), null));
    }

    @Override
    public <T> T retry(
        String action, String path, boolean idempotent, CallableRaisingIOE<T> operation)
        throws IOException {
      return Invoker.once(action, path, operation);
    }
  }
}
