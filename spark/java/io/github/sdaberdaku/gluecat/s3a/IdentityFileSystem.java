package io.github.sdaberdaku.gluecat.s3a;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * S3A for buckets that several identities reach.
 *
 * <p>Hadoop makes one for every {@code FileSystem.get}, its own cache being off, and hands over the location and the
 * configuration at hand. Both decide the identity ({@link Routes}). There is one real S3A file system for each bucket and
 * identity of a process, and this object becomes another view of it: it takes over what initialization left in the real
 * one's fields (the client, thread pools, statistics), which costs microseconds where an initialization costs tens of
 * milliseconds. Being an S3AFileSystem, it is what S3A's committers and others cast it to.
 *
 * <p>Forwarding each method to the real one would be the other way. It was not taken: what S3A's own package calls on a
 * file system cannot be overridden, and there are 270 methods, other ones in each Hadoop release.
 */
public class IdentityFileSystem extends S3AFileSystem {

  /** By scheme, bucket, identity and user. */
  private static final ConcurrentMap<List<Object>, S3AFileSystem> REAL = new ConcurrentHashMap<>();
  private static final List<Field> STATE = state();

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    adopt(real(uri, conf));
  }

  /** The real file system serves others too and lives as long as the process, as those in Hadoop's cache do. */
  @Override
  public void close() throws IOException {
    processDeleteOnExit();
  }

  private static S3AFileSystem real(URI uri, Configuration conf) throws IOException {
    String identity = Routes.identityOf(uri, conf);
    List<Object> key =
        Arrays.asList(
            uri.getScheme(),
            uri.getRawAuthority(),
            identity,
            UserGroupInformation.getCurrentUser());
    S3AFileSystem known = REAL.get(key);
    if (known != null) {
      return known;
    }
    S3AFileSystem made = new S3AFileSystem();
    made.initialize(
        URI.create(uri.getScheme() + "://" + uri.getRawAuthority()),
        Routes.configurationOf(identity, conf));
    S3AFileSystem other = REAL.putIfAbsent(key, made);
    if (other == null) {
      return made;
    }
    made.close();
    return other;
  }

  private void adopt(S3AFileSystem real) throws IOException {
    try {
      for (Field field : STATE) {
        field.set(this, field.get(real));
      }
    } catch (IllegalAccessException e) {
      throw new IOException("S3A of this Hadoop release does not let its state be shared", e);
    }
  }

  /** What initialization sets. Final fields are made with the object, and belong to it. */
  private static List<Field> state() {
    List<Field> fields = new ArrayList<>();
    for (Class<?> c = S3AFileSystem.class; c != Object.class; c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers())) {
          field.setAccessible(true);
          fields.add(field);
        }
      }
    }
    return Collections.unmodifiableList(fields);
  }
}
