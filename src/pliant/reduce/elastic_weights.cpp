// Weights from statics at rest. The matrix of the most deformable direction (Eq. 8) holds vertices in all
// three directions, that of the principal weights in one only (the "principal projection").
#include "pliant/fem/constrained_system.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/reduce/blend_weights.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace pliant {
namespace {

// Motion across the direction is free, so rigid motion is held by this part of the mean diagonal alone. 1e-12
// to 1e-6 give the same weights; more would spoil them.
constexpr double kRegularisation = 1e-8;

Diagnostic failed(const char* what) {
  return {ErrorCode::kNumerical,
          {{}, 0, 0, "weights"},
          what,
          "take weights = \"biharmonic\", or hold the body at three vertices that are not in line"};
}

Diagnostic interrupted() { return {ErrorCode::kCancelled, {}, "interrupted", ""}; }

/// Adds the regularisation to the diagonal, which comes first in each column.
void regularise(SparseMatrix& K) {
  double sum = 0.0;
  for (Index i = 0; i < K.cols(); ++i) sum += K.valuePtr()[K.outerIndexPtr()[i]];
  const double shift = kRegularisation * sum / static_cast<double>(K.cols());
  for (Index i = 0; i < K.cols(); ++i) K.valuePtr()[K.outerIndexPtr()[i]] += shift;
}

/// (1 ⊗ R)ᵀ K (1 ⊗ R), in place. Each column of K has its part of the diagonal block first, then whole
/// columns of the 3 × 3 blocks below it.
void turn_frames(const Matrix3& R, SparseMatrix& K) {
  double* values = K.valuePtr();
  const int* outer = K.outerIndexPtr();
  for (Index v = 0; v < K.cols(); v += 3) {
    const auto column = [&](Index c) { return values + outer[v + c]; };
    Matrix3 block;
    for (Index c = 0; c < 3; ++c)
      for (Index r = c; r < 3; ++r) block(r, c) = block(c, r) = column(c)[r - c];
    block = R.transpose() * block * R;
    for (Index c = 0; c < 3; ++c)
      for (Index r = c; r < 3; ++r) column(c)[r - c] = block(r, c);
    const Index below = (outer[v + 1] - outer[v] - 3) / 3;
    for (Index k = 0; k < below; ++k) {
      for (Index c = 0; c < 3; ++c)
        for (Index r = 0; r < 3; ++r) block(r, c) = column(c)[3 - c + 3 * k + r];
      block = R.transpose() * block * R;
      for (Index c = 0; c < 3; ++c)
        for (Index r = 0; r < 3; ++r) column(c)[3 - c + 3 * k + r] = block(r, c);
    }
  }
}

/// A rotation whose first axis is p.
Matrix3 frame_of(const Vector3& p) {
  Index least = 0;
  p.cwiseAbs().minCoeff(&least);
  Matrix3 R;
  R.col(0) = p;
  R.col(1) = p.cross(Vector3::Unit(least)).normalized();
  R.col(2) = p.cross(R.col(1));
  return R;
}

/// Both kinds of weights of one body.
class ElasticWeights {
 public:
  ElasticWeights(const ElasticBody& body, const OverlappingDomains& domains, std::span<const VertexId> held,
                 Progress& progress, BlendWeights& weights)
      : body_(body), domains_(domains), progress_(progress), weights_(weights), K_(body.make_matrix()) {
    body_.tangent(VectorX::Zero(body_.dof_count()), TangentKind::kExact, K_);
    held_.assign(to_size(body.mesh().vertex_count()), 0);
    for (const VertexId v : held) held_[to_size(v)] = 1;
    anchor_support_ = domains_.support_of_held(held);
    anchored_ = !held.empty();
    global_ = domains_.count() <= kGlobalDomains;
  }

  Status run() {
    progress_.begin("weights", 2 * domains_.count() + 1);
    if (!anchored_) regularise(K_);
    const bool given = !weights_.directions.empty();
    for (Index d = 0; d < domains_.count() && !given; ++d) {
      if (progress_.cancelled()) return interrupted();
      if (!find_direction(d)) return failed("the stiffness at rest cannot be factorised");
      progress_.update(++done_);
    }
    const bool made = weights_.kind == WeightKind::kPinned ? pin_anchor() : find_principal();
    progress_.end();
    if (progress_.cancelled()) return interrupted();
    if (!made) return failed("the principal weights cannot be solved for");
    return Done{};
  }

 private:
  [[nodiscard]] bool exists(std::size_t v) const { return body_.lumped_mass()[static_cast<Index>(v)] > 0.0; }
  [[nodiscard]] Index seed(Index domain) const { return domains_.seeds[to_size(domain)]; }

  /// Response to unit forces at all seeds where only `inside` may move and nothing held does; kept while
  /// `inside` is everywhere.
  bool respond(Index domain) {
    if (global_ && responses_.cols() > 0) return true;
    const std::vector<char> inside = domains_.support(domain);
    std::vector<char> free(to_size(body_.dof_count()), 0);
    for (std::size_t v = 0; v < inside.size(); ++v)
      if (inside[v] != 0 && held_[v] == 0 && exists(v))
        std::fill_n(free.begin() + 3 * static_cast<std::ptrdiff_t>(v), 3, char{1});
    ConstrainedSystem system(free, K_);
    if (!system.factorize(K_)) return false;
    seeds_.clear();
    for (Index d = 0; d < domains_.count(); ++d)
      if (inside[to_size(seed(d))] != 0) seeds_.push_back(d);
    responses_.resize(body_.dof_count(), 3 * std::ssize(seeds_));
    VectorX force = VectorX::Zero(body_.dof_count());
    for (Index i = 0; i < responses_.cols(); ++i) {
      const Index at = 3 * seed(seeds_[to_size(i / 3)]) + i % 3;
      force[at] = 1.0;
      system.solve(force, responses_.col(i));
      force[at] = 0.0;
    }
    return responses_.allFinite();
  }

  /// Eq. 9 to 12: the unit force at the seed that moves the body most while the other seeds are held.
  bool find_direction(Index domain) {
    if (!respond(domain)) return false;
    const Index count = std::ssize(seeds_);
    const Index own = std::find(seeds_.begin(), seeds_.end(), domain) - seeds_.begin();
    MatrixX at_seeds(3 * count, 3 * count);
    for (Index i = 0; i < count; ++i)
      at_seeds.middleRows<3>(3 * i) = responses_.middleRows<3>(3 * seed(seeds_[to_size(i)]));
    // Forces at the other seeds that hold them against the own one.
    MatrixX forces = MatrixX::Zero(3 * count, 3);
    MatrixX others(3 * (count - 1), 3 * (count - 1)), against(3 * (count - 1), 3);
    const auto row = [&](Index i) { return i < own ? 3 * i : 3 * (i + 1); };
    for (Index i = 0; i + 1 < count; ++i) {
      against.middleRows<3>(3 * i) = at_seeds.block<3, 3>(row(i), 3 * own);
      for (Index j = 0; j + 1 < count; ++j)
        others.block<3, 3>(3 * i, 3 * j) = at_seeds.block<3, 3>(row(i), row(j));
    }
    forces.middleRows<3>(3 * own).setIdentity();
    if (count > 1) {
      const PositiveFactor factor(0.5 * (others + others.transpose()));
      if (!factor.succeeded()) return false;
      const MatrixX holding = factor.solve_all(against);
      for (Index i = 0; i + 1 < count; ++i) forces.middleRows<3>(row(i)) = -holding.middleRows<3>(3 * i);
    }
    const MatrixX L = responses_ * forces;
    const Vector3 p = symmetric_eigen(Matrix3(L.transpose() * L)).vectors.col(2);
    weights_.directions.push_back(p);
    if (weights_.kind == WeightKind::kPinned) {
      const Matrix3 compliance = L.middleRows<3>(3 * seed(domain));
      const Vector3 force = compliance.inverse() * p;
      const VectorX u = L * force;
      for (Index v = 0; v < weights_.raw.rows(); ++v) weights_.raw(v, domain) = p.dot(u.segment<3>(3 * v));
      // The seeds' are prescribed; the responses hold them only up to the condition of the stiffness.
      for (const Index each : seeds_) weights_.raw(seed(each), domain) = each == domain ? 1.0 : 0.0;
    }
    return true;
  }

  /// The direction of what is held: that along which the domains' own are on the whole.
  [[nodiscard]] Vector3 anchor_direction() const {
    Matrix3 sum = Matrix3::Zero();
    for (const Vector3& p : weights_.directions) sum += p * p.transpose();
    return symmetric_eigen(sum).vectors.col(2);
  }

  /// All held vertices move by p, all seeds stand.
  bool pin_anchor() {
    if (!anchored_) return true;
    const Vector3 p = anchor_direction();
    VectorX prescribed = VectorX::Zero(body_.dof_count());
    std::vector<char> free(to_size(body_.dof_count()), 0);
    for (std::size_t v = 0; v < held_.size(); ++v) {
      const auto at = static_cast<Index>(3 * v);
      if (held_[v] != 0) prescribed.segment<3>(at) = p;
      if (anchor_support_[v] != 0 && held_[v] == 0 && exists(v) && !is_seed(v))
        std::fill_n(free.begin() + at, 3, char{1});
    }
    ConstrainedSystem system(free, K_);
    if (!system.factorize(K_)) return false;
    VectorX u(body_.dof_count());
    system.solve(-(K_.selfadjointView<Eigen::Lower>() * prescribed), u);
    u += prescribed;
    for (Index v = 0; v < weights_.raw_anchor.size(); ++v)
      weights_.raw_anchor[v] = p.dot(u.segment<3>(3 * v));
    return true;
  }

  [[nodiscard]] bool is_seed(std::size_t v) const {
    return std::find(domains_.seeds.begin(), domains_.seeds.end(), static_cast<VertexId>(v)) !=
           domains_.seeds.end();
  }

  /// A system in which vertices are held along the first axis of a frame only.
  struct Sliding {
    Vector3 direction;
    std::vector<char> inside;
    SparseMatrix K;
    std::unique_ptr<ConstrainedSystem> system;
  };

  /// The factor for a direction, which several domains may share.
  Sliding* sliding(const Vector3& p, const std::vector<char>& inside) {
    for (const auto& known : sliding_)
      if (std::abs(known->direction.dot(p)) > 1.0 - 1e-12 && known->inside == inside) return known.get();
    if (!global_) sliding_.clear();
    auto made = std::make_unique<Sliding>(Sliding{p, inside, K_, nullptr});
    turn_frames(frame_of(p), made->K);
    if (anchored_) regularise(made->K);
    std::vector<char> free(to_size(body_.dof_count()), 0);
    for (std::size_t v = 0; v < inside.size(); ++v) {
      if (!exists(v)) continue;
      const auto at = static_cast<std::ptrdiff_t>(3 * v);
      if (inside[v] != 0) free[to_size(at + 1)] = free[to_size(at + 2)] = 1;
      if (inside[v] != 0 && held_[v] == 0 && !is_seed(v)) free[to_size(at)] = 1;
    }
    made->system = std::make_unique<ConstrainedSystem>(free, made->K);
    if (!made->system->factorize(made->K)) return nullptr;
    sliding_.push_back(std::move(made));
    return sliding_.back().get();
  }

  /// The motion along the direction if it is prescribed at some vertices.
  void solve(Sliding& sliding, const VectorX& prescribed, VectorX& weight) const {
    VectorX u(body_.dof_count());
    sliding.system->solve(-(sliding.K.selfadjointView<Eigen::Lower>() * prescribed), u);
    for (Index v = 0; v < weight.size(); ++v) weight[v] = u[3 * v] + prescribed[3 * v];
  }

  bool find_principal() {
    VectorX prescribed = VectorX::Zero(body_.dof_count()), weight(weights_.raw.rows());
    for (Index d = 0; d < domains_.count(); ++d) {
      if (progress_.cancelled()) return true;
      Sliding* system = sliding(weights_.directions[to_size(d)], domains_.support(d));
      if (system == nullptr) return false;
      prescribed[3 * seed(d)] = 1.0;
      solve(*system, prescribed, weight);
      weights_.raw.col(d) = weight;
      prescribed[3 * seed(d)] = 0.0;
      progress_.update(++done_);
    }
    if (!anchored_) return true;
    Sliding* system = sliding(anchor_direction(), anchor_support_);
    if (system == nullptr) return false;
    for (std::size_t v = 0; v < held_.size(); ++v)
      if (held_[v] != 0) prescribed[static_cast<Index>(3 * v)] = 1.0;
    solve(*system, prescribed, weight);
    weights_.raw_anchor = weight;
    return true;
  }

  const ElasticBody& body_;
  const OverlappingDomains& domains_;
  Progress& progress_;
  BlendWeights& weights_;
  SparseMatrix K_;
  std::vector<char> held_, anchor_support_;
  bool anchored_ = false, global_ = true;
  Index done_ = 0;
  std::vector<Index> seeds_;  // domains whose seeds have responses
  MatrixX responses_;
  std::vector<std::unique_ptr<Sliding>> sliding_;
};

}  // namespace

Status elastic_weights(const ElasticBody& body, const OverlappingDomains& domains,
                       std::span<const VertexId> held, Progress& progress, BlendWeights& weights) {
  return ElasticWeights(body, domains, held, progress, weights).run();
}

}  // namespace pliant
