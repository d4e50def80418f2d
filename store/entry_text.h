// Pieces of entries as JSON text.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace gluecat::store {

// Writes `value` without the null members of objects: to the service, null is absent.
void WriteWithoutNulls(JsonView value, JsonWriter& writer);

// Writes the members of `object` but those in `except` and nulls, as members of
// the object that is open in `writer`.
void WriteMembers(JsonView object, std::initializer_list<std::string_view> except,
                  JsonWriter& writer);

// `text` as an answer: {"key":text}.
std::string Answer(std::string_view key, std::string_view text);

}  // namespace gluecat::store
