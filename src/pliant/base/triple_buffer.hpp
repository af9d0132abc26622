// base/triple_buffer.hpp — the newest value of one thread for another, without locks: neither ever waits.
//
// Of three slots the writer owns one and the reader one; both exchange theirs for the third. The reader may
// miss values, but sees each one whole.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace pliant {

template <class T>
class TripleBuffer {
 public:
  /// All slots begin as copies of `value`, so that they have their memory.
  explicit TripleBuffer(const T& value = T()) : slots_{value, value, value} {}

  /// The writer's slot: whatever it holds, to be overwritten.
  [[nodiscard]] T& back() { return slots_[back_]; }
  /// Hands the writer's slot over.
  void publish() { back_ = middle_.exchange(back_ | kFresh, std::memory_order_acq_rel) & kSlot; }

  /// Takes the newest value, if there is one since the last call; front() is it then.
  bool update() {
    if ((middle_.load(std::memory_order_relaxed) & kFresh) == 0) return false;
    front_ = middle_.exchange(front_, std::memory_order_acq_rel) & kSlot;
    return true;
  }
  [[nodiscard]] const T& front() const { return slots_[front_]; }

 private:
  static constexpr std::size_t kFresh = 4, kSlot = 3;
  std::array<T, 3> slots_;
  std::atomic<std::size_t> middle_{1};
  alignas(64) std::size_t back_ = 0;   // the writer's
  alignas(64) std::size_t front_ = 2;  // the reader's
};

}  // namespace pliant
