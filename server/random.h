// Random bytes and what is made of them.
#pragma once

#include <string>
#include <string_view>

namespace gluecat::server {

// From the operating system's generator.
std::string RandomBytes(std::size_t count);

std::string ToUpperHex(std::string_view bytes);

// A UUID of version 4, the form of AWS's request ids. Not for secrets: who sees some can compute
// others.
std::string RandomUuid();

}  // namespace gluecat::server
