#include "store/store.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill(2) is POSIX's
#include <sys/wait.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "store/schema.h"
#include "store/sqlite.h"
#include "store/store_testing.h"

namespace gluecat::store {
namespace {

class StoreFileTest : public StoreTest {
 protected:
  std::string File() const { return directory_ + "/gluecat.db"; }

  // Runs `work` in a process of its own, which has no store open yet.
  template <typename Work>
  pid_t Fork(const Work& work) {
    store_.reset();
    const pid_t child = fork();
    if (child != 0) return child;
    auto store = Store::Open(directory_, clock_);
    if (!store) _exit(2);
    work(**store);
    _exit(0);
  }
  static std::string CreateDatabase(const std::string& name) {
    return R"({"DatabaseInput":{"Name":")" + name + R"("}})";
  }
};

TEST_F(StoreFileTest, MakesTheDirectoryAndKeepsWhatItHolds) {
  const std::string nested = directory_ + "/a/b";
  {
    const auto store = Store::Open(nested, clock_);
    ASSERT_TRUE(store);
    ASSERT_TRUE((*store)->Execute(Account(), "CreateDatabase", CreateDatabase("d")));
  }
  const auto store = Store::Open(nested, clock_);
  ASSERT_TRUE(store);
  EXPECT_TRUE((*store)->Execute(Account(), "GetDatabase", R"({"Name":"d"})"));
}

TEST_F(StoreFileTest, IsSharedWithinTheProcess) {
  EXPECT_EQ(Open(), store_);
  EXPECT_EQ(*Store::Open(directory_ + "/.", clock_), store_);
  // Another clock is another store, on the same file.
  const auto other = Store::Open(directory_, std::make_shared<StillClock>());
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_NE(*other, store_);
  Ok("CreateDatabase", CreateDatabase("d"));
  EXPECT_TRUE((*other)->Execute(Account(), "GetDatabase", R"({"Name":"d"})"));
}

TEST_F(StoreFileTest, RefusesWhatItCannotOpen) {
  EXPECT_EQ(Store::Open("", clock_).error().kind, ErrorKind::kInvalidArgument);
  EXPECT_EQ(Store::Open("/proc/nowhere", clock_).error().kind, ErrorKind::kUnavailable);
  std::ofstream(directory_ + "/plain") << "x";
  EXPECT_EQ(Store::Open(directory_ + "/plain/inside", clock_).error().kind,
            ErrorKind::kUnavailable);
  std::filesystem::create_directory(directory_ + "/damaged");
  std::ofstream(directory_ + "/damaged/gluecat.db") << std::string(4096, 'x');
  EXPECT_EQ(Store::Open(directory_ + "/damaged", clock_).error().kind, ErrorKind::kInvalidData);
}

TEST_F(StoreFileTest, RefusesAFileOfANewerVersion) {
  store_.reset();
  {
    auto connection = Connection::Open(File(), 1000);
    ASSERT_TRUE(connection);
    ASSERT_TRUE((*connection)->Execute("PRAGMA user_version=99"));
  }
  const auto store = Store::Open(directory_, clock_);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().kind, ErrorKind::kUnsupported);
  EXPECT_NE(store.error().message.find("99"), std::string::npos);
}

TEST_F(StoreFileTest, BringsAFileOfAnOlderVersionUpToDate) {
  Ok("CreateDatabase", CreateDatabase("old"));
  Ok("CreateTable", R"({"DatabaseName":"old","TableInput":{"Name":"t","Owner":"o"}})");
  Ok("CreateTable",
     R"({"DatabaseName":"old","TableInput":{"Name":"l","TargetTable":{"DatabaseName":"old","Name":"t"}}})");
  store_.reset();
  {
    auto connection = Connection::Open(File(), 1000);
    ASSERT_TRUE(connection);
    ASSERT_TRUE((*connection)->Execute(R"sql(
        DROP TRIGGER database_tags; DROP TRIGGER table_tags;
        DROP TABLE connections; DROP TABLE catalogs; DROP TABLE tags;
        DROP TABLE resource_policies; DROP TABLE encryption_settings;
        ALTER TABLE tables DROP COLUMN target;
        DROP TABLE filled_partition_indexes; DROP TABLE partition_index_keys;
        PRAGMA user_version=1)sql"));
  }
  store_ = Open();
  Ok("GetDatabase", R"({"Name":"old"})");
  EXPECT_NE(Ok("GetTable", R"({"DatabaseName":"old","Name":"l"})").find(R"("Owner":"o")"),
            std::string::npos);
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"new"},"Tags":{"a":"b"}})");
  EXPECT_EQ(
      Ok("GetTags", R"({"ResourceArn":"arn:aws:glue:eu-central-1:111111111111:database/new"})"),
      R"({"Tags":{"a":"b"}})");
  store_.reset();
  store_ = Open();
  Ok("GetDatabase", R"({"Name":"new"})");
}

TEST_F(StoreFileTest, RefusesAnotherProgramsDatabase) {
  std::filesystem::create_directory(directory_ + "/foreign");
  {
    auto connection = Connection::Open(directory_ + "/foreign/gluecat.db", 1000);
    ASSERT_TRUE((*connection)->Execute("CREATE TABLE recipes(x)"));
  }
  EXPECT_EQ(Store::Open(directory_ + "/foreign", clock_).error().kind, ErrorKind::kInvalidData);
}

TEST_F(StoreFileTest, BodiesThatAreNoRequests) {
  EXPECT_EQ(Code("GetDatabases", "{"), "SerializationException");
  EXPECT_EQ(Code("GetDatabases", "[]"), "SerializationException");
  EXPECT_EQ(Code("GetDatabases", "\"\xFF\""), "SerializationException");
  EXPECT_EQ(Code("GetDatabases", R"({"MaxResults":"1"})"), "SerializationException");
  EXPECT_EQ(Code("GetDatabases", std::string(1000, '[')), "SerializationException");
  EXPECT_EQ(Code("Nothing", "{}"), "UnknownOperationException");
  for (const auto* operation : {"ListJobs", "StartCrawler", "CreateTableOptimizer",
                                "StartColumnStatisticsTaskRun", "TestConnection", "GetSchema"}) {
    EXPECT_EQ(Code(operation, "{}"), "InvalidInputException") << operation;
    EXPECT_EQ(message_,
              "The operation " + std::string(operation) + " is not supported by this catalog.");
  }
  EXPECT_EQ(Ok("GetDatabases", ""), R"({"DatabaseList":[]})");
  EXPECT_TRUE(IsKnownOperation("GetTable"));
  EXPECT_FALSE(IsKnownOperation("getTable"));
}

TEST_F(StoreFileTest, ValidatesAgainstTheModel) {
  Ok("CreateDatabase", CreateDatabase("d"));
  EXPECT_EQ(Code("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":")" +
                                    std::string(256, 'n') + R"("}})"),
            "ValidationException");
  EXPECT_EQ(message_,
            "1 validation error detected: Value at 'tableInput.name' failed to satisfy constraint: "
            "Member must have length less than or equal to 255");
  EXPECT_EQ(
      Code(
          "CreateTable",
          R"({"DatabaseName":"","TableInput":{"Name":"t","StorageDescriptor":{"Columns":[{"Name":"a","Comment":"x\ny"}]}}})"),
      "ValidationException");
  EXPECT_EQ(message_.substr(0, 30), "2 validation errors detected: ");
  EXPECT_NE(message_.find("'databaseName' failed to satisfy constraint: Member must have length "
                          "greater than or equal to 1"),
            std::string::npos);
  EXPECT_NE(message_.find("'tableInput.storageDescriptor.columns.1.member.comment'"),
            std::string::npos);
  EXPECT_EQ(Code("GetTable", R"({"DatabaseName":"d"})"), "ValidationException");
  EXPECT_EQ(message_,
            "1 validation error detected: Value at 'name' failed to satisfy constraint: Member "
            "must not be null");
  EXPECT_EQ(Code("GetDatabases", R"({"MaxResults":101})"), "ValidationException");
  EXPECT_EQ(Code("GetDatabases", R"({"MaxResults":0})"), "ValidationException");
  for (const auto* member :
       {R"("CreateTime":1)", R"("VersionId":"1")", R"("DatabaseName":"d")", R"("CatalogId":"1")"}) {
    EXPECT_EQ(Code("CreateTable",
                   R"({"DatabaseName":"d","TableInput":{"Name":"t",)" + std::string(member) + "}}"),
              "ValidationException")
        << member;
  }
  // Characters and not bytes are counted; the widest things that fit.
  std::string umlauts;
  for (int i = 0; i < 255; ++i) umlauts += "\xC3\xBC";
  Ok("CreateTable",
     R"({"DatabaseName":"d","TableInput":{"Name":")" + umlauts +
         R"(","Description":"a\r\n\tb","StorageDescriptor":{"Columns":[{"Name":"c","Type":")" +
         std::string(131072, 't') + R"("}]}}})");
  EXPECT_EQ(
      Code(
          "CreateTable",
          R"({"DatabaseName":"d","TableInput":{"Name":"t","StorageDescriptor":{"Columns":[{"Name":"c","Type":")" +
              std::string(131073, 't') + R"("}]}}})"),
      "ValidationException");
  EXPECT_EQ(Code("CreateTable", "{\"DatabaseName\":\"d\",\"TableInput\":{\"Name\":\"a\\u0007b\"}}"),
            "ValidationException");
  EXPECT_NE(message_.find("regular expression"), std::string::npos);
}

TEST_F(StoreFileTest, AFailedCallChangesNothing) {
  Ok("CreateDatabase", CreateDatabase("d"));
  MakeTable();
  Ok("CreatePartition",
     R"({"DatabaseName":"d","TableName":"t","PartitionInput":{"Values":["1"]}})");
  EXPECT_EQ(Code("UpdateTable", R"({"DatabaseName":"d","TableInput":{"Name":"t"}})"),
            "InvalidInputException");
  EXPECT_EQ(Texts(Ok("GetTableVersions", R"({"DatabaseName":"d","TableName":"t"})"),
                  "TableVersions", "VersionId"),
            std::vector<std::string>{"0"});
}

TEST_F(StoreFileTest, ThreadsShareIt) {
  Ok("CreateDatabase", CreateDatabase("d"));
  MakeTable();
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        const std::string value = std::to_string(t * 100 + i);
        EXPECT_TRUE(
            store_->Execute(Account(), "CreatePartition",
                            R"({"DatabaseName":"d","TableName":"t","PartitionInput":{"Values":[")" +
                                value + R"("]}})"));
        EXPECT_TRUE(
            store_->Execute(Account(), "GetPartitions", R"({"DatabaseName":"d","TableName":"t"})"));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(Texts(Ok("GetPartitions", R"({"DatabaseName":"d","TableName":"t"})"), "Partitions",
                  "TableName")
                .size(),
            40U);
}

TEST_F(StoreFileTest, OneOfTwoUpdatesOfAVersionWins) {
  Ok("CreateDatabase", CreateDatabase("d"));
  MakeTable();
  std::atomic<int> won = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const auto answer =
          store_->Execute(Account(), "UpdateTable",
                          R"({"DatabaseName":"d","TableInput":{"Name":"t"},"VersionId":"0"})");
      if (answer) {
        ++won;
      } else {
        EXPECT_EQ(answer.error().code, "ConcurrentModificationException");
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(won, 1);
}

TEST_F(StoreFileTest, TwoProcessesWriteToOneDirectory) {
  const auto work = [](const std::string& prefix) {
    return [prefix](Store& store) {
      for (int i = 0; i < 20; ++i) {
        if (!store.Execute(Account(), "CreateDatabase", CreateDatabase(prefix + std::to_string(i))))
          _exit(3);
      }
    };
  };
  const pid_t a = Fork(work("a"));
  const pid_t b = Fork(work("b"));
  for (const pid_t child : {a, b}) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  store_ = Open();
  EXPECT_EQ(Texts(Ok("GetDatabases", "{}"), "DatabaseList", "Name").size(), 40U);
}

// A process that is killed at any moment loses nothing that it was told is written.
TEST_F(StoreFileTest, AcknowledgedWritesSurviveKill) {
  for (int round = 0; round < 3; ++round) {
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = Fork([&](Store& store) {
      for (int i = 0;; ++i) {
        const std::string name = "r" + std::to_string(round) + "_" + std::to_string(i);
        if (!store.Execute(Account(), "CreateDatabase", CreateDatabase(name))) _exit(3);
        const char mark = 'x';
        if (write(pipe_ends[1], &mark, 1) != 1) _exit(4);
      }
    });
    close(pipe_ends[1]);
    std::size_t acknowledged = 0;
    char mark = 0;
    while (acknowledged < 20 && read(pipe_ends[0], &mark, 1) == 1) ++acknowledged;
    kill(child, SIGKILL);
    while (read(pipe_ends[0], &mark, 1) == 1) ++acknowledged;
    close(pipe_ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));

    store_ = Open();
    for (std::size_t i = 0; i < acknowledged; ++i) {
      Ok("GetDatabase",
         R"({"Name":"r)" + std::to_string(round) + "_" + std::to_string(i) + R"("})");
    }
  }
}

TEST_F(StoreFileTest, MarksOfKilledProcessesAreRemoved) {
  const auto marks = [&] {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      if (entry.path().filename().string().starts_with("process-")) ++count;
    }
    return count;
  };
  EXPECT_EQ(marks(), 1);
  const pid_t child = Fork([](Store&) { raise(SIGKILL); });
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(marks(), 1);  // the child's; ours went with the store
  store_ = Open();
  EXPECT_EQ(marks(), 1);
  store_.reset();
  EXPECT_EQ(marks(), 0);
}

TEST_F(StoreFileTest, SecretsBelongToTheDirectory) {
  const auto secret = store_->Secret("a");
  ASSERT_TRUE(secret);
  EXPECT_EQ(secret->size(), 32U);
  EXPECT_NE(*secret, *store_->Secret("b"));
  store_.reset();
  store_ = Open();
  EXPECT_EQ(*store_->Secret("a"), *secret);
}

TEST(PrincipalTest, TwelveDigitsAreAnAccount) {
  EXPECT_EQ(PrincipalOfAccessKey("111111111111", "r").account, "111111111111");
  for (const auto* key : {"", "11111111111", "1111111111111", "11111111111a", "AKIAEXAMPLE"}) {
    EXPECT_EQ(PrincipalOfAccessKey(key, "r").account, "123456789012") << key;
  }
}

TEST_F(StoreFileTest, TransportStopsBeforeItStarts) {
  LocalTransport transport(store_, Account(), clock_);
  CancellationSource source;
  source.Cancel();
  EXPECT_EQ(transport.Call("GetDatabases", "{}", {.cancellation = source.token(), .deadline = {}})
                .error()
                .kind,
            ErrorKind::kCancelled);
  EXPECT_EQ(transport.Call("GetDatabases", "{}", {.cancellation = {}, .deadline = Deadline()})
                .error()
                .kind,
            ErrorKind::kTimeout);
  EXPECT_TRUE(transport.Call("GetDatabases", "{}", {}));
}

TEST_F(StoreTest, ListsAndClearsCatalogs) {
  EXPECT_TRUE(store_->Catalogs()->empty());
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"a"}})", Account("222222222222"));
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"a"}})", Account("111111111111", "us-east-1"));
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"a"}})");
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"b"}})");
  Ok("CreateTable",
     R"({"DatabaseName":"a","TableInput":{"Name":"t","PartitionKeys":[{"Name":"k","Type":"int"}]}})");
  Ok("CreatePartition",
     R"({"DatabaseName":"a","TableName":"t","PartitionInput":{"Values":["1"]}})");
  Ok("CreateConnection",
     R"({"ConnectionInput":{"Name":"c","ConnectionType":"JDBC","ConnectionProperties":{}},)"
     R"("Tags":{"k":"v"}})");
  Ok("CreateCatalog", R"({"Name":"below","CatalogInput":{},"Tags":{"k":"v"}})");
  Ok("TagResource",
     R"({"ResourceArn":"arn:aws:glue:eu-central-1:111111111111:catalog","TagsToAdd":{"k":"v"}})");
  Ok("PutResourcePolicy", R"({"PolicyInJson":"{\"Version\":\"1\"}"})");
  Ok("PutDataCatalogEncryptionSettings",
     R"({"DataCatalogEncryptionSettings":{"EncryptionAtRest":{"CatalogEncryptionMode":"DISABLED"}}})");
  const auto catalogs = store_->Catalogs();
  ASSERT_EQ(catalogs->size(), 3U);
  EXPECT_EQ(catalogs->at(0).catalog_id, "111111111111");
  EXPECT_EQ(catalogs->at(0).region, "eu-central-1");
  EXPECT_EQ(catalogs->at(0).databases, 2);
  EXPECT_EQ(catalogs->at(1).region, "us-east-1");
  EXPECT_EQ(catalogs->at(2).catalog_id, "222222222222");

  const auto secret = store_->Secret("s");
  ASSERT_TRUE(store_->Clear());
  EXPECT_TRUE(store_->Catalogs()->empty());
  EXPECT_EQ(*store_->Secret("s"), *secret);
  Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"a"}})");
  EXPECT_EQ(Ok("GetTables", R"({"DatabaseName":"a"})"), R"({"TableList":[]})");
  EXPECT_EQ(Ok("GetConnections", "{}"), R"({"ConnectionList":[]})");
  EXPECT_EQ(Ok("GetTags", R"({"ResourceArn":"arn:aws:glue:eu-central-1:111111111111:catalog"})"),
            R"({"Tags":{}})");
  EXPECT_EQ(Code("GetResourcePolicy", "{}"), "EntityNotFoundException");
}

}  // namespace
}  // namespace gluecat::store
