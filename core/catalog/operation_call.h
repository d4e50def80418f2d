// What the operations of docs/waist.md have in common.
#pragma once

#include <string>
#include <string_view>

#include "core/catalog/catalog.h"
#include "core/catalog/operations.h"
#include "core/catalog/request_reader.h"
#include "core/glue/transport.h"

namespace gluecat::catalog {

using Answer = Result<OperationAnswer>;

// One request in the making: `object` is filled in as soon as it is known, so
// that errors can name it.
struct Call {
  Catalog& catalog;
  RequestReader reader;
  const glue::CallContext& context;
  std::string object;
};

struct Operation {
  std::string_view name;
  Answer (*run)(Call&);
};

struct TableTarget {
  std::string database;
  std::string table;
};

// Reads the members "namespace" and "table".
inline TableTarget ReadTable(Call& call) {
  TableTarget target{call.reader.Text("namespace"), call.reader.Text("table")};
  call.object = target.database + "." + target.table;
  return target;
}

inline std::string EmptyAnswer() { return "{}"; }

}  // namespace gluecat::catalog
