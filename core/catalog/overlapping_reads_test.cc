#include "core/catalog/overlapping_reads.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "core/base/gate_testing.h"

namespace gluecat::catalog {
namespace {

class OverlappingReadsTest : public testing::Test {
 protected:
  OverlappingReadsTest() { context_.deadline = Deadline(std::chrono::hours(1)); }

  // A reader that is held inside its request until `gate` opens.
  std::thread HeldReader(Gate& sent, Gate& gate, const glue::CallContext& context) {
    return std::thread([this, &sent, &gate, context] {
      (void)reads_.Get("t", written_, context, clock_, [&] {
        ++requests_;
        const std::uint64_t seen = written_;
        sent.Open();
        gate.Pass();
        return Result<std::uint64_t>(seen);
      });
    });
  }
  Result<std::uint64_t> Read(const glue::CallContext& context) {
    return reads_.Get("t", written_, context, clock_, [&] {
      ++requests_;
      return Result<std::uint64_t>(written_.load());
    });
  }

  OverlappingReads<std::uint64_t> reads_;
  CountingClock clock_;
  glue::CallContext context_;
  std::atomic<std::uint64_t> written_ = 1;  // how often, which is also what a reader sees
  std::atomic<int> requests_ = 0;
};

TEST_F(OverlappingReadsTest, NothingIsKeptBetweenReads) {
  EXPECT_EQ(Read(context_), 1);
  written_ = 2;
  EXPECT_EQ(Read(context_), 2);
  EXPECT_EQ(requests_, 2);
}

// Run under ThreadSanitizer too.
TEST_F(OverlappingReadsTest, HoweverManyReadAtOnceThereIsOneRequest) {
  Gate sent;
  Gate gate;
  std::thread first = HeldReader(sent, gate, context_);
  sent.Pass();
  std::atomic<int> right = 0;
  std::vector<std::thread> others;
  for (int i = 0; i < 63; ++i) {
    others.emplace_back([&] {
      if (Read(context_) == 1) ++right;
    });
  }
  clock_.AwaitOthers(63);
  gate.Open();
  first.join();
  for (auto& thread : others) thread.join();
  EXPECT_EQ(right, 63);
  EXPECT_EQ(requests_, 1);
}

TEST_F(OverlappingReadsTest, WhoComesAfterAWriteDoesNotTakeAnOlderAnswer) {
  Gate old_sent;
  Gate old_gate;
  std::thread old = HeldReader(old_sent, old_gate, context_);
  old_sent.Pass();
  written_ = 2;
  EXPECT_EQ(Read(context_), 2) << "while the older request is still under way";
  Gate sent;
  Gate gate;
  std::thread newer = HeldReader(sent, gate, context_);
  sent.Pass();
  // The older one ends, and who comes now takes the newer one's answer.
  old_gate.Open();
  old.join();
  std::thread other([&] { EXPECT_EQ(Read(context_), 2); });
  clock_.AwaitOthers(1);
  gate.Open();
  newer.join();
  other.join();
  EXPECT_EQ(requests_, 3);
}

TEST_F(OverlappingReadsTest, OtherKeysDoNotWait) {
  Gate sent;
  Gate gate;
  std::thread first = HeldReader(sent, gate, context_);
  sent.Pass();
  EXPECT_EQ(reads_.Get("u", written_, context_, clock_, [] { return Result<std::uint64_t>(7); }),
            7);
  gate.Open();
  first.join();
}

TEST_F(OverlappingReadsTest, ErrorsOfTheServiceAreSharedToo) {
  Gate sent;
  Gate gate;
  std::atomic<int> denied = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 5; ++i) {
    readers.emplace_back([&] {
      const auto result = reads_.Get("t", written_, context_, clock_, [&] {
        ++requests_;
        sent.Open();
        gate.Pass();
        return Result<std::uint64_t>(Fail(ErrorKind::kAccessDenied, "no"));
      });
      if (!result && result.error().kind == ErrorKind::kAccessDenied) ++denied;
    });
  }
  sent.Pass();
  clock_.AwaitOthers(4);
  gate.Open();
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(denied, 5);
  EXPECT_EQ(requests_, 1);
}

TEST_F(OverlappingReadsTest, OneReaderGivingUpIsNoAnswerForOthers) {
  CancellationSource source;
  glue::CallContext cancelled = context_;
  cancelled.cancellation = source.token();
  Gate sent;
  Gate gate;
  std::thread first([&] {
    const auto result = reads_.Get("t", written_, cancelled, clock_, [&] {
      ++requests_;
      sent.Open();
      gate.Pass();
      return Result<std::uint64_t>(Fail(ErrorKind::kCancelled, "given up"));
    });
    EXPECT_EQ(result.error().kind, ErrorKind::kCancelled);
  });
  sent.Pass();
  std::thread other([&] { EXPECT_EQ(Read(context_), 1); });
  clock_.AwaitOthers(1);
  source.Cancel();
  gate.Open();
  first.join();
  other.join();
  EXPECT_EQ(requests_, 2) << "the one who waited asks for itself";
}

TEST_F(OverlappingReadsTest, WhoWaitsGivesUpInItsOwnTime) {
  Gate sent;
  Gate gate;
  std::thread first = HeldReader(sent, gate, context_);
  sent.Pass();
  CancellationSource source;
  glue::CallContext cancelled = context_;
  cancelled.cancellation = source.token();
  source.Cancel();
  EXPECT_EQ(Read(cancelled).error().kind, ErrorKind::kCancelled);
  glue::CallContext late = context_;
  late.deadline = Deadline(std::chrono::hours(-1));
  EXPECT_EQ(Read(late).error().kind, ErrorKind::kTimeout);
  gate.Open();
  first.join();
  EXPECT_EQ(requests_, 1);
}

}  // namespace
}  // namespace gluecat::catalog
