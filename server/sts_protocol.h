// The Query protocol that AWS STS speaks: form parameters in, XML out.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace gluecat::server {

using FormParameters = std::map<std::string, std::string, std::less<>>;

// application/x-www-form-urlencoded; the last of repeated names wins.
FormParameters ParseForm(std::string_view text);

std::string XmlEscape(std::string_view text);
std::string XmlElement(std::string_view name, std::string_view text);

// The answer of operation `action`; `result` is XML.
std::string StsAnswerXml(std::string_view action, const std::string& result,
                         const std::string& request_id);

// An error in STS's form. `error.code` may be in Glue's words
// ("UnrecognizedClientException"); `status` gets the HTTP status of STS's.
std::string StsErrorXml(const Error& error, std::string_view request_id, int& status);

}  // namespace gluecat::server
