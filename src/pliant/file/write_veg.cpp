#include "pliant/base/text.hpp"
#include "pliant/file/put.hpp"
#include "pliant/file/veg.hpp"

#include <algorithm>
#include <set>

namespace pliant {
namespace {

Diagnostic refused(const std::string& file, std::string what, std::string remedy) {
  return {ErrorCode::kUnwritable, Location{file, 0, 0, {}}, std::move(what), std::move(remedy)};
}

Status check(const VolumeMesh& mesh, const std::string& file) {
  if (!mesh.tet10s.empty())
    return refused(file, "Vega's format cannot hold quadratic tetrahedra",
                   "make them linear (pliant convert --order 1), or write .msh, .mesh or .vtu");
  if (!mesh.tets.empty() && !mesh.hexes.empty())
    return refused(file, "Vega's format cannot hold tetrahedra and hexahedra in one mesh",
                   "split the hexahedra, or write .msh or .vtu");
  if (!mesh.triangles.empty() || !mesh.quads.empty() || !mesh.face_names.empty())
    return refused(file, "Vega's format cannot hold labelled faces", "write .msh, .mesh or .vtu");
  const std::set<Label> labels = [&] {
    std::set<Label> found(mesh.tet_labels.begin(), mesh.tet_labels.end());
    found.insert(mesh.hex_labels.begin(), mesh.hex_labels.end());
    return found;
  }();
  for (const auto& [label, name] : mesh.region_names) {
    if (!labels.contains(label))
      return refused(
          file,
          "Vega's format cannot hold the name of label " + text(Index{label}) + ", which no element has",
          "write .msh or .vtu");
    const bool word = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return c > ' ' && c < '\x7f' && c != ',' && c != '#' && c != '*';
    });
    if (!word)
      return refused(file, "Vega's format cannot hold the name '" + name + "'",
                     "use one word of ASCII characters without , # *");
  }
  return Done{};
}

template <std::size_t N>
void write_elements(std::string& out, const std::vector<std::array<VertexId, N>>& elements) {
  out += std::to_string(elements.size()) + " " + std::to_string(N) + " 0\n";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    put_text(out, i + 1);
    for (const VertexId v : elements[i]) {
      out += ' ';
      put_text(out, v + 1);
    }
    out += '\n';
  }
}

/// One set, material and region per label. The material is a placeholder: Vega's customary soft rubber.
void write_regions(std::string& out, const VolumeMesh& mesh) {
  const std::vector<Label>& labels = mesh.hexes.empty() ? mesh.tet_labels : mesh.hex_labels;
  const std::set<Label> distinct(labels.begin(), labels.end());
  std::string regions = "\n*REGION\n";
  for (const Label label : distinct) {
    std::string name = "label_" + std::to_string(label);
    if (const auto found = mesh.region_names.find(label); found != mesh.region_names.end())
      name += "_" + found->second;
    out.append("\n*MATERIAL ").append(name).append("\nENU, 1000, 1e6, 0.45\n");
    if (distinct.size() == 1) {
      regions.append("allElements, ").append(name).append("\n");
      continue;
    }
    regions.append(name).append(", ").append(name).append("\n");
    out.append("\n*SET ").append(name).append("\n");
    Index in_row = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] != label) continue;
      if (in_row > 0) out += in_row % 8 == 0 ? ",\n" : ", ";
      put_text(out, i + 1);
      ++in_row;
    }
    out += '\n';
  }
  out += regions;
}

}  // namespace

Result<std::string> write_veg(const VolumeMesh& mesh, const std::string& file) {
  if (Status status = check(mesh, file); !status) return status.errors();
  std::string out = "# Vega mesh file, written by Pliant.\n\n*VERTICES\n";
  out += std::to_string(mesh.vertices.size()) + " 3 0 0\n";
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    put_text(out, i + 1);
    out += ' ';
    put_row(out, mesh.vertices[i]);
  }
  out += mesh.hexes.empty() ? "\n*ELEMENTS\nTET\n" : "\n*ELEMENTS\nCUBIC\n";
  mesh.hexes.empty() ? write_elements(out, mesh.tets) : write_elements(out, mesh.hexes);
  write_regions(out, mesh);
  return out;
}

}  // namespace pliant
