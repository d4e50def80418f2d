package io.github.sdaberdaku.gluecat;

import io.delta.storage.S3SingleDriverLogStore;
import io.github.sdaberdaku.gluecat.s3a.ExclusiveCreate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delta's log on S3, written by any number of drivers: a version is created by a conditional PUT, which S3 carries out
 * for one of them.
 *
 * <p>It is {@code spark.delta.logStore.s3a.impl} and {@code spark.delta.logStore.s3.impl} wherever a catalog of gluecat
 * is used and these are not set. Setting them works without a catalog too.
 *
 * <p>Everything but the creation of a version is as in Delta's store for one driver. So is that where the condition
 * cannot be sent (EMRFS, {@code fs.s3a.create.conditional.enabled=false}) or is not heeded, and a warning says that the
 * bucket is for one driver then. Whether a store heeds it is found out with the first version that a process creates
 * there: it is sent a second time, which must be refused.
 */
public class S3LogStore extends S3SingleDriverLogStore {

  private static final Logger LOG = LoggerFactory.getLogger(S3LogStore.class);

  /** By endpoint and bucket: whether conditional PUT is heeded there. */
  private static final ConcurrentMap<String, Boolean> HEEDED = new ConcurrentHashMap<>();

  /** Held for the first version of a bucket: until it is known, one writer of this process is under way. */
  private static final Object FINDING_OUT = new Object();

  public S3LogStore(Configuration hadoopConf) {
    super(hadoopConf);
  }

  /**
   * Writes a file of the log.
   *
   * @throws FileAlreadyExistsException another writer has this version, for certain
   * @throws IOException it was not written; or, which the message says then, nobody knows
   */
  @Override
  public void write(Path path, Iterator<String> actions, Boolean overwrite, Configuration hadoopConf)
      throws IOException {
    if (overwrite) {
      super.write(path, actions, true, hadoopConf);
      return;
    }
    List<String> lines = new ArrayList<>();
    actions.forEachRemaining(lines::add);
    if (!created(path.getFileSystem(hadoopConf), path, lines)) {
      super.write(path, lines.iterator(), false, hadoopConf);
    }
  }

  /** Creates a version; false if nothing was done, because the bucket is for one driver. */
  private static boolean created(FileSystem fs, Path path, List<String> lines) throws IOException {
    String store = fs.getConf().getTrimmed("fs.s3a.endpoint", "") + " " + fs.getUri();
    if (!ExclusiveCreate.isOffered(fs, path)) {
      isForOneDriver(store, fs.getClass().getName() + " does not offer conditional PUT");
      return false;
    }
    byte[] content = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    ExclusiveCreate creation = ExclusiveCreate.of(fs, path, content);
    if (!HEEDED.containsKey(store)) {
      synchronized (FINDING_OUT) {
        if (!HEEDED.containsKey(store)) {
          return createdFirst(creation, fs, path, store);
        }
      }
    }
    return HEEDED.get(store) && carriedOut(creation, path, store);
  }

  private static boolean createdFirst(
      ExclusiveCreate creation, FileSystem fs, Path path, String store) throws IOException {
    // A store that does not heed the condition would overwrite it.
    if (fs.exists(path)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    if (!carriedOut(creation, path, store)) {
      return false;
    }
    try {
      if (creation.isRefusedNow()) {
        HEEDED.put(store, true);
      } else {
        isForOneDriver(store, "it ignores If-None-Match");
      }
    } catch (IOException e) {
      // The version is written; the next one finds out.
      LOG.info("{}: whether it heeds If-None-Match could not be found out: {}", store, e.toString());
    }
    return true;
  }

  private static boolean carriedOut(ExclusiveCreate creation, Path path, String store)
      throws IOException {
    switch (creation.create()) {
      case CREATED:
        return true;
      case EXISTS:
        throw new FileAlreadyExistsException(path.toString());
      default:
        isForOneDriver(store, "it refuses If-None-Match");
        return false;
    }
  }

  private static void isForOneDriver(String store, String reason) {
    if (HEEDED.put(store, false) == null) {
      LOG.warn(
          "{}: {}. Of its Delta tables, each may be written by one driver at a time only", store, reason);
    }
  }
}
