#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "core/glue/codec.h"
#include "transfer/entry_text.h"
#include "transfer/export_file.h"
#include "transfer/export_format.h"

namespace gluecat::transfer {
namespace {

std::unexpected<Error> Bad(std::string message) {
  return Fail(ErrorKind::kInvalidData, std::move(message));
}

// A name out of the file, fit for a message.
std::string OneName(std::string_view name) {
  std::string shown(name.substr(0, 120));
  std::ranges::replace_if(shown, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return shown;
}

// Lines of bounded length.
class Lines {
 public:
  explicit Lines(std::istream& in) : in_(in) {}

  // None behind the last one.
  Result<std::optional<std::string>> Next() {
    std::string line;
    while (true) {
      const auto end = chunk_.find('\n', at_);
      line.append(chunk_, at_, end == std::string::npos ? end : end - at_);
      if (line.size() > kMaxLineBytes) {
        return Bad("the line has more than " + std::to_string(kMaxLineBytes >> 20U) + " MiB");
      }
      if (end != std::string::npos) {
        at_ = end + 1;
        return line;
      }
      chunk_.resize(kChunk);
      in_.read(chunk_.data(), static_cast<std::streamsize>(kChunk));
      chunk_.resize(static_cast<std::size_t>(in_.gcount()));
      at_ = 0;
      if (in_.bad()) return Bad("the file cannot be read any further");
      if (!chunk_.empty()) continue;
      if (line.empty()) return std::nullopt;
      return line;
    }
  }

 private:
  static constexpr std::size_t kChunk = 64UL * 1024;
  std::istream& in_;
  std::string chunk_;
  std::size_t at_ = 0;  // of what was not given out
};

Status CheckMembers(JsonView line, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : line.Members()) {
    if (std::ranges::find(known, name) != known.end()) continue;
    return Bad("a line of this kind has no member \"" + OneName(name) + "\"");
  }
  return {};
}

template <typename Entry>
Result<std::vector<Entry>> List(JsonView line, std::string_view member,
                                Result<Entry> (*decode)(JsonView)) {
  std::vector<Entry> entries;
  const JsonView list = line[member];
  if (!list.IsMissing() && !list.IsArray()) {
    return Bad("\"" + std::string(member) + "\" is no list");
  }
  for (const JsonView element : list.Elements()) {
    GLUECAT_ASSIGN_OR_RETURN(Entry entry, decode(element));
    entries.push_back(std::move(entry));
  }
  return entries;
}

class Reader {
 public:
  explicit Reader(RecordSink& sink) : sink_(sink) {}

  bool ended() const { return stage_ == Stage::kEnd; }

  Status Line(const std::string& text) {
    if (ended()) return Bad("nothing may follow the line of kind \"end\"");
    GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(text));
    const JsonView line = document.root();
    const auto kind = line["kind"].AsString();
    if (!kind) return Bad("the line is no object with a \"kind\"");
    if (stage_ == Stage::kStart) return Header(*kind, line);
    if (stage_ == Stage::kHeader) {
      return *kind == format::kDatabase ? Database(line)
                                        : Bad("a line of kind \"database\" must follow the header");
    }
    if (*kind == format::kFunction) return Function(line);
    if (*kind == format::kTable) return Table(line);
    if (*kind == format::kPartition) return Partition(line);
    if (*kind == format::kEnd) return End(line);
    return Bad("unknown kind \"" + OneName(*kind) + "\"");
  }

 private:
  enum class Stage { kStart, kHeader, kFunctions, kTables, kEnd };

  Status Header(std::string_view kind, JsonView line) {
    if (kind != format::kHeader || line["format"].AsString() != format::kName) {
      return Bad(R"(this is no file of `gluecat export`: it does not begin with {"kind":"header",)"
                 R"("format":"gluecat-export","version":1})");
    }
    if (line["version"].AsInt() != format::kVersion) {
      return Bad("the file has version " + line["version"].Dump() +
                 " of the format, and this "
                 "gluecat reads version 1 only; a newer gluecat may read it");
    }
    GLUECAT_RETURN_IF_ERROR(CheckMembers(line, {"kind", "format", "version"}));
    stage_ = Stage::kHeader;
    return {};
  }

  // The entry of a line; its name is also beside it, for people who search.
  template <typename Entry>
  static Result<Entry> EntryOf(JsonView line, Result<Entry> (*decode)(JsonView),
                               std::string Entry::* name) {
    GLUECAT_ASSIGN_OR_RETURN(Entry entry, decode(line["entry"]));
    if ((entry.*name).empty()) return Bad("the entry has no name");
    if (line["name"].AsString() != entry.*name) {
      return Bad("\"name\" is " + line["name"].Dump() + ", and the entry is \"" +
                 OneName(entry.*name) + "\"");
    }
    return entry;
  }

  // Names come once and in order, or entries could be lost unnoticed.
  static Status Follows(std::string& last, const std::string& next, const std::string& label) {
    if (!last.empty() && next <= last) {
      return Bad(label + (next == last ? " comes twice"
                                       : " is out of order: lines must stand as "
                                         "`gluecat export` writes them"));
    }
    last = next;
    return {};
  }

  Status Database(JsonView line) {
    GLUECAT_RETURN_IF_ERROR(CheckMembers(line, {"kind", "name", "entry"}));
    GLUECAT_ASSIGN_OR_RETURN(auto database,
                             EntryOf(line, &glue::DecodeDatabase, &glue::Database::name));
    database.name = ToLowerAscii(database.name);  // as Glue stores it
    stage_ = Stage::kFunctions;
    return sink_.Database(database);
  }

  Status Function(JsonView line) {
    if (stage_ != Stage::kFunctions) return Bad("functions must come before the tables");
    GLUECAT_RETURN_IF_ERROR(CheckMembers(line, {"kind", "name", "entry"}));
    GLUECAT_ASSIGN_OR_RETURN(
        const auto function,
        EntryOf(line, &glue::DecodeFunction, &glue::UserDefinedFunction::function_name));
    GLUECAT_RETURN_IF_ERROR(
        Follows(function_, function.function_name, "function " + OneName(function.function_name)));
    ++counts_.functions;
    return sink_.Function(function);
  }

  Status Table(JsonView line) {
    stage_ = Stage::kTables;
    GLUECAT_RETURN_IF_ERROR(CheckMembers(
        line, {"kind", "name", "entry", format::kPartitionIndexes, format::kColumnStatistics}));
    TableRecord record;
    GLUECAT_ASSIGN_OR_RETURN(record.table, EntryOf(line, &glue::DecodeTable, &glue::Table::name));
    table_name_ = record.table.name;
    record.table.name = ToLowerAscii(record.table.name);
    GLUECAT_RETURN_IF_ERROR(
        Follows(table_, record.table.name, "table " + OneName(record.table.name)));
    GLUECAT_ASSIGN_OR_RETURN(record.partition_indexes,
                             List(line, format::kPartitionIndexes, &glue::DecodePartitionIndex));
    GLUECAT_ASSIGN_OR_RETURN(record.column_statistics,
                             List(line, format::kColumnStatistics, &glue::DecodeColumnStatistics));
    partition_.clear();
    ++counts_.tables;
    GLUECAT_ASSIGN_OR_RETURN(partitions_wanted_, sink_.Table(record));
    return {};
  }

  Status Partition(JsonView line) {
    if (line["table"].AsString() != table_name_ || stage_ != Stage::kTables) {
      return Bad("a partition must follow the line of its table");
    }
    GLUECAT_RETURN_IF_ERROR(
        CheckMembers(line, {"kind", "table", "entry", format::kColumnStatistics}));
    PartitionRecord record;
    GLUECAT_ASSIGN_OR_RETURN(record.partition, glue::DecodePartition(line["entry"]));
    if (record.partition.values.empty()) return Bad("the partition has no Values");
    GLUECAT_RETURN_IF_ERROR(
        Follows(partition_, PartitionKey(record.partition.values),
                "the partition " + OneName(Join(record.partition.values, "/"))));
    GLUECAT_ASSIGN_OR_RETURN(record.column_statistics,
                             List(line, format::kColumnStatistics, &glue::DecodeColumnStatistics));
    ++counts_.partitions;
    return partitions_wanted_ ? sink_.Partition(record) : Status();
  }

  Status End(JsonView line) {
    GLUECAT_RETURN_IF_ERROR(CheckMembers(line, {"kind", "functions", "tables", "partitions"}));
    const auto same = [&](std::string_view member, std::uint64_t count) {
      return line[member].AsInt() == static_cast<std::int64_t>(count);
    };
    if (!same("functions", counts_.functions) || !same("tables", counts_.tables) ||
        !same("partitions", counts_.partitions)) {
      return Bad("the file holds " + std::to_string(counts_.functions) + " functions, " +
                 std::to_string(counts_.tables) + " tables and " +
                 std::to_string(counts_.partitions) +
                 " partitions, and this line counts others: lines are missing, or there are more");
    }
    stage_ = Stage::kEnd;
    return {};
  }

  RecordSink& sink_;
  Stage stage_ = Stage::kStart;
  ExportWriter::Counts counts_;
  std::string function_;
  std::string table_;
  std::string table_name_;  // as it is written in the file
  std::string partition_;
  bool partitions_wanted_ = true;
};

}  // namespace

Status ReadExport(std::istream& in, const std::string& name, RecordSink& sink) {
  Lines lines(in);
  Reader reader(sink);
  for (std::uint64_t number = 1;; ++number) {
    const std::string place = name + ":" + std::to_string(number);
    auto line = lines.Next();
    if (!line) return Fail(WithContext(line.error(), place));
    if (!*line) {
      if (reader.ended()) return sink.End();
      return Bad(place + ": the file ends here, and its last line, of kind \"end\", is missing");
    }
    if (Status status = reader.Line(**line); !status) {
      return status.error().kind == ErrorKind::kInvalidData && status.error().code.empty()
                 ? Fail(WithContext(status.error(), place))
                 : status;
    }
  }
}

}  // namespace gluecat::transfer
