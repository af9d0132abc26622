// draw/wire.hpp — converts numbers, strings and lists to the bytes of a message, and back.
//
//     u8 kind · u8 version · two zero bytes · fields
//
// Little endian. A string is a u32 count and its bytes, a list a u32 count and its items. Lists of numbers
// begin at a multiple of 4 from the start of the frame, so that the page can read them in place. The reader
// trusts no count before it has checked that so many bytes are there. After any error it stays failed.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace pliant::view {

static_assert(std::endian::native == std::endian::little, "frames are written as they lie in memory");

using Bytes = std::vector<std::uint8_t>;

/// Builds one frame.
class WireWriter {
 public:
  WireWriter(std::uint8_t kind, std::uint8_t version) : bytes_{kind, version, 0, 0} {}

  template <class Number>
    requires std::is_arithmetic_v<Number>
  void put(Number value) {
    raw(&value, sizeof value);
  }
  void put(const std::array<float, 3>& value) { raw(value.data(), sizeof value); }
  void put(const std::string& text) {
    count(text.size());
    raw(text.data(), text.size());
  }
  template <class Number>
    requires std::is_arithmetic_v<Number>
  void put(const std::vector<Number>& list) {
    count(list.size());
    bytes_.resize((bytes_.size() + 3) / 4 * 4);
    raw(list.data(), list.size() * sizeof(Number));
  }
  void count(std::size_t items) { put(static_cast<std::uint32_t>(items)); }

  [[nodiscard]] Bytes bytes() && { return std::move(bytes_); }

 private:
  void raw(const void* data, std::size_t size) {
    if (size == 0) return;
    const std::size_t at = bytes_.size();
    bytes_.resize(at + size);
    std::memcpy(bytes_.data() + at, data, size);
  }
  Bytes bytes_;
};

/// Reads one frame.
class WireReader {
 public:
  WireReader(std::span<const std::uint8_t> frame, std::uint8_t version) : frame_(frame) {
    failed_ = frame.size() < 4 || frame[1] != version || frame[2] != 0 || frame[3] != 0;
  }

  /// The kind of the message; 0, which no message has, when the head is wrong.
  [[nodiscard]] std::uint8_t kind() const { return failed_ ? std::uint8_t{0} : frame_[0]; }
  /// True when everything was read without an error and no bytes are left.
  [[nodiscard]] bool finished() const { return !failed_ && at_ == frame_.size(); }

  template <class Number>
    requires std::is_arithmetic_v<Number>
  void take(Number& value) {
    raw(&value, sizeof value);
  }
  void take(std::array<float, 3>& value) { raw(value.data(), sizeof value); }
  void take(std::string& text) {
    text.resize(count(1));
    raw(text.data(), text.size());
  }
  template <class Number>
    requires std::is_arithmetic_v<Number>
  void take(std::vector<Number>& list) {
    const std::size_t items = count(sizeof(Number));
    const std::size_t aligned = (at_ + 3) / 4 * 4;
    if (failed_ || aligned > frame_.size() || (frame_.size() - aligned) / sizeof(Number) < items) {
      failed_ = true;
      return;
    }
    at_ = aligned;
    list.resize(items);
    raw(list.data(), items * sizeof(Number));
  }
  /// Reads the count of a list whose items have at least so many bytes each. Fails and returns 0 when the
  /// rest of the frame is too short for them.
  [[nodiscard]] std::size_t count(std::size_t least_bytes) {
    std::uint32_t items = 0;
    take(items);
    if (failed_ || (frame_.size() - at_) / least_bytes < items) {
      failed_ = true;
      return 0;
    }
    return items;
  }

 private:
  void raw(void* data, std::size_t size) {
    if (failed_ || frame_.size() - at_ < size) {
      failed_ = true;
      return;
    }
    if (size > 0) std::memcpy(data, frame_.data() + at_, size);
    at_ += size;
  }
  std::span<const std::uint8_t> frame_;
  std::size_t at_ = 4;
  bool failed_ = false;
};

}  // namespace pliant::view
