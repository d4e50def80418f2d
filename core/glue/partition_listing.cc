#include "core/glue/partition_listing.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/text.h"

namespace gluecat::glue {
namespace {

constexpr std::string_view kMember = "\"NextToken\"";

struct Member {
  std::string_view value;
  std::string_view rest;  // what follows it
};

// `text` is what follows the member's name. Its value, if that is a string without
// escapes.
std::optional<Member> PlainString(std::string_view text) {
  text = Trim(text);
  if (!text.starts_with(':')) return std::nullopt;
  text = Trim(text.substr(1));
  if (!text.starts_with('"')) return std::nullopt;
  const auto end = text.find_first_of("\"\\", 1);
  if (end == std::string_view::npos || text[end] != '"') return std::nullopt;
  return Member{text.substr(1, end - 1), Trim(text.substr(end + 1))};
}

// Fetches one page after the other on a thread that begins with the first order.
class PageFetcher {
 public:
  explicit PageFetcher(const PageSource& source) : source_(source) {}
  ~PageFetcher() {
    {
      const std::lock_guard lock(mutex_);
      order_.reset();
      stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  PageFetcher(const PageFetcher&) = delete;
  PageFetcher& operator=(const PageFetcher&) = delete;

  // Begins with the page that follows `token`. A page that was ordered before and
  // not taken is waited for and dropped.
  void Ask(std::string token, std::string spare) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !working_; });
      page_.reset();
      order_ = Order{std::move(token), std::move(spare)};
      working_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) return;
    try {
      thread_ = std::thread([this] { Run(); });
    } catch (const std::system_error&) {
      // No thread to be had: the caller waits for the page as it would have anyway.
      const std::lock_guard lock(mutex_);
      page_ = Fetch(*order_);
      order_.reset();
      working_ = false;
    }
  }

  // Waits for the page ordered last.
  Result<std::string> Take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return page_.has_value(); });
    Result<std::string> page = *std::move(page_);
    page_.reset();
    return page;
  }

 private:
  struct Order {
    std::string token;
    std::string spare;
  };

  // What the standard library throws must not leave the thread.
  Result<std::string> Fetch(Order& order) {
    try {
      return source_(order.token, order.spare);
    } catch (const std::exception& exception) {
      return Fail(ErrorKind::kInternal, exception.what());
    }
  }

  void Run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return stop_ || order_; });
      if (stop_) return;
      Order order = *std::move(order_);
      order_.reset();
      lock.unlock();
      auto page = Fetch(order);
      lock.lock();
      page_ = std::move(page);
      working_ = false;
      changed_.notify_all();
    }
  }

  const PageSource& source_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Order> order_;
  std::optional<Result<std::string>> page_;
  bool working_ = false;  // an order is waiting or being carried out
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace

std::optional<std::string> GuessNextToken(std::string_view page) {
  std::optional<Member> member;
  const std::string_view start = Trim(page);
  if (start.starts_with('{')) {
    const std::string_view first = Trim(start.substr(1));
    if (first.starts_with(kMember)) {
      member = PlainString(first.substr(kMember.size()));
      if (member && !member->rest.starts_with(',')) member.reset();
    }
  }
  if (!member) {
    // Glue's tokens have some hundred characters.
    constexpr std::size_t kTail = 8192;
    const std::string_view tail = start.substr(start.size() - std::min(start.size(), kTail));
    if (const auto last = tail.rfind(kMember); last != std::string_view::npos) {
      member = PlainString(tail.substr(last + kMember.size()));
      if (member && member->rest != "}") member.reset();
    }
  }
  if (!member || member->value.empty()) return std::nullopt;
  return std::string(member->value);
}

Status ListPartitions(const PageSource& source, PartitionSink& sink) {
  PageFetcher fetcher(source);
  PartitionPageReader reader;
  std::string spare;
  std::string asked;
  GLUECAT_ASSIGN_OR_RETURN(std::string page, source(asked, spare));
  for (;;) {
    const auto guess = GuessNextToken(page);
    if (guess && *guess != asked) fetcher.Ask(*guess, std::move(spare));
    GLUECAT_ASSIGN_OR_RETURN(std::string token, reader.Read(page, sink));
    if (token.empty()) return {};
    if (token == asked) {
      return Fail(ErrorKind::kInvalidData,
                  "GetPartitions answered with the NextToken it was asked with");
    }
    asked = std::move(token);
    if (guess != asked) fetcher.Ask(asked, {});
    GLUECAT_ASSIGN_OR_RETURN(std::string next, fetcher.Take());
    spare = std::exchange(page, std::move(next));
  }
}

}  // namespace gluecat::glue
