#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/object_name.h"
#include "cli/outcome.h"
#include "cli/text_table.h"
#include "core/base/pretty_json.h"
#include "core/glue/errors.h"

namespace gluecat::cli {
namespace {

using testing::HasSubstr;

TEST(TextTableTest, AlignsByCharactersAndKeepsALineARow) {
  TextTable table({"A", "B"});
  table.Add({"zwölf", "x"});
  table.Add({"", "two\nlines"});
  std::ostringstream out;
  table.Write(out, " ");
  EXPECT_EQ(out.str(),
            " A      B\n"
            " zwölf  x\n"
            " -      two lines\n");
}

TEST(TextTableTest, OneLineCutsBetweenCharacters) {
  EXPECT_EQ(OneLine("äöü", 3), "äöü");
  EXPECT_EQ(OneLine("äöü", 2), "äö…");
  EXPECT_EQ(OneLine("\x1b[31m"), " [31m");
}

TEST(PrettyJsonTest, KeepsOrderAndValues) {
  const auto document =
      JsonDocument::Parse(R"({"b":[1,{"x":"\"ü\n"}],"a":{},"c":[],"d":null,"e":1.5})");
  ASSERT_TRUE(document);
  EXPECT_EQ(PrettyJson(document->root()), R"({
  "b": [
    1,
    {
      "x": "\"ü\n"
    }
  ],
  "a": {},
  "c": [],
  "d": null,
  "e": 1.5
})");
}

TEST(ObjectNameTest, FoldsAndSplitsAtTheFirstDot) {
  const auto table = ParseObjectName("Sales.Orders.v2");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->database, "sales");
  EXPECT_EQ(table->table, "orders.v2");
  EXPECT_EQ(table->Label(), "table sales.orders.v2");
  EXPECT_EQ(ParseObjectName("sales")->Label(), "database sales");
  for (const char* bad : {"", ".", "sales.", ".orders"}) EXPECT_FALSE(ParseObjectName(bad)) << bad;
  EXPECT_FALSE(ParseTableName("sales"));
}

TEST(OutcomeTest, ExitCodes) {
  EXPECT_EQ(ExitCodeOf(MakeError(ErrorKind::kInvalidArgument, "")), kExitUsage);
  EXPECT_EQ(ExitCodeOf(glue::ErrorFromCode("InvalidInputException", "", 400, "")), kExitFailed);
  EXPECT_EQ(ExitCodeOf(glue::ErrorFromCode("EntityNotFoundException", "", 400, "")), kExitNotFound);
  EXPECT_EQ(ExitCodeOf(MakeError(ErrorKind::kUnavailable, "")), kExitFailed);
}

TEST(OutcomeTest, ErrorsNameTheCatalogTheCodeAndWhatToDo) {
  const Error error =
      glue::ErrorFromCode("AccessDeniedException", "table d.t: not you", 400, "r-1");
  std::ostringstream out;
  WriteError(out, error, {.catalog = "111111111111 at http://host:1"}, false);
  EXPECT_THAT(out.str(), HasSubstr("gluecat: catalog 111111111111 at http://host:1: table d.t: not "
                                   "you (AccessDeniedException) [request r-1]\n"));
  EXPECT_THAT(out.str(), HasSubstr("gluecat doctor"));
  out.str("");
  WriteError(out, error, {.catalog = "c", .glue_id = "1", .object = "d.t"}, true);
  const auto json = JsonDocument::Parse(out.str());
  ASSERT_TRUE(json);
  EXPECT_EQ(json->root()["kind"].StringOr(""), "access_denied");
  EXPECT_EQ(json->root()["catalog"].StringOr(""), "c");
  EXPECT_EQ(json->root()["glue_id"].StringOr(""), "1");
  EXPECT_EQ(json->root()["object"].StringOr(""), "d.t");
}

}  // namespace
}  // namespace gluecat::cli
