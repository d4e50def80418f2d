#include "core/base/page_array.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace gluecat {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20U;
// A short array stays in ordinary pages; one that outgrows them is likely to go on.
constexpr std::size_t kFirst = std::size_t{64} << 10U;
constexpr std::size_t kSecond = std::size_t{32} << 20U;

std::size_t SizeFor(std::size_t present, std::size_t wanted) {
  std::size_t size = present == 0 ? kFirst : std::max(kSecond, present * 2);
  while (size < wanted) size = std::max(kSecond, size * 2);
  return size;
}

}  // namespace

PageMemory::~PageMemory() {
  if (data_ != nullptr) munmap(data_, size_);
}

void PageMemory::Grow(std::size_t size) {
  if (size <= size_) return;
  const std::size_t grown = SizeFor(size_, size);
  void* memory = data_ == nullptr ? mmap(nullptr, grown, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                                  : mremap(data_, size_, grown, MREMAP_MAYMOVE);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(memory);
  size_ = grown;
  // Only advice: without huge pages everything works, with more interruptions.
  if (grown >= kHugePage) madvise(data_, size_, MADV_HUGEPAGE);
}

}  // namespace gluecat
