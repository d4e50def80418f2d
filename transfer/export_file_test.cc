#include "transfer/export_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/text.h"
#include "transfer/transfer_testing.h"

namespace gluecat::transfer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// Writes what it is shown.
std::pair<Status, std::string> ReadAndWrite(const std::string& file) {
  std::istringstream in(file);
  std::ostringstream out;
  ExportWriter writer(out);
  Status status = ReadExport(in, "d.jsonl", writer);
  return {std::move(status), out.str()};
}

class ExportFileTest : public TransferTest {
 protected:
  ExportFileTest() { MakeDatabase(); }

  // The message for `file`, which must be refused.
  std::string Refusal(const std::string& file) {
    const auto [status, written] = ReadAndWrite(file);
    EXPECT_FALSE(status) << file.substr(0, 500);
    if (status) return "";
    EXPECT_EQ(status.error().kind, ErrorKind::kInvalidData);
    return status.error().message;
  }

  // `text` with the one `from` it has replaced.
  static std::string Replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
};

TEST_F(ExportFileTest, HoldsEverythingInOrder) {
  const std::string file = Export(source_client_);
  EXPECT_THAT(source_->operations(),
              ElementsAre("GetDatabase", "GetUserDefinedFunctions", "GetTables",
                          "GetPartitionIndexes", "GetColumnStatisticsForTable", "GetPartitions"));
  const auto lines = Split(file, '\n');
  ASSERT_EQ(lines.size(), 1 + 1 + 1 + 4 + 250 + 1 + 1U);  // the last is empty
  EXPECT_EQ(lines[0], R"({"kind":"header","format":"gluecat-export","version":1})");
  EXPECT_THAT(lines[1], StartsWith(R"({"kind":"database","name":"d","entry":{)"));
  EXPECT_THAT(lines[1], HasSubstr(R"("Description":"of the test","LocationUri":"s3://old/d",)"
                                  R"("Name":"d","Parameters":{"a":"1","b":"2"}})"));
  EXPECT_THAT(lines[2], StartsWith(R"({"kind":"function","name":"f","entry":{"ClassName":"a.B")"));
  EXPECT_THAT(lines[3], StartsWith(R"({"kind":"table","name":"link")"));
  EXPECT_THAT(lines[4], StartsWith(R"({"kind":"table","name":"parts")"));
  EXPECT_THAT(lines[4], HasSubstr(R"("partition_indexes":[{"IndexName":"i","Keys":["k"]}])"));
  EXPECT_THAT(lines[4], HasSubstr(R"("column_statistics":[{"AnalyzedTime":1,"ColumnName":"a")"));
  EXPECT_THAT(lines[5], StartsWith(R"({"kind":"partition","table":"parts","entry":)"));
  EXPECT_THAT(lines[5], HasSubstr(R"("Values":["0"])"));
  EXPECT_THAT(lines[255], HasSubstr(R"("Zeta":{"a":[2],"b":1})"));
  EXPECT_EQ(lines[257], R"({"kind":"end","functions":1,"tables":4,"partitions":250})");
}

TEST_F(ExportFileTest, IsReadAsItWasWritten) {
  const std::string file = Export(source_client_);
  const auto [status, written] = ReadAndWrite(file);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(written, file);
}

TEST_F(ExportFileTest, StatisticsAreReadAsAskedFor) {
  Ok("UpdateColumnStatisticsForPartition", StatisticsOf("7", 5));
  EXPECT_EQ(Export(source_client_, Statistics::kNone).find("column_statistics"), std::string::npos);
  source_->Clear();
  const std::string all = Export(source_client_, Statistics::kAll);
  EXPECT_EQ(std::ranges::count(source_->operations(), "GetColumnStatisticsForPartition"), 250);
  EXPECT_EQ(ReadAndWrite(all).second, all);
  EXPECT_THAT(all, HasSubstr(R"("Values":["7"]},"column_statistics":[{)"));
}

TEST_F(ExportFileTest, ATableThatCannotBeReadIsNamed) {
  source_->AnswerNext("GetTables", R"({"TableList":[{"Name":"odd","Parameters":7}]})");
  std::ostringstream out;
  ExportWriter writer(out);
  ASSERT_TRUE(ReadCatalog(source_client_, "d", Statistics::kTables, writer));
  ASSERT_EQ(writer.unreadable().size(), 1U);
  EXPECT_EQ(writer.unreadable()[0].name, "odd");
}

TEST_F(ExportFileTest, WhatIsNoExportIsRefusedWithItsLine) {
  const std::string file = Export(source_client_);
  EXPECT_THAT(Refusal(""), StartsWith("d.jsonl:1: the file ends here"));
  EXPECT_THAT(Refusal("{}\n"), StartsWith("d.jsonl:1: "));
  EXPECT_THAT(Refusal("[1]\n"), HasSubstr("kind"));
  EXPECT_THAT(Refusal("{\n"), HasSubstr("d.jsonl:1: malformed JSON"));
  EXPECT_THAT(Refusal(Replaced(file, R"("version":1)", R"("version":2)")),
              HasSubstr("has version 2"));
  EXPECT_THAT(Refusal(file + "{}\n"), HasSubstr("d.jsonl:259: nothing may follow"));
  EXPECT_THAT(Refusal(file.substr(0, file.rfind("{\"kind\":\"end\""))),
              HasSubstr("d.jsonl:258: the file ends here"));
  EXPECT_THAT(Refusal(file.substr(0, file.size() - 20)), HasSubstr("d.jsonl:258: malformed JSON"));
  EXPECT_THAT(Refusal(Replaced(file, R"("kind":"function")", R"("kind":"connection")")),
              HasSubstr("d.jsonl:3: unknown kind \"connection\""));
  EXPECT_THAT(Refusal(Replaced(file, R"("kind":"table",)", R"("kind":"table","tags":{},)")),
              HasSubstr("d.jsonl:4: a line of this kind has no member \"tags\""));
  EXPECT_THAT(Refusal(Replaced(file, R"("partitions":250})", R"("partitions":251})")),
              HasSubstr("d.jsonl:258: "));
  EXPECT_THAT(Refusal(Replaced(file, R"("name":"parts")", R"("name":"other")")),
              HasSubstr("d.jsonl:5: \"name\" is"));
  EXPECT_THAT(Refusal(Replaced(file, R"("table":"parts")", R"("table":"plain")")),
              HasSubstr("must follow the line of its table"));
  EXPECT_THAT(Refusal(Replaced(file, R"("Values":["0"])", R"("Values":["9"])")),
              HasSubstr("out of order"));
  EXPECT_THAT(Refusal(Replaced(file, R"("Values":["0"])", R"("Values":["1"])")),
              HasSubstr("comes twice"));
  EXPECT_THAT(Refusal(Replaced(file, R"("Values":["0"])", R"("Values":7)")),
              HasSubstr("Partition.Values"));
  EXPECT_THAT(Refusal(Replaced(file, R"("Name":"link",)", "")), HasSubstr("has no name"));
  EXPECT_THAT(Refusal(Replaced(file, R"("partition_indexes":[)", R"("partition_indexes":7,"x":[)")),
              HasSubstr("d.jsonl:5: "));
}

TEST_F(ExportFileTest, ALineHasABound) {
  EXPECT_THAT(Refusal(std::string(kMaxLineBytes + 1, ' ')), HasSubstr("more than 32 MiB"));
}

TEST_F(ExportFileTest, ADiskThatIsFullIsAnError) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  ExportWriter writer(out);
  const Status status = ReadCatalog(source_client_, "d", Statistics::kNone, writer);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kUnavailable);
}

}  // namespace
}  // namespace gluecat::transfer
