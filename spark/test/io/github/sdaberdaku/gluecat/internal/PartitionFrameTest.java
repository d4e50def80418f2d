package io.github.sdaberdaku.gluecat.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** Reads the frame that the native tests write (core/catalog/partition_frame_test.cc). */
class PartitionFrameTest {

  private static byte[] golden() throws IOException {
    return Files.readAllBytes(
        Paths.get(System.getProperty("gluecat.test.data"), "frame", "partitions.bin"));
  }

  @Test
  void decodesWhatTheCoreEncodes() throws IOException {
    PartitionFrame frame = PartitionFrame.decode(golden());
    assertEquals(4, frame.size());
    assertEquals(2, frame.keys());
    assertEquals("2026-06-01", frame.value(0, 0));
    assertEquals("ü", frame.value(0, 1));
    assertEquals("s3://b/1", frame.location(0));
    assertEquals("s3://b/2", frame.location(1));
    assertEquals(Collections.singletonMap("numRows", "7"), frame.parameters(0));
    assertNull(frame.reader(0));
    PartitionFrame.Reader orc = frame.reader(1);
    assertNotNull(orc);
    assertEquals("orc", orc.provider());
    assertEquals(
        Collections.singletonMap("orc.force.positional.evolution", "true"), orc.options());
    assertNull(orc.reason());
    PartitionFrame.Reader none = frame.reader(2);
    assertNull(none.provider());
    assertEquals(Collections.emptyMap(), none.options());
    assertEquals(" has a SerDe that nobody knows", none.reason());
  }

  @Test
  void whatIsAbsentIsNullOrEmpty() throws IOException {
    PartitionFrame frame = PartitionFrame.decode(golden());
    assertEquals("", frame.value(3, 0));
    assertEquals("__HIVE_DEFAULT_PARTITION__", frame.value(3, 1));
    assertNull(frame.location(3));
    assertEquals(Collections.emptyMap(), frame.parameters(3));
  }

  @Test
  void whatPartitionsShareIsOneObject() throws IOException {
    PartitionFrame frame = PartitionFrame.decode(golden());
    assertSame(frame.value(0, 1), frame.value(1, 1));
    assertSame(frame.parameters(0), frame.parameters(1));
    assertSame(frame.reader(1), frame.reader(1));
  }

  @Test
  void indicesOutsideAreRefused() throws IOException {
    PartitionFrame frame = PartitionFrame.decode(golden());
    assertThrows(IndexOutOfBoundsException.class, () -> frame.value(4, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> frame.value(0, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> frame.location(-1));
  }

  @Test
  void aFrameCutShortAnywhereIsRefused() throws IOException {
    byte[] whole = golden();
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThrows(IllegalArgumentException.class, () -> PartitionFrame.decode(part));
    }
  }

  @Test
  void anotherVersionIsRefused() throws IOException {
    byte[] bytes = golden();
    bytes[4] = 2;
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> PartitionFrame.decode(bytes));
    assertEquals("the native library sent a partition frame of version 2", e.getMessage());
  }

  @Test
  void brokenOffsetsAreRefusedWhenUsed() throws IOException {
    byte[] bytes = golden();
    int offsets = 40 + (ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(36) + 3 & ~3);
    Arrays.fill(bytes, offsets + 4, offsets + 8, (byte) 0x7F); // where the first text ends
    PartitionFrame frame = PartitionFrame.decode(bytes);
    assertThrows(IllegalArgumentException.class, () -> frame.value(0, 0));
  }
}
