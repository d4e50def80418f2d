#include "core/prune/projection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/text.h"
#include "core/prune/date_pattern.h"
#include "core/prune/index_ranges.h"
#include "core/prune/projected_values.h"

namespace gluecat::prune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Kind = Predicate::Kind;

// 2024-03-15 10:20:30.456 UTC.
const Timestamp kNow = Timestamp(std::chrono::milliseconds(1710498030456));

Predicate Leaf(Kind kind, std::string column, std::vector<std::string> values) {
  return {kind, std::move(column), std::move(values), {}};
}
Predicate And(std::vector<Predicate> children) { return {Kind::kAnd, "", {}, std::move(children)}; }
Predicate Or(std::vector<Predicate> children) { return {Kind::kOr, "", {}, std::move(children)}; }

PartitionColumn Column(std::string name, std::string_view type) {
  return {std::move(name), ParseKeyType(type), ParseKeyType(type)};
}

// Partitions as "value/value @ location".
struct Listed {
  std::vector<std::string> partitions;
  Error error;
};

Listed List(const std::map<std::string, std::string>& parameters,
            const std::vector<PartitionColumn>& columns,
            const std::optional<Predicate>& filter = std::nullopt) {
  Listed listed;
  const auto status = ListProjected(
      {parameters, "s3://b/t/"}, columns, filter ? &*filter : nullptr, kNow,
      [&](const std::vector<std::string_view>& values, const std::string& location) -> Status {
        std::string text;
        for (const auto value : values) text += (text.empty() ? "" : "/") + std::string(value);
        listed.partitions.push_back(text + " @ " + location);
        return {};
      });
  if (!status) listed.error = status.error();
  return listed;
}

// The values of one column `c`, by its settings.
std::vector<std::string> Values(std::string_view type, std::map<std::string, std::string> settings,
                                const std::optional<Predicate>& filter = std::nullopt) {
  std::map<std::string, std::string> parameters;
  for (const auto& [key, value] : settings) parameters["projection.c." + key] = value;
  const auto listed = List(parameters, {Column("c", type)}, filter);
  EXPECT_EQ(listed.error.message, "");
  std::vector<std::string> values;
  for (const auto& partition : listed.partitions) {
    values.push_back(partition.substr(0, partition.find(" @ ")));
  }
  return values;
}

std::string Refusal(std::string_view type, std::map<std::string, std::string> settings) {
  std::map<std::string, std::string> parameters;
  for (const auto& [key, value] : settings) parameters["projection.c." + key] = value;
  const auto listed = List(parameters, {Column("c", type)});
  EXPECT_THAT(listed.partitions, IsEmpty());
  return listed.error.message;
}

TEST(ProjectionTest, EnumValuesKeepTheirSpace) {
  EXPECT_THAT(Values("string", {{"type", " Enum "}, {"values", "a, b,c,a"}}),
              ElementsAre("a", " b", "c"));
  EXPECT_THAT(Values("int", {{"type", "enum"}, {"values", "1,02"}}), ElementsAre("1", "2"));
}

TEST(ProjectionTest, IntegersCountByTheirInterval) {
  EXPECT_THAT(Values("int", {{"type", "integer"}, {"range", "1,3"}}), ElementsAre("1", "2", "3"));
  EXPECT_THAT(Values("int", {{"type", "integer"}, {"range", " -3 , 4 "}, {"interval", "3"}}),
              ElementsAre("-3", "0", "3"));
  EXPECT_THAT(Values("string", {{"type", "integer"}, {"range", "8,11"}, {"digits", "3"}}),
              ElementsAre("008", "009", "010", "011"));
  EXPECT_THAT(Values("string", {{"type", "integer"}, {"range", "-1,1"}, {"digits", "3"}}),
              ElementsAre("-01", "000", "001"));
  EXPECT_THAT(Values("bigint", {{"type", "integer"},
                                {"range", "-9223372036854775808,9223372036854775807"},
                                {"interval", "9223372036854775807"}}),
              ElementsAre("-9223372036854775808", "-1", "9223372036854775806"));
}

TEST(ProjectionTest, LeadingZerosAreInTheLocationOfAnIntKey) {
  EXPECT_THAT(List({{"projection.hh.type", "integer"},
                    {"projection.hh.range", "9,10"},
                    {"projection.hh.digits", "2"}},
                   {Column("hh", "int")})
                  .partitions,
              ElementsAre("9 @ s3://b/t/hh=09", "10 @ s3://b/t/hh=10"));
}

TEST(ProjectionTest, DatesByDayMonthAndHour) {
  EXPECT_THAT(
      Values("string",
             {{"type", "date"}, {"format", "yyyy-MM-dd"}, {"range", "2024-02-27,2024-03-01"}}),
      ElementsAre("2024-02-27", "2024-02-28", "2024-02-29", "2024-03-01"));
  EXPECT_THAT(
      Values("string", {{"type", "date"}, {"format", "yyyy-MM"}, {"range", "2023-11,2024-02"}}),
      ElementsAre("2023-11", "2023-12", "2024-01", "2024-02"));
  EXPECT_THAT(Values("string", {{"type", "date"},
                                {"format", "yyyy/MM/dd/HH"},
                                {"range", "2024/02/28/22,2024/02/29/04"},
                                {"interval", "3"},
                                {"interval.unit", "hours"}}),
              ElementsAre("2024/02/28/22", "2024/02/29/01", "2024/02/29/04"));
  EXPECT_THAT(Values("int", {{"type", "date"},
                             {"format", "yyyy"},
                             {"range", "2022,2024"},
                             {"interval", "1"},
                             {"interval.unit", "YEARS"}}),
              ElementsAre("2022", "2023", "2024"));
}

TEST(ProjectionTest, RelativeDatesAreTakenToThePrecisionOfTheFormat) {
  EXPECT_THAT(
      Values("string", {{"type", "date"}, {"format", "yyyy-MM-dd"}, {"range", "NOW-1DAYS,NOW"}}),
      ElementsAre("2024-03-14", "2024-03-15"));
  EXPECT_THAT(Values("string", {{"type", "date"},
                                {"format", "yyyy"},
                                {"range", "NOW-3YEARS,NOW"},
                                {"interval", "1"},
                                {"interval.unit", "YEARS"}}),
              ElementsAre("2021", "2022", "2023", "2024"));
  EXPECT_THAT(Values("string", {{"type", "date"},
                                {"format", "yyyy-MM-dd HH"},
                                {"range", "NOW - 1 HOUR , NOW + 60 MINUTES "},
                                {"interval", "1"},
                                {"interval.unit", "HOURS"}}),
              ElementsAre("2024-03-15 09", "2024-03-15 10", "2024-03-15 11"));
  EXPECT_THAT(Values("string",
                     {{"type", "date"}, {"format", "yyyy-MM"}, {"range", "NOW-2MONTHS,NOW-1WEEK"}}),
              ElementsAre("2024-01", "2024-02", "2024-03"));
}

TEST(ProjectionTest, ARangeThatBeginsInTheFutureIsEmpty) {
  EXPECT_THAT(
      Values("string", {{"type", "date"}, {"format", "yyyy-MM-dd"}, {"range", "2030-01-01,NOW"}}),
      IsEmpty());
}

TEST(ProjectionTest, AUnitFinerThanTheFormatGivesNoValueTwice) {
  EXPECT_THAT(Values("string", {{"type", "date"},
                                {"format", "yyyy-MM"},
                                {"range", "2024-01,2024-03"},
                                {"interval", "1"},
                                {"interval.unit", "DAYS"}}),
              ElementsAre("2024-01", "2024-02", "2024-03"));
}

TEST(ProjectionTest, ADateKeyHasItsOwnTextAndTheFormatsInTheLocation) {
  EXPECT_THAT(List({{"projection.d.type", "date"},
                    {"projection.d.format", "dd.MM.yyyy"},
                    {"projection.d.range", "31.12.2023,01.01.2024"},
                    {"storage.location.template", "s3://b/x/${D}/"}},
                   {Column("d", "date")}, Leaf(Kind::kGreaterEqual, "d", {"2024-01-01"}))
                  .partitions,
              ElementsAre("2024-01-01 @ s3://b/x/01.01.2024/"));
}

TEST(ProjectionTest, FiltersOverManyColumns) {
  const std::map<std::string, std::string> parameters = {
      {"projection.region.type", "enum"},
      {"projection.region.values", "eu,us,ap"},
      {"projection.hh.type", "integer"},
      {"projection.hh.range", "0,23"},
      {"projection.hh.digits", "2"},
      {"projection.dev.type", "injected"},
      {"storage.location.template", "s3://b/${region}/${hh}/${dev}"},
  };
  const std::vector<PartitionColumn> columns = {Column("region", "string"), Column("hh", "int"),
                                                Column("dev", "string")};
  EXPECT_THAT(List(parameters, columns,
                   And({Leaf(Kind::kIn, "region", {"us", "xx"}), Leaf(Kind::kLess, "hh", {"2"}),
                        Leaf(Kind::kEqual, "dev", {"d1"})}))
                  .partitions,
              ElementsAre("us/0/d1 @ s3://b/us/00/d1", "us/1/d1 @ s3://b/us/01/d1"));
  EXPECT_THAT(
      List(
          parameters, columns,
          And({Leaf(Kind::kIn, "dev", {"a", "b"}),
               Or({And({Leaf(Kind::kEqual, "region", {"eu"}), Leaf(Kind::kEqual, "hh", {"5"})}),
                   And({Leaf(Kind::kEqual, "region", {"ap"}), Leaf(Kind::kEqual, "hh", {"7"})})})}))
          .partitions,
      ElementsAre("eu/5/a @ s3://b/eu/05/a", "eu/5/b @ s3://b/eu/05/b", "ap/7/a @ s3://b/ap/07/a",
                  "ap/7/b @ s3://b/ap/07/b"));
}

TEST(ProjectionTest, AnInjectedColumnNeedsItsValues) {
  const std::map<std::string, std::string> parameters = {{"projection.dev.type", "injected"}};
  const std::vector<PartitionColumn> columns = {Column("dev", "string")};
  for (const auto& filter : std::vector<std::optional<Predicate>>{
           std::nullopt, Leaf(Kind::kGreater, "dev", {"a"}),
           Or({Leaf(Kind::kEqual, "dev", {"a"}), Leaf(Kind::kEqual, "other", {"b"})})}) {
    const auto listed = List(parameters, columns, filter);
    EXPECT_EQ(listed.error.kind, ErrorKind::kInvalidArgument);
    EXPECT_THAT(listed.error.message, HasSubstr("dev is injected"));
  }
  EXPECT_THAT(List(parameters, columns, Leaf(Kind::kEqual, "dev", {"a/b=c"})).partitions,
              ElementsAre("a/b=c @ s3://b/t/dev=a%2Fb%3Dc"));
  EXPECT_THAT(List(parameters, columns,
                   And({Leaf(Kind::kIn, "dev", {"a", "b"}), Leaf(Kind::kEqual, "dev", {"b"})}))
                  .partitions,
              ElementsAre("b @ s3://b/t/dev=b"));
  EXPECT_THAT(
      List(parameters, columns, Leaf(Kind::kEqual, "dev", {"x/../../secret"})).error.message,
      HasSubstr("leads out of the table"));
}

TEST(ProjectionTest, LargeRangesAreNotEnumerated) {
  // 10^18 values, of which the filter keeps three.
  EXPECT_THAT(Values("bigint", {{"type", "integer"}, {"range", "0,1000000000000000000"}},
                     And({Leaf(Kind::kGreater, "c", {"499999999999999999"}),
                          Leaf(Kind::kLessEqual, "c", {"500000000000000002"})})),
              ElementsAre("500000000000000000", "500000000000000001", "500000000000000002"));
  // Every millisecond of ten thousand years, by the beginning of its text.
  EXPECT_THAT(Values("string",
                     {{"type", "date"},
                      {"format", "yyyy-MM-dd'T'HH:mm:ss.SSS"},
                      {"range", "0001-01-01T00:00:00.000,9999-12-31T23:59:59.999"},
                      {"interval", "1"},
                      {"interval.unit", "MILLIS"}},
                     Leaf(Kind::kStartsWith, "c", {"2024-03-15T10:20:30.45"})),
              ::testing::SizeIs(10));
  EXPECT_THAT(Values("string", {{"type", "integer"}, {"range", "0,999999999"}, {"digits", "12"}},
                     Leaf(Kind::kIn, "c", {"000000000007", "000999999999", "7", "000000000007"})),
              ElementsAre("000000000007", "000999999999"));
}

TEST(ProjectionTest, TooManyPartitionsAreRefused) {
  const std::map<std::string, std::string> parameters = {{"projection.c.type", "integer"},
                                                         {"projection.c.range", "0,1000000"}};
  const auto listed = List(parameters, {Column("c", "int")});
  EXPECT_EQ(listed.error.kind, ErrorKind::kInvalidArgument);
  EXPECT_THAT(listed.error.message, HasSubstr("more than 1000000 partitions"));
  EXPECT_EQ(listed.partitions.size(), 0U);
}

TEST(ProjectionTest, SettingsThatCannotBeUnderstoodAreNamed) {
  EXPECT_THAT(Refusal("string", {}), HasSubstr("'projection.c.type' is missing"));
  EXPECT_THAT(Refusal("string", {{"type", "list"}}), HasSubstr("'projection.c.type' is 'list'"));
  EXPECT_THAT(Refusal("string", {{"type", "enum"}}), HasSubstr("'projection.c.values' is missing"));
  EXPECT_THAT(Refusal("int", {{"type", "enum"}, {"values", "1,x"}}), HasSubstr("'x' is not of"));
  EXPECT_THAT(Refusal("int", {{"type", "integer"}, {"range", "1"}}), HasSubstr("two values"));
  EXPECT_THAT(Refusal("int", {{"type", "integer"}, {"range", "1,x"}}), HasSubstr("whole numbers"));
  EXPECT_THAT(Refusal("int", {{"type", "integer"}, {"range", "2,1"}}), HasSubstr("greater"));
  EXPECT_THAT(Refusal("int", {{"type", "integer"}, {"range", "1,2"}, {"interval", "0"}}),
              HasSubstr("'projection.c.interval' is '0'"));
  EXPECT_THAT(Refusal("date", {{"type", "integer"}, {"range", "1,2"}}), HasSubstr("type date"));
  EXPECT_THAT(Refusal("boolean", {{"type", "date"}, {"format", "yyyy"}}), HasSubstr("boolean"));
  EXPECT_THAT(Refusal("string", {{"type", "date"}, {"range", "NOW,NOW"}}),
              HasSubstr("'projection.c.format' is missing"));
  EXPECT_THAT(Refusal("string", {{"type", "date"}, {"format", "yyyy-ww"}, {"range", "NOW,NOW"}}),
              HasSubstr("'ww', which is not among"));
  EXPECT_THAT(Refusal("string", {{"type", "date"}, {"format", "yyyy-MM-dd"}, {"range", "x,NOW"}}),
              HasSubstr("'x' is neither a date"));
  EXPECT_THAT(
      Refusal("string", {{"type", "date"}, {"format", "yyyy-MM-dd"}, {"range", "NOW-3,NOW"}}),
      HasSubstr("NOW-3DAYS"));
  EXPECT_THAT(Refusal("string", {{"type", "date"}, {"format", "yyyy"}, {"range", "2020,NOW"}}),
              HasSubstr("'projection.c.interval.unit' is missing"));
}

TEST(ProjectionTest, TemplatesMustHoldEveryColumn) {
  const std::map<std::string, std::string> both = {{"projection.a.type", "enum"},
                                                   {"projection.a.values", "1"},
                                                   {"projection.b.type", "enum"},
                                                   {"projection.b.values", "2"}};
  const std::vector<PartitionColumn> columns = {Column("a", "string"), Column("b", "string")};
  auto parameters = both;
  parameters["storage.location.template"] = "s3://b/${a}/";
  EXPECT_THAT(List(parameters, columns).error.message, HasSubstr("lacks ${b}"));
  parameters["storage.location.template"] = "s3://b/${a}/${b}/${nokey}";
  EXPECT_THAT(List(parameters, columns).error.message, HasSubstr("'nokey' is no partition column"));
  parameters["storage.location.template"] = "s3://b/${a}/${b";
  EXPECT_THAT(List(parameters, columns).error.message, HasSubstr("does not end"));
  parameters["storage.location.template"] = "s3://b/${b}/x${a}y${b}";
  EXPECT_THAT(List(parameters, columns).partitions, ElementsAre("1/2 @ s3://b/2/x1y2"));
}

TEST(DatePatternTest, WritesAndReadsTheSameText) {
  const std::int64_t millis = 1710498030456;
  for (const auto& [pattern, text] : std::vector<std::pair<std::string, std::string>>{
           {"yyyy-MM-dd", "2024-03-15"},
           {"uuuuLLdd", "20240315"},
           {"yy/M/d", "24/3/15"},
           {"d MMM yyyy", "15 Mar 2024"},
           {"MMMM yyyy", "March 2024"},
           {"yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", "2024-03-15T10:20:30.456Z"},
           {"'it''s' yyyy", "it's 2024"},
           {"yyyy''MM", "2024'03"},
           {"H:m:s S", "10:20:30 4"},
       }) {
    const auto parsed = DatePattern::Parse(pattern);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->Format(millis), text);
    const auto read = parsed->Read(text);
    ASSERT_TRUE(read) << pattern;
    EXPECT_EQ(parsed->Format(*read), text);
    EXPECT_FALSE(parsed->Read(text + "x"));
    EXPECT_FALSE(parsed->Read(""));
  }
}

TEST(DatePatternTest, KnowsWhichTextsAreOrdered) {
  for (const auto* pattern : {"yyyy-MM-dd", "yyyyMMddHH", "yyyy", "'x'yyyy/MM"}) {
    EXPECT_TRUE(DatePattern::Parse(pattern)->ordered()) << pattern;
  }
  for (const auto* pattern : {"dd-MM-yyyy", "yyyy-M-d", "yy-MM", "MM-dd", "yyyy-MMM", "yyyy-dd"}) {
    EXPECT_FALSE(DatePattern::Parse(pattern)->ordered()) << pattern;
  }
}

TEST(DatePatternTest, RefusesWhatItWouldMisread) {
  for (const auto* pattern :
       {"yyyy-[MM]", "YYYY", "hh a", "yyyyy", "ddd", "yyyy 'open", "'none'"}) {
    EXPECT_FALSE(DatePattern::Parse(pattern)) << pattern;
  }
  const auto parsed = DatePattern::Parse("yyyy-MM-dd");
  for (const auto* text : {"2024-02-30", "2024-13-01", "2024-00-01", "0000-01-01", "24-01-01"}) {
    EXPECT_FALSE(parsed->Read(text)) << text;
  }
}

TEST(DatePatternTest, MonthsEndWhereTheyEnd) {
  const auto pattern = DatePattern::Parse("yyyy-MM-dd");
  const auto from = *pattern->Read("2024-01-31");
  EXPECT_EQ(pattern->Format(*AddUnits(from, 1, TimeUnit::kMonths)), "2024-02-29");
  EXPECT_EQ(pattern->Format(*AddUnits(from, -2, TimeUnit::kMonths)), "2023-11-30");
  EXPECT_EQ(StepsBetween(from, *pattern->Read("2024-03-30"), 1, TimeUnit::kMonths), 1);
  EXPECT_EQ(StepsBetween(from, *pattern->Read("2024-03-31"), 1, TimeUnit::kMonths), 2);
  EXPECT_FALSE(AddUnits(from, 9000, TimeUnit::kYears));
  EXPECT_FALSE(AddUnits(from, INT64_MAX, TimeUnit::kWeeks));
}

// Whatever is left out does not match, whether found by halving or one by one.
TEST(IndexRangesTest, HoldEveryMatch) {
  const PartitionColumn column = Column("c", "int");
  const auto values = ReadProjectedValues(
      column, {{"type", "integer"}, {"range", "-20,20"}, {"interval", "3"}}, kNow);
  ASSERT_TRUE(values);
  for (const Kind kind : {Kind::kEqual, Kind::kNotEqual, Kind::kLess, Kind::kLessEqual,
                          Kind::kGreater, Kind::kGreaterEqual, Kind::kIn}) {
    for (int literal = -25; literal <= 25; ++literal) {
      for (const auto& filter :
           {Leaf(kind, "c", {std::to_string(literal)}),
            And({Leaf(kind, "c", {std::to_string(literal)}), Leaf(Kind::kLess, "c", {"4"})}),
            Or({Leaf(kind, "c", {std::to_string(literal)}), Leaf(Kind::kEqual, "c", {"10"})})}) {
        const auto ranges = KeptRanges(filter, column, **values);
        std::uint64_t last_end = 0;
        for (const auto& range : ranges) {
          EXPECT_LT(range.first, range.end);
          EXPECT_GE(range.first, last_end);
          last_end = range.end;
        }
        for (std::uint64_t i = 0; i < (*values)->size(); ++i) {
          const auto value = (*values)->At(i);
          const std::array<std::string_view, 1> texts = {value.value};
          const bool kept = std::ranges::any_of(
              ranges, [&](const auto& range) { return range.first <= i && i < range.end; });
          if (MightMatch(filter, std::span(&column, 1), texts)) {
            EXPECT_TRUE(kept) << value.value;
          } else if (kind != Kind::kNotEqual) {
            EXPECT_FALSE(kept) << value.value;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace gluecat::prune
