#include "store/partition_rows.h"

#include "store/entry_text.h"
#include "store/service_errors.h"

namespace gluecat::store {

// A stored partition is, in pieces:
//   { common , "CreationTime":creation_time , head  ["Columns":columns [,]]  tail
// head ends in "StorageDescriptor":{ if there is one, and tail closes what is open.

std::vector<prune::PartitionKey> PartitionKeysOf(const TableRow& table) {
  std::vector<prune::PartitionKey> keys;
  const auto document = JsonDocument::Parse(table.partition_keys);
  if (!document) return keys;  // written by us
  for (const auto& key : document->root().Elements()) {
    keys.push_back({key["Name"].StringOr(""), key["Type"].StringOr("string")});
  }
  return keys;
}

Result<std::vector<std::string_view>> ValuesOf(const TableRow& table, std::size_t key_count,
                                               JsonView list) {
  std::vector<std::string_view> values;
  for (const auto& value : list.Elements()) values.push_back(value.AsString().value_or(""));
  if (values.empty() || values.size() != key_count) {
    return InvalidInput(
        "The number of partition keys do not match the number of partition values: table " +
        table.name + " has " + std::to_string(key_count) + " keys, the partition " +
        std::to_string(values.size()) + " values.");
  }
  return values;
}

PartitionWriter::PartitionWriter(Call& call, const TableRow& table, bool with_columns)
    : call_(call), with_columns_(with_columns) {
  JsonWriter writer;
  writer.BeginObject().Member("DatabaseName", table.database);
  writer.Member("TableName", table.name).Member("CatalogId", table.catalog_id);
  common_ = writer.Key("CreationTime").Take();
}

Result<std::string_view> PartitionWriter::Columns(std::int64_t id) {
  const auto cached = columns_.find(id);
  if (cached != columns_.end()) return std::string_view(cached->second);
  GLUECAT_ASSIGN_OR_RETURN(auto select,
                           call_.connection.Prepare("SELECT text FROM column_lists WHERE id=?1"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, id).Step());
  if (!found)
    return Fail(ErrorKind::kInvalidData, "the store lacks column list " + std::to_string(id));
  return std::string_view(columns_.emplace(id, select.Text(0)).first->second);
}

Status PartitionWriter::Write(const Statement& select, int first, std::string& out) {
  const std::string_view tail = select.Text(first + 3);
  out += common_;
  out += select.Text(first + 1);
  out += ',';
  out += select.Text(first + 2);
  if (with_columns_ && !select.IsNull(first)) {
    GLUECAT_ASSIGN_OR_RETURN(const auto columns, Columns(select.Int(first)));
    out += "\"Columns\":";
    out += columns;
    if (!tail.starts_with('}')) out += ',';
  }
  out += tail;
  return {};
}

PartitionPieces TakeApart(JsonView input, const std::vector<std::string_view>& values) {
  PartitionPieces pieces;
  JsonWriter head;
  head.Key("Values").BeginArray();
  for (const auto value : values) head.String(value);
  head.EndArray();
  WriteMembers(input, {"Values", "StorageDescriptor"}, head);
  pieces.head = head.Take();
  pieces.tail = "}";
  const JsonView storage = input["StorageDescriptor"];
  if (storage.IsNull()) return pieces;
  pieces.head += ",\"StorageDescriptor\":{";
  JsonWriter tail;
  WriteMembers(storage, {"Columns"}, tail);
  pieces.tail = tail.Take() + "}}";
  if (const JsonView columns = storage["Columns"]; !columns.IsNull()) {
    JsonWriter list;
    WriteWithoutNulls(columns, list);
    pieces.columns = list.Take();
  }
  return pieces;
}

}  // namespace gluecat::store
