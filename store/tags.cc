// TagResource, UntagResource, GetTags.
#include "store/tags.h"

#include <array>
#include <string>

#include "core/base/text.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/resource_arn.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"

namespace gluecat::store {
namespace {

constexpr std::string_view kReservedPrefix = "aws:";

// The word for `kind` in the file; the triggers of the schema know it too.
std::string_view WordOf(TagKind kind) {
  switch (kind) {
    case TagKind::kScope:
      return "scope";
    case TagKind::kDatabase:
      return "database";
    case TagKind::kTable:
      return "table";
    case TagKind::kConnection:
      return "connection";
    case TagKind::kCatalog:
      return "catalog";
  }
  return "";
}

Result<TagOwner> FindNamed(Call& call, TagKind kind, std::string_view sql, const ResourceArn& arn) {
  GLUECAT_ASSIGN_OR_RETURN(auto select, call.connection.Prepare(sql));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, call.scope).Bind(2, arn.name).Step());
  if (!found) {
    return EntityNotFound("The " + arn.type + " " + arn.name + " was not found.");
  }
  return TagOwner{kind, select.Int(0)};
}

// Who is meant by the request's ResourceArn. The call goes to the catalog of the ARN.
Result<TagOwner> FindOwner(Call& call, bool writes) {
  const std::string text = call.request["ResourceArn"].StringOr("");
  const auto arn = ResourceArn::Parse(text);
  if (!arn) return InvalidInput("The ARN " + text + " is not valid.");
  if (arn->region != call.principal.region) {
    return InvalidInput("The ARN " + text + " is not of the region " + call.principal.region +
                        " that was called.");
  }
  call.catalog_id = arn->account;
  GLUECAT_ASSIGN_OR_RETURN(call.scope, FindScope(call.connection, arn->account, arn->region));
  if (arn->type == "catalog" && arn->name.empty()) {
    if (writes) GLUECAT_RETURN_IF_ERROR(MakeScope(call));
    return TagOwner{TagKind::kScope, call.scope};
  }
  if (arn->type == "catalog") {
    return FindNamed(call, TagKind::kCatalog,
                     "SELECT id FROM catalogs WHERE scope_id=?1 AND name=?2", *arn);
  }
  if (arn->type == "database") {
    GLUECAT_ASSIGN_OR_RETURN(const auto id, FindDatabaseItself(call, ToLowerAscii(arn->name)));
    return TagOwner{TagKind::kDatabase, id};
  }
  if (arn->type == "table") {
    GLUECAT_ASSIGN_OR_RETURN(const auto table, FindTableItself(call, ToLowerAscii(arn->database),
                                                               ToLowerAscii(arn->name)));
    return TagOwner{TagKind::kTable, table.id};
  }
  if (arn->type == "connection") {
    return FindNamed(call, TagKind::kConnection,
                     "SELECT id FROM connections WHERE scope_id=?1 AND name=?2", *arn);
  }
  return InvalidInput("Resources of the type " + arn->type + " have no tags in this catalog.");
}

Result<std::string> TagResource(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto owner, FindOwner(call, true));
  GLUECAT_RETURN_IF_ERROR(AddTags(call, owner, call.request["TagsToAdd"]));
  return "{}";
}

// Keys that are not there are nothing to remove.
Result<std::string> UntagResource(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto owner, FindOwner(call, true));
  GLUECAT_ASSIGN_OR_RETURN(
      auto remove,
      call.connection.Prepare("DELETE FROM tags WHERE kind=?1 AND owner=?2 AND key=?3"));
  for (const auto& element : call.request["TagsToRemove"].Elements()) {
    const std::string key = element.StringOr("");
    GLUECAT_RETURN_IF_ERROR(
        remove.Bind(1, WordOf(owner.kind)).Bind(2, owner.id).Bind(3, key).Run());
  }
  return "{}";
}

Result<std::string> GetTags(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto owner, FindOwner(call, false));
  GLUECAT_ASSIGN_OR_RETURN(
      auto select, call.connection.Prepare(
                       "SELECT key, value FROM tags WHERE kind=?1 AND owner=?2 ORDER BY key"));
  select.Bind(1, WordOf(owner.kind)).Bind(2, owner.id);
  JsonWriter writer;
  writer.BeginObject().Key("Tags").BeginObject();
  while (true) {
    GLUECAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) break;
    writer.Member(select.Text(0), select.Text(1));
  }
  return writer.EndObject().EndObject().Take();
}

using shapes::ListOf;
using shapes::Structure;
using shapes::Text;

constexpr Shape kTagKey = Text(1, 128);
constexpr Shape kTagKeys = ListOf(kTagKey, 0, kMaxTags);

constexpr auto kAddMembers = std::to_array<ShapeMember>(
    {{"ResourceArn", &shapes::kResourceArn, true}, {"TagsToAdd", &shapes::kTags, true}});
constexpr auto kRemoveMembers = std::to_array<ShapeMember>(
    {{"ResourceArn", &shapes::kResourceArn, true}, {"TagsToRemove", &kTagKeys, true}});
constexpr auto kGetMembers =
    std::to_array<ShapeMember>({{"ResourceArn", &shapes::kResourceArn, true}});
constexpr Shape kAdd = Structure(kAddMembers);
constexpr Shape kRemove = Structure(kRemoveMembers);
constexpr Shape kGet = Structure(kGetMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"TagResource", &kAdd, Mode::kWrite, TagResource},
    {"UntagResource", &kRemove, Mode::kWrite, UntagResource},
    {"GetTags", &kGet, Mode::kRead, GetTags},
});

}  // namespace

Status AddTags(Call& call, TagOwner owner, JsonView tags) {
  if (tags.IsNull()) return {};
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert,
      call.connection.Prepare("INSERT INTO tags(kind, owner, key, value) VALUES(?1, ?2, ?3, ?4) "
                              "ON CONFLICT DO UPDATE SET value=excluded.value"));
  const std::string_view kind = WordOf(owner.kind);
  for (const auto& [key, value] : tags.Members()) {
    if (ToLowerAscii(key).starts_with(kReservedPrefix)) {
      return InvalidInput("Tag keys that start with aws: are reserved.");
    }
    const std::string text = value.StringOr("");
    GLUECAT_RETURN_IF_ERROR(
        insert.Bind(1, kind).Bind(2, owner.id).Bind(3, key).Bind(4, text).Run());
  }
  GLUECAT_ASSIGN_OR_RETURN(
      auto count, call.connection.Prepare("SELECT count(*) FROM tags WHERE kind=?1 AND owner=?2"));
  GLUECAT_RETURN_IF_ERROR(count.Bind(1, kind).Bind(2, owner.id).Step());
  if (count.Int(0) > kMaxTags) {
    return InvalidInput("A resource has at most " + std::to_string(kMaxTags) + " tags.");
  }
  return {};
}

std::span<const Operation> TagOperations() { return kOperations; }

}  // namespace gluecat::store
