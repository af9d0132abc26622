#include "pliant/mesh/domains/element_graph.hpp"

#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/core/tet10.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace pliant {
namespace {

/// One side of a face. Both sides have the same sorted vertices.
struct FaceSide {
  std::array<VertexId, 4> sorted;
  std::array<VertexId, 4> vertices;
  Index element;
};

FaceSide make_side(const std::array<VertexId, 4>& vertices, Index element) {
  FaceSide side{vertices, vertices, element};
  std::sort(side.sorted.begin(), side.sorted.end());
  return side;
}

template <class Element, class Faces>
void add_sides(const std::vector<Element>& elements, const Faces& faces, Index first,
               std::vector<FaceSide>& sides) {
  for (std::size_t e = 0; e < elements.size(); ++e) {
    for (const auto& face : faces) {
      std::array<VertexId, 4> vertices{-1, -1, -1, -1};
      for (std::size_t i = 0; i < face.size(); ++i) vertices[i] = elements[e][to_size(face[i])];
      sides.push_back(make_side(vertices, first + static_cast<Index>(e)));
    }
  }
}

std::vector<FaceSide> all_sides(const VolumeMesh& mesh) {
  std::vector<FaceSide> sides;
  sides.reserve(4 * (mesh.tets.size() + mesh.tet10s.size()) + 6 * mesh.hexes.size());
  add_sides(mesh.tets, kTetFaces, 0, sides);
  add_sides(mesh.hexes, kHexFaces, mesh.first_hex(), sides);
  add_sides(mesh.tet10s, kTetFaces, mesh.first_tet10(), sides);
  std::sort(sides.begin(), sides.end(), [](const FaceSide& a, const FaceSide& b) {
    return std::tie(a.sorted, a.element) < std::tie(b.sorted, b.element);
  });
  return sides;
}

/// Sorts all faces; those that occur twice lie between two elements.
class FaceFinder {
 public:
  explicit FaceFinder(const VolumeMesh& mesh) : mesh_(mesh) {}

  std::vector<InnerFace> find() {
    const std::vector<FaceSide> sides = all_sides(mesh_);
    std::vector<FaceSide> single;
    for (std::size_t i = 0; i < sides.size();) {
      std::size_t j = i + 1;
      while (j < sides.size() && sides[j].sorted == sides[i].sorted) {
        add(sides[j - 1].element, sides[j].element, sides[j].vertices);
        ++j;
      }
      if (j == i + 1) single.push_back(sides[i]);
      i = j;
    }
    match_split_quads(single);
    std::sort(faces_.begin(), faces_.end(), [](const InnerFace& a, const InnerFace& b) {
      return std::tie(a.elements, a.vertices) < std::tie(b.elements, b.vertices);
    });
    return std::move(faces_);
  }

 private:
  void add(Index a, Index b, const std::array<VertexId, 4>& vertices) {
    if (a == b) return;
    InnerFace& face = faces_.emplace_back(
        InnerFace{{std::min(a, b), std::max(a, b)}, vertices, face_shares(mesh_, vertices).area});
    if (face.elements[0] < mesh_.first_tet10()) return;
    const Tet10& tet = mesh_.tet10s[to_size(face.elements[0] - mesh_.first_tet10())];
    face.midsides = face_midsides(tet, {vertices[0], vertices[1], vertices[2]});
  }

  /// Finds quads of hexes that lie on two triangles of tets, split along either diagonal.
  void match_split_quads(const std::vector<FaceSide>& single) {
    const auto find = [&](VertexId a, VertexId b, VertexId c) -> const FaceSide* {
      const std::array<VertexId, 4> key = make_side({a, b, c, -1}, 0).sorted;
      const auto found =
          std::lower_bound(single.begin(), single.end(), key,
                           [](const FaceSide& side, const auto& sorted) { return side.sorted < sorted; });
      return found != single.end() && found->sorted == key ? &*found : nullptr;
    };
    for (const FaceSide& quad : single) {
      if (quad.vertices[3] < 0) continue;
      for (const std::size_t first : {0U, 1U}) {
        const auto at = [&](std::size_t k) { return quad.vertices[(first + k) % 4]; };
        const FaceSide* one = find(at(0), at(1), at(2));
        const FaceSide* two = find(at(0), at(2), at(3));
        if (one == nullptr || two == nullptr) continue;
        add(quad.element, one->element, one->vertices);
        add(quad.element, two->element, two->vertices);
        break;
      }
    }
  }

  const VolumeMesh& mesh_;
  std::vector<InnerFace> faces_;
};

}  // namespace

std::span<const VertexId> element_vertices(const VolumeMesh& mesh, Index element) {
  return mesh.element_vertices(element);
}

Vector3 element_centroid(const VolumeMesh& mesh, Index element) {
  const auto vertices = mesh.element_corners(element);
  Vector3 sum = Vector3::Zero();
  for (const VertexId v : vertices) sum += mesh.vertices[to_size(v)];
  return sum / static_cast<double>(vertices.size());
}

double element_volume(const VolumeMesh& mesh, Index element) {
  if (element < mesh.first_hex()) return tet_volume(corners(mesh, mesh.tets[to_size(element)]));
  if (element < mesh.first_tet10())
    return hex_volume(corners(mesh, mesh.hexes[to_size(element - mesh.first_hex())]));
  return tet10_volume(corners(mesh, mesh.tet10s[to_size(element - mesh.first_tet10())]));
}

FaceShares face_shares(const VolumeMesh& mesh, const std::array<VertexId, 4>& vertices) {
  FaceShares result;
  const auto add = [&](std::size_t a, std::size_t b, std::size_t c, double factor) {
    const auto at = [&](std::size_t i) { return mesh.vertices[to_size(vertices[i])]; };
    const double area = factor * 0.5 * (at(b) - at(a)).cross(at(c) - at(a)).norm();
    result.area += area;
    for (const std::size_t i : {a, b, c}) result.shares[i] += area / 3.0;
  };
  // Quads: both splits, half each, so that neither diagonal is preferred.
  if (vertices[3] < 0) {
    add(0, 1, 2, 1.0);
  } else {
    add(0, 1, 2, 0.5);
    add(0, 2, 3, 0.5);
    add(1, 2, 3, 0.5);
    add(1, 3, 0, 0.5);
  }
  return result;
}

ElementGraph element_graph(const VolumeMesh& mesh) {
  ElementGraph graph;
  graph.faces = FaceFinder(mesh).find();
  graph.starts.assign(to_size(mesh.element_count()) + 1, 0);
  for (const InnerFace& face : graph.faces)
    for (const Index e : face.elements) ++graph.starts[to_size(e) + 1];
  for (std::size_t e = 1; e < graph.starts.size(); ++e) graph.starts[e] += graph.starts[e - 1];
  graph.list.resize(to_size(graph.starts.back()));
  std::vector<Index> next(graph.starts.begin(), graph.starts.end() - 1);
  for (std::size_t f = 0; f < graph.faces.size(); ++f)
    for (const Index e : graph.faces[f].elements)
      graph.list[to_size(next[to_size(e)]++)] = static_cast<Index>(f);
  return graph;
}

Index count_patches(const ElementGraph& graph, std::span<const Index> faces) {
  std::vector<std::size_t> root(faces.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  // Union–find over the faces, joined at common vertices.
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  std::unordered_map<VertexId, std::size_t> first;  // the first face at each vertex
  double whole = 0.0;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const InnerFace& face = graph.faces[to_size(faces[i])];
    whole += face.area;
    for (int k = 0; k < face.size(); ++k) {
      const auto found = first.emplace(face.vertices[to_size(k)], i).first;
      root[find(i)] = find(found->second);
    }
  }
  std::vector<double> area(faces.size(), 0.0);
  for (std::size_t i = 0; i < faces.size(); ++i) area[find(i)] += graph.faces[to_size(faces[i])].area;
  // Smaller patches are unevenness of the mesh.
  return std::count_if(area.begin(), area.end(), [&](double a) { return a > 0.05 * whole; });
}

/// Flood fill from each element that has no part yet.
ElementParts connected_parts(const ElementGraph& graph, std::span<const Index> group) {
  ElementParts parts;
  parts.of_element.assign(to_size(graph.element_count()), -1);
  const auto joined = [&](Index a, Index b) {
    return group.empty() || group[to_size(a)] == group[to_size(b)];
  };
  std::vector<Index> stack;
  for (Index seed = 0; seed < graph.element_count(); ++seed) {
    if (parts.of_element[to_size(seed)] >= 0) continue;
    parts.of_element[to_size(seed)] = parts.count;
    stack.push_back(seed);
    while (!stack.empty()) {
      const Index element = stack.back();
      stack.pop_back();
      for (const Index face : graph.faces_of(element)) {
        const Index other = graph.across(face, element);
        Index& of = parts.of_element[to_size(other)];
        if (of >= 0 || !joined(element, other)) continue;
        of = parts.count;
        stack.push_back(other);
      }
    }
    ++parts.count;
  }
  return parts;
}

}  // namespace pliant
