// Which of Spark's own readers reads the files of a Hive table exactly as its SerDe does.
//
// Parquet, ORC and Avro files say themselves what is in them, so that only the matching of columns
// can differ: by name without regard to case, or by position where the entry asks for that and
// Spark can do it. The SerDes of text files (LazySimple, OpenCSV, JSON, regular expressions)
// disagree with Spark's csv and json on malformed values, quotes, blank lines and the case of keys:
// their tables have no reader here.
//
// Hive's SymlinkTextInputFormat says that what lies in the directories of a table are manifests: texts
// with the location of a data file in each line. Delta tables generate such for readers of Hive tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/entry/description.h"
#include "core/glue/model.h"

namespace gluecat::entry {

struct SerDeReader {
  std::string provider;      // empty if there is none
  glue::Parameters options;  // for Spark's reader and writer
  bool files_in_manifests = false;
  std::string reason;        // why there is none, to follow the table's name; else empty
};

// The reader of a table without a Spark provider; its StorageDescriptor and SerDe must be there.
SerDeReader ReaderOfSerDe(const glue::Table& table);

// "parquet", "orc" or "avro", by the class of a table's or a partition's SerDe; empty for others.
std::string_view ProviderOfSerDe(std::string_view serialization_library);

}  // namespace gluecat::entry
