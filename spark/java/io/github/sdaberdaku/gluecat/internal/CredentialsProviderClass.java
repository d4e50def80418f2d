package io.github.sdaberdaku.gluecat.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An {@code AwsCredentialsProvider} of the AWS SDK v2 that a user names by its class.
 *
 * <p>The object comes from its static {@code create(java.util.Map)}, else its static {@code create()}, else its
 * constructor without parameters. Only methods by their names are used: the SDK is the user's affair, of whatever
 * version, and may be relocated.
 */
final class CredentialsProviderClass {

  /** The message says what is wrong with the class, without its name in front. */
  static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    Unusable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private final Object provider;
  private final Method resolve;

  private CredentialsProviderClass(Object provider, Method resolve) {
    this.provider = provider;
    this.resolve = resolve;
  }

  /** @param options what a {@code create(java.util.Map)} is given; it may keep and change its copy */
  static CredentialsProviderClass create(String className, Map<String, String> options)
      throws Unusable {
    Class<?> type = load(className);
    Object provider = instantiate(type, options);
    Method resolve = method(provider.getClass(), "resolveCredentials");
    if (resolve == null) {
      boolean versionOne = method(provider.getClass(), "getCredentials") != null;
      throw new Unusable(
          "gives a "
              + provider.getClass().getName()
              + ", which has no resolveCredentials(): it is "
              + (versionOne ? "a credentials provider of the AWS SDK v1; " : "")
              + "not an AwsCredentialsProvider of the AWS SDK v2",
          null);
    }
    resolve.setAccessible(true);
    return new CredentialsProviderClass(provider, resolve);
  }

  /** Asks the provider, on this thread. */
  ProvidedCredentials resolve() throws Unusable {
    Object credentials;
    try {
      credentials = resolve.invoke(provider);
    } catch (InvocationTargetException e) {
      throw new Unusable("failed: " + describe(e.getCause()), e.getCause());
    } catch (IllegalAccessException e) {
      throw new Unusable("has a resolveCredentials() that may not be called", e);
    }
    if (credentials == null) {
      throw new Unusable("gave no credentials: resolveCredentials() returned null", null);
    }
    try {
      return ProvidedCredentials.of(credentials);
    } catch (ReflectiveOperationException e) {
      throw new Unusable("gave " + e.getMessage(), e);
    }
  }

  private static Class<?> load(String className) throws Unusable {
    // Jars that the session was given are in the thread's loader, which need not know this class's own.
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader own = CredentialsProviderClass.class.getClassLoader();
    Throwable missing = null;
    for (ClassLoader loader : new ClassLoader[] {context, own}) {
      if (loader != null) {
        try {
          return Class.forName(className, true, loader);
        } catch (ClassNotFoundException e) {
          missing = e;
        } catch (LinkageError e) {
          throw new Unusable("cannot be loaded: " + describe(e), e);
        }
      }
    }
    throw new Unusable("is not on the class path of the driver: add its jar", missing);
  }

  private static Object instantiate(Class<?> type, Map<String, String> options) throws Unusable {
    String how = "create(java.util.Map)";
    Object made;
    try {
      Method create = factory(type, Map.class);
      if (create != null) {
        made = create.invoke(null, new LinkedHashMap<>(options));
      } else if ((create = factory(type)) != null) {
        how = "create()";
        made = create.invoke(null);
      } else {
        how = "constructor";
        made = type.getConstructor().newInstance();
      }
    } catch (NoSuchMethodException | InstantiationException e) {
      throw new Unusable(
          "cannot be made: it has neither a public static create(java.util.Map) or create() nor a public "
              + "constructor without parameters",
          e);
    } catch (IllegalAccessException e) {
      throw new Unusable("cannot be made: its " + how + " is not accessible", e);
    } catch (InvocationTargetException e) {
      throw new Unusable(
          "cannot be made: its " + how + " failed: " + describe(e.getCause()), e.getCause());
    } catch (LinkageError e) {
      throw new Unusable("cannot be made: " + describe(e), e);
    }
    if (made == null) {
      throw new Unusable("cannot be made: its " + how + " returned null", null);
    }
    return made;
  }

  private static Method factory(Class<?> type, Class<?>... parameters) {
    Method method = method(type, "create", parameters);
    if (method == null || !Modifier.isStatic(method.getModifiers())) {
      return null;
    }
    method.setAccessible(true);
    return method;
  }

  private static Method method(Class<?> type, String name, Class<?>... parameters) {
    try {
      return type.getMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static String describe(Throwable failure) {
    String message = failure.getMessage();
    String name = failure.getClass().getName();
    return message == null || message.isEmpty() ? name : name + ": " + message;
  }
}
