#include "cli/put_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/access_testing.h"
#include "cli/get_command.h"
#include "cli/outcome.h"
#include "core/glue/errors.h"

namespace gluecat::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class PutCommandTest : public AccessTest {
 protected:
  PutCommandTest() {
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
    options_.object = "d.t";
  }

  Status Put(const std::string& json) {
    std::istringstream in(json);
    return RunPut(options_, access_, in, out_);
  }

  std::string Get() {
    Written();
    GetOptions options;
    options.object = options_.object;
    EXPECT_TRUE(RunGet(options, access_, out_));
    return Written();
  }

  PutOptions options_;
};

TEST_F(PutCommandTest, CreatesWhatIsNotThere) {
  ASSERT_TRUE(Put(R"({"Name":"t","Owner":"me","NewMember":{"a":1}})"));
  EXPECT_EQ(Written(), "created table d.t\n");
  EXPECT_THAT(recording_->operations(), ElementsAre("GetTable", "CreateTable"));
  const std::string entry = Get();
  EXPECT_THAT(entry, HasSubstr("\"Owner\": \"me\""));
  EXPECT_THAT(entry, HasSubstr("\"NewMember\""));
}

TEST_F(PutCommandTest, WhatWasReadCanBeWrittenBack) {
  ASSERT_TRUE(Put(R"({"Name":"t","Owner":"me","NewMember":{"a":1}})"));
  std::string entry = Get();
  entry.replace(entry.find("\"me\""), 4, "\"you\"");
  recording_->Clear();
  ASSERT_TRUE(Put(entry));
  EXPECT_THAT(recording_->operations(), ElementsAre("GetTable", "UpdateTable"));
  EXPECT_THAT(recording_->calls()[1].body, HasSubstr(R"("VersionId":"0")"));
  EXPECT_THAT(recording_->calls()[1].body, Not(HasSubstr("CreateTime")));
  entry = Get();
  EXPECT_THAT(entry, HasSubstr("\"Owner\": \"you\""));
  EXPECT_THAT(entry, HasSubstr("\"NewMember\""));
  EXPECT_THAT(entry, HasSubstr("\"VersionId\": \"1\""));
}

TEST_F(PutCommandTest, AChangeMadeMeanwhileIsNotLost) {
  ASSERT_TRUE(Put(R"({"Name":"t","Owner":"me"})"));
  const std::string entry = Get();
  ASSERT_TRUE(Put(R"({"Name":"t","Owner":"somebody"})"));
  for (const bool update_only : {false, true}) {
    options_.update_only = update_only;
    const Status status = Put(entry);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, ErrorKind::kConflict);
    EXPECT_THAT(status.error().message, HasSubstr("table d.t"));
  }
  EXPECT_THAT(Get(), HasSubstr("somebody"));
}

TEST_F(PutCommandTest, AnEntryOfAnotherTableBringsNoVersion) {
  ASSERT_TRUE(Put(R"({"Name":"t"})"));
  ASSERT_TRUE(Put(R"({"Name":"t","Owner":"a"})"));
  const std::string entry = Get();  // version 1
  options_.object = "d.copy";
  ASSERT_TRUE(Put(entry));
  ASSERT_TRUE(Put(entry));  // over version 0 of the copy
  options_.catalog.json = true;
  ASSERT_TRUE(Put(entry));
  EXPECT_THAT(Written(), HasSubstr(R"({"object":"d.copy","action":"updated"})"));
  EXPECT_THAT(Get(), HasSubstr("\"Name\": \"copy\""));
}

TEST_F(PutCommandTest, CreateAndUpdateOnly) {
  options_.update_only = true;
  const Status absent = Put(R"({"Name":"t"})");
  ASSERT_FALSE(absent);
  EXPECT_EQ(ExitCodeOf(absent.error()), kExitNotFound);
  options_.update_only = false;
  options_.create_only = true;
  ASSERT_TRUE(Put(R"({"Name":"t"})"));
  const Status present = Put(R"({"Name":"t"})");
  ASSERT_FALSE(present);
  EXPECT_EQ(present.error().kind, ErrorKind::kAlreadyExists);
}

TEST_F(PutCommandTest, ACreateWhoseAnswerWasLostIsDone) {
  recording_->RepeatNext("CreateTable");
  const Status status = Put(R"({"Name":"t"})");
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(Written(), "created table d.t\n");
}

TEST_F(PutCommandTest, OnlyAbsenceLeadsToACreate) {
  recording_->AnswerNext(
      "GetTable", Fail(glue::ErrorFromCode("ThrottlingException", "Rate exceeded", 400, "")));
  const Status status = Put(R"({"Name":"t"})");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kThrottled);
  EXPECT_THAT(recording_->operations(), ElementsAre("GetTable"));
}

TEST_F(PutCommandTest, TakesWhatTheAwsCommandLinePrints) {
  ASSERT_TRUE(
      Put(R"({"Table":{"Name":"t","DatabaseName":"d","CreateTime":"2026-01-01T10:00:00+01:00",
      "LastAccessTime":"2026-01-01T00:00:00+00:00","CreatedBy":"x","CatalogId":"1"}})"));
  EXPECT_THAT(recording_->calls().back().body, HasSubstr(R"("LastAccessTime":1767225600)"));
  EXPECT_THAT(recording_->calls().back().body, Not(HasSubstr("CreatedBy")));
}

TEST_F(PutCommandTest, PutsDatabases) {
  options_.object = "e";
  ASSERT_TRUE(Put(R"({"Name":"ignored","Description":"one"})"));
  EXPECT_EQ(Written(), "created database e\n");
  ASSERT_TRUE(Put(R"({"DatabaseInput":{"Name":"e","Description":"two"}})"));
  EXPECT_EQ(Written(), "updated database e\n");
  EXPECT_THAT(Get(), HasSubstr("\"Description\": \"two\""));
}

TEST_F(PutCommandTest, JsonThatIsNoEntryChangesNothing) {
  for (const std::string json :
       {"", "{", "[]", R"({"Name":7})", R"({"Table":[]})", R"({"CreateTime":"yesterday"})"}) {
    const Status status = Put(json);
    ASSERT_FALSE(status) << json;
    EXPECT_EQ(status.error().kind, ErrorKind::kInvalidData) << json;
  }
  for (const char* file : {"/nonexistent/entry.json", "/"}) {
    options_.file = file;
    const Status status = Put("");
    ASSERT_FALSE(status);
    EXPECT_EQ(ExitCodeOf(status.error()), kExitUsage);
    EXPECT_THAT(status.error().message, HasSubstr(file));
  }
  EXPECT_THAT(recording_->operations(), ElementsAre());
}

}  // namespace
}  // namespace gluecat::cli
