// file/vtk_data.hpp — what legacy .vtk and .vtu share: typed arrays, cell types, and the choice of the label
// array.
#pragma once

#include "pliant/file/raw_volume.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

enum class ScalarType {
  kInt8,
  kUInt8,
  kInt16,
  kUInt16,
  kInt32,
  kUInt32,
  kInt64,
  kUInt64,
  kFloat32,
  kFloat64
};

/// Bytes of one number.
[[nodiscard]] std::size_t scalar_size(ScalarType type);
[[nodiscard]] bool is_integral(ScalarType type);

/// The numbers of one array. Integers are stored as such, so that they keep all of their digits.
struct NumberArray {
  std::string name;
  Index components = 1;
  bool integral = true;
  std::vector<std::int64_t> integers;  // if integral
  std::vector<double> reals;           // otherwise

  [[nodiscard]] std::size_t size() const { return integral ? integers.size() : reals.size(); }
  [[nodiscard]] double real(std::size_t i) const {
    return integral ? static_cast<double>(integers[i]) : reals[i];
  }
};

/// Converts raw bytes to numbers; `swapped`: the other byte order. Bytes at the end that do not fill a number
/// are ignored.
void decode_numbers(std::string_view bytes, ScalarType type, bool swapped, NumberArray& out);

/// Cells as VTK lists them: cell i has the vertices connectivity[offsets[i]] … connectivity[offsets[i + 1] −
/// 1].
struct VtkCells {
  std::vector<std::int64_t> types, offsets, connectivity;
  std::vector<std::size_t> positions;  // byte of the file at which each cell stands; empty if unknown
  std::size_t offset = 0;              // of the whole list, for messages
};

/// The array that distinguishes regions: one with a customary name, otherwise the first one of integers; one
/// value per cell.
[[nodiscard]] const NumberArray* find_label_array(const std::vector<NumberArray>& arrays, std::size_t cells);

/// Describes an array that is not kept: "the point array 'temperature'".
[[nodiscard]] std::string unkept_array(std::string_view of, std::string_view name);

/// Adds the cells; their vertex numbers count from `first_vertex`. `labels` may be null.
Status add_vtk_cells(const VtkCells& cells, const NumberArray* labels, std::int64_t first_vertex,
                     RawVolume& raw);

}  // namespace pliant
