#include "pliant/mesh/boundary.hpp"

#include <algorithm>

namespace pliant {
namespace {

/// A face by its sorted vertices, so that both sides compare equal.
struct FaceKey {
  std::array<VertexId, 4> sorted;
  std::array<VertexId, 4> vertices;
  Index element;
  int local;
};

FaceKey make_key(std::array<VertexId, 4> vertices, Index element, int local) {
  FaceKey key{vertices, vertices, element, local};
  std::sort(key.sorted.begin(), key.sorted.end());
  return key;
}

std::vector<FaceKey> all_faces(const VolumeMesh& mesh) {
  std::vector<FaceKey> faces;
  faces.reserve(4 * mesh.tets.size() + 6 * mesh.hexes.size());
  Index element = 0;
  for (const Tet& tet : mesh.tets) {
    for (int f = 0; f < 4; ++f) {
      const auto& local = kTetFaces[static_cast<std::size_t>(f)];
      const auto at = [&](int i) {
        return tet[static_cast<std::size_t>(local[static_cast<std::size_t>(i)])];
      };
      faces.push_back(make_key({at(0), at(1), at(2), -1}, element, f));
    }
    ++element;
  }
  for (const Hex& hex : mesh.hexes) {
    for (int f = 0; f < 6; ++f) {
      const auto& local = kHexFaces[static_cast<std::size_t>(f)];
      const auto at = [&](int i) {
        return hex[static_cast<std::size_t>(local[static_cast<std::size_t>(i)])];
      };
      faces.push_back(make_key({at(0), at(1), at(2), at(3)}, element, f));
    }
    ++element;
  }
  return faces;
}

/// In mixed meshes a hex's quad may lie on two tets' triangles, along either diagonal: all three are inner
/// faces. `outer` is sorted by its sorted vertices, and stays so.
void drop_split_quads(std::vector<FaceKey>& outer) {
  std::vector<char> inner(outer.size(), 0);
  const auto find = [&](VertexId a, VertexId b, VertexId c) {
    const std::array<VertexId, 4> key = make_key({a, b, c, -1}, 0, 0).sorted;
    const auto found =
        std::lower_bound(outer.begin(), outer.end(), key,
                         [](const FaceKey& face, const auto& sorted) { return face.sorted < sorted; });
    return found != outer.end() && found->sorted == key ? found - outer.begin() : std::ptrdiff_t{-1};
  };
  for (std::size_t i = 0; i < outer.size(); ++i) {
    const auto& v = outer[i].vertices;
    if (v[3] < 0) continue;
    for (const std::size_t first : {0U, 1U}) {
      const auto at = [&](std::size_t k) { return v[(first + k) % 4]; };
      const std::ptrdiff_t one = find(at(0), at(1), at(2));
      const std::ptrdiff_t two = find(at(0), at(2), at(3));
      if (one < 0 || two < 0) continue;
      inner[i] = inner[static_cast<std::size_t>(one)] = inner[static_cast<std::size_t>(two)] = 1;
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < outer.size(); ++i)
    if (inner[i] == 0) outer[kept++] = outer[i];
  outer.resize(kept);
}

/// The file's labelled faces by sorted vertices.
std::vector<std::pair<std::array<VertexId, 4>, Label>> labelled_faces(const VolumeMesh& mesh) {
  std::vector<std::pair<std::array<VertexId, 4>, Label>> labelled;
  labelled.reserve(mesh.triangles.size() + mesh.quads.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    labelled.emplace_back(make_key({t[0], t[1], t[2], -1}, 0, 0).sorted, mesh.triangle_labels[i]);
  }
  for (std::size_t i = 0; i < mesh.quads.size(); ++i)
    labelled.emplace_back(make_key(mesh.quads[i], 0, 0).sorted, mesh.quad_labels[i]);
  std::stable_sort(labelled.begin(), labelled.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return labelled;
}

}  // namespace

std::vector<BoundaryFace> boundary_faces(const VolumeMesh& mesh) {
  std::vector<FaceKey> faces = all_faces(mesh);
  std::sort(faces.begin(), faces.end(),
            [](const FaceKey& a, const FaceKey& b) { return a.sorted < b.sorted; });
  std::vector<FaceKey> outer;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t j = i + 1;
    while (j < faces.size() && faces[j].sorted == faces[i].sorted) ++j;
    if (j == i + 1) outer.push_back(faces[i]);
    i = j;
  }
  drop_split_quads(outer);
  std::sort(outer.begin(), outer.end(), [](const FaceKey& a, const FaceKey& b) {
    return std::pair(a.element, a.local) < std::pair(b.element, b.local);
  });

  const auto labelled = labelled_faces(mesh);
  std::vector<BoundaryFace> result;
  result.reserve(outer.size());
  for (const FaceKey& face : outer) {
    const auto found = std::lower_bound(labelled.begin(), labelled.end(), face.sorted,
                                        [](const auto& entry, const auto& key) { return entry.first < key; });
    const bool has_label = found != labelled.end() && found->first == face.sorted;
    result.push_back({face.vertices, face.element, has_label ? found->second : 0});
  }
  return result;
}

std::vector<Triangle> boundary_triangles(const std::vector<BoundaryFace>& faces) {
  std::vector<Triangle> triangles;
  for (const BoundaryFace& face : faces) {
    const auto& v = face.vertices;
    triangles.push_back({v[0], v[1], v[2]});
    if (face.size() == 4) triangles.push_back({v[0], v[2], v[3]});
  }
  return triangles;
}

BoundarySurface boundary_surface(const VolumeMesh& mesh) {
  BoundarySurface result;
  result.surface.triangles = boundary_triangles(boundary_faces(mesh));
  std::vector<VertexId> number(mesh.vertices.size(), -1);
  for (const Triangle& triangle : result.surface.triangles)
    for (const VertexId v : triangle) number[static_cast<std::size_t>(v)] = 0;
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<VertexId>(result.origin.size());
    result.origin.push_back(static_cast<VertexId>(v));
    result.surface.vertices.push_back(mesh.vertices[v]);
  }
  for (Triangle& triangle : result.surface.triangles)
    for (VertexId& v : triangle) v = number[static_cast<std::size_t>(v)];
  return result;
}

}  // namespace pliant
