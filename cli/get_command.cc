#include "cli/get_command.h"

#include "cli/object_name.h"
#include "core/base/json.h"
#include "core/base/pretty_json.h"

namespace gluecat::cli {

CLI::App* AddGetCommand(CLI::App& app, GetOptions& options) {
  CLI::App* const command =
      app.add_subcommand("get", "Print the entry of a database or a table as Glue has it, in JSON");
  command->add_option("object", options.object, "Whose entry")
      ->type_name("DATABASE[.TABLE]")
      ->required();
  AddCatalogOptions(*command, options.catalog);
  command->footer(
      "Examples:\n  gluecat get sales.orders > orders.json\n"
      "  gluecat get sales.orders --json | jq .Parameters");
  return command;
}

Status RunGet(const GetOptions& options, const CatalogAccess& access, std::ostream& out) {
  GLUECAT_ASSIGN_OR_RETURN(const ObjectName name, ParseObjectName(options.object));
  const auto body = access.transport->Call(name.table ? "GetTable" : "GetDatabase",
                                           EntryRequest(name, access.settings.glue_id), {});
  if (!body) return Fail(WithContext(body.error(), name.Label()));
  GLUECAT_ASSIGN_OR_RETURN(const JsonDocument answer, JsonDocument::Parse(*body));
  const JsonView found = answer.root()[name.table ? "Table" : "Database"];
  if (!found.IsObject()) {
    return Fail(ErrorKind::kInvalidData, name.Label() + ": the answer holds no entry");
  }
  out << (options.catalog.json ? found.Dump() : PrettyJson(found)) << '\n';
  return {};
}

}  // namespace gluecat::cli
