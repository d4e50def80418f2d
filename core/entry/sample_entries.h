// The entries of tests/data/entries, for tests: one Glue answer each, named
// after its writer.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/glue/codec.h"
#include "core/glue/model.h"

namespace gluecat::entry {

inline std::filesystem::path SampleFolder() {
  return std::filesystem::path(GLUECAT_SOURCE_DIR) / "tests/data";
}

inline std::string ReadText(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// "athena_ctas", "crawler_avro", …, sorted.
inline std::vector<std::string> SampleNames() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(SampleFolder() / "entries")) {
    names.push_back(file.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

inline JsonDocument ParseSample(const std::string& name) {
  auto document = JsonDocument::Parse(ReadText(SampleFolder() / "entries" / (name + ".json")));
  EXPECT_TRUE(document) << name;
  return *std::move(document);
}

inline glue::Table SampleTable(const std::string& name) {
  const auto document = ParseSample(name);
  auto table = glue::DecodeTable(document.root()["Table"]);
  EXPECT_TRUE(table) << name << ": " << (table ? "" : table.error().message);
  return table.value_or(glue::Table());
}

inline std::string Encoded(const glue::Table& table) { return glue::EncodeTableInput(table); }

}  // namespace gluecat::entry
