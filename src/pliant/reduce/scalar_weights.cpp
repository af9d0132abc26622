// Weights that are one number per vertex: smooth, harmonic or radial functions of the place.
#include "pliant/fem/constrained_system.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/reduce/blend_weights.hpp"
#include "pliant/reduce/mean_value_weights.hpp"
#include "pliant/subspace/element_points.hpp"
#include "pliant/subspace/mass.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace pliant {
namespace {

constexpr int kActiveSetPasses = 60;  // of bounded weights
constexpr Index kMostCentres = 300;   // held vertices that radial functions see

Diagnostic failed(const char* what, const char* remedy) {
  return {ErrorCode::kNumerical, {{}, 0, 0, "weights"}, what, remedy};
}

/// ∫ c ∇N_a·∇N_b of all elements with c Young's modulus relative to the largest, or 1.
SparseMatrix laplacian(const ElasticBody& body, bool weighted) {
  double largest = 0.0;
  for (const Material& m : body.materials().materials) largest = std::max(largest, m.young);
  std::vector<Eigen::Triplet<double>> entries;
  const VolumeMesh& mesh = body.mesh();
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const std::span<const VertexId> vertices = mesh.element_vertices(e);
    const double c = weighted ? body.material(e).young / largest : 1.0;
    for_each_element_point(mesh, e, body.material(e), TetPoints::kOne, [&](const ElementPoint& point) {
      for (std::size_t a = 0; a < vertices.size(); ++a)
        for (std::size_t b = 0; b < vertices.size(); ++b)
          entries.emplace_back(vertices[a], vertices[b],
                               c * point.weight * point.gradient[a].dot(point.gradient[b]));
    });
  }
  SparseMatrix L(mesh.vertex_count(), mesh.vertex_count());
  L.setFromTriplets(entries.begin(), entries.end());
  return L;
}

/// L D L with D = 1 / volume of a vertex, but 0 at held ones: there the weight may have a slope, else the
/// body would be clamped twice.
SparseMatrix bilaplacian(const ElasticBody& body, const std::vector<char>& held) {
  const SparseMatrix L = laplacian(body, true);
  VectorX D = VectorX::Zero(L.cols());
  const VectorX volume =
      lumped_mass(body.mesh(), std::vector<double>(to_size(body.mesh().element_count()), 1.0));
  for (Index v = 0; v < D.size(); ++v)
    if (volume[v] > 0.0 && held[to_size(v)] == 0) D[v] = 1.0 / volume[v];
  return SparseMatrix(L * D.asDiagonal() * L);
}

class ScalarWeights {
 public:
  ScalarWeights(const ElasticBody& body, const OverlappingDomains& domains, std::span<const VertexId> held,
                Progress& progress, BlendWeights& weights)
      : body_(body), domains_(domains), progress_(progress), weights_(weights), held_list_(held) {
    held_.assign(to_size(body.mesh().vertex_count()), 0);
    for (const VertexId v : held) held_[to_size(v)] = 1;
  }

  Status run() {
    progress_.begin("weights", domains_.count() + 1);
    Status made = Done{};
    switch (weights_.kind) {
      case WeightKind::kRadial:
        made = radial();
        break;
      case WeightKind::kMeanValue:
        made = mean_value();
        break;
      default:
        made = smooth();
    }
    progress_.end();
    if (progress_.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
    return made;
  }

 private:
  /// Flags of the vertices whose weights are unknown.
  [[nodiscard]] std::vector<char> unknown(const std::vector<char>& inside) const {
    std::vector<char> free = inside;
    for (std::size_t v = 0; v < free.size(); ++v)
      if (held_[v] != 0 || !(body_.lumped_mass()[static_cast<Index>(v)] > 0.0)) free[v] = 0;
    for (const VertexId seed : domains_.seeds) free[to_size(seed)] = 0;
    return free;
  }

  /// 1 at the own seed, or at held vertices for the anchor (domain = count).
  [[nodiscard]] VectorX prescribed(Index domain) const {
    VectorX values = VectorX::Zero(std::ssize(held_));
    if (domain < domains_.count())
      values[domains_.seeds[to_size(domain)]] = 1.0;
    else
      for (const VertexId v : held_list_) values[v] = 1.0;
    return values;
  }
  [[nodiscard]] std::vector<char> support(Index domain) const {
    return domain < domains_.count() ? domains_.support(domain) : domains_.support_of_held(held_list_);
  }
  [[nodiscard]] Eigen::Map<VectorX> column(Index domain) {
    double* at = domain < domains_.count() ? weights_.raw.col(domain).data() : weights_.raw_anchor.data();
    return {at, weights_.raw.rows()};
  }
  [[nodiscard]] Index columns() const { return domains_.count() + (held_list_.empty() ? 0 : 1); }

  /// Minimisers of wᵀ A w: harmonic, biharmonic, or biharmonic within bounds.
  Status smooth() {
    const SparseMatrix A =
        weights_.kind == WeightKind::kHarmonic ? laplacian(body_, false) : bilaplacian(body_, held_);
    const SparseMatrix lower = A.triangularView<Eigen::Lower>();
    std::vector<char> before;
    std::unique_ptr<ConstrainedSystem> system;
    for (Index d = 0; d < columns() && !progress_.cancelled(); ++d) {
      const std::vector<char> free = unknown(support(d));
      if (free != before) {  // the same for all global domains
        system = std::make_unique<ConstrainedSystem>(free, lower);
        if (system->free_count() > 0 && !system->factorize(lower))
          return failed("the equations of the weights are singular", "take weights = \"harmonic\"");
        before = free;
      }
      const VectorX known = prescribed(d);
      VectorX weight = VectorX::Zero(known.size());
      if (system->free_count() > 0) system->solve(-(A * known), weight);
      weight += known;
      if (weights_.kind == WeightKind::kBoundedBiharmonic)
        if (const Status bounded = bound(A, lower, free, weight); !bounded) return bounded.errors();
      column(d) = weight;
      progress_.update(d + 1);
    }
    return Done{};
  }

  /// 0 ≤ w ≤ 1 by a primal-dual active set: vertices beyond a bound are put on it; those that the gradient
  /// pulls back inside are let go.
  static Status bound(const SparseMatrix& A, const SparseMatrix& lower, const std::vector<char>& free,
                      VectorX& weight) {
    std::vector<char> active(free.size(), 0);  // −1 below, 1 above
    VectorX gradient = VectorX::Zero(weight.size());
    const double scale = A.diagonal().mean();
    for (int pass = 0; pass < kActiveSetPasses; ++pass) {
      bool changed = false;
      std::vector<char> inner = free;
      VectorX known = weight;
      for (std::size_t v = 0; v < free.size(); ++v) {
        const auto i = static_cast<Index>(v);
        if (free[v] == 0) continue;
        const double wanted = weight[i] - gradient[i] / scale;
        const char now = wanted < 0.0 ? char{-1} : (wanted > 1.0 ? char{1} : char{0});
        changed = changed || now != active[v];
        active[v] = now;
        if (now != 0) inner[v] = 0;
        known[i] = now == 1 ? 1.0 : 0.0;
      }
      if (!changed) return Done{};
      ConstrainedSystem system(inner, lower);
      weight.setZero();
      if (system.free_count() > 0) {
        if (!system.factorize(lower)) break;
        system.solve(-(A * known), weight);
      }
      weight += known;
      gradient = A * weight;
      for (std::size_t v = 0; v < free.size(); ++v)
        if (inner[v] != 0) gradient[static_cast<Index>(v)] = 0.0;
    }
    // It may circle between a few vertices; then the bounds hold, if not the last optimum.
    weight = weight.cwiseMax(0.0).cwiseMin(1.0);
    return Done{};
  }

  /// Σ c_i |x − x_i| + a + b·x through 1 at the seed and 0 at the other seeds and held vertices.
  Status radial() {
    std::vector<Index> centres(domains_.seeds.begin(), domains_.seeds.end());
    const auto held = std::ssize(held_list_);
    const Index stride = std::max<Index>(1, (held + kMostCentres - 1) / kMostCentres);
    for (Index i = 0; i < held; i += stride) centres.push_back(held_list_[to_size(i)]);
    const Index m = std::ssize(centres);
    const auto place = [&](Index v) -> const Vector3& { return body_.mesh().vertices[to_size(v)]; };
    MatrixX A = MatrixX::Zero(m + 4, m + 4), values = MatrixX::Zero(m + 4, columns());
    const double size = std::cbrt(body_.volume());
    const Vector3 middle = place(centres.front());
    const auto row = [&](const Vector3& x) {
      VectorX r(m + 4);
      for (Index i = 0; i < m; ++i) r[i] = (x - place(centres[to_size(i)])).norm() / size;
      r[m] = 1.0;
      r.tail<3>() = (x - middle) / size;
      return r;
    };
    for (Index i = 0; i < m; ++i) {
      A.row(i) = row(place(centres[to_size(i)])).transpose();
      A.col(i).tail<4>() = A.row(i).tail<4>().transpose();
      values(i, i < domains_.count() ? i : domains_.count()) = 1.0;
    }
    // Least squares, since few or collinear centres leave some of the linear part undetermined.
    const MatrixX coefficients = least_squares(A, values);
    for (Index v = 0; v < weights_.raw.rows(); ++v) {
      const VectorX w = coefficients.transpose() * row(place(v));
      for (Index d = 0; d < columns(); ++d) column(d)[v] = w[d];
    }
    for (Index d = 0; d < columns(); ++d) {
      const std::vector<char> inside = support(d);
      const VectorX known = prescribed(d);
      for (std::size_t v = 0; v < inside.size(); ++v) {
        const auto i = static_cast<Index>(v);
        if (inside[v] == 0 || held_[v] != 0) column(d)[i] = known[i];
      }
    }
    return Done{};
  }

  Status mean_value() {
    for (Index d = 0; d < columns() && !progress_.cancelled(); ++d) {
      Result<VectorX> made = mean_value_weight(body_.mesh(), unknown(support(d)), prescribed(d));
      if (!made) return made.errors();
      column(d) = made.value();
      progress_.update(d + 1);
    }
    return Done{};
  }

  const ElasticBody& body_;
  const OverlappingDomains& domains_;
  Progress& progress_;
  BlendWeights& weights_;
  std::span<const VertexId> held_list_;
  std::vector<char> held_;
};

}  // namespace

Status scalar_weights(const ElasticBody& body, const OverlappingDomains& domains,
                      std::span<const VertexId> held, Progress& progress, BlendWeights& weights) {
  return ScalarWeights(body, domains, held, progress, weights).run();
}

}  // namespace pliant
