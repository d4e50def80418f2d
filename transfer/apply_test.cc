#include "transfer/apply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/glue/errors.h"
#include "transfer/transfer_testing.h"

namespace gluecat::transfer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ApplyTest : public TransferTest {
 protected:
  ApplyTest() { MakeDatabase(); }
};

TEST_F(ApplyTest, PartitionsThatGlueRefusesAreNamed) {
  target_->AnswerNext("BatchCreatePartition",
                      R"({"Errors":[{"PartitionValues":["1"],"ErrorDetail":{
      "ErrorCode":"InvalidInputException","ErrorMessage":"odd"}}]})");
  ASSERT_TRUE(Copy());
  EXPECT_EQ(report_.Last(Kind::kPartition).failed, 1U);
  EXPECT_EQ(Created(Kind::kPartition), 249U);
  ASSERT_EQ(report_.failures.elements().size(), 1U);
  EXPECT_THAT(report_.failures.elements()[0].subject.values, ElementsAre("1"));
  EXPECT_EQ(report_.failures.elements()[0].error.code, "InvalidInputException");
  EXPECT_EQ(report_.unfinished, 0U);
}

TEST_F(ApplyTest, ABatchThatIsRefusedDoesNotEndTheWork) {
  target_->AnswerNext("BatchCreatePartition",
                      Fail(glue::ErrorFromCode("InvalidInputException", "odd", 400, "")));
  ASSERT_TRUE(Copy());
  EXPECT_EQ(report_.Last(Kind::kPartition).failed, 100U);
  EXPECT_EQ(Created(Kind::kPartition), 150U);
  EXPECT_THAT(report_.failures.elements().at(0).error.message, HasSubstr("100 partitions"));
  // The next run adds what is missing.
  ASSERT_TRUE(Copy());
  EXPECT_EQ(Created(Kind::kPartition), 100U);
  EXPECT_EQ(Export(target_client_), Export(source_client_));
}

TEST_F(ApplyTest, BelowATableThatWasRefusedNothingIsTried) {
  target_->AnswerNext("CreateTable", "{}");  // of link
  target_->AnswerNext("CreateTable",
                      Fail(glue::ErrorFromCode("InvalidInputException", "odd", 400, "")));
  ASSERT_TRUE(Copy());
  EXPECT_EQ(report_.Last(Kind::kTable).failed, 1U);
  EXPECT_EQ(report_.Last(Kind::kPartitionIndex).failed, 1U);
  EXPECT_EQ(report_.Last(Kind::kPartition).failed, 250U);
  EXPECT_EQ(Created(Kind::kTable), 3U);
  EXPECT_THAT(target_->operations(), Not(testing::Contains("BatchCreatePartition")));
}

TEST_F(ApplyTest, InADatabaseThatWasRefusedNothingIsTried) {
  target_->AnswerNext("CreateDatabase",
                      Fail(glue::ErrorFromCode("AccessDeniedException", "no", 400, "")));
  ASSERT_TRUE(Copy());
  EXPECT_EQ(report_.Sum(&Counts::created), 0U);
  EXPECT_THAT(target_->operations(), Not(testing::Contains("CreateTable")));
}

TEST_F(ApplyTest, AServiceThatIsGoneEndsTheWorkAndTheNextRunFinishesIt) {
  target_->AnswerNext("BatchCreatePartition", "{\"Errors\":[]}");
  target_->AnswerNext("BatchCreatePartition",
                      Fail(glue::ErrorFromCode("ThrottlingException", "slow down", 400, "")));
  const Status status = Copy();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kThrottled);
  EXPECT_THAT(status.error().message, HasSubstr("d.parts"));
  EXPECT_GT(report_.unfinished, 150U);
  ASSERT_TRUE(Copy());
  EXPECT_EQ(report_.unfinished, 0U);
  EXPECT_EQ(Export(target_client_), Export(source_client_));
}

TEST_F(ApplyTest, CreatesWhoseAnswersWereLostAreDone) {
  for (const char* operation :
       {"CreateDatabase", "CreateUserDefinedFunction", "CreateTable", "BatchCreatePartition"}) {
    target_->RepeatNext(operation);
  }
  ASSERT_TRUE(Copy());
  EXPECT_TRUE(report_.failures.empty());
  EXPECT_EQ(report_.Sum(&Counts::created), 258U);
}

TEST_F(ApplyTest, AChangeMadeMeanwhileIsNotLost) {
  ASSERT_TRUE(Copy());
  Ok("UpdateTable", R"({"DatabaseName":"d","TableInput":{"Name":"plain","Owner":"you"}})",
     Target());
  target_->BeforeNext("UpdateTable", [&] {
    Ok("UpdateTable", R"({"DatabaseName":"d","TableInput":{"Name":"plain","Owner":"them"}})",
       Target());
  });
  ASSERT_TRUE(Copy({{}, OnConflict::kReplace, {}}));
  ASSERT_EQ(report_.failures.elements().size(), 1U);
  EXPECT_EQ(report_.failures.elements()[0].error.kind, ErrorKind::kConflict);
  EXPECT_THAT(Ok("GetTable", R"({"DatabaseName":"d","Name":"plain"})", Target()),
              HasSubstr("them"));
  target_->RepeatNext("UpdateTable");
  ASSERT_TRUE(Copy({{}, OnConflict::kReplace, {}}));
  EXPECT_TRUE(report_.failures.empty());
  EXPECT_EQ(report_.Sum(&Counts::changed), 1U);
}

}  // namespace
}  // namespace gluecat::transfer
