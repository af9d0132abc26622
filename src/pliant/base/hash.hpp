// base/hash.hpp — 128-bit content hashes (XXH3) of states and inputs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace pliant {

/// Add bytes, then ask for 32 hexadecimal digits. Not cryptographic.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  void add(const void* bytes, std::size_t size);
  void add(std::string_view text) { add(text.data(), text.size()); }
  void add(std::span<const double> numbers) { add(numbers.data(), numbers.size_bytes()); }
  [[nodiscard]] std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pliant
