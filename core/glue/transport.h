// How a call reaches a Glue Data Catalog.
//
// Three kinds implement it: HttpTransport (AWS or any endpoint), the store in
// this very process (store/), and a recording, fault-injecting one for tests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/cancellation.h"
#include "core/base/clock.h"
#include "core/base/result.h"

namespace gluecat::glue {

// What bounds one call.
struct CallContext {
  CancellationToken cancellation;
  std::optional<Deadline> deadline;
};

class Transport {
 public:
  virtual ~Transport() = default;

  // Sends one Glue operation ("GetTable") with its JSON 1.1 `body` and returns
  // the body of the successful answer. Retries, where the kind of transport has
  // any, happen inside.
  //
  // Errors: any kind; `code` holds Glue's own code ("EntityNotFoundException").
  virtual Result<std::string> Call(std::string_view operation, std::string_view body,
                                   const CallContext& context) = 0;
};

// The kind that Glue's error `code` stands for; `http_status` decides for codes
// nobody modelled. See ErrorFromCode in errors.h for a whole Error.
ErrorKind KindOfCode(std::string_view code, int http_status);

// True for the codes and statuses that the standard retry mode repeats.
bool IsRetryable(std::string_view code, int http_status);

}  // namespace gluecat::glue
