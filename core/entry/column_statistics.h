// Column statistics between the form in which Spark keeps them and Glue's own.
//
// Spark's catalog holds texts under "<column>.<statistic>" (CatalogColumnStat.toMap, version 2). A
// Glue Data Catalog has typed structures beside the table's entry (ColumnStatistics of its API),
// which Athena, Trino and Redshift plan with. As those do, only data columns have any there: what
// the values of partition columns are, the partitions say.
#pragma once

#include <string>
#include <vector>

#include "core/entry/description.h"
#include "core/glue/model.h"

namespace gluecat::entry {

// Glue's names of the data columns of `table` that can have statistics: those of simple types, and
// of a view none.
std::vector<std::string> ColumnsWithStatistics(const glue::Table& table);

// What Glue can hold of `statistics`. Left out are columns whose number of nulls or of distinct
// values is not known, and booleans of both values: Glue wants the number of each, which Spark does
// not count. A timestamp is a number of seconds, as in Hive, its smallest value rounded down and
// its largest up. `analyzed_time` is in seconds since the epoch.
std::vector<glue::ColumnStatistics> ToGlueStatistics(const glue::Table& table,
                                                     const Statistics& statistics,
                                                     double analyzed_time);

// Spark's form of what Glue holds for `table`. Left out are statistics older than the last change
// of the entry that says when it was made (transient_lastDdlTime; a write that makes statistics
// wrong is one), those of another type than the column has now, and values that the type cannot
// have.
glue::Parameters FromGlueStatistics(const glue::Table& table,
                                    const std::vector<glue::ColumnStatistics>& statistics);

}  // namespace gluecat::entry
