#include "pliant/build/expected_errors.hpp"

#include "pliant/reduce/mass_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr double kWrong = 1.0;

StepSettings settings_of(Integrator integrator) {
  StepSettings settings;
  settings.integrator = integrator;
  return settings;
}

/// Relative error of the lowest frequencies, the largest.
double frequency_error(const HeldOut& held_out, const std::vector<Support>& supports, const MakeModel& make,
                       const Progress& progress) {
  const Result<std::unique_ptr<Model>> model = make(supports, {}, settings_of(Integrator::kNewmark));
  if (!model) return -1.0;
  const Result<Model::Frequencies> found =
      model.value()->natural_frequencies(held_out.squared.size(), progress);
  if (!found) return -1.0;
  double largest = 0.0;
  const Index count = std::min(std::ssize(found.value().hz), held_out.squared.size());
  for (Index i = 0; i < count; ++i)
    largest = std::max(largest, std::abs(2.0 * std::numbers::pi * found.value().hz[to_size(i)] /
                                             std::sqrt(held_out.squared[i]) -
                                         1.0));
  return largest;
}

/// RMS of the distance over the steps that training has not seen, relative to the largest displacement, in
/// the mass norm.
double swing_error(const Swing& swing, Model& model, const ElasticBody& body, const Progress& progress) {
  const Index steps = swing.path.cols(), unseen = steps - swing.seen;
  bool healthy = model.start(0.0, swing.start.displacements, swing.start.velocities).healthy();
  MatrixX distance = MatrixX::Zero(body.dof_count(), unseen);
  for (Index i = 0; i < steps && healthy && !progress.cancelled(); ++i) {
    healthy = model.step(static_cast<double>(i) * swing.dt, swing.dt).healthy();
    if (i >= swing.seen) distance.col(i - swing.seen) = model.displacements() - swing.path.col(i);
  }
  if (!healthy) return kWrong;
  if (progress.cancelled()) return -1.0;
  const double rms = mass_norms(body, distance).norm() / std::sqrt(static_cast<double>(unseen));
  return std::min(kWrong, rms / mass_norms(body, swing.path).maxCoeff());
}

/// Of a static shape.
double static_error(const StaticCase& load, const VectorX& truth, const ElasticBody& body, Model& model,
                    const Progress& progress) {
  const StaticPath path = follow_load(model, load.levels, LoadStepping::kMostEvaluations, progress);
  if (!path.why.empty()) return kWrong;
  MatrixX pair(truth.size(), 2);
  pair << path.shapes.back() - truth, truth;
  const VectorX norms = mass_norms(body, pair);
  return std::min(kWrong, norms[0] / norms[1]);
}

}  // namespace

Result<ExpectedErrors> expected_errors(const HeldOut& held_out, const ElasticBody& body,
                                       const MakeModel& make, const Progress& progress) {
  ExpectedErrors errors;
  const std::vector<Support> still = resting(held_out.swing.supports);
  errors.frequencies = frequency_error(held_out, still, make, progress);
  for (std::size_t i = 0; i < held_out.cases.size(); ++i) {
    if (held_out.shapes[i].size() == 0) continue;
    const Result<std::unique_ptr<Model>> model =
        make(still, held_out.cases[i].loads, settings_of(Integrator::kStatic));
    if (!model) return model.errors();
    double& error = i + 1 < held_out.cases.size() ? errors.gravity : errors.mixed;
    error =
        std::max(error, static_error(held_out.cases[i], held_out.shapes[i], body, *model.value(), progress));
  }
  if (const Swing& swing = held_out.swing; swing.path.cols() > 0) {
    const Result<std::unique_ptr<Model>> model = make(swing.supports, swing.loads, swing.start.step);
    if (!model) return model.errors();
    errors.swing = swing_error(swing, *model.value(), body, progress);
  }
  if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
  return errors;
}

std::string describe(const ExpectedErrors& errors) {
  std::string all;
  const auto add = [&](const char* what, double error) {
    if (error >= 0.0) all += fmt::format("{}{} {:.2g} %", all.empty() ? "" : ", ", what, 100.0 * error);
  };
  add("gravity", errors.gravity);
  add("modal loads", errors.mixed);
  add("frequencies", errors.frequencies);
  add("first period", errors.swing);
  return all;
}

double typical(const ExpectedErrors& errors) {
  constexpr double kNegligible = 1e-4, kScene = 12.0;
  double sum = 0.0, count = 0.0;
  const auto add = [&](double error, double weight) {
    if (error < 0.0) return;
    sum += weight * std::log(std::max(error, kNegligible));
    count += weight;
  };
  for (const double error : {errors.gravity, errors.mixed, errors.frequencies}) add(error, 1.0);
  add(errors.swing, kScene);
  return count > 0.0 ? std::exp(sum / count) : 0.0;
}

double largest(const ExpectedErrors& errors) {
  return std::max({errors.gravity, errors.mixed, errors.frequencies, errors.swing});
}

}  // namespace pliant
