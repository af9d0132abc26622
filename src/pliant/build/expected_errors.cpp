#include "pliant/build/expected_errors.hpp"

#include "pliant/reduce/mass_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

StepSettings settings_of(Integrator integrator) {
  StepSettings settings;
  settings.integrator = integrator;
  return settings;
}

/// Relative error of the lowest frequencies, the largest.
double frequency_error(const HeldOut& held_out, const MakeModel& make, const Progress& progress) {
  const Result<std::unique_ptr<Model>> model = make({}, settings_of(Integrator::kNewmark));
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

/// RMS of the distance over the steps, relative to the largest displacement, in the mass norm.
double swing_error(const HeldOut& held_out, Model& model, const ElasticBody& body, const Progress& progress) {
  const Index steps = held_out.swing.cols();
  const VectorX zero = VectorX::Zero(body.dof_count());
  bool healthy = model.start(0.0, zero, zero).healthy();
  MatrixX distance(body.dof_count(), steps);
  for (Index i = 0; i < steps && healthy && !progress.cancelled(); ++i) {
    healthy = model.step(static_cast<double>(i) * held_out.swing_dt, held_out.swing_dt, nullptr).healthy();
    distance.col(i) = model.displacements() - held_out.swing.col(i);
  }
  // A model that cannot follow is as wrong as can be.
  if (!healthy) return 1.0;
  if (progress.cancelled()) return -1.0;
  return mass_norms(body, distance).norm() / std::sqrt(static_cast<double>(steps)) /
         mass_norms(body, held_out.swing).maxCoeff();
}

/// Of a static shape; negative when the model finds no equilibrium.
double static_error(const StaticCase& load, const VectorX& truth, const ElasticBody& body, Model& model,
                    const Progress& progress) {
  const StaticPath path = follow_load(model, load.levels, LoadStepping::kMostEvaluations, progress);
  if (!path.why.empty()) return -1.0;
  MatrixX pair(truth.size(), 2);
  pair << path.shapes.back() - truth, truth;
  const VectorX norms = mass_norms(body, pair);
  return norms[0] / norms[1];
}

}  // namespace

Result<ExpectedErrors> expected_errors(const HeldOut& held_out, const ElasticBody& body,
                                       const MakeModel& make, const Progress& progress) {
  ExpectedErrors errors;
  errors.frequencies = frequency_error(held_out, make, progress);
  for (std::size_t i = 0; i < held_out.cases.size(); ++i) {
    if (held_out.shapes[i].size() == 0) continue;
    const Result<std::unique_ptr<Model>> model =
        make(held_out.cases[i].loads, settings_of(Integrator::kStatic));
    if (!model) return model.errors();
    double& error = i + 1 < held_out.cases.size() ? errors.gravity : errors.mixed;
    error =
        std::max(error, static_error(held_out.cases[i], held_out.shapes[i], body, *model.value(), progress));
  }
  if (held_out.swing.cols() > 0) {
    const Result<std::unique_ptr<Model>> model =
        make(held_out.swing_loads, settings_of(Integrator::kNewmark));
    if (!model) return model.errors();
    errors.swing = swing_error(held_out, *model.value(), body, progress);
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
  add("swing", errors.swing);
  return all;
}

double typical(const ExpectedErrors& errors) {
  constexpr double kNegligible = 1e-3;
  double sum = 0.0, count = 0.0;
  for (const double error : {errors.gravity, errors.mixed, errors.frequencies, errors.swing}) {
    if (error < 0.0) continue;
    sum += std::log(std::max(error, kNegligible));
    count += 1.0;
  }
  return count > 0.0 ? std::exp(sum / count) : 0.0;
}

double largest(const ExpectedErrors& errors) {
  return std::max({errors.gravity, errors.mixed, errors.frequencies, errors.swing});
}

}  // namespace pliant
