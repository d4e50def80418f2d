package io.github.sdaberdaku.gluecat.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** What an {@code AwsCredentials} of the AWS SDK v2 holds; {@code sessionToken} and {@code expires} may be null. */
final class ProvidedCredentials {
  final String accessKeyId;
  final String secretAccessKey;
  final String sessionToken;
  final Instant expires;

  private ProvidedCredentials(
      String accessKeyId, String secretAccessKey, String sessionToken, Instant expires) {
    this.accessKeyId = accessKeyId;
    this.secretAccessKey = secretAccessKey;
    this.sessionToken = sessionToken;
    this.expires = expires;
  }

  /**
   * Reads them from an object by the names of the SDK's methods, so that no SDK is needed here.
   *
   * @throws ReflectiveOperationException with a message that says what the object lacks
   */
  static ProvidedCredentials of(Object credentials) throws ReflectiveOperationException {
    String accessKeyId = text(credentials, "accessKeyId");
    String secretAccessKey = text(credentials, "secretAccessKey");
    if (accessKeyId == null || secretAccessKey == null) {
      throw new NoSuchMethodException(
          "a "
              + credentials.getClass().getName()
              + ", which is no AwsCredentials of the AWS SDK v2 with an accessKeyId() and a secretAccessKey()");
    }
    return new ProvidedCredentials(
        accessKeyId, secretAccessKey, text(credentials, "sessionToken"), expiry(credentials));
  }

  /** Whether they say the same; the expiry is part of it. */
  boolean isSameAs(ProvidedCredentials other) {
    return other != null
        && accessKeyId.equals(other.accessKeyId)
        && secretAccessKey.equals(other.secretAccessKey)
        && Objects.equals(sessionToken, other.sessionToken)
        && Objects.equals(expires, other.expires);
  }

  /** Null if there is no such method, or it gives nothing. */
  private static String text(Object credentials, String method)
      throws ReflectiveOperationException {
    Object value = call(credentials, method);
    return value instanceof String && !((String) value).isEmpty() ? (String) value : null;
  }

  private static Instant expiry(Object credentials) throws ReflectiveOperationException {
    Object value = call(credentials, "expirationTime");
    Object time = value instanceof Optional ? ((Optional<?>) value).orElse(null) : value;
    return time instanceof Instant ? (Instant) time : null;
  }

  private static Object call(Object credentials, String name) throws ReflectiveOperationException {
    Method method;
    try {
      method = credentials.getClass().getMethod(name);
    } catch (NoSuchMethodException e) {
      return null;
    }
    // The class may be private although its interface is not.
    method.setAccessible(true);
    try {
      return method.invoke(credentials);
    } catch (InvocationTargetException e) {
      throw new NoSuchMethodException(
          "credentials whose " + name + "() failed: " + e.getCause().getClass().getName());
    }
  }

  /** No secret. */
  @Override
  public String toString() {
    return accessKeyId + (expires == null ? "" : " until " + expires);
  }
}
