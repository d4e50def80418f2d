// AWS Signature Version 4 in request headers, as the one who signs and as the
// one who checks (AWS, "Create a signed AWS API request"). Every service but S3:
// the path is encoded once more in the canonical request.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/aws/credentials.h"
#include "core/base/clock.h"
#include "core/base/result.h"

namespace gluecat::aws {

// Name and value; names in any case, repeated names allowed.
using HeaderList = std::vector<std::pair<std::string, std::string>>;

// A request as it goes over the wire.
struct SignableRequest {
  std::string method;
  std::string path = "/";  // as on the request line, without the query
  std::string query;       // as on the request line, without '?'
  HeaderList headers;      // must hold Host
  std::string_view body;
};

struct SigningScope {
  std::string region;
  std::string service;
};

struct SigningOptions {
  bool normalize_path = true;          // remove "." and ".." segments and empty ones
  bool content_sha256_header = false;  // add X-Amz-Content-Sha256
  bool sign_session_token = true;      // false: the token is added after signing
};

// Signs `request`: the headers to add to it (X-Amz-Date, X-Amz-Security-Token,
// Authorization, …). All of its headers are signed except those that proxies
// change (Connection, Expect, User-Agent, X-Amzn-Trace-Id, …). Any X-Amz-Date or
// X-Amz-Security-Token it holds already must not be there.
HeaderList SignRequest(const SignableRequest& request, const Credentials& credentials,
                       const SigningScope& scope, Timestamp time,
                       const SigningOptions& options = {});

// The parts, for who checks signatures.

// What an Authorization header says.
struct Authorization {
  std::string access_key_id;
  std::string date;  // yyyymmdd
  SigningScope scope;
  std::vector<std::string> signed_headers;  // lower case
  std::string signature;                    // lower-case hexadecimal
};

// Errors: kUnauthenticated if it is not a well-formed AWS4-HMAC-SHA256 header.
Result<Authorization> ParseAuthorization(std::string_view header);

// The canonical form of `request` with the named headers (lower case, any order).
std::string CanonicalRequest(const SignableRequest& request,
                             std::vector<std::string> signed_headers,
                             std::string_view payload_sha256_hex, bool normalize_path = true);

// `amz_date` as in X-Amz-Date.
std::string StringToSign(std::string_view amz_date, const SigningScope& scope,
                         std::string_view canonical_request);

// 32 raw bytes; `date` is yyyymmdd.
std::string DeriveSigningKey(std::string_view secret_access_key, std::string_view date,
                             const SigningScope& scope);

// Lower-case hexadecimal.
std::string ComputeSignature(std::string_view signing_key, std::string_view string_to_sign);

// The signature that a received `request` must carry in `authorization` if it
// was signed with `secret_access_key`. Compare with EqualInConstantTime, and check
// the time of X-Amz-Date yourself.
// Errors: kUnauthenticated if X-Amz-Date is missing, not a time, or of another
// day than the scope, or if a signed header is missing from the request.
Result<std::string> ExpectedSignature(const SignableRequest& request,
                                      const Authorization& authorization,
                                      std::string_view secret_access_key);

}  // namespace gluecat::aws
