// CreateDatabase, GetDatabase, GetDatabases, UpdateDatabase, DeleteDatabase.
#include <array>

#include "core/base/text.h"
#include "store/entry_text.h"
#include "store/listing_page.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/resource_links.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"
#include "store/tags.h"

namespace gluecat::store {
namespace {

constexpr std::int64_t kMaxPage = 100;

// What Glue gives a database that says nothing about it.
constexpr std::string_view kDefaultPermissions =
    R"([{"Principal":{"DataLakePrincipalIdentifier":"IAM_ALLOWED_PRINCIPALS"},"Permissions":["ALL"]}])";

// `except`: members of the input that do not become the entry's.
std::string EntryOf(std::string_view catalog_id, JsonView input, std::string_view name,
                    std::string_view create_time,
                    std::initializer_list<std::string_view> except = {"Name"}) {
  JsonWriter writer;
  writer.BeginObject().Member("Name", name).Key("CreateTime").Raw(create_time);
  writer.Member("CatalogId", catalog_id);
  if (input["CreateTableDefaultPermissions"].IsNull()) {
    writer.Key("CreateTableDefaultPermissions").Raw(kDefaultPermissions);
  }
  WriteMembers(input, except, writer);
  return writer.EndObject().Take();
}

// The TargetDatabase of a new resource link as it is stored; empty for a database that is none.
Result<std::string> NewTargetOf(Call& call, JsonView input, const std::string& name) {
  const JsonView target = input["TargetDatabase"];
  if (target.IsNull()) return std::string();
  const LinkTarget own{call.catalog_id, call.principal.region, name, ""};
  LinkTarget to = TargetOf(call, target);
  to.table.clear();
  GLUECAT_RETURN_IF_ERROR(CheckNewLink(call, to, own));
  return target.Dump();
}

// The entry of database `name`, which is a link if `target` is not empty, as it is shown: with the
// properties of what it leads to, if it leads anywhere.
Result<std::string> ShownEntry(Call& call, std::string_view name, std::string entry, bool is_link) {
  if (!is_link) return entry;
  const auto target = FindDatabase(call, name);
  if (!target && target.error().code.empty()) return Fail(target.error());
  if (!target) return entry;
  GLUECAT_ASSIGN_OR_RETURN(auto select,
                           call.connection.Prepare("SELECT entry FROM databases WHERE id=?1"));
  GLUECAT_RETURN_IF_ERROR(select.Bind(1, target->id).Step());
  return MergedEntry(entry, select.Text(0), "TargetDatabase");
}

Result<std::string> CreateDatabase(Call& call) {
  const JsonView input = call.request["DatabaseInput"];
  const std::string name = ToLowerAscii(input["Name"].StringOr(""));
  GLUECAT_ASSIGN_OR_RETURN(const auto scope, MakeScope(call));
  const std::string entry = EntryOf(call.catalog_id, input, name, call.now);
  GLUECAT_ASSIGN_OR_RETURN(const auto target, NewTargetOf(call, input, name));
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert, call.connection.Prepare("INSERT INTO databases(scope_id, name, create_time, "
                                           "target, entry) VALUES(?1, ?2, ?3, ?4, ?5) "
                                           "ON CONFLICT DO NOTHING"));
  insert.Bind(1, scope).Bind(2, name).Bind(3, call.now).Bind(5, entry);
  if (!target.empty()) insert.Bind(4, target);
  GLUECAT_RETURN_IF_ERROR(insert.Run());
  if (call.connection.Changes() == 0) return AlreadyExists("Database already exists.");
  GLUECAT_RETURN_IF_ERROR(
      AddTags(call, {TagKind::kDatabase, call.connection.LastInsertId()}, call.request["Tags"]));
  return "{}";
}

Result<std::string> GetDatabase(Call& call) {
  const std::string name = call.Name("Name");
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT entry, target FROM databases WHERE scope_id=?1 AND name=?2"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, call.scope).Bind(2, name).Step());
  if (!found) return EntityNotFound("Database " + name + " not found.");
  GLUECAT_ASSIGN_OR_RETURN(const auto entry,
                           ShownEntry(call, name, std::string(select.Text(0)), !select.IsNull(1)));
  return Answer("Database", entry);
}

Result<std::string> GetDatabases(Call& call) {
  bool all = true;
  bool with_target = false;
  if (const JsonView attributes = call.request["AttributesToGet"]; !attributes.IsNull()) {
    all = false;
    bool with_name = false;
    for (const auto& attribute : attributes.Elements()) {
      with_name = with_name || attribute.AsString() == "NAME";
      with_target = with_target || attribute.AsString() == "TARGET_DATABASE";
    }
    if (!with_name) return InvalidInput("AttributesToGet must include NAME.");
  }
  GLUECAT_ASSIGN_OR_RETURN(
      auto page, ListingPage::Of(call, "GetDatabases/" + std::to_string(call.scope), kMaxPage));
  GLUECAT_ASSIGN_OR_RETURN(
      auto select, call.connection.Prepare("SELECT name, entry, target FROM databases WHERE "
                                           "scope_id=?1 AND name>?2 ORDER BY name LIMIT ?3"));
  select.Bind(1, call.scope).Bind(2, page.after()).Bind(3, page.limit() + 1);
  JsonWriter writer;
  writer.BeginObject().Key("DatabaseList").BeginArray();
  while (true) {
    GLUECAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) break;
    if (!page.Take(select.Text(0))) break;
    if (all) {
      GLUECAT_ASSIGN_OR_RETURN(
          const auto entry,
          ShownEntry(call, page.last(), std::string(select.Text(1)), !select.IsNull(2)));
      writer.Raw(entry);
      continue;
    }
    writer.BeginObject().Member("Name", page.last());
    if (with_target && !select.IsNull(2)) writer.Key("TargetDatabase").Raw(select.Text(2));
    writer.EndObject();
  }
  writer.EndArray();
  page.WriteNextToken(writer);
  return writer.EndObject().Take();
}

// Of a link, the target is updated.
Result<std::string> UpdateDatabase(Call& call) {
  const std::string name = call.Name("Name");
  const JsonView input = call.request["DatabaseInput"];
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT target FROM databases WHERE scope_id=?1 AND name=?2"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, call.scope).Bind(2, name).Step());
  if (!found) return EntityNotFound("Database " + name + " not found.");
  if (ToLowerAscii(input["Name"].StringOr("")) != name) {
    return InvalidInput("Database cannot be renamed.");
  }
  GLUECAT_RETURN_IF_ERROR(
      CheckSameTarget(call, "database " + name, input["TargetDatabase"], select.Text(0)));
  GLUECAT_ASSIGN_OR_RETURN(const auto database, FindDatabase(call, name));
  GLUECAT_ASSIGN_OR_RETURN(
      auto read, call.connection.Prepare("SELECT create_time FROM databases WHERE id=?1"));
  GLUECAT_RETURN_IF_ERROR(read.Bind(1, database.id).Step());
  const std::string entry =
      EntryOf(database.catalog_id, input, database.name, read.Text(0), {"Name", "TargetDatabase"});
  GLUECAT_ASSIGN_OR_RETURN(auto update,
                           call.connection.Prepare("UPDATE databases SET entry=?2 WHERE id=?1"));
  GLUECAT_RETURN_IF_ERROR(update.Bind(1, database.id).Bind(2, entry).Run());
  return "{}";
}

// Everything inside goes with it, as in Glue: who wants to keep a database that
// is not empty must look first.
Result<std::string> DeleteDatabase(Call& call) {
  const std::string name = call.Name("Name");
  GLUECAT_ASSIGN_OR_RETURN(
      auto remove, call.connection.Prepare("DELETE FROM databases WHERE scope_id=?1 AND name=?2"));
  remove.Bind(1, call.scope).Bind(2, name);
  GLUECAT_RETURN_IF_ERROR(remove.Run());
  if (call.connection.Changes() == 0) return EntityNotFound("Database " + name + " not found.");
  return "{}";
}

constexpr auto kCreateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseInput", &shapes::kDatabaseInput, true},
    {"Tags", &shapes::kTags},
});
constexpr auto kNamedMembers = std::to_array<ShapeMember>(
    {{"CatalogId", &shapes::kCatalogId}, {"Name", &shapes::kName, true}});
constexpr auto kListMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"NextToken", &shapes::kToken},
    {"MaxResults", &shapes::kGetterPageSize},
    {"ResourceShareType", &shapes::kToken},
    {"AttributesToGet", &shapes::kDatabaseAttributes},
});
constexpr auto kUpdateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"Name", &shapes::kName, true},
    {"DatabaseInput", &shapes::kDatabaseInput, true},
});
constexpr Shape kCreate = shapes::Structure(kCreateMembers);
constexpr Shape kNamed = shapes::Structure(kNamedMembers);
constexpr Shape kList = shapes::Structure(kListMembers);
constexpr Shape kUpdate = shapes::Structure(kUpdateMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"CreateDatabase", &kCreate, Mode::kWrite, CreateDatabase},
    {"GetDatabase", &kNamed, Mode::kRead, GetDatabase},
    {"GetDatabases", &kList, Mode::kRead, GetDatabases},
    {"UpdateDatabase", &kUpdate, Mode::kWrite, UpdateDatabase},
    {"DeleteDatabase", &kNamed, Mode::kWrite, DeleteDatabase},
});

}  // namespace

std::span<const Operation> DatabaseOperations() { return kOperations; }

}  // namespace gluecat::store
