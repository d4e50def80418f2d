#include "transfer/entry_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/glue/codec.h"
#include "transfer/location_prefix.h"

namespace gluecat::transfer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

glue::Table Table(std::string_view json) {
  const auto document = JsonDocument::Parse(json);
  EXPECT_TRUE(document) << json;
  return glue::DecodeTable(document->root()).value_or(glue::Table());
}

TEST(EntryTextTest, IsTheInputInTheOrderOfTheNames) {
  EXPECT_EQ(TextOf(Table(R"({"Name":"t","Zeta":{"b":[{"d":1,"c":2.5}],"a":null},"CreateTime":7,
                             "VersionId":"3","CatalogId":"1","Alpha":"ä","Owner":"me"})")),
            R"({"Alpha":"ä","Name":"t","Owner":"me","Zeta":{"a":null,"b":[{"c":2.5,"d":1}]}})");
}

TEST(EntryTextTest, DifferencesNameTheMember) {
  EXPECT_THAT(
      Differences(R"({"A":{"Columns":[{"Type":"int"},{"Type":"x"}]},"B":[1],"Only":1,"N":1.0})",
                  R"({"A":{"Columns":[{"Type":"int"},{"Type":"y"}]},"B":[1,2],"Other":2,"N":1})"),
      ElementsAre(Difference{"A.Columns[1].Type", R"("x")", R"("y")"},
                  Difference{"B", "[1]", "[1,2]"}, Difference{"Only", "1", ""},
                  Difference{"Other", "", "2"}));
}

TEST(EntryTextTest, WhatNobodySetIsNoDifference) {
  const std::string bare = R"({"Name":"t","StorageDescriptor":{"Location":"s3://b"}})";
  const std::string answered =
      R"({"Name":"t","Retention":0,"Parameters":{},"PartitionKeys":[],"LastAccessTime":0.0,
          "Description":null,"StorageDescriptor":{"Location":"s3://b","Compressed":false,
          "NumberOfBuckets":0,"StoredAsSubDirectories":false,"SortColumns":[]}})";
  EXPECT_THAT(Differences(bare, answered), IsEmpty());
  EXPECT_THAT(Differences(answered, bare), IsEmpty());
  EXPECT_EQ(Differences(bare, R"({"Name":"t","StorageDescriptor":{"Location":"s3://b",
      "Compressed":true,"NumberOfBuckets":-1}})")
                .size(),
            2U);
}

TEST(EntryTextTest, PermissionsByDefaultAreTheTargetsOwn) {
  const std::string with = R"({"CreateTableDefaultPermissions":[{"Permissions":["ALL"]}]})";
  EXPECT_THAT(Differences("{}", with), IsEmpty());
  EXPECT_EQ(Differences(with, "{}").size(), 1U);
  EXPECT_EQ(Differences(R"({"CreateTableDefaultPermissions":[]})", with).size(), 1U);
}

TEST(EntryTextTest, DifferencesAreCut) {
  const std::string text(500, 'x');
  const auto differences = Differences(R"({"A":")" + text + R"("})", R"({"B":1,"C":2})", 2);
  ASSERT_EQ(differences.size(), 2U);
  EXPECT_LT(differences[0].source.size(), 130U);
}

TEST(LocationPrefixTest, FitsWholePartsOfAPath) {
  for (const char* text : {"", "=", "a=", "=b", "a"}) EXPECT_FALSE(ParseLocationPrefix(text));
  const std::vector<LocationPrefix> prefixes = {*ParseLocationPrefix("s3://b/a=s3://n/x"),
                                                *ParseLocationPrefix("s3://b/=s3://m/")};
  const auto moved = [&](const std::string& location) {
    auto table = Table(R"({"Name":"t","StorageDescriptor":{"Location":")" + location +
                       R"(","SerdeInfo":{"Parameters":{"path":")" + location + R"("}}}})");
    Rewrite(prefixes, table);
    EXPECT_EQ(table.storage_descriptor->serde_info->parameters.at("path"),
              *table.storage_descriptor->location);
    return *table.storage_descriptor->location;
  };
  EXPECT_EQ(moved("s3://b/a"), "s3://n/x");
  EXPECT_EQ(moved("s3://b/a/t"), "s3://n/x/t");
  EXPECT_EQ(moved("s3://b/ab"), "s3://m/ab");
  EXPECT_EQ(moved("s3://bb/a"), "s3://bb/a");
}

}  // namespace
}  // namespace gluecat::transfer
