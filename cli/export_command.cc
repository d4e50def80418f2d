#include "cli/export_command.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/object_name.h"
#include "cli/replaced_file.h"
#include "cli/text_table.h"
#include "cli/transfer_command.h"
#include "cli/transfer_report.h"
#include "core/base/json.h"
#include "transfer/export_file.h"

namespace gluecat::cli {
namespace {

// Where the databases go.
struct Place {
  std::string path;
  bool directory = false;
};

Result<Place> PlaceOf(const std::vector<std::string>& arguments) {
  Place place{arguments.back()};
  std::error_code ignored;
  const bool named_so =
      place.path.ends_with('/') || std::filesystem::is_directory(place.path, ignored);
  place.directory = named_so || arguments.size() > 2;
  if (place.path == "-" && arguments.size() > 2) {
    return Fail(ErrorKind::kInvalidArgument,
                "standard output takes one database; name a directory for several");
  }
  if (arguments.size() == 1 && !named_so) {
    return Fail(ErrorKind::kInvalidArgument,
                "say what to export to where: `gluecat export " + place.path +
                    " FILE`, or for all databases a directory that is there or ends with '/': "
                    "`gluecat export " +
                    place.path + "/`");
  }
  return place;
}

Result<std::vector<std::string>> DatabasesOf(const ExportOptions& options,
                                             const CatalogAccess& access) {
  std::vector<std::string> names;
  if (options.arguments.size() == 1) {
    GLUECAT_ASSIGN_OR_RETURN(const auto databases, access.client.GetDatabases({}));
    for (const auto& database : databases) names.push_back(database.name);
    std::ranges::sort(names);
    return names;
  }
  for (std::size_t i = 0; i + 1 < options.arguments.size(); ++i) {
    GLUECAT_ASSIGN_OR_RETURN(names.emplace_back(), ParseDatabaseName(options.arguments[i]));
  }
  return names;
}

Result<std::string> FileOf(const Place& place, const std::string& database) {
  if (!place.directory) return place.path;
  if (database.find('/') != std::string::npos || database.starts_with('.')) {
    return Fail(
        ErrorKind::kInvalidArgument,
        "the name of database " + database + " is no name of a file; export it alone, to a FILE");
  }
  return (std::filesystem::path(place.path) / (database + ".jsonl")).string();
}

// Tells the watcher what passes by.
class Watched final : public transfer::RecordSink {
 public:
  Watched(transfer::RecordSink& sink, transfer::Progress& progress, std::uint64_t& entries)
      : sink_(sink), progress_(progress), entries_(entries) {}

  Status Database(const glue::Database& database) override {
    database_ = table_ = database.name;
    return Passed(sink_.Database(database));
  }
  Status Function(const glue::UserDefinedFunction& function) override {
    return Passed(sink_.Function(function));
  }
  Result<bool> Table(const transfer::TableRecord& record) override {
    table_ = database_ + "." + record.table.name;
    GLUECAT_ASSIGN_OR_RETURN(const bool wanted, sink_.Table(record));
    GLUECAT_RETURN_IF_ERROR(Passed({}));
    return wanted;
  }
  Status Partition(const transfer::PartitionRecord& record) override {
    return Passed(sink_.Partition(record));
  }
  Status Unreadable(const std::string& table, const Error& error) override {
    return sink_.Unreadable(table, error);
  }
  Status End() override { return sink_.End(); }

 private:
  Status Passed(Status status) {
    progress_.Reading(++entries_, table_);
    return status;
  }

  transfer::RecordSink& sink_;
  transfer::Progress& progress_;
  std::uint64_t& entries_;
  std::string database_;
  std::string table_;
};

// What became of one database.
struct Exported {
  std::string database;
  std::string file;
  transfer::ExportWriter::Counts counts;
};

class Export {
 public:
  Export(const ExportOptions& options, const CatalogAccess& access, transfer::Progress& progress)
      : options_(options), access_(access), progress_(progress) {}

  Status Write(const std::string& database, std::ostream& out, const std::string& file) {
    transfer::ExportWriter writer(out);
    Watched watched(writer, progress_, entries_);
    GLUECAT_RETURN_IF_ERROR(transfer::ReadCatalog(access_.client, database,
                                                  ParseStatistics(options_.statistics), watched));
    for (const auto& table : writer.unreadable()) {
      failures_.push_back({{transfer::Kind::kTable, database + "." + table.name, {}}, table.error});
    }
    exported_.push_back({database, file, writer.counts()});
    return {};
  }

  Status WriteFile(const std::string& database, const std::string& file) {
    GLUECAT_ASSIGN_OR_RETURN(auto replaced, ReplacedFile::Open(file));
    GLUECAT_RETURN_IF_ERROR(Write(database, replaced.stream(), file));
    return replaced.Commit();
  }

  bool complete() const { return failures_.empty(); }

  void Report(std::ostream& out) const { options_.catalog.json ? Json(out) : Text(out); }

 private:
  void Json(std::ostream& out) const {
    JsonWriter writer;
    writer.BeginObject().Key("databases").BeginArray();
    for (const auto& [database, file, counts] : exported_) {
      writer.BeginObject().Member("database", database).Member("file", file);
      writer.Member("functions", static_cast<std::int64_t>(counts.functions));
      writer.Member("tables", static_cast<std::int64_t>(counts.tables));
      writer.Member("partitions", static_cast<std::int64_t>(counts.partitions)).EndObject();
    }
    writer.EndArray().Key("failures").BeginArray();
    for (const auto& failure : failures_) WriteFailureJson(failure, writer);
    out << writer.EndArray().EndObject().text() << '\n';
  }

  void Text(std::ostream& out) const {
    for (const auto& failure : failures_) WriteFailureText(failure, out);
    TextTable text({"DATABASE", "FUNCTIONS", "TABLES", "PARTITIONS", "FILE"});
    for (const auto& [database, file, counts] : exported_) {
      text.Add({database, std::to_string(counts.functions), std::to_string(counts.tables),
                std::to_string(counts.partitions), file});
    }
    text.Write(out);
  }

  const ExportOptions& options_;
  const CatalogAccess& access_;
  transfer::Progress& progress_;
  std::uint64_t entries_ = 0;
  std::vector<Exported> exported_;
  std::vector<transfer::Failure> failures_;
};

}  // namespace

CLI::App* AddExportCommand(CLI::App& app, ExportOptions& options) {
  CLI::App* const command = app.add_subcommand(
      "export", "Write whole databases to files that `gluecat import` reads, and git shows");
  command
      ->add_option("arguments", options.arguments,
                   "Databases, then a file or a directory; a directory alone: all databases; - is "
                   "standard output")
      ->type_name("DATABASE|FILE|DIR")
      ->required();
  AddStatisticsOption(*command, options.statistics);
  command->add_flag("--quiet", options.quiet, "No progress on the terminal");
  AddCatalogOptions(*command, options.catalog);
  command->footer(
      "Examples:\n  gluecat export sales sales.jsonl --profile etl\n"
      "  gluecat export sales hr backup/        # backup/sales.jsonl and backup/hr.jsonl\n"
      "  gluecat export backup/                 # every database\n"
      "  gluecat export sales - --statistics none | grep '\"kind\":\"table\"'");
  return command;
}

Result<bool> RunExport(const ExportOptions& options, const CatalogAccess& access,
                       transfer::Progress& progress, std::ostream& out) {
  GLUECAT_ASSIGN_OR_RETURN(const Place place, PlaceOf(options.arguments));
  GLUECAT_ASSIGN_OR_RETURN(const auto databases, DatabasesOf(options, access));
  Export exporting(options, access, progress);
  if (place.path == "-" && !place.directory) {
    GLUECAT_RETURN_IF_ERROR(exporting.Write(databases.front(), out, "-"));
    progress.End();
    return exporting.complete();
  }
  if (place.directory) {
    std::error_code failed;
    std::filesystem::create_directories(place.path, failed);
    if (failed) {
      return Fail(ErrorKind::kInvalidArgument,
                  "the directory " + place.path + " cannot be made: " + failed.message());
    }
  }
  for (const auto& database : databases) {
    GLUECAT_ASSIGN_OR_RETURN(const std::string file, FileOf(place, database));
    GLUECAT_RETURN_IF_ERROR(exporting.WriteFile(database, file));
  }
  progress.End();
  exporting.Report(out);
  return exporting.complete();
}

}  // namespace gluecat::cli
