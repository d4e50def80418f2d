// Glue's error answers (JSON 1.1) as errors of ours.
#pragma once

#include <string>
#include <string_view>

#include "core/aws/http_client.h"
#include "core/base/error.h"

namespace gluecat::glue {

// An error of the kind that `code` and `http_status` stand for (KindOfCode,
// IsRetryable of transport.h).
Error ErrorFromCode(std::string_view code, std::string_view message, int http_status,
                    std::string_view request_id);

// The error that an answer with a status other than 2xx holds. Whatever the
// answer is, there is one: a body that is no JSON, or that says nothing, is
// quoted, shortened and without control characters. `place` ("host:port") is
// named where the answer does not explain itself.
Error ErrorFromAnswer(const aws::HttpResponse& response, std::string_view place);

// True if an attempt that failed this way may have been carried out all the same.
bool LeavesOutcomeUnknown(std::string_view code, int http_status);

// The first `limit` bytes of `text` at most, printable and valid UTF-8, for messages.
std::string Excerpt(std::string_view text, std::size_t limit = 200);

}  // namespace gluecat::glue
