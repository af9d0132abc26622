#include "pliant/build/prediction.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/model/load_forces.hpp"
#include "pliant/model/modal/modal_model.hpp"
#include "pliant/reduce/energy_pca.hpp"
#include "pliant/reduce/mass_space.hpp"
#include "pliant/reduce/modal_derivatives.hpp"
#include "pliant/reduce/reduce_body.hpp"

#include <algorithm>
#include <atomic>

namespace pliant {
namespace {

constexpr double kGuessTolerance = 1e-6;  // of its equilibria
constexpr int kGuessEvaluations = 300;    // for each
/// Error of a case without an equilibrium: it may have none in the full model either, and finding that out
/// takes long. So others that are far off come first.
constexpr double kUnknown = 0.05;

/// Forces that keep the shape u from being an equilibrium, at full load.
VectorX residual(const ElasticBody& body, const Loads& loads, const VectorX& u) {
  VectorX force(u.size());
  body.internal_force(u, force);
  VectorX external(u.size());
  for (Index v = 0; v < body.mesh().vertex_count(); ++v)
    external.segment<3>(3 * v) = body.mass_row_sums()[v] * loads.gravity;
  const VectorX places = body.rest_positions() + u;
  LoadForces(loads.loads)
      .add_forces(1.0, LoadForces::Clock::kLoadFactor, places, VectorX::Zero(u.size()), external);
  return external - force;
}

}  // namespace

Basis basis_of_shapes(const TrainingShapes& known, const RestSystem& system) {
  const VectorX energies = case_energies(known, system, known.shapes);
  const MatrixX scaled = scaled_by_energy(known, known.shapes, energies);
  const VectorX norms = scaled.cwiseProduct(system.stiffness_times(scaled)).colwise().sum().cwiseSqrt();
  const double strongest = norms.size() > 0 ? norms.maxCoeff() : 1.0;
  const Index low = std::min(kLowModes, known.modes.shapes.cols());
  MatrixX X(scaled.rows(), scaled.cols() + low);
  X.leftCols(scaled.cols()) = scaled;
  for (Index i = 0; i < low; ++i)  // ψ/√λ has unit energy
    X.col(scaled.cols() + i) =
        0.1 * strongest / std::sqrt(known.modes.squared[i]) * known.modes.shapes.col(i);
  return energy_pca(system, std::move(X), kGuessShapes);
}

Result<MatrixX> shapes_near_rest(const NaturalModes& modes, const VectorX& coefficients,
                                 const RestSystem& system, Progress& progress) {
  const Index low = std::min(kLowModes, modes.shapes.cols());
  const MatrixX shapes = modes.shapes.leftCols(low) * coefficients.head(low).asDiagonal();
  const Result<MatrixX> derivatives = static_derivatives(system, shapes, progress);
  if (!derivatives) return derivatives.errors();
  MatrixX X(shapes.rows(), low + derivatives.value().cols());
  X << shapes, 0.5 * derivatives.value();
  return X;
}

Result<VectorX> predict(Basis basis, const RestSystem& system, const BodyDefinition& definition,
                        const std::vector<StaticCase*>& cases, Progress& progress) {
  const ElasticBody& body = *definition.elastic;
  const auto count = std::ssize(cases);
  VectorX errors = VectorX::Constant(count, kUnknown);
  const std::vector<Material>& materials = body.materials().materials;
  if (!std::all_of(materials.begin(), materials.end(), has_polynomial)) return errors;
  Result<ReducedBody> made = reduce_body(body, std::move(basis), no_progress());
  if (!made) return made.errors();
  const auto reduced = std::make_shared<const ReducedBody>(std::move(made).value());
  StepSettings settings;
  settings.integrator = Integrator::kStatic;
  settings.newton_tolerance = kGuessTolerance;
  MatrixX shapes = MatrixX::Zero(body.dof_count(), count), responses = shapes;
  std::atomic<Index> next{0};
  parallel_tasks(std::min<Index>(count, thread_count()), [&](Index /*worker*/) {
    for (Index i = next++; i < count && !progress.cancelled(); i = next++) {
      StaticCase& wanted = *cases[to_size(i)];
      const auto model = make_modal_model(
          {reduced, definition.elastic, nullptr, resting(definition.supports), wanted.loads}, settings);
      if (!model) continue;
      StaticPath path = follow_load(*model.value(), wanted.levels, kGuessEvaluations, progress);
      if (!path.why.empty() || path.shapes.size() != wanted.levels.size()) continue;
      shapes.col(i) = path.shapes.back();
      responses.col(i) = residual(body, wanted.loads, path.shapes.back());
      wanted.guesses = std::move(path.shapes);
    }
  });
  if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
  system.solve(responses);
  const VectorX sizes = mass_norms(body, shapes), missing = mass_norms(body, responses);
  for (Index i = 0; i < count; ++i)
    if (sizes[i] > 0.0) errors[i] = std::min(1.0, missing[i] / sizes[i]);
  return errors;
}

}  // namespace pliant
