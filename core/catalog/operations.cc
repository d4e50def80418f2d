#include "core/catalog/operations.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/aws/time_format.h"
#include "core/base/json.h"
#include "core/catalog/operation_call.h"
#include "core/catalog/partition_operations.h"
#include "core/catalog/request_reader.h"

namespace gluecat::catalog {
namespace {

std::string ReadNamespace(Call& call) {
  call.object = call.reader.Text("namespace");
  return call.object;
}

void WriteOptional(JsonWriter& writer, std::string_view key,
                   const std::optional<std::string>& value) {
  if (value) writer.Member(key, *value);
}

void WriteMap(JsonWriter& writer, std::string_view key,
              const std::map<std::string, std::string>& map) {
  writer.Key(key).BeginObject();
  for (const auto& [name, value] : map) writer.Member(name, value);
  writer.EndObject();
}

std::string DescriptionAnswer(const Catalog& catalog, const std::string& database,
                              const entry::TableDescription& description) {
  const Settings& settings = catalog.settings();
  JsonWriter writer;
  writer.BeginObject().Member("catalog", settings.catalog);
  WriteOptional(writer, "glue_id", settings.glue_id);
  writer.Member("namespace", database);
  entry::WriteDescription(description, writer);
  return writer.EndObject().Take();
}

Answer DescribeCatalog(Call& call) {
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  const Settings& settings = call.catalog.settings();
  JsonWriter writer;
  writer.BeginObject().Member("catalog", settings.catalog);
  WriteOptional(writer, "glue_id", settings.glue_id);
  WriteOptional(writer, "region", settings.region);
  WriteOptional(writer, "endpoint", settings.endpoint);
  WriteOptional(writer, "warehouse", settings.warehouse);
  writer.Member("default_namespace", settings.default_namespace);
  writer.Member("purge_enabled", settings.purge_enabled);
  WriteMap(writer, "hadoop_options", settings.hadoop_options);
  if (settings.credentials_provider && !settings.LocalDirectory()) {
    writer.Key("credentials_provider").BeginObject();
    writer.Member("class", settings.credentials_provider->class_name);
    WriteMap(writer, "options", settings.credentials_provider->options);
    writer.EndObject();
  }
  writer.Key("warnings").BeginArray();
  for (const auto& warning : settings.warnings) writer.String(warning);
  return writer.EndArray().EndObject().Take();
}

Answer SetCredentials(Call& call) {
  aws::Credentials credentials;
  credentials.access_key_id = call.reader.Text("access_key_id");
  credentials.secret_access_key = call.reader.Text("secret_access_key");
  credentials.session_token = call.reader.OptionalText("session_token").value_or("");
  const auto expires = call.reader.OptionalText("expires");
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  if (expires) {
    credentials.expiration = aws::ParseIso8601(*expires);
    if (!credentials.expiration) {
      return Fail(ErrorKind::kInvalidArgument, "request member 'expires' is not a time");
    }
  }
  GLUECAT_RETURN_IF_ERROR(call.catalog.SetCredentials(std::move(credentials)));
  return EmptyAnswer();
}

Answer ListNamespaces(Call& call) {
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_ASSIGN_OR_RETURN(const auto names, call.catalog.ListNamespaces(call.context));
  JsonWriter writer;
  writer.BeginObject().Key("namespaces").BeginArray();
  for (const auto& name : names) writer.String(name);
  return writer.EndArray().EndObject().Take();
}

Answer LoadNamespace(Call& call) {
  const std::string name = ReadNamespace(call);
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_ASSIGN_OR_RETURN(const auto loaded, call.catalog.LoadNamespace(name, call.context));
  JsonWriter writer;
  writer.BeginObject().Member("name", loaded.name);
  WriteOptional(writer, "comment", loaded.comment);
  WriteOptional(writer, "location", loaded.location);
  WriteOptional(writer, "owner", loaded.owner);
  WriteMap(writer, "properties", loaded.properties);
  return writer.EndObject().Take();
}

std::optional<std::string> Extract(glue::Parameters& properties, const char* key) {
  auto found = properties.extract(key);
  if (!found) return std::nullopt;
  return std::move(found.mapped());
}

Answer CreateNamespace(Call& call) {
  NamespaceDescription description;
  description.name = ReadNamespace(call);
  description.properties = call.reader.StringMap("properties");
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  description.comment = Extract(description.properties, "comment");
  description.location = Extract(description.properties, "location");
  description.owner = Extract(description.properties, "owner");
  GLUECAT_RETURN_IF_ERROR(call.catalog.CreateNamespace(description, call.context));
  return EmptyAnswer();
}

Answer AlterNamespace(Call& call) {
  const std::string name = ReadNamespace(call);
  const JsonView list = call.reader.List("changes");
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  std::vector<PropertyChange> changes;
  for (const JsonView item : list.Elements()) {
    RequestReader reader(item);
    const std::string op = reader.Text("op");
    PropertyChange change{reader.Text("key"), std::nullopt};
    if (op == "set_property") {
      change.value = reader.Text("value");
    } else if (op != "remove_property") {
      return Fail(ErrorKind::kInvalidArgument, "unknown namespace change '" + op + "'");
    }
    GLUECAT_RETURN_IF_ERROR(reader.Finish());
    changes.push_back(std::move(change));
  }
  GLUECAT_RETURN_IF_ERROR(call.catalog.AlterNamespace(name, changes, call.context));
  return EmptyAnswer();
}

Answer DropNamespace(Call& call) {
  const std::string name = ReadNamespace(call);
  const bool cascade = call.reader.Flag("cascade", false);
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_RETURN_IF_ERROR(call.catalog.DropNamespace(name, cascade, call.context));
  return EmptyAnswer();
}

Answer ListTables(Call& call) {
  const std::string name = ReadNamespace(call);
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_ASSIGN_OR_RETURN(const auto tables, call.catalog.ListTables(name, call.context));
  JsonWriter writer;
  writer.BeginObject().Key("tables").BeginArray();
  for (const auto& table : tables) {
    writer.BeginObject().Member("name", table.name);
    writer.Member("kind", entry::TableKindName(table.kind));
    writer.Member("table_type", table.table_type).EndObject();
  }
  return writer.EndArray().EndObject().Take();
}

Answer LoadTable(Call& call) {
  const auto target = ReadTable(call);
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_ASSIGN_OR_RETURN(const auto description,
                           call.catalog.LoadTable(target.database, target.table, call.context));
  return DescriptionAnswer(call.catalog, target.database, description);
}

Answer ForgetTable(Call& call) {
  const auto target = ReadTable(call);
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_RETURN_IF_ERROR(call.catalog.ForgetTable(target.database, target.table));
  return EmptyAnswer();
}

Answer ResolveLocation(Call& call) {
  const auto target = ReadTable(call);
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_ASSIGN_OR_RETURN(const auto location, call.catalog.ResolveLocation(
                                                    target.database, target.table, call.context));
  return JsonWriter().BeginObject().Member("location", location).EndObject().Take();
}

Answer PrepareTable(Call& call) {
  const auto target = ReadTable(call);
  const JsonView json = call.reader.Value("spec");
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  auto spec = entry::ParseTableSpec(json);
  if (!spec) {
    return Fail(call.catalog.Explain(std::move(spec).error(), "create", "table " + call.object));
  }
  GLUECAT_ASSIGN_OR_RETURN(
      const auto location,
      call.catalog.PrepareTable(target.database, target.table, *std::move(spec), call.context));
  return JsonWriter().BeginObject().Member("location", location).EndObject().Take();
}

Answer CreateTable(Call& call) {
  const auto target = ReadTable(call);
  const JsonView json = call.reader.Value("spec");
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  auto spec = entry::ParseTableSpec(json);
  if (!spec) {
    return Fail(call.catalog.Explain(std::move(spec).error(), "create", "table " + call.object));
  }
  GLUECAT_ASSIGN_OR_RETURN(
      const auto description,
      call.catalog.CreateTable(target.database, target.table, *std::move(spec), call.context));
  return DescriptionAnswer(call.catalog, target.database, description);
}

Answer AlterTable(Call& call) {
  const auto target = ReadTable(call);
  const JsonView json = call.reader.Value("changes");
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  auto changes = entry::ParseTableChanges(json);
  if (!changes) {
    return Fail(call.catalog.Explain(std::move(changes).error(), "change", "table " + call.object));
  }
  GLUECAT_ASSIGN_OR_RETURN(
      const auto description,
      call.catalog.AlterTable(target.database, target.table, *changes, call.context));
  return DescriptionAnswer(call.catalog, target.database, description);
}

Answer StoreColumnStatistics(Call& call) {
  const auto target = ReadTable(call);
  const JsonView json = call.reader.Value("statistics");
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  auto statistics = entry::ParseStatistics(json);
  if (!statistics) {
    return Fail(
        call.catalog.Explain(std::move(statistics).error(), "change", "table " + call.object));
  }
  GLUECAT_RETURN_IF_ERROR(
      call.catalog.StoreColumnStatistics(target.database, target.table, *statistics, call.context));
  return EmptyAnswer();
}

Answer LoadColumnStatistics(Call& call) {
  const auto target = ReadTable(call);
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_ASSIGN_OR_RETURN(const auto columns, call.catalog.LoadColumnStatistics(
                                                   target.database, target.table, call.context));
  JsonWriter writer;
  writer.BeginObject();
  WriteMap(writer, "columns", columns);
  return writer.EndObject().Take();
}

Answer RenameTable(Call& call) {
  const auto target = ReadTable(call);
  const std::string to_namespace = call.reader.Text("to_namespace");
  const std::string to_table = call.reader.Text("to_table");
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_RETURN_IF_ERROR(call.catalog.RenameTable(target.database, target.table, to_namespace,
                                                   to_table, call.context));
  return EmptyAnswer();
}

Answer DropTable(Call& call) {
  const auto target = ReadTable(call);
  GLUECAT_RETURN_IF_ERROR(call.reader.Finish());
  GLUECAT_ASSIGN_OR_RETURN(const bool dropped,
                           call.catalog.DropTable(target.database, target.table, call.context));
  return JsonWriter().BeginObject().Member("dropped", dropped).EndObject().Take();
}

constexpr std::array kOperations = std::to_array<Operation>({
    {"describe_catalog", &DescribeCatalog},
    {"set_credentials", &SetCredentials},
    {"list_namespaces", &ListNamespaces},
    {"load_namespace", &LoadNamespace},
    {"create_namespace", &CreateNamespace},
    {"alter_namespace", &AlterNamespace},
    {"drop_namespace", &DropNamespace},
    {"list_tables", &ListTables},
    {"load_table", &LoadTable},
    {"forget_table", &ForgetTable},
    {"resolve_location", &ResolveLocation},
    {"prepare_table", &PrepareTable},
    {"create_table", &CreateTable},
    {"alter_table", &AlterTable},
    {"store_column_statistics", &StoreColumnStatistics},
    {"load_column_statistics", &LoadColumnStatistics},
    {"rename_table", &RenameTable},
    {"drop_table", &DropTable},
});

const Operation* FindOperation(std::string_view name) {
  for (const std::span<const Operation> family :
       {std::span<const Operation>(kOperations), PartitionOperations()}) {
    const auto found = std::ranges::find(family, name, &Operation::name);
    if (found != family.end()) return &*found;
  }
  return nullptr;
}

}  // namespace

std::string_view BytesOf(const OperationAnswer& answer) {
  return std::visit([](const auto& bytes) { return std::string_view(bytes.data(), bytes.size()); },
                    answer);
}

std::expected<OperationAnswer, OperationError> RunOperation(Catalog& catalog,
                                                            std::string_view operation,
                                                            std::string_view request,
                                                            const glue::CallContext& context) {
  const Operation* const found = FindOperation(operation);
  if (found == nullptr) {
    return std::unexpected(OperationError{
        MakeError(ErrorKind::kInvalidArgument,
                  catalog.Label() + ": unknown operation '" + std::string(operation) + "'"),
        ""});
  }
  auto document = JsonDocument::Parse(request);
  if (!document) {
    Error error = WithContext(std::move(document).error(),
                              catalog.Label() + ": request of " + std::string(operation));
    error.kind = ErrorKind::kInvalidArgument;
    return std::unexpected(OperationError{std::move(error), ""});
  }
  Call call{catalog, RequestReader(document->root()), context, ""};
  auto answer = found->run(call);
  if (!answer) {
    Error error = std::move(answer).error();
    // Errors of the catalog are complete; those of reading the request are not.
    const std::string label = catalog.Label();
    if (!error.message.starts_with(label)) {
      error = WithContext(std::move(error), label + ": " + std::string(operation) +
                                                (call.object.empty() ? "" : " " + call.object));
    }
    return std::unexpected(OperationError{std::move(error), std::move(call.object)});
  }
  return *std::move(answer);
}

std::string ErrorJson(const Error& error, std::string_view catalog, std::string_view glue_id,
                      std::string_view object) {
  JsonWriter writer;
  writer.BeginObject().Member("kind", ErrorKindName(error.kind)).Member("message", error.message);
  writer.Member("code", error.code).Member("http_status", error.http_status);
  writer.Member("request_id", error.request_id).Member("retryable", error.retryable);
  writer.Member("catalog", catalog).Member("glue_id", glue_id).Member("object", object);
  return writer.EndObject().Take();
}

}  // namespace gluecat::catalog
