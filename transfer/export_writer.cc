#include "transfer/entry_text.h"
#include "transfer/export_file.h"
#include "transfer/export_format.h"

namespace gluecat::transfer {
namespace {

// The list `member` of texts, if there is one.
template <typename Entry>
void WriteList(std::string_view member, const std::vector<Entry>& entries, JsonWriter& writer) {
  if (entries.empty()) return;
  writer.Key(member).BeginArray();
  for (const Entry& entry : entries) writer.Raw(TextOf(entry));
  writer.EndArray();
}

JsonWriter Line(std::string_view kind) {
  JsonWriter writer;
  writer.BeginObject().Member("kind", kind);
  return writer;
}

}  // namespace

Status ExportWriter::WriteLine(const std::string& line) {
  out_ << line << '\n';
  if (out_) return {};
  return Fail(ErrorKind::kUnavailable, "the export cannot be written; is the disk full?");
}

Status ExportWriter::Database(const glue::Database& database) {
  JsonWriter header = Line(format::kHeader);
  header.Member("format", format::kName).Member("version", format::kVersion);
  GLUECAT_RETURN_IF_ERROR(WriteLine(header.EndObject().text()));
  JsonWriter writer = Line(format::kDatabase);
  writer.Member("name", database.name).Key("entry").Raw(TextOf(database));
  return WriteLine(writer.EndObject().text());
}

Status ExportWriter::Function(const glue::UserDefinedFunction& function) {
  ++counts_.functions;
  JsonWriter writer = Line(format::kFunction);
  writer.Member("name", function.function_name).Key("entry").Raw(TextOf(function));
  return WriteLine(writer.EndObject().text());
}

Result<bool> ExportWriter::Table(const TableRecord& record) {
  ++counts_.tables;
  table_ = record.table.name;
  JsonWriter writer = Line(format::kTable);
  writer.Member("name", record.table.name).Key("entry").Raw(TextOf(record.table));
  WriteList(format::kPartitionIndexes, record.partition_indexes, writer);
  WriteList(format::kColumnStatistics, record.column_statistics, writer);
  GLUECAT_RETURN_IF_ERROR(WriteLine(writer.EndObject().text()));
  return true;
}

Status ExportWriter::Partition(const PartitionRecord& record) {
  ++counts_.partitions;
  JsonWriter writer = Line(format::kPartition);
  writer.Member("table", table_).Key("entry").Raw(TextOf(record.partition));
  WriteList(format::kColumnStatistics, record.column_statistics, writer);
  return WriteLine(writer.EndObject().text());
}

Status ExportWriter::Unreadable(const std::string& table, const Error& error) {
  unreadable_.push_back({table, error});
  return {};
}

Status ExportWriter::End() {
  JsonWriter writer = Line(format::kEnd);
  const auto member = [&](std::string_view name, std::uint64_t count) {
    writer.Member(name, static_cast<std::int64_t>(count));
  };
  member("functions", counts_.functions);
  member("tables", counts_.tables);
  member("partitions", counts_.partitions);
  return WriteLine(writer.EndObject().text());
}

}  // namespace gluecat::transfer
