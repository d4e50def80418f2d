#include "core/glue/errors.h"

#include <string>

#include <gtest/gtest.h>

#include "core/aws/vectors_testing.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/glue/transport.h"

namespace gluecat::glue {
namespace {

aws::HttpResponse Response(int status, std::string body, aws::HeaderList headers = {}) {
  aws::HttpResponse response;
  response.status = status;
  response.headers = std::move(headers);
  response.body = std::move(body);
  return response;
}

TEST(ErrorVectors, CodesAreFoundWhereAwsPutsThem) {
  const auto document = aws::ReadAwsJsonVector("protocol/output.json");
  ASSERT_TRUE(document);
  int cases = 0;
  for (const auto& suite : document->root().Elements()) {
    for (const auto& test : suite["cases"].Elements()) {
      const auto code = test["errorCode"].AsString();
      if (!code) continue;
      SCOPED_TRACE(test["id"].StringOr(""));
      ++cases;
      aws::HeaderList headers;
      for (const auto& [name, value] : test["response"]["headers"].Members()) {
        headers.emplace_back(ToLowerAscii(name), value.StringOr(""));
      }
      const auto error =
          ErrorFromAnswer(Response(static_cast<int>(test["response"]["status_code"].IntOr(0)),
                                   test["response"]["body"].StringOr(""), headers),
                          "host:1");
      EXPECT_EQ(error.code, *code);
      if (const auto message = test["errorMessage"].AsString()) {
        EXPECT_EQ(error.message, *message);
      }
    }
  }
  EXPECT_EQ(cases, 12);
}

TEST(KindOfCode, AbsentDeniedAndThrottledStayApart) {
  EXPECT_EQ(KindOfCode("EntityNotFoundException", 400), ErrorKind::kNotFound);
  EXPECT_EQ(KindOfCode("AlreadyExistsException", 400), ErrorKind::kAlreadyExists);
  EXPECT_EQ(KindOfCode("AccessDeniedException", 400), ErrorKind::kAccessDenied);
  EXPECT_EQ(KindOfCode("ThrottlingException", 400), ErrorKind::kThrottled);
  EXPECT_EQ(KindOfCode("ConcurrentModificationException", 400), ErrorKind::kConflict);
  EXPECT_EQ(KindOfCode("ResourceNumberLimitExceededException", 400), ErrorKind::kLimitExceeded);
  EXPECT_EQ(KindOfCode("InvalidInputException", 400), ErrorKind::kInvalidArgument);
  EXPECT_EQ(KindOfCode("ValidationException", 400), ErrorKind::kInvalidArgument);
  EXPECT_EQ(KindOfCode("UnrecognizedClientException", 400), ErrorKind::kUnauthenticated);
  EXPECT_EQ(KindOfCode("ExpiredTokenException", 400), ErrorKind::kUnauthenticated);
  EXPECT_EQ(KindOfCode("UnknownOperationException", 400), ErrorKind::kUnsupported);
  EXPECT_EQ(KindOfCode("InternalServiceException", 500), ErrorKind::kUnavailable);
  EXPECT_EQ(KindOfCode("OperationTimeoutException", 400), ErrorKind::kTimeout);
}

TEST(KindOfCode, StatusDecidesForCodesNobodyModelled) {
  EXPECT_EQ(KindOfCode("BrandNewException", 400), ErrorKind::kInvalidArgument);
  EXPECT_EQ(KindOfCode("BrandNewException", 403), ErrorKind::kAccessDenied);
  EXPECT_EQ(KindOfCode("BrandNewException", 503), ErrorKind::kUnavailable);
  EXPECT_EQ(KindOfCode("", 429), ErrorKind::kThrottled);
  // A 404 without a code is no answer of Glue's, least of all "no such table".
  EXPECT_EQ(KindOfCode("", 404), ErrorKind::kInvalidData);
  EXPECT_EQ(KindOfCode("", 302), ErrorKind::kInvalidData);
}

TEST(IsRetryable, IsTheStandardModePlusGluesOwn) {
  for (const char* code :
       {"ThrottlingException", "InternalServiceException", "OperationTimeoutException",
        "ResourceNotReadyException", "FederationSourceRetryableException"}) {
    EXPECT_TRUE(IsRetryable(code, 400)) << code;
  }
  for (const char* code :
       {"EntityNotFoundException", "AlreadyExistsException", "ConcurrentModificationException",
        "AccessDeniedException", "InvalidInputException", "ResourceNumberLimitExceededException"}) {
    EXPECT_FALSE(IsRetryable(code, 400)) << code;
  }
  EXPECT_TRUE(IsRetryable("", 503));
  EXPECT_FALSE(IsRetryable("GlueEncryptionException", 500));
}

TEST(LeavesOutcomeUnknown, OnlyFailuresAmidTheWork) {
  EXPECT_TRUE(LeavesOutcomeUnknown("InternalServiceException", 500));
  EXPECT_TRUE(LeavesOutcomeUnknown("OperationTimeoutException", 400));
  EXPECT_TRUE(LeavesOutcomeUnknown("", 502));
  EXPECT_FALSE(LeavesOutcomeUnknown("ThrottlingException", 503));
  EXPECT_FALSE(LeavesOutcomeUnknown("EntityNotFoundException", 400));
}

TEST(ErrorFromAnswer, TakesMessageAndRequestId) {
  for (const char* key : {"message", "Message", "errorMessage"}) {
    const auto error = ErrorFromAnswer(
        Response(400,
                 std::string(R"({"__type":"com.amazon.glue#EntityNotFoundException",")") + key +
                     R"(":"Table x not found."})",
                 {{"x-amzn-requestid", "id-1"}}),
        "host:1");
    EXPECT_EQ(error.kind, ErrorKind::kNotFound);
    EXPECT_EQ(error.code, "EntityNotFoundException");
    EXPECT_EQ(error.message, "Table x not found.");
    EXPECT_EQ(error.http_status, 400);
    EXPECT_EQ(error.request_id, "id-1");
    EXPECT_FALSE(error.retryable);
  }
}

TEST(ErrorFromAnswer, HostileAnswersGiveAnErrorToo) {
  const auto html = ErrorFromAnswer(
      Response(502, "<html>\r\n<b>Bad\x01 Gateway</b>" + std::string(5000, 'x')), "host:1");
  EXPECT_EQ(html.kind, ErrorKind::kUnavailable);
  EXPECT_TRUE(html.retryable);
  EXPECT_TRUE(html.message.starts_with("host:1 answered with HTTP status 502: <html> <b>Bad "))
      << html.message;
  EXPECT_LT(html.message.size(), 300U);

  for (const char* body : {"", "{", "[]", "null", "\"x\"", R"({"__type":7,"message":{}})",
                           R"({"__type":"a b c"})", "\xff\xfe{}"}) {
    const auto error = ErrorFromAnswer(Response(403, body), "host:1");
    EXPECT_EQ(error.kind, ErrorKind::kAccessDenied) << body;
    EXPECT_EQ(error.code, "") << body;
    EXPECT_TRUE(error.message.starts_with("host:1 answered with HTTP status 403")) << body;
  }
  const auto bare = ErrorFromAnswer(Response(400, R"({"__type":"ValidationException"})"), "host:1");
  EXPECT_EQ(bare.message, "ValidationException (HTTP status 400)");
  const auto long_code =
      ErrorFromAnswer(Response(400, R"({"__type":")" + std::string(1000, 'A') + R"("})"), "h:1");
  EXPECT_EQ(long_code.code, "");
}

TEST(Excerpt, IsOneValidLine) {
  EXPECT_EQ(Excerpt("a\r\n\tb\x7f"
                    "c"),
            "a b c");
  EXPECT_EQ(Excerpt("\xc3\xa9\xff\xe2\x82"), "\xc3\xa9???");
  EXPECT_EQ(Excerpt("\xc0\xaf\xed\xa0\x80"), "?????");
  EXPECT_EQ(Excerpt("abc\xc3\xa9z", 4), "abc\u2026");
  EXPECT_EQ(Excerpt("abcd", 4), "abcd");
}

}  // namespace
}  // namespace gluecat::glue
