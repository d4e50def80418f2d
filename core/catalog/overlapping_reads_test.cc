#include "core/catalog/overlapping_reads.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "core/base/gate_testing.h"

namespace gluecat::catalog {
namespace {

// Counts the threads that ask it, as those do that wait with a deadline.
class CountingClock final : public Clock {
 public:
  Timestamp Now() const override { return {}; }
  Deadline SteadyNow() const override {
    {
      const std::lock_guard lock(mutex_);
      threads_.insert(std::this_thread::get_id());
    }
    changed_.notify_all();
    return {};
  }
  bool Sleep(Duration, const CancellationToken&) override { return true; }

  void AwaitThreads(std::size_t count) const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return threads_.size() >= count; });
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::set<std::thread::id> threads_;
};

class OverlappingReadsTest : public testing::Test {
 protected:
  OverlappingReadsTest() { context_.deadline = Deadline(std::chrono::hours(1)); }

  // A reader that is held inside its request until `gate` opens.
  std::thread HeldReader(Gate& sent, Gate& gate, const glue::CallContext& context) {
    return std::thread([this, &sent, &gate, context] {
      (void)reads_.Get("t", context, clock_, [&] {
        ++requests_;
        const int seen = written_;
        sent.Open();
        gate.Pass();
        return Result<int>(seen);
      });
    });
  }
  Result<int> Read(const glue::CallContext& context) {
    return reads_.Get("t", context, clock_, [&] {
      ++requests_;
      return Result<int>(written_.load());
    });
  }

  OverlappingReads<int> reads_;
  CountingClock clock_;
  glue::CallContext context_;
  std::atomic<int> written_ = 1;
  std::atomic<int> requests_ = 0;
};

TEST_F(OverlappingReadsTest, NothingIsKeptBetweenReads) {
  EXPECT_EQ(Read(context_), 1);
  written_ = 2;
  EXPECT_EQ(Read(context_), 2);
  EXPECT_EQ(requests_, 2);
}

// Run under ThreadSanitizer too.
TEST_F(OverlappingReadsTest, HoweverManyReadAtOnceThereAreTwoRequestsAndNoStaleAnswer) {
  Gate sent;
  Gate gate;
  std::thread first = HeldReader(sent, gate, context_);
  sent.Pass();
  // Written after the first request was answered inside, and before the others begin.
  written_ = 2;
  std::atomic<int> right = 0;
  std::vector<std::thread> others;
  for (int i = 0; i < 63; ++i) {
    others.emplace_back([&] {
      if (Read(context_) == 2) ++right;
    });
  }
  clock_.AwaitThreads(63);
  gate.Open();
  first.join();
  for (auto& thread : others) thread.join();
  EXPECT_EQ(right, 63);
  EXPECT_EQ(requests_, 2);
}

TEST_F(OverlappingReadsTest, OtherKeysDoNotWait) {
  Gate sent;
  Gate gate;
  std::thread first = HeldReader(sent, gate, context_);
  sent.Pass();
  EXPECT_EQ(reads_.Get("u", context_, clock_, [] { return Result<int>(7); }), 7);
  gate.Open();
  first.join();
}

TEST_F(OverlappingReadsTest, ErrorsOfTheServiceAreSharedToo) {
  Gate sent;
  Gate gate;
  std::thread first = HeldReader(sent, gate, context_);
  sent.Pass();
  std::atomic<int> denied = 0;
  std::vector<std::thread> others;
  for (int i = 0; i < 4; ++i) {
    others.emplace_back([&] {
      const auto result = reads_.Get("t", context_, clock_, [&] {
        ++requests_;
        return Result<int>(Fail(ErrorKind::kAccessDenied, "no"));
      });
      if (!result && result.error().kind == ErrorKind::kAccessDenied) ++denied;
    });
  }
  clock_.AwaitThreads(4);
  gate.Open();
  first.join();
  for (auto& thread : others) thread.join();
  EXPECT_EQ(denied, 4);
  EXPECT_EQ(requests_, 2);
}

TEST_F(OverlappingReadsTest, OneReaderGivingUpIsNoAnswerForOthers) {
  Gate sent;
  Gate gate;
  CancellationSource source;
  glue::CallContext cancelled = context_;
  cancelled.cancellation = source.token();
  std::thread first = HeldReader(sent, gate, context_);
  sent.Pass();
  // One that waits gives up at once.
  source.Cancel();
  EXPECT_EQ(Read(cancelled).error().kind, ErrorKind::kCancelled);
  std::thread other([&] { EXPECT_EQ(Read(context_), 1); });
  clock_.AwaitThreads(1);
  gate.Open();
  first.join();
  other.join();
  EXPECT_EQ(requests_, 2);
  glue::CallContext late = context_;
  late.deadline = Deadline(std::chrono::hours(-1));
  Gate sent_again;
  Gate gate_again;
  std::thread again = HeldReader(sent_again, gate_again, context_);
  sent_again.Pass();
  EXPECT_EQ(Read(late).error().kind, ErrorKind::kTimeout);
  gate_again.Open();
  again.join();
}

}  // namespace
}  // namespace gluecat::catalog
