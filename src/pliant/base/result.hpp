// base/result.hpp — a value, or every problem that was found instead of it.
#pragma once

#include "pliant/base/assert.hpp"
#include "pliant/base/diagnostic.hpp"

#include <utility>
#include <variant>

namespace pliant {

/// How bad input is reported. Only the standard library throws exceptions (out of memory).
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Diagnostic error)
      : content_(Diagnostics{std::move(error)}) {}            // NOLINT(google-explicit-constructor)
  Result(Diagnostics errors) : content_(std::move(errors)) {  // NOLINT(google-explicit-constructor)
    PLIANT_ASSERT(!std::get<Diagnostics>(content_).empty());
  }

  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(content_); }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& value() & {
    PLIANT_ASSERT(ok());
    return *std::get_if<T>(&content_);
  }
  [[nodiscard]] const T& value() const& {
    PLIANT_ASSERT(ok());
    return *std::get_if<T>(&content_);
  }
  [[nodiscard]] T&& value() && {
    PLIANT_ASSERT(ok());
    return std::move(*std::get_if<T>(&content_));
  }

  /// All problems; only when !ok().
  [[nodiscard]] const Diagnostics& errors() const {
    PLIANT_ASSERT(!ok());
    return *std::get_if<Diagnostics>(&content_);
  }
  /// The first problem; only when !ok().
  [[nodiscard]] const Diagnostic& error() const { return errors().front(); }

 private:
  std::variant<T, Diagnostics> content_;
};

/// For functions that only succeed or fail.
struct Done {};
using Status = Result<Done>;

}  // namespace pliant
