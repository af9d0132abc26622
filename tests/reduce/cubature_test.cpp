#include "pliant/reduce/cubature.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace pliant {
namespace {

constexpr std::array kSolvers{CubatureSolver::kGreedy, CubatureSolver::kBlocks, CubatureSolver::kThreshold};

/// Forces of all candidates in all poses, size × candidates each.
CubatureProblem problem_of(const std::vector<MatrixX>& poses, Index held_out) {
  CubatureProblem problem;
  problem.size = poses.front().rows();
  problem.candidates = poses.front().cols();
  problem.held_out = held_out;
  problem.poses = std::ssize(poses) - held_out;
  problem.forces = [&poses](Index pose, std::span<const Index> candidates, PoseForces& forces) {
    const MatrixX& all = poses[to_size(pose)];
    for (std::size_t i = 0; i < candidates.size(); ++i)
      forces.each.col(static_cast<Index>(i)) = all.col(candidates[i]);
    forces.sum = all.rowwise().sum();
  };
  return problem;
}

/// Candidates that are multiples of few prototypes, so as many points are exact.
std::vector<MatrixX> repeated(Index prototypes, Index candidates, Index poses, Rng& rng) {
  VectorX factor = test::random_vector(candidates, rng).cwiseAbs().array() + 0.1;
  std::vector<MatrixX> all;
  for (Index t = 0; t < poses; ++t) {
    MatrixX own(6, prototypes);
    for (Index p = 0; p < prototypes; ++p) own.col(p) = test::random_vector(6, rng);
    MatrixX forces(6, candidates);
    for (Index e = 0; e < candidates; ++e) forces.col(e) = factor[e] * own.col(e % prototypes);
    all.push_back(std::move(forces));
  }
  return all;
}

/// Smooth contributions along a bar, as those of elements are.
std::vector<MatrixX> smooth(Index candidates, Index poses, Rng& rng) {
  std::vector<MatrixX> all;
  for (Index t = 0; t < poses; ++t) {
    const VectorX wave = test::random_vector(6, rng);
    MatrixX forces(6, candidates);
    for (Index e = 0; e < candidates; ++e) {
      const double x = (static_cast<double>(e) + 0.5) / static_cast<double>(candidates);
      double stress = 0.0;
      for (Index k = 0; k < 6; ++k) stress += wave[k] * std::cos(static_cast<double>(k) * 3.0 * x);
      for (Index l = 0; l < 6; ++l)
        forces(l, e) = (stress + stress * stress) * std::cos(static_cast<double>(l) * 3.0 * x) /
                       static_cast<double>(candidates);
    }
    all.push_back(std::move(forces));
  }
  return all;
}

/// Σ w g over what was chosen, less the sum of all, relative: computed anew.
double error_in(const MatrixX& forces, const CubatureChoice& choice) {
  const VectorX sum = forces.rowwise().sum();
  VectorX left = sum;
  for (std::size_t i = 0; i < choice.points.size(); ++i)
    left -= choice.weights[static_cast<Index>(i)] * forces.col(choice.points[i]);
  return left.norm() / sum.norm();
}

TEST(Cubature, FindsFewPointsThatAreExact) {
  for (const CubatureSolver solver : kSolvers) {
    Rng rng(3);
    const std::vector<MatrixX> poses = repeated(10, 200, 12, rng);
    CubatureSettings settings;
    settings.error = 1e-9;
    settings.solver = solver;
    const Result<CubatureChoice> choice = choose_cubature(problem_of(poses, 3), settings, no_progress());
    ASSERT_TRUE(choice);
    EXPECT_GE(choice.value().points.size(), 10U);  // as many as there are prototypes, or a few more
    EXPECT_LE(choice.value().points.size(), 16U) << static_cast<int>(solver);
    EXPECT_GT(choice.value().weights.minCoeff(), 0.0);
    for (const MatrixX& pose : poses) EXPECT_LT(error_in(pose, choice.value()), 1e-8);
    EXPECT_TRUE(std::is_sorted(choice.value().points.begin(), choice.value().points.end()));
  }
}

TEST(Cubature, StopsAtTheErrorOrTheCount) {
  Rng rng(4);
  const std::vector<MatrixX> poses = smooth(400, 40, rng);
  for (const CubatureSolver solver : kSolvers) {
    CubatureSettings settings;
    settings.solver = solver;
    settings.error = 0.03;
    const Result<CubatureChoice> by_error = choose_cubature(problem_of(poses, 10), settings, no_progress());
    ASSERT_TRUE(by_error);
    EXPECT_LE(by_error.value().error(), 0.03);
    EXPECT_LT(by_error.value().points.size(), 60U);
    double square = 0.0;
    for (std::size_t t = 30; t < poses.size(); ++t)
      square += std::pow(error_in(poses[t], by_error.value()), 2);
    EXPECT_NEAR(by_error.value().curve.back().held_out, std::sqrt(square / 10.0), 1e-10);
    settings.error = 0.0;
    settings.points = 7;
    const Result<CubatureChoice> by_count = choose_cubature(problem_of(poses, 10), settings, no_progress());
    ASSERT_TRUE(by_count);
    EXPECT_LE(by_count.value().points.size(), 7U);
    EXPECT_GE(by_count.value().points.size(), 4U);
    EXPECT_GT(by_count.value().error(), by_error.value().error());
  }
}

TEST(Cubature, IsTheSameForAnyNumberOfThreads) {
  Rng rng(5);
  const std::vector<MatrixX> poses = smooth(900, 20, rng);
  std::vector<CubatureChoice> found;
  for (const int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    CubatureSettings settings;
    settings.most_candidates = 600;
    Result<CubatureChoice> choice = choose_cubature(problem_of(poses, 4), settings, no_progress());
    ASSERT_TRUE(choice);
    found.push_back(std::move(choice).value());
  }
  EXPECT_GT(found[0].points.size(), 3U);
  for (const CubatureChoice& other : found) {
    EXPECT_EQ(other.points, found[0].points);
    EXPECT_EQ(other.weights, found[0].weights);
  }
}

/// Cancels after some points.
class Impatient final : public Progress {
 public:
  explicit Impatient(Index most) : Progress(&flag_), most_(most) {}
  void begin(std::string_view stage, Index /*total*/) override { choosing_ = stage == "cubature points"; }
  void update(Index done) override { flag_ = choosing_ && done >= most_; }

 private:
  std::atomic<bool> flag_ = false;
  bool choosing_ = false;
  Index most_;
};

TEST(Cubature, GoesOnWhereItWasCancelled) {
  Rng rng(6);
  const std::vector<MatrixX> poses = smooth(300, 30, rng);
  CubatureSettings settings;
  settings.error = 1e-3;
  settings.solver = CubatureSolver::kGreedy;
  CubatureChoice kept;
  settings.on_cancel = [&](const CubatureChoice& choice) { kept = choice; };
  const Result<CubatureChoice> whole = choose_cubature(problem_of(poses, 6), settings, no_progress());
  ASSERT_TRUE(whole);
  ASSERT_TRUE(kept.points.empty());
  Impatient impatient(8);
  const Result<CubatureChoice> cut = choose_cubature(problem_of(poses, 6), settings, impatient);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kCancelled);
  ASSERT_GE(kept.points.size(), 6U);
  settings.start = kept.points;
  const Result<CubatureChoice> resumed = choose_cubature(problem_of(poses, 6), settings, no_progress());
  ASSERT_TRUE(resumed);
  EXPECT_LT(resumed.value().curve.size(), whole.value().curve.size());  // it did not begin anew
  EXPECT_EQ(resumed.value().points, whole.value().points);
}

TEST(Cubature, MeasuresForcesByTheirWork) {
  Rng rng(7);
  MatrixX B(5, 5);
  for (Index j = 0; j < 5; ++j) B.col(j) = test::random_vector(5, rng);
  const MatrixX K = B.leftCols(3) * B.leftCols(3).transpose();  // two rigid motions
  const MatrixX metric = compliance_metric(K);
  ASSERT_EQ(metric.rows(), 3);
  const VectorX q = test::random_vector(5, rng);
  const VectorX f = K * q;
  EXPECT_NEAR((metric * f).squaredNorm(), q.dot(f), 1e-10 * q.dot(f));
}

}  // namespace
}  // namespace pliant
