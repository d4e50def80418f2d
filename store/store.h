// A Glue Data Catalog in a directory.
//
// The directory holds one SQLite file. Any number of threads, Store objects and
// processes may use it at the same time: a reader sees the last committed state,
// writers wait for one another, and a call that returned without error is on the
// disk. Everything in it belongs to one Data Catalog (a catalog id, usually an
// account) in one region.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/result.h"

namespace gluecat::store {

// What a resource link leads to.
struct LinkTarget {
  std::string catalog_id;
  std::string region;
  std::string database;
  std::string table;  // empty: the database as a whole
  bool operator==(const LinkTarget&) const = default;
};

// Who calls, as far as the catalog is concerned. What the caller may do with what the request
// names was decided before.
struct Principal {
  std::string account;  // 12 digits: the catalog that calls without a CatalogId mean
  std::string region;
  std::string arn;  // CreatedBy of new tables
  // Whether the caller may carry out the operation on what a link that the request names leads to,
  // which may lie in another catalog: an error that says why not. Asked for each link before it is
  // followed; empty lets all be followed.
  std::function<Status(const LinkTarget&)> may_follow = nullptr;
};

struct CatalogSummary {
  std::string catalog_id;
  std::string region;
  std::int64_t databases = 0;
};

struct StoreOptions {
  // Directories below which the store may write metadata files of Iceberg tables, on request of
  // CreateTable with an OpenTableFormatInput. Without one such requests are refused.
  std::vector<std::string> warehouses;
};

class Store {
 public:
  // Opens the store in `directory`, which is made if it is missing. Within a
  // process, the same directory, clock and options give the same store.
  // Errors: kInvalidArgument (empty path, a warehouse that is no directory), kUnavailable (cannot
  // be created or opened), kUnsupported (written by a newer version), kInvalidData (something
  // else's file).
  static Result<std::shared_ptr<Store>> Open(const std::string& directory,
                                             std::shared_ptr<Clock> clock,
                                             const StoreOptions& options = {});

  virtual ~Store() = default;

  // Carries out one operation of the Glue API ("GetTable") and gives the body of
  // its answer, both JSON. A call is all or nothing, batches excepted, which
  // report per item.
  //
  // Errors have the code and HTTP status that AWS sends: EntityNotFoundException and
  // the others that the operation's documentation lists, ValidationException,
  // SerializationException (malformed body), InvalidInputException for operations that a catalog
  // has no part in (jobs, crawlers, …), UnknownOperationException for what is none of Glue,
  // InternalServiceException with status 500 for failures of the store itself.
  virtual Result<std::string> Execute(const Principal& principal, std::string_view operation,
                                      std::string_view body) = 0;

  // The same for a body that has been parsed.
  virtual Result<std::string> Execute(const Principal& principal, std::string_view operation,
                                      JsonView request) = 0;

  // 32 random bytes that belong to this directory under `name`, made at first use: for what
  // several processes must agree on and nobody else may know. Errors: kUnavailable.
  virtual Result<std::string> Secret(std::string_view name) = 0;

  // The catalogs that something was stored in, by id and region. Errors: kUnavailable.
  virtual Result<std::vector<CatalogSummary>> Catalogs() = 0;

  // Deletes every entry of every catalog, at once; secrets stay. Errors: kUnavailable.
  virtual Status Clear() = 0;

  const std::string& directory() const { return directory_; }

 protected:
  explicit Store(std::string directory) : directory_(std::move(directory)) {}

 private:
  std::string directory_;
};

// True if `operation` is one that the store carries out.
bool IsKnownOperation(std::string_view operation);

}  // namespace gluecat::store
