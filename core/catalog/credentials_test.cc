// Credentials that the JVM side hands down.
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/json.h"
#include "core/catalog/operations.h"
#include "core/glue/recording_transport.h"

namespace gluecat::catalog {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SetCredentials : public ::testing::Test {
 protected:
  Catalog Make(std::shared_ptr<aws::PushedProvider> pushed) const {
    OpenRequest request;
    request.catalog = "acct_a";
    request.options = {{"client.credentials-provider", "com.example.Provider"},
                       {"client.credentials-provider.vaultPath", "x"}};
    return {*ParseSettings(request), "4.1.1", nullptr, SystemClock(), std::move(pushed)};
  }

  static std::string ErrorOf(Catalog& catalog, std::string_view request) {
    const auto answer = RunOperation(catalog, "set_credentials", request, {});
    return answer ? "" : answer.error().error.message;
  }

  std::shared_ptr<aws::PushedProvider> pushed_ =
      std::make_shared<aws::PushedProvider>("com.example.Provider", SystemClock());
};

TEST_F(SetCredentials, AreWhatRequestsAreSignedWith) {
  Catalog catalog = Make(pushed_);
  EXPECT_EQ(ErrorOf(catalog, R"({"access_key_id": "A", "secret_access_key": "s"})"), "");
  EXPECT_EQ(pushed_->Resolve({})->expiration, std::nullopt);
  EXPECT_EQ(ErrorOf(catalog, R"({"access_key_id": "B", "secret_access_key": "s",
                                 "session_token": "t", "expires": "2126-01-02T03:04:05.678Z"})"),
            "");
  const auto credentials = pushed_->Resolve({});
  ASSERT_TRUE(credentials);
  EXPECT_EQ(credentials->access_key_id, "B");
  EXPECT_EQ(credentials->session_token, "t");
  EXPECT_TRUE(credentials->expiration);
}

TEST_F(SetCredentials, AreReadStrictlyAndNotRepeated) {
  Catalog catalog = Make(pushed_);
  EXPECT_THAT(ErrorOf(catalog, R"({"access_key_id": "A"})"), HasSubstr("secret_access_key"));
  const std::string error = ErrorOf(
      catalog, R"({"access_key_id": "A", "secret_access_key": "hidden", "expires": "soon"})");
  EXPECT_THAT(error, HasSubstr("'expires' is not a time"));
  EXPECT_THAT(error, Not(HasSubstr("hidden")));
  EXPECT_FALSE(pushed_->Resolve({}));
}

TEST_F(SetCredentials, NeedAProviderClass) {
  Catalog catalog = Make(nullptr);
  EXPECT_THAT(ErrorOf(catalog, R"({"access_key_id": "A", "secret_access_key": "s"})"),
              HasSubstr("client.credentials-provider"));
}

TEST_F(SetCredentials, DescribeCatalogSaysWhomToAsk) {
  Catalog catalog = Make(pushed_);
  const auto answer = RunOperation(catalog, "describe_catalog", "{}", {});
  ASSERT_TRUE(answer);
  EXPECT_THAT(std::string(BytesOf(*answer)),
              HasSubstr(R"("credentials_provider":{"class":"com.example.Provider",)"
                        R"("options":{"vaultPath":"x"}})"));
}

}  // namespace
}  // namespace gluecat::catalog
