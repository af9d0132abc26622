// file/ply_header.hpp — the header of a PLY file, which describes the layout of its body.
#pragma once

#include "pliant/base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

enum class PlyFormat { kAscii, kLittleEndian, kBigEndian };
enum class PlyType { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat32, kFloat64 };

/// Bytes of one number in binary files.
[[nodiscard]] std::size_t ply_size(PlyType type);

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::kFloat32;
  bool is_list = false;
  PlyType count_type = PlyType::kUint8;  // lists only
};

struct PlyElement {
  std::string name;
  Index count = 0;
  std::vector<PlyProperty> properties;

  /// Position of a property; −1 if there is none of that name.
  [[nodiscard]] Index find(std::string_view property) const;
  /// The smallest number of bytes that a row can take.
  [[nodiscard]] std::size_t smallest_row(PlyFormat format) const;
};

struct PlyHeader {
  PlyFormat format = PlyFormat::kAscii;
  std::vector<PlyElement> elements;
  std::size_t size = 0;  // bytes before the body
  Index lines = 0;       // lines before the body
};

/// Reads the header. Counts that the bytes after it cannot contain are refused here.
Result<PlyHeader> read_ply_header(std::string_view bytes, std::string_view file);

}  // namespace pliant
