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

/// Isoparametric elements keep the positions of their vertices.
template <int N>
void set_rest(ElementBatch<N>& batch, int lane, const std::array<Vector3, std::size_t{N}>& x) {
  for (int a = 0; a < N; ++a)
    for (int k = 0; k < 3; ++k) set_lane(batch.rest[a][k], lane, x[to_size(a)][k]);
}

/// A tet's vertices may come in any order; sorted, no block of the lower triangle needs a transpose. The
/// others keep their order, since their shape functions depend on it.
Tet local_order(Tet tet) {
  std::sort(tet.begin(), tet.end());
  return tet;
}
Hex local_order(const Hex& hex) { return hex; }
Tet10 local_order(const Tet10& tet) { return tet; }

/// Elements with equal keys run through the same code path.
struct GroupKey {
  Law law;
  bool pointwise;  // no SIMD kernel for this law: evaluated lane by lane
  bool operator==(const GroupKey&) const = default;
};

GroupKey key_of(const Material& material) { return {material.law, !has_kernel(material)}; }

/// Makes the batches of one part of a body.
class BatchMaker {
 public:
  BatchMaker(const VolumeMesh& mesh, const std::vector<Material>& materials,
             const std::vector<Index>& material_of, const BlockPattern& pattern,
             const std::vector<char>& owned)
      : mesh_(mesh), materials_(materials), material_of_(material_of), pattern_(pattern), owned_(owned) {}

  [[nodiscard]] LawGroup make(const GroupKey& key) const {
    LawGroup group;
    group.law = key.law;
    group.pointwise = key.pointwise;
    group.tets = collect<4>(mesh_.tets, 0, chosen(mesh_.tets, 0, key));
    const Index hex = mesh_.first_hex();
    group.hexes = collect<8>(mesh_.hexes, hex, chosen(mesh_.hexes, hex, key));
    const Index tet10 = mesh_.first_tet10();
    const std::vector<Index> all = chosen(mesh_.tet10s, tet10, key);
    for (const Points& points : kPoints) {
      std::vector<Tet10Batch> made = collect<10>(mesh_.tet10s, tet10, with_points(all, points));
      for (Tet10Batch& batch : made) {
        batch.points = tet10_points(points.rule);
        batch.rest_points = tet10_points(points.at_rest);
      }
      group.tet10s.insert(group.tet10s.end(), made.begin(), made.end());
    }
    return group;
  }

 private:
  [[nodiscard]] const Material& material(Index element) const {
    return materials_[to_size(material_of_[to_size(element)])];
  }

  /// Elements of one key that touch an owned vertex, in ascending order (which fixes the order of sums).
  template <class Elements>
  [[nodiscard]] std::vector<Index> chosen(const Elements& elements, Index first_element,
                                          const GroupKey& key) const {
    std::vector<Index> list;
    for (Index e = 0; e < std::ssize(elements); ++e) {
      if (key_of(material(first_element + e)) != key) continue;
      const auto& vertices = elements[to_size(e)];
      if (std::any_of(vertices.begin(), vertices.end(), [&](VertexId v) { return owned_[to_size(v)] != 0; }))
        list.push_back(e);
    }
    return list;
  }

  /// Rules of a quadratic tet. Where 14 points are exact for straight edges, 5 are at rest: gradients are
  /// linear there.
  struct Points {
    Tet10Rule rule, at_rest;
    bool curved;
  };
  static constexpr std::array<Points, 3> kPoints{{{Tet10Rule::k4, Tet10Rule::k4, false},
                                                  {Tet10Rule::k14, Tet10Rule::k5, false},
                                                  {Tet10Rule::k14, Tet10Rule::k14, true}}};

  /// The quadratic tets of a list that are integrated so.
  [[nodiscard]] std::vector<Index> with_points(const std::vector<Index>& list, const Points& points) const {
    std::vector<Index> found;
    for (const Index e : list) {
      const Tet10Corners x = corners(mesh_, mesh_.tet10s[to_size(e)]);
      const Tet10Rule rule = tet10_rule(material(mesh_.first_tet10() + e), x);
      const bool curved = rule == Tet10Rule::k14 && !is_straight(x);
      if (rule == points.rule && curved == points.curved) found.push_back(e);
    }
    return found;
  }

  /// Batches of one element type for one law group.
  template <int N>
  [[nodiscard]] std::vector<ElementBatch<N>> collect(const std::vector<std::array<VertexId, N>>& elements,
                                                     Index first_element,
                                                     const std::vector<Index>& list) const {
    std::vector<ElementBatch<N>> batches;
    batches.reserve((list.size() + kBatchLanes - 1) / kBatchLanes);
    for (std::size_t i = 0; i < list.size(); i += kBatchLanes) {
      ElementBatch<N>& batch = batches.emplace_back();
      batch.count = static_cast<int>(std::min<std::size_t>(kBatchLanes, list.size() - i));
      for (int lane = 0; lane < kBatchLanes; ++lane) {
        // Unused lanes repeat the last element, so that their arithmetic stays finite.
        const Index local = list[i + to_size(std::min(lane, batch.count - 1))];
        fill_lane<N>(batch, lane, local_order(elements[to_size(local)]), first_element + local);
        if (lane >= batch.count) batch.owned[to_size(lane)] = 0;  // adds to nothing
      }
    }
    return batches;
  }

  template <int N>
  void fill_lane(ElementBatch<N>& batch, int lane, const std::array<VertexId, N>& vertices,
                 Index element) const {
    using PairBits = typename ElementBatch<N>::PairBits;
    const auto l = to_size(lane);
    std::array<Vector3, N> x;
    std::uint32_t owned = 0;
    PairBits flipped = 0;
    for (std::size_t a = 0; a < N; ++a) {
      const auto v = to_size(vertices[a]);
      x[a] = mesh_.vertices[v];
      if (owned_[v] != 0) owned |= 1U << a;
      for (std::size_t b = 0; b < a; ++b) {
        const int pair = pair_index(static_cast<int>(a), static_cast<int>(b));
        // Off-diagonal pairs are numbered without the diagonal: pair_index(a, b) − a.
        if (vertices[a] < vertices[b]) flipped |= PairBits{1} << (pair - static_cast<int>(a));
        batch.place[l][to_size(pair)] =
            pattern_.place(std::max(vertices[a], vertices[b]), std::min(vertices[a], vertices[b]));
      }
    }
    set_rest(batch, lane, x);
    set_lane(batch.lambda, lane, material(element).lambda());
    set_lane(batch.mu, lane, material(element).mu());
    batch.vertices[l] = vertices;
    batch.flipped[l] = flipped;
    batch.owned[l] = static_cast<typename ElementBatch<N>::VertexBits>(owned);
    batch.element[l] = element;
  }

  const VolumeMesh& mesh_;
  const std::vector<Material>& materials_;
  const std::vector<Index>& material_of_;
  const BlockPattern& pattern_;
  const std::vector<char>& owned_;
};

}  // namespace

LawGroups make_batches(const VolumeMesh& mesh, const std::vector<Material>& materials,
                       const std::vector<Index>& material_of, const BlockPattern& pattern,
                       const std::vector<char>& owned) {
  // The groups follow the list of materials, not the elements, so all parts of a body have the same groups.
  std::vector<GroupKey> keys;
  for (const Material& material : materials)
    if (std::find(keys.begin(), keys.end(), key_of(material)) == keys.end()) keys.push_back(key_of(material));
  const BatchMaker maker(mesh, materials, material_of, pattern, owned);
  LawGroups groups;
  groups.reserve(keys.size());
  for (const GroupKey& key : keys) groups.push_back(maker.make(key));
  return groups;
}

}  // namespace pliant
