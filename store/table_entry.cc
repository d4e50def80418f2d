#include "store/table_entry.h"

#include <algorithm>

#include "store/entry_text.h"

namespace gluecat::store {

std::string EntryOf(const Call& call, JsonView input, const TablePlace& place,
                    const TableHistory& history, const EntryChanges& changes) {
  JsonWriter writer;
  writer.BeginObject().Member("Name", place.name).Member("DatabaseName", place.database);
  writer.Key("CreateTime").Raw(history.create_time).Key("UpdateTime").Raw(call.now);
  writer.Member("CreatedBy", history.created_by).Member("IsRegisteredWithLakeFormation", false);
  writer.Member("CatalogId", place.catalog_id).Member("VersionId", std::to_string(history.version));
  for (const auto& [name, member] : input.Members()) {
    const auto is_this = [&](const auto& added) { return added.first == name; };
    if (member.IsNull() || name == "Name" ||
        std::ranges::find(changes.left_out, name) != changes.left_out.end() ||
        std::ranges::any_of(changes.added, is_this)) {
      continue;
    }
    writer.Key(name);
    WriteWithoutNulls(member, writer);
  }
  for (const auto& [name, json] : changes.added) writer.Key(name).Raw(json);
  return writer.EndObject().Take();
}

std::string PartitionKeysOf(JsonView input) {
  JsonWriter writer;
  writer.BeginArray();
  for (const auto& key : input["PartitionKeys"].Elements()) {
    writer.BeginObject();
    writer.Member("Name", key["Name"].StringOr("")).Member("Type", key["Type"].StringOr("string"));
    writer.EndObject();
  }
  return writer.EndArray().Take();
}

}  // namespace gluecat::store
