#include "pliant/base/assert.hpp"
#include "pliant/base/text.hpp"
#include "pliant/file/face_midsides.hpp"
#include "pliant/file/put.hpp"
#include "pliant/file/vtu.hpp"
#include "pliant/file/vtu_encoding.hpp"
#include "pliant/mesh/core/boundary.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

constexpr std::uint8_t kTriangle = 5, kQuad = 9, kTet = 10, kHex = 12, kQuadraticTriangle = 22,
                       kQuadraticTet = 24;

std::string escaped(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Whether the largest number neither overflows nor vanishes as a float.
bool fit_floats(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  return largest == 0.0 || (largest > 1e-30 && largest < 1e38);
}

/// The cells of a file, before they are encoded.
struct Cells {
  std::vector<Label> labels;
  std::vector<VertexId> connectivity;
  std::vector<std::int64_t> offsets;
  std::vector<std::uint8_t> types;

  void add(std::span<const VertexId> vertices, std::uint8_t type, Label label) {
    labels.push_back(label);
    connectivity.insert(connectivity.end(), vertices.begin(), vertices.end());
    offsets.push_back(std::ssize(connectivity));
    types.push_back(type);
  }
  template <class Elements>
  void add_all(const Elements& elements, std::uint8_t type, const std::vector<Label>& labels_of) {
    for (std::size_t i = 0; i < elements.size(); ++i) add(elements[i], type, labels_of[i]);
  }
  void encode(bool compressed, FrameGrid& grid) const {
    grid.labels = encode_vtu(bytes_of(labels), compressed);
    grid.connectivity = encode_vtu(bytes_of(connectivity), compressed);
    grid.offsets = encode_vtu(bytes_of(offsets), compressed);
    grid.types = encode_vtu(bytes_of(types), compressed);
  }
};

Cells cells_of(const VolumeMesh& mesh, bool faces) {
  Cells cells;
  cells.add_all(mesh.tets, kTet, mesh.tet_labels);
  cells.add_all(mesh.hexes, kHex, mesh.hex_labels);
  cells.add_all(mesh.tet10s, kQuadraticTet, mesh.tet10_labels);
  if (!faces) return cells;
  const std::vector<QuadraticTriangle> triangles = with_midsides(mesh);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const bool quadratic = is_quadratic(triangles[i]);
    cells.add(std::span(triangles[i]).first(quadratic ? 6 : 3), quadratic ? kQuadraticTriangle : kTriangle,
              mesh.triangle_labels[i]);
  }
  cells.add_all(mesh.quads, kQuad, mesh.quad_labels);
  return cells;
}

/// The vertices that a face lists in a file.
std::size_t list_vertices(const BoundaryFace& face, std::array<VertexId, 6>& list) {
  const auto corners = to_size(face.size());
  std::copy_n(face.vertices.begin(), corners, list.begin());
  if (!face.is_quadratic()) return corners;
  std::copy(face.midsides.begin(), face.midsides.end(), list.begin() + 3);
  return 6;
}

/// Everything of a mesh but its cells.
FrameGrid grid_without_cells(const VolumeMesh& mesh) {
  FrameGrid grid;
  grid.mesh_vertices = mesh.vertex_count();
  grid.region_names = mesh.region_names;
  grid.face_names = mesh.face_names;
  return grid;
}

FrameGrid volume_grid(const VolumeMesh& mesh, const VtuOptions& options) {
  FrameGrid grid = grid_without_cells(mesh);
  grid.vertices.resize(mesh.vertices.size());
  std::iota(grid.vertices.begin(), grid.vertices.end(), VertexId{0});
  const Cells cells = cells_of(mesh, options.faces);
  cells.encode(options.compressed, grid);
  grid.elements.resize(cells.types.size());  // labelled faces have numbers after the elements
  std::iota(grid.elements.begin(), grid.elements.end(), Index{0});
  return grid;
}

/// XML with offsets into the appended binary data, which is collected alongside.
class VtuWriter {
 public:
  VtuWriter(const FrameGrid& grid, bool compressed) : grid_(grid), compressed_(compressed) {}

  std::string write(std::span<const Vector3> places, const VtuData& data) {
    const std::size_t points = grid_.vertices.size(), cells = grid_.elements.size();
    PLIANT_ASSERT(places.size() == points);
    open_file();
    write_fields();
    xml_ += "<Piece NumberOfPoints=\"" + std::to_string(points) + "\" NumberOfCells=\"" +
            std::to_string(cells) + "\">\n<PointData>\n";
    if (!grid_.numbers.empty()) write_encoded("Int32", kFrameVertex, 1, grid_.numbers);
    for (const NamedArray& array : data.point) write_named(array, points);
    xml_ += "</PointData>\n<CellData Scalars=\"label\">\n";
    write_encoded("Int32", "label", 1, grid_.labels);
    for (const NamedArray& array : data.cell) write_named(array, cells);
    xml_ += "</CellData>\n<Points>\n";
    std::vector<double> xyz;
    xyz.reserve(3 * points);
    for (const Vector3& p : places) xyz.insert(xyz.end(), p.begin(), p.end());
    write_numbers("Points", 3, xyz);
    xml_ += "</Points>\n<Cells>\n";
    write_encoded("Int32", "connectivity", 1, grid_.connectivity);
    write_encoded("Int64", "offsets", 1, grid_.offsets);
    write_encoded("UInt8", "types", 1, grid_.types);
    xml_ += "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
    return xml_ + appended_ + "\n</AppendedData>\n</VTKFile>\n";
  }

 private:
  void open_file() {
    const bool little = std::endian::native == std::endian::little;
    xml_ = std::string(
               "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"") +
           (little ? "LittleEndian" : "BigEndian") + "\" header_type=\"UInt64\"" +
           (compressed_ ? " compressor=\"vtkZLibDataCompressor\"" : "") + ">\n<UnstructuredGrid>\n";
  }

  void write_names(const std::map<Label, std::string>& names, const char* prefix) {
    for (const auto& [label, name] : names) {
      xml_ += std::string("<DataArray type=\"String\" Name=\"") + prefix + std::to_string(label) +
              "\" NumberOfTuples=\"1\" format=\"ascii\">";
      // Strings are stored as character codes, which read_vtu converts back.
      for (const char c : name) xml_ += std::to_string(static_cast<unsigned char>(c)) + " ";
      xml_ += "0</DataArray>\n";
    }
  }

  void write_fields() {
    if (grid_.region_names.empty() && grid_.face_names.empty() && grid_.numbers.empty()) return;
    xml_ += "<FieldData>\n";
    if (!grid_.numbers.empty())
      xml_ += std::string("<DataArray type=\"Int64\" Name=\"") + kFrameMeshVertices +
              "\" NumberOfTuples=\"1\" format=\"ascii\">" + std::to_string(grid_.mesh_vertices) +
              "</DataArray>\n";
    write_names(grid_.region_names, "region_name ");
    write_names(grid_.face_names, "face_name ");
    xml_ += "</FieldData>\n";
  }

  void write_numbers(std::string_view name, int components, const std::vector<double>& values) {
    if (!grid_.single_precision || !fit_floats(values))
      return write_encoded("Float64", name, components, encode_vtu(bytes_of(values), compressed_));
    std::vector<float> singles(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) singles[i] = static_cast<float>(values[i]);
    write_encoded("Float32", name, components, encode_vtu(bytes_of(singles), compressed_));
  }

  void write_encoded(const char* type, std::string_view name, int components, std::string_view encoded) {
    xml_ += std::string("<DataArray type=\"") + type + "\" Name=\"" + escaped(name) +
            "\" NumberOfComponents=\"" + std::to_string(components) + "\" format=\"appended\" offset=\"" +
            std::to_string(appended_.size()) + "\"/>\n";
    appended_ += encoded;
  }

  void write_named(const NamedArray& array, std::size_t count) {
    PLIANT_ASSERT(array.values.size() == to_size(array.components) * count);
    write_numbers(array.name, array.components, array.values);
  }

  const FrameGrid& grid_;
  bool compressed_;
  std::string xml_;
  std::string appended_;
};

}  // namespace

std::string write_vtu(const VolumeMesh& mesh, VtuData data, const VtuOptions& options) {
  const FrameGrid grid = volume_grid(mesh, options);
  for (NamedArray& array : data.cell) {
    PLIANT_ASSERT(array.values.size() == to_size(array.components * mesh.element_count()));
    array.values.resize(to_size(array.components) * grid.elements.size(), 0.0);
  }
  return VtuWriter(grid, options.compressed).write(mesh.vertices, data);
}

FrameGrid volume_grid(const VolumeMesh& mesh) {
  return volume_grid(mesh, {.faces = false, .compressed = true});
}

FrameGrid surface_grid(const VolumeMesh& mesh, const std::vector<char>& also) {
  const std::vector<BoundaryFace> faces = boundary_faces(mesh);
  std::vector<VertexId> number(mesh.vertices.size(), -1);
  std::array<VertexId, 6> list{};
  for (const BoundaryFace& face : faces) {
    for (std::size_t i = 0; i < list_vertices(face, list); ++i) number[to_size(list[i])] = 0;
  }
  FrameGrid grid = grid_without_cells(mesh);
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] < 0 && (v >= also.size() || also[v] == 0)) continue;
    number[v] = static_cast<VertexId>(grid.vertices.size());
    grid.vertices.push_back(static_cast<VertexId>(v));
  }
  Cells cells;
  for (const BoundaryFace& face : faces) {
    const std::size_t count = list_vertices(face, list);
    for (std::size_t i = 0; i < count; ++i) list[i] = number[to_size(list[i])];
    cells.add(std::span(list).first(count),
              count == 3   ? kTriangle
              : count == 4 ? kQuad
                           : kQuadraticTriangle,
              mesh.element_label(face.element));
    grid.elements.push_back(face.element);
  }
  cells.encode(true, grid);
  grid.single_precision = true;
  grid.numbers = encode_vtu(bytes_of(grid.vertices), true);
  return grid;
}

std::string write_frame(const FrameGrid& grid, std::span<const Vector3> places, const VtuData& data) {
  return VtuWriter(grid, true).write(places, data);
}

std::string write_pvd(std::span<const PvdEntry> entries) {
  std::string out = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (const PvdEntry& entry : entries)
    out +=
        "<DataSet timestep=\"" + text(entry.time) + "\" part=\"0\" file=\"" + escaped(entry.file) + "\"/>\n";
  return out + "</Collection>\n</VTKFile>\n";
}

}  // namespace pliant
