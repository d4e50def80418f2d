package io.github.sdaberdaku.gluecat.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.sdaberdaku.gluecat.Failure;
import io.github.sdaberdaku.gluecat.GlueCatalogException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Keeps the core supplied with the credentials of a Java provider.
 *
 * <p>The provider is asked on the thread of the call that needs it, by one thread at a time. Credentials that expire are
 * kept until five minutes before; then one caller asks while the others go on with them, and if that fails everybody goes
 * on with them and the next try is a minute later. Credentials that never expire are asked for before every call, as the
 * AWS SDK does: the provider itself knows for how long they are good.
 */
final class CredentialsPush {
  static final Duration REFRESH_WINDOW = Duration.ofMinutes(5);
  static final Duration REFRESH_PAUSE = Duration.ofMinutes(1);

  private final String title;
  private final String className;
  private final CredentialsProviderClass provider;
  private final Consumer<ObjectNode> push;
  private final Clock clock;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile ProvidedCredentials pushed;
  private volatile Instant lastAsked = Instant.MIN;

  private CredentialsPush(
      String title,
      String className,
      CredentialsProviderClass provider,
      Consumer<ObjectNode> push,
      Clock clock) {
    this.title = title;
    this.className = className;
    this.provider = provider;
    this.push = push;
    this.clock = clock;
  }

  /**
   * Makes the provider and asks it nothing yet.
   *
   * @param title the catalog, for messages: {@code catalog 'a' (glue.id 1)}
   * @param push takes requests of {@code set_credentials} (docs/waist.md)
   * @throws GlueCatalogException of kind {@code invalid_argument} if there is no such class or it gives no provider
   */
  static CredentialsPush create(
      String title,
      String className,
      Map<String, String> options,
      Consumer<ObjectNode> push,
      Clock clock) {
    try {
      return new CredentialsPush(
          title, className, CredentialsProviderClass.create(className, options), push, clock);
    } catch (CredentialsProviderClass.Unusable e) {
      throw failure("invalid_argument", title, className, e);
    }
  }

  /**
   * Sees to it that the core has credentials that can be used now.
   *
   * @throws GlueCatalogException of kind {@code unauthenticated} if there are none and the provider gives none
   */
  void refresh() {
    if (isDue()) {
      ask(false);
    }
  }

  /**
   * Asks again although the credentials looked good: the service has refused them.
   *
   * @return whether there are other ones now
   */
  boolean replaceRefused() {
    return ask(true);
  }

  private boolean isDue() {
    ProvidedCredentials current = pushed;
    if (current == null || current.expires == null) {
      return true;
    }
    Instant now = clock.instant();
    return !now.isBefore(current.expires)
        || (!now.isBefore(current.expires.minus(REFRESH_WINDOW))
            && !now.isBefore(lastAsked.plus(REFRESH_PAUSE)));
  }

  /** Whether the core has other credentials than before. */
  private boolean ask(boolean refused) {
    ProvidedCredentials before = pushed;
    boolean canGoOn = !refused && isUsable(before);
    if (!canGoOn) {
      asking.lock();
    } else if (!asking.tryLock()) {
      return false;
    }
    try {
      if (pushed != before) {
        return true; // somebody else has asked meanwhile
      }
      lastAsked = clock.instant();
      ProvidedCredentials found = provider.resolve();
      if (found.isSameAs(before)) {
        return false;
      }
      push.accept(request(found));
      pushed = found;
      return true;
    } catch (CredentialsProviderClass.Unusable e) {
      if (canGoOn) {
        return false;
      }
      throw failure("unauthenticated", title, className, e);
    } finally {
      asking.unlock();
    }
  }

  /** Whether the core can go on with them although newer ones are wanted: their expiry is known and still to come. */
  private boolean isUsable(ProvidedCredentials credentials) {
    return credentials != null
        && credentials.expires != null
        && clock.instant().isBefore(credentials.expires);
  }

  private static ObjectNode request(ProvidedCredentials credentials) {
    ObjectNode request = Json.object();
    request.put("access_key_id", credentials.accessKeyId);
    request.put("secret_access_key", credentials.secretAccessKey);
    if (credentials.sessionToken != null) {
      request.put("session_token", credentials.sessionToken);
    }
    if (credentials.expires != null) {
      request.put("expires", credentials.expires.toString());
    }
    return request;
  }

  private static GlueCatalogException failure(
      String kind, String title, String className, CredentialsProviderClass.Unusable e) {
    String message =
        title + ": client.credentials-provider " + className + " " + e.getMessage();
    GlueCatalogException failure = GlueCatalogException.of(Failure.of(kind, message));
    if (e.getCause() != null) {
      failure.initCause(e.getCause());
    }
    return failure;
  }
}
