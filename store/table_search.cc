// SearchTables.
//
// The words of SearchText must all occur, anywhere in the texts of a table; a text in quotes must
// be the whole of one of them. A filter compares its value with the words of one field. Both
// ignore case.
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"

namespace gluecat::store {
namespace {

constexpr std::int64_t kMaxPage = 1000;

constexpr auto kTimeFields = std::to_array<std::string_view>(
    {"CreateTime", "UpdateTime", "LastAccessTime", "LastAnalyzedTime"});
constexpr auto kTextFields = std::to_array<std::string_view>(
    {"Name", "DatabaseName", "Description", "Owner", "TableType", "CreatedBy"});

bool IsOneOf(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// ---- SearchText

void AddText(JsonView value, std::vector<std::string>& out) {
  if (const auto text = value.AsString(); text && !text->empty())
    out.push_back(ToLowerAscii(*text));
}

void AddParameters(JsonView parameters, std::vector<std::string>& out) {
  for (const auto& [key, value] : parameters.Members()) {
    out.push_back(ToLowerAscii(key));
    AddText(value, out);
  }
}

void AddColumns(JsonView columns, std::vector<std::string>& out) {
  for (const auto& column : columns.Elements()) {
    AddText(column["Name"], out);
    AddText(column["Type"], out);
    AddText(column["Comment"], out);
    AddParameters(column["Parameters"], out);
  }
}

// What a text search looks at, in lower case.
std::vector<std::string> TextsOf(JsonView table) {
  std::vector<std::string> out;
  for (const auto field : kTextFields) AddText(table[field], out);
  const JsonView storage = table["StorageDescriptor"];
  AddText(storage["Location"], out);
  AddColumns(storage["Columns"], out);
  AddColumns(table["PartitionKeys"], out);
  AddParameters(table["Parameters"], out);
  return out;
}

class TextSearch {
 public:
  explicit TextSearch(std::string_view text) {
    text = Trim(text);
    constexpr std::size_t kQuotes = 2;
    exact_ = text.size() >= kQuotes && text.front() == '"' && text.back() == '"';
    if (exact_) {
      words_.push_back(ToLowerAscii(text.substr(1, text.size() - kQuotes)));
      return;
    }
    for (const auto word : Split(text, ' ')) {
      if (!word.empty()) words_.push_back(ToLowerAscii(word));
    }
  }

  bool TakesAll() const { return words_.empty(); }

  bool Takes(JsonView table) const {
    if (TakesAll()) return true;
    const auto texts = TextsOf(table);
    return std::ranges::all_of(words_, [&](const std::string& word) {
      return std::ranges::any_of(texts, [&](const std::string& text) {
        return exact_ ? text == word : text.contains(word);
      });
    });
  }

 private:
  bool exact_ = false;
  std::vector<std::string> words_;
};

// ---- Filters

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Whether `text` or one of its words is `value`.
bool HasWord(std::string_view text, std::string_view value) {
  if (EqualsIgnoreCase(text, value)) return true;
  for (auto begin = text.begin(); begin != text.end();) {
    begin = std::find_if(begin, text.end(), IsWordCharacter);
    const auto end = std::find_if_not(begin, text.end(), IsWordCharacter);
    if (begin != end && EqualsIgnoreCase(std::string_view(begin, end), value)) return true;
    begin = end;
  }
  return false;
}

class Filter {
 public:
  static Result<Filter> Of(JsonView predicate) {
    Filter filter;
    filter.key_ = predicate["Key"].StringOr("");
    filter.value_ = predicate["Value"].StringOr("");
    filter.comparator_ = predicate["Comparator"].StringOr("EQUALS");
    if (filter.key_.empty() || filter.value_.empty()) {
      return InvalidInput("A filter must have a Key and a Value.");
    }
    if (IsOneOf(kTimeFields, filter.key_)) {
      const auto number = JsonDocument::Parse(filter.value_);
      if (number) filter.time_ = number->root().AsDouble();
      if (!filter.time_) {
        return InvalidInput("The value of a filter of " + filter.key_ +
                            " must be a time in seconds since 1970.");
      }
    }
    return filter;
  }

  bool Takes(JsonView table) const {
    if (time_) return TakesTime(table[key_].AsDouble());
    const JsonView field = table[key_];
    const auto text = (field.IsNull() ? table["Parameters"][key_] : field).AsString();
    return text && HasWord(*text, value_);
  }

 private:
  bool TakesTime(std::optional<double> time) const {
    if (!time) return false;
    if (comparator_ == "GREATER_THAN") return *time > *time_;
    if (comparator_ == "LESS_THAN") return *time < *time_;
    if (comparator_ == "GREATER_THAN_EQUALS") return *time >= *time_;
    if (comparator_ == "LESS_THAN_EQUALS") return *time <= *time_;
    return *time == *time_;
  }

  std::string key_;
  std::string value_;
  std::string comparator_;
  std::optional<double> time_;
};

// ---- SortCriteria

// By database and name if the request does not say.
class Order {
 public:
  static Result<Order> Of(JsonView criteria) {
    Order order;
    const auto elements = criteria.Elements();
    if (elements.empty()) return order;
    order.field_ = elements.front()["FieldName"].StringOr("");
    order.descending_ = elements.front()["Sort"].AsString() == "DESC";
    order.is_time_ = IsOneOf(kTimeFields, order.field_);
    if (!order.is_time_ && !IsOneOf(kTextFields, order.field_)) {
      return InvalidInput("Tables cannot be sorted by " + order.field_ + ".");
    }
    return order;
  }

  bool NeedsEntry() const { return !field_.empty(); }

  std::string KeyOf(std::string_view database, std::string_view name, JsonView table) const {
    if (field_.empty()) return std::string(database) + '\0' + std::string(name);
    if (!is_time_) return ToLowerAscii(table[field_].AsString().value_or(""));
    // As text in the order of time; what is far from any time need not be told apart.
    constexpr double kLast = 1e12;
    std::array<char, 32> digits = {};
    const double time = std::clamp(table[field_].AsDouble().value_or(0), 0.0, kLast);
    std::snprintf(digits.data(), digits.size(), "%020.3f", time);
    return digits.data();
  }

  // Tables of the same key come in the order of their ids.
  using Position = std::pair<std::string, std::int64_t>;
  bool Before(const Position& a, const Position& b) const {
    if (a.first != b.first) return descending_ ? b.first < a.first : a.first < b.first;
    return a.second < b.second;
  }

 private:
  std::string field_;
  bool descending_ = false;
  bool is_time_ = false;
};

std::string PositionText(const Order::Position& position) {
  return position.first + '\0' + std::to_string(position.second);
}

Order::Position PositionOf(std::string_view text) {
  const std::size_t end = text.rfind('\0');
  const std::string id(text.substr(end + 1));
  return {std::string(text.substr(0, end)), std::strtoll(id.c_str(), nullptr, 10)};
}

// ---- the operation

// Where the tables stand that the request is looking for, in its order, behind `after`.
Result<std::vector<Order::Position>> Find(Call& call, const Order& order, std::string_view after) {
  const TextSearch search(call.request["SearchText"].StringOr(""));
  std::vector<Filter> filters;
  for (const auto& predicate : call.request["Filters"].Elements()) {
    GLUECAT_ASSIGN_OR_RETURN(auto filter, Filter::Of(predicate));
    filters.push_back(std::move(filter));
  }
  std::optional<Order::Position> start;
  if (!after.empty()) start = PositionOf(after);
  const bool needs_entry = !search.TakesAll() || !filters.empty() || order.NeedsEntry();

  std::vector<Order::Position> found;
  GLUECAT_ASSIGN_OR_RETURN(
      auto select, call.connection.Prepare("SELECT t.id, d.name, t.name, t.entry FROM databases d "
                                           "JOIN tables t ON t.database_id=d.id "
                                           "WHERE d.scope_id=?1"));
  select.Bind(1, call.scope);
  while (true) {
    GLUECAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) break;
    GLUECAT_ASSIGN_OR_RETURN(const auto entry,
                             JsonDocument::Parse(needs_entry ? select.Text(3) : "null"));
    const JsonView table = entry.root();
    const auto takes = [&](const Filter& filter) { return filter.Takes(table); };
    if (!std::ranges::all_of(filters, takes) || !search.Takes(table)) continue;
    Order::Position position(order.KeyOf(select.Text(1), select.Text(2), table), select.Int(0));
    if (!start || order.Before(*start, position)) found.push_back(std::move(position));
  }
  std::ranges::sort(found, [&](const auto& a, const auto& b) { return order.Before(a, b); });
  return found;
}

// Every table of the catalog is its owner's: none is shared with it.
Result<std::string> SearchTables(Call& call) {
  const std::string share = call.request["ResourceShareType"].StringOr("ALL");
  const std::string listing = "SearchTables/" + std::to_string(call.scope) + "/" + share + "/" +
                              call.request["SearchText"].Dump() + "/" +
                              call.request["Filters"].Dump() + "/" +
                              call.request["SortCriteria"].Dump();
  GLUECAT_ASSIGN_OR_RETURN(const auto after,
                           call.tokens.Open(listing, call.request["NextToken"].StringOr("")));
  GLUECAT_ASSIGN_OR_RETURN(const auto order, Order::Of(call.request["SortCriteria"]));
  GLUECAT_ASSIGN_OR_RETURN(auto found, Find(call, order, after));
  if (share != "ALL") found.clear();
  const auto limit = static_cast<std::size_t>(PageSize(call, kMaxPage));

  GLUECAT_ASSIGN_OR_RETURN(auto select,
                           call.connection.Prepare("SELECT entry FROM tables WHERE id=?1"));
  JsonWriter writer;
  writer.BeginObject().Key("TableList").BeginArray();
  for (std::size_t i = 0; i < std::min(limit, found.size()); ++i) {
    GLUECAT_RETURN_IF_ERROR(select.Bind(1, found[i].second).Step());
    writer.Raw(select.Text(0));
    select.Reset();
  }
  writer.EndArray();
  if (found.size() > limit) WriteNextToken(call, listing, PositionText(found[limit - 1]), writer);
  return writer.EndObject().Take();
}

constexpr auto kMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"NextToken", &shapes::kToken},
    {"Filters", &shapes::kSearchFilters},
    {"SearchText", &shapes::kValue},
    {"SortCriteria", &shapes::kSortCriteria},
    {"MaxResults", &shapes::kPageSize},
    {"ResourceShareType", &shapes::kResourceShareType},
    {"IncludeStatusDetails", &shapes::kBoolean},
});
constexpr Shape kSearch = shapes::Structure(kMembers);

constexpr auto kOperations =
    std::to_array<Operation>({{"SearchTables", &kSearch, Transaction::Mode::kRead, SearchTables}});

}  // namespace

std::span<const Operation> TableSearchOperations() { return kOperations; }

}  // namespace gluecat::store
