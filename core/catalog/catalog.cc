#include "core/catalog/catalog.h"

#include <chrono>
#include <utility>

#include "core/catalog/names.h"

namespace gluecat::catalog {

Catalog::Catalog(Settings settings, std::string spark_version,
                 std::shared_ptr<glue::Transport> transport, std::shared_ptr<Clock> clock,
                 std::shared_ptr<aws::PushedProvider> pushed)
    : settings_(std::move(settings)),
      spark_version_(std::move(spark_version)),
      client_(std::move(transport), settings_.glue_id, settings_.skip_archive),
      clock_(clock),
      cached_(clock, std::chrono::milliseconds(settings_.cache_expiration_ms)),
      recent_(clock),
      recent_databases_(std::move(clock)),
      pushed_(std::move(pushed)),
      random_(std::random_device{}()) {}

std::string Catalog::Label() const {
  const std::string id =
      settings_.glue_id ? "glue.id " + *settings_.glue_id : "glue.id not set: the caller's account";
  return "catalog '" + settings_.catalog + "' (" + id + ")";
}

Status Catalog::SetCredentials(aws::Credentials credentials) {
  if (!pushed_) {
    return Fail(ErrorKind::kInvalidArgument,
                Label() + ": credentials can be set only with client.credentials-provider");
  }
  pushed_->Push(std::move(credentials));
  return {};
}

Error Catalog::Explain(Error error, std::string_view action, std::string_view object) const {
  const std::string what(object);
  std::string message = Label() + ": ";
  switch (error.kind) {
    case ErrorKind::kNotFound:
      message += what + " does not exist";
      break;
    case ErrorKind::kAlreadyExists:
      message += what + " exists already";
      break;
    case ErrorKind::kAccessDenied:
      message += "access denied: cannot " + std::string(action) + " " + what;
      break;
    default:
      message += "cannot " + std::string(action) + " " + what;
  }
  if (!error.message.empty()) message += ": " + error.message;
  if (!error.code.empty() && error.message.find(error.code) == std::string::npos) {
    message += " (" + error.code + ")";
  }
  if (!error.request_id.empty()) message += " [request id " + error.request_id + "]";
  error.message = std::move(message);
  return error;
}

Result<std::string> Catalog::FoldDatabase(std::string_view database) const {
  auto folded = FoldName(database, "database");
  if (!folded) return Fail(WithContext(std::move(folded).error(), Label()));
  return folded;
}

Result<Catalog::TableName> Catalog::Fold(std::string_view database, std::string_view table) const {
  GLUECAT_ASSIGN_OR_RETURN(std::string folded_database, FoldDatabase(database));
  auto folded = FoldName(table, "table");
  if (!folded) {
    return Fail(WithContext(std::move(folded).error(), Label() + ": database " + folded_database));
  }
  return TableName{std::move(folded_database), *std::move(folded)};
}

Result<glue::Table> Catalog::GetTable(const TableName& name,
                                      const glue::CallContext& context) const {
  auto table = client_.GetTable(name.database, name.table, context);
  if (!table) return Fail(Explain(std::move(table).error(), "read", "table " + name.ToString()));
  return table;
}

Result<glue::Database> Catalog::RecentOrGetDatabase(const std::string& name,
                                                    const glue::CallContext& context) {
  if (auto recent = recent_databases_.Take(name)) return *std::move(recent);
  auto database = client_.GetDatabase(name, context);
  if (!database) return Fail(Explain(std::move(database).error(), "read", "database " + name));
  return database;
}

Result<glue::Table> Catalog::RecentOrGetTable(const TableName& name,
                                              const glue::CallContext& context) {
  if (auto recent = recent_.Take(name.ToString())) return *std::move(recent);
  return GetTable(name, context);
}

entry::WriterInfo Catalog::Writer() const {
  entry::WriterInfo writer;
  writer.spark_version = spark_version_;
  writer.now_seconds =
      std::chrono::duration_cast<std::chrono::seconds>(clock_->Now().time_since_epoch()).count();
  return writer;
}

entry::TableDescription Catalog::Describe(const glue::Table& table) const {
  return entry::DescribeTable(table);
}

bool Catalog::BackOff(int trial, const glue::CallContext& context) {
  // Full jitter over a doubling window: concurrent writers spread out instead of
  // meeting again.
  constexpr int kFirstWindowMs = 20;
  constexpr int kLastDoubling = 5;
  const int window = kFirstWindowMs << std::min(trial, kLastDoubling);
  int wait = 0;
  {
    const std::lock_guard lock(random_mutex_);
    wait = std::uniform_int_distribution<int>(0, window)(random_);
  }
  return clock_->Sleep(std::chrono::milliseconds(wait), context.cancellation);
}

}  // namespace gluecat::catalog
