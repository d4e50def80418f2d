package io.github.sdaberdaku.gluecat.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonTest {
  private static final String EVERYTHING =
      "{\"text\":\"a \\\"quoted\\\" \\u00fc \\ud83d\\ude00 \\u0000\",\"none\":null,\"yes\":true,\"no\":false,"
          + "\"numbers\":[0,-1,2147483647,-2147483648,2147483648,9223372036854775807,-9223372036854775808,"
          + "9223372036854775808,1.5,-1e300],"
          + "\"nested\":{\"empty\":{},\"array\":[[],[{}]]},\"\":\"\"}";

  @Test
  void readsWhatJacksonReads() throws Exception {
    JsonNode expected = new ObjectMapper().readTree(EVERYTHING);
    assertEquals(expected, Json.parse(EVERYTHING));
    assertEquals(expected, Json.parse(EVERYTHING.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void writesWhatJacksonReads() throws Exception {
    JsonNode tree = Json.parse(EVERYTHING);
    assertEquals(tree, new ObjectMapper().readTree(Json.bytes(tree)));
  }

  @Test
  void refusesWhatIsNotOneValue() {
    for (String text : new String[] {"", " ", "{", "{\"a\"}", "[1,]", "{} {}", "nul", "\"\\x\""}) {
      assertThrows(IllegalArgumentException.class, () -> Json.parse(text), text);
    }
  }

  @Test
  void refusesWhatIsNestedWithoutEnd() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      text.append('[');
    }
    assertThrows(IllegalArgumentException.class, () -> Json.parse(text.toString()));
  }
}
