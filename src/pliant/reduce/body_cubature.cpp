#include "pliant/reduce/body_cubature.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/material/point.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/reduce/body_points.hpp"
#include "pliant/subspace/cubature_forces.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

namespace pliant {
namespace {

constexpr double kSmallStrain = 1e-3;     // of poses that show the stiffness at rest
constexpr double kMostNumbers = 1.6e7;    // of a least squares problem: 130 MB
constexpr Index kSampledPoints = 500;     // by which the size of a deformation is judged
constexpr Index kSampledForPoses = 1000;  // points whose forces decide on poses
constexpr Index kWorthSampling = 4;       // of a body that has so many times more
constexpr double kMostOfLargest = 3.0;    // their poses are scaled down to so many times the largest load's
constexpr int kMostIterations = 40;
constexpr int kMostHalvings = 12;

/// A way down the energy: −(K + s K₀)⁻¹ residual, s as small as positive definiteness allows.
VectorX descent(const MatrixX& K, const MatrixX& K0, const VectorX& residual) {
  SymmetricFactor factor;
  double shift = 0.0;
  for (int attempt = 0; attempt < kMostHalvings; ++attempt) {
    if (factor.compute(K + shift * K0)) {
      VectorX way = -factor.solve(residual);
      if (way.allFinite() && way.dot(residual) < 0.0) return way;
    }
    shift = std::max(4.0 * shift, 0.05);
  }
  return {};
}

/// Minimises E(q) − g·q from rest, by Newton's method with a line search. Empty: no minimum was found.
VectorX equilibrium(ReducedForces& forces, const MatrixX& K0, const VectorX& g) {
  VectorX q = VectorX::Zero(g.size()), f(g.size()), next(g.size()), unused(g.size());
  MatrixX K(g.size(), g.size());
  double value = 0.0;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    value = forces.evaluate(q, f, K) - g.dot(q);
    const VectorX way = descent(K, K0, f - g);
    if (way.size() == 0) return {};
    const double slope = way.dot(f - g);
    double part = 1.0;
    int halvings = 0;
    for (; halvings < kMostHalvings; ++halvings, part *= 0.5) {
      next = q + part * way;
      const double there = forces.evaluate(next, unused) - g.dot(next);
      if (there <= value + 1e-4 * part * slope) break;
    }
    if (halvings == kMostHalvings) return q.allFinite() && iteration > 0 ? q : VectorX();
    q = next;
    if (-slope < 1e-6 * std::abs(value)) return q;  // nearer than any pose needs to be
  }
  return q;
}

CubaturePoints points_of(const ElasticBody& elastic, const ReducedBody& reduced, const BodyPoints& points,
                         std::span<const Index> chosen, const VectorX& factors) {
  const auto n = std::ssize(chosen);
  CubaturePoints result;
  result.gradients.resize(9 * n, reduced.size());
  result.weights.resize(n);
  for (Index i = 0; i < n; ++i) {
    const BodyPoint point = points.at(chosen[to_size(i)]);
    result.gradients.middleRows<9>(9 * i) = point.in_subspace(reduced.basis.shapes);
    result.weights[i] = factors[i] * point.weight;
    result.groups.push_back(
        elastic.materials().of_element.empty() ? 0 : elastic.materials().of_element[to_size(point.element)]);
    result.elements.push_back(point.element);
  }
  return result;
}

/// Of some points, each of which stands for those around it, where the body has many more and no polynomial.
/// A pose takes dozens of evaluations and need not be an equilibrium of the body itself. Empty: not worth it.
MakeForces sampled_forces(const ElasticBody& elastic, const ReducedBody& reduced, std::uint64_t seed) {
  const BodyPoints points(elastic);
  if (reduced.forms || points.count() < kWorthSampling * kSampledForPoses) return {};
  Rng rng(seed);
  std::vector<Index> chosen;
  VectorX factors(kSampledForPoses);
  for (Index i = 0; i < kSampledForPoses; ++i) {
    const Index begin = i * points.count() / kSampledForPoses,
                end = (i + 1) * points.count() / kSampledForPoses;
    chosen.push_back(begin + static_cast<Index>(rng.below(static_cast<std::uint64_t>(end - begin))));
    double volume = 0.0;
    for (Index p = begin; p < end; ++p) volume += points.at(p).weight;
    factors[i] = volume / points.at(chosen.back()).weight;
  }
  auto few = std::make_shared<ReducedBody>();
  few->basis = reduced.basis;
  few->cubature = points_of(elastic, reduced, points, chosen, factors);
  return [few = std::shared_ptr<const ReducedBody>(std::move(few)),
          materials = elastic.materials().materials] { return cubature_forces(few, materials); };
}

/// Random loads whose linear response has ‖H‖ between the bounds. White in the mass metric, in energy, or
/// between: the first bends bodies as motions do, the last wakes stiff directions.
std::vector<VectorX> random_loads(const LinearResponse& rest, Index count,
                                  const BodyCubatureSettings& settings) {
  std::vector<VectorX> loads;
  Rng rng(settings.choice.seed);
  const SymmetricEigen eigen(rest.K);
  const double top = std::max(eigen.values()[eigen.values().size() - 1], 0.0);
  for (Index t = 0; t < count; ++t) {
    const double power = 0.25 * static_cast<double>(t % 3);
    VectorX g(rest.K.rows());
    const Index loaded = settings.softest > 0 ? std::min(settings.softest, g.size()) : g.size();
    g.setZero();
    for (Index i = 0; i < loaded; ++i)
      g[i] = rng.normal() * std::pow(std::max(eigen.values()[i], 1e-12 * top), power);
    g = (eigen.vectors() * g).eval();
    const double size = std::exp(rng.uniform(std::log(settings.smallest), std::log(settings.largest)));
    const double linear = rest.gradient(g);
    loads.push_back(linear > 0.0 ? VectorX(size / linear * g) : g);
  }
  return loads;
}

/// Poses, and the exact forces in them.
struct Poses {
  MatrixX q, forces;  // first those to fit, then those held out
  Index fitted = 0;
};

/// Each natural direction of the stiffness, hardly deformed.
MatrixX small_poses(const LinearResponse& rest) {
  MatrixX small = rest.metric.transpose();
  for (Index i = 0; i < small.cols(); ++i)
    small.col(i) *= kSmallStrain / std::max(rest.gradient_at(small.col(i)), 1e-300);
  return small;
}

/// The columns of several matrices, one after the other.
MatrixX join(const MatrixX& a, const MatrixX& b, const MatrixX& c) {
  MatrixX all(a.rows(), a.cols() + b.cols() + c.cols());
  all << a, b, c;
  return all;
}

/// Exact forces in all poses, left out where a law is not defined.
Poses with_forces(MatrixX q, Index fitted, const MakeForces& exact) {
  Poses poses{std::move(q), {}, fitted};
  poses.forces.resizeLike(poses.q);
  const std::unique_ptr<ReducedForces> forces = exact();
  Index kept = 0;
  for (Index t = 0; t < poses.q.cols(); ++t) {
    VectorX f(poses.q.rows());
    if (!forces->force(poses.q.col(t), f) || !f.allFinite()) {
      if (t < fitted) --poses.fitted;
      continue;
    }
    poses.q.col(kept) = poses.q.col(t).eval();
    poses.forces.col(kept++) = f;
  }
  poses.q.conservativeResize(Eigen::NoChange, kept);
  poses.forces.conservativeResize(Eigen::NoChange, kept);
  return poses;
}

/// Forces of single points in all poses.
class PointForces {
 public:
  PointForces(const ElasticBody& elastic, const BodyPoints& points, const MatrixX& shapes, const Poses& poses)
      : elastic_(&elastic), points_(&points), shapes_(&shapes), poses_(&poses) {}

  void operator()(Index pose, std::span<const Index> candidates, PoseForces& forces) const {
    std::call_once(known_, [&] { evaluate_gradients(candidates); });
    const VectorX H = gradients_ * poses_->q.col(pose);
    for (Index i = 0; i < std::ssize(candidates); ++i) {
      const Matrix3 F = Eigen::Map<const Matrix3>(H.data() + 9 * i) + Matrix3::Identity();
      const Matrix3 P = weights_[i] * stress(elastic_->material(elements_[to_size(i)]), F);
      forces.each.col(i).noalias() =
          gradients_.middleRows<9>(9 * i).transpose() * Eigen::Map<const Vector9>(P.data());
    }
    forces.sum = poses_->forces.col(pose);
  }

 private:
  void evaluate_gradients(std::span<const Index> candidates) const {
    const auto n = std::ssize(candidates);
    gradients_.resize(9 * n, shapes_->cols());
    weights_.resize(n);
    for (Index i = 0; i < n; ++i) {
      const BodyPoint point = points_->at(candidates[to_size(i)]);
      gradients_.middleRows<9>(9 * i) = point.in_subspace(*shapes_);
      weights_[i] = point.weight;
      elements_.push_back(point.element);
    }
  }

  const ElasticBody* elastic_;
  const BodyPoints* points_;
  const MatrixX* shapes_;
  const Poses* poses_;
  mutable std::once_flag known_;  // the candidates are the same in all poses
  mutable MatrixX gradients_;
  mutable VectorX weights_;
  mutable std::vector<Index> elements_;
};

MatrixX curve_of(const CubatureChoice& choice) {
  MatrixX curve(3, std::ssize(choice.curve));
  for (std::size_t i = 0; i < choice.curve.size(); ++i)
    curve.col(static_cast<Index>(i)) << static_cast<double>(choice.curve[i].points), choice.curve[i].fitted,
        choice.curve[i].held_out;
  return curve;
}

}  // namespace

LinearResponse::LinearResponse(const ElasticBody& elastic, const ReducedBody& reduced, ReducedForces& exact)
    : K(MatrixX::Zero(reduced.size(), reduced.size())) {
  VectorX f(reduced.size());
  (void)exact.evaluate(VectorX::Zero(reduced.size()), f, K);
  metric = compliance_metric(K);
  const BodyPoints points(elastic);
  const Index step = std::max<Index>(1, points.count() / kSampledPoints);
  gradients_.resize(9 * ((points.count() + step - 1) / step), reduced.size());
  for (Index p = 0, row = 0; p < points.count(); p += step, row += 9)
    gradients_.middleRows<9>(row) = points.at(p).in_subspace(reduced.basis.shapes);
}

double LinearResponse::gradient(ConstVectorRef g) const {
  return gradient_at(metric.transpose() * (metric * g));
}

double LinearResponse::gradient_at(ConstVectorRef q) const {
  const VectorX H = gradients_ * q;
  double largest = 0.0;
  for (Index p = 0; p < H.size(); p += 9) largest = std::max(largest, H.segment<9>(p).norm());
  return largest;
}

MatrixX random_equilibria(const ElasticBody& elastic, const ReducedBody& reduced, const MakeForces& exact,
                          const BodyCubatureSettings& settings, Progress& progress) {
  const LinearResponse rest(elastic, reduced, *exact());
  const std::vector<VectorX> loads = random_loads(rest, settings.poses + settings.held_out, settings);
  std::vector<VectorX> found(loads.size());
  const MakeForces sampled =
      settings.sample ? sampled_forces(elastic, reduced, settings.choice.seed) : MakeForces();
  std::mutex reporting;
  Index done = 0;
  progress.begin("poses for cubature", std::ssize(loads));
  parallel_tasks(std::ssize(loads), [&](Index t) {
    const std::unique_ptr<ReducedForces> forces = sampled ? sampled() : exact();
    VectorX& q = found[to_size(t)];
    double part = 1.0;  // of the load
    for (int attempt = 0; attempt < 3 && q.size() == 0; ++attempt, part *= 0.5)
      if (!progress.cancelled()) q = equilibrium(*forces, rest.K, part * loads[to_size(t)]);
    if (sampled && q.size() > 0)  // where no point is, nothing resists
      q *= std::min(1.0, kMostOfLargest * settings.largest / std::max(rest.gradient_at(q), 1e-300));
    const std::lock_guard lock(reporting);
    progress.update(++done);
  });
  progress.end();
  if (progress.cancelled()) return {};
  std::erase_if(found, [](const VectorX& q) { return q.size() == 0; });
  MatrixX q(reduced.size(), std::ssize(found));
  for (std::size_t t = 0; t < found.size(); ++t) q.col(static_cast<Index>(t)) = found[t];
  return q;
}

CubaturePoints every_point(const ElasticBody& elastic, const ReducedBody& reduced) {
  const BodyPoints points(elastic);
  std::vector<Index> all(to_size(points.count()));
  std::iota(all.begin(), all.end(), Index{0});
  CubaturePoints result = points_of(elastic, reduced, points, all, VectorX::Ones(points.count()));
  result.curve.resize(3, 0);
  result.poses.resize(reduced.size(), 0);
  result.error = 0.0;
  return result;
}

Result<CubaturePoints> make_cubature(const ElasticBody& elastic, const ReducedBody& reduced,
                                     const MakeForces& exact, const BodyCubatureSettings& settings,
                                     Progress& progress) {
  const MatrixX large = settings.given.size() > 0
                            ? settings.given
                            : random_equilibria(elastic, reduced, exact, settings, progress);
  if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
  const BodyPoints points(elastic);
  const LinearResponse rest(elastic, reduced, *exact());
  const MatrixX small = small_poses(rest);
  const Index held_out =
      large.cols() * settings.held_out / std::max<Index>(1, settings.poses + settings.held_out);
  const Index fitted = large.cols() - held_out;
  const Poses poses = with_forces(join(small, large.leftCols(fitted), large.rightCols(held_out)),
                                  small.cols() + fitted, exact);
  // A domain that is held, but for vertices of elements between domains, has no forces to learn from.
  if (rest.metric.rows() == 0 || poses.q.cols() == 0) return every_point(elastic, reduced);
  const PointForces forces(elastic, points, reduced.basis.shapes, poses);
  CubatureProblem problem;
  problem.size = reduced.size();
  problem.candidates = points.count();
  problem.poses = poses.fitted;
  problem.held_out = poses.q.cols() - poses.fitted;
  problem.metric = rest.metric;
  problem.forces = std::cref(forces);
  CubatureSettings choice_settings = settings.choice;
  const double rows = static_cast<double>(rest.metric.rows() * poses.q.cols());
  choice_settings.most_candidates =
      std::min(choice_settings.most_candidates, static_cast<Index>(kMostNumbers / rows));
  Result<CubatureChoice> choice = choose_cubature(problem, choice_settings, progress);
  if (!choice) return choice.errors();
  CubaturePoints result = points_of(elastic, reduced, points, choice.value().points, choice.value().weights);
  result.curve = curve_of(choice.value());
  result.error = choice.value().error();
  result.poses = poses.q;
  return result;
}

}  // namespace pliant
