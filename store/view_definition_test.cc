#include <algorithm>

#include "store/store_testing.h"

namespace gluecat::store {
namespace {

constexpr std::string_view kOrders = "arn:aws:glue:eu-central-1:111111111111:table/d/orders";

class ViewDefinitionTest : public StoreTest {
 protected:
  ViewDefinitionTest() { Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})"); }

  static std::string Representation(std::string_view dialect, std::string_view text) {
    return R"({"Dialect":")" + std::string(dialect) +
           R"(","DialectVersion":"3","ViewOriginalText":")" + std::string(text) + R"("})";
  }
  static std::string Definition(std::string_view representations, std::string_view more = "") {
    return R"({"Representations":[)" + std::string(representations) + "]" + std::string(more) + "}";
  }
  static std::string Input(std::string_view definition,
                           std::string_view columns = R"([{"Name":"id","Type":"int"}])") {
    return R"({"Name":"v","StorageDescriptor":{"Columns":)" + std::string(columns) +
           R"(},"ViewDefinition":)" + std::string(definition) + "}";
  }
  void Create() {
    Ok("CreateTable",
       R"({"DatabaseName":"d","TableInput":)" +
           Input(Definition(Representation("ATHENA", "select a"),
                            R"(,"IsProtected":true,"Definer":"arn:aws:iam::111111111111:role/me")"
                            R"(,"SubObjects":[")" +
                                std::string(kOrders) + R"("])")) +
           "}");
  }
  static std::string Update(std::string_view action, std::string_view input,
                            std::string_view more = "") {
    return R"({"DatabaseName":"d","ViewUpdateAction":")" + std::string(action) +
           R"(","TableInput":)" + std::string(input) + std::string(more) + "}";
  }
  JsonDocument Table() {
    return *JsonDocument::Parse(Ok("GetTable", R"({"DatabaseName":"d","Name":"v"})"));
  }
  // "ATHENA:select a", with "!" behind a stale one.
  std::vector<std::string> Dialects() {
    const auto table = Table();
    std::vector<std::string> out;
    for (const auto& element :
         table.root()["Table"]["ViewDefinition"]["Representations"].Elements()) {
      out.push_back(element["Dialect"].StringOr("") + ":" +
                    element["ViewOriginalText"].StringOr("") +
                    (element["IsStale"].BoolOr(true) ? "!" : ""));
    }
    return out;
  }
};

TEST_F(ViewDefinitionTest, IsGivenBackByEveryReadingOperation) {
  Create();
  for (
      const auto& [answer, list] : std::vector<std::pair<std::string, std::string>>{
          {Ok("GetTable", R"({"DatabaseName":"d","Name":"v"})"), ""},
          {Ok("GetUnfilteredTableMetadata",
              R"({"CatalogId":"111111111111","DatabaseName":"d","Name":"v","SupportedPermissionTypes":["COLUMN_PERMISSION"],"SupportedDialect":{"Dialect":"SPARK"}})"),
           ""},
          {Ok("GetTables", R"({"DatabaseName":"d"})"), "TableList"},
          {Ok("SearchTables", R"({"SearchText":"v"})"), "TableList"},
          {Ok("GetTableVersions", R"({"DatabaseName":"d","TableName":"v"})"), "TableVersions"}}) {
    const auto document = JsonDocument::Parse(answer);
    JsonView table = list.empty() ? document->root() : document->root()[list].Elements().at(0);
    if (!table["Table"].IsNull()) table = table["Table"];
    EXPECT_EQ(table["IsMultiDialectView"].AsBool(), true) << answer;
    const JsonView view = table["ViewDefinition"];
    EXPECT_EQ(view["IsProtected"].AsBool(), true);
    EXPECT_EQ(view["Definer"].AsString(), "arn:aws:iam::111111111111:role/me");
    EXPECT_EQ(view["SubObjects"].Dump(), "[\"" + std::string(kOrders) + "\"]");
    EXPECT_EQ(
        view["Representations"].Dump(),
        R"([{"Dialect":"ATHENA","DialectVersion":"3","ViewOriginalText":"select a","IsStale":false}])");
  }
  const auto table = Table();
  EXPECT_EQ(
      table.root()["Table"]["Status"].Dump(),
      R"({"RequestedBy":"arn:aws:iam::111111111111:root","UpdatedBy":"arn:aws:iam::111111111111:root",)"
      R"("RequestTime":1700000000.25,"UpdateTime":1700000000.25,"Action":"CREATE","State":"SUCCESS"})");
  const auto unfiltered = JsonDocument::Parse(Ok(
      "GetUnfilteredTableMetadata",
      R"({"CatalogId":"111111111111","DatabaseName":"d","Name":"v","SupportedPermissionTypes":["COLUMN_PERMISSION"]})"));
  EXPECT_EQ(unfiltered->root()["IsMultiDialectView"].AsBool(), true);
  EXPECT_EQ(unfiltered->root()["IsProtected"].AsBool(), true);
  EXPECT_TRUE(unfiltered->root()["CellFilters"].IsArray());
}

TEST_F(ViewDefinitionTest, DialectsAreAddedReplacedAndDropped) {
  Create();
  Ok("UpdateTable", Update("ADD", Input(Definition(Representation("SPARK", "select s")))));
  EXPECT_EQ(Dialects(), (std::vector<std::string>{"ATHENA:select a", "SPARK:select s"}));
  Ok("UpdateTable", Update("REPLACE", Input(Definition(Representation("ATHENA", "select a2")))));
  EXPECT_EQ(Dialects(), (std::vector<std::string>{"ATHENA:select a2", "SPARK:select s"}));
  Ok("UpdateTable",
     Update("ADD_OR_REPLACE", Input(Definition(Representation("SPARK", "select s2") + "," +
                                               Representation("REDSHIFT", "r")))));
  EXPECT_EQ(Dialects(),
            (std::vector<std::string>{"ATHENA:select a2", "SPARK:select s2", "REDSHIFT:r"}));
  Ok("UpdateTable", Update("DROP", Input(Definition(R"({"Dialect":"ATHENA"})"))));
  EXPECT_EQ(Dialects(), (std::vector<std::string>{"SPARK:select s2", "REDSHIFT:r"}));
  // What the requests left out stayed.
  const auto table = Table();
  const JsonView view = table.root()["Table"]["ViewDefinition"];
  EXPECT_EQ(view["Definer"].AsString(), "arn:aws:iam::111111111111:role/me");
  EXPECT_EQ(view["SubObjects"].Elements().size(), 1U);
  EXPECT_EQ(table.root()["Table"]["VersionId"].AsString(), "4");
  EXPECT_EQ(table.root()["Table"]["Status"]["Action"].AsString(), "UPDATE");
}

TEST_F(ViewDefinitionTest, ActionsThatDoNotFit) {
  Create();
  const auto spark = Input(Definition(Representation("SPARK", "s")));
  const auto athena = Input(Definition(Representation("ATHENA", "a")));
  EXPECT_EQ(Code("UpdateTable", Update("ADD", athena)), "AlreadyExistsException");
  EXPECT_EQ(Code("UpdateTable", Update("REPLACE", spark)), "EntityNotFoundException");
  EXPECT_EQ(Code("UpdateTable", Update("DROP", spark)), "EntityNotFoundException");
  EXPECT_EQ(Code("UpdateTable", Update("DROP", athena)), "InvalidInputException");
  EXPECT_NE(message_.find("DeleteTable"), std::string::npos) << message_;
  EXPECT_EQ(Code("UpdateTable", Update("ADD", R"({"Name":"v"})")), "InvalidInputException");
  EXPECT_EQ(Code("UpdateTable", Update("RENAME", spark)), "ValidationException");
  MakeTable("v2");
  EXPECT_EQ(Code("UpdateTable",
                 R"({"DatabaseName":"d","ViewUpdateAction":"ADD","TableInput":{"Name":"v2"}})"),
            "InvalidInputException");
  EXPECT_EQ(Dialects(), std::vector<std::string>{"ATHENA:select a"});
}

TEST_F(ViewDefinitionTest, ForceMakesTheOtherDialectsStale) {
  Create();
  const auto other =
      Input(Definition(Representation("SPARK", "s")), R"([{"Name":"id","Type":"bigint"}])");
  EXPECT_EQ(Code("UpdateTable", Update("ADD", other)), "InvalidInputException");
  EXPECT_NE(message_.find("columns"), std::string::npos) << message_;
  Ok("UpdateTable", Update("ADD", other, R"(,"Force":true)"));
  EXPECT_EQ(Dialects(), (std::vector<std::string>{"ATHENA:select a!", "SPARK:s"}));
  EXPECT_EQ(Table().root()["Table"]["StorageDescriptor"]["Columns"].Dump(),
            R"([{"Name":"id","Type":"bigint"}])");

  const auto objects = R"({"Name":"v","ViewDefinition":)" +
                       Definition(Representation("ATHENA", "a3"),
                                  R"(,"SubObjects":[")" + std::string(kOrders) + R"(2"])") +
                       "}";
  EXPECT_EQ(Code("UpdateTable", Update("REPLACE", objects)), "InvalidInputException");
  EXPECT_NE(message_.find("SubObjects"), std::string::npos) << message_;
  Ok("UpdateTable", Update("REPLACE", objects, R"(,"Force":true)"));
  EXPECT_EQ(Dialects(), (std::vector<std::string>{"ATHENA:a3", "SPARK:s!"}));
  // The columns, which the request left out, stayed.
  EXPECT_EQ(Table().root()["Table"]["StorageDescriptor"]["Columns"].Elements().size(), 1U);
}

TEST_F(ViewDefinitionTest, WithoutAnActionAnUpdateReplacesAll) {
  Create();
  Ok("UpdateTable", R"({"DatabaseName":"d","TableInput":)" +
                        Input(Definition(Representation("SPARK", "s"))) + "}");
  EXPECT_EQ(Dialects(), std::vector<std::string>{"SPARK:s"});
  EXPECT_TRUE(Table().root()["Table"]["ViewDefinition"]["Definer"].IsNull());
  Ok("UpdateTable", R"({"DatabaseName":"d","TableInput":{"Name":"v"}})");
  EXPECT_TRUE(Table().root()["Table"]["ViewDefinition"].IsNull());
  EXPECT_TRUE(Table().root()["Table"]["IsMultiDialectView"].IsNull());
}

TEST_F(ViewDefinitionTest, LimitsOfTheApi) {
  const auto repeated = [](std::string_view text, int count) {
    std::string list;
    for (int i = 0; i < count; ++i) list += (i == 0 ? "" : ",") + std::string(text);
    return list;
  };
  const std::string one = Representation("SPARK", "s");
  const std::string arn = "\"" + std::string(kOrders) + "\"";
  for (const auto& definition : std::vector<std::string>{
           Definition(""), Definition(repeated(one, 11)), Definition(Representation("HIVE", "s")),
           Definition(one, R"(,"Definer":"short")"),
           Definition(one, R"(,"SubObjects":[)" + repeated(arn, 11) + "]"),
           Definition(one, R"(,"SubObjects":["x"])"), Definition(one, R"(,"ViewVersionId":-2)"),
           Definition(one, R"(,"LastRefreshType":"SOME")"),
           Definition(Representation("SPARK", std::string(409601, 'x'))),
           Definition(R"({"Dialect":"SPARK","DialectVersion":""})"),
           Definition(R"({"Dialect":"SPARK","IsStale":false})")}) {
    EXPECT_EQ(Code("CreateTable", R"({"DatabaseName":"d","TableInput":)" + Input(definition) + "}"),
              "ValidationException")
        << definition.substr(0, 200);
  }
  for (const auto& definition : {Definition(repeated(one, 2)), Definition("{}")}) {
    EXPECT_EQ(Code("CreateTable", R"({"DatabaseName":"d","TableInput":)" + Input(definition) + "}"),
              "InvalidInputException");
  }
  Ok("CreateTable", R"({"DatabaseName":"d","TableInput":)" +
                        Input(Definition(Representation("SPARK", std::string(409600, 'x')),
                                         R"(,"SubObjects":[)" + repeated(arn, 10) + "]")) +
                        "}");
}

}  // namespace
}  // namespace gluecat::store
