package org.apache.spark.sql.gluecat.files.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import scala.collection.immutable.Map;

/** The rules of the JSON SerDes: {@code tests/data/json-serdes/rules.txt} is their table. */
class JsonSerDeTest {
  private static final String OPENX = "org.openx.data.jsonserde.JsonSerDe";
  private static final String HCATALOG = "org.apache.hive.hcatalog.data.JsonSerDe";
  private static final String HIVE = "org.apache.hadoop.hive.serde2.JsonSerDe";

  /**
   * @param serDe which one, or those of one rule, by short names and a space between
   * @param options {@code name=value}, a {@code |} between
   * @param columns as in CREATE TABLE
   * @param expected the row as Hive writes it, or {@code error:} and a part of the message
   */
  @ParameterizedTest(name = "{0} [{1}] {2} <- {3}")
  @MethodSource("rules")
  void reads(String serDe, String options, String columns, String line, String expected) {
    for (String name : serDe.split(" ")) {
      if (expected.startsWith("error: ")) {
        String message =
            assertThrows(
                    IllegalArgumentException.class, () -> read(name, options, columns, columns, line))
                .getMessage();
        String part = expected.substring("error: ".length());
        assertTrue(message.contains(part), name + ": " + message);
      } else {
        assertEquals(expected, read(name, options, columns, columns, line), name);
      }
    }
  }

  private static List<Arguments> rules() throws IOException {
    List<Arguments> rules = new ArrayList<>();
    for (String rule :
        Files.readAllLines(
            Paths.get(System.getProperty("gluecat.test.data"), "json-serdes", "rules.txt"))) {
      if (!rule.isEmpty() && !rule.startsWith("#")) {
        String[] parts = rule.split("¦", 5);
        rules.add(
            Arguments.of(
                parts[0].trim(),
                parts[1].trim(),
                parts[2].trim(),
                parts[3].trim(),
                parts[4].trim()));
      }
    }
    return rules;
  }

  @Test
  void readsOnlyWhatIsRequired() {
    assertEquals("{\"c\":3}", read("openx", "", "a int, b int, c int", "c int", "[1,\"x\",3]"));
    assertEquals("{\"c\":3}", read("hive", "", "a int, c int", "c int", "{\"a\":\"no int\",\"c\":3}"));
    assertEquals("{}", read("openx", "", "a int", "", "{\"a\":1}"));
  }

  @Test
  void keepsNothingOfTheLineBefore() {
    StructType schema = StructType.fromDDL("a int, b string");
    JsonSerDeParser parser = parser("openx", "ignore.malformed.json=true", schema, schema);
    JsonSerDeSerializer writer = writer("hive", "", schema);
    assertEquals("{\"a\":1,\"b\":\"x\"}", written(writer, parser.parse(new Text("{\"a\":1,\"b\":\"x\"}"))));
    assertEquals("{\"a\":2,\"b\":null}", written(writer, parser.parse(new Text("{\"a\":2}"))));
    assertEquals("{\"a\":null,\"b\":null}", written(writer, parser.parse(new Text("{\"a\":3,\"b\""))));
    assertEquals("{\"a\":null,\"b\":null}", written(writer, parser.parse(new Text(""))));
  }

  @Test
  void readsNoFurtherThanTheLine() {
    StructType schema = StructType.fromDDL("a int");
    Text longer = new Text("{\"a\":1}");
    longer.set("{\"a\"");
    assertThrows(
        IllegalArgumentException.class,
        () -> parser("openx", "", schema, schema).parse(longer));
  }

  @Test
  void boundsTheDepthOfLines() {
    String deep = "{\"a\":" + repeated('[', 100_000);
    for (String columns : new String[] {"a string", "b int", "a array<array<int>>"}) {
      for (String serDe : new String[] {"openx", "hive"}) {
        assertThrows(
            IllegalArgumentException.class, () -> read(serDe, "", columns, columns, deep));
      }
    }
    assertEquals(
        "{\"b\":null}", read("openx", "ignore.malformed.json=true", "b int", "b int", deep));
  }

  @Test
  void boundsWhatNumbersCost() {
    for (String number : new String[] {"1e999999999", "-1e999999999"}) {
      String line = "{\"a\":" + number + "}";
      assertEquals(
          "{\"a\":null}",
          read("openx", "use.null.for.invalid.data=true", "a bigint", "a bigint", line));
      assertEquals(
          "{\"a\":null}",
          read("hive", "use.null.for.invalid.data=true", "a decimal(38,2)", "a decimal(38,2)", line));
    }
    assertEquals("{\"a\":0}", read("openx", "", "a bigint", "a bigint", "{\"a\":1e-999999999}"));
    String digits = "{\"a\":\"" + repeated('9', 1_000_000) + "\"}";
    assertThrows(
        IllegalArgumentException.class, () -> read("openx", "", "a bigint", "a bigint", digits));
  }

  @Test
  void showsLittleOfTheDataInMessages() {
    String value = repeated('x', 5000);
    for (String line : new String[] {"{\"a\":\"" + value + "\"}", "{\"a\":" + value + "}"}) {
      String message =
          assertThrows(
                  IllegalArgumentException.class, () -> read("openx", "", "a int", "a int", line))
              .getMessage();
      assertFalse(message.contains(repeated('x', 101)), message);
      assertTrue(message.contains("at byte "), message);
    }
  }

  @Test
  void refusesWhatIsNoFormatOfTimestamps() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> read("hive", "timestamp.formats=jjjj", "a timestamp", "a timestamp", "{}"))
            .getMessage();
    assertTrue(message.contains("timestamp.formats: jjjj"), message);
  }

  @Test
  void refusesTypesThatTheLinesCannotHold() {
    for (String columns : new String[] {"a interval", "a map<array<int>,int>"}) {
      assertThrows(
          IllegalArgumentException.class, () -> read("openx", "", columns, columns, "{}"));
    }
    for (String columns : new String[] {"a map<date,int>", "a struct<b:array<binary>>"}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> writer("hcatalog", "", StructType.fromDDL(columns)));
    }
  }

  @Test
  void writesAsTheSerDeDoes() {
    String columns = "id int, s struct<Inner:string>, t timestamp, d date, m map<string,int>, n decimal(5,2)";
    String line =
        "{\"id\":1,\"s\":{\"inner\":null},\"t\":\"2024-05-06 07:08:09.25\",\"d\":\"2024-05-06\","
            + "\"m\":{\"k\":null},\"n\":1.5}";
    StructType schema = StructType.fromDDL(columns);
    InternalRow row = parser("openx", "", schema, schema).parse(new Text(line));
    assertEquals(
        "{\"id\":1,\"s\":{},\"t\":\"2024-05-06 07:08:09.250000\",\"d\":\"2024-05-06\","
            + "\"m\":{\"k\":null},\"n\":1.50}",
        written(writer("openx", "", schema), row));
    String full =
        "{\"ID\":1,\"s\":{\"inner\":null},\"t\":\"2024-05-06 07:08:09.250000\",\"d\":\"2024-05-06\","
            + "\"m\":{\"k\":null},\"n\":1.50}";
    assertEquals(full, written(writer("openx", "explicit.null=true|mapping.id=ID", schema), row));
    assertEquals(full.replace("ID", "id"), written(writer("hive", "", schema), row));
  }

  private static String read(
      String serDe, String options, String data, String required, String line) {
    StructType schema = required.isEmpty() ? new StructType() : StructType.fromDDL(required);
    InternalRow row =
        parser(serDe, options, StructType.fromDDL(data), schema).parse(new Text(line));
    return written(writer("hive", "", schema), row);
  }

  private static String repeated(char character, int times) {
    char[] characters = new char[times];
    Arrays.fill(characters, character);
    return new String(characters);
  }

  private static String written(JsonSerDeSerializer writer, InternalRow row) {
    return writer.serialize(row).toString();
  }

  private static JsonSerDeParser parser(
      String serDe, String options, StructType data, StructType required) {
    return new JsonSerDeParser(
        className(serDe), parameters(options), new LineColumns(data, required, "Europe/Berlin"));
  }

  private static JsonSerDeSerializer writer(String serDe, String options, StructType schema) {
    return new JsonSerDeSerializer(
        className(serDe), parameters(options), new LineColumns(schema, schema, "Europe/Berlin"));
  }

  private static String className(String shortName) {
    switch (shortName) {
      case "openx":
        return OPENX;
      case "hcatalog":
        return HCATALOG;
      case "hive":
        return HIVE;
      default:
        throw new IllegalArgumentException(shortName);
    }
  }

  private static Map<String, String> parameters(String options) {
    Map<String, String> parameters = new scala.collection.immutable.HashMap<>();
    if (!options.isEmpty()) {
      for (String option : options.split("\\|")) {
        int end = option.indexOf('=');
        parameters = parameters.updated(option.substring(0, end), option.substring(end + 1));
      }
    }
    return parameters;
  }
}
