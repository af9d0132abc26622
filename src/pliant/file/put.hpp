// file/put.hpp — appends numbers to the text or bytes of a file that is being written.
#pragma once

#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

namespace pliant {

/// The shortest text that reads back to the same number.
template <class T>
void put_text(std::string& out, T value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  out.append(buffer, end);
}

/// Numbers separated by blanks, followed by a line end.
template <class Container>
void put_row(std::string& out, const Container& values) {
  bool first = true;
  for (const auto& value : values) {
    if (!first) out += ' ';
    first = false;
    put_text(out, value);
  }
  out += '\n';
}

/// The bytes of the number in the order of this machine.
template <class T>
void put_raw(std::string& out, T value) {
  char buffer[sizeof(T)];
  std::memcpy(buffer, &value, sizeof(T));
  out.append(buffer, sizeof(T));
}

}  // namespace pliant
