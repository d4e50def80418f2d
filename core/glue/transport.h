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

// What a transport found out on the way, besides the answer.
struct CallInfo {
  int attempts = 0;
  // True if some attempt may have been carried out although its answer was lost
  // or was a failure of the service. AlreadyExists from a create, EntityNotFound
  // from a delete, or a conflict on an update may then be our own doing.
  bool outcome_unknown = false;
};

// What bounds one call.
struct CallContext {
  CancellationToken cancellation;
  std::optional<Deadline> deadline;
  // Filled by transports that repeat calls, also when the call fails; may be null.
  CallInfo* info = nullptr;
  // Memory that a transport may take for the answer; may be null. A listing gives
  // each page's back for the next, since fresh memory of that size costs page faults.
  std::string* spare = nullptr;
};

// Thread-safe.
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
