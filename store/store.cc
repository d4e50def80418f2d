#include "store/store.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "store/directory_lock.h"
#include "store/lookup.h"
#include "store/operation.h"
#include "store/schema.h"
#include "store/service_errors.h"

namespace gluecat::store {
namespace {

constexpr const char* kFileName = "gluecat.db";
constexpr int kBusyTimeoutMs = 15'000;
constexpr std::size_t kIdleConnections = 8;

const Operation* FindOperation(std::string_view name) {
  // Built once, from every family; leaked, so that nothing runs at exit.
  static const auto& operations = *[] {
    auto* all = new std::map<std::string_view, const Operation*>();
    for (const auto family :
         {DatabaseOperations(), TableReadOperations(), TableWriteOperations(),
          TableSearchOperations(), TableVersionOperations(), PartitionReadOperations(),
          PartitionWriteOperations(), PartitionIndexOperations(), FunctionOperations(),
          ColumnStatisticsOperations(), ConnectionOperations(), TagOperations(),
          ResourcePolicyOperations(), EncryptionSettingsOperations(), UnfilteredOperations(),
          CatalogOperations()}) {
      for (const auto& operation : family) all->emplace(operation.name, &operation);
    }
    return all;
  }();
  const auto found = operations.find(name);
  return found == operations.end() ? nullptr : found->second;
}

std::int64_t MillisecondsOf(Timestamp time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

std::string SecondsText(Timestamp time) {
  const std::int64_t ms = MillisecondsOf(time);
  std::string fraction = std::to_string(ms % 1000);
  fraction.insert(0, 3 - fraction.size(), '0');
  return std::to_string(ms / 1000) + "." + fraction;
}

// What a caller over the network sees of a failure of the store itself.
Error AsServiceError(Error error) {
  if (!error.code.empty()) return error;
  error.code = "InternalServiceException";
  error.http_status = 500;
  return error;
}

Result<std::string> ReadSecret(Connection& connection, std::string_view name) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto insert,
      connection.Prepare(
          "INSERT INTO secrets(name, value) VALUES(?1, randomblob(32)) ON CONFLICT DO NOTHING"));
  GLUECAT_ASSIGN_OR_RETURN(auto select,
                           connection.Prepare("SELECT value FROM secrets WHERE name=?1"));
  GLUECAT_ASSIGN_OR_RETURN(bool found, select.Bind(1, name).Step());
  if (!found) {
    select.Reset();
    GLUECAT_RETURN_IF_ERROR(insert.Bind(1, name).Run());
    GLUECAT_ASSIGN_OR_RETURN(found, select.Bind(1, name).Step());
    if (!found) return Fail(ErrorKind::kInternal, "the store lost a secret");
  }
  return std::string(select.Blob(0));
}

Result<std::vector<CatalogSummary>> ReadCatalogs(Connection& connection) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      connection.Prepare("SELECT catalog_id, region, (SELECT count(*) FROM databases WHERE "
                         "scope_id=s.id) FROM scopes s ORDER BY catalog_id, region"));
  std::vector<CatalogSummary> catalogs;
  while (true) {
    GLUECAT_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return catalogs;
    catalogs.push_back({std::string(select.Text(0)), std::string(select.Text(1)), select.Int(2)});
  }
}

// What belongs to a database goes with it; catalogs and regions go last, since all else names them.
Status DeleteEverything(Connection& connection) {
  GLUECAT_ASSIGN_OR_RETURN(auto transaction,
                           Transaction::Begin(connection, Transaction::Mode::kWrite));
  GLUECAT_RETURN_IF_ERROR(connection.Execute(
      "DELETE FROM databases; DELETE FROM connections; DELETE FROM catalogs; DELETE FROM tags;"
      "DELETE FROM resource_policies; DELETE FROM encryption_settings; DELETE FROM scopes;"));
  return transaction.Commit();
}

class SqliteStore final : public Store {
 public:
  SqliteStore(std::string directory, std::string path, std::shared_ptr<Clock> clock,
              IcebergWarehouses warehouses, DirectoryLock lock, std::string secret)
      : Store(std::move(directory)),
        path_(std::move(path)),
        clock_(std::move(clock)),
        warehouses_(std::move(warehouses)),
        lock_(std::move(lock)),
        tokens_(std::move(secret)) {}

  Result<std::string> Execute(const Principal& principal, std::string_view operation,
                              std::string_view body) override {
    const auto document = JsonDocument::Parse(body.empty() ? "{}" : body);
    if (!document) return ServiceError("SerializationException", document.error().message);
    return Execute(principal, operation, document->root());
  }

  Result<std::string> Execute(const Principal& principal, std::string_view name,
                              JsonView request) override {
    const Operation* const operation = FindOperation(name);
    if (operation == nullptr && IsBeyondTheCatalog(name)) {
      return InvalidInput("The operation " + std::string(name) +
                          " is not supported by this catalog.");
    }
    if (operation == nullptr) {
      return ServiceError(
          "UnknownOperationException",
          "The operation " + std::string(name.substr(0, 128)) + " is not supported.");
    }
    GLUECAT_RETURN_IF_ERROR(Validate(request, *operation->input));
    auto connection = Borrow();
    if (!connection) return Fail(AsServiceError(std::move(connection).error()));
    auto answer = Run(**connection, *operation, principal, request);
    GiveBack(*std::move(connection));
    if (!answer) return Fail(AsServiceError(std::move(answer).error()));
    return answer;
  }

  Result<std::string> Secret(std::string_view name) override {
    GLUECAT_ASSIGN_OR_RETURN(auto connection, Borrow());
    auto secret = ReadSecret(*connection, name);
    GiveBack(std::move(connection));
    return secret;
  }

  Result<std::vector<CatalogSummary>> Catalogs() override {
    GLUECAT_ASSIGN_OR_RETURN(auto connection, Borrow());
    auto catalogs = ReadCatalogs(*connection);
    GiveBack(std::move(connection));
    return catalogs;
  }

  Status Clear() override {
    const std::lock_guard writing(write_mutex_);
    GLUECAT_ASSIGN_OR_RETURN(auto connection, Borrow());
    auto cleared = DeleteEverything(*connection);
    GiveBack(std::move(connection));
    return cleared;
  }

 private:
  Result<std::string> Run(Connection& connection, const Operation& operation,
                          const Principal& principal, JsonView request) {
    // Writers of this process queue here, so that only processes meet at the file's lock.
    std::unique_lock<std::mutex> writing;
    if (operation.mode == Transaction::Mode::kWrite) writing = std::unique_lock(write_mutex_);
    GLUECAT_ASSIGN_OR_RETURN(auto transaction, Transaction::Begin(connection, operation.mode));
    const Timestamp now = clock_->Now();
    Call call{.connection = connection,
              .principal = principal,
              .request = request,
              .catalog_id = request["CatalogId"].StringOr(principal.account),
              .scope = 0,
              .now = SecondsText(now),
              .now_ms = MillisecondsOf(now),
              .tokens = tokens_,
              .warehouses = warehouses_};
    GLUECAT_ASSIGN_OR_RETURN(call.scope, FindScope(connection, call.catalog_id, principal.region));
    GLUECAT_ASSIGN_OR_RETURN(auto answer, operation.run(call));
    GLUECAT_RETURN_IF_ERROR(transaction.Commit());
    return answer;
  }

  Result<std::unique_ptr<Connection>> Borrow() {
    {
      const std::lock_guard lock(idle_mutex_);
      if (!idle_.empty()) {
        auto connection = std::move(idle_.back());
        idle_.pop_back();
        return connection;
      }
    }
    return Connection::Open(path_, kBusyTimeoutMs);
  }

  void GiveBack(std::unique_ptr<Connection> connection) {
    const std::lock_guard lock(idle_mutex_);
    if (idle_.size() < kIdleConnections) idle_.push_back(std::move(connection));
  }

  const std::string path_;
  const std::shared_ptr<Clock> clock_;
  const IcebergWarehouses warehouses_;
  const DirectoryLock lock_;
  const PageTokens tokens_;
  std::mutex write_mutex_;
  std::mutex idle_mutex_;
  std::vector<std::unique_ptr<Connection>> idle_;
};

Result<std::shared_ptr<Store>> OpenNew(const std::string& directory, std::shared_ptr<Clock> clock,
                                       const StoreOptions& options) {
  GLUECAT_ASSIGN_OR_RETURN(auto warehouses, IcebergWarehouses::Of(options.warehouses));
  const std::string path = (std::filesystem::path(directory) / kFileName).string();
  GLUECAT_ASSIGN_OR_RETURN(auto lock, DirectoryLock::Take(directory, *clock));
  GLUECAT_ASSIGN_OR_RETURN(auto connection, Connection::Open(path, kBusyTimeoutMs));
  GLUECAT_RETURN_IF_ERROR(PrepareSchema(*connection));
  GLUECAT_ASSIGN_OR_RETURN(auto secret, ReadSecret(*connection, "page_token"));
  lock.FinishOpening();
  return std::make_shared<SqliteStore>(directory, path, std::move(clock), std::move(warehouses),
                                       std::move(lock), std::move(secret));
}

}  // namespace

Result<std::shared_ptr<Store>> Store::Open(const std::string& directory,
                                           std::shared_ptr<Clock> clock,
                                           const StoreOptions& options) {
  if (directory.empty()) return Fail(ErrorKind::kInvalidArgument, "the store's directory is empty");
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  const auto canonical =
      error ? std::filesystem::path() : std::filesystem::canonical(directory, error);
  if (error) {
    return Fail(ErrorKind::kUnavailable,
                "the store's directory " + directory + " cannot be used: " + error.message());
  }

  // The stores of this process; leaked, so that nothing runs at exit.
  using Key = std::tuple<std::string, Clock*, std::vector<std::string>>;
  static auto& mutex = *new std::mutex();
  static auto& stores = *new std::map<Key, std::weak_ptr<Store>>();
  const std::lock_guard lock(mutex);
  std::erase_if(stores, [](const auto& entry) { return entry.second.expired(); });
  auto& known = stores[Key(canonical.string(), clock.get(), options.warehouses)];
  if (auto store = known.lock()) return store;
  auto store = OpenNew(canonical.string(), std::move(clock), options);
  if (!store) return Fail(WithContext(std::move(store).error(), "store " + canonical.string()));
  known = *store;
  return store;
}

bool IsKnownOperation(std::string_view operation) { return FindOperation(operation) != nullptr; }

}  // namespace gluecat::store
