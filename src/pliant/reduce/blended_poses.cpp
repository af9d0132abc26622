#include "pliant/reduce/blended_poses.hpp"

#include "pliant/base/rng.hpp"
#include "pliant/math/dense.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace pliant {
namespace {

constexpr Index kSampled = 1500;  // points on which poses are found; they need not be exact
// ‖F − 1‖ of the weakest pose under load: weaker ones would show what small poses show.
constexpr double kSmallestLoad = 0.3;
constexpr double kRigid = 1e-11;  // eigenvalues below this part of the largest are rigid motion
constexpr int kFolds = 8;         // random crushed shapes
constexpr Index kBlownUp = 8;     // loaded poses that are blown up

/// The body with other points, and without anything that its forces do not need.
std::shared_ptr<const BlendedBody> with_points(const BlendedBody& body, BlendedPoints points) {
  auto light = std::make_shared<BlendedBody>();
  light->rest = body.rest;
  light->reduced = body.reduced;
  light->scalars.resize(0, body.scalars.cols());
  light->transform = body.transform;
  light->points = std::move(points);
  return light;
}

/// Some points at random that stand for the volume of their segment.
ChosenPoints sample(const BlendedPoints& points, const std::vector<std::vector<Index>>& segments,
                    std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::pair<Index, double>> chosen;
  for (std::vector<Index> own : segments) {
    if (own.empty()) continue;
    const Index count = std::ssize(own);
    const Index wanted = std::clamp<Index>(kSampled * count / points.count(), 1, count);
    double all = 0.0, kept = 0.0;
    for (const Index p : own) all += points.weights[p];
    for (Index i = 0; i < wanted; ++i) {
      std::swap(own[to_size(i)], own[to_size(i) + rng.below(static_cast<std::uint64_t>(count - i))]);
      kept += points.weights[own[to_size(i)]];
    }
    for (Index i = 0; i < wanted; ++i) chosen.emplace_back(own[to_size(i)], all / kept);
  }
  std::sort(chosen.begin(), chosen.end());
  ChosenPoints result{{}, VectorX(std::ssize(chosen))};
  for (const auto& [point, factor] : chosen) {
    result.factors[std::ssize(result.points)] = factor;
    result.points.push_back(point);
  }
  return result;
}

/// Forces of a body that nothing holds, and of springs against its rigid motion, so that loads have
/// equilibria.
class HeldForces final : public ReducedForces {
 public:
  HeldForces(std::unique_ptr<ReducedForces> own, const MatrixX& rigid, double stiffness)
      : own_(std::move(own)), rigid_(rigid), springs_(stiffness * rigid * rigid.transpose()) {}
  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K) override {
    const double energy = own_->evaluate(q, f, K);
    K += springs_;
    return energy + hold(q, f);
  }
  double evaluate(ConstVectorRef q, VectorRef f) override {
    const double energy = own_->evaluate(q, f);
    return energy + hold(q, f);
  }
  double mean_force(ConstVectorRef q0, ConstVectorRef q1, VectorRef f, MatrixRef K) override {
    const double energy = own_->mean_force(q0, q1, f, K);
    K += springs_;
    (void)hold(0.5 * (q0 + q1), f);
    return energy + 0.5 * q1.dot(springs_ * q1);
  }
  void set_materials(std::span<const Material> materials) override { own_->set_materials(materials); }
  [[nodiscard]] double rounding() const override { return own_->rounding(); }

 private:
  double hold(const VectorX& q, VectorRef f) const {
    const VectorX pull = springs_ * q;
    f += pull;
    return 0.5 * q.dot(pull);
  }
  std::unique_ptr<ReducedForces> own_;
  MatrixX rigid_, springs_;
};

/// y = A x + B (x ∘ x) / size about a centre.
struct Crush {
  Matrix3 A = Matrix3::Identity(), B = Matrix3::Zero();
};

Matrix3 random_matrix(Rng& rng) {
  Matrix3 made;
  for (double& entry : made.reshaped()) entry = rng.normal();
  return made;
}

std::vector<Crush> crushes(Rng& rng) {
  std::vector<Crush> all;
  for (const double part : {0.02, -0.6})
    for (Index axis = 0; axis < 3; ++axis) {
      all.emplace_back();
      all.back().A(axis, axis) = part;
    }
  all.push_back({0.05 * Matrix3::Identity(), Matrix3::Zero()});
  for (int i = 0; i < kFolds; ++i) all.push_back({random_matrix(rng), random_matrix(rng)});
  return all;
}

}  // namespace

MatrixX loaded_poses(const ElasticBody& elastic, const BlendedBody& body,
                     const std::vector<std::vector<Index>>& segments, const LinearResponse& rest,
                     const MakeBlendedForces& make_forces, const BlendedCubatureSettings& settings,
                     Progress& progress) {
  const ChosenPoints chosen = sample(body.points, segments, settings.seed);
  const auto sampled = with_points(body, points_of(body.points, chosen));
  const SymmetricEigen eigen(0.5 * (rest.K + rest.K.transpose()));
  const VectorX& values = eigen.values();
  const double top = values[values.size() - 1];
  Index rigid = 0;
  while (rigid < values.size() && !(values[rigid] > kRigid * top)) ++rigid;
  const MatrixX motions = eigen.vectors().leftCols(rigid);
  const double stiffness = values[(values.size() + rigid) / 2];
  BodyCubatureSettings loads;
  loads.poses = settings.poses;
  loads.held_out = settings.held_out;
  loads.smallest = kSmallestLoad;
  loads.sample = false;  // `exact` below is of some points already, and holds free bodies
  loads.choice.seed = settings.seed;
  loads.softest = rigid + settings.loaded;
  const MakeForces exact = [&]() -> std::unique_ptr<ReducedForces> {
    std::unique_ptr<ReducedForces> own = make_forces(sampled);
    if (rigid == 0) return own;
    return std::make_unique<HeldForces>(std::move(own), motions, stiffness);
  };
  return random_equilibria(elastic, *body.reduced, exact, loads, progress);
}

MatrixX crushed_poses(const ElasticBody& elastic, const BlendedBody& body, const MatrixX& large,
                      std::uint64_t seed) {
  Rng rng(seed);
  const std::vector<Crush> all = crushes(rng);
  const VolumeMesh& mesh = elastic.mesh();
  const Index n = mesh.vertex_count(), domains = body.weights.cols();
  std::vector<VectorX> found;
  const auto add = [&](const VectorX& weight, const Vector3& center, double size, const Crush& crush) {
    VectorX u = VectorX::Zero(3 * n), momentum(3 * n);
    for (Index v = 0; v < n; ++v) {
      const Vector3 x = mesh.vertices[to_size(v)] - center;
      u.segment<3>(3 * v) = weight[v] * (crush.A * x + crush.B * x.cwiseProduct(x) / size - x);
    }
    elastic.apply_mass(u, momentum);
    found.push_back(body.reduced->basis.shapes.transpose() * momentum);
  };
  const VectorX everywhere = VectorX::Ones(n) - body.anchor;
  const double size = std::cbrt(elastic.volume());
  for (const Crush& crush : all) add(everywhere, body.reduced->origin, size, crush);
  for (Index d = 0; d < domains; ++d) {
    const BlendedDomain& domain = body.domains[to_size(d)];
    for (std::size_t i = to_size(d % 2); i < all.size(); i += 2)
      add(body.weights.col(d), domain.center, domain.size, all[i]);
  }
  for (Index t = 0; t < std::min(kBlownUp, large.cols()); ++t) found.emplace_back(3.0 * large.col(t));
  MatrixX q(body.reduced->size(), std::ssize(found));
  for (std::size_t t = 0; t < found.size(); ++t) q.col(static_cast<Index>(t)) = found[t];
  return q;
}

}  // namespace pliant
