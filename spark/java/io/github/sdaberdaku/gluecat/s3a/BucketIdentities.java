package io.github.sdaberdaku.gluecat.s3a;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who reaches which bucket: what the catalogs of a driver have said, written into its Hadoop configuration.
 *
 * <p>A bucket that one identity uses gets that identity's keys as S3A's own per-bucket keys, so that what Spark and Delta
 * do without a table's options (streams, CLONE, ANALYZE) runs under it too. A bucket that several identities use gets
 * {@link IdentityFileSystem} and {@link Routes}. Per-bucket credentials of the user's own say who reaches a bucket, and
 * nothing is done about it then.
 *
 * <p>Thread-safe. The configuration is changed while others copy it; what is needed for a location is there before
 * {@link #use} returns, and so before anything is planned that reads it.
 */
public final class BucketIdentities {

  /** When {@link IdentityFileSystem} is used: {@code auto} (the default), {@code always} or {@code never}. */
  public static final String MODE = "fs.gluecat.file-system-per-identity";

  private static final Logger LOG = LoggerFactory.getLogger(BucketIdentities.class);
  private static final String S3A = "org.apache.hadoop.fs.s3a.S3AFileSystem";
  private static final String S3A_CONTEXT = "org.apache.hadoop.fs.s3a.S3A";
  // By name: their classes need S3A's, which may be missing.
  private static final String IDENTITY_FILE_SYSTEM =
      "io.github.sdaberdaku.gluecat.s3a.IdentityFileSystem";
  private static final String IDENTITY_CONTEXT =
      "io.github.sdaberdaku.gluecat.s3a.IdentityAbstractFileSystem";
  private static final Set<String> SCHEMES = setOf("s3", "s3a", "s3n");
  private static final Set<String> WHO =
      setOf("aws.credentials.provider", "access.key", "secret.key", "assumed.role.arn");

  private static final Map<Configuration, BucketIdentities> BY_CONFIGURATION =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** What is known of one bucket. */
  private static final class Bucket {
    final Map<String, Set<String>> locations = new HashMap<>();
    final Set<String> identities = new LinkedHashSet<>();
    final Set<String> keysSet = new HashSet<>();
    boolean routed;
  }

  /** Names of identities by their keys. */
  private final Map<Map<String, String>, String> names = new ConcurrentHashMap<>();

  private final Map<String, Map<String, String>> identities = new HashMap<>();
  private final Map<String, Bucket> buckets = new HashMap<>();

  private BucketIdentities() {}

  /** The ones of a driver, by the configuration that it copies for every job. */
  public static BucketIdentities of(Configuration conf) {
    return BY_CONFIGURATION.computeIfAbsent(conf, c -> new BucketIdentities());
  }

  /**
   * Says that a catalog uses a location.
   *
   * @param location a table's; anything that is not on S3 is ignored
   * @param options the Hadoop options of the catalog
   * @param conf the one that {@link #of} was given
   * @return what the table's options must hold beside the catalog's
   */
  public Map<String, String> use(URI location, Map<String, String> options, Configuration conf) {
    String scheme = location.getScheme();
    String name = location.getRawAuthority();
    if (scheme == null || name == null || !SCHEMES.contains(scheme.toLowerCase(Locale.ROOT))) {
      return Collections.emptyMap();
    }
    Map<String, String> own = new TreeMap<>();
    options.forEach(
        (key, value) -> {
          if (key.startsWith("fs.s3a.")) {
            own.put(key, value);
          }
        });
    if (own.isEmpty()) {
      add(name, Routes.location(location), Routes.SESSION, own, conf);
      return Collections.emptyMap();
    }
    String identity = names.computeIfAbsent(own, BucketIdentities::nameOf);
    add(name, Routes.location(location), identity, own, conf);
    return Collections.singletonMap(Routes.OWN_IDENTITY, identity);
  }

  private synchronized void add(
      String name, String location, String identity, Map<String, String> own, Configuration conf) {
    Bucket bucket = buckets.computeIfAbsent(name, n -> new Bucket());
    boolean newHere = bucket.identities.add(identity);
    boolean newLocation =
        bucket.locations.computeIfAbsent(location, l -> new LinkedHashSet<>()).add(identity);
    if (!own.isEmpty()) {
      identities.putIfAbsent(identity, own);
    }
    if (bucket.routed ? !newLocation : !newHere) {
      return;
    }
    if (!bucket.routed && isUsersOwn(name, bucket, conf)) {
      return;
    }
    String mode = conf.getTrimmed(MODE, "auto");
    boolean several = bucket.identities.size() > 1;
    if (!mode.equals("never") && (several || mode.equals("always"))) {
      route(name, bucket, conf);
    } else if (!several) {
      setPerBucketKeys(name, bucket, own, conf);
    } else {
      LOG.warn(
          "bucket {} is used under {} identities, and with {}=never the first one decides for all",
          name,
          bucket.identities.size(),
          MODE);
    }
  }

  /** Whether the user has per-bucket keys that say who reaches the bucket. */
  private static boolean isUsersOwn(String name, Bucket bucket, Configuration conf) {
    for (String key : WHO) {
      String perBucket = perBucket(name, key);
      if (!bucket.keysSet.contains(perBucket) && conf.get(perBucket) != null) {
        return true;
      }
    }
    return false;
  }

  private static void setPerBucketKeys(
      String name, Bucket bucket, Map<String, String> own, Configuration conf) {
    own.forEach(
        (key, value) -> {
          String perBucket = perBucket(name, key.substring("fs.s3a.".length()));
          if (conf.get(perBucket) == null) {
            conf.set(perBucket, value);
            bucket.keysSet.add(perBucket);
          }
        });
  }

  private void route(String name, Bucket bucket, Configuration conf) {
    if (!bucket.routed) {
      if (!install(conf)) {
        LOG.warn(
            "bucket {} is used under {} identities, and without S3A the first one decides for all",
            name,
            bucket.identities.size());
        return;
      }
      bucket.routed = true;
      LOG.info(
          "bucket {} is used under {} identities; each location is reached under that of its catalog",
          name,
          bucket.identities.size());
      // They would go before everything that an identity says.
      bucket.keysSet.forEach(conf::unset);
      bucket.keysSet.clear();
    }
    Map<String, Map<String, String>> used = new HashMap<>();
    Map<String, Set<String>> locations = new HashMap<>();
    for (Bucket routed : buckets.values()) {
      if (routed.routed) {
        locations.putAll(routed.locations);
        routed.identities.stream()
            .filter(identity -> !identity.equals(Routes.SESSION))
            .forEach(identity -> used.put(identity, identities.get(identity)));
      }
    }
    Routes.write(used, locations, conf);
  }

  /** Puts our file system in S3A's place, for each scheme that S3A serves. False if that is none. */
  private static boolean install(Configuration conf) {
    boolean found = false;
    for (String scheme : SCHEMES) {
      String key = "fs." + scheme + ".impl";
      String current = conf.getTrimmed(key, scheme.equals("s3a") ? S3A : "");
      if (current.equals(S3A)) {
        conf.set(key, IDENTITY_FILE_SYSTEM);
        conf.setBoolean(key + ".disable.cache", true);
      } else if (!current.equals(IDENTITY_FILE_SYSTEM)) {
        continue;
      }
      found = true;
      String context = "fs.AbstractFileSystem." + scheme + ".impl";
      if (S3A_CONTEXT.equals(conf.getTrimmed(context))) {
        conf.set(context, IDENTITY_CONTEXT);
      }
    }
    return found;
  }

  private static Set<String> setOf(String... values) {
    return Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList(values)));
  }

  private static String perBucket(String name, String key) {
    return "fs.s3a.bucket." + name + "." + key;
  }

  /** The same for the same keys, in every process, and without what they hold. */
  private static String nameOf(Map<String, String> options) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      options.forEach(
          (key, value) ->
              digest.update((key + "\0" + value + "\0").getBytes(StandardCharsets.UTF_8)));
      StringBuilder name = new StringBuilder();
      byte[] hash = digest.digest();
      for (int i = 0; i < 8; i++) {
        name.append(String.format("%02x", hash[i]));
      }
      return name.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
