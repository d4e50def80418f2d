#include "core/entry/text_serde.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/entry/description.h"
#include "core/entry/sample_entries.h"

namespace gluecat::entry {
namespace {

using ::testing::HasSubstr;

template <typename Change>
TableDescription Described(const std::string& sample, Change change) {
  glue::Table table = SampleTable(sample);
  change(table);
  return DescribeTable(table);
}

TableDescription Described(const std::string& sample) {
  return Described(sample, [](glue::Table&) {});
}

// A parameter that the SerDe gets; "(none)" if it gets none of that name.
std::string SerDeParameter(const TableDescription& description, std::string_view key) {
  const auto document = JsonDocument::Parse(description.options.at("serde.parameters"));
  EXPECT_TRUE(document);
  const auto value = document->root()[key];
  return value.IsMissing() ? "(none)" : std::string(value.AsString().value_or("(no text)"));
}

TEST(TextSerDe, SaysAllThatTheReaderNeeds) {
  const auto text = Described("athena_create_opencsv");
  EXPECT_EQ(text.kind, TableKind::kHiveSerDe);
  EXPECT_EQ(text.provider, "hive-text");
  EXPECT_EQ(text.reason, "");
  EXPECT_EQ(text.options.at("serde"), "org.apache.hadoop.hive.serde2.OpenCSVSerde");
  EXPECT_EQ(text.options.at("table"), "shop.t_create_opencsv");
  EXPECT_EQ(text.options.at("header.lines"), "2");
  EXPECT_FALSE(text.options.contains("footer.lines"));
  EXPECT_FALSE(text.options.contains("line.delimiter"));
  EXPECT_EQ(SerDeParameter(text, "separatorChar"), "\t");
  EXPECT_EQ(SerDeParameter(text, "quoteChar"), "'");
  // The table's other parameters are not the SerDe's.
  EXPECT_EQ(SerDeParameter(text, "transient_lastDdlTime"), "(none)");
}

TEST(TextSerDe, EverySerDeOverLinesIsTried) {
  for (const auto* sample : {"crawler_csv", "crawler_csv_opencsv", "athena_create_regex",
                             "spark_hive_text", "hive_multidelim", "crawler_grok"}) {
    const auto text = Described(sample);
    EXPECT_EQ(text.provider, "hive-text") << sample;
    EXPECT_EQ(text.reason, "") << sample;
  }
  const auto without_format =
      Described("crawler_csv", [](glue::Table& t) { t.storage_descriptor->input_format.reset(); });
  EXPECT_EQ(without_format.provider, "hive-text");
}

TEST(TextSerDe, ManifestsMayNameTextFiles) {
  const auto links = Described("crawler_csv", [](glue::Table& t) {
    t.storage_descriptor->input_format = "org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat";
  });
  EXPECT_EQ(links.provider, "hive-text");
  EXPECT_TRUE(links.files_in_manifests);
  EXPECT_FALSE(Described("crawler_csv").files_in_manifests);
}

TEST(TextSerDe, JsonIsTextToo) {
  for (const auto* sample : {"crawler_json", "hive_hcatjson", "hive_json3"}) {
    EXPECT_EQ(Described(sample).provider, "hive-text") << sample;
    EXPECT_EQ(Described(sample).read_only, "") << sample;
    const auto with_header = Described(sample, [](glue::Table& t) {
      t.parameters->insert_or_assign("skip.header.line.count", "1");
    });
    EXPECT_EQ(with_header.options.at("header.lines"), "1") << sample;
    EXPECT_THAT(with_header.read_only, HasSubstr("JSON")) << sample;
  }
}

TEST(TextSerDe, OtherInputFormatsKeepTheirReason) {
  for (const auto* sample :
       {"spark_hive_sequencefile", "spark_hive_rcfile", "athena_ion", "athena_cloudtrail"}) {
    const auto other = Described(sample);
    EXPECT_EQ(other.kind, TableKind::kHiveSerDe) << sample;
    EXPECT_EQ(other.provider, "") << sample;
    EXPECT_THAT(other.reason, HasSubstr("is read with the Hive input format")) << sample;
  }
  const auto acid = Described(
      "crawler_csv", [](glue::Table& t) { t.parameters->emplace("transactional", "true"); });
  EXPECT_THAT(acid.reason, HasSubstr("transactional"));
}

TEST(TextSerDe, TheSerDesOwnParametersGoBeforeTheTables) {
  const auto change = [](glue::Table& t) {
    t.parameters->insert_or_assign("serialization.null.format", "of the table");
    t.parameters->insert_or_assign("timestamp.formats", "yyyy");
    t.parameters->insert_or_assign("skip.header.line.count", "7");
    t.storage_descriptor->serde_info->parameters["serialization.null.format"] = "of the SerDe";
    t.storage_descriptor->serde_info->parameters["skip.header.line.count"] = "1";
  };
  const auto text = Described("crawler_csv", change);
  EXPECT_EQ(SerDeParameter(text, "serialization.null.format"), "of the SerDe");
  EXPECT_EQ(SerDeParameter(text, "timestamp.formats"), "yyyy");
  EXPECT_EQ(text.options.at("header.lines"), "1");
}

TEST(TextSerDe, TheDelimiterOfCollectionsIsKnownToHiveByBothSpellings) {
  EXPECT_EQ(SerDeParameter(Described("athena_create_delimited_nested"), "colelction.delim"), ",");
  EXPECT_EQ(SerDeParameter(Described("spark_hive_text"), "colelction.delim"), "|");
}

TEST(TextSerDe, OnlyUnusualLineEndsAreDelimiters) {
  const auto ending = [](const char* delimiter) {
    return Described("crawler_csv", [delimiter](glue::Table& t) {
      t.storage_descriptor->serde_info->parameters["line.delim"] = delimiter;
    });
  };
  for (const auto* usual : {"\n", "\r\n", "\r", "", "10"}) {
    EXPECT_FALSE(ending(usual).options.contains("line.delimiter")) << usual;
  }
  EXPECT_EQ(ending("\x1e").options.at("line.delimiter"), "\x1e");
}

TEST(TextSerDe, CountsThatAreNoNumbersAreRefused) {
  const auto counting = [](const char* key, const char* value) {
    return Described("crawler_csv",
                     [=](glue::Table& t) { t.parameters->insert_or_assign(key, value); });
  };
  for (const auto* value : {"one", "-1", "1.5", "99999999999"}) {
    const auto text = counting("skip.header.line.count", value);
    EXPECT_EQ(text.provider, "") << value;
    EXPECT_THAT(text.reason, HasSubstr("skip.header.line.count = '" + std::string(value) + "'"));
  }
  EXPECT_THAT(counting("skip.footer.line.count", "x").reason, HasSubstr("skip.footer.line.count"));
  EXPECT_EQ(counting("skip.header.line.count", " 2 ").options.at("header.lines"), "2");
  EXPECT_FALSE(counting("skip.header.line.count", "").options.contains("header.lines"));
}

TEST(TextSerDe, WhatCannotBeWrittenSaysWhy) {
  EXPECT_EQ(Described("crawler_csv").read_only, "");  // one header line
  EXPECT_EQ(Described("spark_hive_text").read_only, "");
  EXPECT_THAT(Described("athena_create_opencsv").read_only, HasSubstr("begin with 2 lines"));
  EXPECT_THAT(Described("athena_create_regex").read_only, HasSubstr("RegexSerDe"));
  const auto with = [](const char* key, const char* value) {
    return Described("crawler_csv",
                     [=](glue::Table& t) { t.parameters->insert_or_assign(key, value); });
  };
  EXPECT_THAT(with("skip.footer.line.count", "1").read_only, HasSubstr("skip.footer.line.count"));
  const auto output = [](const char* format) {
    return Described("crawler_csv",
                     [=](glue::Table& t) { t.storage_descriptor->output_format = format; });
  };
  EXPECT_THAT(output("com.acme.Out").read_only, HasSubstr("output format 'com.acme.Out'"));
  EXPECT_EQ(output("").read_only, "");
}

TEST(TextSerDe, AthenasCompressionIsTheWriters) {
  const auto compressed = [](const char* codec) {
    return Described("crawler_csv", [codec](glue::Table& t) {
      t.parameters->insert_or_assign("write.compression", codec);
    });
  };
  EXPECT_EQ(compressed("GZIP").options.at("compression"), "gzip");
  EXPECT_EQ(compressed("ZLIB").options.at("compression"), "deflate");
  EXPECT_FALSE(compressed("ROT13").options.contains("compression"));
}

}  // namespace
}  // namespace gluecat::entry
