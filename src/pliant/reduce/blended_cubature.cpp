#include "pliant/reduce/blended_cubature.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/material/point.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/math/nonnegative_fit.hpp"
#include "pliant/reduce/blended_poses.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>

namespace pliant {
namespace {

constexpr double kMostNumbers = 8e6;    // of the least squares problem of a segment: 64 MB
constexpr double kSmallStrain = 1e-3;   // of poses that show the stiffness at rest
constexpr double kCrushedError = 0.15;  // of restorative points: what they do has no exact value
// How much more the work of a pose on itself counts than its whole force. Least squares with too few points
// makes every force too small, and with it every frequency.
constexpr double kWorkWeight = 8.0;
// How much more the small poses count: what they leave, also across, lowers the frequencies.
constexpr double kSmallWeight = 3.0;

constexpr Index kUniform = 7;  // the first crushed poses: the whole body flat, inside out, and as a point

Diagnostic interrupted() { return {ErrorCode::kCancelled, {}, "interrupted", ""}; }

std::vector<std::vector<Index>> by_segment(std::span<const Index> segment_of) {
  const Index count = segment_of.empty() ? 0 : 1 + *std::max_element(segment_of.begin(), segment_of.end());
  std::vector<std::vector<Index>> own(to_size(count));
  for (std::size_t p = 0; p < segment_of.size(); ++p)
    own[to_size(segment_of[p])].push_back(static_cast<Index>(p));
  return own;
}

/// Which part of the stress is meant.
enum class StressPart {
  kWhole,
  kRestoring  // what an invertible material adds to its plain law
};

Matrix3 stress_of(const Material& material, const Matrix3& F, StressPart part) {
  if (part == StressPart::kWhole) return stress(material, F);
  if (!material.invertible || material.law != Law::kStvk) return Matrix3::Zero();
  Material plain = material;
  plain.invertible = false;
  return stress(material, F) - stress(plain, F);
}

/// Forces on the coordinates, point by point, in given poses.
class SegmentForces {
 public:
  SegmentForces(const BlendedBody& body, const std::vector<Material>& materials,
                const std::vector<std::vector<Index>>& segments, const MatrixX& poses, StressPart part)
      : body_(body), materials_(materials), segments_(segments), part_(part) {
    const Index m = body.scalars.cols();
    for (Index t = 0; t < poses.cols(); ++t) {
      VectorX flat = poses.col(t);
      if (body.transform.size() > 0) flat = body.transform * poses.col(t);
      scalars_.push_back(Eigen::Map<const MatrixX>(flat.data(), m, 3));
    }
    sums.assign(segments.size(), MatrixX::Zero(poses.rows(), poses.cols()));
  }

  /// sums[s] has a column per pose. False when cancelled.
  bool add_up(Progress& progress) {
    std::mutex reporting;
    Index done = 0;
    progress.begin("forces in poses", std::ssize(scalars_));
    parallel_tasks(std::ssize(scalars_), [&](Index t) {
      for (std::size_t s = 0; s < segments_.size() && !progress.cancelled(); ++s) {
        MatrixX f = MatrixX::Zero(scalars_[to_size(t)].rows(), 3);
        for (const Index p : segments_[s]) add(t, p, f);
        sums[s].col(t) = on_coordinates(f);
      }
      const std::lock_guard lock(reporting);
      progress.update(++done);
    });
    progress.end();
    return !progress.cancelled();
  }

  /// Of one point, with its volume.
  [[nodiscard]] VectorX of(Index pose, Index point) const {
    MatrixX f = MatrixX::Zero(scalars_[to_size(pose)].rows(), 3);
    add(pose, point, f);
    return on_coordinates(f);
  }

  std::vector<MatrixX> sums;

 private:
  void add(Index pose, Index point, MatrixX& f) const {
    const auto G = body_.points.gradients.middleCols<3>(3 * point);
    const Matrix3 F = Matrix3::Identity() + scalars_[to_size(pose)].transpose().lazyProduct(G);
    const Material& material = materials_[to_size(body_.points.material[to_size(point)])];
    const Matrix3 P = body_.points.weights[point] * stress_of(material, F, part_);
    f += G.lazyProduct(P.transpose());
  }
  [[nodiscard]] VectorX on_coordinates(const MatrixX& f) const {
    const Eigen::Map<const VectorX> flat(f.data(), f.size());
    return body_.transform.size() > 0 ? VectorX(body_.transform.transpose() * flat) : VectorX(flat);
  }

  const BlendedBody& body_;
  const std::vector<Material>& materials_;
  const std::vector<std::vector<Index>>& segments_;
  StressPart part_;
  std::vector<MatrixX> scalars_;  // m × 3 of each pose
};

/// Poses; the last ones judge.
struct Poses {
  MatrixX q;
  Index small = 0;  // hardly deformed, the first ones
  Index fitted = 0;
};

/// Leaves out poses in which a law is not defined.
void keep_finite(Poses& poses, std::vector<MatrixX>& sums) {
  Index kept = 0;
  const Index all = poses.q.cols(), fitted = poses.fitted, small = poses.small;
  for (Index t = 0; t < all; ++t) {
    const bool finite =
        std::all_of(sums.begin(), sums.end(), [&](const MatrixX& sum) { return sum.col(t).allFinite(); });
    if (!finite) {
      if (t < fitted) --poses.fitted;
      if (t < small) --poses.small;
      continue;
    }
    poses.q.col(kept) = poses.q.col(t).eval();
    for (MatrixX& sum : sums) sum.col(kept) = sum.col(t).eval();
    ++kept;
  }
  poses.q.conservativeResize(Eigen::NoChange, kept);
  for (MatrixX& sum : sums) sum.conservativeResize(Eigen::NoChange, kept);
}

/// How the force of a segment is measured in a pose: half by itself, half by all segments, so that those
/// which hardly deform need not be exact.
MatrixX scales_of(const std::vector<MatrixX>& sums, const MatrixX& metric, Index small) {
  MatrixX scales(std::ssize(sums), sums.front().cols());
  for (std::size_t s = 0; s < sums.size(); ++s)
    scales.row(static_cast<Index>(s)) = (metric * sums[s]).colwise().norm();
  const Eigen::RowVectorXd mean =
      (scales.colwise().squaredNorm() / static_cast<double>(scales.rows())).cwiseSqrt();
  for (Index s = 0; s < scales.rows(); ++s)
    scales.row(s) = (0.5 * (scales.row(s).cwiseAbs2() + mean.cwiseAbs2())).cwiseSqrt();
  scales.leftCols(small) /= kSmallWeight;
  return scales;
}

/// The choice of one segment among its own points.
Result<CubatureChoice> choose_in(Index segment, const std::vector<Index>& own, const SegmentForces& forces,
                                 const MatrixX& targets, const Eigen::RowVectorXd& scales, Index fitted,
                                 const MatrixX& metric, const CubatureSettings& settings,
                                 const std::atomic<bool>* cancel) {
  CubatureProblem problem;
  problem.size = targets.rows();
  problem.candidates = std::ssize(own);
  problem.poses = fitted;
  problem.held_out = targets.cols() - fitted;
  problem.metric = metric;
  problem.forces = [&](Index pose, std::span<const Index> candidates, PoseForces& pose_forces) {
    for (Index i = 0; i < std::ssize(candidates); ++i)
      pose_forces.each.col(i) = forces.of(pose, own[to_size(candidates[to_size(i)])]);
    pose_forces.sum = targets.col(pose);
    pose_forces.scale = scales[pose];
  };
  CubatureSettings mine = settings;
  mine.seed += 1000 * static_cast<std::uint64_t>(segment);
  const auto rows = static_cast<double>(metric.rows() * targets.cols());
  mine.most_candidates =
      std::clamp<Index>(static_cast<Index>(kMostNumbers / rows), 4 * settings.points, 2000);
  Progress quiet(cancel);
  return choose_cubature(problem, mine, quiet);
}

struct SegmentChoices {
  std::vector<std::pair<Index, double>> points;  // and factors, ascending
  std::vector<Index> counts;
};

Result<SegmentChoices> choose_all(const std::vector<std::vector<Index>>& segments,
                                  const SegmentForces& forces, const std::vector<MatrixX>& targets,
                                  Index small, Index fitted, const MatrixX& metric,
                                  const CubatureSettings& settings, Progress& progress) {
  const MatrixX scales = scales_of(targets, metric, small);
  std::vector<std::optional<Result<CubatureChoice>>> found(segments.size());
  std::mutex reporting;
  Index done = 0;
  progress.begin("cubature points", std::ssize(segments));
  parallel_tasks(std::ssize(segments), [&](Index s) {
    const auto at = to_size(s);
    if (!segments[at].empty())
      found[at] = choose_in(s, segments[at], forces, targets[at], scales.row(s), fitted, metric, settings,
                            progress.cancel_flag());
    const std::lock_guard lock(reporting);
    progress.update(++done);
  });
  progress.end();
  SegmentChoices choices;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    choices.counts.push_back(0);
    if (!found[s]) continue;
    if (!*found[s]) return found[s]->errors();
    const CubatureChoice& choice = found[s]->value();
    for (std::size_t i = 0; i < choice.points.size(); ++i)
      choices.points.emplace_back(segments[s][to_size(choice.points[i])],
                                  choice.weights[static_cast<Index>(i)]);
    choices.counts.back() = std::ssize(choice.points);
  }
  std::sort(choices.points.begin(), choices.points.end());
  return choices;
}

/// Rows of chosen points in some poses, relative to the whole force there; the last row of each is its work.
struct WholeRows {
  MatrixX A;
  VectorX b;
  Index height = 0;

  WholeRows(const SegmentForces& forces, const std::vector<MatrixX>& sums, const MatrixX& metric,
            const Poses& poses, const std::vector<std::pair<Index, double>>& points, Index begin, Index end)
      : height(metric.rows() + 1) {
    A.resize(height * (end - begin), std::ssize(points));
    b.resize(height * (end - begin));
    parallel_tasks(end - begin, [&](Index i) {
      VectorX whole = VectorX::Zero(metric.cols());
      for (const MatrixX& sum : sums) whole += sum.col(begin + i);
      MatrixX each(metric.cols(), std::ssize(points));
      for (std::size_t p = 0; p < points.size(); ++p)
        each.col(static_cast<Index>(p)) = forces.of(begin + i, points[p].first);
      const VectorX right = metric * whole;
      const double scale = std::max(right.norm(), 1e-300) / (begin + i < poses.small ? kSmallWeight : 1.0);
      A.middleRows(height * i, height - 1) = metric * each / scale;
      b.segment(height * i, height - 1) = right / scale;
      const VectorX q = poses.q.col(begin + i);
      const double work = q.dot(whole);
      const double factor = work > 0.0 ? kWorkWeight / work : 0.0;
      A.row(height * (i + 1) - 1) = factor * (q.transpose() * each);
      b[height * (i + 1) - 1] = factor * work;
    });
  }
  /// Without the work.
  [[nodiscard]] double error(const VectorX& w) const {
    const VectorX left = A * w - b;
    double missing = 0.0, all = 0.0;
    for (Index row = 0; row < b.size(); row += height) {
      missing += left.segment(row, height - 1).squaredNorm();
      all += b.segment(row, height - 1).squaredNorm();
    }
    return all > 0.0 ? std::sqrt(missing / all) : 0.0;
  }
};

/// All weights anew, so that the whole force and its work are right: errors of segments cancel.
void fit_whole(const SegmentForces& forces, const std::vector<MatrixX>& sums, const MatrixX& metric,
               const Poses& poses, SegmentChoices& choices, BlendedCubature& result) {
  const Index n = std::ssize(choices.points), fitted = poses.fitted;
  VectorX w(n);
  for (Index i = 0; i < n; ++i) w[i] = choices.points[to_size(i)].second;
  const WholeRows test(forces, sums, metric, poses, choices.points, fitted, poses.q.cols());
  if (static_cast<double>(metric.rows() * fitted) * static_cast<double>(n) < 4.0 * kMostNumbers) {
    const WholeRows rows(forces, sums, metric, poses, choices.points, 0, fitted);
    NonnegativeFit fit(rows.A, rows.b, n);
    std::vector<Index> all(to_size(n));
    std::iota(all.begin(), all.end(), Index{0});
    fit.begin_with(all);
    while (fit.improve()) {
    }
    result.curve.resize(3, 2);
    result.curve.col(0) << static_cast<double>(n), rows.error(w), test.error(w);
    result.curve.col(1) << static_cast<double>(n), rows.error(fit.weights()), test.error(fit.weights());
    w = fit.weights();
  }
  result.error = test.error(w);
  std::vector<double> kept;
  for (Index i = 0; i < n; ++i) {
    if (!(w[i] > 0.0)) continue;
    result.points.points.push_back(choices.points[to_size(i)].first);
    kept.push_back(w[i]);
  }
  result.points.factors = Eigen::Map<const VectorX>(kept.data(), std::ssize(kept));
}

/// The whole training of one body.
class Training {
 public:
  Training(const ElasticBody& elastic, const std::shared_ptr<const BlendedBody>& body,
           std::span<const Index> segment_of, const MakeBlendedForces& make_forces,
           const BlendedCubatureSettings& settings, Progress& progress)
      : elastic_(elastic),
        body_(body),
        materials_(elastic.materials().materials),
        segments_(by_segment(segment_of)),
        make_forces_(make_forces),
        settings_(settings),
        progress_(progress),
        rest_(elastic, *body->reduced, *make_forces(body)) {
    invertible_ = std::any_of(materials_.begin(), materials_.end(), [](const Material& material) {
      return material.invertible && material.law == Law::kStvk;
    });
  }

  Result<BlendedCubature> run() {
    const MatrixX large =
        loaded_poses(elastic_, *body_, segments_, rest_, make_forces_, settings_, progress_);
    if (progress_.cancelled()) return interrupted();
    BlendedCubature result;
    if (const Status done = choose_points(large, result); !done) return done.errors();
    if (invertible_)
      if (const Status done = choose_restorative(large, result); !done) return done.errors();
    return result;
  }

 private:
  Status choose_points(const MatrixX& large, BlendedCubature& result) {
    const Index small = std::min(settings_.small, rest_.metric.rows());
    Poses poses;
    // A uniform pressure must act uniformly, or bodies unfold from a point unevenly and get caught in folds.
    const MatrixX uniform =
        invertible_
            ? crushed_poses(elastic_, *body_, MatrixX(large.rows(), 0), settings_.seed).leftCols(kUniform)
            : MatrixX(large.rows(), 0);
    poses.q.resize(large.rows(), small + uniform.cols() + large.cols());
    poses.q.middleCols(small, uniform.cols()) = uniform;
    for (Index i = 0; i < small; ++i) {
      const VectorX q = rest_.metric.row(i).transpose();
      poses.q.col(i) = kSmallStrain / std::max(rest_.gradient_at(q), 1e-300) * q;
    }
    poses.q.rightCols(large.cols()) = large;
    poses.small = small;
    poses.fitted = poses.q.cols() - large.cols() * settings_.held_out /
                                        std::max<Index>(1, settings_.poses + settings_.held_out);
    SegmentForces forces(*body_, materials_, segments_, poses.q, StressPart::kWhole);
    if (!forces.add_up(progress_)) return interrupted();
    const MatrixX before = poses.q;
    keep_finite(poses, forces.sums);
    if (poses.q.cols() != before.cols()) {
      const std::vector<MatrixX> sums = forces.sums;
      SegmentForces finite(*body_, materials_, segments_, poses.q, StressPart::kWhole);
      finite.sums = sums;
      return choose_from(finite, poses, result);
    }
    return choose_from(forces, poses, result);
  }

  Status choose_from(const SegmentForces& forces, const Poses& poses, BlendedCubature& result) {
    CubatureSettings choice;
    choice.error = settings_.error;
    choice.points = settings_.points;
    choice.seed = settings_.seed;
    choice.solver = CubatureSolver::kGreedy;
    Result<SegmentChoices> made = choose_all(segments_, forces, forces.sums, poses.small, poses.fitted,
                                             rest_.metric, choice, progress_);
    if (!made) return made.errors();
    result.counts = made.value().counts;
    fit_whole(forces, forces.sums, rest_.metric, poses, made.value(), result);
    return Done{};
  }

  /// What the chosen points leave of the restoring forces of all elements.
  Status choose_restorative(const MatrixX& large, BlendedCubature& result) {
    const MatrixX q = crushed_poses(elastic_, *body_, large, settings_.seed + 7);
    SegmentForces forces(*body_, materials_, segments_, q, StressPart::kRestoring);
    if (!forces.add_up(progress_)) return interrupted();
    std::vector<Index> segment_of(to_size(body_->points.count()), 0);
    for (std::size_t s = 0; s < segments_.size(); ++s)
      for (const Index p : segments_[s]) segment_of[to_size(p)] = static_cast<Index>(s);
    std::vector<MatrixX> targets = forces.sums;
    for (std::size_t i = 0; i < result.points.points.size(); ++i) {
      const Index p = result.points.points[i];
      for (Index t = 0; t < q.cols(); ++t)
        targets[to_size(segment_of[to_size(p)])].col(t) -=
            result.points.factors[static_cast<Index>(i)] * forces.of(t, p);
    }
    CubatureSettings choice;
    choice.error = kCrushedError;
    choice.points = settings_.points;
    choice.seed = settings_.seed + 13;
    choice.solver = CubatureSolver::kGreedy;
    Result<SegmentChoices> made =
        choose_all(segments_, forces, targets, 0, q.cols(), rest_.metric, choice, progress_);
    if (!made) return made.errors();
    const auto& points = made.value().points;
    result.restorative.factors.resize(std::ssize(points));
    for (const auto& [point, factor] : points) {
      result.restorative.factors[std::ssize(result.restorative.points)] = factor;
      result.restorative.points.push_back(point);
    }
    return Done{};
  }

  const ElasticBody& elastic_;
  std::shared_ptr<const BlendedBody> body_;
  std::vector<Material> materials_;
  std::vector<std::vector<Index>> segments_;
  const MakeBlendedForces& make_forces_;
  const BlendedCubatureSettings& settings_;
  Progress& progress_;
  LinearResponse rest_;
  bool invertible_ = false;
};

}  // namespace

std::vector<Index> segments_of_elements(const VolumeMesh& mesh, const std::vector<Index>& segment_of_vertex) {
  std::vector<Index> result;
  result.reserve(to_size(mesh.element_count()));
  std::vector<Index> own;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    own.clear();
    for (const VertexId v : mesh.element_vertices(e)) own.push_back(segment_of_vertex[to_size(v)]);
    std::sort(own.begin(), own.end());
    Index best = own.front(), most = 0;
    for (std::size_t i = 0, run = 1; i < own.size(); ++i, ++run) {
      if (i > 0 && own[i] != own[i - 1]) run = 1;
      if (static_cast<Index>(run) > most) {
        most = static_cast<Index>(run);
        best = own[i];
      }
    }
    result.push_back(best);
  }
  return result;
}

BlendedPoints points_of(const BlendedPoints& all, const ChosenPoints& chosen) {
  BlendedPoints some;
  const Index n = std::ssize(chosen.points);
  some.weights.resize(n);
  some.gradients.resize(all.gradients.rows(), 3 * n);
  for (Index i = 0; i < n; ++i) {
    const Index p = chosen.points[to_size(i)];
    some.weights[i] = chosen.factors[i] * all.weights[p];
    some.material.push_back(all.material[to_size(p)]);
    some.gradients.middleCols<3>(3 * i) = all.gradients.middleCols<3>(3 * p);
  }
  return some;
}

Result<BlendedCubature> make_blended_cubature(const ElasticBody& elastic,
                                              const std::shared_ptr<const BlendedBody>& body,
                                              std::span<const Index> segment_of,
                                              const MakeBlendedForces& make_forces,
                                              const BlendedCubatureSettings& settings, Progress& progress) {
  return Training(elastic, body, segment_of, make_forces, settings, progress).run();
}

}  // namespace pliant
