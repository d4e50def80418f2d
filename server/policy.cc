#include "server/policy.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "core/base/text.h"
#include "server/account_id.h"

namespace gluecat::server {
namespace {

constexpr std::string_view kVersion = "2012-10-17";
constexpr std::string_view kOldVersion = "2008-10-17";
constexpr std::size_t kArnPieces = 6;

std::unexpected<Error> Invalid(std::string message) {
  return Fail(ErrorKind::kInvalidArgument, std::move(message));
}

// Each element at most once: of two, one would be ignored.
Status CheckElements(JsonView json, const std::string& place,
                     std::initializer_list<std::string_view> allowed) {
  if (!json.IsObject()) return Invalid(place + " must be an object");
  std::vector<std::string_view> seen;
  for (const auto& [name, value] : json.Members()) {
    if (std::ranges::find(allowed, name) == allowed.end()) {
      return Invalid(place + " has the unknown element '" + std::string(name) + "'");
    }
    if (std::ranges::find(seen, name) != seen.end()) {
      return Invalid(place + " has the element '" + std::string(name) + "' twice");
    }
    seen.push_back(name);
  }
  return {};
}

std::string ElementOf(const std::string& place, std::string_view element) {
  return place + "." + std::string(element);
}

// A text or a list of texts, at least one.
Result<std::vector<std::string>> Texts(JsonView json, const std::string& place) {
  std::vector<std::string> texts;
  for (const auto& element : json.IsArray() ? json.Elements() : std::vector<JsonView>{json}) {
    const auto text = element.AsString();
    if (!text || text->empty()) return Invalid(place + " must be a text or a list of texts");
    texts.emplace_back(*text);
  }
  if (texts.empty()) return Invalid(place + " must not be empty");
  return texts;
}

// Which of the two elements a statement has. Errors if it has both, or none though one is needed.
Result<std::string> OneOf(JsonView json, const std::string& place, const std::string& name) {
  const bool plain = !json[name].IsMissing();
  const bool negated = !json["Not" + name].IsMissing();
  if (plain == negated) return Invalid(place + " needs either " + name + " or Not" + name);
  return plain ? name : "Not" + name;
}

bool IsArnPattern(std::string_view text) {
  const auto pieces = Split(text, ':');
  return pieces.size() >= kArnPieces && pieces[0] == "arn" && !pieces[1].empty() &&
         !pieces[2].empty() && !pieces[5].empty();
}

// Principals that the server has no callers of (services) are read and match nobody.
Status AddPrincipal(std::string_view name, const std::string& place, Principals& principals) {
  if (name == "*") {
    principals.everybody = true;
    return {};
  }
  if (IsAccountId(name)) {
    principals.names.emplace_back(name);
    return {};
  }
  const auto pieces = Split(name, ':');
  const bool is_arn = pieces.size() == kArnPieces && pieces[0] == "arn" &&
                      (pieces[2] == "iam" || pieces[2] == "sts") && IsAccountId(pieces[4]) &&
                      !pieces[5].empty();
  if (!is_arn || name.find_first_of("*?") != std::string_view::npos) {
    return Invalid(place + " has the principal '" + std::string(name) +
                   "', which is no account, no ARN of a user, role or session, and not '*'");
  }
  principals.names.emplace_back(pieces[5] == "root" ? pieces[4] : name);
  return {};
}

Status ParsePrincipals(JsonView json, const std::string& place, Principals& principals) {
  if (const auto text = json.AsString()) {
    if (*text != "*") return Invalid(place + " must be '*' or an object");
    principals.everybody = true;
    return {};
  }
  GLUECAT_RETURN_IF_ERROR(CheckElements(json, place, {"AWS", "Service"}));
  if (json.Members().empty()) return Invalid(place + " must name somebody");
  for (const auto& [kind, names] : json.Members()) {
    GLUECAT_ASSIGN_OR_RETURN(const auto texts, Texts(names, ElementOf(place, kind)));
    if (kind == "Service") continue;
    for (const auto& name : texts) {
      GLUECAT_RETURN_IF_ERROR(AddPrincipal(name, place, principals));
    }
  }
  return {};
}

// The catalog that a resource policy is of; none for other policies.
struct Owner {
  std::string_view account;
  std::string_view region;
};

Status CheckResource(const std::string& resource, const std::string& place,
                     const std::optional<Owner>& owner) {
  if (!owner) {
    if (resource == "*" || IsArnPattern(resource)) return {};
    return Invalid(place + " has '" + resource + "', which is neither '*' nor an ARN");
  }
  const auto pieces = Split(resource, ':');
  if (!IsArnPattern(resource) || pieces[2] != "glue" || pieces[3] != owner->region ||
      pieces[4] != owner->account) {
    return Invalid(place + " has '" + resource + "', which is no ARN of this catalog (" +
                   "arn:aws:glue:" + std::string(owner->region) + ":" +
                   std::string(owner->account) + ":…)");
  }
  return {};
}

Status ParseActions(JsonView json, const std::string& place, Statement& statement) {
  GLUECAT_ASSIGN_OR_RETURN(const auto element, OneOf(json, place, "Action"));
  statement.not_actions = element == "NotAction";
  const std::string element_place = ElementOf(place, element);
  GLUECAT_ASSIGN_OR_RETURN(statement.actions, Texts(json[element], element_place));
  const auto bad = std::ranges::find_if_not(statement.actions, IsActionPattern);
  if (bad == statement.actions.end()) return {};
  return Invalid(element_place + " has '" + *bad + "', which must be like 'glue:Get*'");
}

Status ParseResources(JsonView json, const std::string& place, const std::optional<Owner>& owner,
                      Statement& statement) {
  GLUECAT_ASSIGN_OR_RETURN(const auto element, OneOf(json, place, "Resource"));
  statement.not_resources = element == "NotResource";
  const std::string element_place = place + "." + element;
  GLUECAT_ASSIGN_OR_RETURN(statement.resources, Texts(json[element], element_place));
  for (const auto& resource : statement.resources) {
    GLUECAT_RETURN_IF_ERROR(CheckResource(resource, element_place, owner));
  }
  return {};
}

Result<Statement> ParseStatement(JsonView json, const std::string& place,
                                 const std::optional<Owner>& owner) {
  if (owner) {
    GLUECAT_RETURN_IF_ERROR(CheckElements(json, place,
                                          {"Sid", "Effect", "Principal", "NotPrincipal", "Action",
                                           "NotAction", "Resource", "NotResource", "Condition"}));
  } else {
    GLUECAT_RETURN_IF_ERROR(CheckElements(
        json, place,
        {"Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Condition"}));
  }
  if (!json["Sid"].IsMissing() && !json["Sid"].IsString()) {
    return Invalid(place + ".Sid must be a text");
  }
  Statement statement;
  const auto effect = json["Effect"].AsString();
  if (effect != "Allow" && effect != "Deny") {
    return Invalid(place + ".Effect must be 'Allow' or 'Deny'");
  }
  statement.effect = effect == "Allow" ? Effect::kAllow : Effect::kDeny;
  GLUECAT_RETURN_IF_ERROR(ParseActions(json, place, statement));
  GLUECAT_RETURN_IF_ERROR(ParseResources(json, place, owner, statement));
  if (owner) {
    GLUECAT_ASSIGN_OR_RETURN(const auto element, OneOf(json, place, "Principal"));
    statement.not_principals = element == "NotPrincipal";
    if (statement.not_principals && statement.effect == Effect::kAllow) {
      return Invalid(place + " must not allow with NotPrincipal");
    }
    GLUECAT_RETURN_IF_ERROR(
        ParsePrincipals(json[element], place + "." + element, statement.principals));
  }
  auto conditions = ParseConditions(json["Condition"]);
  if (!conditions) return Fail(WithContext(std::move(conditions).error(), place));
  statement.conditions = *std::move(conditions);
  return statement;
}

Result<Policy> ParsePolicy(JsonView json, const std::optional<Owner>& owner) {
  GLUECAT_RETURN_IF_ERROR(CheckElements(json, "the policy", {"Version", "Id", "Statement"}));
  const JsonView version = json["Version"];
  if (!version.IsMissing() && version.AsString() != kVersion && version.AsString() != kOldVersion) {
    return Invalid("the policy's Version must be '" + std::string(kVersion) + "'");
  }
  if (!json["Id"].IsMissing() && !json["Id"].IsString()) {
    return Invalid("the policy's Id must be a text");
  }
  const JsonView list = json["Statement"];
  if (!list.IsArray() && !list.IsObject()) return Invalid("the policy needs a Statement");
  const auto statements = list.IsArray() ? list.Elements() : std::vector<JsonView>{list};
  Policy policy;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const auto sid = statements[i]["Sid"].AsString();
    const std::string place =
        "Statement " + std::to_string(i + 1) + (sid ? " (" + std::string(*sid) + ")" : "");
    GLUECAT_ASSIGN_OR_RETURN(auto statement, ParseStatement(statements[i], place, owner));
    policy.statements.push_back(std::move(statement));
  }
  // In the old version "${" would be a text like any other; nobody means that.
  if (json.Dump().contains("${")) {
    return Invalid("the policy has a variable (\"${…}\"); variables are not supported");
  }
  return policy;
}

Result<Policy> ParseText(std::string_view text, std::size_t max_characters,
                         const std::optional<Owner>& owner) {
  if (text.size() > max_characters) {
    return Invalid("the policy is longer than " + std::to_string(max_characters) + " characters");
  }
  const auto document = JsonDocument::Parse(text);
  if (!document) return Invalid("the policy is " + document.error().message);
  return ParsePolicy(document->root(), owner);
}

}  // namespace

bool IsActionPattern(std::string_view text) {
  if (text == "*") return true;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) return false;
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  };
  return std::ranges::all_of(text.substr(0, colon), is_letter) &&
         std::ranges::all_of(text.substr(colon + 1),
                             [&](char c) { return is_letter(c) || c == '*' || c == '?'; });
}

Result<Policy> ParseIdentityPolicy(JsonView json) {
  if (json.Dump().size() > kMaxIdentityPolicy) {
    return Invalid("the policy is longer than " + std::to_string(kMaxIdentityPolicy) +
                   " characters");
  }
  return ParsePolicy(json, std::nullopt);
}

Result<Policy> ParseIdentityPolicy(std::string_view text, std::size_t max_characters) {
  return ParseText(text, max_characters, std::nullopt);
}

Result<Policy> ParseResourcePolicy(std::string_view text, std::string_view account,
                                   std::string_view region) {
  return ParseText(text, kMaxResourcePolicy, Owner{account, region});
}

}  // namespace gluecat::server
