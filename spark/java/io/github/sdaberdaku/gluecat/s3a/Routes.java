package io.github.sdaberdaku.gluecat.s3a;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * Which identity reaches which location, in the form in which a Hadoop configuration carries it.
 *
 * <p>An identity is a set of {@code fs.s3a.*} keys under a name. A location is a bucket and a path; it holds for
 * everything below it, and the longest one counts. {@code s3}, {@code s3a} and {@code s3n} name the same store.
 */
final class Routes {

  /** The identity of who made the configuration: among the options of a catalog's tables. */
  static final String OWN_IDENTITY = "fs.gluecat.identity";

  /** One line for each location: {@code <identity> <bucket>/<path>/}. */
  private static final String ROUTES = "fs.gluecat.routes";

  /** {@code fs.gluecat.identities.<identity>.<key>}: what the identity sets the key to; blank where it does not. */
  private static final String IDENTITIES = "fs.gluecat.identities.";

  /** Whoever names no identity: the session's own configuration. */
  static final String SESSION = "session";

  private static final Parsed NONE = new Parsed("");

  /** Parsed once for the many configurations that hold the same text. */
  private static volatile Parsed lastParsed = NONE;

  /** Locations by their identities. A location that two catalogs share has two. */
  private static final class Parsed {
    final String text;
    final Map<String, Set<String>> identities = new HashMap<>();

    Parsed(String text) {
      this.text = text;
      for (String line : text.split("\n")) {
        int space = line.indexOf(' ');
        if (space > 0) {
          identities
              .computeIfAbsent(line.substring(space + 1), l -> new LinkedHashSet<>())
              .add(line.substring(0, space));
        }
      }
    }
  }

  private Routes() {}

  /** {@code bucket/path/}, with the path as the URI writes it. */
  static String location(URI uri) {
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    String location = uri.getRawAuthority() + (path.startsWith("/") ? "" : "/") + path;
    return location.endsWith("/") ? location : location + "/";
  }

  /** As whom {@code uri} is reached under {@code conf}. */
  static String identityOf(URI uri, Configuration conf) {
    String own = conf.get(OWN_IDENTITY, SESSION);
    Map<String, Set<String>> known = parse(conf.getRaw(ROUTES)).identities;
    if (!known.isEmpty()) {
      String location = location(uri);
      for (int end = location.length() - 1; end > 0; end = location.lastIndexOf('/', end - 1)) {
        Set<String> identities = known.get(location.substring(0, end + 1));
        if (identities != null) {
          return identities.contains(own) ? own : identities.iterator().next();
        }
      }
    }
    return own;
  }

  /**
   * {@code conf} as {@code identity} has it: its keys, and none that another identity set. A configuration that was made
   * by the identity is right as it is; a table's own options, if any, are in it too.
   */
  static Configuration configurationOf(String identity, Configuration conf) {
    if (identity.equals(conf.get(OWN_IDENTITY, SESSION))) {
      return conf;
    }
    Configuration own = new Configuration(conf);
    Map<String, String> all = conf.getPropsWithPrefix(IDENTITIES);
    Set<String> keys = new HashSet<>();
    for (String name : all.keySet()) {
      keys.add(name.substring(name.indexOf('.') + 1));
    }
    String prefix = identity + ".";
    for (String key : keys) {
      String value = all.getOrDefault(prefix + key, "");
      if (value.isEmpty()) {
        own.unset(key);
      } else {
        own.set(key, value);
      }
    }
    return own;
  }

  /**
   * Writes all identities and locations into {@code conf}, in place of what was there.
   *
   * @param identities the keys of each identity
   * @param locations the identities of each location
   */
  static void write(
      Map<String, Map<String, String>> identities,
      Map<String, ? extends Collection<String>> locations,
      Configuration conf) {
    Set<String> keys = new HashSet<>();
    identities.values().forEach(options -> keys.addAll(options.keySet()));
    Map<String, Map<String, String>> complete = new TreeMap<>(identities);
    Map<String, String> session = new HashMap<>();
    keys.forEach(key -> session.put(key, conf.get(key, "")));
    complete.put(SESSION, session);
    complete.forEach(
        (identity, options) ->
            keys.forEach(
                key -> {
                  // What an identity does not say, the session's configuration does.
                  String value = options.getOrDefault(key, session.get(key));
                  conf.set(IDENTITIES + identity + "." + key, value);
                }));
    List<String> lines = new ArrayList<>();
    new TreeMap<>(locations)
        .forEach((location, of) -> of.forEach(identity -> lines.add(identity + " " + location)));
    conf.set(ROUTES, String.join("\n", lines));
  }

  private static Parsed parse(String text) {
    if (text == null || text.isEmpty()) {
      return NONE;
    }
    Parsed parsed = lastParsed;
    if (!parsed.text.equals(text)) {
      parsed = new Parsed(text);
      lastParsed = parsed;
    }
    return parsed;
  }
}
