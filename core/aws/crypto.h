// SHA-256 and HMAC-SHA-256, from OpenSSL.
#pragma once

#include <string>
#include <string_view>

namespace gluecat::aws {

// Prepares OpenSSL so that it registers no exit handler and reads no
// configuration file of the machine. Called by everything here that uses
// OpenSSL; calling it again costs nothing.
void InitializeCrypto();

// 32 raw bytes.
std::string Sha256(std::string_view data);
std::string HmacSha256(std::string_view key, std::string_view data);

// Lower-case hexadecimal, 64 characters.
std::string Sha256Hex(std::string_view data);

// The same of SHA-1, 40 characters: for names of files only.
std::string Sha1Hex(std::string_view data);

// Equality of two secrets in a time that does not depend on where they differ.
bool EqualInConstantTime(std::string_view a, std::string_view b);

}  // namespace gluecat::aws
