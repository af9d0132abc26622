#include "pliant/solve/block/large_array.hpp"

#include <algorithm>
#include <cstdint>
#include <new>
#include <sys/mman.h>

namespace pliant {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::size_t kWorthLargePages = 2 * kLargePage;

}  // namespace

LargeArray::LargeArray(Index size) : size_(to_size(size)) {
  if (size_ == 0) return;
  const std::size_t needed = size_ * sizeof(double);
  const bool large = needed >= kWorthLargePages;
  bytes_ = needed + (large ? kLargePage : 0);
  memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory_ == MAP_FAILED) {
    memory_ = nullptr;
    throw std::bad_alloc();
  }
  auto* begin = static_cast<std::byte*>(memory_);
  if (large) {
    begin += (kLargePage - reinterpret_cast<std::uintptr_t>(begin) % kLargePage) % kLargePage;
#ifdef MADV_HUGEPAGE
    (void)madvise(begin, needed, MADV_HUGEPAGE);  // small pages do as well
#endif
  }
  for (std::size_t at = 0; at < needed; at += kPage) begin[at] = std::byte{0};  // the system gives a page
  data_ = reinterpret_cast<double*>(begin);
}

LargeArray::~LargeArray() {
  if (memory_ != nullptr) (void)munmap(memory_, bytes_);
}

void LargeArray::set_zero() { std::fill_n(data_, size_, 0.0); }

}  // namespace pliant
