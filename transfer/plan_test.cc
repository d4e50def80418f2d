#include "transfer/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/glue/errors.h"
#include "transfer/transfer_testing.h"

namespace gluecat::transfer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PlanTest : public TransferTest {
 protected:
  PlanTest() { MakeDatabase(); }

  void CopyAndClear() {
    const Status status = Copy();
    ASSERT_TRUE(status) << status.error().message;
    ASSERT_TRUE(report_.failures.empty());
    source_->Clear();
    target_->Clear();
  }

  static PlanOptions On(OnConflict on_conflict) { return {{}, on_conflict, {}}; }
};

TEST_F(PlanTest, ADatabaseThatIsNotThereTakesOneRequestToTheTarget) {
  ASSERT_TRUE(Plan());
  EXPECT_THAT(target_->operations(), ElementsAre("GetDatabase"));
  EXPECT_EQ(Created(Kind::kDatabase), 1U);
  EXPECT_EQ(Created(Kind::kFunction), 1U);
  EXPECT_EQ(Created(Kind::kTable), 4U);
  EXPECT_EQ(Created(Kind::kPartitionIndex), 1U);
  EXPECT_EQ(Created(Kind::kPartition), 250U);
  EXPECT_EQ(Created(Kind::kColumnStatistics), 1U);
  EXPECT_EQ(report_.planned.elements().size(), 1 + 1 + 4 + 1 + 1 + 1U);
}

TEST_F(PlanTest, ACopyIsExactAndTakesTheRequestsItNeeds) {
  ASSERT_TRUE(Copy());
  EXPECT_THAT(source_->operations(),
              ElementsAre("GetDatabase", "GetUserDefinedFunctions", "GetTables",
                          "GetPartitionIndexes", "GetColumnStatisticsForTable", "GetPartitions"));
  EXPECT_THAT(target_->operations(),
              ElementsAre("GetDatabase", "CreateDatabase", "CreateUserDefinedFunction",
                          "CreateTable", "CreateTable", "BatchCreatePartition",
                          "BatchCreatePartition", "BatchCreatePartition", "CreateTable",
                          "CreateTable", "UpdateColumnStatisticsForTable"));
  EXPECT_EQ(report_.Sum(&Counts::created), 258U);
  EXPECT_EQ(report_.unfinished, 0U);
  EXPECT_EQ(Export(target_client_), Export(source_client_));
}

TEST_F(PlanTest, DoingItAgainFindsEverythingTheSame) {
  CopyAndClear();
  ASSERT_TRUE(Copy());
  EXPECT_THAT(target_->operations(),
              ElementsAre("GetDatabase", "GetUserDefinedFunctions", "GetTables",
                          "GetPartitionIndexes", "GetColumnStatisticsForTable", "GetPartitions"));
  EXPECT_EQ(report_.Sum(&Counts::same), 258U);
  EXPECT_EQ(report_.Sum(&Counts::created) + report_.Sum(&Counts::changed), 0U);
}

TEST_F(PlanTest, WhatIsMissingIsFinished) {
  CopyAndClear();
  Ok("DeleteTable", R"({"DatabaseName":"d","Name":"view"})", Target());
  Ok("DeletePartitionIndex", R"({"DatabaseName":"d","TableName":"parts","IndexName":"i"})",
     Target());
  Ok("BatchDeletePartition", R"({"DatabaseName":"d","TableName":"parts",
     "PartitionsToDelete":[{"Values":["0"]},{"Values":["120"]},{"Values":["99"]}]})",
     Target());
  Ok("DeleteColumnStatisticsForTable",
     R"({"DatabaseName":"d","TableName":"parts","ColumnName":"a"})", Target());
  ASSERT_TRUE(Copy());
  EXPECT_EQ(Created(Kind::kTable), 1U);
  EXPECT_EQ(Created(Kind::kPartitionIndex), 1U);
  EXPECT_EQ(Created(Kind::kPartition), 3U);
  EXPECT_EQ(Created(Kind::kColumnStatistics), 1U);
  EXPECT_EQ(report_.Last(Kind::kPartition).same, 247U);
  EXPECT_TRUE(report_.conflicts.empty());
  EXPECT_EQ(Export(target_client_), Export(source_client_));
}

class ConflictTest : public PlanTest {
 protected:
  ConflictTest() {
    CopyAndClear();
    Ok("UpdateDatabase", R"({"Name":"d","DatabaseInput":{"Name":"d","Description":"other"}})",
       Target());
    Ok("UpdateUserDefinedFunction", R"({"DatabaseName":"d","FunctionName":"f",
       "FunctionInput":{"FunctionName":"f","ClassName":"c.D"}})",
       Target());
    Ok("UpdateTable", R"({"DatabaseName":"d","TableInput":{"Name":"plain","Owner":"you"}})",
       Target());
    Ok("BatchUpdatePartition",
       R"({"DatabaseName":"d","TableName":"parts","Entries":[{"PartitionValueList":["7"],)"
       R"("PartitionInput":)" +
           Partition("7", "s3://elsewhere/") + "}]}",
       Target());
    Ok("UpdateColumnStatisticsForTable", StatisticsOf("", 99), Target());
  }

  std::vector<std::string> Objects() {
    std::vector<std::string> objects;
    for (const auto& conflict : report_.conflicts.elements()) {
      objects.push_back(conflict.subject.object);
    }
    return objects;
  }
};

TEST_F(ConflictTest, AreListedWithWhatDiffers) {
  ASSERT_TRUE(Plan());
  EXPECT_EQ(report_.Sum(&Counts::conflicting), 5U);
  EXPECT_THAT(Objects(), ElementsAre("d", "d.f", "d.parts", "d.parts", "d.plain"));
  const auto& database = report_.conflicts.elements()[0];
  EXPECT_EQ(database.resolution, Resolution::kConflicting);
  EXPECT_THAT(database.differences,
              testing::Contains(Difference{"Description", R"("of the test")", R"("other")"}));
  const auto& statistics = report_.conflicts.elements()[2];
  EXPECT_EQ(statistics.subject.kind, Kind::kColumnStatistics);
  EXPECT_THAT(statistics.differences,
              ElementsAre(Difference{
                  "a: StatisticsData.LongColumnStatisticsData.NumberOfDistinctValues", "3", "99"}));
  const auto& partition = report_.conflicts.elements()[3];
  EXPECT_THAT(partition.subject.values, ElementsAre("7"));
  EXPECT_THAT(partition.differences,
              ElementsAre(Difference{"StorageDescriptor.Location", R"("s3://old/parts/7")",
                                     R"("s3://elsewhere/7")"}));
}

TEST_F(ConflictTest, AreSkipped) {
  ASSERT_TRUE(Copy(On(OnConflict::kSkip)));
  EXPECT_EQ(report_.Sum(&Counts::skipped), 5U);
  EXPECT_EQ(report_.Sum(&Counts::changed), 0U);
  EXPECT_THAT(Ok("GetTable", R"({"DatabaseName":"d","Name":"plain"})", Target()),
              HasSubstr(R"("Owner":"you")"));
}

TEST_F(ConflictTest, ASkippedTableIsLeftWithWhatIsBelowIt) {
  Ok("UpdateTable", R"({"DatabaseName":"d","TableInput":{"Name":"parts",
     "PartitionKeys":[{"Name":"k","Type":"string"}]}})",
     Target());
  source_->Clear();
  target_->Clear();
  ASSERT_TRUE(Copy(On(OnConflict::kSkip)));
  EXPECT_THAT(target_->operations(),
              ElementsAre("GetDatabase", "GetUserDefinedFunctions", "GetTables"));
  EXPECT_THAT(source_->operations(), testing::Not(testing::Contains("GetPartitions")));
}

TEST_F(ConflictTest, AreReplaced) {
  ASSERT_TRUE(Copy(On(OnConflict::kReplace)));
  EXPECT_EQ(report_.Sum(&Counts::changed), 5U);
  EXPECT_TRUE(report_.failures.empty());
  EXPECT_EQ(report_.conflicts.elements().at(0).resolution, Resolution::kChanged);
  EXPECT_THAT(target_->operations(),
              ElementsAre("GetDatabase", "GetUserDefinedFunctions", "GetTables",
                          "GetPartitionIndexes", "GetColumnStatisticsForTable", "GetPartitions",
                          "UpdateDatabase", "UpdateUserDefinedFunction", "BatchUpdatePartition",
                          "UpdateTable", "UpdateColumnStatisticsForTable"));
  EXPECT_EQ(Export(target_client_), Export(source_client_));
}

TEST_F(PlanTest, AnIndexOverOtherKeysIsNotReplaced) {
  CopyAndClear();
  source_->AnswerNext("GetPartitionIndexes", R"({"PartitionIndexDescriptorList":[
      {"IndexName":"i","Keys":[{"Name":"other"}],"IndexStatus":"ACTIVE"},
      {"IndexName":"gone","Keys":[{"Name":"k"}],"IndexStatus":"DELETING"}]})");
  ASSERT_TRUE(Copy(On(OnConflict::kReplace)));
  EXPECT_EQ(report_.Last(Kind::kPartitionIndex).failed, 1U);
  ASSERT_EQ(report_.failures.elements().size(), 1U);
  EXPECT_EQ(report_.failures.elements()[0].subject.object, "d.parts.i");
  EXPECT_TRUE(report_.conflicts.empty());
}

TEST_F(PlanTest, LinksOfTheTargetAreNotFollowed) {
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d","TargetDatabase":{
      "CatalogId":"111111111111","DatabaseName":"d"}}})",
     Target());
  const Status status = Plan(On(OnConflict::kReplace));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kUnsupported);
  Ok("DeleteDatabase", R"({"Name":"d"})", Target());
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})", Target());
  Ok("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":"parts",
      "TargetTable":{"CatalogId":"111111111111","DatabaseName":"d","Name":"parts"}}})",
     Target());
  ASSERT_TRUE(Copy(On(OnConflict::kReplace)));
  EXPECT_EQ(report_.Last(Kind::kTable).failed, 1U);
  EXPECT_EQ(report_.Last(Kind::kPartition).created, 0U);
}

TEST_F(PlanTest, OnlyAbsenceMeansThatADatabaseIsToBeCreated) {
  target_->AnswerNext("GetDatabase",
                      Fail(glue::ErrorFromCode("AccessDeniedException", "no", 400, "")));
  const Status status = Copy();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kAccessDenied);
  EXPECT_THAT(target_->operations(), ElementsAre("GetDatabase"));
}

TEST_F(PlanTest, AnotherNameAndOtherLocations) {
  ASSERT_TRUE(Copy({"n", OnConflict::kFail, {*ParseLocationPrefix("s3://old/=s3://new/")}}));
  EXPECT_THAT(Ok("GetDatabase", R"({"Name":"n"})", Target()), HasSubstr("s3://new/d"));
  EXPECT_THAT(Ok("GetTable", R"({"DatabaseName":"n","Name":"plain"})", Target()),
              testing::AllOf(HasSubstr("s3://older/plain"), HasSubstr("s3://new/plain")));
  const auto partitions =
      Ok("GetPartitions", R"({"DatabaseName":"n","TableName":"parts"})", Target());
  EXPECT_THAT(partitions, HasSubstr("s3://new/parts/249"));
  EXPECT_EQ(partitions.find("s3://old"), std::string::npos);
}

TEST_F(PlanTest, StatisticsOfPartitionsAreMovedWhenAskedFor) {
  Ok("UpdateColumnStatisticsForPartition", StatisticsOf("7", 5));
  ASSERT_TRUE(Copy({}, Statistics::kAll));
  EXPECT_EQ(Created(Kind::kColumnStatistics), 2U);
  EXPECT_EQ(Export(target_client_, Statistics::kAll), Export(source_client_, Statistics::kAll));
  target_->Clear();
  ASSERT_TRUE(Copy({}, Statistics::kAll));
  EXPECT_EQ(report_.Last(Kind::kColumnStatistics).same, 2U);
  // Only the partition that has any in the source is asked for.
  EXPECT_EQ(std::ranges::count(target_->operations(), "GetColumnStatisticsForPartition"), 1);
}

TEST_F(PlanTest, ADatabaseComesOnce) {
  ASSERT_TRUE(Plan());
  Planner planner(target_client_, {}, *work_, report_, progress_);
  const Status status = ReadCatalog(source_client_, "d", Statistics::kNone, planner);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kInvalidArgument);
  EXPECT_THAT(status.error().message, HasSubstr("database d comes twice"));
}

TEST_F(PlanTest, OfAResourceLinkOnlyTheEntryIsMoved) {
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"l","TargetDatabase":{
      "CatalogId":"111111111111","DatabaseName":"d"}}})");
  report_ = Report();
  auto work = WorkList::Create();
  ASSERT_TRUE(work);
  Planner planner(target_client_, {}, *work, report_, progress_);
  ASSERT_TRUE(ReadCatalog(source_client_, "l", Statistics::kAll, planner));
  EXPECT_THAT(source_->operations(), ElementsAre("GetDatabase"));
  EXPECT_EQ(report_.Sum(&Counts::created), 1U);
}

}  // namespace
}  // namespace gluecat::transfer
