package io.github.sdaberdaku.gluecat.s3a;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import software.amazon.awssdk.core.exception.SdkServiceException;

/** How S3A of this Hadoop release sends {@code If-None-Match: *}: here for Hadoop 3.4, which has an option for it. */
final class ConditionalPut {

  private static final String NO_OVERWRITE = "fs.option.create.conditional.overwrite";
  private static final String METADATA = "fs.s3a.create.header.";

  private ConditionalPut() {}

  /** False where the file system is not S3A, or was told that its store cannot do this. */
  static boolean isOffered(FileSystem fs, Path path) throws IOException {
    return fs.hasPathCapability(path, NO_OVERWRITE);
  }

  /**
   * Sends one object. S3A repeats what may pass; a refusal by the condition is not repeated.
   *
   * @param metadata the name of an item of the object's metadata, and {@code value} what it holds
   * @throws IOException whatever S3 answered, see {@link #status}
   */
  static void send(FileSystem fs, Path path, byte[] content, String metadata, String value)
      throws IOException {
    FSDataOutputStreamBuilder<? extends FSDataOutputStream, ?> builder = fs.createFile(path);
    builder.overwrite(false);
    builder.must(NO_OVERWRITE, true);
    builder.must(METADATA + metadata, value);
    FSDataOutputStream out = builder.build();
    try {
      out.write(content);
    } catch (IOException | RuntimeException e) {
      // Closing would send what there is.
      out.abort();
      throw e;
    }
    out.close();
  }

  /** The HTTP status that S3 answered with; 0 if there was no answer. */
  static int status(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SdkServiceException) {
        return ((SdkServiceException) cause).statusCode();
      }
    }
    return 0;
  }
}
