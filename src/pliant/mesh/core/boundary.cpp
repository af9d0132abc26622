#include "pliant/mesh/core/boundary.hpp"

#include "pliant/mesh/core/tet10.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>

namespace pliant {
namespace {

/// A face by its sorted vertices, so that both sides of a face compare equal. The key of a triangle begins
/// with −1.
using FaceKey = std::array<VertexId, 4>;

struct Face {
  FaceKey vertices;
  FaceKey sorted;
  Index element;
};

/// Sorts four numbers by a network of five comparisons.
FaceKey make_key(FaceKey v) {
  const auto order = [&](std::size_t a, std::size_t b) {
    const VertexId low = std::min(v[a], v[b]), high = std::max(v[a], v[b]);
    v[a] = low;
    v[b] = high;
  };
  order(0, 1);
  order(2, 3);
  order(0, 2);
  order(1, 3);
  order(1, 2);
  return v;
}

/// Compares two words of 64 bits: the library's comparison is a call that would cost more than all else here.
bool equal(const FaceKey& a, const FaceKey& b) {
  using Words = std::array<std::uint64_t, 2>;
  const auto x = std::bit_cast<Words>(a), y = std::bit_cast<Words>(b);
  return ((x[0] ^ y[0]) | (x[1] ^ y[1])) == 0;
}

/// visit(vertices, element) for all faces of all elements, element by element.
template <class Visit>
void for_each_face(const VolumeMesh& mesh, const Visit& visit) {
  Index element = 0;
  for (const Tet& tet : mesh.tets) {
    const auto at = [&](int i) { return tet[to_size(i)]; };
    for (const auto& [a, b, c] : kTetFaces) visit(FaceKey{at(a), at(b), at(c), -1}, element);
    ++element;
  }
  for (const Hex& hex : mesh.hexes) {
    const auto at = [&](int i) { return hex[to_size(i)]; };
    for (const auto& [a, b, c, d] : kHexFaces) visit(FaceKey{at(a), at(b), at(c), at(d)}, element);
    ++element;
  }
  for (const Tet10& tet : mesh.tet10s) {
    const auto at = [&](int i) { return tet[to_size(i)]; };
    for (const auto& [a, b, c] : kTetFaces) visit(FaceKey{at(a), at(b), at(c), -1}, element);
    ++element;
  }
}

/// For each face, whether no other one equals it; by sorting.
std::vector<char> alone_by_order(const std::vector<FaceKey>& keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  std::vector<char> alone(keys.size(), 1);
  for (std::size_t i = 1; i < order.size(); ++i)
    if (equal(keys[order[i - 1]], keys[order[i]])) alone[order[i - 1]] = alone[order[i]] = 0;
  return alone;
}

/// The same without sorting: each face is compared with the earlier ones whose vertex numbers have the same
/// sum, few as a rule. Returns an empty list if they turn out to be too many.
std::vector<char> alone_by_sum(const std::vector<FaceKey>& keys, Index vertices) {
  constexpr std::size_t kMost = 64;  // comparisons per face, on average
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  // Chains of faces with equal sums: the latest one, and for each face the one before it.
  std::vector<std::size_t> latest(to_size(4 * vertices), kNone), before(keys.size());
  std::vector<char> alone(keys.size(), 1);
  std::size_t left = kMost * keys.size();
  for (std::size_t face = 0; face < keys.size(); ++face) {
    const FaceKey& key = keys[face];
    std::size_t sum = key[0] < 0 ? 0 : to_size(key[0]);
    for (std::size_t k = 1; k < 4; ++k) sum += to_size(key[k]);
    for (std::size_t other = latest[sum]; other != kNone; other = before[other]) {
      if (left-- == 0) return {};
      if (!equal(keys[other], key)) continue;
      alone[face] = alone[other] = 0;
      break;
    }
    before[face] = latest[sum];
    latest[sum] = face;
  }
  return alone;
}

/// The faces that no other face equals, in order.
std::vector<Face> unpaired_faces(const VolumeMesh& mesh) {
  std::vector<FaceKey> keys;
  keys.reserve(4 * (mesh.tets.size() + mesh.tet10s.size()) + 6 * mesh.hexes.size());
  for_each_face(mesh, [&](const FaceKey& v, Index) { keys.push_back(make_key(v)); });
  std::vector<char> alone = alone_by_sum(keys, mesh.vertex_count());
  if (alone.empty()) alone = alone_by_order(keys);
  std::vector<Face> result;
  result.reserve(to_size(std::count(alone.begin(), alone.end(), char{1})));
  std::size_t face = 0;
  for_each_face(mesh, [&](const FaceKey& v, Index element) {
    if (alone[face] != 0) result.push_back({v, keys[face], element});
    ++face;
  });
  return result;
}

/// In mixed meshes the quad of a hex may lie on the triangles of two tets, split along either diagonal. All
/// three are inner faces.
void drop_split_quads(std::vector<Face>& outer) {
  std::vector<std::size_t> order(outer.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return outer[a].sorted < outer[b].sorted; });
  std::vector<char> inner(outer.size(), 0);
  const auto find = [&](VertexId a, VertexId b, VertexId c) {
    const FaceKey key = make_key({a, b, c, -1});
    const auto found = std::lower_bound(order.begin(), order.end(), key,
                                        [&](std::size_t f, const FaceKey& k) { return outer[f].sorted < k; });
    return found != order.end() && outer[*found].sorted == key ? *found : outer.size();
  };
  for (std::size_t i = 0; i < outer.size(); ++i) {
    const auto& v = outer[i].vertices;
    if (v[3] < 0) continue;
    for (const std::size_t first : {0U, 1U}) {
      const auto at = [&](std::size_t k) { return v[(first + k) % 4]; };
      const std::size_t one = find(at(0), at(1), at(2)), two = find(at(0), at(2), at(3));
      if (one == outer.size() || two == outer.size()) continue;
      inner[i] = inner[one] = inner[two] = 1;
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < outer.size(); ++i)
    if (inner[i] == 0) outer[kept++] = outer[i];
  outer.resize(kept);
}

/// The labelled faces of the file, by sorted vertices.
std::vector<std::pair<FaceKey, Label>> labelled_faces(const VolumeMesh& mesh) {
  std::vector<std::pair<FaceKey, Label>> labelled;
  labelled.reserve(mesh.triangles.size() + mesh.quads.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    labelled.emplace_back(make_key({t[0], t[1], t[2], -1}), mesh.triangle_labels[i]);
  }
  for (std::size_t i = 0; i < mesh.quads.size(); ++i)
    labelled.emplace_back(make_key(mesh.quads[i]), mesh.quad_labels[i]);
  std::stable_sort(labelled.begin(), labelled.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return labelled;
}

/// None unless the element is quadratic.
std::array<VertexId, 3> midsides_of(const VolumeMesh& mesh, const Face& face) {
  if (face.element < mesh.first_tet10()) return {-1, -1, -1};
  const Tet10& tet = mesh.tet10s[to_size(face.element - mesh.first_tet10())];
  return face_midsides(tet, {face.vertices[0], face.vertices[1], face.vertices[2]});
}

}  // namespace

std::vector<BoundaryFace> boundary_faces(const VolumeMesh& mesh) {
  std::vector<Face> outer = unpaired_faces(mesh);
  if (!mesh.hexes.empty() && mesh.element_count() > std::ssize(mesh.hexes)) drop_split_quads(outer);
  // Labels are looked up by sorted vertices, since a file may list a face in any order.
  const auto labelled = labelled_faces(mesh);
  std::vector<BoundaryFace> result;
  result.reserve(outer.size());
  for (const Face& face : outer) {
    const auto found = std::lower_bound(labelled.begin(), labelled.end(), face.sorted,
                                        [](const auto& entry, const auto& key) { return entry.first < key; });
    const bool has_label = found != labelled.end() && found->first == face.sorted;
    result.push_back({face.vertices, face.element, has_label ? found->second : 0, midsides_of(mesh, face)});
  }
  return result;
}

std::vector<Triangle> boundary_triangles(const std::vector<BoundaryFace>& faces) {
  std::vector<Triangle> triangles;
  for (const BoundaryFace& face : faces) {
    const auto& v = face.vertices;
    if (face.is_quadratic()) {
      const auto& m = face.midsides;
      for (const Triangle& t : {Triangle{v[0], m[0], m[2]}, Triangle{m[0], v[1], m[1]},
                                Triangle{m[2], m[1], v[2]}, Triangle{m[0], m[1], m[2]}})
        triangles.push_back(t);
      continue;
    }
    triangles.push_back({v[0], v[1], v[2]});
    if (face.size() == 4) triangles.push_back({v[0], v[2], v[3]});
  }
  return triangles;
}

BoundarySurface boundary_surface(const VolumeMesh& mesh) {
  return boundary_surface(mesh, boundary_faces(mesh));
}

BoundarySurface boundary_surface(const VolumeMesh& mesh, const std::vector<BoundaryFace>& faces) {
  BoundarySurface result;
  result.surface.triangles = boundary_triangles(faces);
  std::vector<VertexId> number(mesh.vertices.size(), -1);
  for (const Triangle& triangle : result.surface.triangles)
    for (const VertexId v : triangle) number[to_size(v)] = 0;  // marks vertices in use; numbered below
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<VertexId>(result.origin.size());
    result.origin.push_back(static_cast<VertexId>(v));
    result.surface.vertices.push_back(mesh.vertices[v]);
  }
  for (Triangle& triangle : result.surface.triangles)
    for (VertexId& v : triangle) v = number[to_size(v)];
  return result;
}

}  // namespace pliant
