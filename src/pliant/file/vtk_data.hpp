// file/vtk_data.hpp — what legacy .vtk and .vtu share: typed arrays, cell types, and which array is the
// label.
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

/// Numbers of one array; whole ones keep all their digits.
struct NumberArray {
  std::string name;
  Index components = 1;
  bool integral = true;
  std::vector<std::int64_t> integers;  // filled when integral
  std::vector<double> reals;           // filled otherwise

  [[nodiscard]] std::size_t size() const { return integral ? integers.size() : reals.size(); }
  [[nodiscard]] double real(std::size_t i) const {
    return integral ? static_cast<double>(integers[i]) : reals[i];
  }
};

/// Raw bytes to numbers; `swapped`: the other byte order. A remainder that fills no number is left out.
void decode_numbers(std::string_view bytes, ScalarType type, bool swapped, NumberArray& out);

/// Cells as VTK lists them: cell i has connectivity[offsets[i]] … connectivity[offsets[i + 1] - 1].
struct VtkCells {
  std::vector<std::int64_t> types, offsets, connectivity;
  std::vector<std::size_t> positions;  // byte of the file at which each cell stands; empty when unknown
  std::size_t offset = 0;              // of the whole list, for messages
};

/// The array that tells regions apart: by a customary name, else the first one of whole numbers; one value
/// per cell.
[[nodiscard]] const NumberArray* find_label_array(const std::vector<NumberArray>& arrays, std::size_t cells);

/// What is not kept of an array: "the point array 'temperature'".
[[nodiscard]] std::string unkept_array(std::string_view of, std::string_view name);

/// Adds the cells, whose vertices count from `first_vertex`; `labels` may be null.
Status add_vtk_cells(const VtkCells& cells, const NumberArray* labels, std::int64_t first_vertex,
                     RawVolume& raw);

}  // namespace pliant
