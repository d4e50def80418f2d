package io.github.sdaberdaku.gluecat.s3a;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Creates objects that one writer out of many creates, and says for certain whether it was this one.
 *
 * <p>S3 carries out a PUT with {@code If-None-Match: *} only where nothing has the name, atomically. What is left to do
 * is the answer that gets lost: whoever repeats such a PUT is refused because of itself. So every creation writes an id
 * of its own into the object's metadata, and after any failure the object is asked whose it is. Its content would not do:
 * two writers may write the same.
 */
public final class ExclusiveCreate {

  /** What became of a creation. */
  public enum Outcome {
    CREATED,
    /** Somebody else has the name. */
    EXISTS,
    /** The store does not know conditional PUT and has written nothing. */
    UNSUPPORTED
  }

  /** The item of an object's metadata that holds the id. */
  static final String ID = "gluecat-id";

  /** How S3A shows it, see {@code S3AFileSystem.getXAttr}. */
  private static final String ID_ATTRIBUTE = "header." + ID;

  /** How often a creation is tried that S3 refuses although nothing has the name. */
  static final int ATTEMPTS = 8;

  private static final int NOT_ALLOWED = 405;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;
  private static final int NOT_IMPLEMENTED = 501;

  /** The store, as far as it is needed here. */
  interface Store {

    /** Sends an object with an id, on the condition that nothing has the name. */
    void put(String id) throws IOException;

    /** The id of the object that has the name: null if nothing has it, empty if the object has none. */
    String idOfObject() throws IOException;

    /** The HTTP status of a failure; 0 if there was no answer. */
    int status(IOException failure);

    /** Waits before attempt {@code number} (from 1). */
    void pause(int number) throws IOException;
  }

  private final Store store;
  private final String name;
  private final String id = UUID.randomUUID().toString();

  ExclusiveCreate(Store store, String name) {
    this.store = store;
    this.name = name;
  }

  /**
   * One creation.
   *
   * @param fs S3A, see {@link #isOffered}
   * @param path the object, where a directory may not be
   * @param content all of it
   */
  public static ExclusiveCreate of(FileSystem fs, Path path, byte[] content) {
    return new ExclusiveCreate(new S3aObject(fs, path, content), path.toString());
  }

  /** Whether the file system can send such a PUT; whether its store then heeds it, only the store knows. */
  public static boolean isOffered(FileSystem fs, Path path) throws IOException {
    return ConditionalPut.isOffered(fs, path);
  }

  /**
   * Creates the object.
   *
   * @throws IOException it was not created; or, which the message says then, nobody knows
   */
  public Outcome create() throws IOException {
    for (int attempt = 1; ; attempt++) {
      IOException failure;
      try {
        store.put(id);
        return Outcome.CREATED;
      } catch (IOException e) {
        failure = e;
      }
      int status = store.status(failure);
      if (status == NOT_IMPLEMENTED || status == NOT_ALLOWED) {
        return Outcome.UNSUPPORTED;
      }
      String owner = ownerAfter(failure);
      if (owner != null) {
        return owner.equals(id) ? Outcome.CREATED : Outcome.EXISTS;
      }
      // 409 means that another PUT or DELETE of the name was under way, and came to nothing. Everything else that may pass
      // has been repeated below.
      boolean mayPass = status == CONFLICT || status == PRECONDITION_FAILED;
      if (!mayPass || attempt == ATTEMPTS) {
        throw isRefusal(status) ? failure : unknown(failure);
      }
      store.pause(attempt);
    }
  }

  /**
   * Sends the object that {@link #create} has created once more, which changes nothing: a store that heeds the condition
   * refuses, and one that does not writes the same again.
   *
   * @return whether it was refused
   * @throws IOException the store said neither
   */
  public boolean isRefusedNow() throws IOException {
    try {
      store.put(id);
      return false;
    } catch (IOException e) {
      if (store.status(e) == PRECONDITION_FAILED) {
        return true;
      }
      throw e;
    }
  }

  private String ownerAfter(IOException failure) throws IOException {
    try {
      return store.idOfObject();
    } catch (IOException e) {
      IOException unknown = unknown(failure);
      unknown.addSuppressed(e);
      throw unknown;
    }
  }

  /** Whether the store has said that it did not carry out the request. */
  private static boolean isRefusal(int status) {
    return status >= 400 && status < 500;
  }

  /** The request may be carried out yet. */
  private IOException unknown(IOException failure) {
    return new IOException(
        name + " may or may not have been written: the store's answer was lost: " + failure, failure);
  }

  private static final class S3aObject implements Store {
    private final FileSystem fs;
    private final Path path;
    private final byte[] content;

    S3aObject(FileSystem fs, Path path, byte[] content) {
      this.fs = fs;
      this.path = path;
      this.content = content;
    }

    @Override
    public void put(String id) throws IOException {
      ConditionalPut.send(fs, path, content, ID, id);
    }

    @Override
    public String idOfObject() throws IOException {
      try {
        Map<String, byte[]> attributes = fs.getXAttrs(path);
        byte[] id = attributes.get(ID_ATTRIBUTE);
        return id == null ? "" : new String(id, StandardCharsets.UTF_8);
      } catch (FileNotFoundException e) {
        return null;
      }
    }

    @Override
    public int status(IOException failure) {
      return ConditionalPut.status(failure);
    }

    @Override
    public void pause(int number) throws IOException {
      try {
        // Those that met must not meet again.
        Thread.sleep(ThreadLocalRandom.current().nextLong(20L << number));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException(e.getMessage()).initCause(e);
      }
    }
  }
}
