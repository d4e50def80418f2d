// Client's column statistics, of tables and of partitions.
#include <algorithm>
#include <utility>

#include "core/glue/client.h"
#include "core/glue/client_request.h"
#include "core/glue/codec.h"

namespace gluecat::glue {
namespace {

// The most columns of one request: GetColumnNamesList and UpdateColumnStatisticsList of the API.
constexpr std::size_t kReadBatch = 100;
constexpr std::size_t kWriteBatch = 25;

// One element of an answer's Errors.
Error DecodeError(JsonView entry) {
  const JsonView detail = entry["Error"];
  Error error;
  error.code = detail["ErrorCode"].StringOr("");
  error.kind = KindOfCode(error.code, 400);
  error.message = "statistics of column " + entry["ColumnStatistics"]["ColumnName"].StringOr("?") +
                  ": " + detail["ErrorMessage"].StringOr("");
  return error;
}

}  // namespace

// A table, or one of its partitions.
struct Client::StatisticsOwner {
  std::string_view database;
  std::string_view table;
  const std::vector<std::string>* values = nullptr;  // of the partition

  std::string Operation(std::string_view verb) const {
    return std::string(verb) + "ColumnStatisticsFor" + (values == nullptr ? "Table" : "Partition");
  }
  void Write(Request& request) const {
    request.Set("DatabaseName", database).Set("TableName", table);
    if (values == nullptr) return;
    request.writer().Key("PartitionValues").BeginArray();
    for (const auto& value : *values) request.writer().String(value);
    request.writer().EndArray();
  }
};

Result<std::vector<ColumnStatistics>> Client::ReadStatistics(
    const StatisticsOwner& owner, const std::vector<std::string>& columns,
    const CallContext& context) const {
  std::vector<ColumnStatistics> statistics;
  for (std::size_t from = 0; from < columns.size(); from += kReadBatch) {
    Request request(catalog_id_);
    owner.Write(request);
    request.writer().Key("ColumnNames").BeginArray();
    const std::size_t to = std::min(columns.size(), from + kReadBatch);
    for (std::size_t i = from; i < to; ++i) request.writer().String(columns[i]);
    request.writer().EndArray();
    GLUECAT_ASSIGN_OR_RETURN(const std::string body,
                             transport_->Call(owner.Operation("Get"), request.Take(), context));
    GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(body));
    for (const JsonView item : document.root()["ColumnStatisticsList"].Elements()) {
      GLUECAT_ASSIGN_OR_RETURN(ColumnStatistics column, DecodeColumnStatistics(item));
      statistics.push_back(std::move(column));
    }
  }
  return statistics;
}

Status Client::WriteStatistics(const StatisticsOwner& owner,
                               const std::vector<ColumnStatistics>& statistics,
                               const CallContext& context) const {
  for (std::size_t from = 0; from < statistics.size(); from += kWriteBatch) {
    Request request(catalog_id_);
    owner.Write(request);
    request.writer().Key("ColumnStatisticsList").BeginArray();
    const std::size_t to = std::min(statistics.size(), from + kWriteBatch);
    for (std::size_t i = from; i < to; ++i) EncodeColumnStatistics(statistics[i], request.writer());
    request.writer().EndArray();
    GLUECAT_ASSIGN_OR_RETURN(const std::string body,
                             SendWrite(owner.Operation("Update"), request, context));
    GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(body));
    const auto errors = document.root()["Errors"].Elements();
    if (!errors.empty()) return Fail(DecodeError(errors.front()));
  }
  return {};
}

Result<std::vector<ColumnStatistics>> Client::GetColumnStatistics(
    std::string_view database, std::string_view table, const std::vector<std::string>& columns,
    const CallContext& context) const {
  return ReadStatistics({database, table}, columns, context);
}

Status Client::UpdateColumnStatistics(std::string_view database, std::string_view table,
                                      const std::vector<ColumnStatistics>& statistics,
                                      const CallContext& context) const {
  return WriteStatistics({database, table}, statistics, context);
}

Result<std::vector<ColumnStatistics>> Client::GetPartitionColumnStatistics(
    std::string_view database, std::string_view table, const std::vector<std::string>& values,
    const std::vector<std::string>& columns, const CallContext& context) const {
  return ReadStatistics({database, table, &values}, columns, context);
}

Status Client::UpdatePartitionColumnStatistics(std::string_view database, std::string_view table,
                                               const std::vector<std::string>& values,
                                               const std::vector<ColumnStatistics>& statistics,
                                               const CallContext& context) const {
  return WriteStatistics({database, table, &values}, statistics, context);
}

}  // namespace gluecat::glue
