// CreateConnection, GetConnection, GetConnections, UpdateConnection, DeleteConnection,
// BatchDeleteConnection.
//
// A connection is kept and given out; nothing is connected to, and its status is READY. The
// credentials that an AuthenticationConfiguration brings with it belong into a secret, which is
// not ours to make: they are not kept.
#include <algorithm>
#include <array>
#include <set>

#include "store/connection_shapes.h"
#include "store/encryption_settings.h"
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

// Members of the older form have their schema version 1.
constexpr std::int64_t kPlainSchema = 1;
constexpr std::int64_t kAuthenticatedSchema = 2;

void WriteAuthentication(JsonView input, JsonWriter& writer) {
  writer.Key("AuthenticationConfiguration").BeginObject();
  WriteMembers(
      input,
      {"OAuth2Properties", "BasicAuthenticationCredentials", "CustomAuthenticationCredentials"},
      writer);
  if (const JsonView properties = input["OAuth2Properties"]; !properties.IsNull()) {
    writer.Key("OAuth2Properties").BeginObject();
    WriteMembers(properties, {"AuthorizationCodeProperties", "OAuth2Credentials"}, writer);
    writer.EndObject();
  }
  writer.EndObject();
}

std::string EntryOf(const Call& call, JsonView input, std::string_view create_time) {
  const JsonView authentication = input["AuthenticationConfiguration"];
  JsonWriter writer;
  writer.BeginObject();
  WriteMembers(
      input,
      {"AuthenticationConfiguration", "ValidateCredentials", "ValidateForComputeEnvironments"},
      writer);
  if (!authentication.IsNull()) WriteAuthentication(authentication, writer);
  writer.Key("CreationTime").Raw(create_time).Key("LastUpdatedTime").Raw(call.now);
  writer.Member("LastUpdatedBy", call.principal.arn).Member("Status", "READY");
  writer.Member("ConnectionSchemaVersion",
                authentication.IsNull() ? kPlainSchema : kAuthenticatedSchema);
  return writer.EndObject().Take();
}

bool IsPassword(std::string_view property) { return property.ends_with("PASSWORD"); }

// The entry as the caller may see it.
Result<std::string> Shown(std::string_view entry, bool hide_passwords) {
  if (!hide_passwords) return std::string(entry);
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(entry));
  JsonWriter writer;
  writer.BeginObject();
  for (const auto& [name, member] : document.root().Members()) {
    writer.Key(name);
    if (name != "ConnectionProperties") {
      writer.Raw(member.Dump());
      continue;
    }
    writer.BeginObject();
    for (const auto& [property, value] : member.Members()) {
      if (!IsPassword(property)) writer.Key(property).Raw(value.Dump());
    }
    writer.EndObject();
  }
  return writer.EndObject().Take();
}

// Passwords that must be returned encrypted are not returned: there is no key to encrypt with.
Result<bool> HidesPasswords(Call& call) {
  if (call.request["HidePassword"].BoolOr(false)) return true;
  return ReturnsPasswordsEncrypted(call);
}

std::unexpected<Error> ConnectionNotFound(std::string_view name) {
  return EntityNotFound("Connection " + std::string(name) + " not found.");
}

Result<std::string> CreateConnection(Call& call) {
  const JsonView input = call.request["ConnectionInput"];
  const std::string name = input["Name"].StringOr("");
  GLUECAT_ASSIGN_OR_RETURN(const auto scope, MakeScope(call));
  const std::string entry = EntryOf(call, input, call.now);
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert, call.connection.Prepare("INSERT INTO connections(scope_id, name, create_time, "
                                           "entry) VALUES(?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING"));
  insert.Bind(1, scope).Bind(2, name).Bind(3, call.now).Bind(4, entry);
  GLUECAT_RETURN_IF_ERROR(insert.Run());
  if (call.connection.Changes() == 0) return AlreadyExists("Connection already exists.");
  GLUECAT_RETURN_IF_ERROR(
      AddTags(call, {TagKind::kConnection, call.connection.LastInsertId()}, call.request["Tags"]));
  return R"({"CreateConnectionStatus":"READY"})";
}

Result<std::string> GetConnection(Call& call) {
  const std::string name = call.request["Name"].StringOr("");
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT entry FROM connections WHERE scope_id=?1 AND name=?2"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, call.scope).Bind(2, name).Step());
  if (!found) return ConnectionNotFound(name);
  GLUECAT_ASSIGN_OR_RETURN(const bool hide, HidesPasswords(call));
  GLUECAT_ASSIGN_OR_RETURN(const auto entry, Shown(select.Text(0), hide));
  return Answer("Connection", entry);
}

// Whether the connection has everything that the filter names.
bool Matches(JsonView connection, JsonView filter) {
  const JsonView type = filter["ConnectionType"];
  if (!type.IsNull() && type.AsString() != connection["ConnectionType"].AsString()) return false;
  const auto version = filter["ConnectionSchemaVersion"].AsInt();
  if (version && version != connection["ConnectionSchemaVersion"].AsInt()) return false;
  const auto own = connection["MatchCriteria"].Elements();
  return std::ranges::all_of(filter["MatchCriteria"].Elements(), [&](JsonView wanted) {
    return std::ranges::any_of(
        own, [&](JsonView criterion) { return criterion.AsString() == wanted.AsString(); });
  });
}

Result<std::string> GetConnections(Call& call) {
  const JsonView filter = call.request["Filter"];
  std::string listing = "GetConnections/" + std::to_string(call.scope) + "/" + filter.Dump();
  GLUECAT_ASSIGN_OR_RETURN(auto page, ListingPage::Of(call, std::move(listing), kMaxPage));
  GLUECAT_ASSIGN_OR_RETURN(const bool hide, HidesPasswords(call));
  GLUECAT_ASSIGN_OR_RETURN(
      auto select, call.connection.Prepare("SELECT name, entry FROM connections WHERE scope_id=?1 "
                                           "AND name>?2 ORDER BY name"));
  select.Bind(1, call.scope).Bind(2, page.after());
  JsonWriter writer;
  writer.BeginObject().Key("ConnectionList").BeginArray();
  while (true) {
    GLUECAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) break;
    if (!filter.IsNull()) {
      GLUECAT_ASSIGN_OR_RETURN(const auto entry, JsonDocument::Parse(select.Text(1)));
      if (!Matches(entry.root(), filter)) continue;
    }
    if (!page.Take(select.Text(0))) break;
    GLUECAT_ASSIGN_OR_RETURN(const auto shown, Shown(select.Text(1), hide));
    writer.Raw(shown);
  }
  writer.EndArray();
  page.WriteNextToken(writer);
  return writer.EndObject().Take();
}

Result<std::string> UpdateConnection(Call& call) {
  const JsonView input = call.request["ConnectionInput"];
  const std::string name = call.request["Name"].StringOr("");
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT create_time FROM connections WHERE scope_id=?1 AND name=?2"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, call.scope).Bind(2, name).Step());
  if (!found) return ConnectionNotFound(name);
  if (input["Name"].AsString() != name) return InvalidInput("Connection cannot be renamed.");
  const std::string entry = EntryOf(call, input, select.Text(0));
  GLUECAT_ASSIGN_OR_RETURN(
      auto update,
      call.connection.Prepare("UPDATE connections SET entry=?3 WHERE scope_id=?1 AND name=?2"));
  GLUECAT_RETURN_IF_ERROR(update.Bind(1, call.scope).Bind(2, name).Bind(3, entry).Run());
  return "{}";
}

Status Remove(Call& call, std::string_view name) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto remove,
      call.connection.Prepare("DELETE FROM connections WHERE scope_id=?1 AND name=?2"));
  GLUECAT_RETURN_IF_ERROR(remove.Bind(1, call.scope).Bind(2, name).Run());
  if (call.connection.Changes() == 0) return ConnectionNotFound(name);
  return {};
}

Result<std::string> DeleteConnection(Call& call) {
  GLUECAT_RETURN_IF_ERROR(Remove(call, call.request["ConnectionName"].StringOr("")));
  return "{}";
}

Result<std::string> BatchDeleteConnection(Call& call) {
  JsonWriter succeeded;
  JsonWriter errors;
  std::set<std::string> seen;  // a name that comes twice is answered once
  succeeded.BeginArray();
  errors.BeginObject();
  for (const auto& element : call.request["ConnectionNameList"].Elements()) {
    const std::string name = element.StringOr("");
    if (!seen.insert(name).second) continue;
    const auto removed = Remove(call, name);
    if (removed) {
      succeeded.String(name);
      continue;
    }
    if (removed.error().code.empty()) return Fail(removed.error());
    errors.Key(name).BeginObject().Member("ErrorCode", removed.error().code);
    errors.Member("ErrorMessage", removed.error().message).EndObject();
  }
  JsonWriter writer;
  writer.BeginObject().Key("Succeeded").Raw(succeeded.EndArray().Take());
  writer.Key("Errors").Raw(errors.EndObject().Take());
  return writer.EndObject().Take();
}

constexpr auto kCreateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"ConnectionInput", &shapes::kConnectionInput, true},
    {"Tags", &shapes::kTags},
});
constexpr auto kGetMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"Name", &shapes::kName, true},
    {"HidePassword", &shapes::kBoolean},
    {"ApplyOverrideForComputeEnvironment", &shapes::kComputeEnvironment},
});
constexpr auto kListMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"Filter", &shapes::kConnectionsFilter},
    {"HidePassword", &shapes::kBoolean},
    {"NextToken", &shapes::kToken},
    {"MaxResults", &shapes::kPageSize},
});
constexpr auto kUpdateMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"Name", &shapes::kName, true},
    {"ConnectionInput", &shapes::kConnectionInput, true},
});
constexpr auto kDeleteMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"ConnectionName", &shapes::kName, true},
});
constexpr auto kBatchDeleteMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"ConnectionNameList", &shapes::kConnectionsToDelete, true},
});
constexpr Shape kCreate = shapes::Structure(kCreateMembers);
constexpr Shape kGet = shapes::Structure(kGetMembers);
constexpr Shape kList = shapes::Structure(kListMembers);
constexpr Shape kUpdate = shapes::Structure(kUpdateMembers);
constexpr Shape kDelete = shapes::Structure(kDeleteMembers);
constexpr Shape kBatchDelete = shapes::Structure(kBatchDeleteMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"CreateConnection", &kCreate, Mode::kWrite, CreateConnection},
    {"GetConnection", &kGet, Mode::kRead, GetConnection},
    {"GetConnections", &kList, Mode::kRead, GetConnections},
    {"UpdateConnection", &kUpdate, Mode::kWrite, UpdateConnection},
    {"DeleteConnection", &kDelete, Mode::kWrite, DeleteConnection},
    {"BatchDeleteConnection", &kBatchDelete, Mode::kWrite, BatchDeleteConnection},
});

}  // namespace

std::span<const Operation> ConnectionOperations() { return kOperations; }

}  // namespace gluecat::store
