#include "pliant/reduce/mean_value_weights.hpp"

#include <Eigen/SparseLU>

#include <array>
#include <cmath>

namespace pliant {
namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

/// The share of one tet in the weights that a vertex gives to the three others [FloaterKosReimers2005].
std::array<double, 3> shares(const Vector3& at, const std::array<Vector3, 3>& others) {
  std::array<Vector3, 3> e;
  std::array<double, 3> length{};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 way = others[i] - at;
    length[i] = way.norm();
    e[i] = way / length[i];
  }
  std::array<double, 3> angle{};  // between the two others
  std::array<Vector3, 3> normal;  // of their plane
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 cross = e[(i + 1) % 3].cross(e[(i + 2) % 3]);
    angle[i] = std::atan2(cross.norm(), e[(i + 1) % 3].dot(e[(i + 2) % 3]));
    normal[i] = cross.normalized();
  }
  std::array<double, 3> weight{};
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) sum += angle[k] * normal[k].dot(normal[i]);
    weight[i] = sum / (2.0 * std::abs(e[i].dot(normal[i])) * length[i]);  // either orientation
  }
  return weight;
}

/// Each vertex of a tet gets its share of what the others are to it.
void add_tet(const VolumeMesh& mesh, const std::array<VertexId, 4>& tet, Entries& entries) {
  for (std::size_t a = 0; a < 4; ++a) {
    std::array<VertexId, 3> other{};
    std::array<Vector3, 3> places;
    for (std::size_t i = 0, b = 0; b < 4; ++b) {
      if (b == a) continue;
      other[i] = tet[b];
      places[i++] = mesh.vertices[to_size(tet[b])];
    }
    const std::array<double, 3> weight = shares(mesh.vertices[to_size(tet[a])], places);
    for (std::size_t i = 0; i < 3; ++i) {
      entries.emplace_back(tet[a], other[i], -weight[i]);
      entries.emplace_back(tet[a], tet[a], weight[i]);
    }
  }
}

/// Midside vertices are the means of their ends.
void add_midsides(const Tet10& tet, Entries& entries) {
  for (std::size_t e = 0; e < 6; ++e) {
    const VertexId middle = tet[4 + e];
    entries.emplace_back(middle, middle, 1.0);
    for (const int end : kTet10Edges[e]) entries.emplace_back(middle, tet[to_size(end)], -0.5);
  }
}

}  // namespace

Result<VectorX> mean_value_weight(const VolumeMesh& mesh, const std::vector<char>& unknown,
                                  const VectorX& known) {
  if (!mesh.hexes.empty())
    return Diagnostic{ErrorCode::kUnsupported,
                      {{}, 0, 0, "weights"},
                      "mean value weights need a mesh of tets, and this one has hexes",
                      "take other weights, or element = \"tet\""};
  Entries all;
  for (const Tet& tet : mesh.tets) add_tet(mesh, tet, all);
  for (const Tet10& tet : mesh.tet10s) {
    add_tet(mesh, {tet[0], tet[1], tet[2], tet[3]}, all);
    add_midsides(tet, all);
  }
  std::vector<int> number(unknown.size(), -1);
  int count = 0;
  for (std::size_t v = 0; v < unknown.size(); ++v)
    if (unknown[v] != 0) number[v] = count++;
  VectorX right = VectorX::Zero(count);
  Entries inner;
  for (const Eigen::Triplet<double>& entry : all) {
    const int i = number[to_size(entry.row())], j = number[to_size(entry.col())];
    if (i < 0) continue;
    if (j >= 0)
      inner.emplace_back(i, j, entry.value());
    else
      right[i] -= entry.value() * known[entry.col()];
  }
  SparseMatrix A(count, count);
  A.setFromTriplets(inner.begin(), inner.end());
  VectorX values = known;
  if (count == 0) return values;
  Eigen::SparseLU<SparseMatrix> factor(A);
  if (factor.info() != Eigen::Success)
    return Diagnostic{ErrorCode::kNumerical,
                      {{}, 0, 0, "weights"},
                      "the equations of the mean value weights are singular",
                      "take weights = \"harmonic\""};
  const VectorX solved = factor.solve(right);
  for (std::size_t v = 0; v < number.size(); ++v)
    if (number[v] >= 0) values[static_cast<Index>(v)] = solved[number[v]];
  return values;
}

}  // namespace pliant
