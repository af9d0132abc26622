#include "pliant/fem/natural_modes.hpp"

#include "pliant/fem/constrained_system.hpp"
#include "pliant/solve/eigenmodes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

namespace pliant {
namespace {

/// For each vertex, the smallest vertex of its connected part. Elements that share a vertex are connected.
std::vector<Index> parts_of(const VolumeMesh& mesh) {
  std::vector<Index> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), Index{0});
  // Union–find with path halving; the smaller number becomes the root.
  const auto root = [&](Index v) {
    while (parent[to_size(v)] != v) {
      Index& up = parent[to_size(v)];
      up = parent[to_size(up)];
      v = up;
    }
    return v;
  };
  for_each_element(mesh, [&](Index /*element*/, std::span<const VertexId> vertices) {
    for (const VertexId v : vertices) {
      const Index a = root(vertices[0]), b = root(v);
      parent[to_size(std::max(a, b))] = std::min(a, b);
    }
  });
  for (std::size_t v = 0; v < parent.size(); ++v) parent[v] = root(static_cast<Index>(v));
  return parent;
}

SparseMatrix stiffness_at_rest(const ElasticBody& body) {
  SparseMatrix K = body.make_matrix();
  body.tangent(VectorX::Zero(body.dof_count()), TangentKind::kExact, K);
  return K;
}

/// Smallest E/ρ: squared wave speed, (m/s)².
double slowest_wave(const ElasticBody& body) {
  double wave = std::numeric_limits<double>::infinity();
  for (const Material& m : body.materials().materials) wave = std::min(wave, m.young / m.density);
  return wave;
}

/// The mass between free degrees of freedom, lower triangle, without the zeros between directions.
SparseMatrix free_mass(const ElasticBody& body, const std::vector<char>& free,
                       const std::vector<Index>& free_dofs) {
  const SparseMatrix& mass = body.mass();
  std::vector<int> number(free.size(), -1);
  for (std::size_t i = 0; i < free_dofs.size(); ++i) number[to_size(free_dofs[i])] = static_cast<int>(i);
  const auto count = std::ssize(free_dofs);
  SparseMatrix M(count, count);
  M.reserve(3 * mass.nonZeros());
  for (Index j = 0; j < count; ++j) {
    const Index dof = free_dofs[to_size(j)];
    M.startVec(j);
    for (SparseMatrix::InnerIterator entry(mass, dof / 3); entry; ++entry) {
      const int i = number[to_size(3 * entry.row() + dof % 3)];
      if (i >= j) M.insertBack(i, j) = entry.value();
    }
  }
  M.finalize();
  return M;
}

/// Squared diagonal of the box around the vertices that can move. One vertex alone has no size: then around
/// all.
double squared_size(const ElasticBody& body, const std::vector<char>& free) {
  const auto around = [&](bool all) {
    Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (Index v = 0; v < body.mesh().vertex_count(); ++v) {
      if (!all && free[to_size(3 * v)] == 0) continue;
      low = low.cwiseMin(body.rest_positions().segment<3>(3 * v));
      high = high.cwiseMax(body.rest_positions().segment<3>(3 * v));
    }
    return (high - low).squaredNorm();
  };
  const double of_free = around(false);
  return of_free > 0.0 ? of_free : around(true);
}

/// Modes of one connected part, given by its free degrees of freedom.
Result<NaturalModes> modes_of_part(const ElasticBody& body, const KnownStiffness& rest,
                                   const std::vector<char>& free, double squared_size, bool unheld,
                                   Index count, const Progress& progress) {
  ConstrainedSystem stiffness(free, *rest.K);
  const SparseMatrix& K = stiffness.extract(*rest.K);
  const SparseMatrix M = free_mass(body, free, stiffness.free_dofs());
  // Shift of the spectral transformation, from (wave speed / size)²: far below the first elastic eigenvalue
  // of a compact body, yet large enough to make K + shift M definite.
  const double shift = 1e-4 * slowest_wave(body) / squared_size;
  // Rounding errors of K can lift a zero eigenvalue up to about this.
  const double rounding = 1e3 * std::numeric_limits<double>::epsilon() *
                          VectorX(K.diagonal()).cwiseQuotient(VectorX(M.diagonal())).maxCoeff();
  NaturalModes result;
  Index wanted = count + (unheld ? 6 : 0);  // an unheld part has six rigid modes besides
  for (;;) {
    wanted = std::min(wanted, stiffness.free_count());
    const Result<EigenPairs> pairs = lowest_eigenpairs(K, M, wanted, shift, progress, rest.factor);
    if (!pairs) return pairs.errors();
    const VectorX& values = pairs.value().values;
    result.rigid = (values.array() < std::max(1e-4 * shift, rounding)).count();
    const Index elastic = std::min(count, values.size() - result.rigid);
    // More rigid modes than expected (a mechanism): ask for as many more pairs.
    if (elastic < count && wanted < stiffness.free_count()) {
      wanted += count - elastic;
      continue;
    }
    result.squared = values.segment(result.rigid, elastic);
    result.shapes = MatrixX::Zero(body.dof_count(), elastic);
    // Back to all degrees of freedom; held ones stay zero.
    for (Index i = 0; i < elastic; ++i)
      for (Index k = 0; k < stiffness.free_count(); ++k)
        result.shapes(stiffness.free_dofs()[to_size(k)], i) = pairs.value().vectors(k, result.rigid + i);
    return result;
  }
}

/// Merges two ascending lists of modes and keeps the lowest `count`.
NaturalModes merge(const NaturalModes& a, const NaturalModes& b, Index count) {
  NaturalModes both;
  both.rigid = a.rigid + b.rigid;
  const Index size = std::min(count, a.squared.size() + b.squared.size());
  both.squared.resize(size);
  both.shapes.resize(b.shapes.rows(), size);
  Index i = 0, j = 0;
  for (Index k = 0; k < size; ++k) {
    const bool first = j == b.squared.size() || (i < a.squared.size() && a.squared[i] <= b.squared[j]);
    both.squared[k] = first ? a.squared[i] : b.squared[j];
    both.shapes.col(k) = first ? a.shapes.col(i++) : b.shapes.col(j++);
  }
  return both;
}

}  // namespace

std::vector<double> NaturalModes::hz() const {
  std::vector<double> list;
  list.reserve(to_size(squared.size()));
  for (const double value : squared) list.push_back(std::sqrt(value) / (2.0 * std::numbers::pi));
  return list;
}

// Parts that do not touch are solved one by one: from a single start vector, Lanczos would find only one copy
// of an eigenvalue that equal parts share.
Result<NaturalModes> natural_modes(const ElasticBody& body, const std::vector<char>& free, Index count,
                                   const Progress& progress, const KnownStiffness& known) {
  const std::vector<Index> part_of = parts_of(body.mesh());
  // For each part a mask of its free degrees of freedom; parts that are held completely have none and drop
  // out.
  std::map<Index, std::vector<char>> parts;
  std::map<Index, bool> held;
  for (std::size_t dof = 0; dof < free.size(); ++dof) {
    const Index part = part_of[dof / 3];
    if (free[dof] == 0) {
      held[part] = true;
      continue;
    }
    std::vector<char>& mask = parts[part];
    if (mask.empty()) mask.assign(free.size(), 0);
    mask[dof] = 1;
  }
  const SparseMatrix own = known.K == nullptr ? stiffness_at_rest(body) : SparseMatrix();
  KnownStiffness rest = known;
  if (rest.K == nullptr) rest.K = &own;
  if (parts.size() > 1) rest.factor = nullptr;
  NaturalModes all;
  all.shapes.resize(body.dof_count(), 0);
  for (const auto& [part, mask] : parts) {
    const Result<NaturalModes> modes =
        modes_of_part(body, rest, mask, squared_size(body, mask), !held.contains(part), count, progress);
    if (!modes) return modes.errors();
    all = merge(all, modes.value(), count);
  }
  return all;
}

}  // namespace pliant
