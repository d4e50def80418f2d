// Random bytes and what is made of them.
#pragma once

#include <string>
#include <string_view>

namespace gluecat::server {

// From the operating system's generator.
std::string RandomBytes(std::size_t count);

std::string ToUpperHex(std::string_view bytes);

// A random UUID, the form of AWS's request ids.
std::string RandomUuid();

}  // namespace gluecat::server
