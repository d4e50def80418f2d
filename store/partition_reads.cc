// GetPartition, GetPartitions, BatchGetPartition.
#include <array>
#include <optional>
#include <set>
#include <string>

#include "store/entry_text.h"
#include "store/fnv.h"
#include "store/listing_page.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/partition_finder.h"
#include "store/partition_key.h"
#include "store/partition_rows.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"

namespace gluecat::store {
namespace {

constexpr std::int64_t kMaxPage = 1000;

constexpr std::string_view kSelectOne =
    "SELECT " GLUECAT_PARTITION_PIECES " FROM partitions WHERE table_id=?1 AND key=?2";

Result<std::string> GetPartition(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto table, FindTableToRead(call, "TableName"));
  if (!table) return EntityNotFound("Cannot find partition.");
  GLUECAT_ASSIGN_OR_RETURN(const auto partition, ReadPartition(call, *table));
  return Answer("Partition", partition);
}

// Partitions that are not there are left out, each one that is appears once.
Result<std::string> BatchGetPartition(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto found_table, FindTableToRead(call, "TableName"));
  if (!found_table) return R"({"Partitions":[],"UnprocessedKeys":[]})";
  const TableRow& table = *found_table;
  const auto keys = PartitionKeysOf(table);
  PartitionWriter writer(call, table, true);
  std::string out = "{\"Partitions\":[";
  std::set<std::string> seen;
  bool first = true;
  GLUECAT_ASSIGN_OR_RETURN(auto select, call.connection.Prepare(kSelectOne));
  for (const auto& element : call.request["PartitionsToGet"].Elements()) {
    GLUECAT_ASSIGN_OR_RETURN(const auto values, ValuesOf(table, keys.size(), element["Values"]));
    const auto [key, fresh] = seen.insert(EncodePartitionKey(values));
    if (!fresh) continue;
    GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, table.id).BindBlob(2, *key).Step());
    if (found) {
      if (!first) out += ',';
      first = false;
      GLUECAT_RETURN_IF_ERROR(writer.Write(select, 0, out));
    }
    select.Reset();
  }
  return out + "],\"UnprocessedKeys\":[]}";
}

// Which of the table's partitions a GetPartitions call wants.
class Filter {
 public:
  static Result<Filter> Of(const Call& call, const TableRow& table) {
    auto expression =
        prune::Expression::Parse(call.request["Expression"].StringOr(""), PartitionKeysOf(table));
    if (!expression) return InvalidInput(expression.error().message);
    Filter filter(*std::move(expression));
    if (const JsonView segment = call.request["Segment"]; !segment.IsNull()) {
      filter.segment_ = static_cast<std::uint64_t>(segment["SegmentNumber"].IntOr(0));
      filter.segments_ = static_cast<std::uint64_t>(segment["TotalSegments"].IntOr(1));
      if (filter.segment_ >= filter.segments_) {
        return InvalidInput("SegmentNumber must be less than TotalSegments.");
      }
    }
    return filter;
  }

  bool TakesAll() const { return segments_ == 1 && expression_.MatchesEverything(); }
  const prune::Expression& expression() const { return expression_; }

  Result<bool> Takes(std::string_view key) {
    if (segments_ > 1 && Fnv().Add(key).value() % segments_ != segment_) return false;
    if (expression_.MatchesEverything()) return true;
    DecodePartitionKey(key, values_);
    views_.assign(values_.begin(), values_.end());
    auto matches = expression_.Matches(views_);
    if (!matches) return InvalidState(matches.error().message);
    return matches;
  }

 private:
  explicit Filter(prune::Expression expression) : expression_(std::move(expression)) {}

  prune::Expression expression_;
  std::uint64_t segment_ = 0;
  std::uint64_t segments_ = 1;
  std::vector<std::string> values_;  // of the key that is looked at
  std::vector<std::string_view> views_;
};

std::string ListingName(const Call& call, const TableRow& table, std::string_view operation) {
  const JsonView segment = call.request["Segment"];
  return std::string(operation) + "/" + std::to_string(table.id) + "/" +
         std::to_string(segment["SegmentNumber"].IntOr(0)) + "/" +
         std::to_string(segment["TotalSegments"].IntOr(1)) + "/" +
         call.request["Expression"].StringOr("");
}

Result<std::string> GetPartitions(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto table, FindTableToRead(call, "TableName"));
  if (!table) return R"({"Partitions":[]})";
  return ListPartitions(
      call, *table,
      {.operation = "GetPartitions", .member = "Partitions", .before = "", .after = ""});
}

constexpr auto kGetMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"PartitionValues", &shapes::kPartitionValues, true},
});
constexpr auto kListMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"Expression", &shapes::kPredicate},
    {"NextToken", &shapes::kToken},
    {"Segment", &shapes::kSegment},
    {"MaxResults", &shapes::kPageSize},
    {"ExcludeColumnSchema", &shapes::kBoolean},
    {"TransactionId", &shapes::kTransactionId},
    {"QueryAsOfTime", &shapes::kTimestamp},
});
constexpr auto kBatchGetMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DatabaseName", &shapes::kName, true},
    {"TableName", &shapes::kName, true},
    {"PartitionsToGet", &shapes::kPartitionsToGet, true},
});
constexpr Shape kGet = shapes::Structure(kGetMembers);
constexpr Shape kList = shapes::Structure(kListMembers);
constexpr Shape kBatchGet = shapes::Structure(kBatchGetMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"GetPartition", &kGet, Mode::kRead, GetPartition},
    {"GetPartitions", &kList, Mode::kRead, GetPartitions},
    {"BatchGetPartition", &kBatchGet, Mode::kRead, BatchGetPartition},
});

}  // namespace

Result<std::string> ReadPartition(Call& call, const TableRow& table) {
  const auto keys = PartitionKeysOf(table);
  GLUECAT_ASSIGN_OR_RETURN(const auto values,
                           ValuesOf(table, keys.size(), call.request["PartitionValues"]));
  const std::string key = EncodePartitionKey(values);
  GLUECAT_ASSIGN_OR_RETURN(auto select, call.connection.Prepare(kSelectOne));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, table.id).BindBlob(2, key).Step());
  if (!found) return EntityNotFound("Cannot find partition.");
  std::string out;
  GLUECAT_RETURN_IF_ERROR(PartitionWriter(call, table, true).Write(select, 0, out));
  return out;
}

Result<std::string> ListPartitions(Call& call, const TableRow& table,
                                   const PartitionListing& listing) {
  GLUECAT_ASSIGN_OR_RETURN(auto filter, Filter::Of(call, table));
  GLUECAT_ASSIGN_OR_RETURN(
      auto page, ListingPage::Of(call, ListingName(call, table, listing.operation), kMaxPage));
  PartitionWriter writer(call, table, !call.request["ExcludeColumnSchema"].BoolOr(false));

  std::string out = "{\"" + std::string(listing.member) + "\":[";
  // Keys come from an index alone; a row is only read once its key passes.
  GLUECAT_ASSIGN_OR_RETURN(auto scan, PartitionScan::Begin(call, table, PartitionKeysOf(table),
                                                           filter.expression(), page.after()));
  GLUECAT_ASSIGN_OR_RETURN(auto fetch, call.connection.Prepare("SELECT " GLUECAT_PARTITION_PIECES
                                                               " FROM partitions WHERE id=?1"));
  while (true) {
    GLUECAT_ASSIGN_OR_RETURN(const bool row, scan.Next());
    if (!row) break;
    const std::string_view key = scan.key();
    if (!filter.TakesAll()) {
      GLUECAT_ASSIGN_OR_RETURN(const bool takes, filter.Takes(key));
      if (!takes) continue;
    }
    if (!page.Take(scan.Position())) break;
    if (page.count() > 1) out += ',';
    GLUECAT_RETURN_IF_ERROR(fetch.Bind(1, scan.id()).Step());
    out += listing.before;
    GLUECAT_RETURN_IF_ERROR(writer.Write(fetch, 0, out));
    out += listing.after;
    fetch.Reset();
  }
  out += ']';
  if (const auto token = page.NextToken()) out += ",\"NextToken\":\"" + *token + "\"";
  return out + '}';
}

std::span<const Operation> PartitionReadOperations() { return kOperations; }

}  // namespace gluecat::store
