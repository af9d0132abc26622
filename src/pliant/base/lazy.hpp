// base/lazy.hpp — a value that is made when somebody asks for it.
#pragma once

#include <memory>
#include <mutex>

namespace pliant {

/// Made by whoever asks first. The making must use no other thread: that one might be waiting for it.
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
