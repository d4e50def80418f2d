package io.github.sdaberdaku.gluecat.s3a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BucketIdentitiesTest {
  private static final String PROVIDER = "fs.s3a.aws.credentials.provider";
  private static final String ARN = "fs.s3a.assumed.role.arn";
  private static final String EXTERNAL_ID = "fs.s3a.assumed.role.external.id";
  private static final Map<String, String> A = map(PROVIDER, "assumed", ARN, "role-a");
  private static final Map<String, String> B =
      map(PROVIDER, "assumed", ARN, "role-b", EXTERNAL_ID, "word");

  private final Configuration conf = new Configuration(false);
  private final BucketIdentities identities = BucketIdentities.of(conf);

  @BeforeEach
  void session() {
    conf.set(PROVIDER, "the session's");
  }

  private Configuration use(String location, Map<String, String> options) {
    Map<String, String> more = identities.use(URI.create(location), options, conf);
    Configuration table = new Configuration(conf);
    options.forEach(table::set);
    more.forEach(table::set);
    return table;
  }

  private static String arn(String location, Configuration conf) {
    URI uri = URI.create(location);
    return Routes.configurationOf(Routes.identityOf(uri, conf), conf).get(ARN, "none");
  }

  private boolean isRouted() {
    return IdentityFileSystem.class.getName().equals(conf.get("fs.s3a.impl"));
  }

  @Test
  void oneIdentityOfABucketBecomesPerBucketKeys() {
    use("s3a://bucket/a", A);
    use("s3://bucket/a2", A);
    assertEquals("role-a", conf.get("fs.s3a.bucket.bucket.assumed.role.arn"));
    assertEquals("the session's", conf.get(PROVIDER));
    assertFalse(isRouted());
  }

  @Test
  void theSessionAloneChangesNothing() {
    assertEquals(map(), identities.use(URI.create("s3a://bucket/x"), map("fs.x", "y"), conf));
    assertEquals(map(), identities.use(URI.create("file:/tmp/x"), A, conf));
    assertEquals(map(), identities.use(URI.create("/tmp/x"), A, conf));
    assertEquals(1, conf.size());
  }

  @Test
  void twoIdentitiesAreRoutedByLocation() {
    Configuration a = use("s3a://bucket/a", A);
    Configuration b = use("s3://bucket/b", B);
    assertTrue(isRouted());
    assertTrue(conf.getBoolean("fs.s3a.impl.disable.cache", false));
    assertNull(conf.get("fs.s3a.bucket.bucket.assumed.role.arn"));
    // What the session's configuration does, such as a stream's sink.
    assertEquals("role-a", arn("s3a://bucket/a/part-0", conf));
    assertEquals("role-b", arn("s3a://bucket/b/part-0", conf));
    assertEquals("none", arn("s3a://bucket/c", conf));
    assertEquals("none", arn("s3a://bucket/aa", conf));
    // What a table's configuration does, also at another table's location, as a shallow clone reads.
    assertEquals("role-a", arn("s3a://bucket/c", a));
    assertEquals("role-a", arn("s3a://bucket/a", use("s3a://bucket/b", B)));
    assertEquals("role-b", arn("s3a://bucket/b/x", b));
    // a was made before b was known, and knows no routes; nobody uses it for b.
    assertEquals("role-a", arn("s3a://bucket/a/x", a));
  }

  @Test
  void anIdentityHasNothingOfAnother() {
    Configuration b = use("s3a://bucket/b", B);
    use("s3a://bucket/a", A);
    use("s3a://bucket/session", map());
    b = use("s3a://bucket/b", B);
    Configuration asA = Routes.configurationOf(
        Routes.identityOf(URI.create("s3a://bucket/a"), b), b);
    assertNull(asA.get(EXTERNAL_ID));
    assertEquals("role-a", asA.get(ARN));
    Configuration asSession = Routes.configurationOf(
        Routes.identityOf(URI.create("s3a://bucket/session/x"), b), b);
    assertNull(asSession.get(ARN));
    assertEquals("the session's", asSession.get(PROVIDER));
  }

  @Test
  void theSessionIsAnIdentityTooWhereACatalogHasNoRole() {
    use("s3a://bucket/plain", map());
    Configuration a = use("s3a://bucket/a", A);
    assertTrue(isRouted());
    assertEquals("none", arn("s3a://bucket/plain", a));
    assertEquals("role-a", arn("s3a://bucket/a", conf));
  }

  @Test
  void theLongestLocationCountsAndASharedOneIsTheirsWhoAsks() {
    use("s3a://bucket/lake", A);
    use("s3a://bucket/lake/b", B);
    assertEquals("role-a", arn("s3a://bucket/lake/x", conf));
    assertEquals("role-b", arn("s3a://bucket/lake/b/x", conf));
    Configuration a = use("s3a://bucket/both", A);
    Configuration b = use("s3a://bucket/both", B);
    assertEquals("role-a", arn("s3a://bucket/both/x", a));
    assertEquals("role-b", arn("s3a://bucket/both/x", b));
  }

  @Test
  void theSameKeysAreTheSameIdentity() {
    String first = identities.use(URI.create("s3a://x/a"), A, conf).get(Routes.OWN_IDENTITY);
    assertEquals(
        first,
        identities.use(URI.create("s3a://x/b"), new HashMap<>(A), conf).get(Routes.OWN_IDENTITY));
    assertNotEquals(
        first, identities.use(URI.create("s3a://y/b"), B, conf).get(Routes.OWN_IDENTITY));
    assertFalse(isRouted());
  }

  @Test
  void perBucketCredentialsOfTheUserAreLeftAlone() {
    conf.set("fs.s3a.bucket.bucket.access.key", "mine");
    int before = conf.size();
    use("s3a://bucket/a", A);
    use("s3a://bucket/b", B);
    assertEquals(before, conf.size());
  }

  @Test
  void otherPerBucketKeysOfTheUserGoBeforeOurs() {
    conf.set("fs.s3a.bucket.bucket.endpoint", "theirs");
    use("s3a://bucket/a", map("fs.s3a.endpoint", "ours", ARN, "role-a"));
    assertEquals("theirs", conf.get("fs.s3a.bucket.bucket.endpoint"));
    assertEquals("role-a", conf.get("fs.s3a.bucket.bucket.assumed.role.arn"));
    use("s3a://bucket/b", B);
    assertEquals("theirs", conf.get("fs.s3a.bucket.bucket.endpoint"));
  }

  @Test
  void itCanBeAskedForAndForbidden() {
    conf.set(BucketIdentities.MODE, "never");
    use("s3a://bucket/a", A);
    use("s3a://bucket/b", B);
    assertFalse(isRouted());
    conf.set(BucketIdentities.MODE, "always");
    use("s3a://other/a", A);
    assertTrue(isRouted());
    assertEquals("role-a", arn("s3a://other/a/x", conf));
  }

  @Test
  void anotherFileSystemStays() {
    conf.set("fs.s3a.impl", "com.example.Other");
    conf.set("fs.s3.impl", "com.example.Other");
    use("s3a://bucket/a", A);
    use("s3a://bucket/b", B);
    assertEquals("com.example.Other", conf.get("fs.s3a.impl"));
    assertNull(conf.get("fs.s3a.impl.disable.cache"));
  }

  @Test
  void everySchemeThatS3aServesIsServed() {
    conf.set("fs.s3.impl", "org.apache.hadoop.fs.s3a.S3AFileSystem");
    conf.set("fs.AbstractFileSystem.s3a.impl", "org.apache.hadoop.fs.s3a.S3A");
    use("s3://bucket/a", A);
    use("s3://bucket/b", B);
    assertEquals(IdentityFileSystem.class.getName(), conf.get("fs.s3.impl"));
    assertEquals(
        IdentityAbstractFileSystem.class.getName(), conf.get("fs.AbstractFileSystem.s3a.impl"));
    assertNull(conf.get("fs.s3n.impl"));
  }

  @Test
  void aConfigurationHasItsOwn() {
    assertSame(identities, BucketIdentities.of(conf));
    assertTrue(identities != BucketIdentities.of(new Configuration(conf)));
  }

  private static Map<String, String> map(String... keysAndValues) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }
}
