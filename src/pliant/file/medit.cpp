#include "pliant/file/medit.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/cursor.hpp"
#include "pliant/file/face_midsides.hpp"
#include "pliant/file/put.hpp"
#include "pliant/file/raw_volume.hpp"

#include <algorithm>
#include <array>

namespace pliant {
namespace {

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// Sections may come in any order; vertices count from 1.
class MeditReader {
 public:
  MeditReader(std::string_view bytes, const std::string& file) : in_(bytes, file, {.comment = '#'}) {
    raw_.vertex_source = raw_.element_source = {file, bytes, true};
    raw_.first_tag = 1;
  }

  Result<VolumeFile> read() {
    read_header();
    bool ended = false;
    while (!ended && !in_.at_end()) {
      const std::size_t at = in_.next_offset();
      const std::string keyword(in_.word());
      ended = keyword == "End";
      if (!ended) read_section(keyword, at);
    }
    if (in_.failed()) return in_.error();
    if (!ended)
      raw_.note(ErrorCode::kTruncated, "the keyword End is missing", "check that the file is complete");
    return finish_volume(std::move(raw_));
  }

 private:
  void read_header() {
    if (in_.at_end()) {
      in_.fail(ErrorCode::kTruncated, "the file is empty", "export the mesh again");
    } else if (in_.peek() != "MeshVersionFormatted") {
      in_.fail(ErrorCode::kSyntax, "does not begin with MeshVersionFormatted: not a MEDIT text mesh",
               "binary .meshb files must be converted to .mesh");
    } else {
      in_.word();
      in_.integer();
    }
  }

  void read_section(const std::string& keyword, std::size_t at) {
    if (keyword == "Dimension") {
      const std::int64_t dimension = in_.integer();
      if (!in_.failed() && dimension != 3)
        in_.fail(ErrorCode::kUnsupported, "a mesh of dimension " + text(static_cast<Index>(dimension)),
                 "only solids in 3 dimensions are taken", at);
    } else if (keyword == "Vertices") {
      read_vertices(at);
    } else if (keyword == "Tetrahedra") {
      read_elements(raw_.tets, "tetrahedra");
    } else if (keyword == "TetrahedraP2") {
      read_elements(raw_.tet10s, "tetrahedra");
    } else if (keyword == "TetrahedraP2Ordering") {
      in_.fail(ErrorCode::kUnsupported, "TetrahedraP2 with an order of its vertices of its own",
               "leave it out: corners, then the vertices of the edges 12 23 31 14 24 34", at);
    } else if (keyword == "Hexahedra") {
      read_elements(raw_.hexes, "hexahedra");
    } else if (keyword == "Triangles") {
      read_elements(raw_.triangles, "triangles");
    } else if (keyword == "TrianglesP2") {
      read_triangles_6();
    } else if (keyword == "Quadrilaterals") {
      read_elements(raw_.quads, "quadrilaterals");
    } else if (const int type = unsupported_type(keyword); type > 0) {
      read_unsupported(type, keyword, at);
    } else if (is_letter(keyword.front())) {
      if (!is_scaffold(keyword)) raw_.extras.insert("the section " + keyword.substr(0, 40));
      skip_section();
    } else {
      in_.fail(ErrorCode::kSyntax, "expected a keyword, got '" + keyword.substr(0, 40) + "'",
               "the section before it holds more than it announced", at);
    }
  }

  /// Solid elements that would leave a hole if they were skipped. The numbers are our own and only order the
  /// messages.
  static int unsupported_type(std::string_view keyword) {
    static constexpr std::array<std::string_view, 6> kNames{"Prisms",   "Pentahedra",   "Wedges",
                                                            "Pyramids", "TetrahedraP3", "HexahedraQ2"};
    for (std::size_t i = 0; i < kNames.size(); ++i)
      if (keyword == kNames[i]) return static_cast<int>(i) + 1;
    return 0;
  }

  /// Edges and markers of a mesher, which are of no use in a volume mesh.
  static bool is_scaffold(std::string_view keyword) {
    static constexpr std::array<std::string_view, 8> kNames{"Edges",
                                                            "EdgesP2",
                                                            "Corners",
                                                            "Ridges",
                                                            "RequiredVertices",
                                                            "RequiredEdges",
                                                            "RequiredTriangles",
                                                            "RequiredQuadrilaterals"};
    return std::find(kNames.begin(), kNames.end(), keyword) != kNames.end();
  }

  void read_unsupported(int type, const std::string& keyword, std::size_t at) {
    const Index count = in_.count(8, keyword);
    skip_section();
    if (count == 0 || in_.failed()) return;
    raw_.add_unsupported(type, keyword, 1, at);
    raw_.unsupported[type].count = count;
  }

  void skip_section() {
    while (!in_.at_end()) {
      const std::string_view next = in_.peek();
      // Coordinates may be "nan" or "inf", which are no keywords.
      if (is_letter(next.front()) && next != "nan" && next != "inf") return;
      in_.word();
    }
  }

  void read_vertices(std::size_t at) {
    if (!raw_.vertices.empty()) {
      in_.fail(ErrorCode::kInconsistent, "Vertices stands twice in the file", "keep one list", at);
      return;
    }
    const Index count = in_.count(8, "vertices");
    raw_.vertices.reserve(to_size(count));
    raw_.vertex_offsets.reserve(to_size(count));
    for (Index i = 0; i < count && !in_.failed(); ++i) {
      const std::size_t row = in_.next_offset();
      const double x = in_.real();
      const double y = in_.real();
      const double z = in_.real();
      if (in_.integer() != 0) raw_.extras.insert("references of vertices");
      raw_.add_vertex({x, y, z}, row);
    }
  }

  template <std::size_t N>
  void read_elements(RawElements<N>& out, std::string_view things) {
    const Index count = in_.count(2 * (N + 1) - 1, things);
    for (Index i = 0; i < count && !in_.failed(); ++i) {
      const std::size_t row = in_.next_offset();
      std::array<std::int64_t, N> tags;
      for (std::int64_t& tag : tags) tag = in_.integer();
      const std::int64_t label = in_.integer();
      if (!in_.failed() && !is_label(label))
        in_.fail(ErrorCode::kOutOfRange, "the reference " + text(static_cast<Index>(label)) + " is too large",
                 {}, row);
      if (!in_.failed()) out.add(tags, static_cast<Label>(label), row);
    }
  }

  /// The midside vertices of a labelled triangle are those of its tet.
  void read_triangles_6() {
    RawElements<6> triangles;
    read_elements(triangles, "triangles");
    for (std::size_t i = 0; i < triangles.vertices.size(); ++i) {
      const auto& v = triangles.vertices[i];
      raw_.triangles.add({v[0], v[1], v[2]}, triangles.labels[i], triangles.offsets[i]);
    }
  }

  Cursor in_;
  RawVolume raw_;
};

template <std::size_t N>
void write_section(std::string& out, const char* keyword,
                   const std::vector<std::array<VertexId, N>>& elements, const std::vector<Label>& labels) {
  if (elements.empty()) return;
  out += std::string("\n") + keyword + "\n" + std::to_string(elements.size()) + "\n";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (const VertexId v : elements[i]) {
      put_text(out, v + 1);
      out += ' ';
    }
    put_text(out, labels[i]);
    out += '\n';
  }
}

/// With midside vertices if all triangles have them: in two sections they would change their order.
void write_triangles(std::string& out, const VolumeMesh& mesh) {
  const std::vector<QuadraticTriangle> triangles = with_midsides(mesh);
  if (std::all_of(triangles.begin(), triangles.end(), is_quadratic))
    write_section(out, "TrianglesP2", triangles, mesh.triangle_labels);
  else
    write_section(out, "Triangles", mesh.triangles, mesh.triangle_labels);
}

}  // namespace

Result<VolumeFile> read_medit(std::string_view bytes, const std::string& file) {
  return MeditReader(bytes, file).read();
}

Result<std::string> write_medit(const VolumeMesh& mesh, const std::string& file) {
  if (!mesh.region_names.empty() || !mesh.face_names.empty())
    return Diagnostic{ErrorCode::kUnwritable, Location{file, 0, 0, {}},
                      "MEDIT's format cannot hold the names of regions or faces",
                      "write .msh or .vtu instead"};
  std::string out = "MeshVersionFormatted 2\n\nDimension 3\n\nVertices\n";
  out += std::to_string(mesh.vertices.size()) + "\n";
  for (const Vector3& p : mesh.vertices) {
    for (const double x : p) {
      put_text(out, x);
      out += ' ';
    }
    out += "0\n";
  }
  write_triangles(out, mesh);
  write_section(out, "Quadrilaterals", mesh.quads, mesh.quad_labels);
  write_section(out, "Tetrahedra", mesh.tets, mesh.tet_labels);
  write_section(out, "Hexahedra", mesh.hexes, mesh.hex_labels);
  write_section(out, "TetrahedraP2", mesh.tet10s, mesh.tet10_labels);
  out += "\nEnd\n";
  return out;
}

}  // namespace pliant
