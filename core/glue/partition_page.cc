#include "core/glue/partition_page.h"

#include <simdjson.h>

namespace gluecat::glue {
namespace {

namespace od = simdjson::ondemand;
using simdjson::SUCCESS;

// Every function here gives simdjson's error code; the outermost one turns it
// into an Error. A null stands for an absent member throughout.

simdjson::error_code ReadText(od::value value, std::optional<std::string_view>& text) {
  text.reset();
  bool null = false;
  if (const auto error = value.is_null().get(null)) return error;
  if (null) return SUCCESS;
  std::string_view found;
  if (const auto error = value.get_string().get(found)) return error;
  text = found;
  return SUCCESS;
}

simdjson::error_code ReadMap(od::value value, std::vector<NameValue>& map) {
  map.clear();
  bool null = false;
  if (const auto error = value.is_null().get(null)) return error;
  if (null) return SUCCESS;
  od::object object;
  if (const auto error = value.get_object().get(object)) return error;
  for (auto field : object) {
    std::string_view key;
    od::value member;
    if (const auto error = field.unescaped_key().get(key)) return error;
    if (const auto error = field.value().get(member)) return error;
    std::optional<std::string_view> text;
    if (const auto error = ReadText(member, text)) return error;
    if (text) map.emplace_back(key, *text);
  }
  return SUCCESS;
}

simdjson::error_code ReadValues(od::value value, std::vector<std::string_view>& values) {
  values.clear();
  od::array array;
  if (const auto error = value.get_array().get(array)) return error;
  for (auto element : array) {
    std::string_view text;
    if (const auto error = element.get_string().get(text)) return error;
    values.push_back(text);
  }
  return SUCCESS;
}

simdjson::error_code ReadSerDe(od::value value, PartitionView& partition) {
  bool null = false;
  if (const auto error = value.is_null().get(null)) return error;
  if (null) return SUCCESS;
  od::object object;
  if (const auto error = value.get_object().get(object)) return error;
  for (auto field : object) {
    od::raw_json_string key;
    od::value member;
    if (const auto error = field.key().get(key)) return error;
    if (const auto error = field.value().get(member)) return error;
    auto error = SUCCESS;
    if (key == "SerializationLibrary") {
      error = ReadText(member, partition.serialization_library);
    } else if (key == "Parameters") {
      error = ReadMap(member, partition.serde_parameters);
    }
    if (error) return error;
  }
  return SUCCESS;
}

simdjson::error_code ReadStorageDescriptor(od::value value, PartitionView& partition) {
  bool null = false;
  if (const auto error = value.is_null().get(null)) return error;
  if (null) return SUCCESS;
  od::object object;
  if (const auto error = value.get_object().get(object)) return error;
  for (auto field : object) {
    od::raw_json_string key;
    od::value member;
    if (const auto error = field.key().get(key)) return error;
    if (const auto error = field.value().get(member)) return error;
    auto error = SUCCESS;
    if (key == "Location") {
      error = ReadText(member, partition.location);
    } else if (key == "InputFormat") {
      error = ReadText(member, partition.input_format);
    } else if (key == "OutputFormat") {
      error = ReadText(member, partition.output_format);
    } else if (key == "SerdeInfo") {
      error = ReadSerDe(member, partition);
    }
    if (error) return error;
  }
  return SUCCESS;
}

simdjson::error_code ReadPartition(od::value value, PartitionView& partition) {
  partition.values.clear();
  partition.location.reset();
  partition.input_format.reset();
  partition.output_format.reset();
  partition.serialization_library.reset();
  partition.serde_parameters.clear();
  partition.parameters.clear();
  od::object object;
  if (const auto error = value.get_object().get(object)) return error;
  for (auto field : object) {
    od::raw_json_string key;
    od::value member;
    if (const auto error = field.key().get(key)) return error;
    if (const auto error = field.value().get(member)) return error;
    auto error = SUCCESS;
    if (key == "Values") {
      error = ReadValues(member, partition.values);
    } else if (key == "StorageDescriptor") {
      error = ReadStorageDescriptor(member, partition);
    } else if (key == "Parameters") {
      error = ReadMap(member, partition.parameters);
    }
    if (error) return error;
  }
  return SUCCESS;
}

struct PageOutcome {
  std::string next_token;
  Status sink_status;
};

simdjson::error_code ReadPage(od::document& document, PartitionSink& sink, PageOutcome& outcome) {
  od::object root;
  if (const auto error = document.get_object().get(root)) return error;
  PartitionView partition;
  for (auto field : root) {
    od::raw_json_string key;
    od::value member;
    if (const auto error = field.key().get(key)) return error;
    if (const auto error = field.value().get(member)) return error;
    if (key == "NextToken") {
      std::optional<std::string_view> token;
      if (const auto error = ReadText(member, token)) return error;
      outcome.next_token = token.value_or(std::string_view());
    } else if (key == "Partitions") {
      od::array partitions;
      if (const auto error = member.get_array().get(partitions)) return error;
      for (auto element : partitions) {
        od::value item;
        if (const auto error = element.get(item)) return error;
        if (const auto error = ReadPartition(item, partition)) return error;
        outcome.sink_status = sink.Add(partition);
        if (!outcome.sink_status) return SUCCESS;
      }
    }
  }
  return document.at_end() ? SUCCESS : simdjson::TRAILING_CONTENT;
}

}  // namespace

Result<std::string> ReadPartitionPage(std::string& page, PartitionSink& sink) {
  page.reserve(page.size() + simdjson::SIMDJSON_PADDING);
  // One parser per thread: its buffers are as large as a page and are reused.
  thread_local od::parser parser;
  od::document document;
  PageOutcome outcome;
  auto error = parser.iterate(page.data(), page.size(), page.capacity()).get(document);
  if (error == SUCCESS) error = ReadPage(document, sink, outcome);
  if (error != SUCCESS) {
    return Fail(ErrorKind::kInvalidData,
                std::string("unreadable GetPartitions answer: ") + simdjson::error_message(error));
  }
  if (!outcome.sink_status) return Fail(outcome.sink_status.error());
  return std::move(outcome.next_token);
}

}  // namespace gluecat::glue
