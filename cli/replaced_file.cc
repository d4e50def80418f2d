#include "cli/replaced_file.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace gluecat::cli {

Result<ReplacedFile> ReplacedFile::Open(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const bool in_place =
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  ReplacedFile file(path, in_place ? path : path + ".part");
  file.stream_ = std::make_unique<std::ofstream>(file.written_, std::ios::binary);
  if (!*file.stream_) {
    file.stream_.reset();
    return Fail(ErrorKind::kInvalidArgument, "the file " + path + " cannot be written: " +
                                                 std::generic_category().message(errno));
  }
  return file;
}

ReplacedFile::~ReplacedFile() {
  if (stream_ == nullptr || written_ == path_) return;
  std::error_code ignored;
  std::filesystem::remove(written_, ignored);
}

Status ReplacedFile::Commit() {
  stream_->close();
  std::error_code failed;
  if (!*stream_) {
    failed = std::make_error_code(std::errc::io_error);
  } else if (written_ != path_) {
    std::filesystem::rename(written_, path_, failed);
  }
  if (failed) {
    return Fail(ErrorKind::kUnavailable,
                "the file " + path_ + " cannot be written: " + failed.message());
  }
  stream_.reset();
  return {};
}

}  // namespace gluecat::cli
