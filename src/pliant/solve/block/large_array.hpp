// solve/block/large_array.hpp — numbers whose memory is there from the start, in large pages where the system
// has them: else a large factor takes its time to get ten thousands of small ones.
#pragma once

#include "pliant/base/index.hpp"

#include <cstddef>

namespace pliant {

class LargeArray {
 public:
  LargeArray() = default;
  /// Zeros.
  explicit LargeArray(Index size);
  ~LargeArray();
  LargeArray(const LargeArray&) = delete;
  LargeArray& operator=(const LargeArray&) = delete;

  [[nodiscard]] double* data() { return data_; }
  [[nodiscard]] const double* data() const { return data_; }
  [[nodiscard]] double operator[](Index i) const { return data_[i]; }
  void set_zero();

 private:
  std::size_t size_ = 0;
  double* data_ = nullptr;
  void* memory_ = nullptr;  // of the system
  std::size_t bytes_ = 0;
};

}  // namespace pliant
