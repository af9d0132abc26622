#include "pliant/build/training.hpp"

#include "pliant/base/hash.hpp"
#include "pliant/build/build_body.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/reduce/energy_pca.hpp"
#include "pliant/reduce/mass_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace pliant {
namespace {

constexpr double kModeShare = 0.1;  // their weight, relative to the shapes loaded along them, at first
constexpr double kLargestModeShare = 30.0;  // … and at most
constexpr double kFrequencyError = 0.002;   // of the lowest six, at most, if that share allows it

/// Relative error of the lowest frequencies in the subspace, the largest.
double frequency_error(const VectorX& squared, const Basis& basis, const RestSystem& system) {
  const VectorX ritz =
      symmetric_eigenvalues(inner_products(basis.shapes, system.stiffness_times(basis.shapes)));
  double largest = 0.0;
  for (Index i = 0; i < std::min(ritz.size(), squared.size()); ++i)
    largest = std::max(largest, std::abs(std::sqrt(std::max(0.0, ritz[i]) / squared[i]) - 1.0));
  return largest;
}

/// The scaled shapes and the low modes.
MatrixX with_modes(const TrainingShapes& training, const MatrixX& scaled, ConstVectorRef energies,
                   double share) {
  const NaturalModes& modes = training.modes;
  const Index count = scaled.cols();
  const Index low = std::min(std::max(kLowModes, training.loaded), modes.shapes.cols());
  MatrixX X(scaled.rows(), count + low);
  X.leftCols(count) = scaled;
  for (Index i = 0; i < low; ++i) {
    double e = i < training.loaded ? energies[training.first_mode + 2 * i] : 0.0;
    if (!(e > 0.0)) e = training.coefficients[i] * training.coefficients[i] * modes.squared[i];
    // ψ/√λ has unit energy. A mode along which nothing was loaded stands for a case of its own.
    X.col(count + i) = (i < training.loaded ? share : std::max(share, 1.0)) *
                       std::pow(e, 0.5 * (1.0 - kEnergyPower)) / std::sqrt(modes.squared[i]) *
                       modes.shapes.col(i);
  }
  return X;
}

template <class T>
void add_numbers(Hasher& hasher, const std::vector<T>& list) {
  hasher.add(list.data(), list.size() * sizeof(T));
}

}  // namespace

Result<TrainedBases> train_bases(const BodyDefinition& definition, const TrainingSpec& spec,
                                 const SceneStart& start, Index rank, Progress& progress) {
  const ElasticBody& body = *definition.elastic;
  const Result<RestSystem> system = RestSystem::make(body, free_dofs(body, definition.supports), progress);
  if (!system) return system.errors();
  Result<TrainingShapes> solved = training_shapes(definition, spec, start, system.value(),
                                                  spec.modes > 0 ? spec.modes : 1 + rank / 4, progress);
  if (!solved) return solved.errors();
  TrainingShapes& training = solved.value();
  progress.begin("principal components", 0);
  const VectorX energies = case_energies(training, system.value(), training.shapes);
  const MatrixX scaled = scaled_by_energy(training, std::move(training.shapes), energies);
  TrainedBases trained{{}, std::move(training.held_out), training.counts, std::move(training.notes)};
  const auto with_share = [&](double share) {
    return energy_pca(system.value(), with_modes(training, scaled, energies, share), rank, training.exact);
  };
  const auto far_off = [&](const Basis& basis) {
    return frequency_error(trained.held_out.squared, basis, system.value()) > kFrequencyError;
  };
  trained.bases.push_back(with_share(kModeShare));
  if (far_off(trained.bases.front())) {
    // As much weight as their frequencies need; the other shapes pay for it.
    double share = 3.0 * kModeShare;
    Basis basis = with_share(share);
    while (far_off(basis) && share < kLargestModeShare) basis = with_share(share *= 3.0);
    trained.bases.push_back(std::move(basis));
  }
  progress.end();
  return trained;
}

namespace {

void add_loads(Hasher& hasher, const Loads& loads) {
  hasher.add(std::span<const double>(loads.gravity.data(), 3));
  for (const Load& load : loads.loads) {
    add_numbers(hasher, load.table.t);
    add_numbers(hasher, load.table.scale);
    if (const auto* force = std::get_if<VertexForce>(&load.what)) {
      add_numbers(hasher, force->vertices);
      add_numbers(hasher, force->shares);
      hasher.add(std::span<const double>(force->force.data(), 3));
    }
    const auto add_faces = [&](const std::vector<BoundaryFace>& faces) {
      for (const BoundaryFace& face : faces) hasher.add(face.vertices.data(), sizeof face.vertices);
    };
    if (const auto* pressure = std::get_if<Pressure>(&load.what)) {
      add_faces(pressure->faces);
      hasher.add(&pressure->pascal, sizeof pressure->pascal);
    }
    if (const auto* wind = std::get_if<Wind>(&load.what)) {
      add_faces(wind->faces);
      hasher.add(std::span<const double>(wind->velocity.data(), 3));
      const std::array numbers{wind->drag, wind->air_density, wind->gust, wind->gust_period,
                               static_cast<double>(wind->seed)};
      hasher.add(std::span<const double>(numbers));
    }
  }
}

void add_motion(Hasher& hasher, const Motion& motion) {
  if (motion.rotation) {
    hasher.add(std::span<const double>(motion.rotation->axis.data(), 3));
    hasher.add(std::span<const double>(motion.rotation->center.data(), 3));
    add_numbers(hasher, motion.rotation->t);
    add_numbers(hasher, motion.rotation->radians);
  }
  if (motion.translation) {
    add_numbers(hasher, motion.translation->t);
    for (const Vector3& by : motion.translation->by) hasher.add(std::span<const double>(by.data(), 3));
  }
  if (motion.oscillation) {
    hasher.add(std::span<const double>(motion.oscillation->amplitude.data(), 3));
    hasher.add(&motion.oscillation->frequency, sizeof motion.oscillation->frequency);
  }
}

}  // namespace

std::string training_recipe(const TrainingSpec& spec, const BodyDefinition& definition,
                            const SceneStart& start) {
  Hasher hasher;
  add_loads(hasher, definition.loads);
  for (const Support& support : definition.supports)
    if (support.motion) add_motion(hasher, *support.motion);
  for (const VectorX* field : {&start.displacements, &start.velocities})
    hasher.add(std::span<const double>(field->data(), to_size(field->size())));
  return fmt::format(
      "trained 4; {} directions; {} modes; amplitude {}; {} s; error {}; scene {}; steps {} {} {} {}",
      spec.directions, spec.modes, spec.amplitude, spec.seconds, spec.error.value_or(0.0), hasher.hex(),
      static_cast<int>(start.step.integrator), start.step.mass_damping, start.step.stiffness_damping,
      static_cast<int>(start.step.damping_stiffness));
}

}  // namespace pliant
