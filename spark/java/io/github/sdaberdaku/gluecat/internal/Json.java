package io.github.sdaberdaku.gluecat.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * JSON of the waist, as Jackson's trees.
 *
 * <p>Read and written token by token: an {@code ObjectMapper} would do the same, but making the first one of a JVM takes
 * longer than loading the native library and asking Glue for a table.
 */
public final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** An integer of so many characters fits a long. */
  private static final int SURELY_LONG = 18;

  private Json() {}

  public static ObjectNode object() {
    return NODES.objectNode();
  }

  public static ArrayNode array() {
    return NODES.arrayNode();
  }

  /**
   * Parses an answer of the native library.
   *
   * @throws IllegalStateException if it is not one JSON value, or nested beyond Jackson's limit
   */
  public static JsonNode parse(byte[] text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      return readDocument(parser);
    } catch (IOException e) {
      throw new IllegalStateException("the native library answered with malformed JSON", e);
    }
  }

  /**
   * Parses a text.
   *
   * @throws IllegalArgumentException if it is not one JSON value, or nested beyond Jackson's limit
   */
  public static JsonNode parse(String text) {
    try (JsonParser parser = FACTORY.createParser(text.getBytes(StandardCharsets.UTF_8))) {
      return readDocument(parser);
    } catch (IOException e) {
      throw new IllegalArgumentException("malformed JSON: " + text, e);
    }
  }

  public static byte[] bytes(JsonNode node) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator generator = FACTORY.createGenerator(bytes)) {
      write(node, generator);
    } catch (IOException e) {
      throw new IllegalStateException("a JSON tree that cannot be written", e);
    }
    return bytes.toByteArray();
  }

  private static JsonNode readDocument(JsonParser parser) throws IOException {
    if (parser.nextToken() == null) {
      throw new IOException("an empty text");
    }
    JsonNode node = read(parser);
    if (parser.nextToken() != null) {
      throw new IOException("more text after the value");
    }
    return node;
  }

  /** The value that begins with the parser's present token. */
  private static JsonNode read(JsonParser parser) throws IOException {
    switch (parser.currentToken()) {
      case START_OBJECT:
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.getText();
          parser.nextToken();
          object.set(name, read(parser));
        }
        return object;
      case START_ARRAY:
        ArrayNode array = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(read(parser));
        }
        return array;
      case VALUE_STRING:
        return NODES.textNode(parser.getText());
      case VALUE_NUMBER_INT:
        return integer(parser.getText());
      case VALUE_NUMBER_FLOAT:
        return NODES.numberNode(Double.parseDouble(parser.getText()));
      case VALUE_TRUE:
        return NODES.booleanNode(true);
      case VALUE_FALSE:
        return NODES.booleanNode(false);
      case VALUE_NULL:
        return NODES.nullNode();
      default:
        throw new IOException("unexpected " + parser.currentToken());
    }
  }

  /**
   * An integer in the narrowest of int, long and BigInteger, as Jackson chooses. Jackson's own conversion begins with
   * regular expressions and lambdas, which take a new JVM longer than the answer took to arrive.
   */
  private static JsonNode integer(String digits) {
    if (digits.length() > SURELY_LONG) {
      BigInteger big = new BigInteger(digits);
      return big.bitLength() < Long.SIZE ? NODES.numberNode(big.longValue()) : NODES.numberNode(big);
    }
    long value = Long.parseLong(digits);
    return value == (int) value ? NODES.numberNode((int) value) : NODES.numberNode(value);
  }

  private static void write(JsonNode node, JsonGenerator generator) throws IOException {
    switch (node.getNodeType()) {
      case OBJECT:
        generator.writeStartObject();
        for (Map.Entry<String, JsonNode> member : node.properties()) {
          generator.writeFieldName(member.getKey());
          write(member.getValue(), generator);
        }
        generator.writeEndObject();
        break;
      case ARRAY:
        generator.writeStartArray();
        for (JsonNode element : node) {
          write(element, generator);
        }
        generator.writeEndArray();
        break;
      case STRING:
        generator.writeString(node.textValue());
        break;
      case BOOLEAN:
        generator.writeBoolean(node.booleanValue());
        break;
      case NULL:
        generator.writeNull();
        break;
      case NUMBER:
        writeNumber(node, generator);
        break;
      default:
        throw new IOException("a node of type " + node.getNodeType());
    }
  }

  private static void writeNumber(JsonNode node, JsonGenerator generator) throws IOException {
    if (node.isBigInteger()) {
      generator.writeNumber(node.bigIntegerValue());
    } else if (node.isIntegralNumber()) {
      generator.writeNumber(node.longValue());
    } else if (node.isBigDecimal()) {
      generator.writeNumber(node.decimalValue());
    } else {
      generator.writeNumber(node.doubleValue());
    }
  }
}
