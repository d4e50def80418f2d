#include "core/catalog/partition_listing.h"

#include <utility>

#include "core/base/text.h"
#include "core/catalog/partition_frame.h"
#include "core/entry/serde_reader.h"
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

// Keeps the partitions that the filter might keep, and sees to it that the table's reader is
// theirs.
class KeptPartitions final : public glue::PartitionSink {
 public:
  KeptPartitions(const Catalog& catalog, std::string table, const PartitionQuery& query)
      : catalog_(catalog),
        table_(std::move(table)),
        query_(query),
        frame_(query.columns.size(), nullptr) {}

  Status Add(const glue::PartitionView& partition) override {
    if (query_.filter && partition.values.size() == query_.columns.size() &&
        !prune::MightMatch(*query_.filter, query_.columns, partition.values)) {
      return {};
    }
    if (!query_.provider.empty()) GLUECAT_RETURN_IF_ERROR(CheckFormat(partition));
    return frame_.Add(partition);
  }

  PageArray<char> Encode() && { return std::move(frame_).Encode(); }

 private:
  Status CheckFormat(const glue::PartitionView& partition) {
    if (partition.format_revision != 0 && partition.format_revision == checked_revision_) return {};
    const auto provider = entry::ProviderOfSerDe(partition.serialization_library.value_or(""));
    if (!provider.empty() && provider != query_.provider) {
      std::vector<std::string> values(partition.values.begin(), partition.values.end());
      return Fail(catalog_.Explain(
          MakeError(ErrorKind::kUnsupported,
                    "its files are " + std::string(provider) + ", and those of the table " +
                        query_.provider +
                        "; a table with files of several formats cannot be read: exclude the "
                        "partition with a filter, or write it again in the table's format"),
          "read", "partition " + Join(values, "/") + " of table " + table_));
    }
    checked_revision_ = partition.format_revision;
    return {};
  }

  const Catalog& catalog_;
  std::string table_;
  const PartitionQuery& query_;
  PartitionFrame frame_;
  std::uint64_t checked_revision_ = 0;
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
  KeptPartitions kept(catalog, name, query);
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
  KeptPartitions all(catalog, name, query);
  GLUECAT_RETURN_IF_ERROR(catalog.ScanPartitions(database, table, "", all, context));
  return std::move(all).Encode();
}

}  // namespace gluecat::catalog
