// Any entry: it is described, and a change of one property changes only that.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/entry/description.h"
#include "core/glue/codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gluecat;
  using namespace gluecat::entry;
  const auto document =
      JsonDocument::Parse(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!document) return 0;
  const auto table = glue::DecodeTable(document->root());
  if (!table) return 0;

  const TableDescription description = DescribeTable(*table);
  if (description.kind == TableKind::kUnsupported && description.reason.empty()) std::abort();
  JsonWriter writer;
  writer.BeginObject();
  WriteDescription(description, writer);
  writer.EndObject();
  if (!JsonDocument::Parse(writer.text())) std::abort();

  const WriterInfo now = {"4.1.1", 1};
  glue::Table changed = *table;
  if (ApplyChanges(changed, {SetProperty{"fuzzed", "yes"}}, now)) {
    if (!changed.parameters || changed.parameters->erase("fuzzed") != 1) std::abort();
    if (!table->parameters && changed.parameters->empty()) changed.parameters.reset();
    const bool had_it = table->parameters && table->parameters->contains("fuzzed");
    if (!had_it && !(changed == *table)) std::abort();
  }

  // A column that was added and dropped again leaves the schema as it was.
  const AddColumn add = {{"fuzzed"}, types::DataType::Simple("long"), true, {}, {}, {}};
  changed = *table;
  if (ApplyChanges(changed, {add, DeleteColumn{{"fuzzed"}, false}}, now)) {
    if (!(DescribeTable(changed).schema == description.schema)) std::abort();
  }
  changed = *table;
  if (ApplyChanges(changed, {add}, now)) {
    if (!DescribeTable(changed).schema.Find("fuzzed", true)) std::abort();
  }
  return 0;
}
