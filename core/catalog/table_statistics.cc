#include <chrono>
#include <utility>

#include "core/catalog/catalog.h"
#include "core/entry/column_statistics.h"

namespace gluecat::catalog {

Status Catalog::StoreColumnStatistics(std::string_view database, std::string_view table,
                                      const entry::Statistics& statistics,
                                      const glue::CallContext& context) {
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  const entry::SetStatistics change{statistics, true};
  GLUECAT_ASSIGN_OR_RETURN(const glue::Table entry, ChangeTable(name, {change}, context));
  const std::chrono::duration<double> now = clock_->Now().time_since_epoch();
  auto stored = client_.UpdateColumnStatistics(
      name.database, name.table, entry::ToGlueStatistics(entry, statistics, now.count()), context);
  if (stored) return {};
  Error error = Explain(std::move(stored).error(), "store the column statistics of",
                        "table " + name.ToString());
  error.message +=
      "; the entry has them for Spark already, repeat the statement to keep them for other engines "
      "too";
  return Fail(std::move(error));
}

Result<glue::Parameters> Catalog::LoadColumnStatistics(std::string_view database,
                                                       std::string_view table,
                                                       const glue::CallContext& context) {
  GLUECAT_ASSIGN_OR_RETURN(const TableName name, Fold(database, table));
  GLUECAT_ASSIGN_OR_RETURN(glue::Table entry, RecentOrGetTable(name, context));
  GLUECAT_ASSIGN_OR_RETURN(const std::vector<glue::ColumnStatistics> found,
                           ReadColumnStatistics(name, entry, context));
  glue::Parameters columns = entry::FromGlueStatistics(entry, found);
  recent_.Put(name.ToString(), std::move(entry));
  return columns;
}

Result<std::vector<glue::ColumnStatistics>> Catalog::ReadColumnStatistics(
    const TableName& name, const glue::Table& entry, const glue::CallContext& context) const {
  auto found = client_.GetColumnStatistics(name.database, name.table,
                                           entry::ColumnsWithStatistics(entry), context);
  if (found) return found;
  const ErrorKind kind = found.error().kind;
  if (kind == ErrorKind::kAccessDenied || kind == ErrorKind::kUnsupported ||
      kind == ErrorKind::kUnavailable) {
    return std::vector<glue::ColumnStatistics>{};
  }
  return Fail(Explain(std::move(found).error(), "read the column statistics of",
                      "table " + name.ToString()));
}

}  // namespace gluecat::catalog
