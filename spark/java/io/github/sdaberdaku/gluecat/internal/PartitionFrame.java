package io.github.sdaberdaku.gluecat.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
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
  /** How the files of a partition are read that are not of the table's own format. */
  public static final class Reader {
    private final String provider;
    private final Map<String, String> options;
    private final String reason;

    Reader(String provider, Map<String, String> options, String reason) {
      this.provider = provider;
      this.options = options;
      this.reason = reason;
    }

    /** Spark's reader; null if there is none. */
    public String provider() {
      return provider;
    }

    public Map<String, String> options() {
      return options;
    }

    /** Why there is no reader, to follow the partition's name; null if there is one. */
    public String reason() {
      return reason;
    }
  }

  private static final int MAGIC = 0x46504347; // "GCPF", little-endian
  private static final int VERSION = 3;
  private static final int HEADER_BYTES = 10 * 4;
  private static final int ASCII_FLAG = 1;
  private static final int NONE = -1;

  private final byte[] bytes;
  private final int partitions;
  private final int keys;
  private final int[] stringOffsets;
  private final int[] mapOffsets;
  private final int[] pairs;
  private final int[] readers;
  private final int[] rows;
  private final int blob; // where it begins
  private final int blobBytes;
  private final Charset charset;
  private final String[] stringCache;
  private final Map<String, String>[] mapCache;
  private final Reader[] readerCache;

  /**
   * Takes the bytes without copying the texts.
   *
   * @throws IllegalArgumentException if they are not a frame of version 3
   */
  public static PartitionFrame decode(byte[] bytes) {
    return new PartitionFrame(bytes);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private PartitionFrame(byte[] bytes) {
    this.bytes = bytes;
    ByteBuffer reader = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    check(bytes.length >= HEADER_BYTES && reader.getInt() == MAGIC, "no partition frame");
    int version = reader.getInt();
    check(version == VERSION, "a partition frame of version " + version);
    // The same for ASCII, but a JVM that has just started reads Latin 1 much faster.
    charset =
        (reader.getInt() & ASCII_FLAG) != 0 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
    partitions = count(reader);
    keys = count(reader);
    int strings = count(reader);
    int maps = count(reader);
    int pairCount = count(reader);
    int readerCount = count(reader);
    blobBytes = count(reader);

    blob = reader.position();
    int padded = (int) Math.min(blobBytes + 3L & ~3L, Integer.MAX_VALUE);
    check(padded <= reader.remaining(), "a partition frame that is cut short");
    reader.position(blob + padded);
    stringOffsets = numbers(reader, strings + 1L);
    mapOffsets = numbers(reader, maps + 1L);
    pairs = numbers(reader, 2L * pairCount);
    readers = numbers(reader, 3L * readerCount);
    rows = numbers(reader, (keys + 3L) * partitions);
    check(!reader.hasRemaining(), "a partition frame of the wrong length");

    stringCache = new String[strings];
    mapCache = new Map[maps];
    readerCache = new Reader[readerCount];
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
    return string(rows[row(partition) + key]);
  }

  /** Where the partition lies; null if its entry does not say. */
  public String location(int partition) {
    return string(rows[row(partition) + keys]);
  }

  /** The partition's parameters; empty if it has none. */
  public Map<String, String> parameters(int partition) {
    return map(rows[row(partition) + keys + 1]);
  }

  /** Who reads the partition's files; null if that is the table's own reader. */
  public Reader reader(int partition) {
    int index = rows[row(partition) + keys + 2];
    if (index == NONE) {
      return null;
    }
    Reader reader = readerCache[index];
    if (reader == null) {
      int at = 3 * index;
      reader = new Reader(string(readers[at]), map(readers[at + 1]), string(readers[at + 2]));
      readerCache[index] = reader;
    }
    return reader;
  }

  private int row(int partition) {
    if (partition < 0 || partition >= partitions) {
      throw new IndexOutOfBoundsException("partition " + partition + " of " + partitions);
    }
    return (keys + 3) * partition;
  }

  private String string(int index) {
    if (index == NONE) {
      return null;
    }
    String text = stringCache[index];
    if (text == null) {
      int begin = stringOffsets[index];
      int end = stringOffsets[index + 1];
      check(begin >= 0 && begin <= end && end <= blobBytes, "a partition frame with broken offsets");
      text = new String(bytes, blob + begin, end - begin, charset);
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
      int begin = mapOffsets[index];
      int end = mapOffsets[index + 1];
      check(begin >= 0 && begin <= end && end <= pairs.length / 2, "a partition frame with broken maps");
      if (end == begin + 1) {
        map = Collections.singletonMap(string(pairs[2 * begin]), string(pairs[2 * begin + 1]));
      } else {
        Map<String, String> entries = new LinkedHashMap<>();
        for (int i = begin; i < end; i++) {
          entries.put(string(pairs[2 * i]), string(pairs[2 * i + 1]));
        }
        map = Collections.unmodifiableMap(entries);
      }
      mapCache[index] = map;
    }
    return map;
  }

  private static int count(ByteBuffer reader) {
    int value = reader.getInt();
    check(value >= 0, "a partition frame with a count beyond 2^31");
    return value;
  }

  /** The next {@code count} numbers, copied: the JVM reads an array much sooner at full speed than a buffer. */
  private static int[] numbers(ByteBuffer reader, long count) {
    check(4 * count <= reader.remaining(), "a partition frame that is cut short");
    int[] numbers = new int[(int) count];
    reader.asIntBuffer().get(numbers);
    reader.position(reader.position() + 4 * numbers.length);
    return numbers;
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      throw new IllegalArgumentException("the native library sent " + what);
    }
  }
}
