// The style sheet of the pages.
#pragma once

#include <string_view>

namespace gluecat::server {

std::string_view UiStyle();

}  // namespace gluecat::server
