// How the operations of the API are laid out: one table row each, one file per
// family of objects. The dispatcher (store.cc) finds the row, checks the request
// against its shape, opens the transaction and calls the handler.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/base/result.h"
#include "store/iceberg_warehouse.h"
#include "store/page_token.h"
#include "store/shape.h"
#include "store/sqlite.h"
#include "store/store.h"

namespace gluecat::store {

// One call in progress.
struct Call {
  Connection& connection;
  const Principal& principal;
  JsonView request;         // valid according to the operation's shape
  std::string catalog_id;   // of the request, or the caller's account
  std::int64_t scope = 0;   // row of catalog and region; 0 if nothing was ever stored there
  std::string now;          // seconds since the epoch as JSON number, with milliseconds
  std::int64_t now_ms = 0;  // the same in milliseconds
  const PageTokens& tokens;
  const IcebergWarehouses& warehouses;

  // The member as text, in lower case: names are folded wherever they come in.
  std::string Name(std::string_view member) const;
};

struct Operation {
  std::string_view name;
  const Shape* input;
  Transaction::Mode mode;
  // Inside the transaction; an error rolls it back.
  Result<std::string> (*run)(Call& call);
};

// The families, in the files of the same names.
std::span<const Operation> DatabaseOperations();
std::span<const Operation> TableReadOperations();
std::span<const Operation> TableWriteOperations();
std::span<const Operation> TableSearchOperations();
std::span<const Operation> TableVersionOperations();
std::span<const Operation> PartitionReadOperations();
std::span<const Operation> PartitionWriteOperations();
std::span<const Operation> PartitionIndexOperations();
std::span<const Operation> FunctionOperations();
std::span<const Operation> ColumnStatisticsOperations();
std::span<const Operation> ConnectionOperations();
std::span<const Operation> TagOperations();
std::span<const Operation> ResourcePolicyOperations();
std::span<const Operation> EncryptionSettingsOperations();
std::span<const Operation> UnfilteredOperations();
std::span<const Operation> CatalogOperations();

// True for an operation of the Glue API that this catalog has nothing to answer with: jobs,
// crawlers, schemas and what else is no part of a Data Catalog.
bool IsBeyondTheCatalog(std::string_view operation);

}  // namespace gluecat::store
