package org.apache.spark.sql.gluecat.files.serde

import java.io.Writer

import com.fasterxml.jackson.core.json.JsonReadFeature
import com.fasterxml.jackson.core.{
  JsonFactory,
  JsonFactoryBuilder,
  JsonGenerator,
  JsonParseException,
  JsonParser,
  JsonToken,
  StreamReadConstraints
}

/** The syntax of lines: Jackson's, as strict or lenient as the dialect is. */
private[serde] object JsonLines {

  /** Deeper lines are malformed. What is skipped or shown as text is of any depth, and nobody has so deep a schema. */
  private val MaxDepth = 1000

  def factory(dialect: JsonDialect): JsonFactory = if (dialect.lenientSyntax) Lenient else Strict

  /** Writes JSON without white space. */
  def generator(out: Writer): JsonGenerator = Strict.createGenerator(out)

  /**
   * The next token of an object or an array that has begun.
   *
   * @throws JsonParseException
   *   if the line ends
   */
  def next(parser: JsonParser): JsonToken = {
    val token = parser.nextToken()
    if (token == null) throw new JsonParseException(parser, "the line ends within a value")
    token
  }

  private def builder: JsonFactoryBuilder =
    new JsonFactoryBuilder()
      // Keys are anybody's data, and interned strings are the whole process's.
      .configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false)
      .streamReadConstraints(
        StreamReadConstraints
          .builder()
          .maxNestingDepth(MaxDepth)
          // The line is in memory already.
          .maxStringLength(Int.MaxValue)
          .build()
      )

  private val Strict: JsonFactory = builder.build()

  private val Lenient: JsonFactory = {
    val lenient = builder
    Seq(
      JsonReadFeature.ALLOW_SINGLE_QUOTES,
      JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES,
      JsonReadFeature.ALLOW_JAVA_COMMENTS,
      JsonReadFeature.ALLOW_YAML_COMMENTS,
      JsonReadFeature.ALLOW_MISSING_VALUES,
      JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS,
      JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS,
      JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER,
      JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS
    ).foreach(lenient.enable(_))
    lenient.build()
  }
}
