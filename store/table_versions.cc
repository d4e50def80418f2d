// GetTableVersion, GetTableVersions, DeleteTableVersion, BatchDeleteTableVersion.
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "store/entry_text.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/resource_links.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"

namespace gluecat::store {
namespace {

constexpr std::int64_t kMaxPage = 100;

std::optional<std::int64_t> ParseVersion(std::string_view text) {
  std::int64_t version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc() || end != text.data() + text.size() || version < 0) return std::nullopt;
  return version;
}

// Versions as reading operations show them: those of a link's target, under the link's name.
class VersionWriter {
 public:
  static Result<VersionWriter> Of(Call& call, const ShownTable& table) {
    VersionWriter writer;
    if (!table.target) return writer;
    GLUECAT_ASSIGN_OR_RETURN(auto select,
                             call.connection.Prepare("SELECT entry FROM tables WHERE id=?1"));
    GLUECAT_RETURN_IF_ERROR(select.Bind(1, table.itself.id).Step());
    writer.link_ = select.Text(0);
    return writer;
  }

  Status Write(std::int64_t version, std::string_view entry, JsonWriter& writer) const {
    std::string merged;
    if (!link_.empty()) {
      GLUECAT_ASSIGN_OR_RETURN(merged, MergedEntry(link_, entry, "TargetTable"));
      entry = merged;
    }
    writer.BeginObject().Key("Table").Raw(entry);
    writer.Member("VersionId", std::to_string(version)).EndObject();
    return {};
  }

 private:
  std::string link_;
};

std::unexpected<Error> VersionNotFound(const TableRow& table, std::string_view version) {
  return EntityNotFound("Version " + std::string(version) + " of table " + table.name +
                        " not found.");
}

// The current version and the archived ones, under one roof.
constexpr std::string_view kSelectVersions =
    "SELECT version, entry FROM ("
    " SELECT version, entry FROM tables WHERE id=?1"
    " UNION ALL SELECT version, entry FROM table_versions WHERE table_id=?1)"
    " WHERE version<=?2 ORDER BY version DESC LIMIT ?3";

Result<std::string> GetTableVersion(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto shown, FindShownTable(call, "TableName"));
  GLUECAT_ASSIGN_OR_RETURN(const auto versions, VersionWriter::Of(call, shown));
  const TableRow& table = shown.row();
  const std::string text = call.request["VersionId"].StringOr(std::to_string(table.version));
  const auto version = ParseVersion(text);
  if (!version) return InvalidInput("Version id " + text + " is not a number.");
  GLUECAT_ASSIGN_OR_RETURN(auto select, call.connection.Prepare(kSelectVersions));
  select.Bind(1, table.id).Bind(2, *version).Bind(3, std::int64_t{1});
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Step());
  if (!found || select.Int(0) != *version) return VersionNotFound(table, text);
  JsonWriter writer;
  writer.BeginObject().Key("TableVersion");
  GLUECAT_RETURN_IF_ERROR(versions.Write(*version, select.Text(1), writer));
  return writer.EndObject().Take();
}

Result<std::string> GetTableVersions(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto shown, FindShownTable(call, "TableName"));
  GLUECAT_ASSIGN_OR_RETURN(const auto versions, VersionWriter::Of(call, shown));
  const TableRow& table = shown.row();
  const std::string listing = "GetTableVersions/" + std::to_string(table.id);
  GLUECAT_ASSIGN_OR_RETURN(const auto position,
                           call.tokens.Open(listing, call.request["NextToken"].StringOr("")));
  const std::int64_t from =
      ParseVersion(position).value_or(std::numeric_limits<std::int64_t>::max());
  const std::int64_t limit = PageSize(call, kMaxPage);
  GLUECAT_ASSIGN_OR_RETURN(auto select, call.connection.Prepare(kSelectVersions));
  select.Bind(1, table.id).Bind(2, from).Bind(3, limit + 1);
  JsonWriter writer;
  writer.BeginObject().Key("TableVersions").BeginArray();
  std::optional<std::int64_t> next;
  for (std::int64_t count = 0;; ++count) {
    GLUECAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) break;
    if (count == limit) {
      next = select.Int(0);
      break;
    }
    GLUECAT_RETURN_IF_ERROR(versions.Write(select.Int(0), select.Text(1), writer));
  }
  writer.EndArray();
  if (next) WriteNextToken(call, listing, std::to_string(*next), writer);
  return writer.EndObject().Take();
}

Status DeleteOne(Call& call, const TableRow& table, const std::string& text) {
  const auto version = ParseVersion(text);
  if (!version) return InvalidInput("Version id " + text + " is not a number.");
  if (*version == table.version)
    return InvalidInput("The current version of a table cannot be deleted.");
  GLUECAT_ASSIGN_OR_RETURN(
      auto remove,
      call.connection.Prepare("DELETE FROM table_versions WHERE table_id=?1 AND version=?2"));
  GLUECAT_RETURN_IF_ERROR(remove.Bind(1, table.id).Bind(2, *version).Run());
  if (call.connection.Changes() == 0) return VersionNotFound(table, text);
  return {};
}

Result<std::string> DeleteTableVersion(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(
      const auto table, FindTableItself(call, call.Name("DatabaseName"), call.Name("TableName")));
  GLUECAT_RETURN_IF_ERROR(DeleteOne(call, table, call.request["VersionId"].StringOr("")));
  return "{}";
}

Result<std::string> BatchDeleteTableVersion(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(
      const auto table, FindTableItself(call, call.Name("DatabaseName"), call.Name("TableName")));
  JsonWriter writer;
  writer.BeginObject().Key("Errors").BeginArray();
  for (const auto& element : call.request["VersionIds"].Elements()) {
    const std::string version = element.StringOr("");
    const auto deleted = DeleteOne(call, table, version);
    if (deleted) continue;
    if (deleted.error().code.empty()) return Fail(deleted.error());
    writer.BeginObject().Member("TableName", table.name).Member("VersionId", version);
    writer.Key("ErrorDetail").BeginObject().Member("ErrorCode", deleted.error().code);
    writer.Member("ErrorMessage", deleted.error().message).EndObject().EndObject();
  }
  return writer.EndArray().EndObject().Take();
}

constexpr auto kGetMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"VersionId", &shapes::kVersion},
});
constexpr auto kDeleteMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"VersionId", &shapes::kVersion, true},
});
constexpr auto kListMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"NextToken", &shapes::kToken},
    {"MaxResults", &shapes::kGetterPageSize},
});
constexpr auto kBatchDeleteMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"VersionIds", &shapes::kVersionsToDelete, true},
});
constexpr Shape kGet = shapes::Structure(kGetMembers);
constexpr Shape kDelete = shapes::Structure(kDeleteMembers);
constexpr Shape kList = shapes::Structure(kListMembers);
constexpr Shape kBatchDelete = shapes::Structure(kBatchDeleteMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"GetTableVersion", &kGet, Mode::kRead, GetTableVersion},
    {"GetTableVersions", &kList, Mode::kRead, GetTableVersions},
    {"DeleteTableVersion", &kDelete, Mode::kWrite, DeleteTableVersion},
    {"BatchDeleteTableVersion", &kBatchDelete, Mode::kWrite, BatchDeleteTableVersion},
});

}  // namespace

std::span<const Operation> TableVersionOperations() { return kOperations; }

}  // namespace gluecat::store
