#include "server/glue_resources.h"

#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "store/operation.h"

namespace gluecat::server {
namespace {

// The resources of a request of 111111111111, without what all of their ARNs start with.
std::vector<std::string> Names(std::string_view operation, std::string_view request,
                               std::string_view account = "111111111111") {
  const auto document = JsonDocument::Parse(request);
  EXPECT_TRUE(document) << request;
  const auto target = TargetOf(operation, document->root(), "111111111111", "eu-central-1");
  const std::string prefix = "arn:aws:glue:eu-central-1:" + std::string(account) + ":";
  std::vector<std::string> names;
  for (const auto& resource : target.resources) {
    EXPECT_TRUE(resource.arn.starts_with(prefix)) << resource.arn;
    names.push_back(resource.arn.substr(prefix.size()) + (resource.with_all_below ? "*" : ""));
  }
  return names;
}

using List = std::vector<std::string>;

TEST(GlueResourcesTest, EveryOperationOfTheStoreHasItsRow) {
  std::size_t count = 0;
  for (const auto family :
       {store::DatabaseOperations(), store::TableReadOperations(), store::TableWriteOperations(),
        store::TableSearchOperations(), store::TableVersionOperations(),
        store::PartitionReadOperations(), store::PartitionWriteOperations(),
        store::PartitionIndexOperations(), store::FunctionOperations(),
        store::ColumnStatisticsOperations(), store::ConnectionOperations(), store::TagOperations(),
        store::ResourcePolicyOperations(), store::EncryptionSettingsOperations(),
        store::UnfilteredOperations(), store::CatalogOperations()}) {
    for (const auto& operation : family) {
      EXPECT_TRUE(HasResources(operation.name)) << operation.name;
      ++count;
    }
  }
  EXPECT_GT(count, 50U);
  EXPECT_FALSE(HasResources("StartCrawler"));
}

TEST(GlueResourcesTest, WhatRequestsAreAbout) {
  const List table = {"table/db/t", "database/db", "catalog"};
  const struct {
    std::string_view operation;
    std::string_view request;
    List names;
  } cases[] = {
      {"GetDatabase", R"({"Name":"DB"})", {"database/db", "catalog"}},
      {"UpdateDatabase",
       R"({"Name":"db","DatabaseInput":{"Name":"x"}})",
       {"database/db", "catalog"}},
      {"CreateDatabase", R"({"DatabaseInput":{"Name":"db"}})", {"database/db", "catalog"}},
      {"DeleteDatabase",
       R"({"Name":"db"})",
       {"table/db/*", "userDefinedFunction/db/*", "database/db", "catalog"}},
      {"GetDatabases", "{}", {"catalog"}},
      {"GetTables", R"({"DatabaseName":"db"})", {"database/db", "catalog"}},
      {"SearchTables", "{}", {"catalog"}},
      {"GetTable", R"({"DatabaseName":"db","Name":"t"})", table},
      {"DeleteTable", R"({"DatabaseName":"db","Name":"t"})", table},
      {"CreateTable", R"({"DatabaseName":"db","TableInput":{"Name":"T"}})", table},
      {"UpdateTable", R"({"DatabaseName":"db","TableInput":{"Name":"t"}})", table},
      {"UpdateTable",
       R"({"DatabaseName":"db","Name":"u","TableInput":{"Name":"t"}})",
       {"table/db/u", "table/db/t", "database/db", "catalog"}},
      {"BatchDeleteTable",
       R"({"DatabaseName":"db","TablesToDelete":["t","u"]})",
       {"table/db/t", "table/db/u", "database/db", "catalog"}},
      {"GetTableVersions", R"({"DatabaseName":"db","TableName":"t"})", table},
      {"GetPartitions", R"({"DatabaseName":"db","TableName":"t"})", table},
      {"BatchCreatePartition", R"({"DatabaseName":"db","TableName":"t"})", table},
      {"CreatePartitionIndex", R"({"DatabaseName":"db","TableName":"t"})", table},
      {"GetColumnStatisticsForPartition", R"({"DatabaseName":"db","TableName":"t"})", table},
      {"GetUnfilteredTableMetadata", R"({"DatabaseName":"db","Name":"t"})", table},
      {"GetUserDefinedFunction",
       R"({"DatabaseName":"db","FunctionName":"F"})",
       {"userDefinedFunction/db/f", "database/db", "catalog"}},
      {"CreateUserDefinedFunction",
       R"({"DatabaseName":"db","FunctionInput":{"FunctionName":"f"}})",
       {"database/db", "catalog"}},
      {"GetUserDefinedFunctions", R"({"Pattern":"*"})", {"catalog"}},
      {"GetConnection", R"({"Name":"C"})", {"connection/C", "catalog"}},
      {"DeleteConnection", R"({"ConnectionName":"c"})", {"connection/c", "catalog"}},
      {"CreateConnection", R"({"ConnectionInput":{"Name":"c"}})", {"catalog"}},
      {"BatchDeleteConnection",
       R"({"ConnectionNameList":["c","d"]})",
       {"connection/c", "connection/d", "catalog"}},
      {"CreateCatalog", R"({"Name":"sales"})", {"catalog/sales", "catalog"}},
      {"PutDataCatalogEncryptionSettings", "{}", {"catalog"}},
      {"GetResourcePolicies", "{}", {"catalog"}},
      {"TagResource", R"({"ResourceArn":"arn:aws:glue:eu-central-1:111111111111:table/db/t"})",
       table},
      {"GetTags",
       R"({"ResourceArn":"arn:aws:glue:eu-central-1:111111111111:connection/c"})",
       {"connection/c", "catalog"}},
      {"PutResourcePolicy",
       R"({"ResourceArn":"arn:aws:glue:eu-central-1:111111111111:catalog"})",
       {"catalog"}},
      // What is no request, or no operation of the catalog.
      {"GetTable", R"({"DatabaseName":7,"Name":["t"]})", {"catalog"}},
      {"StartCrawler", R"({"Name":"c"})", {"catalog"}},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(Names(each.operation, each.request), each.names)
        << each.operation << " " << each.request;
  }
}

TEST(GlueResourcesTest, CatalogsBelowAnAccounts) {
  const std::string other = "222222222222";
  EXPECT_EQ(Names("GetTable",
                  R"({"CatalogId":"222222222222:sales","DatabaseName":"db","Name":"t"})", other),
            (List{"table/sales/db/t", "database/sales/db", "catalog/sales", "catalog"}));
  EXPECT_EQ(Names("GetCatalog", R"({"CatalogId":"222222222222:s3tables/bucket"})", other),
            (List{"catalog/s3tables/bucket", "catalog/s3tables", "catalog"}));
  EXPECT_EQ(Names("DeleteCatalog", R"({"CatalogId":"222222222222:sales"})", other),
            (List{"table/sales/*", "userDefinedFunction/sales/*", "database/sales/*",
                  "catalog/sales", "catalog"}));
  EXPECT_EQ(Names("GetCatalogs", R"({"ParentCatalogId":"222222222222","CatalogId":"111111111111"})",
                  other),
            List{"catalog"});
  EXPECT_EQ(Names("CreateCatalog", R"({"CatalogId":"222222222222:x","Name":"sales"})", other),
            (List{"catalog/sales", "catalog"}));
}

TEST(GlueResourcesTest, PartitionsOfAws) {
  EXPECT_EQ(PartitionOf("eu-central-1"), "aws");
  EXPECT_EQ(PartitionOf("cn-north-1"), "aws-cn");
  EXPECT_EQ(PartitionOf("us-gov-west-1"), "aws-us-gov");
  EXPECT_EQ(CatalogArns("111111111111", "cn-north-1").Catalogs()[0].arn,
            "arn:aws-cn:glue:cn-north-1:111111111111:catalog");
}

TEST(GlueResourcesTest, NamesForTheLog) {
  const auto document = JsonDocument::Parse(R"({"DatabaseName":"Db","Name":"T"})");
  const auto target = TargetOf("GetTable", document->root(), "111111111111", "eu-central-1");
  EXPECT_EQ(target.catalog_id, "111111111111");
  EXPECT_EQ(target.database, "Db");
  EXPECT_EQ(target.table, "T");
  EXPECT_EQ(target.action.name, "glue:GetTable");
}

}  // namespace
}  // namespace gluecat::server
