package io.github.sdaberdaku.gluecat.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A list of partitions as the core sends it (docs/waist.md, "Partition frame").
 *
 * <p>Strings and maps become Java objects when first asked for, and once for all partitions that share them. Asking from
 * several threads at once is fine.
 */
public final class PartitionFrame {
  /** How the files of a partition are read. Absent names are null. */
  public static final class Format {
    private final String inputFormat;
    private final String outputFormat;
    private final String serializationLibrary;
    private final Map<String, String> serdeParameters;

    Format(String inputFormat, String outputFormat, String library, Map<String, String> parameters) {
      this.inputFormat = inputFormat;
      this.outputFormat = outputFormat;
      this.serializationLibrary = library;
      this.serdeParameters = parameters;
    }

    public String inputFormat() {
      return inputFormat;
    }

    public String outputFormat() {
      return outputFormat;
    }

    public String serializationLibrary() {
      return serializationLibrary;
    }

    public Map<String, String> serdeParameters() {
      return serdeParameters;
    }
  }

  private static final int MAGIC = 0x46504347; // "GCPF", little-endian
  private static final int VERSION = 1;
  private static final int HEADER_BYTES = 9 * 4;
  private static final int NONE = -1;

  private final ByteBuffer bytes;
  private final int partitions;
  private final int keys;
  private final int stringOffsets; // byte positions of the parts
  private final int mapOffsets;
  private final int pairs;
  private final int formats;
  private final int rows;
  private final int blob;
  private final String[] stringCache;
  private final Map<String, String>[] mapCache;
  private final Format[] formatCache;

  /**
   * Takes the bytes without copying them.
   *
   * @throws IllegalArgumentException if they are not a frame of version 1
   */
  public static PartitionFrame decode(byte[] bytes) {
    return new PartitionFrame(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private PartitionFrame(ByteBuffer bytes) {
    this.bytes = bytes;
    check(bytes.capacity() >= HEADER_BYTES && bytes.getInt(0) == MAGIC, "no partition frame");
    check(bytes.getInt(4) == VERSION, "a partition frame of version " + bytes.getInt(4));
    partitions = count(8);
    keys = count(12);
    int strings = count(16);
    int maps = count(20);
    int pairCount = count(24);
    int formatCount = count(28);
    int blobBytes = count(32);

    long at = HEADER_BYTES;
    stringOffsets = part(at);
    at += 4L * (strings + 1L);
    mapOffsets = part(at);
    at += 4L * (maps + 1L);
    pairs = part(at);
    at += 8L * pairCount;
    formats = part(at);
    at += 16L * formatCount;
    rows = part(at);
    at += 4L * (keys + 3L) * partitions;
    blob = part(at);
    check(at + blobBytes == bytes.capacity(), "a partition frame of the wrong length");
    checkOffsets(stringOffsets, strings, blobBytes);
    checkOffsets(mapOffsets, maps, pairCount);

    stringCache = new String[strings];
    mapCache = new Map[maps];
    formatCache = new Format[formatCount];
  }

  /** How many partitions there are. */
  public int size() {
    return partitions;
  }

  /** How many values each partition has. */
  public int keys() {
    return keys;
  }

  /** The partition's value of a key, as Glue holds it; never null. */
  public String value(int partition, int key) {
    if (key < 0 || key >= keys) {
      throw new IndexOutOfBoundsException("key " + key + " of " + keys);
    }
    return string(bytes.getInt(row(partition) + 4 * key));
  }

  /** Where the partition lies; null if its entry does not say. */
  public String location(int partition) {
    return string(bytes.getInt(row(partition) + 4 * keys));
  }

  /** The partition's parameters; empty if it has none. */
  public Map<String, String> parameters(int partition) {
    return map(bytes.getInt(row(partition) + 4 * (keys + 1)));
  }

  /** The partition's file format; null if its entry does not say. */
  public Format format(int partition) {
    int index = bytes.getInt(row(partition) + 4 * (keys + 2));
    if (index == NONE) {
      return null;
    }
    Format format = formatCache[index];
    if (format == null) {
      int at = formats + 16 * index;
      format =
          new Format(
              string(bytes.getInt(at)),
              string(bytes.getInt(at + 4)),
              string(bytes.getInt(at + 8)),
              map(bytes.getInt(at + 12)));
      formatCache[index] = format;
    }
    return format;
  }

  private int row(int partition) {
    if (partition < 0 || partition >= partitions) {
      throw new IndexOutOfBoundsException("partition " + partition + " of " + partitions);
    }
    return rows + 4 * (keys + 3) * partition;
  }

  private String string(int index) {
    if (index == NONE) {
      return null;
    }
    String text = stringCache[index];
    if (text == null) {
      int begin = bytes.getInt(stringOffsets + 4 * index);
      int end = bytes.getInt(stringOffsets + 4 * (index + 1));
      text = new String(bytes.array(), blob + begin, end - begin, StandardCharsets.UTF_8);
      stringCache[index] = text;
    }
    return text;
  }

  private Map<String, String> map(int index) {
    if (index == NONE) {
      return Collections.emptyMap();
    }
    Map<String, String> map = mapCache[index];
    if (map == null) {
      int begin = bytes.getInt(mapOffsets + 4 * index);
      int end = bytes.getInt(mapOffsets + 4 * (index + 1));
      Map<String, String> entries = new LinkedHashMap<>();
      for (int i = begin; i < end; i++) {
        entries.put(string(bytes.getInt(pairs + 8 * i)), string(bytes.getInt(pairs + 8 * i + 4)));
      }
      map = Collections.unmodifiableMap(entries);
      mapCache[index] = map;
    }
    return map;
  }

  private int count(int at) {
    int value = bytes.getInt(at);
    check(value >= 0, "a partition frame with a count beyond 2^31");
    return value;
  }

  private int part(long at) {
    check(at <= bytes.capacity(), "a partition frame that is cut short");
    return (int) at;
  }

  private void checkOffsets(int at, int count, int limit) {
    int previous = 0;
    for (int i = 0; i <= count; i++) {
      int offset = bytes.getInt(at + 4 * i);
      check(offset >= previous && offset <= limit, "a partition frame with broken offsets");
      previous = offset;
    }
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      throw new IllegalArgumentException("the native library sent " + what);
    }
  }
}
