// The partitions of a table as Spark reads them: those that Glue holds, or those that a projection
// computes, without the ones that a filter excludes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/page_array.h"
#include "core/base/result.h"
#include "core/catalog/catalog.h"
#include "core/entry/description.h"
#include "core/prune/predicate.h"
#include "core/prune/projection.h"
#include "core/types/data_type.h"

namespace gluecat::catalog {

struct PartitionQuery {
  std::vector<prune::PartitionColumn> columns;
  std::optional<prune::Predicate> filter;
  // The partitions are computed; Glue is not asked.
  std::optional<prune::Projection> projection;
  // The format of the table's files. With it, the frame says which partitions another reader reads;
  // without, formats do not matter.
  std::optional<entry::TableFormat> format;
};

// The partition columns of `schema`, with Glue's type of each.
std::vector<prune::PartitionColumn> PartitionColumnsOf(const types::StructType& schema);

// A partition frame (docs/waist.md). One call per 1,000 partitions that match, none with a
// projection; one more listing if Glue refuses the filter's expression.
// Errors: kNotFound; those of prune::ListProjected.
Result<PageArray<char>> ListPartitions(const Catalog& catalog, std::string_view database,
                                       std::string_view table, const PartitionQuery& query,
                                       const glue::CallContext& context);

}  // namespace gluecat::catalog
