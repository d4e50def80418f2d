// An array that grows to many megabytes, in memory of its own from the system.
//
// A std::vector of that size copies itself on the way up, and every 4 KiB that it
// touches for the first time interrupts the program: for a list of 100,000
// partitions that was a tenth of its whole cost (measured). Here growing moves
// nothing, and the system is asked for pages of 2 MiB.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace gluecat {

// Bytes of address space that take up memory only where they are touched.
class PageMemory {
 public:
  PageMemory() = default;
  ~PageMemory();
  PageMemory(PageMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PageMemory& operator=(PageMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  // Makes room for at least `size` bytes; those there are keep their content, the
  // others are 0. Throws std::bad_alloc if the system has no more.
  void Grow(std::size_t size);

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

template <typename T>
class PageArray {
  static_assert(std::is_trivially_copyable_v<T>, "elements are moved as bytes");

 public:
  PageArray() = default;
  PageArray(PageArray&& other) noexcept
      : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  PageArray& operator=(PageArray&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }

  std::size_t size() const { return size_; }
  T* data() { return reinterpret_cast<T*>(memory_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(memory_.data()); }
  const T& operator[](std::size_t index) const { return data()[index]; }

  // Both throw std::bad_alloc if the system has no more memory.
  void push_back(const T& element) { append({&element, 1}); }
  void append(std::span<const T> elements) {
    const std::size_t needed = (size_ + elements.size()) * sizeof(T);
    if (needed > memory_.size()) memory_.Grow(needed);
    if (!elements.empty()) std::memcpy(data() + size_, elements.data(), elements.size_bytes());
    size_ += elements.size();
  }

 private:
  PageMemory memory_;
  std::size_t size_ = 0;
};

}  // namespace gluecat
