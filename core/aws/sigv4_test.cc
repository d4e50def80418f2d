#include "core/aws/sigv4.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "core/aws/crypto.h"
#include "core/aws/time_format.h"
#include "core/aws/vectors_testing.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace gluecat::aws {
namespace {

constexpr char kSecret[] = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

// A request as the vectors write it: a request line, headers with continuation
// lines, an empty line, a body. Owns what SignableRequest only views.
struct RequestFile {
  SignableRequest request;
  std::string body;
};

RequestFile ParseRequest(const std::string& text) {
  RequestFile file;
  std::string_view rest = text;
  const auto next_line = [&rest] {
    const auto end = rest.find('\n');
    const auto line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return line;
  };
  auto line = Trim(next_line());
  const auto method_end = line.find(' ');
  file.request.method = line.substr(0, method_end);
  line.remove_prefix(method_end + 1);
  if (line.ends_with(" HTTP/1.1")) line.remove_suffix(9);
  const auto question = line.find('?');
  file.request.path = line.substr(0, question);
  if (question != std::string_view::npos) file.request.query = line.substr(question + 1);
  while (!rest.empty()) {
    line = next_line();
    if (line.empty()) break;
    if (line.front() == ' ') {
      file.request.headers.back().second.append(1, '\n').append(line);
      continue;
    }
    const auto colon = line.find(':');
    file.request.headers.emplace_back(line.substr(0, colon), line.substr(colon + 1));
  }
  file.body = rest;
  return file;
}

struct Case {
  Credentials credentials{.access_key_id = "AKIDEXAMPLE", .secret_access_key = kSecret};
  SigningScope scope;
  Timestamp time;
  SigningOptions options;
};

// Two cases come without a context: what they are signed with is in their own
// expected Authorization header, except for the secrets, which are smithy-rs's.
Case ReadCase(const std::filesystem::path& folder, const Authorization& expected,
              const SignableRequest& signed_request) {
  Case result;
  result.scope = expected.scope;
  if (!std::filesystem::exists(AwsVectorsFolder() / folder / "context.json")) {
    for (const auto& [name, value] : signed_request.headers) {
      if (EqualsIgnoreCase(name, "x-amz-date")) result.time = *ParseAmzDate(Trim(value));
    }
    if (expected.access_key_id == "ANOTREAL") {
      result.credentials = {.access_key_id = "ANOTREAL",
                            .secret_access_key = "notrealrnrELgWzOk3IfjzDKtFBhDby"};
    }
    return result;
  }
  const auto context = ReadAwsJsonVector(folder / "context.json");
  const JsonView root = context->root();
  result.credentials.access_key_id = root["credentials"]["access_key_id"].StringOr("");
  result.credentials.secret_access_key = root["credentials"]["secret_access_key"].StringOr("");
  result.credentials.session_token = root["credentials"]["token"].StringOr("");
  result.scope = {root["region"].StringOr(""), root["service"].StringOr("")};
  result.time = *ParseIso8601(root["timestamp"].StringOr(""));
  result.options.normalize_path = root["normalize"].BoolOr(true);
  result.options.content_sha256_header = root["sign_body"].BoolOr(false);
  result.options.sign_session_token = !root["omit_session_token"].BoolOr(false);
  return result;
}

std::string HeaderOf(const HeaderList& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (EqualsIgnoreCase(key, name)) return value;
  }
  return {};
}

TEST(SigV4Vectors, EveryCaseIsSignedAsAwsDoesIt) {
  int cases = 0;
  std::error_code no_folder;
  for (const auto& entry :
       std::filesystem::directory_iterator(AwsVectorsFolder() / "sigv4", no_folder)) {
    const auto folder = std::filesystem::path("sigv4") / entry.path().filename();
    SCOPED_TRACE(folder);
    ++cases;
    // The paths of request.txt are percent-encoded so that other parsers take
    // them; those of the signed request are what the canonical ones are made of.
    const auto signed_request = ParseRequest(ReadAwsVector(folder / "header-signed-request.txt"));
    auto file = ParseRequest(ReadAwsVector(folder / "request.txt"));
    file.request.path = signed_request.request.path;
    std::erase_if(file.request.headers,
                  [](const auto& header) { return EqualsIgnoreCase(header.first, "x-amz-date"); });
    file.request.body = file.body;
    const auto expected_header = HeaderOf(signed_request.request.headers, "authorization");
    const auto expected = ParseAuthorization(expected_header);
    ASSERT_TRUE(expected) << expected.error().message;
    const Case c = ReadCase(folder, *expected, signed_request.request);
    const auto added = SignRequest(file.request, c.credentials, c.scope, c.time, c.options);
    EXPECT_EQ(HeaderOf(added, "authorization"), Trim(expected_header));

    SignableRequest complete = file.request;
    complete.headers.insert(complete.headers.end(), added.begin(), added.end());
    const auto canonical = CanonicalRequest(complete, expected->signed_headers,
                                            Sha256Hex(file.body), c.options.normalize_path);
    auto expected_canonical = ReadAwsVector(folder / "header-canonical-request.txt");
    if (folder.filename() == "double-encode-path") {
      // Its canonical request is of another day than its signature.
      const auto at = expected_canonical.find("20210511T154045Z");
      ASSERT_NE(at, std::string::npos);
      expected_canonical.replace(at, 16, FormatAmzDate(c.time));
    } else {
      EXPECT_EQ(StringToSign(FormatAmzDate(c.time), c.scope, canonical),
                Trim(ReadAwsVector(folder / "header-string-to-sign.txt")));
    }
    EXPECT_EQ(canonical, expected_canonical);
    if (c.options.normalize_path) {
      const auto received = ExpectedSignature(complete, *expected, c.credentials.secret_access_key);
      ASSERT_TRUE(received) << received.error().message;
      EXPECT_EQ(*received, expected->signature);
    }
  }
  EXPECT_EQ(cases, 40) << "run tests/vectors/fetch_aws_vectors.sh";
}

class ReceivedRequest : public testing::Test {
 protected:
  ReceivedRequest() {
    request_.method = "POST";
    request_.body = "{}";
    request_.headers = {{"Host", "glue.eu-central-1.amazonaws.com"},
                        {"X-Amz-Target", "AWSGlue.GetTable"},
                        {"User-Agent", "somebody"}};
    auto added = SignRequest(request_,
                             {.access_key_id = "AKID/with/slash",
                              .secret_access_key = kSecret,
                              .session_token = "token"},
                             {"eu-central-1", "glue"}, *ParseAmzDate("20260102T030405Z"));
    request_.headers.insert(request_.headers.end(), added.begin(), added.end());
    authorization_ = *ParseAuthorization(HeaderOf(request_.headers, "authorization"));
  }

  Result<std::string> Expected() const {
    return ExpectedSignature(request_, authorization_, kSecret);
  }

  SignableRequest request_;
  Authorization authorization_;
};

TEST_F(ReceivedRequest, IsAcceptedUnchanged) {
  EXPECT_EQ(authorization_.access_key_id, "AKID/with/slash");
  EXPECT_EQ(authorization_.scope.region, "eu-central-1");
  EXPECT_EQ(authorization_.scope.service, "glue");
  EXPECT_EQ(authorization_.date, "20260102");
  EXPECT_EQ(Join(authorization_.signed_headers, " "),
            "host x-amz-date x-amz-security-token x-amz-target");
  EXPECT_TRUE(EqualInConstantTime(*Expected(), authorization_.signature));
}

TEST_F(ReceivedRequest, EverySignedPartMatters) {
  const auto signature = *Expected();
  for (std::size_t i = 0; i < request_.headers.size(); ++i) {
    const auto name = ToLowerAscii(request_.headers[i].first);
    if (name == "user-agent" || name == "authorization" || name == "x-amz-date") continue;
    SignableRequest changed = request_;
    changed.headers[i].second += "x";
    EXPECT_NE(*ExpectedSignature(changed, authorization_, kSecret), signature) << name;
  }
  SignableRequest changed = request_;
  changed.body = "{ }";
  EXPECT_NE(*ExpectedSignature(changed, authorization_, kSecret), signature);
  changed = request_;
  changed.path = "/other";
  EXPECT_NE(*ExpectedSignature(changed, authorization_, kSecret), signature);
  EXPECT_NE(*ExpectedSignature(request_, authorization_, "another secret"), signature);
}

TEST_F(ReceivedRequest, ProxiesMayChangeWhatIsNotSigned) {
  const auto signature = *Expected();
  request_.headers[2].second = "somebody else";
  request_.headers.emplace_back("X-Forwarded-For", "127.0.0.1");
  EXPECT_EQ(*Expected(), signature);
}

TEST_F(ReceivedRequest, IsRefusedWithoutWhatWasSigned) {
  auto changed = request_;
  std::erase_if(changed.headers, [](const auto& h) { return h.first == "X-Amz-Target"; });
  EXPECT_EQ(ExpectedSignature(changed, authorization_, kSecret).error().kind,
            ErrorKind::kUnauthenticated);
  changed = request_;
  std::erase_if(changed.headers, [](const auto& h) { return h.first == "X-Amz-Date"; });
  EXPECT_FALSE(ExpectedSignature(changed, authorization_, kSecret));
  authorization_.date = "20260103";
  EXPECT_FALSE(Expected());
}

TEST(Authorization, MalformedHeadersAreRefused) {
  for (const char* header : {
           "",
           "Basic dXNlcjpwYXNz",
           "AWS4-HMAC-SHA256",
           "AWS4-HMAC-SHA256 Credential=A/20260102/r/s/aws4_request",
           "AWS4-HMAC-SHA256 Credential=A/20260102/r/s/aws3_request, SignedHeaders=host, "
           "Signature=0",
           "AWS4-HMAC-SHA256 Credential=20260102/r/s/aws4_request, SignedHeaders=host, "
           "Signature=0",
           "AWS4-HMAC-SHA256 Credential=////, SignedHeaders=, Signature=",
       }) {
    const auto result = ParseAuthorization(header);
    ASSERT_FALSE(result) << header;
    EXPECT_EQ(result.error().kind, ErrorKind::kUnauthenticated);
  }
}

TEST(Authorization, SpaceAndOrderDoNotMatter) {
  const auto result = ParseAuthorization(
      "AWS4-HMAC-SHA256  Signature=abc,SignedHeaders=Host;X-Amz-Date,"
      "Credential=A/20260102/r/s/aws4_request ");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->signature, "abc");
  EXPECT_EQ(Join(result->signed_headers, " "), "host x-amz-date");
}

}  // namespace
}  // namespace gluecat::aws
