// What was asked, one JSON object a line.
//
// {"time":…, "service":"glue", "operation":"GetTable", "account":…, "access_key":…,
//  "arn":…, "region":…, "catalog_id":…, "database":…, "table":…, "status":200,
//  "code":"", "latency_ms":0.1, "request_id":…, "request":{…}}
//
// Members that are unknown are left out. `request` is the body of a Glue
// operation, left out above 256 KiB. Secrets and tokens are never written.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"

namespace gluecat::server {

struct LogEntry {
  std::string service;
  std::string operation;
  std::string account;
  std::string access_key_id;
  std::string arn;
  std::string region;
  std::string catalog_id;
  std::string database;
  std::string table;
  std::string code;
  std::string request_id;
  std::string request;  // JSON; empty to leave it out
  int status = 0;
  double latency_ms = 0;
};

class RequestLog {
 public:
  // Appends to `path`. Errors: kUnavailable.
  static Result<std::unique_ptr<RequestLog>> Open(const std::string& path);

  RequestLog(const RequestLog&) = delete;
  RequestLog& operator=(const RequestLog&) = delete;
  ~RequestLog();

  // A line is written whole before the call returns. Thread-safe.
  void Write(const LogEntry& entry, Timestamp time);

 private:
  explicit RequestLog(int file) : file_(file) {}
  std::mutex mutex_;
  int file_;
};

}  // namespace gluecat::server
