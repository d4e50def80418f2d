#include "store/partition_finder.h"

#include <algorithm>
#include <memory>

#include "core/base/text.h"
#include "core/prune/typed_value.h"
#include "store/partition_key.h"
#include "store/service_errors.h"

namespace gluecat::store {
namespace {

// Above every encoded key, and above all that begin with a given one: keys are of UTF-8 and of the
// bytes 0, 1 and 255, the last only behind a 0.
constexpr std::string_view kAbove = "\xFF";
// The value in an index of a partition that has text there that is none of the key's type.
constexpr std::string_view kNoValue = "\xFF";
// What a position in an index begins with: no key does.
constexpr char kIndexPosition = '\xFE';

// Below every encoded key that begins with `first`, and above those before them: the last byte of
// an encoded value is 1.
std::string JustBelow(std::string first) {
  if (!first.empty()) first.back() = '\0';
  return first;
}

std::optional<std::string> Canonical(const std::string& type, std::string_view value) {
  const auto parsed = prune::TypedValue::Parse(prune::ParseKeyType(type), value);
  if (!parsed) return std::nullopt;
  return parsed->Canonical();
}

std::string Encode(const std::vector<std::string>& values) {
  return EncodePartitionKey(std::vector<std::string_view>(values.begin(), values.end()));
}

FilledIndexes::Index IndexOf(JsonView index, const std::vector<prune::PartitionKey>& keys) {
  FilledIndexes::Index out;
  out.name = ToLowerAscii(index["IndexName"].StringOr(""));
  for (const auto& element : index["Keys"].Elements()) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!EqualsIgnoreCase(keys[i].name, element.AsString().value_or(""))) continue;
      out.keys.push_back(i);
      out.types.push_back(keys[i].type);
    }
  }
  return out;
}

Status AddTo(Call& call, std::int64_t table_id, const FilledIndexes::Index& index,
             const std::vector<std::string_view>& values, std::string_view key,
             std::int64_t partition_id) {
  const std::string value = index.ValueOf(values);
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert, call.connection.Prepare("INSERT INTO partition_index_keys(table_id, name, "
                                           "value, key, partition_id) VALUES(?1, ?2, ?3, ?4, ?5)"));
  insert.Bind(1, table_id).Bind(2, index.name).BindBlob(3, value).BindBlob(4, key);
  return insert.Bind(5, partition_id).Run();
}

// How many of the index's first keys have a given value; those values into `values`.
std::size_t CountGiven(const FilledIndexes::Index& index,
                       const std::vector<std::optional<std::string>>& given,
                       std::vector<std::string>& values) {
  for (const std::size_t key : index.keys) {
    if (!given[key]) break;
    values.push_back(*given[key]);
  }
  return values.size();
}

// An index that has a partition whose text is none of the type is not used: every expression that
// looks at that partition fails, and must not begin to pass it by.
Result<bool> HasNoValue(Call& call, const TableRow& table, std::string_view index) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto select, call.connection.Prepare("SELECT EXISTS(SELECT 1 FROM partition_index_keys WHERE "
                                           "table_id=?1 AND name=?2 AND value=?3)"));
  select.Bind(1, table.id).Bind(2, index).BindBlob(3, kNoValue);
  GLUECAT_RETURN_IF_ERROR(select.Step());
  return select.Int(0) != 0;
}

}  // namespace

std::string FilledIndexes::Index::ValueOf(const std::vector<std::string_view>& values) const {
  std::vector<std::string> own;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto value = Canonical(types[i], values[keys[i]]);
    if (!value) return std::string(kNoValue);
    own.push_back(*std::move(value));
  }
  return Encode(own);
}

Result<FilledIndexes> FilledIndexes::Of(Call& call, const TableRow& table,
                                        const std::vector<prune::PartitionKey>& keys) {
  FilledIndexes filled;
  filled.table_id_ = table.id;
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT name, (SELECT partition_indexes FROM tables WHERE id=?1) "
                              "FROM filled_partition_indexes WHERE table_id=?1"));
  select.Bind(1, table.id);
  while (true) {
    GLUECAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return filled;
    GLUECAT_ASSIGN_OR_RETURN(const auto declared, JsonDocument::Parse(select.Text(1)));
    for (const auto& index : declared.root().Elements()) {
      if (!EqualsIgnoreCase(index["IndexName"].AsString().value_or(""), select.Text(0))) continue;
      filled.indexes_.push_back(IndexOf(index, keys));
    }
  }
}

Status FilledIndexes::Add(Call& call, const std::vector<std::string_view>& values,
                          std::string_view key, std::int64_t partition_id) const {
  for (const auto& index : indexes_) {
    GLUECAT_RETURN_IF_ERROR(AddTo(call, table_id_, index, values, key, partition_id));
  }
  return {};
}

Status FilledIndexes::Remove(Call& call, const std::vector<std::string_view>& values,
                             std::string_view key) const {
  for (const auto& index : indexes_) {
    const std::string value = index.ValueOf(values);
    GLUECAT_ASSIGN_OR_RETURN(
        auto remove, call.connection.Prepare("DELETE FROM partition_index_keys WHERE table_id=?1 "
                                             "AND name=?2 AND value=?3 AND key=?4"));
    remove.Bind(1, table_id_).Bind(2, index.name).BindBlob(3, value).BindBlob(4, key);
    GLUECAT_RETURN_IF_ERROR(remove.Run());
  }
  return {};
}

Status FillIndex(Call& call, const TableRow& table, const std::vector<prune::PartitionKey>& keys,
                 JsonView declared) {
  const auto index = IndexOf(declared, keys);
  {
    GLUECAT_ASSIGN_OR_RETURN(
        auto insert, call.connection.Prepare(
                         "INSERT INTO filled_partition_indexes(table_id, name) VALUES(?1, ?2)"));
    GLUECAT_RETURN_IF_ERROR(insert.Bind(1, table.id).Bind(2, index.name).Run());
  }
  GLUECAT_ASSIGN_OR_RETURN(
      auto select, call.connection.Prepare("SELECT key, id FROM partitions WHERE table_id=?1"));
  select.Bind(1, table.id);
  while (true) {
    GLUECAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return {};
    const auto values = DecodePartitionKey(select.Blob(0));
    GLUECAT_RETURN_IF_ERROR(AddTo(call, table.id, index,
                                  std::vector<std::string_view>(values.begin(), values.end()),
                                  select.Blob(0), select.Int(1)));
  }
}

Status EmptyIndex(Call& call, const TableRow& table, std::string_view name) {
  const std::string folded = ToLowerAscii(name);
  for (const std::string_view sql :
       {"DELETE FROM partition_index_keys WHERE table_id=?1 AND name=?2",
        "DELETE FROM filled_partition_indexes WHERE table_id=?1 AND name=?2"}) {
    GLUECAT_ASSIGN_OR_RETURN(auto remove, call.connection.Prepare(sql));
    GLUECAT_RETURN_IF_ERROR(remove.Bind(1, table.id).Bind(2, folded).Run());
  }
  return {};
}

// The first keys that all partitions of the listing share. The order of partitions is that of the
// text as it was written: only equal strings lie together.
std::vector<std::string> PartitionScan::SharedKeys(
    const std::vector<prune::PartitionKey>& keys,
    const std::vector<std::optional<std::string>>& given) {
  std::vector<std::string> shared;
  for (std::size_t i = 0; i < keys.size() && given[i]; ++i) {
    if (prune::ParseKeyType(keys[i].type).family != prune::KeyFamily::kString) break;
    shared.push_back(*given[i]);
  }
  return shared;
}

Result<PartitionScan::Range> PartitionScan::Choose(Call& call, const TableRow& table,
                                                   const std::vector<prune::PartitionKey>& keys,
                                                   const prune::Expression& expression) {
  const auto given = expression.EqualValues();
  const auto shared = SharedKeys(keys, given);
  Range best{"", Encode(shared)};
  std::size_t most = shared.size();
  // Then no index helps: every page of an unfiltered listing comes here.
  if (std::ranges::none_of(given, &std::optional<std::string>::has_value)) return best;
  GLUECAT_ASSIGN_OR_RETURN(const auto filled, FilledIndexes::Of(call, table, keys));
  for (const auto& index : filled.indexes()) {
    std::vector<std::string> values;
    if (CountGiven(index, given, values) <= most) continue;
    GLUECAT_ASSIGN_OR_RETURN(const bool unusable, HasNoValue(call, table, index.name));
    if (unusable) continue;
    most = values.size();
    best = {index.name, Encode(values)};
  }
  return best;
}

// A listing goes on where it began: in the same index, or in the partitions' own order.
Result<PartitionScan::Range> PartitionScan::Continue(Call& call, const TableRow& table,
                                                     const std::vector<prune::PartitionKey>& keys,
                                                     const prune::Expression& expression,
                                                     std::string_view index_name) {
  const auto given = expression.EqualValues();
  if (index_name.empty()) return Range{"", Encode(SharedKeys(keys, given))};
  GLUECAT_ASSIGN_OR_RETURN(const auto filled, FilledIndexes::Of(call, table, keys));
  for (const auto& index : filled.indexes()) {
    if (index.name != index_name) continue;
    std::vector<std::string> values;
    CountGiven(index, given, values);
    return Range{index.name, Encode(values)};
  }
  return InvalidInput("The NextToken is no longer valid: the partition index " +
                      std::string(index_name) + " was deleted. Begin the listing again.");
}

Result<PartitionScan> PartitionScan::Begin(Call& call, const TableRow& table,
                                           const std::vector<prune::PartitionKey>& keys,
                                           const prune::Expression& expression,
                                           std::string_view after) {
  auto bound = std::make_unique<Bound>();
  Range range;
  if (after.empty()) {
    GLUECAT_ASSIGN_OR_RETURN(range, Choose(call, table, keys, expression));
    bound->from = JustBelow(range.first);
  } else if (after.starts_with(kIndexPosition)) {
    auto parts = DecodePartitionKey(after.substr(1));
    if (parts.size() != 3) return Fail(ErrorKind::kInternal, "a position in an index is damaged");
    GLUECAT_ASSIGN_OR_RETURN(range, Continue(call, table, keys, expression, parts[0]));
    bound->from = std::move(parts[1]);
    bound->from_key = std::move(parts[2]);
  } else {
    GLUECAT_ASSIGN_OR_RETURN(range, Continue(call, table, keys, expression, ""));
    bound->from = after;
  }
  bound->to = range.first + std::string(kAbove);
  bound->index = std::move(range.index);
  const bool own_order = bound->index.empty();
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare(
          own_order ? "SELECT key, id FROM partitions WHERE table_id=?1 AND key>?2 AND key<?3 "
                      "ORDER BY key"
                    : "SELECT key, partition_id, value FROM partition_index_keys WHERE table_id=?1 "
                      "AND name=?4 AND (value, key)>(?2, ?5) AND value<?3 ORDER BY value, key"));
  select.Bind(1, table.id).BindBlob(2, bound->from).BindBlob(3, bound->to);
  if (!own_order) select.Bind(4, bound->index).BindBlob(5, bound->from_key);
  return PartitionScan(std::move(select), std::move(bound));
}

std::string PartitionScan::Position() const {
  if (bound_->index.empty()) return std::string(key());
  return kIndexPosition + EncodePartitionKey({bound_->index, select_.Blob(2), key()});
}

}  // namespace gluecat::store
