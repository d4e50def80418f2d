#include "store/store_testing.h"

namespace gluecat::store {
namespace {

class PartitionIndexesTest : public StoreTest {
 protected:
  PartitionIndexesTest() {
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
    MakeTable("t", R"([{"Name":"k","Type":"int"},{"Name":"L","Type":"string"}])");
  }

  static std::string Index(std::string_view name, std::string_view keys) {
    return R"({"DatabaseName":"D","TableName":"T","PartitionIndex":{"IndexName":")" +
           std::string(name) + R"(","Keys":)" + std::string(keys) + "}}";
  }
  static std::string Named(std::string_view name) {
    return R"({"DatabaseName":"d","TableName":"t","IndexName":")" + std::string(name) + R"("})";
  }
  std::vector<std::string> Names(std::string_view table = "t") {
    return Texts(Ok("GetPartitionIndexes",
                    R"({"DatabaseName":"d","TableName":")" + std::string(table) + R"("})"),
                 "PartitionIndexDescriptorList", "IndexName");
  }
};

TEST_F(PartitionIndexesTest, AreMadeAndGo) {
  EXPECT_EQ(Ok("CreatePartitionIndex", Index("i", R"(["l","K"])")), "{}");
  EXPECT_EQ(
      Ok("GetPartitionIndexes", R"({"DatabaseName":"d","TableName":"t"})"),
      R"({"PartitionIndexDescriptorList":[{"IndexName":"i","Keys":[{"Name":"l","Type":"string"},)"
      R"({"Name":"K","Type":"int"}],"IndexStatus":"ACTIVE"}]})");
  Ok("CreatePartitionIndex", Index("j", R"(["k"])"));
  EXPECT_EQ(Names(), (std::vector<std::string>{"i", "j"}));
  EXPECT_EQ(Ok("DeletePartitionIndex", Named("I")), "{}");
  EXPECT_EQ(Names(), (std::vector<std::string>{"j"}));
  EXPECT_EQ(Code("DeletePartitionIndex", Named("i")), "EntityNotFoundException");
}

TEST_F(PartitionIndexesTest, RefusesWhatIsNoIndex) {
  EXPECT_EQ(Code("CreatePartitionIndex", Index("i", R"(["x"])")), "InvalidInputException");
  EXPECT_EQ(Code("CreatePartitionIndex", Index("i", R"(["k","K"])")), "InvalidInputException");
  EXPECT_EQ(Code("CreatePartitionIndex", Index("i", "[]")), "ValidationException");
  EXPECT_EQ(Code("CreatePartitionIndex", Index("", R"(["k"])")), "ValidationException");
  EXPECT_EQ(
      Code(
          "CreatePartitionIndex",
          R"({"DatabaseName":"d","TableName":"u","PartitionIndex":{"IndexName":"i","Keys":["k"]}})"),
      "EntityNotFoundException");
  EXPECT_EQ(Code("DeletePartitionIndex", R"({"DatabaseName":"d","TableName":"u","IndexName":"i"})"),
            "EntityNotFoundException");
  EXPECT_EQ(Code("GetPartitionIndexes", R"({"DatabaseName":"d","TableName":"t","NextToken":"00"})"),
            "InvalidInputException");
  EXPECT_TRUE(Names().empty());
}

TEST_F(PartitionIndexesTest, ThreeOfATable) {
  Ok("CreatePartitionIndex", Index("a", R"(["k"])"));
  EXPECT_EQ(Code("CreatePartitionIndex", Index("A", R"(["k"])")), "AlreadyExistsException");
  Ok("CreatePartitionIndex", Index("b", R"(["k"])"));
  Ok("CreatePartitionIndex", Index("c", R"(["k"])"));
  EXPECT_EQ(Code("CreatePartitionIndex", Index("d", R"(["k"])")),
            "ResourceNumberLimitExceededException");
  EXPECT_EQ(Code("CreatePartitionIndex", Index("c", R"(["k"])")), "AlreadyExistsException");
  Ok("DeletePartitionIndex", Named("b"));
  Ok("CreatePartitionIndex", Index("d", R"(["k"])"));
  EXPECT_EQ(Names(), (std::vector<std::string>{"a", "c", "d"}));
}

TEST_F(PartitionIndexesTest, LiveAsLongAsTheirTable) {
  Ok("CreatePartitionIndex", Index("i", R"(["k"])"));
  Ok("UpdateTable",
     R"({"DatabaseName":"d","TableInput":{"Name":"t","Description":"x","PartitionKeys":[{"Name":"k","Type":"int"},{"Name":"L","Type":"string"}]}})");
  EXPECT_EQ(Names(), (std::vector<std::string>{"i"}));
  const std::string other_keys =
      R"({"DatabaseName":"d","TableInput":{"Name":"t","PartitionKeys":[{"Name":"z","Type":"int"}]}})";
  EXPECT_EQ(Code("UpdateTable", other_keys), "InvalidInputException");
  Ok("DeletePartitionIndex", Named("i"));
  Ok("UpdateTable", other_keys);
  Ok("CreatePartitionIndex", Index("i", R"(["z"])"));
  Ok("DeleteTable", R"({"DatabaseName":"d","Name":"t"})");
  MakeTable("t");
  EXPECT_TRUE(Names().empty());
}

TEST_F(PartitionIndexesTest, OfCreateTableAreCheckedToo) {
  const auto create = [](std::string_view name, std::string_view indexes) {
    return R"({"DatabaseName":"d","TableInput":{"Name":")" + std::string(name) +
           R"(","PartitionKeys":[{"Name":"k","Type":"int"}]},"PartitionIndexes":)" +
           std::string(indexes) + "}";
  };
  EXPECT_EQ(Code("CreateTable", create("u", R"([{"IndexName":"i","Keys":["x"]}])")),
            "InvalidInputException");
  EXPECT_EQ(Code("CreateTable",
                 create("u", R"([{"IndexName":"i","Keys":["k"]},{"IndexName":"I","Keys":["k"]}])")),
            "AlreadyExistsException");
  Ok("CreateTable",
     create("u", R"([{"IndexName":"i","Keys":["k"]},{"IndexName":"j","Keys":["k"]}])"));
  EXPECT_EQ(Names("u"), (std::vector<std::string>{"i", "j"}));
}

}  // namespace
}  // namespace gluecat::store
