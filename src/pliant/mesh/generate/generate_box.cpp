#include "pliant/mesh/core/tet10.hpp"
#include "pliant/mesh/generate/generate.hpp"

namespace pliant {

VolumeMesh split_hexes(const VolumeMesh& hexes) {
  // Kuhn's tets of the unit cube, one for each order in which x, y and z lead from corner 0 to corner 6. In
  // odd permutations two corners are exchanged, so that the volume is positive.
  static constexpr std::array<std::array<int, 4>, 6> kKuhn{
      {{0, 1, 2, 6}, {0, 5, 1, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 4, 5, 6}, {0, 7, 4, 6}}};
  VolumeMesh result;
  result.vertices = hexes.vertices;
  result.tets = hexes.tets;
  result.tet_labels = hexes.tet_labels;
  result.tets.reserve(result.tets.size() + 6 * hexes.hexes.size());
  for (std::size_t h = 0; h < hexes.hexes.size(); ++h) {
    const Hex& hex = hexes.hexes[h];
    for (const auto& corner : kKuhn) {
      Tet tet;
      for (std::size_t i = 0; i < 4; ++i) tet[i] = hex[to_size(corner[i])];
      result.tets.push_back(tet);
      result.tet_labels.push_back(hexes.hex_labels[h]);
    }
  }
  return result;
}

VolumeMesh generate_box(const Vector3& size, const std::array<Index, 3>& cells, ElementKind kind) {
  const auto [nx, ny, nz] = cells;
  VolumeMesh mesh;
  mesh.vertices.reserve(to_size((nx + 1) * (ny + 1) * (nz + 1)));
  for (Index k = 0; k <= nz; ++k)
    for (Index j = 0; j <= ny; ++j)
      for (Index i = 0; i <= nx; ++i)
        mesh.vertices.emplace_back(size.x() * static_cast<double>(i) / static_cast<double>(nx),
                                   size.y() * static_cast<double>(j) / static_cast<double>(ny),
                                   size.z() * static_cast<double>(k) / static_cast<double>(nz));
  const auto vertex = [nx = nx, ny = ny](Index i, Index j, Index k) {
    return static_cast<VertexId>(i + (nx + 1) * (j + (ny + 1) * k));
  };
  for (Index k = 0; k < nz; ++k)
    for (Index j = 0; j < ny; ++j)
      for (Index i = 0; i < nx; ++i) {
        mesh.hexes.push_back({vertex(i, j, k), vertex(i + 1, j, k), vertex(i + 1, j + 1, k),
                              vertex(i, j + 1, k), vertex(i, j, k + 1), vertex(i + 1, j, k + 1),
                              vertex(i + 1, j + 1, k + 1), vertex(i, j + 1, k + 1)});
        mesh.hex_labels.push_back(0);
      }
  if (kind == ElementKind::kHex) return mesh;
  VolumeMesh tets = split_hexes(mesh);
  return kind == ElementKind::kTet10 ? make_quadratic(std::move(tets)) : tets;
}

}  // namespace pliant
