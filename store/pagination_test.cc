// Every listing of the API, through one table: what pages, tokens and MaxResults mean everywhere.
#include <algorithm>
#include <array>
#include <set>

#include "store/store_testing.h"

namespace gluecat::store {
namespace {

struct Listing {
  std::string_view operation;
  std::string_view members;  // of the request, but for the token and MaxResults
  std::string_view list;     // of the answer
  std::size_t count;         // elements in all
  int max_page;              // of the API's model; 0 if there is no MaxResults
  // Members of requests that are other listings of the same operation.
  std::vector<std::string_view> others;
};

const std::vector<Listing>& Listings() {
  static const std::vector<Listing> listings{
      {"GetDatabases",
       R"("AttributesToGet":["NAME"])",
       "DatabaseList",
       5,
       100,
       {R"("CatalogId":"222222222222")"}},
      {"GetTables",
       R"("DatabaseName":"d1","Expression":"t.*")",
       "TableList",
       5,
       100,
       {R"("DatabaseName":"d2","Expression":"t.*")", R"("DatabaseName":"d1")",
        R"("DatabaseName":"d1","Expression":"t*")",
        R"("CatalogId":"222222222222","DatabaseName":"d1","Expression":"t.*")"}},
      {"GetTableVersions",
       R"("DatabaseName":"d1","TableName":"t1")",
       "TableVersions",
       5,
       100,
       {R"("DatabaseName":"d1","TableName":"t2")", R"("DatabaseName":"d2","TableName":"t1")"}},
      {"GetPartitions",
       R"("DatabaseName":"d1","TableName":"t1","Expression":"k > 0")",
       "Partitions",
       5,
       1000,
       {R"("DatabaseName":"d1","TableName":"t1")",
        R"("DatabaseName":"d1","TableName":"t1","Expression":"k > 0","Segment":{"SegmentNumber":0,"TotalSegments":2})",
        R"("DatabaseName":"d1","TableName":"t2","Expression":"k > 0")"}},
      {"GetUnfilteredPartitionsMetadata",
       R"("CatalogId":"111111111111","DatabaseName":"d1","TableName":"t1","SupportedPermissionTypes":["COLUMN_PERMISSION"])",
       "UnfilteredPartitions",
       5,
       1000,
       {R"("CatalogId":"111111111111","DatabaseName":"d1","TableName":"t2","SupportedPermissionTypes":["COLUMN_PERMISSION"])"}},
      {"GetPartitionIndexes",
       R"("DatabaseName":"d1","TableName":"t1")",
       "PartitionIndexDescriptorList",
       3,
       0,
       {}},
      {"GetUserDefinedFunctions",
       R"("DatabaseName":"d1","Pattern":"f*")",
       "UserDefinedFunctions",
       5,
       100,
       {R"("DatabaseName":"d2","Pattern":"f*")", R"("Pattern":"f*")",
        R"("DatabaseName":"d1","Pattern":"*")",
        R"("DatabaseName":"d1","Pattern":"f*","FunctionType":"REGULAR_FUNCTION")"}},
      {"GetUserDefinedFunctions", R"("Pattern":"f.*")", "UserDefinedFunctions", 10, 100, {}},
      {"GetConnections",
       R"("Filter":{"ConnectionType":"NETWORK"})",
       "ConnectionList",
       5,
       1000,
       {R"("Filter":{"ConnectionType":"JDBC"})", R"("HidePassword":false)",
        R"("CatalogId":"222222222222","Filter":{"ConnectionType":"NETWORK"})"}},
      {"GetCatalogs",
       R"("IncludeRoot":true)",
       "CatalogList",
       6,
       1000,
       {R"("IncludeRoot":false)", "\"Recursive\":false",
        R"("ParentCatalogId":"222222222222","IncludeRoot":true)"}},
      {"SearchTables",
       R"("SearchText":"t1")",
       "TableList",
       2,
       1000,
       {R"("SearchText":"t2")", R"("CatalogId":"222222222222","SearchText":"t1")",
        R"("SearchText":"t1","SortCriteria":[{"FieldName":"Name","Sort":"DESC"}])",
        R"("SearchText":"t1","Filters":[{"Key":"Name","Value":"t1"}])"}},
      {"GetResourcePolicies", R"("Later":1)", "GetResourcePoliciesResponseList", 1, 1000, {}},
  };
  return listings;
}

std::string Request(std::string_view members, std::string_view more = "") {
  return "{" + std::string(members) + std::string(more) + "}";
}
std::string WithToken(std::string_view token) {
  return R"(,"NextToken":")" + std::string(token) + "\"";
}
std::string WithMaxResults(int max_results) {
  return R"(,"MaxResults":)" + std::to_string(max_results);
}

class PaginationTest : public StoreTest {
 protected:
  PaginationTest() { Fill(); }

  // Five of everything, three indexes, one policy.
  void Fill() {
    for (const std::string number : {"1", "2", "3", "4", "5"}) {
      Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d)" + number + R"("}})");
      Ok("CreateConnection", R"({"ConnectionInput":{"Name":"c)" + number +
                                 R"(","ConnectionType":"NETWORK","ConnectionProperties":{}}})");
      Ok("CreateCatalog", R"({"Name":"catalog)" + number + R"(","CatalogInput":{}})");
    }
    for (const std::string database : {"d1", "d2"}) {
      const std::string in = R"("DatabaseName":")" + database + "\"";
      for (const std::string number : {"1", "2", "3", "4", "5"}) {
        Ok("CreateTable", "{" + in + R"(,"TableInput":{"Name":"t)" + number +
                              R"(","PartitionKeys":[{"Name":"k","Type":"int"}]}})");
        Ok("CreateUserDefinedFunction",
           "{" + in + R"(,"FunctionInput":{"FunctionName":"f)" + number + R"("}})");
      }
      const std::string table = in + R"(,"TableName":"t1")";
      for (int number = 1; number <= 5; ++number) {
        Ok("CreatePartition",
           "{" + table + R"(,"PartitionInput":{"Values":[")" + std::to_string(number) + R"("]}})");
        if (number == 1) continue;
        Ok("UpdateTable",
           "{" + in +
               R"(,"TableInput":{"Name":"t1","PartitionKeys":[{"Name":"k","Type":"int"}]}})");
      }
      for (const std::string name : {"i1", "i2", "i3"}) {
        Ok("CreatePartitionIndex",
           "{" + table + R"(,"PartitionIndex":{"Keys":["k"],"IndexName":")" + name + R"("}})");
      }
    }
    Ok("PutResourcePolicy", R"({"PolicyInJson":"{\"Version\":\"2012-10-17\"}"})");
    // What the other listings need to be found in.
    Ok("CreateDatabase", R"({"CatalogId":"222222222222","DatabaseInput":{"Name":"d1"}})");
  }

  std::vector<std::string> Elements(std::string_view answer, std::string_view list) {
    std::vector<std::string> out;
    const auto document = JsonDocument::Parse(answer);
    EXPECT_TRUE(document && document->root()[list].IsArray()) << answer;
    for (const auto& element : document->root()[list].Elements()) out.push_back(element.Dump());
    return out;
  }

  // All elements, page by page; no page holds more than `page` of them.
  std::vector<std::string> ReadAll(const Listing& listing, std::string_view more,
                                   std::size_t page) {
    std::vector<std::string> all;
    std::string token;
    for (std::size_t pages = 0; pages <= listing.count + 1; ++pages) {
      const auto answer =
          Ok(listing.operation,
             Request(listing.members, std::string(more) + (pages == 0 ? "" : WithToken(token))));
      const auto elements = Elements(answer, listing.list);
      EXPECT_LE(elements.size(), page) << listing.operation;
      all.insert(all.end(), elements.begin(), elements.end());
      token = Token(answer);
      if (token.empty()) return all;
    }
    ADD_FAILURE() << listing.operation << " does not end";
    return all;
  }

  // A token of the listing, or an empty one if it has a single page.
  std::string FirstToken(const Listing& listing) {
    if (listing.max_page == 0) return "";
    return Token(Ok(listing.operation, Request(listing.members, WithMaxResults(1))));
  }
};

TEST_F(PaginationTest, PagesAreDisjointAndComplete) {
  for (const auto& listing : Listings()) {
    SCOPED_TRACE(std::string(listing.operation) + " " + std::string(listing.members));
    const auto all = ReadAll(listing, "", listing.max_page == 0 ? 3 : listing.max_page);
    EXPECT_EQ(all.size(), listing.count);
    EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size());
    if (listing.max_page == 0) continue;
    for (const int page : {1, 2, listing.max_page}) {
      EXPECT_EQ(ReadAll(listing, WithMaxResults(page), page), all) << page;
    }
  }
}

TEST_F(PaginationTest, TokensThatAreNone) {
  for (const auto& listing : Listings()) {
    SCOPED_TRACE(std::string(listing.operation) + " " + std::string(listing.members));
    std::vector<std::string> tokens{
        "x", "00", "zz", "0011223344556677889900aa", "\\u00e4", std::string(5000, 'a')};
    if (const auto token = FirstToken(listing); !token.empty()) {
      std::string changed = token;
      changed.back() = changed.back() == '0' ? '1' : '0';
      std::string upper = token;
      std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
      tokens.insert(tokens.end(), {token.substr(1), token.substr(0, token.size() - 1),
                                   token.substr(0, token.size() - 2), token.substr(0, 16),
                                   token + "00", " " + token, changed});
      if (upper != token) tokens.push_back(upper);
    }
    for (const auto& token : tokens) {
      EXPECT_EQ(Code(listing.operation, Request(listing.members, WithToken(token))),
                "InvalidInputException")
          << token;
      EXPECT_NE(message_.find("NextToken"), std::string::npos) << message_;
    }
  }
}

TEST_F(PaginationTest, TokensOfOtherListings) {
  for (const auto& listing : Listings()) {
    const auto token = FirstToken(listing);
    if (token.empty()) continue;
    for (const auto& other : Listings()) {
      if (&other == &listing) continue;
      EXPECT_EQ(Code(other.operation, Request(other.members, WithToken(token))),
                "InvalidInputException")
          << "token of " << listing.operation << " for " << other.operation;
    }
    for (const auto members : listing.others) {
      const auto answer = Execute(listing.operation, Request(members, WithToken(token)));
      ASSERT_FALSE(answer) << listing.operation << " " << members;
      // The other may not exist; what must not happen is a page.
      EXPECT_TRUE(answer.error().code == "InvalidInputException" ||
                  answer.error().code == "EntityNotFoundException")
          << answer.error().code;
    }
  }
}

TEST_F(PaginationTest, TokensOfAnotherRegionOrStore) {
  const std::string elsewhere = directory_ + "/elsewhere";
  const auto other = Store::Open(elsewhere, clock_);
  ASSERT_TRUE(other);
  for (const auto& listing : Listings()) {
    const auto token = FirstToken(listing);
    if (token.empty()) continue;
    const auto request = Request(listing.members, WithToken(token));
    EXPECT_FALSE(Execute(listing.operation, request, Account("111111111111", "us-east-1")))
        << listing.operation;
    EXPECT_FALSE((*other)->Execute(Account(), listing.operation, request)) << listing.operation;
  }
}

// The same names are other objects afterwards.
TEST_F(PaginationTest, TokensOfTheTimeBeforeAReset) {
  std::vector<std::string> tokens;
  for (const auto& listing : Listings()) tokens.push_back(FirstToken(listing));
  ASSERT_TRUE(store_->Clear());
  Fill();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].empty()) continue;
    const auto& listing = Listings()[i];
    EXPECT_EQ(Code(listing.operation, Request(listing.members, WithToken(tokens[i]))),
              "InvalidInputException")
        << listing.operation;
  }
}

TEST_F(PaginationTest, MaxResultsOutOfRange) {
  for (const auto& listing : Listings()) {
    if (listing.max_page == 0) continue;
    for (const int value : {0, -1, listing.max_page + 1, 1 << 30}) {
      EXPECT_EQ(Code(listing.operation, Request(listing.members, WithMaxResults(value))),
                "ValidationException")
          << listing.operation << " " << value;
      EXPECT_NE(message_.find("'maxResults'"), std::string::npos) << message_;
    }
    for (const std::string_view value : {R"("1")", "1.5", "true", "[]"}) {
      EXPECT_EQ(Code(listing.operation,
                     Request(listing.members, R"(,"MaxResults":)" + std::string(value))),
                "SerializationException")
          << listing.operation << " " << value;
    }
  }
}

// A listing that is not in the table is not tested: the API's paginated operations that the store
// carries out are these.
TEST_F(PaginationTest, EveryListingIsInTheTable) {
  for (const std::string_view operation :
       {"GetDatabases", "GetTables", "GetTableVersions", "GetPartitions", "GetPartitionIndexes",
        "GetUserDefinedFunctions", "GetConnections", "GetCatalogs", "SearchTables",
        "GetResourcePolicies", "GetUnfilteredPartitionsMetadata", "ListConnections",
        "GetColumnStatisticsTaskRuns"}) {
    const bool known = std::ranges::any_of(
        Listings(), [&](const Listing& listing) { return listing.operation == operation; });
    EXPECT_EQ(known, IsKnownOperation(operation)) << operation;
  }
}

}  // namespace
}  // namespace gluecat::store
