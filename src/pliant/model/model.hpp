// model/model.hpp — the questions that every model answers, whatever its coordinates are.
//
// A model is built once from a mesh, materials, supports and loads, and then stepped. Nothing above this
// folder may care which model it is. A step allocates nothing after the first (but for the sparse
// factorisation of `full`), throws nothing, does no I/O; trouble comes back in its StepReport and the last
// good state is kept.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/material/material.hpp"
#include "pliant/mesh/core/carried_surface.hpp"
#include "pliant/mesh/core/part_tables.hpp"
#include "pliant/model/domains.hpp"
#include "pliant/model/loads.hpp"
#include "pliant/model/motion.hpp"
#include "pliant/model/point_terms.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

enum class Integrator { kNewmark, kBackwardEuler, kCentralDifferences, kStatic };

/// "tangent": K of the present shape; "rest": K of the rest shape.
enum class DampingStiffness { kTangent, kRest };

struct StepSettings {
  Integrator integrator = Integrator::kNewmark;
  int newton_iterations = 20;  // 1: semi-implicit, one linear solve a step
  double newton_tolerance = 1e-9;  // residual over max(‖f_ext‖, ‖f_int‖, ‖M a‖) on free degrees of freedom
  double mass_damping = 0.0;       // 1/s
  double stiffness_damping = 0.0;  // s
  DampingStiffness damping_stiffness = DampingStiffness::kTangent;
};

/// Vertices that are held, or driven rigidly when there is a motion.
struct Support {
  std::string name;  // the selection's text, for reports
  std::vector<VertexId> vertices;
  std::optional<Motion> motion;
};

/// What the support does to the body, at the end of the last step.
struct Reaction {
  Vector3 force = Vector3::Zero();   // N
  Vector3 moment = Vector3::Zero();  // N m, about `about`
  Vector3 about = Vector3::Zero();   // m: the motion's centre carried along, else the selection's centroid
};

/// Where a part of a body with bases is: its points are at position + turn (X − origin + U q), with X, the
/// origin and U in the coordinates of its basis.
struct PartPose {
  Vector3 position = Vector3::Zero();  // m
  Matrix3 turn = Matrix3::Identity();  // a rotation times a uniform scale
  Index offset = 0, size = 0;          // of its q in Model::coordinates()
};

enum class StepTrouble {
  kNone,
  kNotConverged,  // raise newton.iterations, or lower dt
  kNonFinite,     // NaN or infinity: lower dt
  kInadmissible,  // an element would have to turn inside out: lower dt, or take an invertible law
  kEnergyBlowUp,  // far more energy than was put in: lower dt, or raise newton.iterations
  kStepTooLong,   // explicit integration: dt is beyond the stability limit of the fastest mode
  kNotDefinite,   // no factorisation even with projected stiffness: the body is not held, or its data are
                  // broken
};
/// What happened and which setting to change.
[[nodiscard]] std::string_view describe(StepTrouble trouble);

struct [[nodiscard]] StepReport {
  StepTrouble trouble = StepTrouble::kNone;
  int iterations = 0;
  double residual = 0.0;  // relative, as in newton_tolerance
  [[nodiscard]] bool healthy() const { return trouble == StepTrouble::kNone; }
};

struct Energies {
  double kinetic = 0.0;    // J
  double strain = 0.0;     // J, of the model itself
  double potential = 0.0;  // J, gravity's; zero at rest
};

struct Momenta {
  double mass = 0.0;                  // kg
  Vector3 center = Vector3::Zero();   // m, centre of mass
  Vector3 linear = Vector3::Zero();   // kg m/s
  Vector3 angular = Vector3::Zero();  // kg m²/s, about the centre of mass
};

/// Named arrays that restore a model bit by bit.
using StateArrays = std::map<std::string, std::vector<double>>;

class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  [[nodiscard]] virtual std::string_view type() const = 0;  // "full", "modal", ...
  [[nodiscard]] virtual Index dof_count() const = 0;
  /// At rest. Where a domain has come off, vertices are there once for each side: elements and vertices keep
  /// their numbers, copies come after them.
  [[nodiscard]] virtual const VolumeMesh& mesh() const = 0;

  /// Starts from these vertex displacements and velocities (3n each) at `time`; driven vertices take their
  /// motion's values, and the initial acceleration balances the equation of motion. Reduced models project by
  /// mass.
  [[nodiscard]] virtual StepReport start(double time, ConstVectorRef displacements,
                                         ConstVectorRef velocities) = 0;
  /// From `time` to `time + dt`, with what a law does to the points. Unhealthy: the state is the one before.
  [[nodiscard]] virtual StepReport step(double time, double dt, PointLaw* law) = 0;
  [[nodiscard]] StepReport step(double time, double dt) { return step(time, dt, nullptr); }
  /// Static equilibrium at load factor `to`, starting from the present one at `from`. Unhealthy: state
  /// unchanged.
  [[nodiscard]] virtual StepReport step_static(double from, double to) = 0;

  virtual void set_gravity(const Vector3& gravity) = 0;
  /// New constants for every material group, in the order of the body's MaterialMap; laws cannot change. They
  /// hold from the next step on.
  [[nodiscard]] virtual Status set_materials(const std::vector<Material>& materials) = 0;

  /// The points that laws act on, instead of those given before. Fails when vertices of several elements
  /// carry one.
  [[nodiscard]] virtual Status set_points(const std::vector<CarriedPoint>& points) = 0;
  [[nodiscard]] virtual std::size_t point_count() const = 0;
  /// How much farther forces on the points would take them in a step from now on, to first order. False when
  /// there is no such step.
  [[nodiscard]] virtual bool respond(double time, double dt, std::span<const Vector3> forces,
                                     std::span<Vector3> moves) = 0;
  /// New damping in place of the scene's: α in 1/s, β in s. Domains with damping of their own keep it.
  [[nodiscard]] virtual Status set_damping(double mass, double stiffness);

  /// What only models of domains have; null: this one has none.
  [[nodiscard]] virtual Domains* domains() { return nullptr; }
  [[nodiscard]] virtual const Domains* domains() const { return nullptr; }

  [[nodiscard]] virtual const VectorX& displacements() const = 0;  // 3n, m
  [[nodiscard]] virtual const VectorX& velocities() const = 0;     // 3n, m/s
  [[nodiscard]] virtual VectorX coordinates() const = 0;           // the model's own
  /// One pose per part: one for a body with a single basis, one per domain of a tree, in their order; none
  /// for models without bases.
  [[nodiscard]] virtual std::vector<PartPose> parts() const { return {}; }
  /// From which parts() and coordinates() all points of a surface follow; none for models without bases.
  /// Where domains have come off (`cut`, see Domains), the surface is in those pieces already.
  [[nodiscard]] virtual std::optional<PartTables> part_tables(const CarriedSurface& /*surface*/,
                                                              const std::vector<char>& /*cut*/) const {
    return std::nullopt;
  }
  /// The surface at rest that the model draws itself, if it does. Where a domain has come off it is in two.
  [[nodiscard]] virtual const SurfaceMesh* drawn_surface() const { return nullptr; }
  /// Its places (3n, m) and, unless empty, unit normals (3n) now.
  virtual void draw(std::span<float> /*places*/, std::span<float> /*normals*/) const {}
  /// Of one vertex; reduced models need not reconstruct the others for it.
  [[nodiscard]] virtual Vector3 displacement(VertexId vertex) const {
    return displacements().segment<3>(3 * static_cast<Index>(vertex));
  }

  [[nodiscard]] virtual Energies energies() const = 0;
  [[nodiscard]] virtual Momenta momenta() const = 0;
  [[nodiscard]] virtual std::vector<Reaction> reactions() const = 0;  // one per support
  /// Von Mises stress per element (tets then hexes; hexes: mean over the Gauss points), Pa.
  [[nodiscard]] virtual VectorX von_mises() const = 0;

  /// Natural frequencies linearised at rest, ascending, rigid ones counted apart.
  struct Frequencies {
    std::vector<double> hz;
    Index rigid = 0;
    MatrixX shapes;  // full-space mode shapes (3n × count), mass-normalised
  };
  [[nodiscard]] virtual Result<Frequencies> natural_frequencies(Index count,
                                                                const Progress& progress) const = 0;
  [[nodiscard]] Result<Frequencies> natural_frequencies(Index count) const {
    return natural_frequencies(count, no_progress());
  }

  [[nodiscard]] virtual StateArrays save() const = 0;
  [[nodiscard]] virtual Status restore(const StateArrays& state) = 0;
};

}  // namespace pliant
