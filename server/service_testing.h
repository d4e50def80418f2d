// For tests of the service: requests as clients sign them, and a clock that stands still.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "core/base/json.h"
#include "server/service.h"

namespace gluecat::server {

class StillClock final : public Clock {
 public:
  Timestamp Now() const override { return now; }
  Deadline SteadyNow() const override { return {}; }
  bool Sleep(Duration, const CancellationToken&) override { return true; }

  Timestamp now = Timestamp(std::chrono::seconds(1'700'000'000));
};

// Two services on one new directory, without accounts and with those of a document.
class ServiceFixture : public testing::Test {
 protected:
  explicit ServiceFixture(std::string_view accounts) {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "gluecat-service-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    clock_ = std::make_shared<StillClock>();
    open_ = Make(nullptr);
    strict_ = Make(std::make_shared<const Accounts>(*Accounts::Parse(accounts)));
  }
  ~ServiceFixture() override {
    open_.reset();
    strict_.reset();
    std::filesystem::remove_all(directory_);
  }

  std::unique_ptr<Service> Make(std::shared_ptr<const Accounts> accounts) {
    return *Service::Make(*store::Store::Open(directory_, clock_), std::move(accounts), clock_,
                          nullptr, metrics_);
  }

  // `body` as one call of `service`, signed.
  Request Signed(std::string_view service, const aws::Credentials& credentials,
                 std::string_view target, std::string body) {
    Request request;
    request.method = "POST";
    request.headers = {{"Host", "localhost"}};
    if (service == "glue") {
      request.headers.emplace_back("X-Amz-Target", "AWSGlue." + std::string(target));
      request.headers.emplace_back("Content-Type", "application/x-amz-json-1.1");
    }
    request.body = std::move(body);
    const aws::SignableRequest signable{.method = "POST",
                                        .path = "/",
                                        .query = "",
                                        .headers = request.headers,
                                        .body = request.body};
    for (auto& header : aws::SignRequest(signable, credentials,
                                         {"eu-central-1", std::string(service)}, clock_->now)) {
      request.headers.push_back(std::move(header));
    }
    return request;
  }

  static aws::Credentials Key(std::string id, std::string secret) {
    aws::Credentials credentials;
    credentials.access_key_id = std::move(id);
    credentials.secret_access_key = std::move(secret);
    return credentials;
  }

  std::string Glue(Service& service, const aws::Credentials& credentials,
                   std::string_view operation, std::string body = "{}") {
    return service.Handle(Signed("glue", credentials, operation, std::move(body))).body;
  }

  // The error type of an answer, "" for none.
  std::string Type(const std::string& body) {
    const auto document = JsonDocument::Parse(body);
    return document ? document->root()["__type"].StringOr("") : "(no JSON)";
  }

  Answer Sts(Service& service, const aws::Credentials& credentials, std::string form) {
    return service.Handle(Signed("sts", credentials, "", std::move(form)));
  }

  static std::string Element(const std::string& xml, const std::string& name) {
    const std::size_t from = xml.find("<" + name + ">");
    const std::size_t to = xml.find("</" + name + ">");
    if (from == std::string::npos || to == std::string::npos) return "";
    return xml.substr(from + name.size() + 2, to - from - name.size() - 2);
  }

  aws::Credentials Assume(Service& service, const aws::Credentials& credentials,
                          std::string_view role, const std::string& more) {
    const auto answer =
        Sts(service, credentials,
            "Action=AssumeRole&Version=2011-06-15&RoleSessionName=me&RoleArn=" + std::string(role) +
                more);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return CredentialsOf(answer.body);
  }

  static aws::Credentials CredentialsOf(const std::string& xml) {
    auto credentials = Key(Element(xml, "AccessKeyId"), Element(xml, "SecretAccessKey"));
    credentials.session_token = Element(xml, "SessionToken");
    return credentials;
  }

  std::string directory_;
  std::shared_ptr<StillClock> clock_;
  std::shared_ptr<Metrics> metrics_ = std::make_shared<Metrics>("1", Timestamp());
  std::unique_ptr<Service> open_;
  std::unique_ptr<Service> strict_;
};

}  // namespace gluecat::server
