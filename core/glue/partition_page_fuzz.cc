// A page of partitions, as a server or somebody on the way may send it.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/glue/partition_listing.h"

namespace gluecat::glue {
namespace {

using Texts = std::vector<std::pair<std::string, std::string>>;

Texts Copy(const std::vector<NameValue>& map) { return Texts(map.begin(), map.end()); }

// What a page holds of each partition.
class Collector final : public PartitionSink {
 public:
  Status Add(const PartitionView& partition) override {
    Texts texts;
    for (const auto value : partition.values) texts.emplace_back("value", value);
    const auto add = [&texts](const char* name, const std::optional<std::string_view>& text) {
      texts.emplace_back(name, text ? "=" + std::string(*text) : "");
    };
    add("location", partition.location);
    add("input format", partition.input_format);
    add("output format", partition.output_format);
    add("library", partition.serialization_library);
    for (const auto* map : {&partition.serde_parameters, &partition.parameters}) {
      texts.emplace_back("map", "");
      texts.insert(texts.end(), map->begin(), map->end());
    }
    partitions.push_back(std::move(texts));
    return {};
  }

  std::vector<Texts> partitions;
};

// What was read of a listing before a partition must make no difference to it. The
// pages are the lines of `input`.
void CheckEachAlone(const std::string& input) {
  // A name with escapes is one name to the document and another to the reader.
  if (input.find('\\') != std::string::npos) return;
  Collector together;
  Collector alone;
  PartitionPageReader reader;
  for (const std::string_view line : Split(input, '\n')) {
    const auto document = JsonDocument::Parse(line);
    std::string page(line);
    if (!document || !reader.Read(page, together)) return;
    for (const auto& [name, list] : document->root().Members()) {
      if (name != "Partitions") continue;
      for (const JsonView partition : list.Elements()) {
        page = "{\"Partitions\":[" + partition.Dump() + "]}";
        if (!PartitionPageReader().Read(page, alone)) std::abort();
      }
    }
  }
  if (together.partitions != alone.partitions) std::abort();
}

// While a revision stays, so must what it stands for.
class RevisionCheck final : public PartitionSink {
 public:
  Status Add(const PartitionView& partition) override {
    const std::vector<std::optional<std::string>> format = {
        std::optional<std::string>(partition.input_format),
        std::optional<std::string>(partition.output_format),
        std::optional<std::string>(partition.serialization_library)};
    const Texts serde = Copy(partition.serde_parameters);
    const Texts parameters = Copy(partition.parameters);
    if (partition.format_revision == format_revision_ && (format != format_ || serde != serde_)) {
      std::abort();
    }
    if (partition.parameters_revision == parameters_revision_ && parameters != parameters_) {
      std::abort();
    }
    format_ = format;
    serde_ = serde;
    parameters_ = parameters;
    format_revision_ = partition.format_revision;
    parameters_revision_ = partition.parameters_revision;
    return {};
  }

 private:
  std::vector<std::optional<std::string>> format_;
  Texts serde_;
  Texts parameters_;
  std::uint64_t format_revision_ = 0;
  std::uint64_t parameters_revision_ = 0;
};

}  // namespace
}  // namespace gluecat::glue

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  gluecat::glue::CheckEachAlone(input);
  gluecat::glue::RevisionCheck sink;
  gluecat::glue::PartitionPageReader reader;
  // Twice: the second page finds what the first left behind.
  for (int i = 0; i < 2; ++i) {
    std::string page = input;
    const auto token = reader.Read(page, sink);
    const auto guess = gluecat::glue::GuessNextToken(input);
    if (guess && guess->empty()) std::abort();
    if (token && token->size() > input.size()) std::abort();
  }
  return 0;
}
