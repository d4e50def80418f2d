#include "core/glue/client.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/base/json.h"
#include "core/glue/client_request.h"
#include "core/glue/codec.h"
#include "core/glue/partition_listing.h"

namespace gluecat::glue {
namespace {

// Page and batch sizes: the maxima of the Glue API model.
constexpr int kListPage = 100;
constexpr std::size_t kPartitionPage = 1000;
constexpr std::size_t kReadBatch = 1000;
constexpr std::size_t kWriteBatch = 100;
constexpr std::size_t kDeleteBatch = 25;

constinit std::atomic<std::uint64_t> writes_ended{0};

void WriteValues(JsonWriter& writer, const std::vector<std::string>& values) {
  writer.BeginArray();
  for (const auto& value : values) writer.String(value);
  writer.EndArray();
}

std::vector<std::string> ReadValues(JsonView json) {
  std::vector<std::string> values;
  for (const JsonView value : json.Elements()) values.push_back(value.StringOr(""));
  return values;
}

// One element of a batch answer's Errors.
PartitionFailure DecodeFailure(JsonView entry) {
  PartitionFailure failure;
  // BatchUpdatePartition calls the member PartitionValueList, the others PartitionValues.
  for (const std::string_view key : {"PartitionValues", "PartitionValueList"}) {
    if (!entry[key].IsNull()) failure.values = ReadValues(entry[key]);
  }
  const JsonView detail = entry["ErrorDetail"];
  failure.error.code = detail["ErrorCode"].StringOr("");
  failure.error.message = detail["ErrorMessage"].StringOr("");
  failure.error.kind = KindOfCode(failure.error.code, 400);
  return failure;
}

}  // namespace

struct Client::BatchOperation {
  std::string_view name;
  std::string_view member;  // the list of items in the request
  std::size_t batch_size;
  ErrorKind done_already;  // how Glue refuses an item that is as wanted already
};

Client::Client(std::shared_ptr<Transport> transport, std::optional<std::string> catalog_id,
               bool skip_archive)
    : transport_(std::move(transport)),
      catalog_id_(std::move(catalog_id)),
      skip_archive_(skip_archive) {}

std::uint64_t Client::WritesEnded() { return writes_ended.load(); }

Result<std::string> Client::SendWrite(std::string_view operation, Request& request,
                                      const CallContext& context) const {
  auto answer = transport_->Call(operation, request.Take(), context);
  // Also when it failed: it may have been carried out.
  ++writes_ended;
  return answer;
}

Status Client::Write(std::string_view operation, Request& request,
                     const CallContext& context) const {
  GLUECAT_RETURN_IF_ERROR(SendWrite(operation, request, context));
  return {};
}

Status Client::ForEachPage(std::string_view operation, const std::function<void(Request&)>& fill,
                           const std::function<Result<bool>(JsonView)>& page,
                           const CallContext& context) const {
  std::string token;
  do {
    Request request(catalog_id_);
    fill(request);
    if (!token.empty()) request.Set("NextToken", token);
    GLUECAT_ASSIGN_OR_RETURN(const std::string body,
                             transport_->Call(operation, request.Take(), context));
    GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(body));
    GLUECAT_ASSIGN_OR_RETURN(const bool go_on, page(document.root()));
    if (!go_on) return {};
    std::string next = document.root()["NextToken"].StringOr("");
    if (!next.empty() && next == token) {
      return Fail(ErrorKind::kInvalidData,
                  std::string(operation) + " answered with the NextToken it was asked with");
    }
    token = std::move(next);
  } while (!token.empty());
  return {};
}

Result<Database> Client::GetDatabase(std::string_view name, const CallContext& context) const {
  Request request(catalog_id_);
  request.Set("Name", name);
  GLUECAT_ASSIGN_OR_RETURN(const std::string body,
                           transport_->Call("GetDatabase", request.Take(), context));
  GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(body));
  return DecodeDatabase(document.root()["Database"]);
}

Result<std::vector<Database>> Client::GetDatabases(const CallContext& context) const {
  std::vector<Database> databases;
  GLUECAT_RETURN_IF_ERROR(ForEachPage(
      "GetDatabases", [](Request& request) { request.writer().Member("MaxResults", kListPage); },
      [&](JsonView page) -> Result<bool> {
        for (const JsonView item : page["DatabaseList"].Elements()) {
          GLUECAT_ASSIGN_OR_RETURN(Database database, DecodeDatabase(item));
          databases.push_back(std::move(database));
        }
        return true;
      },
      context));
  return databases;
}

Status Client::CreateDatabase(const Database& database, const CallContext& context) const {
  Request request(catalog_id_);
  request.writer().Key("DatabaseInput");
  EncodeDatabaseInput(database, request.writer());
  return Write("CreateDatabase", request, context);
}

Status Client::UpdateDatabase(std::string_view name, const Database& database,
                              const CallContext& context) const {
  Request request(catalog_id_);
  request.Set("Name", name).writer().Key("DatabaseInput");
  EncodeDatabaseInput(database, request.writer());
  return Write("UpdateDatabase", request, context);
}

Status Client::DeleteDatabase(std::string_view name, const CallContext& context) const {
  Request request(catalog_id_);
  request.Set("Name", name);
  return Write("DeleteDatabase", request, context);
}

Result<Table> Client::GetTable(std::string_view database, std::string_view name,
                               const CallContext& context) const {
  Request request(catalog_id_);
  request.Set("DatabaseName", database).Set("Name", name);
  GLUECAT_ASSIGN_OR_RETURN(const std::string body,
                           transport_->Call("GetTable", request.Take(), context));
  GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(body));
  return DecodeTable(document.root()["Table"]);
}

Status Client::ForEachTable(std::string_view database,
                            const std::function<Status(ListedTable)>& each,
                            const CallContext& context) const {
  return ForEachPage(
      "GetTables",
      [&](Request& request) {
        request.Set("DatabaseName", database).writer().Member("MaxResults", kListPage);
      },
      [&](JsonView page) -> Result<bool> {
        for (const JsonView item : page["TableList"].Elements()) {
          GLUECAT_RETURN_IF_ERROR(each({item["Name"].StringOr(""), DecodeTable(item)}));
        }
        return true;
      },
      context);
}

Result<std::vector<ListedTable>> Client::GetTables(std::string_view database,
                                                   const CallContext& context) const {
  std::vector<ListedTable> tables;
  GLUECAT_RETURN_IF_ERROR(ForEachTable(
      database,
      [&](ListedTable table) -> Status {
        tables.push_back(std::move(table));
        return {};
      },
      context));
  return tables;
}

Result<bool> Client::HasTables(std::string_view database, const CallContext& context) const {
  bool found = false;
  GLUECAT_RETURN_IF_ERROR(ForEachPage(
      "GetTables",
      [&](Request& request) {
        request.Set("DatabaseName", database).writer().Member("MaxResults", 1);
      },
      [&](JsonView page) -> Result<bool> {
        found = !page["TableList"].Elements().empty();
        return !found;
      },
      context));
  return found;
}

Status Client::CreateTable(std::string_view database, const Table& table,
                           const CallContext& context,
                           const std::vector<PartitionIndex>& indexes) const {
  Request request(catalog_id_);
  request.Set("DatabaseName", database).writer().Key("TableInput");
  EncodeTableInput(table, request.writer());
  if (!indexes.empty()) {
    request.writer().Key("PartitionIndexes").BeginArray();
    for (const auto& index : indexes) EncodePartitionIndex(index, request.writer());
    request.writer().EndArray();
  }
  return Write("CreateTable", request, context);
}

Status Client::UpdateTable(std::string_view database, const Table& table,
                           const std::optional<std::string>& version_id,
                           const CallContext& context) const {
  Request request(catalog_id_);
  request.Set("DatabaseName", database).writer().Key("TableInput");
  EncodeTableInput(table, request.writer());
  request.writer().Member("SkipArchive", skip_archive_);
  if (version_id) request.Set("VersionId", *version_id);
  return Write("UpdateTable", request, context);
}

Status Client::DeleteTable(std::string_view database, std::string_view name,
                           const CallContext& context) const {
  Request request(catalog_id_);
  request.Set("DatabaseName", database).Set("Name", name);
  return Write("DeleteTable", request, context);
}

Result<std::vector<TableVersion>> Client::GetTableVersions(std::string_view database,
                                                           std::string_view name,
                                                           const CallContext& context) const {
  std::vector<TableVersion> versions;
  GLUECAT_RETURN_IF_ERROR(ForEachPage(
      "GetTableVersions",
      [&](Request& request) {
        request.Set("DatabaseName", database).Set("TableName", name);
        request.writer().Member("MaxResults", kListPage);
      },
      [&](JsonView page) -> Result<bool> {
        for (const JsonView item : page["TableVersions"].Elements()) {
          GLUECAT_ASSIGN_OR_RETURN(TableVersion version, DecodeTableVersion(item));
          versions.push_back(std::move(version));
        }
        return true;
      },
      context));
  return versions;
}

Status Client::ScanPartitions(const PartitionQuery& query, PartitionSink& sink,
                              const CallContext& context) const {
  return ListPartitions(
      [&](const std::string& token, std::string& spare) {
        Request request(catalog_id_);
        request.Set(query, kPartitionPage);
        if (!token.empty()) request.Set("NextToken", token);
        CallContext page = context;
        page.spare = &spare;
        return transport_->Call("GetPartitions", request.Take(), page);
      },
      sink);
}

Status Client::ForEachPartition(const PartitionQuery& query,
                                const std::function<Status(Partition)>& each,
                                const CallContext& context, std::size_t limit) const {
  if (limit == 0) return {};
  std::size_t seen = 0;
  return ForEachPage(
      "GetPartitions",
      [&](Request& request) { request.Set(query, std::min(kPartitionPage, limit - seen)); },
      [&](JsonView page) -> Result<bool> {
        for (const JsonView item : page["Partitions"].Elements()) {
          GLUECAT_ASSIGN_OR_RETURN(Partition partition, DecodePartition(item));
          GLUECAT_RETURN_IF_ERROR(each(std::move(partition)));
          if (++seen == limit) return false;
        }
        return true;
      },
      context);
}

Result<std::vector<Partition>> Client::GetPartitions(const PartitionQuery& query,
                                                     const CallContext& context,
                                                     std::size_t limit) const {
  std::vector<Partition> partitions;
  GLUECAT_RETURN_IF_ERROR(ForEachPartition(
      query,
      [&](Partition partition) -> Status {
        partitions.push_back(std::move(partition));
        return {};
      },
      context, limit));
  return partitions;
}

Result<std::vector<PartitionFailure>> Client::WriteBatches(
    const BatchOperation& operation, std::string_view database, std::string_view table,
    std::size_t count, const std::function<void(std::size_t, JsonWriter&)>& item,
    const CallContext& context) const {
  std::vector<PartitionFailure> failures;
  for (std::size_t from = 0; from < count; from += operation.batch_size) {
    Request request(catalog_id_);
    request.Set("DatabaseName", database).Set("TableName", table);
    request.writer().Key(operation.member).BeginArray();
    const std::size_t to = std::min(count, from + operation.batch_size);
    for (std::size_t i = from; i < to; ++i) item(i, request.writer());
    request.writer().EndArray();
    CallInfo info;
    CallContext batch = context;
    batch.info = &info;
    GLUECAT_ASSIGN_OR_RETURN(const std::string body, SendWrite(operation.name, request, batch));
    GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(body));
    for (const JsonView entry : document.root()["Errors"].Elements()) {
      PartitionFailure failure = DecodeFailure(entry);
      if (info.outcome_unknown && failure.error.kind == operation.done_already) continue;
      failures.push_back(std::move(failure));
    }
  }
  return failures;
}

Result<Partition> Client::GetPartition(std::string_view database, std::string_view table,
                                       const std::vector<std::string>& values,
                                       const CallContext& context) const {
  Request request(catalog_id_);
  request.Set("DatabaseName", database).Set("TableName", table);
  request.writer().Key("PartitionValues").BeginArray();
  for (const auto& value : values) request.writer().String(value);
  request.writer().EndArray();
  GLUECAT_ASSIGN_OR_RETURN(const std::string body,
                           transport_->Call("GetPartition", request.Take(), context));
  GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(body));
  return DecodePartition(document.root()["Partition"]);
}

Result<std::vector<Partition>> Client::GetPartitions(
    std::string_view database, std::string_view table,
    const std::vector<std::vector<std::string>>& values, const CallContext& context) const {
  std::vector<Partition> partitions;
  partitions.reserve(values.size());
  std::vector<std::vector<std::string>> left = values;
  while (!left.empty()) {
    std::vector<std::vector<std::string>> unprocessed;
    for (std::size_t from = 0; from < left.size(); from += kReadBatch) {
      Request request(catalog_id_);
      request.Set("DatabaseName", database).Set("TableName", table);
      request.writer().Key("PartitionsToGet").BeginArray();
      const std::size_t to = std::min(left.size(), from + kReadBatch);
      for (std::size_t i = from; i < to; ++i) {
        request.writer().BeginObject().Key("Values");
        WriteValues(request.writer(), left[i]);
        request.writer().EndObject();
      }
      request.writer().EndArray();
      GLUECAT_ASSIGN_OR_RETURN(const std::string body,
                               transport_->Call("BatchGetPartition", request.Take(), context));
      GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(body));
      for (const JsonView item : document.root()["Partitions"].Elements()) {
        GLUECAT_ASSIGN_OR_RETURN(Partition partition, DecodePartition(item));
        partitions.push_back(std::move(partition));
      }
      for (const JsonView key : document.root()["UnprocessedKeys"].Elements()) {
        unprocessed.push_back(ReadValues(key["Values"]));
      }
    }
    if (unprocessed.size() >= left.size()) {
      return Fail(ErrorKind::kUnavailable, "BatchGetPartition left " +
                                               std::to_string(unprocessed.size()) +
                                               " partitions unprocessed");
    }
    left = std::move(unprocessed);
  }
  return partitions;
}

Result<std::vector<PartitionFailure>> Client::CreatePartitions(
    std::string_view database, std::string_view table, const std::vector<Partition>& partitions,
    const CallContext& context) const {
  return WriteBatches(
      {"BatchCreatePartition", "PartitionInputList", kWriteBatch, ErrorKind::kAlreadyExists},
      database, table, partitions.size(),
      [&](std::size_t i, JsonWriter& writer) { EncodePartitionInput(partitions[i], writer); },
      context);
}

Result<std::vector<PartitionFailure>> Client::UpdatePartitions(
    std::string_view database, std::string_view table, const std::vector<Partition>& partitions,
    const CallContext& context) const {
  return WriteBatches(
      {"BatchUpdatePartition", "Entries", kWriteBatch, ErrorKind::kAlreadyExists}, database, table,
      partitions.size(),
      [&](std::size_t i, JsonWriter& writer) {
        writer.BeginObject().Key("PartitionValueList");
        WriteValues(writer, partitions[i].values);
        writer.Key("PartitionInput");
        EncodePartitionInput(partitions[i], writer);
        writer.EndObject();
      },
      context);
}

Result<std::vector<PartitionFailure>> Client::DeletePartitions(
    std::string_view database, std::string_view table,
    const std::vector<std::vector<std::string>>& values, const CallContext& context) const {
  return WriteBatches(
      {"BatchDeletePartition", "PartitionsToDelete", kDeleteBatch, ErrorKind::kNotFound}, database,
      table, values.size(),
      [&](std::size_t i, JsonWriter& writer) {
        writer.BeginObject().Key("Values");
        WriteValues(writer, values[i]);
        writer.EndObject();
      },
      context);
}

Result<std::vector<PartitionIndex>> Client::GetPartitionIndexes(std::string_view database,
                                                                std::string_view table,
                                                                const CallContext& context) const {
  std::vector<PartitionIndex> indexes;
  GLUECAT_RETURN_IF_ERROR(ForEachPage(
      "GetPartitionIndexes",
      [&](Request& request) { request.Set("DatabaseName", database).Set("TableName", table); },
      [&](JsonView page) -> Result<bool> {
        for (const JsonView item : page["PartitionIndexDescriptorList"].Elements()) {
          GLUECAT_ASSIGN_OR_RETURN(PartitionIndex index, DecodePartitionIndex(item));
          indexes.push_back(std::move(index));
        }
        return true;
      },
      context));
  return indexes;
}

Status Client::CreatePartitionIndex(std::string_view database, std::string_view table,
                                    const PartitionIndex& index, const CallContext& context) const {
  Request request(catalog_id_);
  request.Set("DatabaseName", database).Set("TableName", table).writer().Key("PartitionIndex");
  EncodePartitionIndex(index, request.writer());
  return Write("CreatePartitionIndex", request, context);
}

Result<std::vector<UserDefinedFunction>> Client::GetFunctions(std::string_view database,
                                                              const CallContext& context) const {
  std::vector<UserDefinedFunction> functions;
  GLUECAT_RETURN_IF_ERROR(ForEachPage(
      "GetUserDefinedFunctions",
      [&](Request& request) {
        request.Set("DatabaseName", database).Set("Pattern", ".*");
        request.writer().Member("MaxResults", kListPage);
      },
      [&](JsonView page) -> Result<bool> {
        for (const JsonView item : page["UserDefinedFunctions"].Elements()) {
          GLUECAT_ASSIGN_OR_RETURN(UserDefinedFunction function, DecodeFunction(item));
          functions.push_back(std::move(function));
        }
        return true;
      },
      context));
  return functions;
}

Result<UserDefinedFunction> Client::GetFunction(std::string_view database, std::string_view name,
                                                const CallContext& context) const {
  Request request(catalog_id_);
  request.Set("DatabaseName", database).Set("FunctionName", name);
  GLUECAT_ASSIGN_OR_RETURN(const std::string body,
                           transport_->Call("GetUserDefinedFunction", request.Take(), context));
  GLUECAT_ASSIGN_OR_RETURN(const JsonDocument document, JsonDocument::Parse(body));
  return DecodeFunction(document.root()["UserDefinedFunction"]);
}

Status Client::CreateFunction(std::string_view database, const UserDefinedFunction& function,
                              const CallContext& context) const {
  Request request(catalog_id_);
  request.Set("DatabaseName", database).writer().Key("FunctionInput");
  EncodeFunctionInput(function, request.writer());
  return Write("CreateUserDefinedFunction", request, context);
}

Status Client::UpdateFunction(std::string_view database, const UserDefinedFunction& function,
                              const CallContext& context) const {
  Request request(catalog_id_);
  request.Set("DatabaseName", database).Set("FunctionName", function.function_name);
  request.writer().Key("FunctionInput");
  EncodeFunctionInput(function, request.writer());
  return Write("UpdateUserDefinedFunction", request, context);
}

Status Client::DeleteFunction(std::string_view database, std::string_view name,
                              const CallContext& context) const {
  Request request(catalog_id_);
  request.Set("DatabaseName", database).Set("FunctionName", name);
  return Write("DeleteUserDefinedFunction", request, context);
}

}  // namespace gluecat::glue
