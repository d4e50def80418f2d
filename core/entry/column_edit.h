// The columns of an entry while they are changed, and how the entry follows.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/entry/description.h"
#include "core/entry/recognize.h"
#include "core/glue/model.h"
#include "core/types/data_type.h"

namespace gluecat::entry {

// One edit of one table, a data source or a Delta table; both arguments must
// outlive it. Nothing of the entry's columns is written before WriteBack.
class ColumnEdit {
 public:
  ColumnEdit(glue::Table& table, const Recognized& recognized)
      : table_(table), recognized_(recognized) {}

  // Changes the stored schema, partition columns last, by `change(StructType&)`.
  // Errors: those of `change`; kInvalidData if the entry holds only a part of its
  // schema, kUnsupported if it holds none.
  template <typename ChangeSchema>
  Status Change(ChangeSchema change) {
    GLUECAT_RETURN_IF_ERROR(Load());
    const types::StructType old = schema_;
    GLUECAT_RETURN_IF_ERROR(change(schema_));
    Changed(old);
    return {};
  }

  // Takes another schema, whatever the entry holds.
  // Errors: kInvalidArgument for columns that do not fit together.
  Status Replace(types::StructType schema, const std::vector<std::string>& partition_columns);

  const std::vector<std::string>& partition_columns() const { return partition_columns_; }

  // Writes columns, partition keys and schema parameters, keeping everything of
  // a column that stays but what has changed of it.
  // Errors: kInvalidArgument and kLimitExceeded for columns Glue cannot hold.
  Status WriteBack(const WriterInfo& writer);

 private:
  Status Load();
  void Changed(const types::StructType& old);
  void FollowRename(const std::string& from, const std::string& to);
  void EraseColumnStatistics(const std::string& name);
  void DropStaleColumnStatistics();

  Status WriteColumns();
  void WriteSchemaParameters();
  void DropStaleBucketing();
  Status WriteDataColumns(const std::vector<types::StructField>& data);
  void WriteDeltaColumns(const std::vector<types::StructField>& data,
                         const std::vector<types::StructField>& partition);
  void MergeInto(std::vector<glue::Column>& columns, std::vector<glue::Column> wanted) const;

  glue::Parameters& Parameters();
  glue::StorageDescriptor& Descriptor();

  glue::Table& table_;
  const Recognized& recognized_;
  bool loaded_ = false;
  bool replaced_ = false;
  bool renamed_ = false;
  types::StructType before_;  // as it was, but under the new names
  types::StructType schema_;  // as it is to be
  std::vector<std::string> partition_columns_;
};

}  // namespace gluecat::entry
