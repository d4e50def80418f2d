#include "abi/gluecat.h"

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "abi/handles.h"
#include "connect/connect.h"
#include "connect/pushed_credentials.h"
#include "core/base/environment.h"
#include "core/catalog/catalog.h"
#include "core/catalog/operations.h"
#include "core/catalog/settings.h"

#ifndef GLUECAT_VERSION
#error "GLUECAT_VERSION must be defined by the build"
#endif

namespace gluecat::abi {
namespace {

// Gives `given` to the C side, which frees it with gluecat_free. Running out of
// memory here leaves an empty answer: there is no memory to say more.
void Answer(catalog::OperationAnswer given, gluecat_bytes* answer) {
  *answer = {nullptr, 0, nullptr};
  auto* owner = new (std::nothrow) catalog::OperationAnswer(std::move(given));
  if (owner == nullptr) return;
  const std::string_view bytes = catalog::BytesOf(*owner);
  *answer = {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), owner};
}

int AnswerError(const Error& error, std::string_view catalog, std::string_view glue_id,
                std::string_view object, gluecat_bytes* answer) {
  Answer(catalog::ErrorJson(error, catalog, glue_id, object), answer);
  return GLUECAT_ERROR;
}

// Nothing of gluecat throws, but the standard library may (out of memory).
// Whatever it is ends here, as an answer.
template <typename Body>
int Guarded(gluecat_bytes* answer, Body body) noexcept {
  try {
    try {
      return body();
    } catch (const std::bad_alloc&) {
      return AnswerError(MakeError(ErrorKind::kInternal, "out of memory"), "", "", "", answer);
    } catch (const std::exception& exception) {
      return AnswerError(MakeError(ErrorKind::kInternal, exception.what()), "", "", "", answer);
    } catch (...) {
      return AnswerError(MakeError(ErrorKind::kInternal, "unknown exception"), "", "", "", answer);
    }
  } catch (...) {
    *answer = {nullptr, 0, nullptr};
    return GLUECAT_ERROR;
  }
}

std::string_view View(const std::uint8_t* data, std::size_t size) {
  return data == nullptr ? std::string_view()
                         : std::string_view(reinterpret_cast<const char*>(data), size);
}

int Open(std::string_view request, gluecat_handle* handle, gluecat_bytes* answer) {
  auto parsed = catalog::ParseOpenRequest(request);
  if (!parsed) return AnswerError(parsed.error(), "", "", "", answer);
  auto settings = catalog::ParseSettings(*parsed);
  if (!settings) return AnswerError(settings.error(), parsed->catalog, "", "", answer);
  const std::shared_ptr<Environment> environment = ProcessEnvironment(parsed->system_properties);
  const std::shared_ptr<Clock> clock = SystemClock();
  auto transport = connect::Connect(*settings, environment, clock);
  if (!transport) {
    return AnswerError(transport.error(), settings->catalog, settings->glue_id.value_or(""), "",
                       answer);
  }
  auto pushed = settings->LocalDirectory() ? nullptr : connect::PushedCredentials(*settings, clock);
  auto opened = std::make_unique<catalog::Catalog>(*std::move(settings), parsed->spark_version,
                                                   *std::move(transport), clock, std::move(pushed));
  *handle = Handles::Process().Add(std::make_shared<OpenCatalog>(std::move(opened)));
  return GLUECAT_OK;
}

int Call(gluecat_handle handle, std::uint64_t call_id, const char* operation,
         std::string_view request, gluecat_bytes* answer) {
  const std::shared_ptr<OpenCatalog> open = Handles::Process().Find(handle);
  if (open == nullptr) {
    return AnswerError(MakeError(ErrorKind::kInvalidArgument, "the catalog is closed"), "", "", "",
                       answer);
  }
  const catalog::Settings& settings = open->catalog().settings();
  const std::string glue_id = settings.glue_id.value_or("");
  const OpenCatalog::RunningCall running(*open, call_id);
  if (!running.registered()) {
    return AnswerError(
        MakeError(ErrorKind::kInvalidArgument, "call id " + std::to_string(call_id) + " is in use"),
        settings.catalog, glue_id, "", answer);
  }
  glue::CallContext context;
  context.cancellation = running.token();
  auto result = catalog::RunOperation(open->catalog(), operation, request, context);
  if (!result) {
    return AnswerError(result.error().error, settings.catalog, glue_id, result.error().object,
                       answer);
  }
  Answer(*std::move(result), answer);
  return answer->data == nullptr ? GLUECAT_ERROR : GLUECAT_OK;
}

}  // namespace
}  // namespace gluecat::abi

extern "C" {

uint32_t gluecat_abi_version(void) { return GLUECAT_ABI_VERSION; }

const char* gluecat_version(void) { return GLUECAT_VERSION; }

int gluecat_open(const uint8_t* request, size_t size, gluecat_handle* handle,
                 gluecat_bytes* answer) {
  *handle = 0;
  *answer = {nullptr, 0, nullptr};
  return gluecat::abi::Guarded(answer, [&] {
    return gluecat::abi::Open(gluecat::abi::View(request, size), handle, answer);
  });
}

int gluecat_call(gluecat_handle handle, uint64_t call_id, const char* operation,
                 const uint8_t* request, size_t size, gluecat_bytes* answer) {
  *answer = {nullptr, 0, nullptr};
  return gluecat::abi::Guarded(answer, [&] {
    return gluecat::abi::Call(handle, call_id, operation, gluecat::abi::View(request, size),
                              answer);
  });
}

void gluecat_cancel(gluecat_handle handle, uint64_t call_id) {
  gluecat_bytes ignored = {nullptr, 0, nullptr};
  gluecat::abi::Guarded(&ignored, [&] {
    if (const auto open = gluecat::abi::Handles::Process().Find(handle)) open->Cancel(call_id);
    return GLUECAT_OK;
  });
  gluecat_free(&ignored);
}

void gluecat_close(gluecat_handle handle) {
  gluecat_bytes ignored = {nullptr, 0, nullptr};
  gluecat::abi::Guarded(&ignored, [&] {
    gluecat::abi::Handles::Process().Remove(handle);
    return GLUECAT_OK;
  });
  gluecat_free(&ignored);
}

void gluecat_free(gluecat_bytes* bytes) {
  delete static_cast<gluecat::catalog::OperationAnswer*>(bytes->owner);
  *bytes = {nullptr, 0, nullptr};
}

}  // extern "C"
