#include "pliant/base/assert.hpp"
#include "pliant/base/text.hpp"
#include "pliant/file/face_midsides.hpp"
#include "pliant/file/put.hpp"
#include "pliant/file/vtu.hpp"
#include "pliant/file/vtu_encoding.hpp"

#include <bit>

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

/// XML with offsets into the appended binary data, which is collected alongside.
class VtuWriter {
 public:
  VtuWriter(const VolumeMesh& mesh, const VtuOptions& options) : mesh_(mesh), options_(options) {}

  std::string write(const VtuData& data) {
    open_file();
    write_names();
    VtuCells own;
    VtuCells& cells = options_.cells != nullptr ? *options_.cells : own;
    if (cells.types.empty()) cells = encode_cells();
    const std::size_t count = to_size(mesh_.element_count()) + face_count();
    xml_ += "<Piece NumberOfPoints=\"" + std::to_string(mesh_.vertices.size()) + "\" NumberOfCells=\"" +
            std::to_string(count) + "\">\n<PointData>\n";
    for (const NamedArray& array : data.point) write_named(array, mesh_.vertices.size(), 0);
    xml_ += "</PointData>\n<CellData Scalars=\"label\">\n";
    write_encoded("Int32", "label", 1, cells.labels);
    for (const NamedArray& array : data.cell)
      write_named(array, to_size(mesh_.element_count()), face_count());
    xml_ += "</CellData>\n<Points>\n";
    std::vector<double> xyz;
    xyz.reserve(3 * mesh_.vertices.size());
    for (const Vector3& p : mesh_.vertices) xyz.insert(xyz.end(), p.begin(), p.end());
    write_array("Float64", "Points", 3, bytes_of(xyz));
    xml_ += "</Points>\n<Cells>\n";
    write_encoded("Int32", "connectivity", 1, cells.connectivity);
    write_encoded("Int64", "offsets", 1, cells.offsets);
    write_encoded("UInt8", "types", 1, cells.types);
    xml_ += "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
    return xml_ + appended_ + "\n</AppendedData>\n</VTKFile>\n";
  }

 private:
  [[nodiscard]] std::size_t face_count() const {
    return options_.faces ? mesh_.triangles.size() + mesh_.quads.size() : 0;
  }

  void open_file() {
    const bool little = std::endian::native == std::endian::little;
    xml_ = std::string(
               "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"") +
           (little ? "LittleEndian" : "BigEndian") + "\" header_type=\"UInt64\"" +
           (options_.compressed ? " compressor=\"vtkZLibDataCompressor\"" : "") + ">\n<UnstructuredGrid>\n";
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

  void write_names() {
    if (mesh_.region_names.empty() && mesh_.face_names.empty()) return;
    xml_ += "<FieldData>\n";
    write_names(mesh_.region_names, "region_name ");
    write_names(mesh_.face_names, "face_name ");
    xml_ += "</FieldData>\n";
  }

  void write_array(const char* type, std::string_view name, int components, std::string_view data) {
    write_encoded(type, name, components, encode_vtu(data, options_.compressed));
  }

  void write_encoded(const char* type, std::string_view name, int components, std::string_view encoded) {
    xml_ += std::string("<DataArray type=\"") + type + "\" Name=\"" + escaped(name) +
            "\" NumberOfComponents=\"" + std::to_string(components) + "\" format=\"appended\" offset=\"" +
            std::to_string(appended_.size()) + "\"/>\n";
    appended_ += encoded;
  }

  void write_named(const NamedArray& array, std::size_t count, std::size_t padding) {
    const auto components = to_size(array.components);
    PLIANT_ASSERT(array.values.size() == components * count);
    if (padding == 0) return write_array("Float64", array.name, array.components, bytes_of(array.values));
    std::vector<double> padded = array.values;
    padded.resize(components * (count + padding), 0.0);
    write_array("Float64", array.name, array.components, bytes_of(padded));
  }

  [[nodiscard]] std::string labels() const {
    std::vector<Label> labels = mesh_.tet_labels;
    const auto add = [&](const std::vector<Label>& more) {
      labels.insert(labels.end(), more.begin(), more.end());
    };
    add(mesh_.hex_labels);
    add(mesh_.tet10_labels);
    if (options_.faces) add(mesh_.triangle_labels);
    if (options_.faces) add(mesh_.quad_labels);
    return encode_vtu(bytes_of(labels), options_.compressed);
  }

  [[nodiscard]] VtuCells encode_cells() const {
    std::vector<VertexId> connectivity;
    std::vector<std::int64_t> offsets;
    std::vector<std::uint8_t> types;
    const auto add_one = [&](std::span<const VertexId> vertices, std::uint8_t type) {
      connectivity.insert(connectivity.end(), vertices.begin(), vertices.end());
      offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
      types.push_back(type);
    };
    const auto add = [&](const auto& elements, std::uint8_t type) {
      for (const auto& element : elements) add_one(element, type);
    };
    add(mesh_.tets, kTet);
    add(mesh_.hexes, kHex);
    add(mesh_.tet10s, kQuadraticTet);
    if (options_.faces) {
      for (const QuadraticTriangle& triangle : with_midsides(mesh_))
        is_quadratic(triangle) ? add_one(triangle, kQuadraticTriangle)
                               : add_one(std::span(triangle).first(3), kTriangle);
      add(mesh_.quads, kQuad);
    }
    const bool compressed = options_.compressed;
    return {labels(), encode_vtu(bytes_of(connectivity), compressed),
            encode_vtu(bytes_of(offsets), compressed), encode_vtu(bytes_of(types), compressed)};
  }

  const VolumeMesh& mesh_;
  VtuOptions options_;
  std::string xml_;
  std::string appended_;
};

}  // namespace

std::string write_vtu(const VolumeMesh& mesh, const VtuData& data, const VtuOptions& options) {
  return VtuWriter(mesh, options).write(data);
}

std::string write_pvd(std::span<const PvdEntry> entries) {
  std::string out = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (const PvdEntry& entry : entries)
    out +=
        "<DataSet timestep=\"" + text(entry.time) + "\" part=\"0\" file=\"" + escaped(entry.file) + "\"/>\n";
  return out + "</Collection>\n</VTKFile>\n";
}

}  // namespace pliant
