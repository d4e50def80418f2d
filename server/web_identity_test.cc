#include "server/web_identity.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/text.h"
#include "server/base64url.h"
#include "server/public_key.h"
#include "server/service_testing.h"
#include "server/web_token_testing.h"

namespace gluecat::server {
namespace {

constexpr std::string_view kDeploy = "arn:aws:iam::111111111111:role/deploy";

const SigningKey& RsaKey() {
  static const auto& key = *new SigningKey(SigningKey::Rsa());
  return key;
}
const SigningKey& EcKey() {
  static const auto& key = *new SigningKey(SigningKey::Ec());
  return key;
}
const SigningKey& StrangerKey() {
  static const auto& key = *new SigningKey(SigningKey::Rsa());
  return key;
}

std::string AccountsText() {
  JsonWriter pem;
  pem.String(EcKey().Pem());
  return R"({"accounts":{"111111111111":{
    "oidc":{"ci":{"issuer":"https://ci.example.com/t","audiences":["sts.amazonaws.com","other"],
                  "jwks":{"keys":[)" +
         RsaKey().Jwk("k1") + "," + EcKey().Jwk("k2") + R"(]}},
            "pem":{"issuer":"https://pem.example.com","audiences":["a"],"pem":)" +
         pem.Take() + R"(}},
    "roles":{"deploy":{"trust":[{"web_identity":{"provider":"ci","subject":"repo:acme/*:ref:main",
                                                 "audience":"sts.amazonaws.com"}},
                                {"web_identity":{"provider":"pem","subject":"someone"}}],
                       "max_duration":7200,"allow":["glue:*"]},
             "closed":{"trust":[{"principal":"111111111111"}],"allow":["*"]}}},
    "222222222222":{"roles":{"far":{"trust":[],"allow":["*"]}}}}})";
}

// The clock of the fixture stands at 1700000000.
struct Claims {
  std::string issuer = "https://ci.example.com/t";
  std::string subject = "repo:acme/lake:ref:main";
  std::string audience = R"("sts.amazonaws.com")";
  std::string more = R"("iat":1699999990,"exp":1700000300)";

  std::string Json() const {
    return R"({"iss":")" + issuer + R"(","sub":")" + subject + R"(","aud":)" + audience + "," +
           more + "}";
  }
};

const std::string kRs256 = R"({"alg":"RS256","kid":"k1","typ":"JWT"})";
const std::string kEs256 = R"({"alg":"ES256","kid":"k2"})";

class WebIdentityTest : public ServiceFixture {
 protected:
  WebIdentityTest() : ServiceFixture(AccountsText()) {}

  Answer Assume(Service& service, const std::string& token, std::string_view role = kDeploy,
                const std::string& more = "") {
    Request request;
    request.method = "POST";
    request.headers = {{"Host", "localhost"}};
    request.body =
        "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleSessionName=ci&RoleArn=" +
        std::string(role) + "&WebIdentityToken=" + PercentEncode(token) + more;
    return service.Handle(request);
  }

  std::string Code(const std::string& token, std::string_view role = kDeploy,
                   const std::string& more = "") {
    return Element(Assume(*strict_, token, role, more).body, "Code");
  }
};

TEST_F(WebIdentityTest, ATokenOpensTheRole) {
  for (const auto& token :
       {RsaKey().Token(kRs256, Claims().Json()), EcKey().Token(kEs256, Claims().Json()),
        RsaKey().Token(R"({"alg":"RS256"})", Claims().Json()),
        RsaKey().Token(kRs256, Claims{.audience = R"(["x","sts.amazonaws.com"])"}.Json()),
        EcKey().Token(
            R"({"alg":"ES256","kid":"any"})",
            Claims{.issuer = "https://pem.example.com", .subject = "someone", .audience = R"("a")"}
                .Json())}) {
    const auto answer = Assume(*strict_, token);
    ASSERT_EQ(answer.status, 200) << answer.body;
    const auto credentials = CredentialsOf(answer.body);
    EXPECT_EQ(Type(Glue(*strict_, credentials, "GetDatabases")), "");
    EXPECT_EQ(Element(Sts(*strict_, credentials, "Action=GetCallerIdentity").body, "Arn"),
              "arn:aws:sts::111111111111:assumed-role/deploy/ci");
  }
  const auto answer =
      Assume(*strict_, RsaKey().Token(kRs256, Claims().Json()), kDeploy, "&DurationSeconds=7200");
  EXPECT_EQ(Element(answer.body, "SubjectFromWebIdentityToken"), "repo:acme/lake:ref:main");
  EXPECT_EQ(Element(answer.body, "Audience"), "sts.amazonaws.com");
  EXPECT_EQ(Element(answer.body, "Provider"),
            "arn:aws:iam::111111111111:oidc-provider/ci.example.com/t");
  EXPECT_EQ(Element(answer.body, "Expiration"), "2023-11-15T00:13:20Z");
}

TEST_F(WebIdentityTest, ASessionPolicyNarrowsItToo) {
  const auto answer = Assume(
      *strict_, RsaKey().Token(kRs256, Claims().Json()), kDeploy,
      "&Policy=" +
          PercentEncode(
              R"({"Statement":{"Effect":"Allow","Action":"glue:GetTable","Resource":"*"}})"));
  EXPECT_EQ(Type(Glue(*strict_, CredentialsOf(answer.body), "GetDatabases")),
            "AccessDeniedException");
}

TEST_F(WebIdentityTest, TokensThatAreRefused) {
  const auto rsa = [](const Claims& claims) { return RsaKey().Token(kRs256, claims.Json()); };
  const std::string good = rsa({});
  const std::string body = good.substr(0, good.rfind('.'));
  const std::pair<std::string, const char*> cases[] = {
      {"nonsense", "InvalidIdentityToken"},
      {"a.b.c", "InvalidIdentityToken"},
      {StrangerKey().Token(kRs256, Claims().Json()), "InvalidIdentityToken"},
      {body + ".", "InvalidIdentityToken"},
      {body + ".AAAA", "InvalidIdentityToken"},
      {good + "=", "InvalidIdentityToken"},
      // The key of another type, or what says that there is no signature.
      {RsaKey().Token(kEs256, Claims().Json()), "InvalidIdentityToken"},
      {EcKey().Token(R"({"alg":"ES256","kid":"k1"})", Claims().Json()), "InvalidIdentityToken"},
      {RsaKey().Token(R"({"alg":"none"})", Claims().Json()), "InvalidIdentityToken"},
      {RsaKey().Token(R"({"alg":"HS256","kid":"k1"})", Claims().Json()), "InvalidIdentityToken"},
      {EcKey().Token(R"({"alg":"RS256","kid":"k2"})", Claims().Json()), "InvalidIdentityToken"},
      {rsa({.issuer = "https://other.example.com"}), "InvalidIdentityToken"},
      {rsa({.audience = R"("nobody")"}), "InvalidIdentityToken"},
      {rsa({.audience = "[]"}), "InvalidIdentityToken"},
      {rsa({.subject = ""}), "InvalidIdentityToken"},
      {rsa({.more = R"("iat":1699999990)"}), "InvalidIdentityToken"},
      {rsa({.more = R"("exp":1700000300)"}), "InvalidIdentityToken"},
      {rsa({.more = R"("iat":1699999990,"exp":"later")"}), "InvalidIdentityToken"},
      {rsa({.more = R"("iat":1699999990,"exp":1e300)"}), "InvalidIdentityToken"},
      {rsa({.more = R"("iat":1699999000,"exp":1700000000)"}), "ExpiredTokenException"},
      {rsa({.more = R"("iat":1700000301,"exp":1700000900)"}), "IDPRejectedClaim"},
      {rsa({.more = R"("iat":1699999990,"nbf":1700000301,"exp":1700000900)"}), "IDPRejectedClaim"},
      {rsa({.subject = "repo:other/lake:ref:main"}), "AccessDenied"},
      {rsa({.audience = R"("other")"}), "AccessDenied"},
  };
  for (const auto& [token, code] : cases) {
    const auto answer = Assume(*strict_, token);
    EXPECT_EQ(Element(answer.body, "Code"), code) << token << answer.body;
    const bool forbidden =
        std::string_view(code) == "AccessDenied" || std::string_view(code) == "IDPRejectedClaim";
    EXPECT_EQ(answer.status, forbidden ? 403 : 400) << code;
  }
}

TEST_F(WebIdentityTest, RolesThatTrustNoSuchToken) {
  const auto token = RsaKey().Token(kRs256, Claims().Json());
  EXPECT_EQ(Code(token, "arn:aws:iam::111111111111:role/closed"), "AccessDenied");
  EXPECT_EQ(Code(token, "arn:aws:iam::111111111111:role/absent"), "AccessDenied");
  // A provider is one account's.
  EXPECT_EQ(Code(token, "arn:aws:iam::222222222222:role/far"), "InvalidIdentityToken");
}

TEST_F(WebIdentityTest, RequestsThatAreRefused) {
  const auto token = RsaKey().Token(kRs256, Claims().Json());
  EXPECT_EQ(Code(token, "nonsense"), "ValidationError");
  EXPECT_EQ(Code(token, kDeploy, "&DurationSeconds=7201"), "ValidationError");
  EXPECT_EQ(Code(token, kDeploy, "&DurationSeconds=60"), "ValidationError");
  EXPECT_EQ(Code(token, kDeploy, "&PolicyArns.member.1.arn=x"), "ValidationError");
  EXPECT_EQ(Code(token, kDeploy, "&Policy=x"), "MalformedPolicyDocument");
  EXPECT_EQ(Code("abc"), "ValidationError");
  EXPECT_EQ(Code(std::string(20'001, 'a')), "ValidationError");
}

TEST_F(WebIdentityTest, WithoutAccountsAnyTokenOpensAnyRole) {
  for (const auto& token :
       {std::string("whatever"), StrangerKey().Token(kRs256, Claims().Json())}) {
    const auto answer = Assume(*open_, token, "arn:aws:iam::333333333333:role/any");
    ASSERT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(Element(Sts(*open_, CredentialsOf(answer.body), "Action=GetCallerIdentity").body,
                      "Account"),
              "333333333333");
  }
}

TEST(OidcProviderTest, KeysComeFromFilesToo) {
  FixedEnvironment files;
  files.files["/etc/gluecat/ci.jwks"] = R"({"keys":[)" + RsaKey().Jwk("k") + "]}";
  files.files["/keys/ci.pem"] = EcKey().Pem() + RsaKey().Pem();
  const auto read = [&](const std::string& keys) {
    const auto document =
        JsonDocument::Parse(R"({"issuer":"https://i","audiences":["a"],)" + keys + "}");
    EXPECT_TRUE(document) << keys;
    return ReadOidcProvider(document->root(), "account 1, provider p", files, "/etc/gluecat");
  };
  EXPECT_EQ(read(R"("jwks_file":"ci.jwks")")->keys.size(), 1U);
  EXPECT_EQ(read(R"("pem_file":"/keys/ci.pem")")->keys.size(), 2U);
  const std::pair<std::string, const char*> cases[] = {
      {R"("jwks_file":"absent")", "/etc/gluecat/absent"},
      {R"("jwks_file":"/keys/ci.pem")", "'jwks_file'"},
      {R"("pem_file":"ci.jwks")", "PUBLIC KEY"},
      {R"("pem_file":7)", "name of a file"},
      {R"("jwks":{"keys":[]})", "no RSA or P-256"},
      {R"("jwks":{"keys":[{"kty":"OKP","crv":"Ed25519"},{"kty":"RSA","use":"enc"}]})", "no RSA"},
      {R"("jwks":{"keys":[{"kty":"RSA","kid":"bad","n":"!","e":"AQAB"}]})", "'bad'"},
      {R"("jwks":{"keys":[{"kty":"EC","crv":"P-256","kid":"off","x":")" +
           EncodeBase64Url(std::string(32, '\1')) + R"(","y":")" +
           EncodeBase64Url(std::string(32, '\1')) + R"("}]})",
       "'off'"},
      {R"("jwks":{"keys":[)" + SigningKey::Rsa(1024).Jwk("small") + "]}", "2048"},
      {R"("jwks":{"keys":[)" + RsaKey().Jwk("k") + R"(]},"pem":"x")", "one of"},
      {R"("key":"x")", "'key'"},
  };
  for (const auto& [keys, mention] : cases) {
    const auto provider = read(keys);
    ASSERT_FALSE(provider) << keys;
    EXPECT_NE(provider.error().message.find(mention), std::string::npos)
        << provider.error().message;
    EXPECT_NE(provider.error().message.find("provider p"), std::string::npos);
  }
}

TEST(PublicKeyTest, CurvesOtherThanP256AreRefused) {
  EXPECT_FALSE(PublicKey::ParsePem(SigningKey::Ec("P-384").Pem()));
}

TEST(Base64UrlTest, Decodes) {
  EXPECT_EQ(DecodeBase64Url(""), "");
  EXPECT_EQ(DecodeBase64Url("_-8"), "\xFF\xEF");
  EXPECT_EQ(DecodeBase64Url("Z2x1ZQ"), "glue");
  for (const auto* text : {"a", "ab==", "a+b/", "a b", "\xC3\xBC"}) {
    EXPECT_FALSE(DecodeBase64Url(text)) << text;
  }
}

}  // namespace
}  // namespace gluecat::server
