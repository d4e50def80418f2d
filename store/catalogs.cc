// CreateCatalog, GetCatalog, GetCatalogs, UpdateCatalog, DeleteCatalog, GetCatalogImportStatus.
//
// An account has its own catalog, whose id is the account's, and below it catalogs of its own,
// "<account>:<name>". A catalog below another, and one whose content lies elsewhere, is none of
// ours.
#include <array>
#include <optional>
#include <string>

#include "store/entry_text.h"
#include "store/listing_page.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"
#include "store/tags.h"

namespace gluecat::store {
namespace {

constexpr std::int64_t kMaxPage = 1000;

// The parts of "<account>" and "<account>:<name>".
struct CatalogName {
  std::string account;
  std::string name;  // empty for the account's own
};

CatalogName TakeApart(std::string_view id) {
  const std::size_t end = id.find(':');
  if (end == std::string_view::npos) return {std::string(id), ""};
  return {std::string(id.substr(0, end)), std::string(id.substr(end + 1))};
}

std::unexpected<Error> CatalogNotFound(std::string_view id) {
  return EntityNotFound("Catalog " + std::string(id) + " not found.");
}

// The account's own catalog is there without anybody having made it.
std::string OwnCatalog(const Call& call, std::string_view account) {
  JsonWriter writer;
  writer.BeginObject().Member("CatalogId", account).Member("Name", account);
  writer.Member("ResourceArn",
                "arn:aws:glue:" + call.principal.region + ":" + std::string(account) + ":catalog");
  return writer.EndObject().Take();
}

std::string EntryOf(const Call& call, JsonView input, const CatalogName& catalog,
                    std::string_view create_time) {
  JsonWriter writer;
  writer.BeginObject().Member("CatalogId", catalog.account + ":" + catalog.name);
  writer.Member("Name", catalog.name);
  writer.Member("ResourceArn", "arn:aws:glue:" + call.principal.region + ":" + catalog.account +
                                   ":catalog/" + catalog.name);
  writer.Key("CreateTime").Raw(create_time).Key("UpdateTime").Raw(call.now);
  WriteMembers(input, {"OverwriteChildResourcePermissionsWithDefault"}, writer);
  return writer.EndObject().Take();
}

Status RefuseWhatLiesElsewhere(JsonView input) {
  for (const auto member : {"FederatedCatalog", "TargetRedshiftCatalog"}) {
    if (!input[member].IsNull())
      return InvalidInput(std::string(member) + " is not supported by this catalog.");
  }
  return {};
}

Status CheckName(std::string_view name, std::string_view account) {
  if (name.find_first_of("./\\") != std::string_view::npos || name.contains("aws:") ||
      name.contains(':')) {
    return InvalidInput("The name of a catalog cannot hold . / \\ : or aws:");
  }
  if (name == account) return InvalidInput("A catalog cannot have the account's id for its name.");
  return {};
}

Result<std::string> CreateCatalog(Call& call) {
  const JsonView input = call.request["CatalogInput"];
  const CatalogName catalog{TakeApart(call.catalog_id).account, call.request["Name"].StringOr("")};
  GLUECAT_RETURN_IF_ERROR(CheckName(catalog.name, catalog.account));
  GLUECAT_RETURN_IF_ERROR(RefuseWhatLiesElsewhere(input));
  call.catalog_id = catalog.account;
  GLUECAT_ASSIGN_OR_RETURN(call.scope,
                           FindScope(call.connection, catalog.account, call.principal.region));
  GLUECAT_ASSIGN_OR_RETURN(const auto scope, MakeScope(call));
  const std::string entry = EntryOf(call, input, catalog, call.now);
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert, call.connection.Prepare("INSERT INTO catalogs(scope_id, name, create_time, "
                                           "entry) VALUES(?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING"));
  insert.Bind(1, scope).Bind(2, catalog.name).Bind(3, call.now).Bind(4, entry);
  GLUECAT_RETURN_IF_ERROR(insert.Run());
  if (call.connection.Changes() == 0) return AlreadyExists("Catalog already exists.");
  GLUECAT_RETURN_IF_ERROR(
      AddTags(call, {TagKind::kCatalog, call.connection.LastInsertId()}, call.request["Tags"]));
  return "{}";
}

struct CatalogRow {
  std::int64_t id = 0;
  CatalogName catalog;
  std::string create_time;
  std::string entry;
};

// The catalog that the call's CatalogId names below an account's own.
Result<CatalogRow> FindCatalog(Call& call) {
  const CatalogName catalog = TakeApart(call.catalog_id);
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT c.id, c.create_time, c.entry FROM scopes s JOIN catalogs c "
                              "ON c.scope_id=s.id WHERE s.catalog_id=?1 AND s.region=?2 "
                              "AND c.name=?3"));
  select.Bind(1, catalog.account).Bind(2, call.principal.region).Bind(3, catalog.name);
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Step());
  if (!found) return CatalogNotFound(call.catalog_id);
  return CatalogRow{select.Int(0), catalog, std::string(select.Text(1)),
                    std::string(select.Text(2))};
}

Result<std::string> GetCatalog(Call& call) {
  const CatalogName catalog = TakeApart(call.catalog_id);
  if (catalog.name.empty()) return Answer("Catalog", OwnCatalog(call, catalog.account));
  GLUECAT_ASSIGN_OR_RETURN(const auto row, FindCatalog(call));
  return Answer("Catalog", row.entry);
}

// All of them can hold databases, and none holds another.
Result<std::string> GetCatalogs(Call& call) {
  const auto given = call.request["ParentCatalogId"].AsString();
  const CatalogName parent = TakeApart(given.value_or(call.principal.account));
  const JsonView include_root = call.request["IncludeRoot"];
  if (!parent.name.empty()) {
    if (!include_root.IsNull()) {
      return InvalidInput("IncludeRoot is for the catalogs of an account only.");
    }
    call.catalog_id = *given;
    GLUECAT_RETURN_IF_ERROR(FindCatalog(call));
    return R"({"CatalogList":[]})";
  }
  GLUECAT_ASSIGN_OR_RETURN(call.scope,
                           FindScope(call.connection, parent.account, call.principal.region));
  std::string listing = "GetCatalogs/" + std::to_string(call.scope) + "/" + include_root.Dump();
  GLUECAT_ASSIGN_OR_RETURN(auto page, ListingPage::Of(call, std::move(listing), kMaxPage));

  JsonWriter writer;
  writer.BeginObject().Key("CatalogList").BeginArray();
  // The account's own comes first; its position is before every name.
  if (include_root.BoolOr(false) && page.after().empty() && page.Take({"\0", 1})) {
    writer.Raw(OwnCatalog(call, parent.account));
  }
  GLUECAT_ASSIGN_OR_RETURN(
      auto select, call.connection.Prepare("SELECT name, entry FROM catalogs WHERE scope_id=?1 AND "
                                           "name>?2 ORDER BY name"));
  select.Bind(1, call.scope).Bind(2, page.after());
  while (true) {
    GLUECAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) break;
    if (!page.Take(select.Text(0))) break;
    writer.Raw(select.Text(1));
  }
  writer.EndArray();
  page.WriteNextToken(writer);
  return writer.EndObject().Take();
}

Result<std::string> UpdateCatalog(Call& call) {
  const JsonView input = call.request["CatalogInput"];
  if (TakeApart(call.catalog_id).name.empty()) {
    return InvalidInput("The catalog of an account cannot be updated.");
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto row, FindCatalog(call));
  GLUECAT_RETURN_IF_ERROR(RefuseWhatLiesElsewhere(input));
  const std::string entry = EntryOf(call, input, row.catalog, row.create_time);
  GLUECAT_ASSIGN_OR_RETURN(auto update,
                           call.connection.Prepare("UPDATE catalogs SET entry=?2 WHERE id=?1"));
  GLUECAT_RETURN_IF_ERROR(update.Bind(1, row.id).Bind(2, entry).Run());
  return "{}";
}

// Everything in it goes too.
Result<std::string> DeleteCatalog(Call& call) {
  if (TakeApart(call.catalog_id).name.empty()) {
    return InvalidInput("The catalog of an account cannot be deleted.");
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto row, FindCatalog(call));
  for (const std::string_view sql :
       {"DELETE FROM databases WHERE scope_id=?1", "DELETE FROM connections WHERE scope_id=?1",
        "DELETE FROM resource_policies WHERE scope_id=?1",
        "DELETE FROM encryption_settings WHERE scope_id=?1"}) {
    GLUECAT_ASSIGN_OR_RETURN(auto remove, call.connection.Prepare(sql));
    GLUECAT_RETURN_IF_ERROR(remove.Bind(1, call.scope).Run());
  }
  GLUECAT_ASSIGN_OR_RETURN(auto remove,
                           call.connection.Prepare("DELETE FROM catalogs WHERE id=?1"));
  GLUECAT_RETURN_IF_ERROR(remove.Bind(1, row.id).Run());
  return "{}";
}

// There was never another catalog to import from.
Result<std::string> GetCatalogImportStatus(Call&) {
  return R"({"ImportStatus":{"ImportCompleted":true}})";
}

using shapes::Enumeration;
using shapes::Structure;
using shapes::Text;

constexpr Shape kCatalogName = Text(1, 64);
constexpr auto kExternalAccess = std::to_array<std::string_view>({"True", "False"});
constexpr auto kOverwrite = std::to_array<std::string_view>({"Accept", "Deny"});
constexpr Shape kExternalAccessValue = Enumeration(kExternalAccess);
constexpr Shape kOverwriteValue = Enumeration(kOverwrite);
constexpr auto kInputMembers = std::to_array<ShapeMember>({
    {"Description", &shapes::kDescription},
    {"FederatedCatalog", &shapes::kAnything},
    {"Parameters", &shapes::kParameters},
    {"TargetRedshiftCatalog", &shapes::kAnything},
    {"CatalogProperties", &shapes::kAnything},
    {"CreateTableDefaultPermissions", &shapes::kPrincipalPermissionsList},
    {"CreateDatabaseDefaultPermissions", &shapes::kPrincipalPermissionsList},
    {"AllowFullTableExternalDataAccess", &kExternalAccessValue},
    {"OverwriteChildResourcePermissionsWithDefault", &kOverwriteValue},
});
constexpr auto kInputResponseOnly =
    std::to_array<std::string_view>({"CatalogId", "ResourceArn", "CreateTime", "UpdateTime"});
constexpr Shape kInput = Structure(kInputMembers, kInputResponseOnly);

constexpr auto kCreateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"Name", &kCatalogName, true},
    {"CatalogInput", &kInput, true},
    {"Tags", &shapes::kTags},
});
constexpr auto kNamedMembers =
    std::to_array<ShapeMember>({{"CatalogId", &shapes::kCatalogId, true}});
constexpr auto kListMembers = std::to_array<ShapeMember>({
    {"ParentCatalogId", &shapes::kCatalogId},
    {"NextToken", &shapes::kToken},
    {"MaxResults", &shapes::kPageSize},
    {"Recursive", &shapes::kBoolean},
    {"IncludeRoot", &shapes::kBoolean},
    {"HasDatabases", &shapes::kBoolean},
});
constexpr auto kUpdateMembers = std::to_array<ShapeMember>(
    {{"CatalogId", &shapes::kCatalogId, true}, {"CatalogInput", &kInput, true}});
constexpr auto kStatusMembers = std::to_array<ShapeMember>({{"CatalogId", &shapes::kCatalogId}});
constexpr Shape kCreate = Structure(kCreateMembers);
constexpr Shape kNamed = Structure(kNamedMembers);
constexpr Shape kList = Structure(kListMembers);
constexpr Shape kUpdate = Structure(kUpdateMembers);
constexpr Shape kStatus = Structure(kStatusMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"CreateCatalog", &kCreate, Mode::kWrite, CreateCatalog},
    {"GetCatalog", &kNamed, Mode::kRead, GetCatalog},
    {"GetCatalogs", &kList, Mode::kRead, GetCatalogs},
    {"UpdateCatalog", &kUpdate, Mode::kWrite, UpdateCatalog},
    {"DeleteCatalog", &kNamed, Mode::kWrite, DeleteCatalog},
    {"GetCatalogImportStatus", &kStatus, Mode::kRead, GetCatalogImportStatus},
});

}  // namespace

std::span<const Operation> CatalogOperations() { return kOperations; }

}  // namespace gluecat::store
