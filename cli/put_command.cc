#include "cli/put_command.h"

#include <array>
#include <fstream>
#include <optional>

#include "cli/entry_file.h"
#include "cli/object_name.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace gluecat::cli {
namespace {

Result<std::string> ReadAll(const std::string& file, std::istream& in) {
  std::ifstream opened;
  if (file != "-") opened.open(file, std::ios::binary);
  std::istream& stream = file == "-" ? in : opened;
  std::string content;
  std::array<char, 65536> chunk{};
  while (stream.good()) {
    stream.read(chunk.data(), chunk.size());
    content.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.eof() || stream.bad()) {
    return Fail(ErrorKind::kInvalidArgument, "cannot read the file " + file);
  }
  return content;
}

// True if the entry was created, be it by an attempt whose answer was lost.
bool Created(const Status& status, const glue::CallInfo& info) {
  return status || (status.error().kind == ErrorKind::kAlreadyExists && info.outcome_unknown);
}

// The version of `read` if it was read from the table `name`.
std::optional<std::string> VersionOf(const glue::Table& read, const ObjectName& name) {
  const bool same = EqualsIgnoreCase(read.name, *name.table) &&
                    EqualsIgnoreCase(read.database_name.value_or(""), name.database);
  return same ? read.version_id : std::nullopt;
}

class Put {
 public:
  Put(const PutOptions& options, const CatalogAccess& access, ObjectName name)
      : options_(options), client_(access.client), name_(std::move(name)) {}

  // What was done: "created" or "updated".
  Result<std::string_view> Table(glue::Table table) const {
    std::optional<std::string> version = VersionOf(table, name_);
    table.name = *name_.table;
    bool exists = !options_.create_only;
    if (exists && !(options_.update_only && version)) {
      const auto current = client_.GetTable(name_.database, *name_.table, {});
      if (!current && !Absent(current.error())) return Fail(current.error());
      exists = current.has_value();
      if (exists && !version) version = current->version_id;
    }
    if (!exists) {
      return Finish([&](const glue::CallContext& context) {
        return client_.CreateTable(name_.database, table, context);
      });
    }
    GLUECAT_RETURN_IF_ERROR(client_.UpdateTable(name_.database, table, version, {}));
    return "updated";
  }

  Result<std::string_view> Database(glue::Database database) const {
    database.name = name_.database;
    if (!options_.create_only) {
      const Status updated = client_.UpdateDatabase(name_.database, database, {});
      if (updated) return "updated";
      if (!Absent(updated.error())) return Fail(updated.error());
    }
    return Finish([&](const glue::CallContext& context) {
      return client_.CreateDatabase(database, context);
    });
  }

 private:
  // Absent, and it may be created.
  bool Absent(const Error& error) const {
    return error.kind == ErrorKind::kNotFound && !options_.update_only;
  }

  template <typename Create>
  Result<std::string_view> Finish(const Create& create) const {
    glue::CallInfo info;
    glue::CallContext context;
    context.info = &info;
    const Status status = create(context);
    if (!Created(status, info)) return Fail(status.error());
    return "created";
  }

  const PutOptions& options_;
  const glue::Client& client_;
  const ObjectName name_;
};

Result<std::string_view> PutEntry(const PutOptions& options, const CatalogAccess& access,
                                  const ObjectName& name, std::string_view json) {
  const Put put(options, access, name);
  if (name.table) {
    GLUECAT_ASSIGN_OR_RETURN(glue::Table table, ReadTableFile(json));
    return put.Table(std::move(table));
  }
  GLUECAT_ASSIGN_OR_RETURN(glue::Database database, ReadDatabaseFile(json));
  return put.Database(std::move(database));
}

}  // namespace

CLI::App* AddPutCommand(CLI::App& app, PutOptions& options) {
  CLI::App* const command =
      app.add_subcommand("put", "Create or update the entry of a database or a table from JSON");
  command->add_option("object", options.object, "Whose entry; it counts, not the names in the JSON")
      ->type_name("DATABASE[.TABLE]")
      ->required();
  command
      ->add_option("--file", options.file, "JSON as `gluecat get` prints it; - is standard input")
      ->capture_default_str()
      ->type_name("FILE");
  CLI::Option* const create =
      command->add_flag("--create", options.create_only, "Fail if there is such an entry");
  command->add_flag("--update", options.update_only, "Fail if there is no such entry")
      ->excludes(create);
  AddCatalogOptions(*command, options.catalog);
  command->footer(
      "Examples:\n  gluecat put sales.orders --file orders.json\n"
      "  gluecat get sales.orders | jq '.Owner = \"etl\"' | gluecat put sales.orders --update\n"
      "  gluecat get sales.orders | gluecat put backup.orders --create --endpoint local:/tmp/glue");
  return command;
}

Status RunPut(const PutOptions& options, const CatalogAccess& access, std::istream& in,
              std::ostream& out) {
  GLUECAT_ASSIGN_OR_RETURN(const ObjectName name, ParseObjectName(options.object));
  GLUECAT_ASSIGN_OR_RETURN(const std::string json, ReadAll(options.file, in));
  const auto done = PutEntry(options, access, name, json);
  if (!done) return Fail(WithContext(done.error(), name.Label()));
  if (options.catalog.json) {
    JsonWriter writer;
    writer.BeginObject().Member("object", name.Text()).Member("action", *done);
    out << writer.EndObject().text() << '\n';
  } else {
    out << *done << ' ' << name.Label() << '\n';
  }
  return {};
}

}  // namespace gluecat::cli
