#include "pliant/fem/batch.hpp"

#include "pliant/material/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

/// Rest data of one tet in one lane: ∇N of vertices 1…3 and the volume. Sorting the vertices may have turned
/// the tet inside out, hence the absolute value; ∇N does not depend on their order.
void set_rest(TetBatch& batch, int lane, const std::array<Vector3, 4>& x) {
  Matrix3 D;
  for (int a = 1; a < 4; ++a) D.col(a - 1) = x[to_size(a)] - x[0];
  const Matrix3 inverse = D.inverse();  // Row a−1 of D⁻¹ is ∇N_a.
  for (int a = 1; a < 4; ++a)
    for (int k = 0; k < 3; ++k) set_lane(batch.rest[a][k], lane, inverse(a - 1, k));
  set_lane(batch.rest[0][0], lane, std::abs(D.determinant()) / 6.0);
  for (int k = 1; k < 3; ++k) set_lane(batch.rest[0][k], lane, 0.0);
}

void set_rest(HexBatch& batch, int lane, const std::array<Vector3, 8>& x) {
  for (int a = 0; a < 8; ++a)
    for (int k = 0; k < 3; ++k) set_lane(batch.rest[a][k], lane, x[to_size(a)][k]);
}

/// A tet's vertices may come in any order; sorted, no block of the lower triangle needs a transpose. A hex
/// keeps the order of its corners, since its shape functions depend on it.
std::array<VertexId, 4> local_order(Tet tet) {
  std::sort(tet.begin(), tet.end());
  return tet;
}
std::array<VertexId, 8> local_order(const Hex& hex) { return hex; }

template <int N>
void fill_lane(ElementBatch<N>& batch, int lane, const std::array<VertexId, N>& vertices, Index element,
               const Material& material, const VolumeMesh& mesh, const BlockPattern& pattern,
               const std::vector<char>& owned) {
  const auto l = to_size(lane);
  std::array<Vector3, N> x;
  std::uint32_t owned_bits = 0;
  std::uint32_t flipped = 0;
  for (std::size_t a = 0; a < N; ++a) {
    const auto v = to_size(vertices[a]);
    x[a] = mesh.vertices[v];
    if (owned[v] != 0) owned_bits |= 1U << a;
    for (std::size_t b = 0; b < a; ++b) {
      const int pair = pair_index(static_cast<int>(a), static_cast<int>(b));
      // Off-diagonal pairs are numbered without the diagonal: pair_index(a, b) − a.
      if (vertices[a] < vertices[b]) flipped |= 1U << (pair - static_cast<int>(a));
      batch.place[l][to_size(pair)] =
          pattern.place(std::max(vertices[a], vertices[b]), std::min(vertices[a], vertices[b]));
    }
  }
  set_rest(batch, lane, x);
  set_lane(batch.lambda, lane, material.lambda());
  set_lane(batch.mu, lane, material.mu());
  batch.vertices[l] = vertices;
  batch.flipped[l] = flipped;
  batch.owned[l] = static_cast<std::uint8_t>(owned_bits);
  batch.element[l] = element;
}

/// Batches of one element type for one law group.
template <int N>
std::vector<ElementBatch<N>> collect(const std::vector<std::array<VertexId, N>>& elements,
                                     Index first_element, const std::vector<Index>& chosen,
                                     const std::vector<Material>& materials,
                                     const std::vector<Index>& material_of, const VolumeMesh& mesh,
                                     const BlockPattern& pattern, const std::vector<char>& owned) {
  std::vector<ElementBatch<N>> batches;
  batches.reserve((chosen.size() + kBatchLanes - 1) / kBatchLanes);
  for (std::size_t i = 0; i < chosen.size(); i += kBatchLanes) {
    ElementBatch<N>& batch = batches.emplace_back();
    batch.count = static_cast<int>(std::min<std::size_t>(kBatchLanes, chosen.size() - i));
    for (int lane = 0; lane < kBatchLanes; ++lane) {
      // Unused lanes repeat the last element, so that their arithmetic stays finite.
      const Index local = chosen[i + to_size(std::min(lane, batch.count - 1))];
      const Index element = first_element + local;
      const auto material = to_size(material_of[to_size(element)]);
      fill_lane<N>(batch, lane, local_order(elements[to_size(local)]), element, materials[material], mesh,
                   pattern, owned);
      if (lane >= batch.count) batch.owned[to_size(lane)] = 0;  // adds to nothing
    }
  }
  return batches;
}

/// Elements with equal keys run through the same code path.
struct GroupKey {
  Law law;
  bool pointwise;  // no SIMD kernel for this law: evaluated lane by lane
  bool operator==(const GroupKey&) const = default;
};

GroupKey key_of(const Material& material) { return {material.law, !has_kernel(material)}; }

}  // namespace

LawGroups make_batches(const VolumeMesh& mesh, const std::vector<Material>& materials,
                       const std::vector<Index>& material_of, const BlockPattern& pattern,
                       const std::vector<char>& owned) {
  // The groups follow the list of materials, not the elements, so all parts of a body have the same groups.
  std::vector<GroupKey> keys;
  for (const Material& material : materials)
    if (std::find(keys.begin(), keys.end(), key_of(material)) == keys.end()) keys.push_back(key_of(material));

  // Elements of one key that touch an owned vertex, in ascending order (which fixes the order of sums).
  const auto chosen = [&](const auto& elements, Index first_element, const GroupKey& key) {
    std::vector<Index> list;
    for (std::size_t e = 0; e < elements.size(); ++e) {
      const auto material = material_of[to_size(first_element) + e];
      if (key_of(materials[to_size(material)]) != key) continue;
      const auto& vertices = elements[e];
      if (std::any_of(vertices.begin(), vertices.end(), [&](VertexId v) { return owned[to_size(v)] != 0; }))
        list.push_back(static_cast<Index>(e));
    }
    return list;
  };

  LawGroups groups;
  const auto tet_count = std::ssize(mesh.tets);
  for (const GroupKey& key : keys) {
    LawGroup& group = groups.emplace_back();
    group.law = key.law;
    group.pointwise = key.pointwise;
    group.tets =
        collect<4>(mesh.tets, 0, chosen(mesh.tets, 0, key), materials, material_of, mesh, pattern, owned);
    group.hexes = collect<8>(mesh.hexes, tet_count, chosen(mesh.hexes, tet_count, key), materials,
                             material_of, mesh, pattern, owned);
  }
  return groups;
}

}  // namespace pliant
