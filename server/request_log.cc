#include "server/request_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include "core/base/json.h"

namespace gluecat::server {
namespace {

constexpr std::size_t kMaxLoggedRequest = 256 * 1024;

}  // namespace

Result<std::unique_ptr<RequestLog>> RequestLog::Open(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) {
    return Fail(ErrorKind::kUnavailable, "cannot open the request log " + path + ": " +
                                             std::generic_category().message(errno));
  }
  return std::unique_ptr<RequestLog>(new RequestLog(file));
}

RequestLog::~RequestLog() { close(file_); }

void RequestLog::Write(const LogEntry& entry, Timestamp time) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch());
  JsonWriter writer;
  writer.BeginObject().Key("time").Double(static_cast<double>(ms.count()) / 1000);
  const std::pair<std::string_view, const std::string&> texts[] = {
      {"service", entry.service},
      {"operation", entry.operation},
      {"account", entry.account},
      {"access_key", entry.access_key_id},
      {"arn", entry.arn},
      {"region", entry.region},
      {"catalog_id", entry.catalog_id},
      {"database", entry.database},
      {"table", entry.table},
      {"code", entry.code},
      {"request_id", entry.request_id}};
  for (const auto& [name, text] : texts) {
    if (!text.empty()) writer.Member(name, text);
  }
  writer.Member("status", entry.status).Key("latency_ms").Double(entry.latency_ms);
  if (!entry.request.empty() && entry.request.size() <= kMaxLoggedRequest) {
    writer.Key("request").Raw(entry.request);
  }
  const std::string line = writer.EndObject().Take() + "\n";
  const std::lock_guard lock(mutex_);
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // a full disk must not stop the server
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace gluecat::server
