#include "pliant/reduce/domain_patch.hpp"

#include "pliant/base/hash.hpp"
#include "pliant/math/dense.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace pliant {
namespace {

constexpr double kCongruent = 1e-9;  // of the size of the patch
constexpr double kDepth = 1.75;      // of automatic rings, over the radius of the widest interface
constexpr double kNarrow = 0.1;      // radius of an interface over the size of the body
constexpr Index kFewestRings = 2, kMostRings = 8;
constexpr double kOnALine = 1e-6;  // width of held vertices over their length

template <class T>
void sort_unique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// The elements and all others that touch them.
std::vector<Index> grown(const VolumeMesh& mesh, const VertexElements& elements_at,
                         const std::vector<Index>& elements) {
  std::vector<VertexId> vertices;
  for (const Index e : elements) {
    const auto corners = mesh.element_vertices(e);
    vertices.insert(vertices.end(), corners.begin(), corners.end());
  }
  sort_unique(vertices);
  std::vector<Index> result;
  for (const VertexId v : vertices) {
    const auto around = elements_at.at(v);
    result.insert(result.end(), around.begin(), around.end());
  }
  sort_unique(result);
  return result;
}

/// Vertices of the part that elements outside of it use, by the domain that they lie in.
std::map<Index, std::vector<VertexId>> outer_cuts(const VertexElements& elements_at, const SubMesh& part,
                                                  const std::vector<Index>& domain_of) {
  std::map<Index, std::vector<VertexId>> cuts;
  for (std::size_t i = 0; i < part.vertices.size(); ++i) {
    const auto around = elements_at.at(part.vertices[i]);
    const bool outside = std::any_of(around.begin(), around.end(), [&](Index e) {
      return !std::binary_search(part.elements.begin(), part.elements.end(), e);
    });
    if (outside) cuts[domain_of[to_size(part.vertices[i])]].push_back(static_cast<VertexId>(i));
  }
  return cuts;
}

/// The domain's own vertices that coupling elements use, by the other domains of these elements.
std::map<Index, std::vector<VertexId>> own_cuts(const VolumeMesh& mesh, const std::vector<Index>& elements,
                                                const std::vector<Index>& domain_of, Index domain) {
  std::map<Index, std::vector<VertexId>> cuts;
  for (const Index e : elements)
    for (const VertexId v : mesh.element_vertices(e)) {
      if (domain_of[to_size(v)] != domain) continue;
      for (const VertexId w : mesh.element_vertices(e))
        if (const Index other = domain_of[to_size(w)]; other != domain) cuts[other].push_back(v);
    }
  for (auto& [other, vertices] : cuts) sort_unique(vertices);
  return cuts;
}

/// √ of the mean squared distance from their centre.
double radius_of(const VolumeMesh& mesh, const std::vector<VertexId>& vertices) {
  const auto count = static_cast<double>(vertices.size());
  Vector3 center = Vector3::Zero();
  for (const VertexId v : vertices) center += mesh.vertices[to_size(v)] / count;
  double sum = 0.0;
  for (const VertexId v : vertices) sum += (mesh.vertices[to_size(v)] - center).squaredNorm();
  return std::sqrt(sum / count);
}

double size_of(const VolumeMesh& mesh) {
  Vector3 low = mesh.vertices.front(), high = low;
  for (const Vector3& x : mesh.vertices) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return (high - low).norm();
}

bool same_cuts(const std::vector<Patch>& a, const std::vector<Patch>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Patch& x, const Patch& y) { return x.vertices == y.vertices; });
}

template <class T>
void add_list(Hasher& hasher, const std::vector<T>& list) {
  const std::uint64_t size = list.size();  // sizes keep neighbouring lists apart in the hash
  hasher.add(&size, sizeof(size));
  hasher.add(list.data(), list.size() * sizeof(T));
}

}  // namespace

VertexElements::VertexElements(const VolumeMesh& mesh) : starts_(mesh.vertices.size() + 1, 0) {
  for_each_element(mesh, [&](Index /*e*/, std::span<const VertexId> vertices) {
    for (const VertexId v : vertices) ++starts_[to_size(v) + 1];
  });
  for (std::size_t v = 1; v < starts_.size(); ++v) starts_[v] += starts_[v - 1];
  elements_.resize(to_size(starts_.back()));
  std::vector<Index> next = starts_;
  for_each_element(mesh, [&](Index e, std::span<const VertexId> vertices) {
    for (const VertexId v : vertices) elements_[to_size(next[to_size(v)]++)] = e;
  });
  if (!mesh.vertices.empty()) size_ = size_of(mesh);
}

Index deep_rings(const VolumeMesh& mesh, const VertexElements& elements_at,
                 const std::vector<Index>& domain_of, Index domain, const std::vector<Index>& inner) {
  const std::vector<Index> touching = grown(mesh, elements_at, inner);
  double radius = 0.0;
  for (const auto& [other, vertices] : own_cuts(mesh, touching, domain_of, domain))
    radius = std::max(radius, radius_of(mesh, vertices));
  double length = 0.0;  // of an edge of the coupling elements, the mean
  Index edges = 0;
  for (const Index e : touching) {
    if (std::binary_search(inner.begin(), inner.end(), e)) continue;
    const auto corners = mesh.element_corners(e);
    for (std::size_t i = 1; i < corners.size(); ++i, ++edges)
      length += (mesh.vertices[to_size(corners[i])] - mesh.vertices[to_size(corners[i - 1])]).norm();
  }
  if (edges == 0) return kFewestRings;
  const double depth = kDepth * radius * static_cast<double>(edges) / length;
  const Index wanted = std::clamp(static_cast<Index>(std::ceil(depth)), kFewestRings, kMostRings);
  // A patch that is most of the body is cut at its far corners only, where forces tell little.
  std::vector<Index> elements = touching;
  for (Index rings = 1; rings < wanted; ++rings) {
    elements = grown(mesh, elements_at, elements);
    if (rings >= kFewestRings && 10 * std::ssize(elements) > 9 * mesh.element_count()) return rings;
  }
  return wanted;
}

DomainPatch cut_patch(const VolumeMesh& bare, const VertexElements& elements_at, const MaterialMap& materials,
                      const std::vector<Index>& domain_of, const std::vector<VertexId>& held, Index domain,
                      const std::vector<Index>& inner, Index rings) {
  DomainPatch patch;
  patch.rings = rings;
  std::vector<Index> elements = inner;
  for (Index ring = 0; ring < std::max<Index>(rings, 1); ++ring)
    elements = grown(bare, elements_at, elements);
  patch.part = extract_elements(bare, std::move(elements));
  const SubMesh& part = patch.part;
  patch.materials.materials = materials.materials;
  for (const Index e : part.elements) patch.materials.of_element.push_back(materials.of_element[to_size(e)]);
  for (const VertexId v : part.vertices) patch.own.push_back(domain_of[to_size(v)] == domain ? 1 : 0);
  for (std::size_t i = 0; i < part.vertices.size(); ++i)
    if (std::binary_search(held.begin(), held.end(), part.vertices[i]))
      patch.held.push_back(static_cast<VertexId>(i));
  const auto interfaces = own_cuts(bare, part.elements, domain_of, domain);
  patch.chain = interfaces.size() <= 2;
  for (const auto& [other, vertices] : interfaces)
    patch.chain = patch.chain && radius_of(bare, vertices) < kNarrow * elements_at.size();
  auto cuts = rings > 0 ? outer_cuts(elements_at, part, domain_of) : interfaces;
  for (auto& [other, vertices] : cuts) {
    if (rings == 0)
      for (VertexId& v : vertices) v = part.local(v);
    const bool moves = !std::includes(patch.held.begin(), patch.held.end(), vertices.begin(), vertices.end());
    if (moves) patch.cuts.push_back({"cut", std::move(vertices)});
  }
  patch.chain = patch.chain && patch.cuts.size() <= 2;
  return patch;
}

std::optional<Vector3> translation(const DomainPatch& a, const DomainPatch& b) {
  const VolumeMesh& x = a.part.mesh;
  const VolumeMesh& y = b.part.mesh;
  if (a.rings != b.rings || x.vertices.size() != y.vertices.size() || x.tets != y.tets ||
      x.hexes != y.hexes || x.tet10s != y.tet10s || a.materials.of_element != b.materials.of_element ||
      a.own != b.own || a.held != b.held || !same_cuts(a.cuts, b.cuts))
    return std::nullopt;
  const Vector3 shift = y.vertices.front() - x.vertices.front();
  const double near = kCongruent * size_of(x);
  for (std::size_t v = 0; v < x.vertices.size(); ++v)
    if (!((y.vertices[v] - x.vertices[v] - shift).norm() <= near)) return std::nullopt;
  return shift;
}

std::string pattern_hash(const DomainPatch& patch) {
  Hasher hasher;
  hasher.add(&patch.rings, sizeof(patch.rings));
  hasher.add(patch.chain ? "chain" : "");
  add_list(hasher, patch.part.mesh.tets);
  add_list(hasher, patch.part.mesh.hexes);
  add_list(hasher, patch.part.mesh.tet10s);
  add_list(hasher, patch.materials.of_element);
  add_list(hasher, patch.own);
  add_list(hasher, patch.held);
  for (const Patch& cut : patch.cuts) add_list(hasher, cut.vertices);
  return hasher.hex();
}

bool exclude_rotation(const VolumeMesh& mesh, const std::vector<VertexId>& held) {
  if (held.size() < 3) return false;
  Vector3 center = Vector3::Zero();
  for (const VertexId v : held) center += mesh.vertices[to_size(v)] / static_cast<double>(held.size());
  Matrix3 spread = Matrix3::Zero();
  for (const VertexId v : held) {
    const Vector3 x = mesh.vertices[to_size(v)] - center;
    spread += x * x.transpose();
  }
  const Vector3 squares = symmetric_eigenvalues(spread);
  return squares[1] > kOnALine * kOnALine * squares[2];
}

}  // namespace pliant
