// For tests: the test vectors that AWS publishes (tests/vectors/fetch_aws_vectors.sh).
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "core/base/json.h"

namespace gluecat::aws {

inline std::filesystem::path AwsVectorsFolder() {
  const char* folder = std::getenv("GLUECAT_VECTORS_DIR");
  return std::filesystem::path(folder != nullptr ? folder : GLUECAT_VECTORS_DIR) / "aws";
}

// A file's content; fails the test if it is not there.
inline std::string ReadAwsVector(const std::filesystem::path& name) {
  const auto path = AwsVectorsFolder() / name;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    ADD_FAILURE() << path << " is missing: run tests/vectors/fetch_aws_vectors.sh";
    return {};
  }
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::optional<JsonDocument> ReadAwsJsonVector(const std::filesystem::path& name) {
  auto document = JsonDocument::Parse(ReadAwsVector(name));
  if (!document) {
    ADD_FAILURE() << name << ": " << document.error().message;
    return std::nullopt;
  }
  return std::move(*document);
}

}  // namespace gluecat::aws
