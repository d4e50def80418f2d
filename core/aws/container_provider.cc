#include "core/aws/container_provider.h"

#include <utility>

#include "core/aws/credentials_json.h"
#include "core/aws/time_format.h"
#include "core/aws/unsigned_request.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace gluecat::aws {
namespace {

constexpr char kRelative[] = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
constexpr char kFull[] = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
constexpr char kTokenFile[] = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE";
constexpr char kToken[] = "AWS_CONTAINER_AUTHORIZATION_TOKEN";

// "127.0.0.1" and its like; not names that only begin so.
bool IsLoopbackAddress(std::string_view host) {
  if (host == "localhost" || host == "[::1]") return true;
  return host.starts_with("127.") && Split(host, '.').size() == 4 &&
         host.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool MayBeAskedWithoutTls(std::string_view host) {
  return IsLoopbackAddress(host) || host == "169.254.170.2" || host == "169.254.170.23" ||
         host == "[fd00:ec2::23]";
}

struct Place {
  Endpoint endpoint;
  std::string path;  // with its query
};

Result<Place> FullPlace(const std::string& uri) {
  const auto bad = [&](const std::string& why) {
    return Fail(ErrorKind::kInvalidArgument, std::string(kFull) + " " + why);
  };
  // The URI is not shown: its query may hold a secret.
  const auto scheme_end = uri.find("://");
  const auto path_start =
      scheme_end == std::string::npos ? scheme_end : uri.find_first_of("/?#", scheme_end + 3);
  auto endpoint = ParseEndpoint(uri.substr(0, path_start));
  if (!endpoint) return bad("is not a URL such as http://169.254.170.23/v1/credentials");
  if (endpoint->scheme == "http" && !MayBeAskedWithoutTls(endpoint->host)) {
    return bad("names the host " + endpoint->host +
               ", which must not be asked for credentials over plain HTTP (allowed are https, "
               "loopback addresses, 169.254.170.2, 169.254.170.23 and [fd00:ec2::23])");
  }
  std::string path = path_start == std::string::npos ? "/" : uri.substr(path_start);
  if (const auto fragment = path.find('#'); fragment != std::string::npos) path.resize(fragment);
  if (!path.starts_with('/')) path.insert(0, 1, '/');
  for (const char c : path) {
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') return bad("contains a space");
  }
  return Place{*std::move(endpoint), std::move(path)};
}

// nullopt if no token is to be sent.
Result<std::optional<std::string>> TokenOf(const Environment& environment) {
  std::optional<std::string> token;
  std::string origin = kToken;
  if (const auto path = environment.Variable(kTokenFile)) {
    origin = *path + " (" + kTokenFile + ")";
    auto file = environment.ReadFile(*path);
    if (!file) {
      return Fail(ErrorKind::kUnauthenticated,
                  "the token in " + origin + " cannot be read: " + file.error().message);
    }
    token = Trim(*file);
    if (token->empty())
      return Fail(ErrorKind::kUnauthenticated, "the file " + origin + " is empty");
  } else if (const auto variable = environment.Variable(kToken)) {
    token = Trim(*variable);
  }
  if (token && token->find_first_of("\r\n") != std::string::npos) {
    return Fail(ErrorKind::kInvalidArgument, "the token in " + origin + " has more than one line");
  }
  return token;
}

Error Refusal(const HttpResponse& response, const std::string& place) {
  Error error = MakeError(
      response.status >= 500 ? ErrorKind::kUnavailable : ErrorKind::kUnauthenticated,
      place + " gives no credentials (HTTP status " + std::to_string(response.status) + ")");
  error.http_status = response.status;
  if (const auto document = JsonDocument::Parse(response.body)) {
    error.code = document->root()["code"].StringOr("").substr(0, 128);
    const auto message = document->root()["message"].StringOr("").substr(0, 1024);
    if (!message.empty()) error.message += ": " + message;
  }
  return error;
}

}  // namespace

ContainerProvider::ContainerProvider(ClientRuntime runtime) : runtime_(std::move(runtime)) {}

Result<Credentials> ContainerProvider::Resolve(const CallLimits& limits) {
  const Environment& environment = *runtime_.environment;
  Place place;
  if (const auto path = environment.Variable(kRelative)) {
    place = {{"http", "169.254.170.2", 80, ""}, *path};
    if (!path->starts_with('/') || path->find_first_of(" \r\n") != std::string::npos) {
      return Fail(ErrorKind::kInvalidArgument,
                  std::string(kRelative) + " is not a path such as /v2/credentials/…");
    }
  } else if (const auto uri = environment.Variable(kFull)) {
    GLUECAT_ASSIGN_OR_RETURN(place, FullPlace(*uri));
  } else {
    return Fail(ErrorKind::kNotFound, std::string(kRelative) + " and " + kFull + " are not set");
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto token, TokenOf(environment));
  UnsignedRequest request;
  request.endpoint = place.endpoint;
  request.path = place.path;
  request.headers = {{"Accept", "application/json"}};
  if (token) request.headers.emplace_back("Authorization", *token);
  const std::string label =
      "the credentials service of the container at " + place.endpoint.Authority();
  auto response = SendUnsigned(runtime_, request, limits);
  if (!response) return Fail(WithContext(std::move(response).error(), label));
  if (response->status != 200) return Fail(Refusal(*response, label));
  auto credentials = ParseCredentialsJson(response->body, "Token");
  if (!credentials) return Fail(WithContext(std::move(credentials).error(), label));
  credentials->provider = "container";
  return credentials;
}

}  // namespace gluecat::aws
