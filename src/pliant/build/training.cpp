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

constexpr double kFillShare = 1e-4;  // of shapes near rest: they fill up where there are few others
constexpr double kMoreScene = 10.0;  // of its own motion, in two bases that are tried, too, with …
constexpr std::array kNearRestShares = {0.1, 1.0};  // … these of shapes near rest
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

bool of_scene(const TrainingShapes& training, Index shape) {
  return shape >= 0 && training.case_of[to_size(shape)] + 1 == training.case_count;
}

/// Each shape scaled as if it were a case of its own.
MatrixX energy_scaled(MatrixX shapes, const RestSystem& system) {
  const VectorX energies = shapes.cwiseProduct(system.stiffness_times(shapes)).colwise().sum();
  for (Index j = 0; j < shapes.cols(); ++j)
    if (energies[j] > 0.0) shapes.col(j) *= std::pow(energies[j], -0.5 * kEnergyPower);
  return shapes;
}

/// Weights of kinds of shapes in a basis.
struct Shares {
  double modes = kModeShare;
  double scene = 1.0;  // of the scene's own motion
  double near_rest = kFillShare;
};

/// The scaled shapes, the low modes and what fills up.
MatrixX weighted(const TrainingShapes& training, const MatrixX& scaled, const MatrixX& near_rest,
                 ConstVectorRef energies, const Shares& shares) {
  const NaturalModes& modes = training.modes;
  const Index count = scaled.cols();
  const Index low = std::min(std::max(kLowModes, training.loaded), modes.shapes.cols());
  MatrixX X(scaled.rows(), count + low + near_rest.cols());
  X.leftCols(count) = scaled;
  for (Index j = 0; j < count; ++j)
    if (of_scene(training, j)) X.col(j) *= shares.scene;
  for (Index i = 0; i < low; ++i) {
    double e = i < training.loaded ? energies[training.first_mode + 2 * i] : 0.0;
    if (!(e > 0.0)) e = training.coefficients[i] * training.coefficients[i] * modes.squared[i];
    // ψ/√λ has unit energy. A mode along which nothing was loaded stands for a case of its own.
    X.col(count + i) = (i < training.loaded ? shares.modes : std::max(shares.modes, 1.0)) *
                       std::pow(e, 0.5 * (1.0 - kEnergyPower)) / std::sqrt(modes.squared[i]) *
                       modes.shapes.col(i);
  }
  X.rightCols(near_rest.cols()) = shares.near_rest * near_rest;
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
  Result<RestSystem> factorised = RestSystem::make(body, free_dofs(body, definition.supports), progress);
  if (!factorised) return factorised.errors();
  const auto system = std::make_shared<const RestSystem>(std::move(factorised).value());
  Result<TrainingShapes> solved =
      training_shapes(definition, spec, start, *system, spec.modes > 0 ? spec.modes : 1 + rank / 4, progress);
  if (!solved) return solved.errors();
  TrainingShapes& training = solved.value();
  progress.begin("principal components", 0);
  const VectorX energies = case_energies(training, *system, training.shapes);
  const MatrixX scaled = scaled_by_energy(training, std::move(training.shapes), energies);
  TrainedBases trained{{}, std::move(training.held_out), training.counts, std::move(training.notes), system,
                       {}};
  const MatrixX near_rest = energy_scaled(std::move(training.near_rest), *system);
  const auto with = [&](const Shares& shares) {
    return energy_pca(*system, weighted(training, scaled, near_rest, energies, shares), rank, training.exact);
  };
  const auto far_off = [&](const Basis& basis) {
    return frequency_error(trained.held_out.squared, basis, *system) > kFrequencyError;
  };
  // As much weight for the modes as their frequencies need; the other shapes pay for it.
  const auto tuned = [&](Shares shares) {
    Basis basis = with(shares);
    while (far_off(basis) && shares.modes < kLargestModeShare) shares.modes *= 3.0, basis = with(shares);
    return basis;
  };
  trained.bases.push_back(with({}));
  if (far_off(trained.bases.front())) trained.bases.push_back(tuned({}));
  if (of_scene(training, scaled.cols() - 1))
    for (const double near_rest_share : kNearRestShares) {
      Basis basis = tuned({kModeShare, kMoreScene, near_rest_share});
      if (!far_off(basis)) trained.bases.push_back(std::move(basis));
    }
  progress.end();
  trained.modes = std::move(training.modes);
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
      "trained 5; {} directions; {} modes; amplitude {}; {} s; error {}; scene {}; steps {} {} {} {} {}",
      spec.directions, spec.modes, spec.amplitude, spec.seconds, spec.error.value_or(0.0), hasher.hex(),
      static_cast<int>(start.step.integrator), start.step.mass_damping, start.step.stiffness_damping,
      static_cast<int>(start.step.damping_stiffness), start.dt);
}

}  // namespace pliant
