#include "store/resource_links.h"

#include "core/base/text.h"
#include "store/entry_text.h"
#include "store/lookup.h"
#include "store/service_errors.h"

namespace gluecat::store {

LinkTarget TargetOf(const Call& call, JsonView target) {
  return {.catalog_id = target["CatalogId"].StringOr(call.catalog_id),
          .region = target["Region"].StringOr(call.principal.region),
          .database = ToLowerAscii(target["DatabaseName"].StringOr("")),
          .table = ToLowerAscii(target["Name"].StringOr(""))};
}

Result<LinkTarget> StoredTarget(const Call& call, std::string_view target) {
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(target));
  return TargetOf(call, document.root());
}

std::string Describe(const LinkTarget& target) {
  return (target.table.empty() ? "database " + target.database
                               : "table " + target.database + "." + target.table) +
         " of catalog " + target.catalog_id + " in " + target.region;
}

Status CheckMayFollow(const Call& call, const LinkTarget& target) {
  if (call.principal.may_follow == nullptr) return {};
  return call.principal.may_follow(target);
}

Status CheckNewLink(Call& call, const LinkTarget& target, const LinkTarget& own) {
  const bool to_table = !own.table.empty();
  if (target.database.empty() || (to_table && target.table.empty())) {
    return InvalidInput(to_table ? "TargetTable must have a DatabaseName and a Name."
                                 : "TargetDatabase must have a DatabaseName.");
  }
  if (target == own) return InvalidInput("A resource link cannot lead to itself.");
  if (!CheckMayFollow(call, target)) return {};  // what is there is not the caller's to know
  GLUECAT_ASSIGN_OR_RETURN(const auto scope,
                           FindScope(call.connection, target.catalog_id, target.region));
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare(
          "SELECT EXISTS(SELECT 1 FROM databases WHERE scope_id=?1 AND name=?2 AND target IS NOT "
          "NULL) OR EXISTS(SELECT 1 FROM databases d JOIN tables t ON t.database_id=d.id WHERE "
          "d.scope_id=?1 AND d.name=?2 AND t.name=?3 AND t.target IS NOT NULL)"));
  select.Bind(1, scope).Bind(2, target.database).Bind(3, target.table);
  GLUECAT_RETURN_IF_ERROR(select.Step());
  if (select.Int(0) == 0) return {};
  return InvalidInput("A resource link cannot lead to another resource link: " + Describe(target) +
                      " is one, or lies in one.");
}

Status CheckSameTarget(const Call& call, std::string_view link, JsonView given,
                       std::string_view stored) {
  if (given.IsNull()) return {};
  if (!stored.empty()) {
    GLUECAT_ASSIGN_OR_RETURN(const auto target, StoredTarget(call, stored));
    if (TargetOf(call, given) == target) return {};
  }
  return InvalidInput("What " + std::string(link) +
                      " leads to cannot be changed: delete it and create a new resource link.");
}

Result<std::string> MergedEntry(std::string_view link, std::string_view target,
                                std::string_view target_member) {
  GLUECAT_ASSIGN_OR_RETURN(const auto own, JsonDocument::Parse(link));
  GLUECAT_ASSIGN_OR_RETURN(const auto other, JsonDocument::Parse(target));
  JsonWriter writer;
  writer.BeginObject();
  for (const std::string_view member : {std::string_view("Name"), std::string_view("DatabaseName"),
                                        std::string_view("CatalogId"), target_member}) {
    if (const JsonView value = own.root()[member]; !value.IsNull()) {
      writer.Key(member).Raw(value.Dump());
    }
  }
  WriteMembers(other.root(), {"Name", "DatabaseName", "CatalogId", target_member}, writer);
  return writer.EndObject().Take();
}

Result<std::string> ReadShownEntry(Call& call, const ShownTable& table) {
  GLUECAT_ASSIGN_OR_RETURN(auto select,
                           call.connection.Prepare("SELECT entry FROM tables WHERE id=?1"));
  GLUECAT_RETURN_IF_ERROR(select.Bind(1, table.itself.id).Step());
  std::string entry(select.Text(0));
  if (!table.target) return entry;
  select.Reset();
  GLUECAT_RETURN_IF_ERROR(select.Bind(1, table.target->id).Step());
  return MergedEntry(entry, select.Text(0), "TargetTable");
}

}  // namespace gluecat::store
