#include "core/catalog/partition_listing.h"

#include <map>
#include <utility>

#include "core/catalog/partition_frame.h"
#include "core/entry/partition_reader.h"
#include "core/prune/pushdown.h"

namespace gluecat::catalog {
namespace {

// Whether Glue refused the expression rather than the call: the partitions are
// then listed without one, and the filter is ours alone (Glue's documentation
// names InvalidInputException for grammar and InvalidStateException for stored
// values that are not of their key's type).
bool RefusedExpression(const Error& error) {
  return error.code == "InvalidInputException" || error.code == "InvalidStateException";
}

// The format of a partition, as its entry names it.
entry::FileFormat FormatOf(const glue::PartitionView& partition) {
  entry::FileFormat format;
  format.input_format = partition.input_format;
  format.output_format = partition.output_format;
  format.serialization_library = partition.serialization_library;
  for (const auto& [key, value] : partition.serde_parameters) {
    format.serde_parameters.insert_or_assign(std::string(key), std::string(value));
  }
  return format;
}

// Keeps the partitions that the filter might keep, and tells which reader each has.
class KeptPartitions final : public glue::PartitionSink {
 public:
  explicit KeptPartitions(const PartitionQuery& query)
      : query_(query), frame_(query.columns.size(), nullptr) {}

  Status Add(const glue::PartitionView& partition) override {
    if (query_.filter && partition.values.size() == query_.columns.size() &&
        !prune::MightMatch(*query_.filter, query_.columns, partition.values)) {
      return {};
    }
    return frame_.Add(partition, ReaderOf(partition));
  }

  PageArray<char> Encode() && { return std::move(frame_).Encode(); }

 private:
  std::uint32_t ReaderOf(const glue::PartitionView& partition) {
    if (!query_.format) return kNone;
    if (partition.format_revision != 0 && partition.format_revision == revision_) return reader_;
    const auto [found, added] = readers_.try_emplace(FormatOf(partition), kNone);
    if (added) {
      const auto reader = entry::ReaderOfPartition(*query_.format, found->first);
      if (reader) found->second = frame_.AddReader(*reader);
    }
    reader_ = found->second;
    revision_ = partition.format_revision;
    return reader_;
  }

  const PartitionQuery& query_;
  PartitionFrame frame_;
  std::map<entry::FileFormat, std::uint32_t> readers_;
  // The one of the last partition, which the next mostly shares.
  std::uint64_t revision_ = 0;
  std::uint32_t reader_ = kNone;
};

Status ScanProjection(const Catalog& catalog, const PartitionQuery& query, const std::string& table,
                      glue::PartitionSink& sink, const glue::CallContext& context) {
  glue::PartitionView view;
  const auto listed = prune::ListProjected(
      *query.projection, query.columns, query.filter ? &*query.filter : nullptr, catalog.Now(),
      [&](const std::vector<std::string_view>& values, const std::string& location) -> Status {
        if (context.cancellation.IsCancelled()) {
          return Fail(ErrorKind::kCancelled, "the listing was cancelled");
        }
        view.values = values;
        view.location = location;
        return sink.Add(view);
      });
  if (listed) return {};
  return Fail(catalog.Explain(listed.error(), "list the partitions of", "table " + table));
}

}  // namespace

std::vector<prune::PartitionColumn> PartitionColumnsOf(const types::StructType& schema) {
  std::vector<prune::PartitionColumn> columns;
  for (const types::StructField& field : schema.fields) {
    prune::PartitionColumn column;
    column.name = field.name;
    column.spark_type = prune::ParseKeyType(field.type.name());
    const auto glue_type = types::ToGlueType(field.type);
    column.glue_type = prune::ParseKeyType(glue_type.value_or(""));
    columns.push_back(std::move(column));
  }
  return columns;
}

Result<PageArray<char>> ListPartitions(const Catalog& catalog, std::string_view database,
                                       std::string_view table, const PartitionQuery& query,
                                       const glue::CallContext& context) {
  const std::string name = std::string(database) + "." + std::string(table);
  KeptPartitions kept(query);
  if (query.projection) {
    GLUECAT_RETURN_IF_ERROR(ScanProjection(catalog, query, name, kept, context));
    return std::move(kept).Encode();
  }
  const std::string expression =
      query.filter ? prune::ToGlueExpression(*query.filter, query.columns) : std::string();
  auto scanned = catalog.ScanPartitions(database, table, expression, kept, context);
  if (scanned) return std::move(kept).Encode();
  if (expression.empty() || !RefusedExpression(scanned.error())) {
    return std::unexpected(std::move(scanned).error());
  }
  KeptPartitions all(query);
  GLUECAT_RETURN_IF_ERROR(catalog.ScanPartitions(database, table, "", all, context));
  return std::move(all).Encode();
}

}  // namespace gluecat::catalog
