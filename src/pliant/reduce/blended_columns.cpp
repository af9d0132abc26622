#include "pliant/reduce/blended_columns.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/fem/constrained_system.hpp"
#include "pliant/fem/natural_modes.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/reduce/enveloping.hpp"
#include "pliant/subspace/element_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace pliant {
namespace {

// Eigenvalues of the Gram matrix below these are left out. Columns that nearly cancel at the vertices need
// not cancel between them, so smooth gradients of such a column are large and mean nothing.
constexpr double kDependent = 1e-10;
constexpr double kDependentSmooth = 1e-6;
constexpr Index kBlock = 512;  // points made together

Index monomials_of(DomainCoordinates coordinates) {
  return coordinates == DomainCoordinates::kQuadratic ? 10 : 4;
}

/// √(∫ w² |x|² / ∫ w²) about the seed, by vertices.
double size_of(const ElasticBody& body, const VectorX& weight, const Vector3& center) {
  double sum = 0.0, moment = 0.0;
  for (Index v = 0; v < weight.size(); ++v) {
    const double share = body.lumped_mass()[v] * weight[v] * weight[v];
    sum += share;
    moment += share * (body.mesh().vertices[to_size(v)] - center).squaredNorm();
  }
  return sum > 0.0 && moment > 0.0 ? std::sqrt(moment / sum) : std::cbrt(body.volume());
}

/// X (XᵀMX)^(−1/2), without what depends on the rest; the matrix that X is multiplied by. Twice, since the
/// Gram matrix has the square of X's condition.
MatrixX orthonormalising(const SparseMatrix& mass, const MatrixX& X, double least) {
  MatrixX total = MatrixX::Identity(X.cols(), X.cols());
  for (int pass = 0; pass < 2 && total.cols() > 0; ++pass) {
    const MatrixX now = X * total;
    const MatrixX gram = now.transpose() * (mass * now);
    const SymmetricEigen eigen(0.5 * (gram + gram.transpose()));
    const VectorX& values = eigen.values();
    Index dropped = 0;
    if (pass == 0)
      while (dropped < values.size() && !(values[dropped] > least * std::max(1.0, values[values.size() - 1])))
        ++dropped;
    const Index kept = values.size() - dropped;
    total =
        total * eigen.vectors().rightCols(kept) * values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  }
  return total;
}

/// Raw columns: those of the whole body, those of each domain, the three components of each pose.
void make_raw(const ElasticBody& body, const BlendWeights& weights, const std::vector<VectorX>& poses,
              BlendedColumns& columns) {
  const Index n = body.mesh().vertex_count();
  Index count = 4;
  for (const BlendedDomain& domain : columns.domains) count += monomials_of(domain.coordinates);
  columns.pose_columns = 3 * std::ssize(poses);
  columns.raw = MatrixX::Zero(n, count + columns.pose_columns);
  for (std::size_t p = 0; p < poses.size(); ++p)
    for (Index v = 0; v < n; ++v)
      if (body.lumped_mass()[v] > 0.0 && weights.anchor[v] < 1.0 - 1e-9)
        columns.raw.block<1, 3>(v, count + 3 * static_cast<Index>(p)) =
            poses[p].segment<3>(3 * v).transpose();
  const VectorX total = weights.domains.rowwise().sum();
  std::array<double, 10> values{};
  for (Index v = 0; v < n; ++v) {
    if (!(body.lumped_mass()[v] > 0.0)) continue;
    const Vector3& x = body.mesh().vertices[to_size(v)];
    const auto put = [&](Index first, Index size, const Vector3& at, double weight) {
      blended_monomials(at, size, values.data());
      for (Index i = 0; i < size; ++i) columns.raw(v, first + i) = weight * values[to_size(i)];
    };
    put(0, 4, (x - columns.center) / columns.size, total[v]);
    Index first = 4;
    for (std::size_t d = 0; d < columns.domains.size(); ++d) {
      const BlendedDomain& domain = columns.domains[d];
      const Index size = monomials_of(domain.coordinates);
      put(first, size, (x - domain.center) / domain.size, weights.domains(v, static_cast<Index>(d)));
      first += size;
    }
  }
}

/// raw · combine, orthonormal; the first four stay whole.
void orthonormalise(const SparseMatrix& mass, double dependent, BlendedColumns& columns) {
  const MatrixX& raw = columns.raw;
  const Index count = raw.cols();
  MatrixX unit = MatrixX::Zero(count, count);  // to unit norm
  for (Index c = 0; c < count; ++c) {
    const double square = raw.col(c).dot(mass * raw.col(c));
    unit(c, c) = square > 0.0 ? 1.0 / std::sqrt(square) : 0.0;
  }
  MatrixX first = MatrixX::Zero(count, 4);
  first.topRows(4) = unit.topLeftCorner(4, 4);
  first = first * orthonormalising(mass, raw * first, 1e-13);
  const MatrixX whole = raw * first;
  MatrixX rest = unit.rightCols(count - 4);
  for (int pass = 0; pass < 2; ++pass) rest -= first * (whole.transpose() * (mass * (raw * rest)));
  rest = rest * orthonormalising(mass, raw * rest, dependent);
  columns.combine.resize(count, first.cols() + rest.cols());
  columns.combine << first, rest;
  columns.scalars = raw * columns.combine;
}

/// Columns of vectors in terms of the orthonormal scalars, three per scalar column, but six in all for a
/// rigid domain: its motion and its small turns.
void make_transform(const SparseMatrix& mass, bool held, BlendedColumns& columns) {
  const auto rigid = [](const BlendedDomain& d) { return d.coordinates == DomainCoordinates::kRigid; };
  if (std::none_of(columns.domains.begin(), columns.domains.end(), rigid) && columns.pose_columns == 0)
    return;
  const MatrixX in_scalars = columns.scalars.transpose() * (mass * columns.raw);  // m × m₀
  const Index m = columns.scalars.cols();
  std::vector<VectorX> vectors;
  const auto add = [&](std::initializer_list<std::tuple<Index, Index, double>> parts) {
    VectorX column = VectorX::Zero(3 * m);
    for (const auto& [axis, c, factor] : parts) column.segment(axis * m, m) += factor * in_scalars.col(c);
    vectors.push_back(std::move(column));
  };
  // A body that nothing holds must be able to turn by any angle, which needs all of its affine motions.
  for (Index c = 0; !held && c < 4; ++c)
    for (Index axis = 0; axis < 3; ++axis) add({{axis, c, 1.0}});
  Index first = 4;
  for (const BlendedDomain& domain : columns.domains) {
    const Index size = monomials_of(domain.coordinates);
    for (Index c = 0; c < (rigid(domain) ? 1 : size); ++c)
      for (Index axis = 0; axis < 3; ++axis) add({{axis, first + c, 1.0}});
    for (Index k = 0; rigid(domain) && k < 3; ++k) {  // e_k × x
      const Index a = (k + 1) % 3, b = (k + 2) % 3;
      add({{b, first + 1 + a, 1.0}, {a, first + 1 + b, -1.0}});
    }
    first += size;
  }
  for (; first < columns.raw.cols(); first += 3)
    add({{0, first, 1.0}, {1, first + 1, 1.0}, {2, first + 2, 1.0}});
  MatrixX all(3 * m, std::ssize(vectors));
  for (std::size_t i = 0; i < vectors.size(); ++i)
    all.col(static_cast<Index>(i)) = vectors[i] / std::max(vectors[i].norm(), 1e-300);
  SparseMatrix identity(3 * m, 3 * m);
  identity.setIdentity();
  if (held) {
    columns.transform = all * orthonormalising(identity, all, kDependent);
    return;
  }
  // The first four scalars are those of the whole body. They stay whole whatever else is left out.
  MatrixX whole = MatrixX::Zero(3 * m, 12), others = all.rightCols(all.cols() - 12);
  for (Index axis = 0; axis < 3; ++axis)
    for (Index c = 0; c < 4; ++c) {
      whole(axis * m + c, 4 * axis + c) = 1.0;
      others.row(axis * m + c).setZero();
    }
  others = others * orthonormalising(identity, others, kDependent);
  columns.transform.resize(3 * m, 12 + others.cols());
  columns.transform << whole, others;
}

/// Pairs of domains that reach a common element.
std::vector<std::array<Index, 2>> coupled_domains(const VolumeMesh& mesh, const OverlappingDomains& domains) {
  std::vector<std::vector<Index>> of_segment(to_size(domains.count()));
  for (Index d = 0; d < domains.count(); ++d)
    for (const Index segment : domains.reach[to_size(d)]) of_segment[to_size(segment)].push_back(d);
  std::set<std::vector<Index>> known;  // segments of elements
  std::set<std::array<Index, 2>> pairs;
  std::vector<Index> segments, moved;
  for_each_element(mesh, [&](Index /*element*/, std::span<const VertexId> vertices) {
    segments.clear();
    for (const VertexId v : vertices) segments.push_back(domains.segment_of[to_size(v)]);
    std::sort(segments.begin(), segments.end());
    segments.erase(std::unique(segments.begin(), segments.end()), segments.end());
    if (!known.insert(segments).second) return;
    moved.clear();
    for (const Index segment : segments)
      moved.insert(moved.end(), of_segment[to_size(segment)].begin(), of_segment[to_size(segment)].end());
    for (const Index a : moved)
      for (const Index b : moved)
        if (a > b) pairs.insert({a, b});
  });
  return {pairs.begin(), pairs.end()};
}

/// Values and gradients of the raw columns at a point, from the functions themselves.
void smooth_gradients(const BlendWeights& weights, const BlendedColumns& columns, const VolumeMesh& mesh,
                      std::span<const VertexId> vertices, const ElementPoint& point, MatrixX& raw) {
  Vector3 x = Vector3::Zero();
  VectorX w = VectorX::Zero(weights.domains.cols());
  Eigen::Matrix<double, 3, Eigen::Dynamic> slope = MatrixX::Zero(3, w.size());
  for (std::size_t a = 0; a < vertices.size(); ++a) {
    const auto row = weights.domains.row(vertices[a]);
    x += point.shape[a] * mesh.vertices[to_size(vertices[a])];
    w += point.shape[a] * row.transpose();
    slope += point.gradient[a] * row;
  }
  std::array<double, 10> values{};
  std::array<Vector3, 10> gradients;
  const auto put = [&](Index first, Index size, const Vector3& at, double scale, double weight,
                       const Vector3& of_weight) {
    blended_monomials(at, size, values.data());
    blended_monomial_gradients(at, size, gradients.data());
    for (Index i = 0; i < size; ++i)
      raw.row(first + i) =
          (of_weight * values[to_size(i)] + weight / scale * gradients[to_size(i)]).transpose();
  };
  put(0, 4, (x - columns.center) / columns.size, columns.size, w.sum(), slope.rowwise().sum());
  Index first = 4;
  for (std::size_t d = 0; d < columns.domains.size(); ++d) {
    const BlendedDomain& domain = columns.domains[d];
    const Index size = monomials_of(domain.coordinates);
    const auto i = static_cast<Index>(d);
    put(first, size, (x - domain.center) / domain.size, domain.size, w[i], slope.col(i));
    first += size;
  }
  for (; first < columns.raw.cols(); ++first) {  // poses are known at vertices only
    raw.row(first).setZero();
    for (std::size_t a = 0; a < vertices.size(); ++a)
      raw.row(first) += columns.raw(vertices[a], first) * point.gradient[a].transpose();
  }
}

}  // namespace

BlendedColumns blended_columns(const ElasticBody& body, const OverlappingDomains& domains,
                               const BlendWeights& weights, const std::vector<DomainCoordinates>& coordinates,
                               BlendedGradients gradients, const GivenPoses& poses) {
  BlendedColumns columns;
  for (Index d = 0; d < domains.count(); ++d) {
    const VertexId seed = domains.seeds[to_size(d)];
    const Vector3& center = body.mesh().vertices[to_size(seed)];
    columns.domains.push_back({"part " + text(d), seed, center, size_of(body, weights.domains.col(d), center),
                               coordinates[to_size(d)]});
  }
  columns.center = rest_center_of_mass(body);
  columns.size = size_of(body, VectorX::Ones(body.mesh().vertex_count()), columns.center);
  const bool shapes = poses.as == PosesAs::kVectors;
  std::vector<VectorX> vectors = shapes ? poses.poses : std::vector<VectorX>{};
  vectors.insert(vectors.end(), poses.own.begin(), poses.own.end());
  make_raw(body, weights, vectors, columns);
  if (!shapes && !poses.poses.empty()) envelop(body, weights, poses.poses, columns);
  orthonormalise(body.mass(), gradients == BlendedGradients::kSmooth ? kDependentSmooth : kDependent,
                 columns);
  make_transform(body.mass(), weights.anchor.maxCoeff() > 0.0, columns);
  return columns;
}

Result<std::vector<VectorX>> own_shapes(const ElasticBody& body, std::span<const VertexId> held, Index count,
                                        const Progress& progress) {
  std::vector<char> free(to_size(body.dof_count()), 1);
  for (const VertexId v : held) std::fill_n(free.begin() + 3 * Index{v}, 3, char{0});
  for (Index v = 0; v < body.mesh().vertex_count(); ++v)
    if (!(body.lumped_mass()[v] > 0.0)) std::fill_n(free.begin() + 3 * v, 3, char{0});
  const Result<NaturalModes> modes = natural_modes(body, free, count, progress);
  if (!modes) return modes.errors();
  std::vector<VectorX> found;
  for (Index i = 0; i < modes.value().shapes.cols(); ++i) found.emplace_back(modes.value().shapes.col(i));
  if (held.empty()) return found;
  SparseMatrix K = body.make_matrix();
  body.tangent(VectorX::Zero(body.dof_count()), TangentKind::kExact, K);
  ConstrainedSystem system(free, K);
  if (!system.factorize(K))
    return Diagnostic{ErrorCode::kNumerical,
                      {{}, 0, 0, "modes"},
                      "the stiffness at rest cannot be factorised",
                      "hold the body at three vertices that are not in line"};
  VectorX even(body.dof_count()), weight(body.dof_count());
  for (Index axis = 0; axis < 3; ++axis) {
    for (Index i = 0; i < even.size(); ++i) even[i] = i % 3 == axis ? 1.0 : 0.0;
    body.apply_mass(even, weight);
    found.emplace_back(body.dof_count());
    system.solve(weight, found.back());
  }
  return found;
}

std::optional<BlendedColumns> local_columns(const ElasticBody& body, const OverlappingDomains& domains,
                                            const BlendedColumns& columns) {
  const Index m = columns.raw.cols() - 4, count = domains.count();
  const bool whole =
      columns.transform.size() == 0 && columns.pose_columns == 0 && columns.scalars.cols() == m;
  if (count <= kGlobalDomains || !whole) return std::nullopt;
  BlendedColumns local;
  local.coupled = coupled_domains(body.mesh(), domains);
  if (std::ssize(local.coupled) == count * (count - 1) / 2) return std::nullopt;
  local.domains = columns.domains;
  local.center = columns.center;
  local.size = columns.size;
  local.raw = columns.raw;
  local.residuals = columns.residuals;
  local.combine = MatrixX::Zero(m + 4, m);
  for (const BlendedDomain& domain : columns.domains) {
    const Index first = local.starts.empty() ? 0 : local.starts.back(),
                size = monomials_of(domain.coordinates);
    if (local.starts.empty()) local.starts.push_back(0);
    const MatrixX own = columns.raw.middleCols(4 + first, size);
    const MatrixX unit =
        (own.transpose() * (body.mass() * own)).diagonal().cwiseSqrt().cwiseInverse().asDiagonal();
    const MatrixX combined = unit * orthonormalising(body.mass(), own * unit, kDependent);
    if (combined.cols() != size) return std::nullopt;
    local.combine.block(4 + first, first, size, size) = combined;
    local.starts.push_back(first + size);
  }
  local.scalars = local.raw * local.combine;
  return local;
}

BlendedPoints blended_points(const ElasticBody& body, const BlendWeights& weights,
                             const BlendedColumns& columns, BlendedGradients gradients) {
  const VolumeMesh& mesh = body.mesh();
  const bool smooth = gradients == BlendedGradients::kSmooth;
  const TetPoints tets = smooth ? TetPoints::kFour : TetPoints::kOne;
  std::vector<Index> starts{0};
  for (Index e = 0; e < mesh.element_count(); ++e)
    starts.push_back(starts.back() + element_point_count(mesh, e, body.material(e), tets));
  BlendedPoints points;
  points.weights.resize(starts.back());
  points.material.resize(to_size(starts.back()));
  points.gradients.resize(columns.scalars.cols(), 3 * starts.back());
  parallel_blocks(mesh.element_count(), kBlock, [&](Index, Index begin, Index end) {
    MatrixX raw(columns.raw.cols(), 3);
    for (Index e = begin; e < end; ++e) {
      Index p = starts[to_size(e)];
      const std::span<const VertexId> vertices = mesh.element_vertices(e);
      for_each_element_point(mesh, e, body.material(e), tets, [&](const ElementPoint& point) {
        points.weights[p] = point.weight;
        points.material[to_size(p)] = body.materials().of_element[to_size(e)];
        auto own = points.gradients.middleCols<3>(3 * p++);
        if (smooth) {
          smooth_gradients(weights, columns, mesh, vertices, point, raw);
          own.noalias() = columns.combine.transpose() * raw;
          return;
        }
        own.setZero();
        for (std::size_t a = 0; a < vertices.size(); ++a)
          own += columns.scalars.row(vertices[a]).transpose() * point.gradient[a].transpose();
      });
    }
  });
  return points;
}

}  // namespace pliant
