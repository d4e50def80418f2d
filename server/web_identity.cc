#include "server/web_identity.h"

#include <algorithm>
#include <utility>

#include "core/glue/errors.h"
#include "server/oidc_provider.h"
#include "server/wildcard.h"
#include "store/service_errors.h"

namespace gluecat::server {
namespace {

using store::ServiceError;

// What the answer says of the token.
struct Identity {
  std::string subject;
  std::string audience;
  std::string provider;
};

bool Trusts(const WebIdentityTrust& trust, const OidcProvider& provider, const Identity& identity) {
  return trust.provider.get() == &provider &&
         MatchesWildcard(trust.subject, identity.subject, LetterCase::kMatters) &&
         (!trust.audience || *trust.audience == identity.audience);
}

// Who the token is of, if the role's account has its provider and the role trusts it.
Result<Identity> Identify(const StsContext& context, const AssumedSession& session,
                          const Role* role, const std::string& text) {
  const auto token = ParseWebToken(text);
  if (context.accounts == nullptr) {
    if (!token) return Identity{};
    return Identity{token->subject, token->audiences.empty() ? "" : token->audiences.front(),
                    token->issuer};
  }
  if (!token) return ServiceError("InvalidIdentityToken", "The token is no JSON Web Token.");
  const OidcProvider* const provider =
      context.accounts->FindProvider(session.account(), token->issuer);
  if (provider == nullptr) {
    return ServiceError(
        "InvalidIdentityToken",
        "No OpenIDConnect provider found in your account for " + glue::Excerpt(token->issuer, 200));
  }
  Identity identity{token->subject, "", provider->arn};
  GLUECAT_ASSIGN_OR_RETURN(identity.audience,
                           CheckWebToken(*provider, *token, context.clock.Now()));
  const bool trusted =
      role != nullptr && std::ranges::any_of(role->web_identities, [&](const auto& trust) {
        return Trusts(trust, *provider, identity);
      });
  // The same whether the role is missing or does not trust the token: nothing about it leaks.
  if (!trusted) {
    return ServiceError("AccessDenied", "Not authorized to perform sts:AssumeRoleWithWebIdentity");
  }
  return identity;
}

}  // namespace

Result<WebIdentitySession> AssumeRoleWithWebIdentity(const StsContext& context,
                                                     const FormParameters& parameters) {
  GLUECAT_ASSIGN_OR_RETURN(auto session, ReadSession(context, parameters));
  const std::string token = Parameter(parameters, "WebIdentityToken");
  if (token.size() < 4 || token.size() > kMaxWebToken) {
    return InvalidParameter(
        "1 validation error detected: Value at 'webIdentityToken' failed to satisfy constraint: "
        "Member must have length between 4 and 20000");
  }
  const Role* const role =
      context.accounts == nullptr ? nullptr : context.accounts->FindRole(session.role_arn);
  GLUECAT_ASSIGN_OR_RETURN(const auto identity, Identify(context, session, role, token));
  GLUECAT_ASSIGN_OR_RETURN(const auto duration, ReadDuration(parameters, role, false));
  WebIdentitySession opened;
  opened.account = session.account();
  opened.arn = session.arn();
  GLUECAT_ASSIGN_OR_RETURN(auto result, OpenSession(context, std::move(session), duration));
  result += XmlElement("SubjectFromWebIdentityToken", identity.subject) +
            XmlElement("Audience", identity.audience) + XmlElement("Provider", identity.provider);
  opened.answer = StsAnswerXml("AssumeRoleWithWebIdentity", result, context.request_id);
  return opened;
}

}  // namespace gluecat::server
