// A catalog's DataCatalogEncryptionSettings.
#pragma once

#include "core/base/result.h"
#include "store/operation.h"

namespace gluecat::store {

// Whether the catalog of the call wants the passwords of its connections encrypted in answers.
Result<bool> ReturnsPasswordsEncrypted(Call& call);

}  // namespace gluecat::store
