#include "shapes.hpp"

#include "pliant/base/hash.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

namespace pliant::test {
namespace {

/// Determinant of the trilinear map's derivative at (x, y, z) in [0, 1]³.
double hex_jacobian(const VolumeMesh& mesh, const Hex& hex, const Vector3& at) {
  Matrix3 derivative = Matrix3::Zero();
  constexpr std::array<std::array<int, 3>, 8> kCorner{
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
  for (std::size_t c = 0; c < 8; ++c)
    for (int d = 0; d < 3; ++d) {
      double slope = kCorner[c][d] == 1 ? 1 : -1;
      for (int e = 0; e < 3; ++e)
        if (e != d) slope *= kCorner[c][e] == 1 ? at[e] : 1 - at[e];
      derivative.col(d) += slope * mesh.vertices[hex[c]];
    }
  return derivative.determinant();
}

/// Product rule: value(x, y, z) at all combinations of `points`.
template <class F>
void for_all_points(const std::vector<double>& points, const F& f) {
  for (const double x : points)
    for (const double y : points)
      for (const double z : points) f(Vector3(x, y, z));
}

double hex_volume(const VolumeMesh& mesh, const Hex& hex) {
  const double g = 0.5 / std::sqrt(3.0);
  double sum = 0;
  for_all_points({0.5 - g, 0.5 + g}, [&](const Vector3& at) { sum += hex_jacobian(mesh, hex, at) / 8; });
  return sum;
}

}  // namespace

SurfaceMesh torus_surface(double major, double minor, Index around, Index across) {
  SurfaceMesh surface;
  const double full = 2 * std::numbers::pi;
  for (Index i = 0; i < around; ++i)
    for (Index j = 0; j < across; ++j) {
      const double u = full * static_cast<double>(i) / static_cast<double>(around);
      const double v = full * static_cast<double>(j) / static_cast<double>(across);
      const double r = major + minor * std::cos(v);
      surface.vertices.emplace_back(r * std::cos(u), r * std::sin(u), minor * std::sin(v));
    }
  const auto at = [&](Index i, Index j) { return static_cast<VertexId>((i % around) * across + j % across); };
  for (Index i = 0; i < around; ++i)
    for (Index j = 0; j < across; ++j) {
      surface.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      surface.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return surface;
}

SurfaceMesh star_surface(int levels, const std::function<double(const Vector3&)>& radius) {
  SurfaceMesh surface;
  surface.vertices = {Vector3::UnitX(),  -Vector3::UnitX(), Vector3::UnitY(),
                      -Vector3::UnitY(), Vector3::UnitZ(),  -Vector3::UnitZ()};
  surface.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                       {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<VertexId, VertexId>, VertexId> middles;
    const auto middle = [&](VertexId v, VertexId w) {
      const auto [found, fresh] =
          middles.try_emplace(std::minmax(v, w), static_cast<VertexId>(surface.vertices.size()));
      if (fresh) {
        const Vector3 m = (surface.vertices[v] + surface.vertices[w]).normalized();
        surface.vertices.push_back(m);
      }
      return found->second;
    };
    std::vector<Triangle> finer;
    for (const auto& [a, b, c] : surface.triangles) {
      const VertexId ab = middle(a, b);
      const VertexId bc = middle(b, c);
      const VertexId ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    surface.triangles = std::move(finer);
  }
  for (Vector3& x : surface.vertices) x *= radius(x);
  return surface;
}

SurfaceMesh sphere_surface(int levels, double radius, const Vector3& centre) {
  SurfaceMesh surface = star_surface(levels, [&](const Vector3&) { return radius; });
  for (Vector3& x : surface.vertices) x += centre;
  return surface;
}

SurfaceMesh box_surface(const Vector3& low, const Vector3& high) {
  SurfaceMesh surface;
  for (int i = 0; i < 8; ++i)
    surface.vertices.emplace_back(i & 1 ? high.x() : low.x(), i & 2 ? high.y() : low.y(),
                                  i & 4 ? high.z() : low.z());
  surface.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                       {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return surface;
}

SurfaceMesh joined(const SurfaceMesh& a, const SurfaceMesh& b) {
  SurfaceMesh surface = a;
  const auto shift = static_cast<VertexId>(a.vertices.size());
  surface.vertices.insert(surface.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const auto& [u, v, w] : b.triangles) surface.triangles.push_back({u + shift, v + shift, w + shift});
  return surface;
}

SurfaceMesh turned_inside_out(SurfaceMesh surface) {
  for (Triangle& t : surface.triangles) std::swap(t[1], t[2]);
  return surface;
}

double tet_volume(const VolumeMesh& mesh, const Tet& tet) {
  const Vector3& a = mesh.vertices[tet[0]];
  return (mesh.vertices[tet[1]] - a).cross(mesh.vertices[tet[2]] - a).dot(mesh.vertices[tet[3]] - a) / 6;
}

double mesh_volume(const VolumeMesh& mesh) {
  double sum = 0;
  for (const Tet& tet : mesh.tets) sum += tet_volume(mesh, tet);
  for (const Hex& hex : mesh.hexes) sum += hex_volume(mesh, hex);
  return sum;
}

std::pair<double, double> dihedral_range(const VolumeMesh& mesh) {
  double smallest = 180;
  double largest = 0;
  for (const Tet& tet : mesh.tets) {
    std::array<Vector3, 4> normal;
    for (std::size_t f = 0; f < 4; ++f) {
      const Vector3& a = mesh.vertices[tet[kTetFaces[f][0]]];
      normal[f] = (mesh.vertices[tet[kTetFaces[f][1]]] - a)
                      .cross(mesh.vertices[tet[kTetFaces[f][2]]] - a)
                      .normalized();
    }
    for (std::size_t f = 0; f < 4; ++f)
      for (std::size_t g = f + 1; g < 4; ++g) {
        const double angle =
            180 / std::numbers::pi * std::atan2(normal[f].cross(normal[g]).norm(), -normal[f].dot(normal[g]));
        smallest = std::min(smallest, angle);
        largest = std::max(largest, angle);
      }
  }
  return {smallest, largest};
}

double smallest_jacobian_ratio(const VolumeMesh& mesh) {
  double smallest = 1;
  for (const Tet& tet : mesh.tets)
    if (!(tet_volume(mesh, tet) > 0)) return -1;
  const double g = 0.5 * std::sqrt(0.6);
  for (const Hex& hex : mesh.hexes) {
    const double mean = hex_volume(mesh, hex);
    for_all_points({0, 0.5 - g, 0.5, 0.5 + g, 1}, [&](const Vector3& at) {
      smallest = std::min(smallest, mean > 0 ? hex_jacobian(mesh, hex, at) / mean : -1.0);
    });
  }
  return smallest;
}

Index bad_boundary_edges(const VolumeMesh& mesh) {
  std::map<std::pair<VertexId, VertexId>, int> faces;
  for (const BoundaryFace& face : boundary_faces(mesh))
    for (int i = 0; i < face.size(); ++i)
      ++faces[std::minmax(face.vertices[i], face.vertices[(i + 1) % face.size()])];
  return std::count_if(faces.begin(), faces.end(), [](const auto& edge) { return edge.second != 2; });
}

Index bad_boundary_vertices(const VolumeMesh& mesh) {
  // Around a vertex each boundary face leads from its one neighbour to the next: one walk must visit them
  // all.
  std::map<VertexId, std::map<VertexId, VertexId>> steps;
  for (const BoundaryFace& face : boundary_faces(mesh))
    for (int i = 0; i < face.size(); ++i)
      steps[face.vertices[i]][face.vertices[(i + 1) % face.size()]] =
          face.vertices[(i + face.size() - 1) % face.size()];
  return std::count_if(steps.begin(), steps.end(), [](const auto& entry) {
    const auto& next = entry.second;
    std::size_t visited = 0;
    VertexId at = next.begin()->first;
    do {
      const auto step = next.find(at);
      if (step == next.end()) return true;
      at = step->second;
      ++visited;
    } while (at != next.begin()->first && visited <= next.size());
    return visited != next.size();
  });
}

Index bad_surface_edges(const SurfaceMesh& surface) {
  std::map<std::pair<VertexId, VertexId>, int> walks;
  for (const Triangle& t : surface.triangles)
    for (std::size_t i = 0; i < 3; ++i) ++walks[{t[i], t[(i + 1) % 3]}];
  return std::count_if(walks.begin(), walks.end(), [&](const auto& walk) {
    const auto back = walks.find({walk.first.second, walk.first.first});
    return walk.second != 1 || back == walks.end() || back->second != 1;
  });
}

Index face_components(const VolumeMesh& mesh) {
  std::vector<std::pair<std::array<VertexId, 4>, Index>> faces;
  const auto add = [&](std::array<VertexId, 4> face, Index element) {
    std::sort(face.begin(), face.end());
    faces.emplace_back(face, element);
  };
  Index element = 0;
  for (const Tet& t : mesh.tets) {
    for (const auto& f : kTetFaces) add({t[f[0]], t[f[1]], t[f[2]], -1}, element);
    ++element;
  }
  for (const Hex& h : mesh.hexes) {
    for (const auto& f : kHexFaces) add({h[f[0]], h[f[1]], h[f[2]], h[f[3]]}, element);
    ++element;
  }
  std::sort(faces.begin(), faces.end());
  std::vector<Index> parent(to_size(element));
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  Index count = element;
  for (std::size_t i = 0; i + 1 < faces.size(); ++i) {
    if (faces[i].first != faces[i + 1].first) continue;
    const Index a = root(faces[i].second);
    const Index b = root(faces[i + 1].second);
    if (a != b) --count;
    parent[a] = b;
  }
  return count;
}

std::string mesh_hash(const VolumeMesh& mesh) {
  Hasher hasher;
  for (const Vector3& x : mesh.vertices) hasher.add(x.data(), sizeof(double) * 3);
  hasher.add(mesh.tets.data(), mesh.tets.size() * sizeof(Tet));
  hasher.add(mesh.hexes.data(), mesh.hexes.size() * sizeof(Hex));
  hasher.add(mesh.tet_labels.data(), mesh.tet_labels.size() * sizeof(Label));
  return hasher.hex();
}

}  // namespace pliant::test
