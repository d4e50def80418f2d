#include "cli/outcome.h"

#include <string>

#include "core/catalog/operations.h"

namespace gluecat::cli {

int ExitCodeOf(const Error& error) {
  if (error.kind == ErrorKind::kNotFound) return kExitNotFound;
  const bool of_a_service = !error.code.empty() || error.http_status != 0;
  return error.kind == ErrorKind::kInvalidArgument && !of_a_service ? kExitUsage : kExitFailed;
}

std::string_view AdviceFor(const Error& error) {
  switch (error.kind) {
    case ErrorKind::kNotFound:
      return "`gluecat ls` shows the databases, `gluecat ls DATABASE` its tables";
    case ErrorKind::kAccessDenied:
      return "`gluecat doctor` shows as whom Glue is asked; that identity needs the permission "
             "that "
             "the message names";
    case ErrorKind::kUnauthenticated:
      return "`gluecat doctor` shows which credentials are used and where they come from";
    case ErrorKind::kUnavailable:
    case ErrorKind::kTimeout:
      return "check --endpoint, --region and the network; `gluecat doctor` tries each step";
    case ErrorKind::kThrottled:
      return "Glue asks to slow down; try again later";
    case ErrorKind::kConflict:
      return "somebody else changed the entry meanwhile; `gluecat get` it again and repeat the "
             "change";
    default:
      return {};
  }
}

void WriteError(std::ostream& out, const Error& error, const ErrorSubject& subject, bool json) {
  if (json) {
    out << catalog::ErrorJson(error, subject.catalog, subject.glue_id, subject.object) << '\n';
    return;
  }
  out << "gluecat: ";
  if (!subject.catalog.empty()) out << "catalog " << subject.catalog << ": ";
  out << error.message;
  if (!error.code.empty() && error.message.find(error.code) == std::string::npos) {
    out << " (" << error.code << ')';
  }
  if (!error.request_id.empty()) out << " [request " << error.request_id << ']';
  out << '\n';
  if (const auto advice = AdviceFor(error); !advice.empty()) out << advice << '\n';
}

}  // namespace gluecat::cli
