// base/lazy.hpp — a value that is created on first use.
#pragma once

#include <memory>
#include <mutex>

namespace pliant {

/// A value that the first caller creates. `make` must not hand work to other threads, since they might be
/// waiting in get() for this very value.
template <class T>
class Lazy {
 public:
  template <class Make>
  const T& get(const Make& make) const {
    std::call_once(once_, [&] { value_ = std::make_unique<const T>(make()); });
    return *value_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::unique_ptr<const T> value_;
};

}  // namespace pliant
