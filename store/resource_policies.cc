// PutResourcePolicy, GetResourcePolicy, GetResourcePolicies, DeleteResourcePolicy.
//
// A catalog has one policy. It is kept and given out; who may do what is decided elsewhere.
#include <array>
#include <optional>
#include <string>

#include "core/base/text.h"
#include "store/fnv.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/resource_arn.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"

namespace gluecat::store {
namespace {

struct Policy {
  std::string text;
  std::string hash;
  std::string create_time;
  std::string update_time;
};

std::string HashOf(std::string_view policy) {
  std::uint64_t sum = Fnv().Add(policy).value();
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(sum); ++i, sum >>= 8U) bytes += static_cast<char>(sum & 0xFFU);
  return HexEncode(bytes);
}

void WritePolicy(const Policy& policy, JsonWriter& writer) {
  writer.BeginObject().Member("PolicyInJson", policy.text).Member("PolicyHash", policy.hash);
  writer.Key("CreateTime").Raw(policy.create_time).Key("UpdateTime").Raw(policy.update_time);
  writer.EndObject();
}

std::unexpected<Error> PolicyNotFound() { return EntityNotFound("Policy not found."); }

std::unexpected<Error> ConditionFailed(std::string message) {
  return ServiceError("ConditionCheckFailureException", std::move(message));
}

// Sends the call to the catalog that the request's ResourceArn names, if there is one. False if
// it names something else: only catalogs have policies.
Result<bool> GoToCatalog(Call& call) {
  const auto text = call.request["ResourceArn"].AsString();
  if (!text) return true;
  const auto arn = ResourceArn::Parse(*text);
  if (!arn || arn->region != call.principal.region) {
    return InvalidInput("The ARN " + std::string(*text) + " is not valid for the region " +
                        call.principal.region + ".");
  }
  call.catalog_id = arn->account;
  GLUECAT_ASSIGN_OR_RETURN(call.scope, FindScope(call.connection, arn->account, arn->region));
  return arn->type == "catalog" && arn->name.empty();
}

Result<std::optional<Policy>> ReadPolicy(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(auto select,
                           call.connection.Prepare("SELECT policy, hash, create_time, update_time "
                                                   "FROM resource_policies WHERE scope_id=?1"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, call.scope).Step());
  if (!found) return std::nullopt;
  return Policy{std::string(select.Text(0)), std::string(select.Text(1)),
                std::string(select.Text(2)), std::string(select.Text(3))};
}

Status CheckHash(JsonView condition, const std::optional<Policy>& policy) {
  if (condition.IsNull()) return {};
  if (policy && condition.AsString() == policy->hash) return {};
  return ConditionFailed("The policy is not the one with the hash of PolicyHashCondition.");
}

Result<std::string> PutResourcePolicy(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const bool is_catalog, GoToCatalog(call));
  if (!is_catalog) return InvalidInput("Only a catalog can have a resource policy.");
  const std::string text = call.request["PolicyInJson"].StringOr("");
  const auto document = JsonDocument::Parse(text);
  if (!document || !document->root().IsObject()) {
    return InvalidInput("The resource policy is no JSON object.");
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto scope, MakeScope(call));
  GLUECAT_ASSIGN_OR_RETURN(const auto before, ReadPolicy(call));
  const std::string exists = call.request["PolicyExistsCondition"].StringOr("NONE");
  if (exists == "MUST_EXIST" && !before) return ConditionFailed("There is no policy to update.");
  if (exists == "NOT_EXIST" && before) return ConditionFailed("There is a policy already.");
  GLUECAT_RETURN_IF_ERROR(CheckHash(call.request["PolicyHashCondition"], before));
  const std::string hash = HashOf(text);
  const std::string create_time = before ? before->create_time : call.now;
  GLUECAT_ASSIGN_OR_RETURN(
      auto put,
      call.connection.Prepare(
          "INSERT INTO resource_policies(scope_id, policy, hash, create_time, update_time) "
          "VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET policy=excluded.policy, "
          "hash=excluded.hash, update_time=excluded.update_time"));
  put.Bind(1, scope).Bind(2, text).Bind(3, hash).Bind(4, create_time).Bind(5, call.now);
  GLUECAT_RETURN_IF_ERROR(put.Run());
  JsonWriter writer;
  return writer.BeginObject().Member("PolicyHash", hash).EndObject().Take();
}

Result<std::string> GetResourcePolicy(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const bool is_catalog, GoToCatalog(call));
  if (!is_catalog) return PolicyNotFound();
  GLUECAT_ASSIGN_OR_RETURN(const auto policy, ReadPolicy(call));
  if (!policy) return PolicyNotFound();
  JsonWriter writer;
  WritePolicy(*policy, writer);
  return writer.Take();
}

// There is one at most, so that nothing is left for a second page.
Result<std::string> GetResourcePolicies(Call& call) {
  GLUECAT_RETURN_IF_ERROR(call.tokens.Open("GetResourcePolicies/" + std::to_string(call.scope),
                                           call.request["NextToken"].StringOr("")));
  GLUECAT_ASSIGN_OR_RETURN(const auto policy, ReadPolicy(call));
  JsonWriter writer;
  writer.BeginObject().Key("GetResourcePoliciesResponseList").BeginArray();
  if (policy) WritePolicy(*policy, writer);
  return writer.EndArray().EndObject().Take();
}

Result<std::string> DeleteResourcePolicy(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const bool is_catalog, GoToCatalog(call));
  if (!is_catalog) return PolicyNotFound();
  GLUECAT_ASSIGN_OR_RETURN(const auto policy, ReadPolicy(call));
  if (!policy) return PolicyNotFound();
  GLUECAT_RETURN_IF_ERROR(CheckHash(call.request["PolicyHashCondition"], policy));
  GLUECAT_ASSIGN_OR_RETURN(
      auto remove, call.connection.Prepare("DELETE FROM resource_policies WHERE scope_id=?1"));
  GLUECAT_RETURN_IF_ERROR(remove.Bind(1, call.scope).Run());
  return "{}";
}

using shapes::Enumeration;
using shapes::Structure;
using shapes::Text;

constexpr Shape kPolicyText = {.type = Shape::Type::kString, .min = 2};
constexpr Shape kHash = Text(1, 255, Shape::Pattern::kSingleLine);
constexpr auto kExistConditions =
    std::to_array<std::string_view>({"MUST_EXIST", "NOT_EXIST", "NONE"});
constexpr auto kHybridValues = std::to_array<std::string_view>({"TRUE", "FALSE"});
constexpr Shape kExistCondition = Enumeration(kExistConditions);
constexpr Shape kHybrid = Enumeration(kHybridValues);

constexpr auto kPutMembers = std::to_array<ShapeMember>({
    {"PolicyInJson", &kPolicyText, true},
    {"ResourceArn", &shapes::kResourceArn},
    {"PolicyHashCondition", &kHash},
    {"PolicyExistsCondition", &kExistCondition},
    {"EnableHybrid", &kHybrid},
});
constexpr auto kGetMembers = std::to_array<ShapeMember>({{"ResourceArn", &shapes::kResourceArn}});
constexpr auto kListMembers = std::to_array<ShapeMember>(
    {{"NextToken", &shapes::kToken}, {"MaxResults", &shapes::kPageSize}});
constexpr auto kDeleteMembers = std::to_array<ShapeMember>(
    {{"PolicyHashCondition", &kHash}, {"ResourceArn", &shapes::kResourceArn}});
constexpr Shape kPut = Structure(kPutMembers);
constexpr Shape kGet = Structure(kGetMembers);
constexpr Shape kList = Structure(kListMembers);
constexpr Shape kDelete = Structure(kDeleteMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"PutResourcePolicy", &kPut, Mode::kWrite, PutResourcePolicy},
    {"GetResourcePolicy", &kGet, Mode::kRead, GetResourcePolicy},
    {"GetResourcePolicies", &kList, Mode::kRead, GetResourcePolicies},
    {"DeleteResourcePolicy", &kDelete, Mode::kWrite, DeleteResourcePolicy},
});

}  // namespace

std::span<const Operation> ResourcePolicyOperations() { return kOperations; }

}  // namespace gluecat::store
