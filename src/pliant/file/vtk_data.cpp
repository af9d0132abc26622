#include "pliant/file/vtk_data.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/cursor.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace pliant {
namespace {

struct CellType {
  int number;
  std::string_view name;
  int vertices;  // 0: any
};

constexpr int kVertex = 1, kPolyVertex = 2, kLine = 3, kPolyLine = 4, kTriangle = 5, kPixel = 8, kQuad = 9,
              kTet = 10, kVoxel = 11, kHex = 12, kQuadraticEdge = 21, kQuadraticTriangle = 22,
              kQuadraticTet = 24;

/// Cells by number; messages name all others by their number only.
constexpr std::array<CellType, 18> kCellTypes{{{kVertex, "vertices", 0},
                                               {kPolyVertex, "vertex sets", 0},
                                               {kLine, "lines", 0},
                                               {kPolyLine, "polylines", 0},
                                               {kTriangle, "triangles", 3},
                                               {6, "triangle strips", 0},
                                               {7, "polygons", 0},
                                               {kPixel, "pixels", 4},
                                               {kQuad, "quads", 4},
                                               {kTet, "tetrahedra", 4},
                                               {kVoxel, "voxels", 8},
                                               {kHex, "hexahedra", 8},
                                               {13, "wedges", 0},
                                               {14, "pyramids", 0},
                                               {kQuadraticEdge, "3-node lines", 3},
                                               {kQuadraticTriangle, "6-node triangles", 6},
                                               {kQuadraticTet, "10-node tetrahedra", 10},
                                               {25, "20-node hexahedra", 0}}};

const CellType* find_type(std::int64_t number) {
  const auto found = std::find_if(kCellTypes.begin(), kCellTypes.end(),
                                  [&](const CellType& type) { return type.number == number; });
  return found == kCellTypes.end() ? nullptr : &*found;
}

/// Numbers of type T, of either byte order.
template <class T, class Out>
void decode_as(std::string_view bytes, bool swapped, std::vector<Out>& out) {
  const std::size_t count = bytes.size() / sizeof(T);
  out.reserve(out.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    char buffer[sizeof(T)];
    std::memcpy(buffer, bytes.data() + i * sizeof(T), sizeof(T));
    if (swapped) std::reverse(buffer, buffer + sizeof(T));
    T value;
    std::memcpy(&value, buffer, sizeof(T));
    out.push_back(static_cast<Out>(value));
  }
}

/// Adds one cell of known shape.
class CellAdder {
 public:
  CellAdder(const VtkCells& cells, std::int64_t first_vertex, RawVolume& raw)
      : cells_(cells), first_vertex_(first_vertex), raw_(raw) {}

  void add(std::size_t i, Label label) {
    // Voxels and pixels list their corners with x fastest, not around each face.
    switch (cells_.types[i]) {
      case kTet:
        return add(raw_.tets, i, {0, 1, 2, 3}, label);
      case kHex:
        return add(raw_.hexes, i, {0, 1, 2, 3, 4, 5, 6, 7}, label);
      case kVoxel:
        return add(raw_.hexes, i, {0, 1, 3, 2, 4, 5, 7, 6}, label);
      case kQuadraticTet:
        return add(raw_.tet10s, i, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, label);
      case kTriangle:
      case kQuadraticTriangle:  // its midside vertices are those of its tet
        return add(raw_.triangles, i, {0, 1, 2}, label);
      case kQuad:
        return add(raw_.quads, i, {0, 1, 2, 3}, label);
      case kPixel:
        return add(raw_.quads, i, {0, 1, 3, 2}, label);
      case kVertex:
      case kPolyVertex:
        ++raw_.ignored_points;
        return;
      case kLine:
      case kPolyLine:
      case kQuadraticEdge:
        ++raw_.ignored_lines;
        return;
      default:
        break;
    }
    const CellType* type = find_type(cells_.types[i]);
    raw_.add_unsupported(static_cast<int>(cells_.types[i]), type != nullptr ? type->name : "cells",
                         static_cast<std::int64_t>(i), position(i));
  }

 private:
  [[nodiscard]] std::size_t position(std::size_t i) const {
    return i < cells_.positions.size() ? cells_.positions[i] : cells_.offset;
  }

  template <std::size_t N>
  void add(RawElements<N>& out, std::size_t i, const std::array<std::size_t, N>& order, Label label) {
    const auto begin = to_size(cells_.offsets[i]);
    std::array<std::int64_t, N> tags;
    for (std::size_t k = 0; k < N; ++k) {
      const std::int64_t vertex = cells_.connectivity[begin + order[k]];
      // A negative number stays negative, so that it is found out of range in whatever piece it stands.
      tags[k] = vertex < 0 || vertex > std::numeric_limits<std::int64_t>::max() - first_vertex_
                    ? -1
                    : vertex + first_vertex_;
    }
    out.add(tags, label, position(i));
  }

  const VtkCells& cells_;
  std::int64_t first_vertex_;
  RawVolume& raw_;
};

Diagnostic cell_error(const RawVolume& raw, const VtkCells& cells, std::size_t i, ErrorCode code,
                      std::string what) {
  const RawSource& source = raw.element_source;
  Location where{source.file, 0, 0, "cell " + text(static_cast<Index>(i))};
  const std::size_t at = i < cells.positions.size() ? cells.positions[i] : cells.offset;
  if (source.text) where.line = line_of(source.bytes, at);
  return {code, std::move(where), std::move(what), "the file is damaged: export it again"};
}

}  // namespace

std::size_t scalar_size(ScalarType type) {
  switch (type) {
    case ScalarType::kInt8:
    case ScalarType::kUInt8:
      return 1;
    case ScalarType::kInt16:
    case ScalarType::kUInt16:
      return 2;
    case ScalarType::kInt32:
    case ScalarType::kUInt32:
    case ScalarType::kFloat32:
      return 4;
    case ScalarType::kInt64:
    case ScalarType::kUInt64:
    case ScalarType::kFloat64:
      break;
  }
  return 8;
}

bool is_integral(ScalarType type) { return type != ScalarType::kFloat32 && type != ScalarType::kFloat64; }

void decode_numbers(std::string_view bytes, ScalarType type, bool swapped, NumberArray& out) {
  out.integral = is_integral(type);
  switch (type) {
    case ScalarType::kInt8:
      return decode_as<std::int8_t>(bytes, swapped, out.integers);
    case ScalarType::kUInt8:
      return decode_as<std::uint8_t>(bytes, swapped, out.integers);
    case ScalarType::kInt16:
      return decode_as<std::int16_t>(bytes, swapped, out.integers);
    case ScalarType::kUInt16:
      return decode_as<std::uint16_t>(bytes, swapped, out.integers);
    case ScalarType::kInt32:
      return decode_as<std::int32_t>(bytes, swapped, out.integers);
    case ScalarType::kUInt32:
      return decode_as<std::uint32_t>(bytes, swapped, out.integers);
    case ScalarType::kInt64:
      return decode_as<std::int64_t>(bytes, swapped, out.integers);
    case ScalarType::kUInt64:
      return decode_as<std::uint64_t>(bytes, swapped, out.integers);
    case ScalarType::kFloat32:
      return decode_as<float>(bytes, swapped, out.reals);
    case ScalarType::kFloat64:
      return decode_as<double>(bytes, swapped, out.reals);
  }
}

const NumberArray* find_label_array(const std::vector<NumberArray>& arrays, std::size_t cells) {
  static constexpr std::array<std::string_view, 12> kNames{
      "label",       "labels",        "region",    "regions",       "material", "materials",
      "material_id", "gmsh:physical", "medit:ref", "CellEntityIds", "RegionId", "gmsh:geometrical"};
  const auto usable = [&](const NumberArray& array) {
    return array.integral && array.components == 1 && array.size() == cells;
  };
  // Customary names first, in order of preference; then any array of integers, except VTK's ghost markers.
  for (const std::string_view name : kNames)
    for (const NumberArray& array : arrays)
      if (array.name == name && usable(array)) return &array;
  for (const NumberArray& array : arrays)
    if (usable(array) && !array.name.starts_with("vtkGhost")) return &array;
  return nullptr;
}

std::string unkept_array(std::string_view of, std::string_view name) {
  return "the " + std::string(of) + " array '" + std::string(name.substr(0, 60)) + "'";
}

Status add_vtk_cells(const VtkCells& cells, const NumberArray* labels, std::int64_t first_vertex,
                     RawVolume& raw) {
  CellAdder adder(cells, first_vertex, raw);
  if (cells.offsets.size() != cells.types.size() + 1)
    return cell_error(
        raw, cells, 0, ErrorCode::kInconsistent,
        text(std::ssize(cells.types)) + " cell types, but " + text(std::ssize(cells.offsets) - 1) + " cells");
  for (std::size_t i = 0; i < cells.types.size(); ++i) {
    const std::int64_t begin = cells.offsets[i];
    const std::int64_t end = cells.offsets[i + 1];
    if (begin < 0 || end < begin || end > static_cast<std::int64_t>(cells.connectivity.size()))
      return cell_error(raw, cells, i, ErrorCode::kOutOfRange, "its offset lies outside the connectivity");
    const CellType* type = find_type(cells.types[i]);
    if (type != nullptr && type->vertices > 0 && end - begin != type->vertices)
      return cell_error(raw, cells, i, ErrorCode::kInconsistent,
                        "type " + text(static_cast<Index>(cells.types[i])) + " with " +
                            text(static_cast<Index>(end - begin)) + " vertices");
    if (cells.types[i] < 0 || cells.types[i] > 255)
      return cell_error(raw, cells, i, ErrorCode::kOutOfRange,
                        "cell type " + text(static_cast<Index>(cells.types[i])));
    const std::int64_t label = labels != nullptr ? labels->integers[i] : 0;
    if (!is_label(label))
      return cell_error(raw, cells, i, ErrorCode::kOutOfRange,
                        "the label " + text(static_cast<Index>(label)) + " is too large");
    adder.add(i, static_cast<Label>(label));
  }
  return Done{};
}

}  // namespace pliant
