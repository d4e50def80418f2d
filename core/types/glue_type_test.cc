#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/types/char_varchar.h"
#include "core/types/data_type.h"

namespace gluecat::types {
namespace {

using ::testing::HasSubstr;

StructField Field(std::string name, DataType type) {
  return {std::move(name), std::move(type), true, {}};
}

DataType Named(std::string name) { return DataType::Simple(std::move(name)); }

// The parsed type as Spark's JSON, or the error.
std::string Parsed(std::string_view text) {
  const auto type = ParseGlueType(text);
  if (!type) return std::string(ErrorKindName(type.error().kind)) + ": " + type.error().message;
  JsonWriter writer;
  WriteSparkType(*type, writer);
  return writer.Take();
}

// The names of a struct's fields, "|" between them, or the error.
std::string Names(std::string_view text) {
  const auto type = ParseGlueType(text);
  if (!type) return type.error().message;
  std::string names;
  for (const auto& field : type->fields().fields) {
    if (!names.empty()) names += '|';
    names += field.name;
    if (field.type.name() != "integer") names += " " + field.type.name();
  }
  return names;
}

struct SimpleCase {
  std::string_view glue;
  std::string_view spark;
};

class SimpleTypes : public ::testing::TestWithParam<SimpleCase> {};

TEST_P(SimpleTypes, Parse) {
  const auto type = ParseGlueType(GetParam().glue);
  ASSERT_TRUE(type) << type.error().message;
  EXPECT_EQ(type->kind(), DataType::Kind::kSimple);
  EXPECT_EQ(type->name(), GetParam().spark);
}

INSTANTIATE_TEST_SUITE_P(
    All, SimpleTypes,
    ::testing::Values(
        SimpleCase{"tinyint", "byte"}, SimpleCase{"smallint", "short"},
        SimpleCase{"int", "integer"}, SimpleCase{"bigint", "long"}, SimpleCase{"float", "float"},
        SimpleCase{"double", "double"}, SimpleCase{"boolean", "boolean"},
        SimpleCase{"binary", "binary"}, SimpleCase{"date", "date"}, SimpleCase{"string", "string"},
        SimpleCase{"timestamp", "timestamp"}, SimpleCase{"BIGINT", "long"},
        SimpleCase{"  Int ", "integer"}, SimpleCase{"integer", "integer"},
        SimpleCase{"long", "long"}, SimpleCase{"short", "short"}, SimpleCase{"byte", "byte"},
        SimpleCase{"real", "float"}, SimpleCase{"decimal", "decimal(10,0)"},
        SimpleCase{"decimal(5)", "decimal(5,0)"}, SimpleCase{"DECIMAL( 9 , 2 )", "decimal(9,2)"},
        SimpleCase{"numeric(38,38)", "decimal(38,38)"}, SimpleCase{"dec", "decimal(10,0)"},
        SimpleCase{"char(3)", "char(3)"}, SimpleCase{"character(3)", "char(3)"},
        SimpleCase{"character varying(7)", "varchar(7)"},
        SimpleCase{"VARCHAR(65535)", "varchar(65535)"}, SimpleCase{"varchar", "string"},
        SimpleCase{"timestamp_ntz", "timestamp_ntz"}, SimpleCase{"timestamp_ltz", "timestamp"},
        SimpleCase{"timestamp with local time zone", "timestamp"},
        SimpleCase{"timestamp with time zone", "timestamp"},
        SimpleCase{"timestamp without time zone", "timestamp_ntz"},
        SimpleCase{"double precision", "double"}, SimpleCase{"variant", "variant"},
        SimpleCase{"void", "void"}, SimpleCase{"null", "void"}, SimpleCase{"time", "time(6)"},
        SimpleCase{"time(3)", "time(3)"}, SimpleCase{"interval", "interval"},
        SimpleCase{"interval year to month", "interval year to month"},
        SimpleCase{"INTERVAL DAY TO SECOND", "interval day to second"},
        SimpleCase{"interval month", "interval month"},
        SimpleCase{"interval_year_month", "interval year to month"},
        SimpleCase{"interval_day_time", "interval day to second"}, SimpleCase{"int(11)", "integer"},
        SimpleCase{"bool", "boolean"}, SimpleCase{"text", "string"},
        SimpleCase{"datetime", "timestamp"}, SimpleCase{"blob", "binary"},
        SimpleCase{"string collate UTF8_LCASE", "string collate UTF8_LCASE"}));

TEST(ParseGlueType, Nested) {
  EXPECT_EQ(Parsed("array<int>"),
            R"j({"type":"array","elementType":"integer","containsNull":true})j");
  EXPECT_EQ(
      Parsed("map<string,decimal(9,2)>"),
      R"j({"type":"map","keyType":"string","valueType":"decimal(9,2)","valueContainsNull":true})j");
  EXPECT_EQ(Parsed("ARRAY < MAP < string , array<bigint> > >"),
            Parsed("array<map<string,array<bigint>>>"));
  EXPECT_EQ(Parsed("struct<>"), R"j({"type":"struct","fields":[]})j");
  EXPECT_EQ(
      Parsed("struct<a:decimal(38,18),b:array<map<string,struct<c:decimal(1,0)>>>>"),
      R"j({"type":"struct","fields":[)j"
      R"j({"name":"a","type":"decimal(38,18)","nullable":true,"metadata":{}},)j"
      R"j({"name":"b","type":{"type":"array","elementType":{"type":"map","keyType":"string",)j"
      R"j("valueType":{"type":"struct","fields":[)j"
      R"j({"name":"c","type":"decimal(1,0)","nullable":true,"metadata":{}}]},)j"
      R"j("valueContainsNull":true},"containsNull":true},"nullable":true,"metadata":{}}]})j");
}

TEST(ParseGlueType, FieldNames) {
  EXPECT_EQ(Names("struct<A:INT>"), "A");
  EXPECT_EQ(Names("struct<a int>"), "a");
  EXPECT_EQ(Names("struct<a b:int,zip-code:int,a.b:int,$x:int,ünï:int>"),
            "a b|zip-code|a.b|$x|ünï");
  EXPECT_EQ(Names("struct<a/b (c):int,1st:int,_x:int,e`f:int>"), "a/b (c)|1st|_x|e`f");
  EXPECT_EQ(Names("struct<`a b`:int,`c,d>``e` int,`x:y`:int>"), "a b|c,d>`e|x:y");
  EXPECT_EQ(Names("struct<int:int,array:int,select:int,not:int,comment:int>"),
            "int|array|select|not|comment");
  EXPECT_EQ(Names("struct< a : int , b:int >"), "a|b");
}

TEST(ParseGlueType, ColonInNames) {
  EXPECT_EQ(Names("struct<a:b:int>"), "a:b");
  EXPECT_EQ(Names("struct<ns:elem:string,x:int>"), "ns:elem string|x");
  EXPECT_EQ(Names("struct<a:int:int>"), "a:int");
  EXPECT_EQ(Names("struct<a::int>"), "a:");
  EXPECT_EQ(Parsed("struct<a:array:array<int>>"),
            R"j({"type":"struct","fields":[{"name":"a:array","type":)j"
            R"j({"type":"array","elementType":"integer","containsNull":true},)j"
            R"j("nullable":true,"metadata":{}}]})j");
}

TEST(ParseGlueType, SpaceBeforeType) {
  EXPECT_EQ(Names("struct<a double precision>"), "a double");
  EXPECT_EQ(Names("struct<a b int>"), "a b");
  EXPECT_EQ(Names("struct<a decimal(9,2),b int>"), "a decimal(9,2)|b");
}

TEST(ParseGlueType, CommentsAndNotNull) {
  EXPECT_EQ(Parsed("struct<a:int COMMENT 'x, y:z>',b:int not null comment \"it's\">"),
            R"j({"type":"struct","fields":[)j"
            R"j({"name":"a","type":"integer","nullable":true,"metadata":{"comment":"x, y:z>"}},)j"
            R"j({"name":"b","type":"integer","nullable":false,"metadata":{"comment":"it's"}}]})j");
  EXPECT_EQ(Parsed("struct<a int comment 'x:int'>"),
            R"j({"type":"struct","fields":[)j"
            R"j({"name":"a","type":"integer","nullable":true,"metadata":{"comment":"x:int"}}]})j");
  EXPECT_EQ(
      Parsed(R"j(struct<a:int comment 'it''s \'q\''>)j"),
      R"j({"type":"struct","fields":[)j"
      R"j({"name":"a","type":"integer","nullable":true,"metadata":{"comment":"it's 'q'"}}]})j");
}

TEST(ParseGlueType, ErrorsSayWhereAndWhat) {
  EXPECT_EQ(Parsed("notarealtype"), "invalid_data: unknown type 'notarealtype' at position 0");
  EXPECT_EQ(Parsed("struct<a:int,b:foo>"), "invalid_data: unknown type 'foo' at position 15");
  EXPECT_EQ(Parsed("decimal(38,"),
            "invalid_data: expected a number but found the end at position 11");
  EXPECT_EQ(Parsed("decimal(39,2)"),
            "invalid_data: expected a number from 1 to 38 but found '39' at position 8");
  EXPECT_EQ(Parsed("decimal(5,6)"),
            "invalid_data: expected a number from 0 to 5 but found '6' at position 10");
  EXPECT_EQ(Parsed("decimal(99999999999)"),
            "invalid_data: expected a number from 1 to 38 but found '99999999999' at position 8");
  EXPECT_EQ(Parsed("array"), "invalid_data: expected '<' but found the end at position 5");
  EXPECT_EQ(Parsed("array<int"), "invalid_data: expected '>' but found the end at position 9");
  EXPECT_EQ(Parsed("map<int>"), "invalid_data: expected ',' but found '>' at position 7");
  EXPECT_EQ(Parsed("struct<a:int"),
            "invalid_data: expected ',' or '>' but found the end at position 12");
  EXPECT_EQ(Parsed("struct<a>"),
            "invalid_data: expected ':' and a type but found '>' at position 8");
  EXPECT_EQ(Parsed("struct<a:int,>"),
            "invalid_data: expected a field name but found '>' at position 13");
  EXPECT_EQ(Parsed("int x"), "invalid_data: expected the end but found 'x' at position 4");
  EXPECT_EQ(Parsed("int ü"), "invalid_data: expected the end but found 'ü' at position 4");
  EXPECT_EQ(Parsed(""), "invalid_data: expected a type but found the end at position 0");
  EXPECT_EQ(Parsed("char"), "invalid_data: expected '(' but found the end at position 4");
  EXPECT_EQ(Parsed("varchar(0)"),
            "invalid_data: expected a number from 1 to 2147483647 but found '0' at position 8");
  EXPECT_EQ(
      Parsed("interval month to day"),
      "invalid_data: expected a smaller unit of the interval but found the end at position 21");
}

TEST(ParseGlueType, Refuses) {
  for (const std::string_view text : {"struct<a:int,>",
                                      "struct<,a:int>",
                                      "struct<:int>",
                                      "struct<a:int comment>",
                                      "struct<a:int comment 'x>",
                                      "struct<a:int not x>",
                                      "struct<``:int>",
                                      "struct<`a:int>",
                                      "array<>",
                                      "map<int,int,int>",
                                      "array<int>>",
                                      "decimal(-1)",
                                      "decimal(1,-1)",
                                      "time(7)",
                                      "interval year to day",
                                      "interval second to minute",
                                      "interval day to",
                                      "<int>",
                                      "int,int",
                                      "array<int>x",
                                      "string(10)",
                                      "json",
                                      "uuid",
                                      "row(a int)",
                                      "array(int)"}) {
    const auto type = ParseGlueType(text);
    ASSERT_FALSE(type) << text;
    EXPECT_EQ(type.error().kind, ErrorKind::kInvalidData) << text;
  }
}

TEST(ParseGlueType, UnionTypeIsUnsupported) {
  EXPECT_EQ(Parsed("uniontype<int,string>"),
            "unsupported: uniontype, which Spark has no equal of, at position 0");
  EXPECT_EQ(Parsed("struct<a:array<uniontype<int>>,b:foo>"),
            "unsupported: uniontype, which Spark has no equal of, at position 15");
}

std::string Nested(int levels) {
  std::string text;
  for (int i = 1; i < levels; ++i) text += "array<";
  text += "int";
  return text + std::string(static_cast<std::size_t>(levels - 1), '>');
}

TEST(ParseGlueType, BoundsDepthAndSize) {
  EXPECT_TRUE(ParseGlueType(Nested(kMaxTypeDepth)));
  EXPECT_THAT(Parsed(Nested(kMaxTypeDepth + 1)), HasSubstr("more than 100 nested types"));
  EXPECT_THAT(Parsed(Nested(10000)), HasSubstr("more than 100 nested types"));

  std::string wide = "struct<";
  while (wide.size() < kMaxGlueTypeSize - 20) wide += "f:int,";
  wide += "f:int>";
  EXPECT_TRUE(ParseGlueType(wide));
  EXPECT_THAT(Parsed(std::string(kMaxGlueTypeSize + 1, ' ')), HasSubstr("at most 131072"));
}

// Texts made to send a backtracking parser back and forth.
TEST(ParseGlueType, HostileNamesStayLinear) {
  EXPECT_FALSE(ParseGlueType("struct<" + std::string(131000, ':') + ">"));
  EXPECT_FALSE(ParseGlueType("struct<" + std::string(131000, ' ') + "a>"));
  std::string words = "struct<";
  while (words.size() < 131000) words += "a ";
  EXPECT_FALSE(ParseGlueType(words));
  std::string deep;
  while (deep.size() < 131000) deep += "struct<a:a:a a:";
  EXPECT_FALSE(ParseGlueType(deep));
  std::string quotes = "struct<a";
  while (quotes.size() < 131000) quotes += ":int comment '";
  EXPECT_FALSE(ParseGlueType(quotes));
}

TEST(ToGlueType, Writes) {
  const auto text = [](std::string_view glue) {
    return ToGlueType(ParseGlueType(glue).value()).value();
  };
  EXPECT_EQ(text("STRUCT<Upper : INT, l: Array<Map<String,Decimal(9,2)>>>"),
            "struct<Upper:int,l:array<map<string,decimal(9,2)>>>");
  EXPECT_EQ(text("char(3)"), "char(3)");
  EXPECT_EQ(text("array<varchar(5)>"), "array<varchar(5)>");
  EXPECT_EQ(text("struct<>"), "struct<>");
  EXPECT_EQ(text("string collate UNICODE"), "string");
  EXPECT_EQ(ToGlueType(Named("decimal")).value(), "decimal(10,0)");
}

TEST(ToGlueType, RefusesWhatGlueCannotHold) {
  for (const char* name : {"timestamp_ntz", "interval", "interval year to month", "void", "variant",
                           "time(6)", "geometry(4326)", "decimal(10,-2)"}) {
    const auto text = ToGlueType(DataType::Array(Named(name), true));
    ASSERT_FALSE(text) << name;
    EXPECT_EQ(text.error().kind, ErrorKind::kInvalidArgument);
    EXPECT_THAT(text.error().message, HasSubstr(name));
  }
  for (const char* name :
       {"a b", "a-b", "a.b", "$x", "ünï", "a:b", "c,d", "e`f", "1a", "", "a<b"}) {
    StructType fields;
    fields.fields.push_back(Field(name, Named("integer")));
    const auto text = ToGlueType(DataType::Struct(fields));
    ASSERT_FALSE(text) << name;
    EXPECT_THAT(text.error().message, HasSubstr("field name '" + std::string(name) + "'"));
  }
  StructType wide;
  for (int i = 0; i < 20000; ++i) wide.fields.push_back(Field("field" + std::to_string(i), {}));
  EXPECT_THAT(ToGlueType(DataType::Struct(wide)).error().message, HasSubstr("at most 131072"));
  EXPECT_EQ(ToApproximateGlueType(DataType::Struct(wide)), "string");
}

TEST(ToApproximateGlueType, IsTotal) {
  EXPECT_EQ(ToApproximateGlueType(Named("timestamp_ntz")), "timestamp");
  EXPECT_EQ(ToApproximateGlueType(Named("variant")), "string");
  EXPECT_EQ(ToApproximateGlueType(Named("void")), "string");
  EXPECT_EQ(ToApproximateGlueType(Named("interval day to second")), "string");
  EXPECT_EQ(ToApproximateGlueType(Named("decimal(9,2)")), "decimal(9,2)");
  StructType fields;
  for (const char* name : {"a b", "a-b", "A_B", "ünï", "1st", ""}) {
    fields.fields.push_back(Field(name, Named("timestamp_ntz")));
  }
  EXPECT_EQ(ToApproximateGlueType(DataType::Map(Named("string"), DataType::Struct(fields), true)),
            "map<string,struct<a_b:timestamp,a_b_1:timestamp,A_B_2:timestamp,_n_:timestamp,"
            "_1st:timestamp,_:timestamp>>");
}

TEST(ToGlueType, UserDefinedTypeIsItsStorage) {
  const auto document = JsonDocument::Parse(
      R"j({"type":"udt","class":"c.P","pyClass":null,)j"
      R"j("sqlType":{"type":"array","elementType":"double","containsNull":false}})j");
  const auto type = ParseSparkType(document->root());
  ASSERT_TRUE(type) << type.error().message;
  EXPECT_EQ(ToGlueType(*type).value(), "array<double>");
  JsonWriter writer;
  WriteSparkType(*type, writer);
  EXPECT_EQ(writer.text(), document->root().Dump());
}

// --- Property: what is written is read back as it was ------------------------

class TypeGenerator {
 public:
  explicit TypeGenerator(unsigned seed) : random_(seed) {}

  DataType Any(int depth) {
    const auto choice = Pick(depth <= 0 ? 1 : 6);
    if (choice == 2) return DataType::Array(Any(depth - 1), true);
    if (choice == 3) return DataType::Map(Any(depth - 1), Any(depth - 1), true);
    if (choice >= 4) {
      StructType fields;
      const auto count = Pick(5);
      for (unsigned i = 0; i < count; ++i) {
        fields.fields.push_back(Field(Name() + std::to_string(i), Any(depth - 1)));
      }
      return DataType::Struct(std::move(fields));
    }
    static const char* const kNames[] = {"string",    "integer", "long",        "short",  "byte",
                                         "float",     "double",  "boolean",     "binary", "date",
                                         "timestamp", "char(7)", "varchar(200)"};
    if (Pick(5) == 0) {
      const auto precision = 1 + Pick(38);
      return Named("decimal(" + std::to_string(precision) + "," +
                   std::to_string(Pick(precision + 1)) + ")");
    }
    return Named(kNames[Pick(std::size(kNames))]);
  }

 private:
  unsigned Pick(std::size_t below) { return static_cast<unsigned>(random_() % below); }

  std::string Name() {
    static const char* const kWords[] = {"a",       "Int",    "array", "not",
                                         "COMMENT", "struct", "x_1",   "_"};
    return kWords[Pick(std::size(kWords))] + std::string(Pick(3), 'z');
  }

  std::mt19937 random_;
};

TEST(GlueTypeProperty, ParsingWhatWasWrittenGivesTheTypeBack) {
  TypeGenerator generator(20260301);
  for (int i = 0; i < 2000; ++i) {
    const DataType type = generator.Any(5);
    const auto text = ToGlueType(type);
    ASSERT_TRUE(text) << text.error().message;
    const auto parsed = ParseGlueType(*text);
    ASSERT_TRUE(parsed) << *text << ": " << parsed.error().message;
    ASSERT_EQ(*parsed, type) << *text;
    ASSERT_EQ(ToApproximateGlueType(type), *text);
  }
}

TEST(CharVarchar, StoredForm) {
  StructType schema;
  schema.fields.push_back(Field("v", Named("varchar(10)")));
  schema.fields.push_back(Field("a", ParseGlueType("array<struct<`x y`:char(3)>>").value()));
  schema.fields.push_back(Field("s", Named("string")));
  const StructType stored = ToStoredForm(schema);
  EXPECT_EQ(
      ToSparkJson(stored),
      R"j({"type":"struct","fields":[)j"
      R"j({"name":"v","type":"string","nullable":true,)j"
      R"j("metadata":{"__CHAR_VARCHAR_TYPE_STRING":"varchar(10)"}},)j"
      R"j({"name":"a","type":{"type":"array","elementType":{"type":"struct","fields":[)j"
      R"j({"name":"x y","type":"string","nullable":true,"metadata":{}}]},"containsNull":true},)j"
      R"j("nullable":true,"metadata":)j"
      R"j({"__CHAR_VARCHAR_TYPE_STRING":"array<struct<`x y`:char(3)>>"}},)j"
      R"j({"name":"s","type":"string","nullable":true,"metadata":{}}]})j");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(DeclaredType(stored.fields[i]), schema.fields[i].type) << i;
  }

  StructField changed = stored.fields[0];
  SetStoredType(changed, Named("long"));
  EXPECT_TRUE(changed.metadata.empty());
}

}  // namespace
}  // namespace gluecat::types
