// Any bytes as the file of an export. What is taken is written again, and then comes out alike.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "transfer/export_file.h"

namespace {

// What reading `file` writes; empty if it is refused.
std::string Written(const std::string& file) {
  std::istringstream in(file);
  std::ostringstream out;
  gluecat::transfer::ExportWriter writer(out);
  return gluecat::transfer::ReadExport(in, "file", writer) ? out.str() : "";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string once = Written({reinterpret_cast<const char*>(data), size});
  if (!once.empty() && Written(once) != once) std::abort();
  return 0;
}
