#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/access_testing.h"
#include "cli/copy_command.h"
#include "cli/export_command.h"
#include "cli/import_command.h"
#include "cli/outcome.h"
#include "cli/replaced_file.h"
#include "cli/terminal_progress.h"
#include "core/glue/errors.h"

namespace gluecat::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Database d of the account of AccessTest, and the catalog of another account.
class TransferCommandsTest : public AccessTest {
 protected:
  TransferCommandsTest()
      : target_recording_(std::make_shared<glue::RecordingTransport>(
            std::make_shared<store::LocalTransport>(store_, Account("222222222222"), clock_))),
        target_("the target", SettingsOfTest(), target_recording_) {
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
    Ok("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":"t","Owner":"me",
        "PartitionKeys":[{"Name":"k","Type":"string"}],"StorageDescriptor":{"Location":"s3://b/t"}}})");
    Ok("BatchCreatePartition", R"({"DatabaseName":"d","TableName":"t",
        "PartitionInputList":[{"Values":["1"]},{"Values":["2"]}]})");
    copy_.databases = {"d"};
    copy_.target.glue_id = "222222222222";
  }

  std::string Path(const std::string& name) const { return directory_ + "/" + name; }

  static std::string Content(const std::string& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    return {std::istreambuf_iterator<char>(file), {}};
  }

  Result<bool> Export(std::vector<std::string> arguments, bool json = false) {
    ExportOptions options;
    options.arguments = std::move(arguments);
    options.catalog.json = json;
    return RunExport(options, access_, progress_, out_);
  }

  Result<bool> Import(const ImportOptions& options, const std::string& input = "") {
    std::istringstream in(input);
    return RunImport(options, target_, in, progress_, out_);
  }

  Result<bool> Copy() { return RunCopy(copy_, access_, target_, progress_, out_); }

  std::shared_ptr<glue::RecordingTransport> target_recording_;
  CatalogAccess target_;
  transfer::NoProgress progress_;
  CopyOptions copy_;
};

TEST_F(TransferCommandsTest, ExportsToAFileADirectoryOrStandardOutput) {
  ASSERT_TRUE(Export({"D", Path("one.jsonl")}));
  EXPECT_THAT(Written(), testing::MatchesRegex(
                             "DATABASE +FUNCTIONS +TABLES +PARTITIONS +FILE\nd +0 +1 +2 +.*\n"));
  const std::string file = Content(Path("one.jsonl"));
  EXPECT_THAT(file, HasSubstr(R"({"kind":"end","functions":0,"tables":1,"partitions":2})"));
  ASSERT_TRUE(Export({"d", "-"}));
  EXPECT_EQ(Written(), file);
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"e"}})");
  recording_->Clear();
  ASSERT_TRUE(Export({Path("all/")}, true));
  EXPECT_EQ(Content(Path("all/d.jsonl")), file);
  EXPECT_EQ(Written(),
            R"({"databases":[{"database":"d","file":")" + Path("all/d.jsonl") +
                R"(","functions":0,"tables":1,"partitions":2},{"database":"e","file":")" +
                Path("all/e.jsonl") +
                R"(","functions":0,"tables":0,"partitions":0}],"failures":[]})" + "\n");
  EXPECT_EQ(std::ranges::count(recording_->operations(), "GetDatabases"), 1);
  EXPECT_EQ(std::ranges::count(recording_->operations(), "GetTables"), 2);
  ASSERT_TRUE(Export({"d", "e", Path("two")}));
  EXPECT_EQ(Content(Path("two/d.jsonl")), file);
}

TEST_F(TransferCommandsTest, AnExportThatFailsLeavesTheFileAsItWas) {
  std::ofstream(Path("d.jsonl")) << "before";
  recording_->AnswerNext("GetPartitions",
                         Fail(glue::ErrorFromCode("ThrottlingException", "slow down", 400, "")));
  const auto failed = Export({"d", Path("d.jsonl")});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::kThrottled);
  EXPECT_EQ(Content(Path("d.jsonl")), "before");
  EXPECT_FALSE(std::filesystem::exists(Path("d.jsonl.part")));
  const auto absent = Export({"nothing", Path("n.jsonl")});
  ASSERT_FALSE(absent);
  EXPECT_EQ(ExitCodeOf(absent.error()), kExitNotFound);
  EXPECT_FALSE(std::filesystem::exists(Path("n.jsonl")));
}

TEST_F(TransferCommandsTest, WhereAnExportCannotGoIsWrongUsage) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"sales"},
                                                                     {"-"},
                                                                     {"d", "e", "-"},
                                                                     {"d", "/nonexistent/d.jsonl"},
                                                                     {"d", "/proc/gluecat/"},
                                                                     {"", Path("x")}}) {
    const auto failed = Export(arguments);
    ASSERT_FALSE(failed) << arguments.back();
    EXPECT_EQ(ExitCodeOf(failed.error()), kExitUsage) << failed.error().message;
  }
  EXPECT_THAT(recording_->operations(), ElementsAre());
}

TEST_F(TransferCommandsTest, TablesThatCannotBeReadAreSaid) {
  const std::string odd = R"({"TableList":[{"Name":"odd","Parameters":7}]})";
  recording_->AnswerNext("GetTables", odd);
  auto done = Export({"d", Path("d.jsonl")});
  ASSERT_TRUE(done);
  EXPECT_FALSE(*done);
  EXPECT_THAT(Written(), HasSubstr("failed: table d.odd: Table.Parameters"));
  recording_->AnswerNext("GetTables", odd);
  ASSERT_TRUE(Export({"d", Path("d.jsonl")}, true));
  EXPECT_THAT(Written(), HasSubstr(R"("failures":[{"kind":"table","object":"d.odd","error":{)"
                                   R"("kind":"invalid_data")"));
}

TEST_F(TransferCommandsTest, ImportsFilesDirectoriesAndStandardInput) {
  ASSERT_TRUE(Export({Path("all/")}));
  ImportOptions options;
  options.files = {Path("all")};
  Written();
  ASSERT_TRUE(Import(options).value_or(false));
  EXPECT_THAT(Written(), testing::ContainsRegex("d +partition +2 +0 +0 +0 +0 +0\n"));
  options.files = {"-"};
  options.transfer.as = "Other";
  ASSERT_TRUE(Import(options, Content(Path("all/d.jsonl"))).value_or(false));
  EXPECT_THAT(Ok("GetTable", R"({"DatabaseName":"other","Name":"t"})", Account("222222222222")),
              HasSubstr("s3://b/t"));
}

TEST_F(TransferCommandsTest, AFileThatIsBrokenAtItsEndChangesNothing) {
  ASSERT_TRUE(Export({"d", "-"}));
  std::string file = Written();
  file.resize(file.size() - 30);
  ImportOptions options;
  options.files = {"-"};
  const auto failed = Import(options, file);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("standard input:"));
  EXPECT_THAT(target_recording_->operations(), ElementsAre("GetDatabase"));
}

TEST_F(TransferCommandsTest, WhatCannotBeImportedIsWrongUsage) {
  std::filesystem::create_directory(Path("empty"));
  ImportOptions options;
  const auto refused = [&] {
    const auto failed = Import(options);
    ASSERT_FALSE(failed);
    EXPECT_EQ(ExitCodeOf(failed.error()), kExitUsage) << failed.error().message;
  };
  options.files = {"/nonexistent"};
  refused();
  options.files = {Path("empty")};
  refused();
  options.files = {"a", "b"};
  options.transfer.as = "x";
  refused();
  options.files = {"a"};
  options.transfer.location_prefixes = {"nonsense"};
  refused();
  EXPECT_THAT(target_recording_->operations(), ElementsAre());
}

TEST_F(TransferCommandsTest, CopiesAndSaysWhatItDid) {
  copy_.common.json = true;
  ASSERT_TRUE(Copy().value_or(false));
  const auto counts = [](int created) {
    return R"({"created":)" + std::to_string(created) +
           R"(,"changed":0,"same":0,"conflicting":0,"skipped":0,"failed":0})";
  };
  EXPECT_THAT(Written(), testing::StartsWith(
                             R"({"outcome":"written","databases":[{"name":"d","counts":{)"
                             R"("database":)" +
                             counts(1) + R"(,"function":)" + counts(0) + R"(,"table":)" +
                             counts(1) + R"(,"partition_index":)" + counts(0) + R"(,"partition":)" +
                             counts(2) + R"(,"column_statistics":)" + counts(0) + "}}],"));
  EXPECT_THAT(recording_->operations(),
              ElementsAre("GetDatabase", "GetUserDefinedFunctions", "GetTables",
                          "GetPartitionIndexes", "GetPartitions"));
  EXPECT_THAT(target_recording_->operations(),
              ElementsAre("GetDatabase", "CreateDatabase", "CreateTable", "BatchCreatePartition"));
}

TEST_F(TransferCommandsTest, ADryRunWritesNothingAndSaysWhatItWould) {
  copy_.transfer.dry_run = true;
  ASSERT_TRUE(Copy().value_or(false));
  EXPECT_THAT(Written(), HasSubstr("dry run: nothing was written\ncreate: database d\n"
                                   "create: table d.t\ncreate: 2 partitions of table d.t\n"));
  EXPECT_THAT(target_recording_->operations(), ElementsAre("GetDatabase"));
  copy_.common.json = true;
  ASSERT_TRUE(Copy());
  EXPECT_THAT(Written(),
              HasSubstr(R"({"action":"create","kind":"partition","object":"d.t","count":2})"));
}

TEST_F(TransferCommandsTest, ConflictsAreSaidAndNothingIsWritten) {
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})", Account("222222222222"));
  Ok("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":"t","Owner":"you",
      "PartitionKeys":[{"Name":"k","Type":"string"}],"StorageDescriptor":{"Location":"s3://b/t"}}})",
     Account("222222222222"));
  const auto done = Copy();
  ASSERT_TRUE(done);
  EXPECT_FALSE(*done);
  const std::string text = Written();
  EXPECT_THAT(text,
              HasSubstr("conflicting: table d.t\n    Owner  source  \"me\"  target  \"you\"\n"));
  EXPECT_THAT(text, HasSubstr("conflicts: 1; nothing is written"));
  EXPECT_THAT(target_recording_->operations(), Not(Contains("BatchCreatePartition")));
  copy_.common.json = true;
  ASSERT_TRUE(Copy());
  EXPECT_THAT(Written(),
              HasSubstr(R"("conflicts":[{"kind":"table","object":"d.t",)"
                        R"("resolution":"conflicting","differences":[)"
                        R"({"member":"Owner","source":"\"me\"","target":"\"you\""}]}],)"));
  copy_.transfer.on_conflict = "replace";
  EXPECT_TRUE(Copy().value_or(false));
  EXPECT_THAT(Ok("GetTable", R"({"DatabaseName":"d","Name":"t"})", Account("222222222222")),
              HasSubstr(R"("Owner":"me")"));
}

TEST_F(TransferCommandsTest, AnInterruptedCopySaysHowMuchIsLeft) {
  target_recording_->AnswerNext(
      "CreateTable", Fail(glue::ErrorFromCode("ExpiredTokenException", "expired", 400, "")));
  const auto failed = Copy();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::kUnauthenticated);
  EXPECT_THAT(Written(), HasSubstr("not done: 3; run the command again to finish\n"));
}

TEST_F(TransferCommandsTest, ADatabaseIsNotCopiedOntoItself) {
  copy_.target.glue_id.clear();
  const auto refused = [&] {
    const auto failed = Copy();
    ASSERT_FALSE(failed);
    EXPECT_EQ(ExitCodeOf(failed.error()), kExitUsage) << failed.error().message;
  };
  refused();
  copy_.transfer.as = "D";
  refused();
  copy_.transfer.as = "e";
  EXPECT_TRUE(Copy());
  copy_.all = true;
  refused();
  copy_.transfer.as.clear();
  copy_.target.glue_id = "222222222222";
  refused();
  copy_.databases.clear();
  EXPECT_TRUE(Copy());
  copy_.all = false;
  refused();
}

TEST(TerminalProgressTest, RewritesOneLineAndTakesItAway) {
  std::ostringstream out;
  {
    TerminalProgress progress(out);
    progress.Reading(1, "d.t");
    progress.Reading(2, "d.t");
    progress.Writing(50, 200, "d.t");
    progress.Writing(50, 200, "d.t");
  }
  EXPECT_EQ(out.str(),
            "\r\x1b[Kreading: 1 entries, d.t"
            "\r\x1b[Kwriting [######                  ] 50 of 200, d.t"
            "\r\x1b[K");
}

TEST(ReplacedFileTest, DevicesAreWrittenAsTheyAre) {
  auto file = ReplacedFile::Open("/dev/null");
  ASSERT_TRUE(file);
  file->stream() << "x";
  EXPECT_TRUE(file->Commit());
  EXPECT_FALSE(std::filesystem::exists("/dev/null.part"));
}

}  // namespace
}  // namespace gluecat::cli
