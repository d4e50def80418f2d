// Create-, Get-, Update-, DeleteUserDefinedFunction and GetUserDefinedFunctions.
#include <array>

#include "core/base/text.h"
#include "store/entry_text.h"
#include "store/listing_page.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/name_pattern.h"
#include "store/operation.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"

namespace gluecat::store {
namespace {

constexpr std::int64_t kMaxPage = 100;
constexpr std::string_view kDefaultType = "REGULAR_FUNCTION";

std::string EntryOf(const DatabaseRow& database, JsonView input, std::string_view name,
                    std::string_view create_time) {
  JsonWriter writer;
  writer.BeginObject().Member("FunctionName", name).Member("DatabaseName", database.name);
  writer.Key("CreateTime").Raw(create_time).Member("CatalogId", database.catalog_id);
  if (input["FunctionType"].IsNull()) writer.Member("FunctionType", kDefaultType);
  WriteMembers(input, {"FunctionName"}, writer);
  return writer.EndObject().Take();
}

std::unexpected<Error> FunctionNotFound(std::string_view name) {
  return EntityNotFound("Function " + std::string(name) + " not found.");
}

Result<std::string> CreateUserDefinedFunction(Call& call) {
  const JsonView input = call.request["FunctionInput"];
  GLUECAT_ASSIGN_OR_RETURN(const auto database, FindDatabase(call, call.Name("DatabaseName")));
  const std::string name = ToLowerAscii(input["FunctionName"].StringOr(""));
  if (name.empty()) return InvalidInput("FunctionName is required.");
  const std::string type = input["FunctionType"].StringOr(kDefaultType);
  const std::string entry = EntryOf(database, input, name, call.now);
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert,
      call.connection.Prepare(
          "INSERT INTO functions(database_id, name, create_time, function_type, entry) "
          "VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING"));
  insert.Bind(1, database.id).Bind(2, name).Bind(3, call.now).Bind(4, type).Bind(5, entry);
  GLUECAT_RETURN_IF_ERROR(insert.Run());
  if (call.connection.Changes() == 0) return AlreadyExists("Function already exists.");
  return "{}";
}

Result<std::string> GetUserDefinedFunction(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto database, FindDatabase(call, call.Name("DatabaseName")));
  const std::string name = call.Name("FunctionName");
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT entry FROM functions WHERE database_id=?1 AND name=?2"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, database.id).Bind(2, name).Step());
  if (!found) return FunctionNotFound(name);
  return Answer("UserDefinedFunction", select.Text(0));
}

constexpr std::string_view kSelectOfDatabase =
    "SELECT d.name, f.name, f.function_type, f.entry FROM databases d JOIN functions f "
    "ON f.database_id=d.id WHERE d.id=?1 AND (d.name, f.name)>(?2, ?3) ORDER BY f.name";
constexpr std::string_view kSelectOfCatalog =
    "SELECT d.name, f.name, f.function_type, f.entry FROM databases d JOIN functions f "
    "ON f.database_id=d.id WHERE d.scope_id=?1 AND (d.name, f.name)>(?2, ?3) "
    "ORDER BY d.name, f.name";

// Without a DatabaseName, the functions of all databases of the catalog.
Result<std::string> GetUserDefinedFunctions(Call& call) {
  const std::string database = call.Name("DatabaseName");
  const std::string pattern_text = call.request["Pattern"].StringOr("");
  const std::string type = call.request["FunctionType"].StringOr("");
  GLUECAT_ASSIGN_OR_RETURN(const auto pattern, NamePattern::Compile(pattern_text));
  std::int64_t database_id = 0;
  if (!database.empty()) {
    GLUECAT_ASSIGN_OR_RETURN(const auto row, FindDatabase(call, database));
    database_id = row.id;
  }
  std::string listing = "GetUserDefinedFunctions/" + std::to_string(call.scope) + "/" +
                        std::to_string(database_id) + "/" + type + "/" + pattern_text;
  GLUECAT_ASSIGN_OR_RETURN(auto page, ListingPage::Of(call, std::move(listing), kMaxPage));
  const std::string& after = page.after();
  // The position is database NUL function: neither name holds a NUL.
  const std::size_t middle = after.find('\0');
  const std::string after_database = after.substr(0, middle);
  const std::string after_name = middle == std::string::npos ? "" : after.substr(middle + 1);
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare(database_id != 0 ? kSelectOfDatabase : kSelectOfCatalog));
  select.Bind(1, database_id != 0 ? database_id : call.scope);
  select.Bind(2, after_database).Bind(3, after_name);
  JsonWriter writer;
  writer.BeginObject().Key("UserDefinedFunctions").BeginArray();
  while (true) {
    GLUECAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) break;
    if (!pattern.Matches(select.Text(1)) || (!type.empty() && select.Text(2) != type)) continue;
    if (!page.Take(std::string(select.Text(0)) + '\0' + std::string(select.Text(1)))) break;
    writer.Raw(select.Text(3));
  }
  writer.EndArray();
  page.WriteNextToken(writer);
  return writer.EndObject().Take();
}

Result<std::string> UpdateUserDefinedFunction(Call& call) {
  const JsonView input = call.request["FunctionInput"];
  GLUECAT_ASSIGN_OR_RETURN(const auto database, FindDatabase(call, call.Name("DatabaseName")));
  const std::string name = call.Name("FunctionName");
  std::string create_time;
  {
    GLUECAT_ASSIGN_OR_RETURN(
        auto select, call.connection.Prepare(
                         "SELECT create_time FROM functions WHERE database_id=?1 AND name=?2"));
    GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, database.id).Bind(2, name).Step());
    if (!found) return FunctionNotFound(name);
    create_time = select.Text(0);
  }
  if (const auto renamed = input["FunctionName"].AsString();
      renamed && ToLowerAscii(*renamed) != name) {
    return InvalidInput("Function cannot be renamed.");
  }
  const std::string type = input["FunctionType"].StringOr(kDefaultType);
  const std::string entry = EntryOf(database, input, name, create_time);
  GLUECAT_ASSIGN_OR_RETURN(
      auto update,
      call.connection.Prepare(
          "UPDATE functions SET function_type=?3, entry=?4 WHERE database_id=?1 AND name=?2"));
  GLUECAT_RETURN_IF_ERROR(
      update.Bind(1, database.id).Bind(2, name).Bind(3, type).Bind(4, entry).Run());
  return "{}";
}

Result<std::string> DeleteUserDefinedFunction(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto database, FindDatabase(call, call.Name("DatabaseName")));
  const std::string name = call.Name("FunctionName");
  GLUECAT_ASSIGN_OR_RETURN(
      auto remove,
      call.connection.Prepare("DELETE FROM functions WHERE database_id=?1 AND name=?2"));
  GLUECAT_RETURN_IF_ERROR(remove.Bind(1, database.id).Bind(2, name).Run());
  if (call.connection.Changes() == 0) return FunctionNotFound(name);
  return "{}";
}

constexpr auto kCreateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"FunctionInput", &shapes::kFunctionInput, true},
});
constexpr auto kNamedMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"FunctionName", &shapes::kName, true},
});
constexpr auto kListMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName},
    {"Pattern", &shapes::kName, true},
    {"FunctionType", &shapes::kFunctionType},
    {"NextToken", &shapes::kToken},
    {"MaxResults", &shapes::kGetterPageSize},
});
constexpr auto kUpdateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"FunctionName", &shapes::kName, true},
    {"FunctionInput", &shapes::kFunctionInput, true},
});
constexpr Shape kCreate = shapes::Structure(kCreateMembers);
constexpr Shape kNamed = shapes::Structure(kNamedMembers);
constexpr Shape kList = shapes::Structure(kListMembers);
constexpr Shape kUpdate = shapes::Structure(kUpdateMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"CreateUserDefinedFunction", &kCreate, Mode::kWrite, CreateUserDefinedFunction},
    {"GetUserDefinedFunction", &kNamed, Mode::kRead, GetUserDefinedFunction},
    {"GetUserDefinedFunctions", &kList, Mode::kRead, GetUserDefinedFunctions},
    {"UpdateUserDefinedFunction", &kUpdate, Mode::kWrite, UpdateUserDefinedFunction},
    {"DeleteUserDefinedFunction", &kNamed, Mode::kWrite, DeleteUserDefinedFunction},
});

}  // namespace

std::span<const Operation> FunctionOperations() { return kOperations; }

}  // namespace gluecat::store
