#include "pliant/build/training_cases.hpp"

#include "pliant/base/rng.hpp"
#include "pliant/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {
namespace {

// The constants below were chosen on one clamped beam and checked on other bodies (docs/theory/reduction.md).
constexpr double kAmplitudePerSag = 0.4;  // first mode's amplitude over the linear sag under gravity
constexpr double kLeastAmplitude = 0.1;   // … and its bounds, over the size of the body
constexpr double kLargestAmplitude = 0.57;
constexpr double kSagWithoutGravity = 0.75;  // linear sag over the size, for scenes without gravity, at most
constexpr double kLeastSag = 0.05;           // … and at least
constexpr double kOverload = 2.0;  // a body that is let go swings about as far as under twice its weight
constexpr std::uint64_t kSeed = 17;

/// Axes, corners and edges of a cube, in this order.
std::vector<Vector3> cube_directions() {
  std::array<std::vector<Vector3>, 3> by_kind;  // corners have three, edges two components that are not zero
  for (int x = 1; x >= -1; --x)
    for (int y = 1; y >= -1; --y)
      for (int z = 1; z >= -1; --z) {
        const int parts = std::abs(x) + std::abs(y) + std::abs(z);
        if (parts > 0)
          by_kind[parts == 1 ? 0 : (parts == 3 ? 1 : 2)].push_back(Vector3(x, y, z).normalized());
      }
  std::vector<Vector3> all;
  for (const auto& kind : by_kind) all.insert(all.end(), kind.begin(), kind.end());
  return all;
}

/// A load at twice the peak of its table; wind, whose force goes with its square, accordingly.
Load overloaded(Load load) {
  double peak = load.table.scale.empty() ? 1.0 : 0.0;
  for (const double scale : load.table.scale)
    if (std::abs(scale) > std::abs(peak)) peak = scale;
  load.table = {};
  if (auto* force = std::get_if<VertexForce>(&load.what)) force->force *= kOverload * peak;
  if (auto* pressure = std::get_if<Pressure>(&load.what)) pressure->pascal *= kOverload * peak;
  if (auto* wind = std::get_if<Wind>(&load.what)) wind->velocity *= std::sqrt(kOverload) * peak;
  return load;
}

/// Chooses the cases.
class Planner {
 public:
  Planner(const BodyDefinition& definition, const TrainingSpec& spec, NaturalModes modes, Index loaded,
          double reach)
      : definition_(definition), body_(*definition.elastic), spec_(spec), reach_(reach) {
    plan_.loaded = std::min(loaded, modes.shapes.cols());
    plan_.modes = std::move(modes);
  }

  TrainingPlan make(const RestSystem& system) {
    choose_scales(system);
    add_own_loads();
    const std::vector<Vector3> directions = cube_directions();
    const Index count = std::min<Index>(spec_.directions, std::ssize(directions));
    for (Index d = 0; d < count; ++d) add_gravity(d + 1, directions[to_size(d)]);
    add_modes();
    add_held_out();
    return std::move(plan_);
  }

 private:
  /// Amplitudes and accelerations that bend the body far, from its linear answer to gravity.
  void choose_scales(const RestSystem& system) {
    Vector3 low = body_.mesh().vertices.front(), high = low;
    for (const Vector3& x : body_.mesh().vertices) low = low.cwiseMin(x), high = high.cwiseMax(x);
    const double size = (high - low).norm();
    MatrixX sag = MatrixX::Zero(body_.dof_count(), 3);
    for (Index axis = 0; axis < 3; ++axis)
      for (Index v = 0; v < body_.mesh().vertex_count(); ++v)
        sag(3 * v + axis, axis) = body_.mass_row_sums()[v];
    system.solve(sag);
    double softest = 0.0;  // m per m/s²
    for (Index axis = 0; axis < 3; ++axis) softest = std::max(softest, largest_displacement(sag.col(axis)));
    const double own = definition_.loads.gravity.norm();
    // The linear sag over the size. A body swings twice as far as it sags; half as much again for safety.
    const double sag_wanted =
        reach_ > 0.0 ? std::clamp(0.75 * reach_ / size, kLeastSag, kSagWithoutGravity) : kSagWithoutGravity;
    gravity_ = own > 0.0 ? own : sag_wanted * size / softest;
    const double amplitude = spec_.amplitude > 0.0
                                 ? spec_.amplitude * size
                                 : std::clamp(kAmplitudePerSag * softest * gravity_, kLeastAmplitude * size,
                                              kLargestAmplitude * size);
    // Modes are loaded to equal speeds: amplitudes fall as 1/ω.
    const NaturalModes& modes = plan_.modes;
    plan_.coefficients.resize(modes.squared.size());
    for (Index i = 0; i < plan_.coefficients.size(); ++i)
      plan_.coefficients[i] = amplitude * std::sqrt(modes.squared[0] / modes.squared[i]) /
                              largest_displacement(modes.shapes.col(i));
  }

  /// The force whose linear answer is Σ c_i ψ_i.
  [[nodiscard]] VectorX modal_force(const VectorX& c) const {
    const NaturalModes& modes = plan_.modes;
    const VectorX shape = modes.shapes.leftCols(c.size()) * c.cwiseProduct(modes.squared.head(c.size()));
    VectorX force(shape.size());
    body_.apply_mass(shape, force);
    return force;
  }

  /// The scene as it is; each load beside gravity at twice its peak, and all together.
  void add_own_loads() {
    const Loads& loads = definition_.loads;
    plan_.own = !loads.loads.empty() || !loads.gravity.isZero(0.0);
    if (plan_.own) plan_.cases.push_back({"the scene's own loads", loads, {1.0}});
    if (!loads.loads.empty()) {
      StaticCase together{"all loads", {kOverload * loads.gravity, {}}, {1.0 / kOverload, 1.0}};
      for (const Load& load : loads.loads) {
        StaticCase alone{"load on \"" + load.name + "\"", {}, {1.0 / kOverload, 1.0}};
        alone.loads.loads.push_back(overloaded(load));
        together.loads.loads.push_back(overloaded(load));
        plan_.cases.push_back(std::move(alone));
      }
      plan_.cases.push_back(std::move(together));
    }
    plan_.begin = std::ssize(plan_.cases);
  }

  void add_gravity(Index number, const Vector3& direction) {
    StaticCase weight{"gravity " + text(number), {}, {1.0 / kOverload, 1.0}};
    weight.loads.gravity = kOverload * gravity_ * direction;
    plan_.cases.push_back(std::move(weight));
  }

  void add_modes() {
    plan_.first_mode = std::ssize(plan_.cases);
    for (Index i = 0; i < plan_.loaded; ++i)
      for (const double sign : {1.0, -1.0}) {
        VectorX c = VectorX::Zero(i + 1);
        c[i] = sign * plan_.coefficients[i];
        plan_.cases.push_back({"mode " + text(i + 1), nodal_loads(modal_force(c)), {0.5, 1.0}});
      }
  }

  void add_held_out() {
    Rng rng(kSeed);
    for (int i = 0; i < 2; ++i) {
      StaticCase weight{"gravity, held out", {}, {1.0}};
      weight.loads.gravity = gravity_ * Vector3(rng.normal(), rng.normal(), rng.normal()).normalized();
      plan_.held_out.push_back(std::move(weight));
    }
    VectorX c = 0.5 * plan_.coefficients.head(std::min<Index>(3, plan_.coefficients.size()));
    for (double& each : c) each *= rng.uniform(-1.0, 1.0);
    plan_.held_out.push_back({"modal loads, held out", nodal_loads(modal_force(c)), {1.0}});
  }

  const BodyDefinition& definition_;
  const ElasticBody& body_;
  const TrainingSpec& spec_;
  double reach_;
  double gravity_ = 0.0;  // m/s²
  TrainingPlan plan_;
};

}  // namespace

double largest_displacement(ConstVectorRef u) {
  double largest = 0.0;
  for (Index i = 0; i < u.size(); i += 3) largest = std::max(largest, u.segment<3>(i).norm());
  return largest;
}

TrainingPlan plan_training(const BodyDefinition& definition, const TrainingSpec& spec,
                           const RestSystem& system, NaturalModes modes, Index loaded, double reach) {
  return Planner(definition, spec, std::move(modes), loaded, reach).make(system);
}

Loads nodal_loads(const VectorX& force) {
  Loads loads;
  std::vector<VertexId> vertices(to_size(force.size() / 3));
  for (std::size_t v = 0; v < vertices.size(); ++v) vertices[v] = static_cast<VertexId>(v);
  for (Index axis = 0; axis < 3; ++axis) {
    VertexForce along{vertices, std::vector<double>(vertices.size()), Vector3::Unit(axis)};
    for (std::size_t v = 0; v < vertices.size(); ++v)
      along.shares[v] = force[3 * static_cast<Index>(v) + axis];
    loads.loads.push_back({"training", std::move(along), {}});
  }
  return loads;
}

std::vector<Support> resting(std::vector<Support> supports) {
  for (Support& support : supports) support.motion.reset();
  return supports;
}

}  // namespace pliant
