#include <utility>

#include "core/catalog/catalog.h"
#include "core/glue/codec.h"

namespace gluecat::catalog {
namespace {

// Whether two entries are the same table under two names: everything but the
// name is equal.
bool SameBesidesName(const glue::Table& a, glue::Table b) {
  b.name = a.name;
  return glue::EncodeTableInput(a) == glue::EncodeTableInput(b);
}

bool IsPartitioned(const glue::Table& table) {
  return table.partition_keys && !table.partition_keys->empty();
}

}  // namespace

// Everything is read before anything is made, so that what may not be read is not lost.
Status Catalog::RenameTable(std::string_view database, std::string_view table,
                            std::string_view to_database, std::string_view to_table,
                            const glue::CallContext& context) {
  GLUECAT_ASSIGN_OR_RETURN(const TableName from, Fold(database, table));
  GLUECAT_ASSIGN_OR_RETURN(const TableName to, Fold(to_database, to_table));
  recent_.Forget(from.ToString());
  recent_.Forget(to.ToString());
  GLUECAT_ASSIGN_OR_RETURN(const glue::Table original, GetTable(from, context));
  const std::string old_object = "table " + from.ToString();
  const std::string object = "table " + to.ToString();
  std::vector<glue::PartitionIndex> indexes;
  if (IsPartitioned(original)) {
    auto found = client_.GetPartitionIndexes(from.database, from.table, context);
    if (!found) {
      return Fail(Explain(std::move(found).error(), "read the partition indexes of", old_object));
    }
    indexes = *std::move(found);
    std::erase_if(indexes, [](const auto& index) {
      return index.status == "DELETING" || index.status == "FAILED";
    });
  }
  GLUECAT_ASSIGN_OR_RETURN(const std::vector<glue::ColumnStatistics> statistics,
                           ReadColumnStatistics(from, original, context));

  glue::Table entry = original;
  entry.name = to.table;
  if (auto created = client_.CreateTable(to.database, entry, context, indexes); !created) {
    Error error = std::move(created).error();
    if (error.kind != ErrorKind::kAlreadyExists) {
      const bool no_database = error.kind == ErrorKind::kNotFound;
      return Fail(
          Explain(std::move(error), "create", no_database ? "database " + to.database : object));
    }
    // The new name is taken: by our own unfinished rename, or by another table.
    GLUECAT_ASSIGN_OR_RETURN(const glue::Table existing, GetTable(to, context));
    if (from.ToString() == to.ToString() || !SameBesidesName(original, existing)) {
      return Fail(Explain(std::move(error), "create", object));
    }
  }
  if (IsPartitioned(original)) GLUECAT_RETURN_IF_ERROR(CopyPartitions(from, to, context));
  auto copied = client_.UpdateColumnStatistics(to.database, to.table, statistics, context);
  if (!copied) {
    return Fail(Explain(std::move(copied).error(), "store the column statistics of", object));
  }
  auto deleted = client_.DeleteTable(from.database, from.table, context);
  if (!deleted && deleted.error().kind != ErrorKind::kNotFound) {
    Error error = Explain(std::move(deleted).error(), "drop", old_object);
    error.message += "; both names now point at the same data: repeat the rename to finish it";
    return Fail(std::move(error));
  }
  return {};
}

}  // namespace gluecat::catalog
