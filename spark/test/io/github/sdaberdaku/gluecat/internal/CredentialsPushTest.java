package io.github.sdaberdaku.gluecat.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.sdaberdaku.gluecat.AccessDeniedException;
import io.github.sdaberdaku.gluecat.GlueCatalogException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Providers here have the methods of the SDK's interfaces, by which alone they are used. */
class CredentialsPushTest {

  /** Has the form of an AwsSessionCredentials. */
  public static final class Keys {
    private final String id;
    private final Instant expires;

    Keys(String id, Instant expires) {
      this.id = id;
      this.expires = expires;
    }

    public String accessKeyId() {
      return id;
    }

    public String secretAccessKey() {
      return "secret-of-" + id;
    }

    public String sessionToken() {
      return "token-of-" + id;
    }

    public Optional<Instant> expirationTime() {
      return Optional.ofNullable(expires);
    }
  }

  /** Gives what the test says. */
  public static final class Scripted {
    static Object next;
    static RuntimeException failure;
    static int asked;

    public Object resolveCredentials() {
      asked++;
      if (failure != null) {
        throw failure;
      }
      return next;
    }
  }

  public static final class ByMap {
    private final String id;

    private ByMap(String id) {
      this.id = id;
    }

    public static ByMap create(Map<String, String> options) {
      options.put("its", "own copy");
      return new ByMap(options.get("keyId"));
    }

    public static ByMap create() {
      return new ByMap("by create()");
    }

    public Keys resolveCredentials() {
      return new Keys(id, null);
    }
  }

  public static final class ByCreate {
    private ByCreate() {}

    /** A class that is not public, as many factories give. */
    public static Object create() {
      return new Hidden();
    }
  }

  private static final class Hidden {
    public Keys resolveCredentials() {
      return new Keys("BY-CREATE", null);
    }
  }

  public static final class NoWayToMake {
    public NoWayToMake(int needed) {}
  }

  public static final class MadeAsNull {
    public static Object create() {
      return null;
    }
  }

  public static final class FailsWhenMade {
    public FailsWhenMade() {
      throw new IllegalStateException("no vault");
    }
  }

  public static final class OfVersionOne {
    public Object getCredentials() {
      return null;
    }
  }

  private static final class Time extends Clock {
    private Instant now = Instant.parse("2026-01-02T03:00:00Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }

    void pass(Duration duration) {
      now = now.plus(duration);
    }
  }

  private final Time time = new Time();
  private final List<ObjectNode> pushes = new ArrayList<>();

  @BeforeEach
  void reset() {
    Scripted.next = null;
    Scripted.failure = null;
    Scripted.asked = 0;
  }

  private CredentialsPush make(Class<?> type, Map<String, String> options) {
    return make(type.getName(), options);
  }

  private CredentialsPush make(String name, Map<String, String> options) {
    return CredentialsPush.create("catalog 'a' (glue.id 1)", name, options, pushes::add, time);
  }

  private Keys keys(String id, Duration good) {
    return new Keys(id, time.instant().plus(good));
  }

  private String pushedKey() {
    return pushes.get(pushes.size() - 1).path("access_key_id").asText();
  }

  private String refusal(Class<?> type) {
    String message =
        assertThrows(GlueCatalogException.class, () -> make(type, map())).getMessage();
    assertTrue(message.startsWith("catalog 'a' (glue.id 1): client.credentials-provider "), message);
    assertTrue(message.contains(type.getName()), message);
    return message;
  }

  @Test
  void aFactoryWithOptionsGoesBeforeTheOthers() {
    make(ByMap.class, map("keyId", "BY-MAP")).refresh();
    assertEquals("BY-MAP", pushedKey());
    make(ByCreate.class, map()).refresh();
    assertEquals("BY-CREATE", pushedKey());
    Scripted.next = new Keys("BY-CONSTRUCTOR", null);
    make(Scripted.class, map()).refresh();
    assertEquals("BY-CONSTRUCTOR", pushedKey());
  }

  @Test
  void everythingThatTheCoreNeedsIsPushed() {
    Scripted.next = keys("A", Duration.ofHours(1));
    make(Scripted.class, map()).refresh();
    assertEquals(
        "{\"access_key_id\":\"A\",\"secret_access_key\":\"secret-of-A\",\"session_token\":\"token-of-A\","
            + "\"expires\":\"2026-01-02T04:00:00Z\"}",
        pushes.get(0).toString());
  }

  @Test
  void credentialsAreKeptUntilFiveMinutesBeforeTheyExpire() {
    Scripted.next = keys("A", Duration.ofHours(1));
    CredentialsPush push = make(Scripted.class, map());
    assertEquals(0, Scripted.asked);
    push.refresh();
    time.pass(Duration.ofMinutes(55).minusSeconds(1));
    push.refresh();
    assertEquals(1, Scripted.asked);
    time.pass(Duration.ofSeconds(1));
    Scripted.next = keys("B", Duration.ofHours(1));
    push.refresh();
    assertEquals("B", pushedKey());
  }

  @Test
  void aRefreshThatFailsIsTriedAgainAMinuteLaterAndEndsWithTheCredentials() {
    Scripted.next = keys("A", Duration.ofMinutes(4));
    CredentialsPush push = make(Scripted.class, map());
    push.refresh();
    Scripted.failure = new IllegalStateException("vault is sealed");
    time.pass(Duration.ofMinutes(1));
    push.refresh();
    push.refresh();
    assertEquals(2, Scripted.asked);
    time.pass(Duration.ofMinutes(3));
    AccessDeniedException e = assertThrows(AccessDeniedException.class, push::refresh);
    assertEquals("unauthenticated", e.kind());
    assertTrue(e.getMessage().contains("vault is sealed"), e.getMessage());
    assertEquals(Scripted.failure, e.getCause());
    assertEquals(1, pushes.size());
  }

  @Test
  void credentialsWithoutAnExpiryAreAskedForEachTimeAndPushedWhenTheyChange() {
    Scripted.next = new Keys("A", null);
    CredentialsPush push = make(Scripted.class, map());
    push.refresh();
    push.refresh();
    assertEquals(2, Scripted.asked);
    assertEquals(1, pushes.size());
    Scripted.next = new Keys("B", null);
    push.refresh();
    assertEquals("B", pushedKey());
  }

  @Test
  void refusedCredentialsAreReplacedIfThereAreOthers() {
    Scripted.next = keys("A", Duration.ofHours(1));
    CredentialsPush push = make(Scripted.class, map());
    push.refresh();
    assertFalse(push.replaceRefused());
    Scripted.next = keys("B", Duration.ofHours(1));
    assertTrue(push.replaceRefused());
    assertEquals("B", pushedKey());
  }

  /** Blocks whoever asks until the test lets it go on. */
  public static final class Slow {
    static final CountDownLatch entered = new CountDownLatch(1);
    static final CountDownLatch leave = new CountDownLatch(1);
    static int asked;

    public Keys resolveCredentials() throws InterruptedException {
      asked++;
      entered.countDown();
      leave.await();
      return new Keys("SLOW", Instant.parse("2030-01-01T00:00:00Z"));
    }
  }

  @Test
  void oneThreadAsksForAllThatWait() throws Exception {
    CredentialsPush push = make(Slow.class, map());
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        calls.add(threads.submit(push::refresh));
      }
      Slow.entered.await();
      Slow.leave.countDown();
      for (Future<?> call : calls) {
        call.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(1, Slow.asked);
    assertEquals(1, pushes.size());
  }

  @Test
  void aClassThatIsNoProviderSaysWhy() {
    String missing =
        assertThrows(GlueCatalogException.class, () -> make("com.example.Absent", map()))
            .getMessage();
    assertTrue(missing.contains("com.example.Absent is not on the class path"), missing);
    assertTrue(refusal(NoWayToMake.class).contains("neither a public static create(java.util.Map)"));
    assertTrue(refusal(MadeAsNull.class).contains("create() returned null"));
    assertTrue(refusal(FailsWhenMade.class).contains("IllegalStateException: no vault"));
    assertTrue(refusal(OfVersionOne.class).contains("AWS SDK v1"));
    assertTrue(refusal(Keys.class).contains("neither a public static"));
    assertTrue(refusal(String.class).contains("no resolveCredentials()"));
  }

  @Test
  void credentialsThatAreNoneSayWhy() {
    CredentialsPush push = make(Scripted.class, map());
    AccessDeniedException e = assertThrows(AccessDeniedException.class, push::refresh);
    assertTrue(e.getMessage().contains("resolveCredentials() returned null"), e.getMessage());
    Scripted.next = "a string";
    e = assertThrows(AccessDeniedException.class, push::refresh);
    assertTrue(e.getMessage().contains("gave a java.lang.String, which is no AwsCredentials"), e.getMessage());
  }

  private static Map<String, String> map(String... keysAndValues) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }
}
