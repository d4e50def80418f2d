#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/entry/description.h"

namespace gluecat::entry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <typename Parse>
auto Parsed(std::string_view json, Parse parse) {
  const auto document = JsonDocument::Parse(json);
  EXPECT_TRUE(document) << json;
  return parse(document->root());
}

Result<TableSpec> SpecOf(std::string_view json) { return Parsed(json, ParseTableSpec); }

// The one change of `json`, of type Change.
template <typename Change>
Change ChangeOf(const std::string& json) {
  const auto changes = Parsed("[" + json + "]", ParseTableChanges);
  EXPECT_TRUE(changes) << (changes ? "" : changes.error().message);
  if (!changes || changes->size() != 1 || !std::holds_alternative<Change>(changes->front())) {
    ADD_FAILURE() << json;
    return {};
  }
  return std::get<Change>(changes->front());
}

std::string ChangeError(const std::string& json) {
  const auto changes = Parsed("[" + json + "]", ParseTableChanges);
  if (changes) return "no error";
  EXPECT_EQ(changes.error().kind, ErrorKind::kInvalidArgument);
  return changes.error().message;
}

TEST(ParseStatistics, TakesColumnsAsSparkWritesThem) {
  const auto parse = [](const char* json) {
    return ParseStatistics(JsonDocument::Parse(json)->root());
  };
  const auto statistics =
      parse(R"({"size_in_bytes": 7, "row_count": 2, "columns": {"id.max": "9"}})");
  ASSERT_TRUE(statistics);
  EXPECT_EQ(*statistics, (Statistics{7, 2, {{"id.max", "9"}}}));
  for (const char* json : {"[]", R"({"row_count": 2})", R"({"size_in_bytes": 7, "rows": 2})"}) {
    EXPECT_FALSE(parse(json)) << json;
  }
}

TEST(ParseTableSpec, ReadsEveryMember) {
  const auto spec = SpecOf(
      R"({"provider":"parquet","schema":{"type":"struct","fields":[{"name":"a","type":"long"}]},)"
      R"("partition_columns":["a"],"bucketing":{"count":8,"columns":["b"],"sort_columns":["c"]},)"
      R"("location":"s3://x","managed":true,"options":{"o":"1"},"properties":{"p":"2"},)"
      R"("comment":"c","owner":"me","partitions_tracked":false})");
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_EQ(spec->provider, "parquet");
  EXPECT_EQ(spec->schema.fields.size(), 1U);
  EXPECT_THAT(spec->partition_columns, ElementsAre("a"));
  EXPECT_EQ(spec->bucketing, (Bucketing{8, {"b"}, {"c"}}));
  EXPECT_EQ(spec->location, "s3://x");
  EXPECT_TRUE(spec->managed);
  EXPECT_EQ(spec->options, (glue::Parameters{{"o", "1"}}));
  EXPECT_EQ(spec->properties, (glue::Parameters{{"p", "2"}}));
  EXPECT_EQ(spec->comment, "c");
  EXPECT_EQ(spec->owner, "me");
  EXPECT_FALSE(spec->partitions_tracked);
}

TEST(ParseTableSpec, HasDefaults) {
  const auto spec = SpecOf(R"({"provider":"csv","schema":{"type":"struct","fields":[]},)"
                           R"("location":null,"bucketing":null,"options":null})");
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_EQ(spec->location, std::nullopt);
  EXPECT_FALSE(spec->managed);
  EXPECT_TRUE(spec->partitions_tracked);
  EXPECT_THAT(spec->partition_columns, IsEmpty());
}

TEST(ParseTableSpec, RefusesWhatItDoesNotKnow) {
  const std::string schema = R"("schema":{"type":"struct","fields":[]})";
  for (const auto& [json, message] : std::vector<std::pair<std::string, std::string>>{
           {R"({"provider":"csv","locaton":"s3://x",)" + schema + "}", "unknown member 'locaton'"},
           {"{" + schema + "}", "member 'provider' is not a string"},
           {R"({"provider":"csv"})", "member 'schema': schema JSON: not a struct"},
           {R"({"provider":"csv","managed":1,)" + schema + "}", "'managed' is not true or false"},
           {R"({"provider":"csv","options":{"a":1},)" + schema + "}", "'options' is not an object"},
           {R"({"provider":"csv","partition_columns":"a",)" + schema + "}", "is not an array"},
           {R"({"provider":"csv","bucketing":{"columns":[]},)" + schema + "}",
            "'count' is missing"},
           {R"({"provider":"csv","bucketing":{"count":1,"columns":[],"x":1},)" + schema + "}",
            "bucketing: unknown member 'x'"},
           {"[]", "table specification is not an object"}}) {
    const auto spec = SpecOf(json);
    ASSERT_FALSE(spec) << json;
    EXPECT_EQ(spec.error().kind, ErrorKind::kInvalidArgument);
    EXPECT_THAT(spec.error().message, HasSubstr(message));
  }
}

TEST(ParseTableChanges, ReadsEveryChange) {
  EXPECT_EQ(ChangeOf<SetProperty>(R"({"op":"set_property","key":"k","value":"v"})").value, "v");
  EXPECT_EQ(ChangeOf<RemoveProperty>(R"({"op":"remove_property","key":"k"})").key, "k");
  EXPECT_EQ(ChangeOf<SetComment>(R"({"op":"set_comment","comment":"c"})").comment, "c");
  EXPECT_EQ(ChangeOf<SetComment>(R"({"op":"set_comment","comment":null})").comment, std::nullopt);
  EXPECT_EQ(ChangeOf<SetOwner>(R"({"op":"set_owner","owner":"o"})").owner, "o");
  EXPECT_EQ(ChangeOf<SetLocation>(R"({"op":"set_location","location":"l"})").location, "l");
  EXPECT_EQ(ChangeOf<SetOption>(R"({"op":"set_option","key":"k","value":"v"})").key, "k");
  EXPECT_EQ(ChangeOf<RemoveOption>(R"({"op":"remove_option","key":"k"})").key, "k");
  EXPECT_EQ(ChangeOf<ConvertToDelta>(R"({"op":"convert_to_delta","partition_columns":["a"],)"
                                     R"("schema":{"type":"struct","fields":[]}})")
                .partition_columns,
            std::vector<std::string>{"a"});
  EXPECT_THAT(ChangeOf<SetSchema>(R"({"op":"set_schema","schema":{"type":"struct","fields":[]},)"
                                  R"("partition_columns":["p"]})")
                  .partition_columns,
              ElementsAre("p"));
  EXPECT_EQ(ChangeOf<SetStatistics>(R"({"op":"set_statistics","size_in_bytes":5,"row_count":2})")
                .statistics,
            (Statistics{5, 2}));
  EXPECT_EQ(ChangeOf<SetStatistics>(R"({"op":"set_statistics","size_in_bytes":null})").statistics,
            std::nullopt);

  const auto add = ChangeOf<AddColumn>(
      R"({"op":"add_column","path":["a","b"],"type":"long","nullable":false,"comment":"c",)"
      R"("default":"5","position":{"after":"x"}})");
  EXPECT_THAT(add.path, ElementsAre("a", "b"));
  EXPECT_EQ(add.type, types::DataType::Simple("long"));
  EXPECT_FALSE(add.nullable);
  EXPECT_EQ(add.comment, "c");
  EXPECT_EQ(add.default_value, "5");
  EXPECT_EQ(add.position->after, "x");
  const auto plain = ChangeOf<AddColumn>(R"({"op":"add_column","path":["a"],"type":"long"})");
  EXPECT_TRUE(plain.nullable);
  EXPECT_FALSE(plain.position);

  EXPECT_TRUE(
      ChangeOf<DeleteColumn>(R"({"op":"delete_column","path":["a"],"if_exists":true})").if_exists);
  EXPECT_EQ(ChangeOf<RenameColumn>(R"({"op":"rename_column","path":["a"],"to":"b"})").to, "b");
  EXPECT_EQ(ChangeOf<UpdateColumnType>(
                R"j({"op":"update_column_type","path":["a"],"type":"varchar(3)"})j")
                .type.name(),
            "varchar(3)");
  EXPECT_FALSE(ChangeOf<UpdateColumnNullability>(
                   R"({"op":"update_column_nullability","path":["a"],"nullable":false})")
                   .nullable);
  EXPECT_EQ(
      ChangeOf<UpdateColumnComment>(R"({"op":"update_column_comment","path":["a"],"comment":null})")
          .comment,
      std::nullopt);
  EXPECT_TRUE(ChangeOf<UpdateColumnPosition>(
                  R"({"op":"update_column_position","path":["a"],"position":"first"})")
                  .position.first);
}

TEST(ParseTableChanges, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(ChangeError(R"({"op":"set_propperty"})"),
              HasSubstr("unknown change 'set_propperty'"));
  EXPECT_THAT(ChangeError("7"), HasSubstr("unknown change ''"));
  EXPECT_THAT(ChangeError(R"({"op":"set_owner","owner":"o","x":1})"),
              HasSubstr("change set_owner: unknown member 'x'"));
  EXPECT_THAT(ChangeError(R"({"op":"set_comment"})"),
              HasSubstr("'comment' is not a string or null"));
  EXPECT_THAT(ChangeError(R"({"op":"set_statistics"})"), HasSubstr("'size_in_bytes' is missing"));
  EXPECT_THAT(ChangeError(R"({"op":"set_statistics","size_in_bytes":"7"})"),
              HasSubstr("not a whole number"));
  EXPECT_THAT(ChangeError(R"({"op":"delete_column","path":[]})"), HasSubstr("lead to a column"));
  EXPECT_THAT(ChangeError(R"({"op":"add_column","path":["a"],"type":"9"})"),
              HasSubstr("'type': schema JSON: '9' is not a type"));
  EXPECT_THAT(ChangeError(R"({"op":"add_column","path":["a"],"type":"long","position":"last"})"),
              HasSubstr("\"first\" or"));
  EXPECT_THAT(
      ChangeError(R"({"op":"update_column_position","path":["a"],"position":{"after":"x","y":1}})"),
      HasSubstr("unknown member 'y'"));
  const auto changes = Parsed("{}", ParseTableChanges);
  ASSERT_FALSE(changes);
  EXPECT_THAT(changes.error().message, HasSubstr("not an array"));
}

TEST(WriteDescription, LeavesOutWhatIsAbsent) {
  TableDescription description;
  description.name = "t";
  description.kind = TableKind::kUnsupported;
  description.reason = "why";
  JsonWriter writer;
  writer.BeginObject();
  WriteDescription(description, writer);
  writer.EndObject();
  EXPECT_EQ(writer.text(),
            R"({"name":"t","kind":"unsupported","reason":"why","provider":"","managed":false,)"
            R"("schema":{"type":"struct","fields":[]},"partition_columns":[],)"
            R"("partitions_tracked":false,"options":{},"properties":{}})");
}

}  // namespace
}  // namespace gluecat::entry
