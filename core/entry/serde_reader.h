// Which reader reads the files of a Hive table exactly as its SerDe does.
//
// Parquet, ORC and Avro files say themselves what is in them, so that only the matching of columns
// can differ from Spark's own readers: by name without regard to case, or by position where the
// entry asks for that and Spark can do it.
//
// Spark's csv and json would read malformed values, quotes, blank lines and the case of keys in
// text files differently from the SerDes of such files (LazySimple, OpenCSV, JSON, regular
// expressions). Those are read by provider `hive-text`, which has the SerDe itself, or a parser
// that does the same, make the rows of the lines. Its options say all that it needs;
// docs/waist.md has them.
//
// Hive's SymlinkTextInputFormat says that what lies in the directories of a table are manifests:
// texts with the location of a data file in each line. Delta tables generate such for readers of
// Hive tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/entry/description.h"
#include "core/glue/model.h"

namespace gluecat::entry {

// Text files whose lines a SerDe reads.
inline constexpr std::string_view kTextSerDeProvider = "hive-text";

struct SerDeReader {
  std::string provider = {};      // empty if there is none
  glue::Parameters options = {};  // for the reader and writer
  bool files_in_manifests = false;
  std::string reason = {};     // why there is none, to follow the table's name; else empty
  std::string read_only = {};  // why rows cannot be written, to follow the table's name; else empty
};

// The reader of a table without a Spark provider; its StorageDescriptor and SerDe must be there.
SerDeReader ReaderOfSerDe(const glue::Table& table);

// "parquet", "orc" or "avro", by the class of a table's or a partition's SerDe; empty for others.
std::string_view ProviderOfSerDe(std::string_view serialization_library);

}  // namespace gluecat::entry
