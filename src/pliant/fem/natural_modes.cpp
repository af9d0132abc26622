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

/// K and M of the whole body at rest.
struct RestMatrices {
  SparseMatrix K, M;
  double wave = std::numeric_limits<double>::infinity();  // smallest E/ρ: squared wave speed, (m/s)²
};

RestMatrices rest_matrices(const ElasticBody& body) {
  RestMatrices rest{body.make_matrix(), body.mass_matrix()};
  VectorX force(body.dof_count());
  body.force_and_tangent(VectorX::Zero(body.dof_count()), TangentKind::kExact, force, rest.K);
  for (const Material& m : body.materials().materials) rest.wave = std::min(rest.wave, m.young / m.density);
  return rest;
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
Result<NaturalModes> modes_of_part(const ElasticBody& body, const RestMatrices& rest,
                                   const std::vector<char>& free, double squared_size, bool unheld,
                                   Index count, const Progress& progress, const SparseCholesky* factor) {
  ConstrainedSystem stiffness(free, rest.K);
  ConstrainedSystem mass(free, rest.M);
  const SparseMatrix& K = stiffness.extract(rest.K);
  const SparseMatrix& M = mass.extract(rest.M);
  // Shift of the spectral transformation, from (wave speed / size)²: far below the first elastic eigenvalue
  // of a compact body, yet large enough to make K + shift M definite.
  const double shift = 1e-4 * rest.wave / squared_size;
  // Rounding errors of K can lift a zero eigenvalue up to about this.
  const double rounding = 1e3 * std::numeric_limits<double>::epsilon() *
                          VectorX(K.diagonal()).cwiseQuotient(VectorX(M.diagonal())).maxCoeff();
  NaturalModes result;
  Index wanted = count + (unheld ? 6 : 0);  // an unheld part has six rigid modes besides
  for (;;) {
    wanted = std::min(wanted, stiffness.free_count());
    const Result<EigenPairs> pairs = lowest_eigenpairs(K, M, wanted, shift, progress, factor);
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
                                   const Progress& progress, const SparseCholesky* factor) {
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
  const RestMatrices rest = rest_matrices(body);
  NaturalModes all;
  all.shapes.resize(body.dof_count(), 0);
  for (const auto& [part, mask] : parts) {
    const Result<NaturalModes> modes =
        modes_of_part(body, rest, mask, squared_size(body, mask), !held.contains(part), count, progress,
                      parts.size() == 1 ? factor : nullptr);
    if (!modes) return modes.errors();
    all = merge(all, modes.value(), count);
  }
  return all;
}

}  // namespace pliant
