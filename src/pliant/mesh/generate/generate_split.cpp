#include "pliant/mesh/generate/generate.hpp"

#include <algorithm>

namespace pliant {

VolumeMesh split_any_hexes(const VolumeMesh& hexes) {
  VolumeMesh result;
  result.vertices = hexes.vertices;
  result.tets = hexes.tets;
  result.tet_labels = hexes.tet_labels;
  result.region_names = hexes.region_names;
  result.tets.reserve(result.tets.size() + 6 * hexes.hexes.size());
  for (std::size_t h = 0; h < hexes.hexes.size(); ++h) {
    const Hex& hex = hexes.hexes[h];
    const VertexId apex = *std::min_element(hex.begin(), hex.end());
    for (const auto& local : kHexFaces) {
      Quad face{hex[local[0]], hex[local[1]], hex[local[2]], hex[local[3]]};
      if (std::find(face.begin(), face.end(), apex) != face.end()) continue;
      // Faces are counter-clockwise seen from outside, and the apex lies behind them: the tets are positively
      // oriented.
      std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
      result.tets.push_back({apex, face[0], face[1], face[2]});
      result.tets.push_back({apex, face[0], face[2], face[3]});
      result.tet_labels.insert(result.tet_labels.end(), 2, hexes.hex_labels[h]);
    }
  }
  return result;
}

}  // namespace pliant
