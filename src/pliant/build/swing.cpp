#include "pliant/build/swing.hpp"

#include "pliant/model/reduced/common_motion.hpp"
#include "pliant/reduce/mass_space.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr double kPeriodSteps = 80.0;   // in a period of the first mode, at least
constexpr double kStepsOfStart = 24.0;  // … and in one of the motion that it starts with
constexpr double kMostSteps = 480.0;
constexpr double kFewestSteps = 40.0;  // bodies for which these are too much work are not run
constexpr double kSwingWork = 800e9;   // flops of all factorisations
constexpr double kStepFactorisations = 3.0;
constexpr double kSwingTolerance = 1e-6;  // of its steps

/// Mean ω² of the velocities: vᵀKv / vᵀMv.
double rate_of(const RestSystem& system, const VectorX& v) {
  const double mass = mass_norms(system.body(), v)[0];
  return mass > 0.0 ? v.dot(system.stiffness_times(v).col(0)) / (mass * mass) : 0.0;
}

}  // namespace

Swing make_swing(const BodyDefinition& definition, const SceneStart& start, const RestSystem& system,
                 double slowest) {
  const Index size = definition.elastic->dof_count();
  Swing swing{definition.supports, definition.loads, start, 0.0, 0, MatrixX(size, 0), 0};
  if (swing.start.velocities.size() != size) {
    swing.start.displacements = VectorX::Zero(size);
    swing.start.velocities = VectorX::Zero(size);
  }
  const double period = 2.0 * std::numbers::pi / std::sqrt(slowest);
  const double fastest = std::max(slowest, rate_of(system, swing.start.velocities));
  const double needed = std::max(kPeriodSteps, kStepsOfStart * std::sqrt(fastest / slowest));
  const double granted =
      std::min(kMostSteps, kSwingWork / (kStepFactorisations * system.known().factor->flops()));
  // Steps of the scene's own length are the best, as its errors are to be expected.
  const double own = start.dt > 0.0 ? period / start.dt : 0.0;
  const double steps = std::max(needed, std::min(own, granted));
  swing.dt = own >= needed && own <= granted ? start.dt : period / steps;
  swing.steps = static_cast<Index>(std::lround(std::min(steps, granted)));
  StepSettings& step = swing.start.step;
  const bool still = step.integrator == Integrator::kStatic;
  if (still || granted < kFewestSteps || !common_motion(definition.supports)) swing.steps = 0;
  step.newton_tolerance = kSwingTolerance;
  step.newton_iterations = StepSettings{}.newton_iterations;
  if (still || step.integrator == Integrator::kCentralDifferences) step.integrator = Integrator::kNewmark;
  return swing;
}

bool moves(const Swing& swing) {
  return !swing.loads.gravity.isZero(0.0) || !swing.loads.loads.empty() ||
         !swing.start.displacements.isZero(0.0) || !swing.start.velocities.isZero(0.0) ||
         std::any_of(swing.supports.begin(), swing.supports.end(),
                     [](const Support& support) { return support.motion.has_value(); });
}

Status run_first(Swing& swing, const BodyDefinition& definition, Progress& progress) {
  if (swing.steps == 0) return Done{};
  Result<MatrixX> path = run_full(definition, swing, swing.steps, "first period of the scene", progress);
  if (!path) return path.errors();
  if (path.value().cols() < swing.steps) return Done{};
  swing.path = std::move(path).value();
  swing.seen = swing.steps / 2;
  return Done{};
}

Result<MatrixX> run_full(const BodyDefinition& definition, const Swing& swing, Index steps,
                         std::string_view stage, Progress& progress) {
  const Result<std::unique_ptr<Model>> model =
      make_full_model({definition.elastic, swing.supports, swing.loads}, swing.start.step);
  if (!model) return model.errors();
  MatrixX path(definition.elastic->dof_count(), steps);
  progress.begin(stage, steps);
  bool healthy = model.value()->start(0.0, swing.start.displacements, swing.start.velocities).healthy();
  Index done = 0;
  for (; done < steps && healthy && !progress.cancelled(); ++done) {
    healthy = model.value()->step(static_cast<double>(done) * swing.dt, swing.dt).healthy();
    if (!healthy) break;
    path.col(done) = model.value()->displacements();
    progress.update(done + 1);
  }
  progress.end();
  if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
  return MatrixX(path.leftCols(done));
}

MatrixX in_frame(const Swing& swing, const BodyDefinition& definition, ConstMatrixRef path, Index every) {
  const Result<std::optional<Motion>> motion = common_motion(swing.supports);
  MatrixX shapes = path;
  if (!motion || !motion.value()) return shapes;
  const VectorX& rest = definition.elastic->rest_positions();
  for (Index j = 0; j < path.cols(); ++j) {
    const double time = static_cast<double>((j + 1) * every) * swing.dt;
    const Matrix3 back = motion.value()->turn(time).transpose();
    for (Index i = 0; i < path.rows(); i += 3) {
      const Vector3 X = rest.segment<3>(i);
      shapes.col(j).segment<3>(i) = back * (X + path.col(j).segment<3>(i) - motion.value()->place(time, X));
    }
  }
  return shapes;
}

}  // namespace pliant
