#include "pliant/reduce/cubature.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/math/nonnegative_fit.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>

namespace pliant {
namespace {

// Eigenvalues of a stiffness below this part of the largest belong to rigid motion.
constexpr double kRigid = 1e-11;
constexpr Index kMostPoints = 1500;   // with the error alone as a bound
constexpr Index kBlockShare = 8;      // kBlocks: one in so many points enters in a round
constexpr int kThresholdRounds = 60;  // they usually repeat after ten
constexpr double kFirstGuess = 4.0;   // kThreshold: counts grow by this factor, then are bisected
constexpr double kCountAccuracy = 1.05;

/// The least squares problem: columns of unit length for the candidates in use.
struct Rows {
  std::vector<Index> candidates;
  MatrixX A, test_rows;
  VectorX b, test_sums, lengths;
};

/// `most` of `count` numbers, ascending.
std::vector<Index> random_subset(Index count, Index most, std::uint64_t seed) {
  std::vector<Index> all(to_size(count));
  std::iota(all.begin(), all.end(), Index{0});
  if (count <= most) return all;
  Rng rng(seed);
  for (Index i = 0; i < most; ++i)
    std::swap(all[to_size(i)], all[to_size(i) + rng.below(static_cast<std::uint64_t>(count - i))]);
  all.resize(to_size(most));
  std::sort(all.begin(), all.end());
  return all;
}

/// Candidates in use: those of the start, and others at random.
std::vector<Index> candidates_of(const CubatureProblem& problem, const CubatureSettings& settings) {
  std::vector<Index> chosen = random_subset(problem.candidates, settings.most_candidates, settings.seed);
  chosen.insert(chosen.end(), settings.start.begin(), settings.start.end());
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

/// Rows of a pose in the metric, relative to its scale.
void fill_pose(const CubatureProblem& problem, Index pose, std::span<const Index> candidates, MatrixRef A,
               VectorRef b) {
  MatrixX each(problem.size, std::ssize(candidates));
  VectorX sum(problem.size);
  PoseForces forces{each, sum};
  problem.forces(pose, candidates, forces);
  if (problem.metric.size() > 0) {
    A.noalias() = problem.metric * each;
    b.noalias() = problem.metric * sum;
  } else {
    A = each;
    b = sum;
  }
  const double scale = forces.scale > 0.0 ? forces.scale : b.norm();
  if (!(scale > 0.0)) return;  // a pose without forces asks for nothing
  A /= scale;
  b /= scale;
}

/// False when cancelled.
bool fill(const CubatureProblem& problem, Rows& rows, Progress& progress) {
  const Index height = problem.metric.size() > 0 ? problem.metric.rows() : problem.size;
  const auto n = std::ssize(rows.candidates);
  rows.A.resize(height * problem.poses, n);
  rows.b.resize(height * problem.poses);
  rows.test_rows.resize(height * problem.held_out, n);
  rows.test_sums.resize(height * problem.held_out);
  std::mutex reporting;
  Index done = 0;
  progress.begin("cubature forces", problem.poses + problem.held_out);
  parallel_tasks(problem.poses + problem.held_out, [&](Index pose) {
    if (progress.cancelled()) return;
    if (pose < problem.poses)
      fill_pose(problem, pose, rows.candidates, rows.A.middleRows(height * pose, height),
                rows.b.segment(height * pose, height));
    else
      fill_pose(problem, pose, rows.candidates,
                rows.test_rows.middleRows(height * (pose - problem.poses), height),
                rows.test_sums.segment(height * (pose - problem.poses), height));
    const std::lock_guard lock(reporting);
    progress.update(++done);
  });
  progress.end();
  if (progress.cancelled()) return false;
  rows.lengths = rows.A.colwise().norm().transpose();
  for (Index j = 0; j < n; ++j) {
    if (!(rows.lengths[j] > 0.0)) rows.lengths[j] = 1.0;
    rows.A.col(j) /= rows.lengths[j];
    rows.test_rows.col(j) /= rows.lengths[j];
  }
  return true;
}

/// Of weights `w` on the columns `chosen` that leave `residual` of b.
CubatureError error_of(const Rows& rows, const std::vector<Index>& chosen, const VectorX& w,
                       const VectorX& residual) {
  const auto relative = [](const VectorX& part, const VectorX& whole) {
    const double size = whole.norm();
    return size > 0.0 ? part.norm() / size : 0.0;
  };
  VectorX left = rows.test_sums;
  for (const Index j : chosen) left.noalias() -= w[j] * rows.test_rows.col(j);
  return {std::ssize(chosen), relative(residual, rows.b), relative(left, rows.test_sums)};
}

class Chooser {
 public:
  Chooser(const Rows& rows, const CubatureSettings& settings, Progress& progress)
      : rows_(rows), settings_(settings), progress_(progress) {
    most_ = std::min({rows.A.cols(), rows.A.rows(), kMostPoints});
    if (settings.points > 0) most_ = std::min(most_, settings.points);
  }

  /// False when cancelled; `choice` holds what was found.
  bool run(CubatureChoice& choice) {
    progress_.begin("cubature points", 0);
    const bool done = settings_.solver == CubatureSolver::kThreshold ? by_threshold(choice) : greedy(choice);
    progress_.end();
    return done;
  }

 private:
  [[nodiscard]] bool enough(const CubatureError& error) const {
    return std::max(error.fitted, error.held_out) <= settings_.error;
  }

  bool greedy(CubatureChoice& choice) {
    NonnegativeFit fit(rows_.A, rows_.b, most_);
    if (!settings_.start.empty()) {
      std::vector<Index> columns;
      columns.reserve(settings_.start.size());
      for (const Index point : settings_.start)
        columns.push_back(std::lower_bound(rows_.candidates.begin(), rows_.candidates.end(), point) -
                          rows_.candidates.begin());
      fit.begin_with(columns);
    }
    bool improves = true;
    while (improves && !progress_.cancelled()) {
      const auto count = std::ssize(fit.chosen());
      if (count > 0) {
        choice.curve.push_back(error_of(rows_, fit.chosen(), fit.weights(), fit.residual()));
        progress_.update(count);
        if (enough(choice.curve.back())) break;
      }
      const Index entering = settings_.solver == CubatureSolver::kBlocks ? 1 + count / kBlockShare : 1;
      improves = fit.improve(entering);
    }
    take(fit.chosen(), fit.weights(), choice);
    return !progress_.cancelled();
  }

  /// The k columns and weights of NN-HTP [vonTycowiczEtAl2013]: the k largest entries of a gradient step from
  /// the weights, then their best fit, until the columns repeat.
  CubatureError threshold(Index k, VectorX& w, std::vector<Index>& chosen) const {
    VectorX residual = rows_.b;
    w = VectorX::Zero(rows_.A.cols());
    std::vector<Index> order(to_size(w.size()));
    CubatureError best;
    VectorX best_w = w;
    std::vector<Index> best_chosen, before;
    for (int round = 0; round < kThresholdRounds && !progress_.cancelled(); ++round) {
      const VectorX gradient = rows_.A.transpose() * residual;
      const VectorX along = chosen.empty() ? gradient : on(chosen, gradient);
      const double length = (rows_.A * along).squaredNorm();
      const double step = length > 0.0 ? along.squaredNorm() / length : 1.0;
      const VectorX moved = w + step * gradient;
      std::iota(order.begin(), order.end(), Index{0});
      std::nth_element(
          order.begin(), order.begin() + std::min(k, w.size()) - 1, order.end(),
          [&](Index a, Index b) { return moved[a] > moved[b] || (moved[a] == moved[b] && a < b); });
      chosen.assign(order.begin(), order.begin() + std::min(k, w.size()));
      std::sort(chosen.begin(), chosen.end());
      if (chosen == before) break;
      before = chosen;
      residual = fit_on(chosen, w);
      const CubatureError error = error_of(rows_, chosen, w, residual);
      if (best.points == 0 || error.fitted < best.fitted) {
        best = error;
        best_w = w;
        best_chosen = chosen;
      }
    }
    w = best_w;
    chosen.clear();
    for (const Index j : best_chosen)
      if (w[j] > 0.0) chosen.push_back(j);
    best.points = std::ssize(chosen);
    return best;
  }

  static VectorX on(const std::vector<Index>& columns, const VectorX& values) {
    VectorX kept = VectorX::Zero(values.size());
    for (const Index j : columns) kept[j] = values[j];
    return kept;
  }

  /// The best nonnegative weights of some columns; returns what they leave of b.
  [[nodiscard]] VectorX fit_on(const std::vector<Index>& columns, VectorX& w) const {
    MatrixX part(rows_.A.rows(), std::ssize(columns));
    for (std::size_t i = 0; i < columns.size(); ++i)
      part.col(static_cast<Index>(i)) = rows_.A.col(columns[i]);
    NonnegativeFit fit(part, rows_.b, part.cols());
    while (fit.improve(1 + std::ssize(fit.chosen()) / 2)) {
    }
    w.setZero();
    for (std::size_t i = 0; i < columns.size(); ++i) w[columns[i]] = fit.weights()[static_cast<Index>(i)];
    return fit.residual();
  }

  bool by_threshold(CubatureChoice& choice) {
    VectorX w, good_w;
    std::vector<Index> chosen, good;
    const auto attempt = [&](Index k) {
      chosen.clear();
      choice.curve.push_back(threshold(k, w, chosen));
      progress_.update(k);
      if (!enough(choice.curve.back()) && settings_.points != k) return false;
      good = chosen;
      good_w = w;
      return true;
    };
    Index low = 0, high = settings_.points > 0 ? most_ : std::min<Index>(most_, 16);
    while (!attempt(high) && high < most_ && !progress_.cancelled()) {
      low = high;
      high = std::min(most_, static_cast<Index>(kFirstGuess * static_cast<double>(high)));
    }
    while (settings_.points == 0 && !good.empty() && !progress_.cancelled() &&
           static_cast<double>(high) > kCountAccuracy * static_cast<double>(low + 1)) {
      const Index middle = (low + high) / 2;
      (attempt(middle) ? high : low) = middle;
    }
    if (good.empty()) {
      good = chosen;
      good_w = w;
    }
    std::stable_sort(choice.curve.begin(), choice.curve.end(),
                     [](const auto& a, const auto& b) { return a.points < b.points; });
    while (choice.curve.size() > 1 && choice.curve.back().points > std::ssize(good)) choice.curve.pop_back();
    take(good, good_w, choice);
    return !progress_.cancelled();
  }

  /// Candidates in ascending order, with factors on their integration weights.
  void take(const std::vector<Index>& columns, const VectorX& w, CubatureChoice& choice) const {
    std::vector<Index> kept;
    for (const Index j : columns)
      if (w[j] > 0.0) kept.push_back(j);
    std::sort(kept.begin(), kept.end());
    choice.weights.resize(std::ssize(kept));
    choice.points.clear();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      choice.points.push_back(rows_.candidates[to_size(kept[i])]);
      choice.weights[static_cast<Index>(i)] = w[kept[i]] / rows_.lengths[kept[i]];
    }
  }

  const Rows& rows_;
  const CubatureSettings& settings_;
  Progress& progress_;
  Index most_;
};

}  // namespace

Result<CubatureChoice> choose_cubature(const CubatureProblem& problem, const CubatureSettings& settings,
                                       Progress& progress) {
  const Diagnostic interrupted{ErrorCode::kCancelled, {}, "interrupted", ""};
  Rows rows;
  rows.candidates = candidates_of(problem, settings);
  if (!fill(problem, rows, progress)) return interrupted;
  CubatureChoice choice;
  if (Chooser(rows, settings, progress).run(choice)) return choice;
  if (settings.on_cancel) settings.on_cancel(choice);
  return interrupted;
}

MatrixX compliance_metric(const MatrixX& stiffness) {
  const SymmetricEigen eigen(0.5 * (stiffness + stiffness.transpose()));
  const VectorX& values = eigen.values();
  if (values.size() == 0) return {};
  const double floor = kRigid * std::max(values[values.size() - 1], 0.0);
  Index first = 0;
  while (first < values.size() && !(values[first] > floor)) ++first;
  const Index kept = values.size() - first;
  return values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal() *
         eigen.vectors().rightCols(kept).transpose();
}

}  // namespace pliant
