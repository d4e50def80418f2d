package io.github.sdaberdaku.gluecat.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Looks at a shared library before the system's loader does. The loader maps the file and trusts its headers: one that
 * was cut off ends the whole JVM with SIGBUS instead of giving an error.
 */
final class ElfFile {
  private static final int HEADER_BYTES = 64;
  private static final int SEGMENT_BYTES = 56;

  private ElfFile() {}

  /**
   * Says why {@code file} is no library for {@code osArch} (of the system property os.arch), or null if it looks like
   * one: a complete 64-bit little-endian ELF file of that machine.
   *
   * @throws IOException if it cannot be read
   */
  static String problemOf(Path file, String osArch) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      long size = channel.size();
      ByteBuffer header = read(channel, 0, HEADER_BYTES);
      if (header == null || header.getInt(0) != 0x464C457F) {
        return "it is not an ELF library";
      }
      if (header.get(4) != 2 || header.get(5) != 1) {
        return "it is not a 64-bit little-endian library";
      }
      int machine = header.getShort(18);
      if (machine != machineOf(osArch)) {
        return "it is for another processor (ELF machine " + machine + ") than " + osArch;
      }
      long end = end(header.getLong(40), Short.toUnsignedLong(header.getShort(58)), header.getShort(60));
      long segments = header.getLong(32);
      int count = Short.toUnsignedInt(header.getShort(56));
      if (segments < 0 || end < 0) {
        return "its header is damaged";
      }
      for (int i = 0; i < count; i++) {
        ByteBuffer segment = read(channel, segments + (long) i * SEGMENT_BYTES, SEGMENT_BYTES);
        if (segment == null) {
          return "it is cut off: it ends after " + size + " bytes, within its program headers";
        }
        end = Math.max(end, end(segment.getLong(8), segment.getLong(32), 1));
      }
      return end > size ? "it is cut off: " + size + " of at least " + end + " bytes are there" : null;
    }
  }

  private static int machineOf(String osArch) {
    switch (osArch) {
      case "amd64":
      case "x86_64":
        return 62;
      case "aarch64":
        return 183;
      default:
        return -1;
    }
  }

  /** Where {@code count} entries of {@code size} bytes from {@code offset} on end. */
  private static long end(long offset, long size, int count) {
    return offset + size * count;
  }

  /** The bytes at {@code offset}; null if the file ends before. */
  private static ByteBuffer read(SeekableByteChannel channel, long offset, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    channel.position(offset);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        return null;
      }
    }
    return bytes;
  }
}
