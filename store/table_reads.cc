// GetTable, GetTables.
#include <array>
#include <optional>

#include "store/entry_text.h"
#include "store/listing_page.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/name_pattern.h"
#include "store/operation.h"
#include "store/resource_links.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"

namespace gluecat::store {
namespace {

constexpr std::int64_t kMaxPage = 100;
constexpr std::string_view kTarget = "TargetTable";

enum class Attributes : std::uint8_t { kAll, kName, kNameAndType };

Result<Attributes> AttributesOf(JsonView list) {
  if (list.IsNull()) return Attributes::kAll;
  bool name = false;
  bool type = false;
  bool all = false;
  for (const auto& attribute : list.Elements()) {
    const auto text = attribute.AsString();
    name = name || text == "NAME";
    type = type || text == "TABLE_TYPE";
    all = all || text == "DEFAULT" || text == "LATEST_ICEBERG_METADATA";
  }
  if (all) return Attributes::kAll;
  if (!name) return InvalidInput("AttributesToGet must include NAME.");
  return type ? Attributes::kNameAndType : Attributes::kName;
}

Result<std::string> GetTable(Call& call) {
  GLUECAT_RETURN_IF_ERROR(AttributesOf(call.request["AttributesToGet"]));
  GLUECAT_ASSIGN_OR_RETURN(const auto shown, FindShownTable(call, "Name"));
  GLUECAT_ASSIGN_OR_RETURN(const auto entry, ReadShownEntry(call, shown));
  return Answer("Table", entry);
}

// What a listing shows of a table.
struct ListedTable {
  std::string_view entry;
  std::optional<std::string_view> type;
};
void WriteTable(const ListedTable& table, std::string_view name, const DatabaseRow& database,
                Attributes attributes, JsonWriter& writer) {
  if (attributes == Attributes::kAll) {
    writer.Raw(table.entry);
    return;
  }
  writer.BeginObject().Member("Name", name).Member("DatabaseName", database.name);
  if (attributes == Attributes::kNameAndType && table.type) {
    writer.Member("TableType", *table.type);
  }
  writer.EndObject();
}

// The link in the row that `select` of GetTables stands on, with the properties of its target.
Status WriteLink(Call& call, const Statement& select, const DatabaseRow& database,
                 Attributes attributes, JsonWriter& writer) {
  TableRow link;
  link.name = select.Text(0);
  link.target = select.Text(3);
  GLUECAT_ASSIGN_OR_RETURN(const auto target, FollowTableIfPossible(call, link));
  if (!target) {
    WriteTable({select.Text(2), std::nullopt}, link.name, database, attributes, writer);
    return {};
  }
  GLUECAT_ASSIGN_OR_RETURN(
      auto read, call.connection.Prepare("SELECT entry, table_type FROM tables WHERE id=?1"));
  GLUECAT_RETURN_IF_ERROR(read.Bind(1, target->id).Step());
  GLUECAT_ASSIGN_OR_RETURN(const auto entry, MergedEntry(select.Text(2), read.Text(0), kTarget));
  WriteTable({entry, read.IsNull(1) ? std::nullopt : std::optional(read.Text(1))}, link.name,
             database, attributes, writer);
  return {};
}

Result<std::string> GetTables(Call& call) {
  const std::string expression = call.request["Expression"].StringOr("");
  GLUECAT_ASSIGN_OR_RETURN(const auto attributes, AttributesOf(call.request["AttributesToGet"]));
  std::optional<NamePattern> pattern;
  if (!expression.empty()) {
    GLUECAT_ASSIGN_OR_RETURN(pattern, NamePattern::Compile(expression));
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto database, FindDatabase(call, call.Name("DatabaseName")));
  std::string listing = "GetTables/" + std::to_string(database.id) + "/" + expression;
  GLUECAT_ASSIGN_OR_RETURN(auto page, ListingPage::Of(call, std::move(listing), kMaxPage));

  GLUECAT_ASSIGN_OR_RETURN(
      auto select, call.connection.Prepare("SELECT name, table_type, entry, target FROM tables "
                                           "WHERE database_id=?1 AND name>?2 ORDER BY name"));
  select.Bind(1, database.id).Bind(2, page.after());
  JsonWriter writer;
  writer.BeginObject().Key("TableList").BeginArray();
  while (true) {
    GLUECAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) break;
    if (pattern && !pattern->Matches(select.Text(0))) continue;
    if (!page.Take(select.Text(0))) break;
    if (attributes == Attributes::kName || select.IsNull(3) || database.through_link) {
      WriteTable({select.Text(2), select.IsNull(1) ? std::nullopt : std::optional(select.Text(1))},
                 page.last(), database, attributes, writer);
      continue;
    }
    GLUECAT_RETURN_IF_ERROR(WriteLink(call, select, database, attributes, writer));
  }
  writer.EndArray();
  page.WriteNextToken(writer);
  return writer.EndObject().Take();
}

constexpr auto kGetMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"Name", &shapes::kName, true},
    {"TransactionId", &shapes::kTransactionId},
    {"QueryAsOfTime", &shapes::kTimestamp},
    {"IncludeStatusDetails", &shapes::kBoolean},
    {"AttributesToGet", &shapes::kTableAttributes},
});
constexpr auto kListMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"Expression", &shapes::kFilter},
    {"NextToken", &shapes::kToken},
    {"MaxResults", &shapes::kGetterPageSize},
    {"TransactionId", &shapes::kTransactionId},
    {"QueryAsOfTime", &shapes::kTimestamp},
    {"IncludeStatusDetails", &shapes::kBoolean},
    {"AttributesToGet", &shapes::kTableAttributes},
});
constexpr Shape kGet = shapes::Structure(kGetMembers);
constexpr Shape kList = shapes::Structure(kListMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"GetTable", &kGet, Mode::kRead, GetTable},
    {"GetTables", &kList, Mode::kRead, GetTables},
});

}  // namespace

std::span<const Operation> TableReadOperations() { return kOperations; }

}  // namespace gluecat::store
