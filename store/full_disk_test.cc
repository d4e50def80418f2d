// The store on a disk that takes no more: what is asked of it then, and afterwards.
#include <atomic>
#include <cstring>

#include <sqlite3.h>

#include "store/store_testing.h"

namespace gluecat::store {
namespace {

// SQLite's own file system, with writes that fail while `failure` is set.
class FailingDisk {
 public:
  static void Register() {
    Real() = sqlite3_vfs_find(nullptr);
    static sqlite3_vfs disk = *Real();
    disk.zName = "failing-disk";
    disk.szOsFile = static_cast<int>(sizeof(File)) + Real()->szOsFile;
    disk.pNext = nullptr;
    disk.xOpen = Open;
    Self() = &disk;
    ASSERT_EQ(sqlite3_vfs_register(&disk, 1), SQLITE_OK);
  }
  static void Unregister() {
    sqlite3_vfs_unregister(Self());
    sqlite3_vfs_register(Real(), 1);
  }

  // The code that every write fails with; SQLITE_OK for none.
  static std::atomic<int>& failure() {
    static std::atomic<int> code{SQLITE_OK};
    return code;
  }

 private:
  struct File {
    sqlite3_file base;
    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  };
  static sqlite3_file* RealOf(sqlite3_file* file) { return reinterpret_cast<File*>(file)->real(); }
  static const sqlite3_io_methods& Of(sqlite3_file* file) { return *RealOf(file)->pMethods; }
  static sqlite3_vfs*& Real() {
    static sqlite3_vfs* vfs = nullptr;
    return vfs;
  }
  static sqlite3_vfs*& Self() {
    static sqlite3_vfs* vfs = nullptr;
    return vfs;
  }

  static int Open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    static const sqlite3_io_methods methods = Methods();
    file->pMethods = nullptr;
    const int code = Real()->xOpen(Real(), name, RealOf(file), flags, out_flags);
    if (RealOf(file)->pMethods != nullptr) file->pMethods = &methods;
    return code;
  }

  static sqlite3_io_methods Methods() {
    sqlite3_io_methods methods = {};
    methods.iVersion = 2;  // with shared memory, without mapped files
    methods.xClose = [](sqlite3_file* f) { return Of(f).xClose(RealOf(f)); };
    methods.xRead = [](sqlite3_file* f, void* to, int size, sqlite3_int64 at) {
      return Of(f).xRead(RealOf(f), to, size, at);
    };
    methods.xWrite = [](sqlite3_file* f, const void* from, int size, sqlite3_int64 at) {
      const int code = failure();
      return code != SQLITE_OK ? code : Of(f).xWrite(RealOf(f), from, size, at);
    };
    methods.xTruncate = [](sqlite3_file* f, sqlite3_int64 size) {
      return Of(f).xTruncate(RealOf(f), size);
    };
    methods.xSync = [](sqlite3_file* f, int flags) { return Of(f).xSync(RealOf(f), flags); };
    methods.xFileSize = [](sqlite3_file* f, sqlite3_int64* size) {
      return Of(f).xFileSize(RealOf(f), size);
    };
    methods.xLock = [](sqlite3_file* f, int lock) { return Of(f).xLock(RealOf(f), lock); };
    methods.xUnlock = [](sqlite3_file* f, int lock) { return Of(f).xUnlock(RealOf(f), lock); };
    methods.xCheckReservedLock = [](sqlite3_file* f, int* out) {
      return Of(f).xCheckReservedLock(RealOf(f), out);
    };
    methods.xFileControl = [](sqlite3_file* f, int operation, void* argument) {
      return Of(f).xFileControl(RealOf(f), operation, argument);
    };
    methods.xSectorSize = [](sqlite3_file* f) { return Of(f).xSectorSize(RealOf(f)); };
    methods.xDeviceCharacteristics = [](sqlite3_file* f) {
      return Of(f).xDeviceCharacteristics(RealOf(f));
    };
    methods.xShmMap = [](sqlite3_file* f, int page, int size, int extend, void volatile** out) {
      return Of(f).xShmMap(RealOf(f), page, size, extend, out);
    };
    methods.xShmLock = [](sqlite3_file* f, int offset, int count, int flags) {
      return Of(f).xShmLock(RealOf(f), offset, count, flags);
    };
    methods.xShmBarrier = [](sqlite3_file* f) { Of(f).xShmBarrier(RealOf(f)); };
    methods.xShmUnmap = [](sqlite3_file* f, int remove) {
      return Of(f).xShmUnmap(RealOf(f), remove);
    };
    return methods;
  }
};

class FullDiskTest : public StoreTest {
 protected:
  static void SetUpTestSuite() { FailingDisk::Register(); }
  static void TearDownTestSuite() { FailingDisk::Unregister(); }

  FullDiskTest() {
    Ok("CreateDatabase", R"({"DatabaseInput":{"Name":"d"}})");
    MakeTable();
    Ok("CreatePartition",
       R"({"DatabaseName":"d","TableName":"t","PartitionInput":{"Values":["1"]}})");
  }
  ~FullDiskTest() override { FailingDisk::failure() = SQLITE_OK; }

  // A request that the store itself fails.
  void Fails(std::string_view operation, std::string_view body) {
    const auto answer = Execute(operation, body);
    ASSERT_FALSE(answer) << operation;
    EXPECT_EQ(answer.error().code, "InternalServiceException") << operation;
    EXPECT_EQ(answer.error().http_status, 500);
    EXPECT_EQ(answer.error().kind, ErrorKind::kUnavailable);
    failure_ = answer.error().message;
  }
  std::vector<std::string> Partitions() {
    return Texts(Ok("GetPartitions", R"({"DatabaseName":"d","TableName":"t"})"), "Partitions",
                 "TableName");
  }
  void FailAll() {
    Fails("CreateDatabase", R"({"DatabaseInput":{"Name":"e"}})");
    Fails("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":"u"}})");
    Fails(
        "UpdateTable",
        R"({"DatabaseName":"d","TableInput":{"Name":"t","PartitionKeys":[{"Name":"k","Type":"int"}]}})");
    Fails("DeleteTable", R"({"DatabaseName":"d","Name":"t"})");
    // A batch reports what is wrong with its items; this is not.
    Fails(
        "BatchCreatePartition",
        R"({"DatabaseName":"d","TableName":"t","PartitionInputList":[{"Values":["2"]},{"Values":["3"]}]})");
    EXPECT_FALSE(store_->Clear());
    // A reading connection of its own, and one that stood by.
    Ok("GetDatabase", R"({"Name":"d"})");
    EXPECT_EQ(Partitions().size(), 1U);
    EXPECT_EQ(Code("GetTable", R"({"DatabaseName":"d","Name":"u"})"), "EntityNotFoundException");
  }
  void WorksAgain() {
    Ok("CreateTable", R"({"DatabaseName":"d","TableInput":{"Name":"u"}})");
    Ok("BatchCreatePartition",
       R"({"DatabaseName":"d","TableName":"t","PartitionInputList":[{"Values":["2"]},{"Values":["3"]}]})");
    EXPECT_EQ(Partitions().size(), 3U);
    store_.reset();
    store_ = Open();
    EXPECT_EQ(Partitions().size(), 3U);
  }

  std::string failure_;  // the message of the last Fails
};

TEST_F(FullDiskTest, AFullDiskFailsWritesOnly) {
  FailingDisk::failure() = SQLITE_FULL;
  FailAll();
  EXPECT_NE(failure_.find("full"), std::string::npos) << failure_;
  EXPECT_NE(failure_.find("make room"), std::string::npos) << failure_;
  FailingDisk::failure() = SQLITE_OK;
  WorksAgain();
}

TEST_F(FullDiskTest, AFailingDiskFailsWritesOnly) {
  FailingDisk::failure() = SQLITE_IOERR_WRITE;
  FailAll();
  EXPECT_NE(failure_.find("check the disk"), std::string::npos) << failure_;
  FailingDisk::failure() = SQLITE_OK;
  WorksAgain();
}

TEST_F(FullDiskTest, AReadOnlyFileFailsWritesOnly) {
  FailingDisk::failure() = SQLITE_READONLY;
  FailAll();
  EXPECT_NE(failure_.find("must be writable"), std::string::npos) << failure_;
  FailingDisk::failure() = SQLITE_OK;
  WorksAgain();
}

// The entries that fill the disk are the request's own: half of a batch is written, none is kept.
TEST_F(FullDiskTest, NothingOfAFailedBatchIsKept) {
  std::string list;
  for (int i = 10; i < 110; ++i) {
    list += (list.empty() ? "" : ",") + std::string(R"({"Values":[")") + std::to_string(i) +
            R"("],"Parameters":{"filler":")" + std::string(20'000, 'x') + R"("}})";
  }
  const std::string batch =
      R"({"DatabaseName":"d","TableName":"t","PartitionInputList":[)" + list + "]}";
  FailingDisk::failure() = SQLITE_FULL;
  Fails("BatchCreatePartition", batch);
  EXPECT_EQ(Partitions().size(), 1U);
  FailingDisk::failure() = SQLITE_OK;
  EXPECT_EQ(Ok("BatchCreatePartition", batch), R"({"Errors":[]})");
  EXPECT_EQ(Partitions().size(), 101U);
}

TEST_F(FullDiskTest, OpeningNeedsAPlaceToWrite) {
  store_.reset();
  FailingDisk::failure() = SQLITE_FULL;
  const auto fresh = Store::Open(directory_ + "/fresh", clock_);
  ASSERT_FALSE(fresh);
  EXPECT_EQ(fresh.error().kind, ErrorKind::kUnavailable);
  EXPECT_NE(fresh.error().message.find("fresh"), std::string::npos) << fresh.error().message;
  // A store that is there can be read.
  store_ = Open();
  EXPECT_EQ(Partitions().size(), 1U);
  FailingDisk::failure() = SQLITE_OK;
  EXPECT_TRUE(Store::Open(directory_ + "/fresh", clock_));
}

}  // namespace
}  // namespace gluecat::store
