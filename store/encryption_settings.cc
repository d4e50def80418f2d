// PutDataCatalogEncryptionSettings, GetDataCatalogEncryptionSettings.
//
// The settings are kept and given out. There are no keys here to encrypt with: what should only
// leave the catalog encrypted does not leave it (connections.cc).
#include "store/encryption_settings.h"

#include <array>
#include <string>

#include "store/entry_text.h"
#include "store/lookup.h"
#include "store/model_shapes.h"
#include "store/operation.h"
#include "store/service_errors.h"
#include "store/shape_builders.h"

namespace gluecat::store {
namespace {

constexpr std::string_view kDefaults =
    R"({"EncryptionAtRest":{"CatalogEncryptionMode":"DISABLED"},)"
    R"("ConnectionPasswordEncryption":{"ReturnConnectionPasswordEncrypted":false}})";

Result<std::string> ReadSettings(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(
      auto select,
      call.connection.Prepare("SELECT entry FROM encryption_settings WHERE scope_id=?1"));
  GLUECAT_ASSIGN_OR_RETURN(const bool found, select.Bind(1, call.scope).Step());
  return std::string(found ? select.Text(0) : kDefaults);
}

// A part that the request leaves out stays as it is.
Result<std::string> PutDataCatalogEncryptionSettings(Call& call) {
  const JsonView settings = call.request["DataCatalogEncryptionSettings"];
  const JsonView passwords = settings["ConnectionPasswordEncryption"];
  if (passwords["ReturnConnectionPasswordEncrypted"].BoolOr(false) &&
      passwords["AwsKmsKeyId"].IsNull()) {
    return InvalidInput("AwsKmsKeyId is required to return connection passwords encrypted.");
  }
  GLUECAT_ASSIGN_OR_RETURN(const auto scope, MakeScope(call));
  GLUECAT_ASSIGN_OR_RETURN(const auto before, ReadSettings(call));
  GLUECAT_ASSIGN_OR_RETURN(const auto stored, JsonDocument::Parse(before));
  JsonWriter writer;
  writer.BeginObject();
  for (const auto part : {"EncryptionAtRest", "ConnectionPasswordEncryption"}) {
    writer.Key(part);
    WriteWithoutNulls(settings[part].IsNull() ? stored.root()[part] : settings[part], writer);
  }
  const std::string entry = writer.EndObject().Take();
  GLUECAT_ASSIGN_OR_RETURN(
      auto put, call.connection.Prepare("INSERT INTO encryption_settings(scope_id, entry) "
                                        "VALUES(?1, ?2) ON CONFLICT DO UPDATE SET "
                                        "entry=excluded.entry"));
  GLUECAT_RETURN_IF_ERROR(put.Bind(1, scope).Bind(2, entry).Run());
  return "{}";
}

Result<std::string> GetDataCatalogEncryptionSettings(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto settings, ReadSettings(call));
  return Answer("DataCatalogEncryptionSettings", settings);
}

using shapes::Enumeration;
using shapes::Structure;

constexpr auto kModes =
    std::to_array<std::string_view>({"DISABLED", "SSE-KMS", "SSE-KMS-WITH-SERVICE-ROLE"});
constexpr Shape kMode = Enumeration(kModes);
constexpr Shape kRole = {.type = Shape::Type::kString};
constexpr auto kAtRestMembers = std::to_array<ShapeMember>({
    {"CatalogEncryptionMode", &kMode, true},
    {"SseAwsKmsKeyId", &shapes::kName},
    {"CatalogEncryptionServiceRole", &kRole},
});
constexpr Shape kAtRest = Structure(kAtRestMembers);
constexpr auto kPasswordMembers = std::to_array<ShapeMember>({
    {"ReturnConnectionPasswordEncrypted", &shapes::kBoolean, true},
    {"AwsKmsKeyId", &shapes::kName},
});
constexpr Shape kPasswords = Structure(kPasswordMembers);
constexpr auto kSettingsMembers = std::to_array<ShapeMember>(
    {{"EncryptionAtRest", &kAtRest}, {"ConnectionPasswordEncryption", &kPasswords}});
constexpr Shape kSettings = Structure(kSettingsMembers);

constexpr auto kPutMembers = std::to_array<ShapeMember>({
    {"CatalogId", &shapes::kCatalogId},
    {"DataCatalogEncryptionSettings", &kSettings, true},
});
constexpr auto kGetMembers = std::to_array<ShapeMember>({{"CatalogId", &shapes::kCatalogId}});
constexpr Shape kPut = Structure(kPutMembers);
constexpr Shape kGet = Structure(kGetMembers);

using Mode = Transaction::Mode;
constexpr auto kOperations = std::to_array<Operation>({
    {"PutDataCatalogEncryptionSettings", &kPut, Mode::kWrite, PutDataCatalogEncryptionSettings},
    {"GetDataCatalogEncryptionSettings", &kGet, Mode::kRead, GetDataCatalogEncryptionSettings},
});

}  // namespace

Result<bool> ReturnsPasswordsEncrypted(Call& call) {
  GLUECAT_ASSIGN_OR_RETURN(const auto settings, ReadSettings(call));
  GLUECAT_ASSIGN_OR_RETURN(const auto document, JsonDocument::Parse(settings));
  return document.root()["ConnectionPasswordEncryption"]["ReturnConnectionPasswordEncrypted"]
      .BoolOr(false);
}

std::span<const Operation> EncryptionSettingsOperations() { return kOperations; }

}  // namespace gluecat::store
