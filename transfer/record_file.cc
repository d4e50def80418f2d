#include "transfer/record_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace gluecat::transfer {
namespace {

constexpr std::size_t kBuffer = 64UL * 1024;

std::unexpected<Error> Failed(const char* what) {
  return Fail(ErrorKind::kUnavailable, std::string("a temporary file cannot be ") + what + ": " +
                                           std::generic_category().message(errno) +
                                           "; TMPDIR names the directory for them");
}

void AppendNumber(std::size_t number, std::string& out) {
  const auto value = static_cast<std::uint32_t>(number);
  std::array<char, sizeof(value)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof(value));
  out.append(bytes.data(), bytes.size());
}

}  // namespace

class RecordFile::Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(number_); }
  int number() const { return number_; }

 private:
  int number_;
};

RecordFile::RecordFile(std::unique_ptr<Descriptor> descriptor)
    : descriptor_(std::move(descriptor)) {}
RecordFile::RecordFile(RecordFile&&) noexcept = default;
RecordFile& RecordFile::operator=(RecordFile&&) noexcept = default;
RecordFile::~RecordFile() = default;

Result<RecordFile> RecordFile::Create() {
  std::error_code failed;
  const auto directory = std::filesystem::temp_directory_path(failed);
  if (failed) {
    return Fail(ErrorKind::kUnavailable, "there is no directory for temporary files: " +
                                             failed.message() + "; TMPDIR names one");
  }
  std::string name = (directory / "gluecat-XXXXXX").string();
  const int number = mkostemp(name.data(), O_CLOEXEC);
  if (number < 0) return Failed("made");
  auto descriptor = std::make_unique<Descriptor>(number);
  if (unlink(name.c_str()) != 0) return Failed("removed");
  return RecordFile(std::move(descriptor));
}

Status RecordFile::Append(const Record& record) {
  AppendNumber(record.size(), buffer_);
  for (const std::string& text : record) {
    AppendNumber(text.size(), buffer_);
    buffer_ += text;
  }
  if (buffer_.size() < kBuffer) return {};
  return Flush();
}

Status RecordFile::Flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const auto count = pwrite(descriptor_->number(), buffer_.data() + done, buffer_.size() - done,
                              static_cast<off_t>(written_ + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Failed("written");
    done += static_cast<std::size_t>(count);
  }
  written_ += done;
  buffer_.clear();
  return {};
}

RecordFile::Reader::Reader(const RecordFile& file, std::uint64_t from, std::uint64_t to)
    : descriptor_(file.descriptor_->number()), at_(from), to_(to) {}

Status RecordFile::Reader::Fill(std::size_t count) {
  if (buffer_.size() - used_ >= count) return {};
  buffer_.erase(0, used_);
  used_ = 0;
  while (buffer_.size() < count) {
    const std::size_t before = buffer_.size();
    const std::size_t wanted = std::max(count - before, kBuffer);
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, to_ - at_));
    buffer_.resize(before + most);
    const auto got = pread(descriptor_, buffer_.data() + before, most, static_cast<off_t>(at_));
    buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Failed("read");
    at_ += static_cast<std::uint64_t>(got);
  }
  return {};
}

Result<std::uint32_t> RecordFile::Reader::Number() {
  std::uint32_t number = 0;
  GLUECAT_RETURN_IF_ERROR(Fill(sizeof(number)));
  std::memcpy(&number, buffer_.data() + used_, sizeof(number));
  used_ += sizeof(number);
  return number;
}

Result<std::optional<Record>> RecordFile::Reader::Next() {
  if (at_ == to_ && used_ == buffer_.size()) return std::nullopt;
  GLUECAT_ASSIGN_OR_RETURN(const std::uint32_t count, Number());
  Record record;
  record.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    GLUECAT_ASSIGN_OR_RETURN(const std::uint32_t length, Number());
    GLUECAT_RETURN_IF_ERROR(Fill(length));
    record.push_back(buffer_.substr(used_, length));
    used_ += length;
  }
  return record;
}

}  // namespace gluecat::transfer
