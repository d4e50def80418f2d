// Tables of text files whose lines a SerDe reads: the options of provider `hive-text`.
#pragma once

#include <string>

#include "core/entry/serde_reader.h"
#include "core/glue/model.h"

namespace gluecat::entry {

// The reader of a table whose input format gives lines; its StorageDescriptor and SerDe must be
// there. A count of header or footer lines that is no number is the reason of having none.
SerDeReader ReaderOfText(const glue::Table& table);

// A parameter of the SerDe, or else of the table; nullptr if neither has it. Hive would have the
// table's go first. Here a partition's own SerDe goes before the table that it belongs to.
const std::string* SerDeSetting(const glue::Table& table, std::string_view key);

}  // namespace gluecat::entry
