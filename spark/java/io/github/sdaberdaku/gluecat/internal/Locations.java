package io.github.sdaberdaku.gluecat.internal;

import java.net.URI;
import org.apache.hadoop.fs.Path;

/** Locations of Glue entries as Hadoop's paths. */
public final class Locations {
  private Locations() {}

  /**
   * The same as {@code new Path(location)}. That quotes what a URI cannot hold and takes the location apart twice, which is
   * most of the time that a list of 100,000 partitions takes; a location that needs no quoting is taken apart once.
   *
   * @throws IllegalArgumentException if the location is no path
   */
  public static Path path(String location) {
    return isPlain(location) ? new Path(URI.create(location)) : new Path(location);
  }

  /** Whether it is scheme, authority and path, of characters that mean themselves in each, and as short as it can be. */
  private static boolean isPlain(String location) {
    int colon = location.indexOf("://");
    int root = colon < 1 ? -1 : location.indexOf('/', colon + 3);
    if (root <= colon + 3) {
      return false;
    }
    for (int i = 0; i < root; i++) {
      char c = location.charAt(i);
      boolean separator = i >= colon && i < colon + 3;
      if (!separator && !isLetterOrDigit(c) && (i < colon || i == colon + 3 || (c != '-' && c != '.'))) {
        return false;
      }
    }
    char before = 0;
    for (int i = root; i < location.length(); i++) {
      char c = location.charAt(i);
      boolean plain = isLetterOrDigit(c) || c == '=' || c == '-' || c == '_' || (c == '/' && before != '/');
      // Not at the beginning of a name, which may be "." or "..".
      if (!plain && (c != '.' || before == '/')) {
        return false;
      }
      before = c;
    }
    return before != '/' && isLetterOrDigit(location.charAt(root - 1)) && !isDigit(location.charAt(0));
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
