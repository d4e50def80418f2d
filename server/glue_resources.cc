#include "server/glue_resources.h"

#include <algorithm>

#include "core/base/text.h"
#include "store/resource_arn.h"

namespace gluecat::server {
namespace {

std::string TextOf(JsonView request, std::string_view member) {
  return request[member].StringOr("");
}

// What one kind of request names goes into the target; its ancestors that are catalogs are added
// afterwards, for every kind.
using Collect = void (*)(JsonView request, const CatalogArns& arns, GlueTarget& target);

void NoMore(JsonView, const CatalogArns&, GlueTarget&) {}

void AddDatabase(std::string name, const CatalogArns& arns, GlueTarget& target) {
  target.database = std::move(name);
  if (!target.database.empty()) target.resources.push_back(arns.Database(target.database));
}

void AddTable(std::string database, std::string table, const CatalogArns& arns,
              GlueTarget& target) {
  target.table = std::move(table);
  if (!database.empty() && !target.table.empty()) {
    target.resources.push_back(arns.Table(database, target.table));
  }
  AddDatabase(std::move(database), arns, target);
}

void NamedDatabase(JsonView request, const CatalogArns& arns, GlueTarget& target) {
  AddDatabase(TextOf(request, "Name"), arns, target);
}

void NewDatabase(JsonView request, const CatalogArns& arns, GlueTarget& target) {
  AddDatabase(TextOf(request["DatabaseInput"], "Name"), arns, target);
}

void DeletedDatabase(JsonView request, const CatalogArns& arns, GlueTarget& target) {
  const std::string name = TextOf(request, "Name");
  if (!name.empty()) {
    target.resources.push_back(arns.AllBelow("table", name));
    target.resources.push_back(arns.AllBelow("userDefinedFunction", name));
  }
  AddDatabase(name, arns, target);
}

// What it holds is looked at one by one, when it is listed.
void OfDatabase(JsonView request, const CatalogArns& arns, GlueTarget& target) {
  AddDatabase(TextOf(request, "DatabaseName"), arns, target);
}

void TableByName(JsonView request, const CatalogArns& arns, GlueTarget& target) {
  AddTable(TextOf(request, "DatabaseName"), TextOf(request, "Name"), arns, target);
}

void TableByTableName(JsonView request, const CatalogArns& arns, GlueTarget& target) {
  AddTable(TextOf(request, "DatabaseName"), TextOf(request, "TableName"), arns, target);
}

// The input's name counts; a name beside it is the same or refused later.
void TableByInput(JsonView request, const CatalogArns& arns, GlueTarget& target) {
  const std::string database = TextOf(request, "DatabaseName");
  const std::string beside = TextOf(request, "Name");
  std::string name = TextOf(request["TableInput"], "Name");
  if (name.empty()) {
    name = beside;
  } else if (!database.empty() && !beside.empty() && !EqualsIgnoreCase(beside, name)) {
    target.resources.push_back(arns.Table(database, beside));
  }
  AddTable(database, std::move(name), arns, target);
}

void TablesToDelete(JsonView request, const CatalogArns& arns, GlueTarget& target) {
  const std::string database = TextOf(request, "DatabaseName");
  for (const auto& table : request["TablesToDelete"].Elements()) {
    const auto name = table.AsString();
    if (name && !database.empty()) target.resources.push_back(arns.Table(database, *name));
  }
  AddDatabase(database, arns, target);
}

void NamedFunction(JsonView request, const CatalogArns& arns, GlueTarget& target) {
  const std::string database = TextOf(request, "DatabaseName");
  const std::string name = TextOf(request, "FunctionName");
  if (!database.empty() && !name.empty()) {
    target.resources.push_back(arns.Function(database, name));
  }
  AddDatabase(database, arns, target);
}

void NamedConnection(JsonView request, const CatalogArns& arns, GlueTarget& target) {
  for (const auto& name : {TextOf(request, "Name"), TextOf(request, "ConnectionName")}) {
    if (!name.empty()) target.resources.push_back(arns.Connection(name));
  }
}

void ConnectionsToDelete(JsonView request, const CatalogArns& arns, GlueTarget& target) {
  for (const auto& connection : request["ConnectionNameList"].Elements()) {
    if (const auto name = connection.AsString()) {
      target.resources.push_back(arns.Connection(*name));
    }
  }
}

void NewCatalog(JsonView request, const CatalogArns& arns, GlueTarget& target) {
  const std::string name = TextOf(request, "Name");
  if (!name.empty()) target.resources.push_back(arns.Catalog(name));
}

void DeletedCatalog(JsonView, const CatalogArns& arns, GlueTarget& target) {
  if (target.catalog_id == target.owner()) return;  // it cannot be deleted
  for (const auto* type : {"table", "userDefinedFunction", "database"}) {
    target.resources.push_back(arns.AllBelow(type, ""));
  }
}

// Of an ARN; what it is the ARN of has its ancestors too.
void NamedByArn(JsonView request, const CatalogArns& arns, GlueTarget& target) {
  const auto arn = store::ResourceArn::Parse(request["ResourceArn"].AsString().value_or(""));
  if (!arn || arn->name.empty()) return;
  if (arn->type == "catalog") target.resources.push_back(arns.Catalog(arn->name));
  if (arn->type == "connection") target.resources.push_back(arns.Connection(arn->name));
  if (arn->type == "database") AddDatabase(arn->name, arns, target);
  if (arn->type == "table") AddTable(arn->database, arn->name, arns, target);
}

struct Row {
  std::string_view operation;
  Collect collect;
  std::string_view other_action = {};  // that the operation's description names
};

constexpr Row kRows[] = {
    {"CreateDatabase", NewDatabase},
    {"GetDatabase", NamedDatabase},
    {"GetDatabases", NoMore},
    {"UpdateDatabase", NamedDatabase},
    {"DeleteDatabase", DeletedDatabase},
    {"CreateTable", TableByInput},
    {"GetTable", TableByName},
    {"GetTables", OfDatabase},
    {"UpdateTable", TableByInput},
    {"DeleteTable", TableByName},
    {"BatchDeleteTable", TablesToDelete},
    {"SearchTables", NoMore},
    {"GetTableVersion", TableByTableName},
    {"GetTableVersions", TableByTableName},
    {"DeleteTableVersion", TableByTableName},
    {"BatchDeleteTableVersion", TableByTableName},
    {"CreatePartition", TableByTableName},
    {"GetPartition", TableByTableName},
    {"GetPartitions", TableByTableName},
    {"UpdatePartition", TableByTableName},
    {"DeletePartition", TableByTableName},
    {"BatchCreatePartition", TableByTableName},
    {"BatchGetPartition", TableByTableName},
    {"BatchUpdatePartition", TableByTableName},
    {"BatchDeletePartition", TableByTableName},
    {"CreatePartitionIndex", TableByTableName},
    {"GetPartitionIndexes", TableByTableName},
    {"DeletePartitionIndex", TableByTableName},
    {"GetColumnStatisticsForTable", TableByTableName, "glue:GetTable"},
    {"UpdateColumnStatisticsForTable", TableByTableName, "glue:UpdateTable"},
    {"DeleteColumnStatisticsForTable", TableByTableName, "glue:DeleteTable"},
    {"GetColumnStatisticsForPartition", TableByTableName, "glue:GetPartition"},
    {"UpdateColumnStatisticsForPartition", TableByTableName, "glue:UpdatePartition"},
    {"DeleteColumnStatisticsForPartition", TableByTableName, "glue:DeletePartition"},
    {"GetUnfilteredTableMetadata", TableByName, "glue:GetTable"},
    {"GetUnfilteredPartitionMetadata", TableByTableName, "glue:GetPartition"},
    {"GetUnfilteredPartitionsMetadata", TableByTableName, "glue:GetPartitions"},
    {"CreateUserDefinedFunction", OfDatabase},
    {"GetUserDefinedFunction", NamedFunction},
    {"GetUserDefinedFunctions", OfDatabase},
    {"UpdateUserDefinedFunction", NamedFunction},
    {"DeleteUserDefinedFunction", NamedFunction},
    {"CreateConnection", NoMore},
    {"GetConnection", NamedConnection},
    {"GetConnections", NoMore},
    {"UpdateConnection", NamedConnection},
    {"DeleteConnection", NamedConnection},
    {"BatchDeleteConnection", ConnectionsToDelete},
    {"CreateCatalog", NewCatalog},
    {"GetCatalog", NoMore},
    {"GetCatalogs", NoMore},
    {"UpdateCatalog", NoMore},
    {"DeleteCatalog", DeletedCatalog},
    {"GetCatalogImportStatus", NoMore},
    {"PutResourcePolicy", NamedByArn},
    {"GetResourcePolicy", NamedByArn},
    {"GetResourcePolicies", NoMore},
    {"DeleteResourcePolicy", NamedByArn},
    {"PutDataCatalogEncryptionSettings", NoMore},
    {"GetDataCatalogEncryptionSettings", NoMore},
    {"TagResource", NamedByArn},
    {"UntagResource", NamedByArn},
    {"GetTags", NamedByArn},
};

const Row* FindRow(std::string_view operation) {
  const auto* const found =
      std::ranges::find_if(kRows, [&](const Row& row) { return row.operation == operation; });
  return found == std::end(kRows) ? nullptr : found;
}

// The store works in the catalog that these members name, each kind of operation in its own.
std::string CatalogOf(std::string_view operation, const Row* row, JsonView request,
                      std::string_view account) {
  if (row != nullptr && row->collect == NamedByArn) {
    const auto arn = store::ResourceArn::Parse(request["ResourceArn"].AsString().value_or(""));
    return arn ? arn->account : request["CatalogId"].StringOr(account);
  }
  if (operation == "GetCatalogs") return request["ParentCatalogId"].StringOr(account);
  std::string catalog_id = request["CatalogId"].StringOr(account);
  if (operation == "CreateCatalog")
    catalog_id.resize(std::min(catalog_id.find(':'), catalog_id.size()));
  return catalog_id;
}

}  // namespace

std::string GlueTarget::owner() const { return catalog_id.substr(0, catalog_id.find(':')); }

std::string_view PartitionOf(std::string_view region) {
  if (region.starts_with("cn-")) return "aws-cn";
  if (region.starts_with("us-gov-")) return "aws-us-gov";
  if (region.starts_with("us-iso-")) return "aws-iso";
  if (region.starts_with("us-isob-")) return "aws-iso-b";
  return "aws";
}

CatalogArns::CatalogArns(std::string_view catalog_id, std::string_view region) {
  const std::size_t end = catalog_id.find(':');
  prefix_ = "arn:" + std::string(PartitionOf(region)) + ":glue:" + std::string(region) + ":" +
            std::string(catalog_id.substr(0, end)) + ":";
  if (end != std::string_view::npos) path_ = std::string(catalog_id.substr(end + 1)) + "/";
}

std::vector<ResourceName> CatalogArns::Catalogs() const {
  std::vector<ResourceName> catalogs;
  for (std::size_t end = path_.rfind('/'); end != std::string::npos && end > 0;
       end = path_.rfind('/', end - 1)) {
    catalogs.push_back({prefix_ + "catalog/" + path_.substr(0, end)});
  }
  catalogs.push_back({prefix_ + "catalog"});
  return catalogs;
}

ResourceName CatalogArns::Catalog(std::string_view name) const {
  return {prefix_ + "catalog/" + path_ + std::string(name)};
}

ResourceName CatalogArns::Database(std::string_view database) const {
  return {prefix_ + "database/" + path_ + ToLowerAscii(database)};
}

ResourceName CatalogArns::Table(std::string_view database, std::string_view table) const {
  return {prefix_ + "table/" + path_ + ToLowerAscii(database) + "/" + ToLowerAscii(table)};
}

ResourceName CatalogArns::Function(std::string_view database, std::string_view function) const {
  return {prefix_ + "userDefinedFunction/" + path_ + ToLowerAscii(database) + "/" +
          ToLowerAscii(function)};
}

ResourceName CatalogArns::Connection(std::string_view connection) const {
  return {prefix_ + "connection/" + path_ + std::string(connection)};
}

ResourceName CatalogArns::AllBelow(std::string_view type, std::string_view database) const {
  ResourceName all{prefix_ + std::string(type) + "/" + path_, true};
  if (!database.empty()) all.arn += ToLowerAscii(database) + "/";
  return all;
}

GlueTarget TargetOf(std::string_view operation, JsonView request, std::string_view account,
                    std::string_view region) {
  const Row* const row = FindRow(operation);
  GlueTarget target;
  target.catalog_id = CatalogOf(operation, row, request, account);
  target.action.name = "glue:" + std::string(operation);
  const CatalogArns arns(target.catalog_id, region);
  if (row != nullptr) {
    target.action.other = row->other_action;
    row->collect(request, arns, target);
  }
  for (auto& catalog : arns.Catalogs()) target.resources.push_back(std::move(catalog));
  return target;
}

bool HasResources(std::string_view operation) { return FindRow(operation) != nullptr; }

}  // namespace gluecat::server
