package io.github.sdaberdaku.gluecat.internal;

import io.github.sdaberdaku.gluecat.NativeLibraryException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Properties;

/**
 * Loads the native library that the jar carries, once for each class loader.
 *
 * <p>The system property {@value #OVERRIDE_PROPERTY} names a file to load instead; there is no fallback from it. A
 * failure is kept and raised at every use, so that it is reported where a person sees it and not as a
 * {@code NoClassDefFoundError} later on.
 */
public final class NativeLibrary {
  /** Names the file to load instead of the one in the jar. */
  public static final String OVERRIDE_PROPERTY = "gluecat.native.library";

  /** GLUECAT_ABI_VERSION of abi/gluecat.h. */
  private static final int ABI_VERSION = 1;

  private static final int MOST_NAMES = 1000;

  private NativeLibrary() {}

  /** The initialization of this class loads the library; whoever comes meanwhile waits for it. */
  private static final class Outcome {
    /** Null if the library is loaded. */
    static final NativeLibraryException FAILURE = load();
  }

  /**
   * Begins to load the library on a thread of its own, for a caller that has other things to do before it makes its
   * first call: copying the library out of the jar takes as long as a new JVM takes to write its first JSON.
   */
  public static void loadAhead() {
    // A class and not a lambda: the first one of a JVM costs as much as is won here.
    Thread thread =
        new Thread("gluecat-library") {
          @Override
          public void run() {
            failure();
          }
        };
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
  }

  /**
   * Returns if the library is loaded.
   *
   * @throws NativeLibraryException saying the platform, the file and the reason
   */
  public static void require() {
    NativeLibraryException failure = failure();
    if (failure != null) {
      throw new NativeLibraryException(failure.getMessage(), failure.getCause());
    }
  }

  /** Why the library could not be loaded, or null; kept until {@link #require} raises it. */
  private static NativeLibraryException failure() {
    return Outcome.FAILURE;
  }

  private static NativeLibraryException load() {
    String override = System.getProperty(OVERRIDE_PROPERTY);
    if (override != null && !override.trim().isEmpty()) {
      return loadFile(Paths.get(override).toAbsolutePath(), "named by -D" + OVERRIDE_PROPERTY);
    }
    return loadFromJar();
  }

  private static NativeLibraryException loadFromJar() {
    String resource;
    Path folder;
    Path file;
    try {
      resource = resourceName(osName(), osArch(), jarVersion());
      try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
        if (in == null) {
          return failure(resource, "this jar carries no library for this platform", null);
        }
        folder = makePrivateFolder();
        file = folder.resolve(resource.substring(resource.lastIndexOf('/') + 1));
        copy(in, file);
      }
    } catch (IOException e) {
      return failure(
          System.getProperty("java.io.tmpdir"), "the library cannot be copied there: " + e, e);
    }
    try {
      return loadFile(file, "copied from " + resource + " of the jar");
    } finally {
      // The mapping outlives the name where the system allows it; elsewhere the exit removes both.
      if (!file.toFile().delete()) {
        folder.toFile().deleteOnExit();
        file.toFile().deleteOnExit();
      } else if (!folder.toFile().delete()) {
        folder.toFile().deleteOnExit();
      }
    }
  }

  /**
   * A new folder that nobody else can look into. Files.createTempDirectory would do, but its random numbers take longer
   * to start than the library; here a name that exists already is simply not taken.
   */
  private static Path makePrivateFolder() throws IOException {
    Path parent = Paths.get(System.getProperty("java.io.tmpdir"));
    FileAttribute<?> ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    long number = System.nanoTime();
    for (int tries = 0; ; tries++) {
      try {
        return Files.createDirectory(
            parent.resolve("gluecat-" + Long.toUnsignedString(number + tries, 36)), ownerOnly);
      } catch (FileAlreadyExistsException e) {
        if (tries == MOST_NAMES) {
          throw e;
        }
      }
    }
  }

  private static void copy(InputStream in, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
      byte[] buffer = new byte[256 * 1024];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
    }
  }

  private static NativeLibraryException loadFile(Path file, String origin) {
    String what = file + " (" + origin + ")";
    try {
      String problem = ElfFile.problemOf(file, osArch());
      if (problem != null) {
        return failure(what, problem, null);
      }
      System.load(file.toString());
      int version = NativeCatalog.abiVersion();
      if (version != ABI_VERSION) {
        return failure(
            what, "its interface version is " + version + ", this jar needs " + ABI_VERSION, null);
      }
      return null;
    } catch (IOException e) {
      return failure(what, "it cannot be read: " + e, e);
    } catch (UnsatisfiedLinkError | SecurityException e) {
      return failure(what, String.valueOf(e.getMessage()), e);
    }
  }

  private static NativeLibraryException failure(String what, String reason, Throwable cause) {
    return new NativeLibraryException(
        "gluecat cannot load its native library on "
            + osName()
            + "/"
            + osArch()
            + " (Java "
            + System.getProperty("java.version")
            + "): "
            + what
            + ": "
            + reason,
        cause);
  }

  static String resourceName(String osName, String osArch, String version) {
    String arch = osArch.equals("amd64") ? "x86_64" : osArch;
    String os = osName.toLowerCase(java.util.Locale.ROOT).replace(' ', '-');
    return "/io/github/sdaberdaku/gluecat/native/"
        + os
        + "-"
        + arch
        + "/libgluecat-"
        + version
        + ".so";
  }

  private static String jarVersion() throws IOException {
    try (InputStream in =
        NativeLibrary.class.getResourceAsStream("/io/github/sdaberdaku/gluecat/version.properties")) {
      if (in == null) {
        throw new IOException("the jar has no version.properties");
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    }
  }

  private static String osName() {
    return System.getProperty("os.name");
  }

  private static String osArch() {
    return System.getProperty("os.arch");
  }
}
