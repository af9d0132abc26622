// model/model.hpp — the interface of every model, whatever its coordinates are.
//
// A model is built once from a mesh, materials, supports and loads, and then stepped. Code above this folder
// must not depend on which model it is. A step allocates nothing after the first one (except in the sparse
// factorisation of `full`), throws nothing and does no I/O. If it fails, its StepReport says why, and the
// model keeps the state before the step.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/material/material.hpp"
#include "pliant/mesh/core/carried_surface.hpp"
#include "pliant/mesh/core/part_tables.hpp"
#include "pliant/model/domains.hpp"
#include "pliant/model/insertions.hpp"
#include "pliant/model/loads.hpp"
#include "pliant/model/motion.hpp"
#include "pliant/model/point_terms.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// The time integration, or statics. Central differences are the only explicit scheme.
enum class Integrator { kNewmark, kBackwardEuler, kMidpoint, kEnergyMomentum, kCentralDifferences, kStatic };

/// The integrator of a name as scene files spell it; newmark if there is none.
[[nodiscard]] Integrator integrator_of(std::string_view name);
/// Refuses an integrator that a model does not have, and names those that it has. `model`: as in a sentence.
[[nodiscard]] Status check_integrator(std::string_view model, std::span<const Integrator> has,
                                      Integrator wanted);

/// The K of stiffness damping β K v: that of the present shape, or that of the rest shape.
enum class DampingStiffness { kTangent, kRest };

/// Integrator, stopping rule and damping of a model's steps.
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

/// The force and moment that a support exerts on the body at the end of the last step (Eq. D6).
struct Reaction {
  Vector3 force = Vector3::Zero();   // N
  Vector3 moment = Vector3::Zero();  // N m, about `about`
  Vector3 about = Vector3::Zero();   // m: the motion's centre carried along, else the selection's centroid
};

/// The pose of one part of a reduced body. Its points are at position + turn (X − origin + U q), with X, the
/// origin and U in the coordinates of its basis.
struct PartPose {
  Vector3 position = Vector3::Zero();  // m
  Matrix3 turn = Matrix3::Identity();  // a rotation times a uniform scale
  Index offset = 0, size = 0;          // where its q is in Model::coordinates()
};

/// Why a step failed, with the usual remedy.
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

/// The outcome of a step. When it is not healthy, the model has returned to the state before the step.
struct [[nodiscard]] StepReport {
  StepTrouble trouble = StepTrouble::kNone;
  int iterations = 0;
  int evaluations = 0;    // of the forces: the measure of work
  double residual = 0.0;  // relative, as in newton_tolerance
  // Backward Euler steps taken in place of the integrator's own, which failed or missed the motion
  // (`coupled`).
  int damped_parts = 0;
  [[nodiscard]] bool healthy() const { return trouble == StepTrouble::kNone; }
};

/// Kinetic, strain and potential energy of a body (Eq. D8).
struct Energies {
  double kinetic = 0.0;    // J
  double strain = 0.0;     // J
  double potential = 0.0;  // J, of gravity; zero in the rest shape
};

/// Mass, centre of mass and momenta of a body (Eq. D8).
struct Momenta {
  double mass = 0.0;                  // kg
  Vector3 center = Vector3::Zero();   // m, centre of mass
  Vector3 linear = Vector3::Zero();   // kg m/s
  Vector3 angular = Vector3::Zero();  // kg m²/s, about the centre of mass
};

/// The saved state of a model: named arrays from which restore() continues bit by bit.
using StateArrays = std::map<std::string, std::vector<double>>;

/// A body that can be stepped, whatever its coordinates are.
class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  [[nodiscard]] virtual std::string_view type() const = 0;  // "full", "modal", ...
  [[nodiscard]] virtual Index dof_count() const = 0;
  /// The mesh at rest. Where a domain has come off, shared vertices exist once for each side. Elements and
  /// vertices keep their numbers; the copies follow after them.
  [[nodiscard]] virtual const VolumeMesh& mesh() const = 0;

  /// Starts from these vertex displacements and velocities (3n each) at `time`. Driven vertices take the
  /// values of their motion. The initial accelerations satisfy the equation of motion. Reduced models project
  /// the given fields in the mass norm.
  [[nodiscard]] virtual StepReport start(double time, ConstVectorRef displacements,
                                         ConstVectorRef velocities) = 0;
  /// One step from `time` to `time + dt`, with the forces of `law` on the points. If it fails, the state is
  /// that before the step.
  [[nodiscard]] virtual StepReport step(double time, double dt, PointLaw* law) = 0;
  [[nodiscard]] StepReport step(double time, double dt) { return step(time, dt, nullptr); }
  /// Finds the static equilibrium at load factor `to`, starting from the present one at `from`. If it fails,
  /// the state is unchanged.
  [[nodiscard]] virtual StepReport step_static(double from, double to) = 0;

  virtual void set_gravity(const Vector3& gravity) = 0;
  /// Sets the constants of every material group, in the order of the body's MaterialMap, from the next step
  /// on. Laws cannot change.
  [[nodiscard]] virtual Status set_materials(const std::vector<Material>& materials) = 0;

  /// Replaces the points that laws act on. Fails when the carriers of a point do not belong to one element
  /// (`full`) or one domain (`tree`).
  [[nodiscard]] virtual Status set_points(const std::vector<CarriedPoint>& points) = 0;
  [[nodiscard]] virtual std::size_t point_count() const = 0;
  /// How much farther the given forces on the points would move them in a step of length dt from now on, to
  /// first order: J S⁻¹ Jᵀ f. False when the system of that step cannot be factorised.
  [[nodiscard]] virtual bool respond(double time, double dt, std::span<const Vector3> forces,
                                     std::span<Vector3> moves) = 0;
  /// Present positions and velocities of the points.
  virtual void place_points(std::span<Vector3> /*places*/, std::span<Vector3> /*velocities*/) const {}

  // Impulses, for contact. A model that takes none cannot touch anything.
  [[nodiscard]] virtual bool takes_impulses() const { return false; }
  /// Prepares impulses on the points at the beginning of the step ahead. They change the velocities in the
  /// metric A = S / ca of that step (midpoint and energy-momentum: M + dt²/4 K, docs/theory/contact.md,
  /// Eq. K5). False when A cannot be factorised.
  [[nodiscard]] virtual bool begin_impulses(double /*time*/, double /*dt*/) { return false; }
  /// J A⁻¹ Jᵀ p: how impulses on the points would change their velocities.
  virtual void respond_to_impulses(std::span<const Vector3> /*impulses*/, std::span<Vector3> /*changes*/) {}
  /// Adds A⁻¹ Jᵀ p to the velocities.
  virtual void strike(std::span<const Vector3> /*impulses*/) {}
  /// Sets the damping of the body: α in 1/s, β in s. Domains with damping of their own keep it.
  [[nodiscard]] virtual Status set_damping(double mass, double stiffness);

  /// The interface to the model's domains; null when it has none.
  [[nodiscard]] virtual Domains* domains() { return nullptr; }
  [[nodiscard]] virtual const Domains* domains() const { return nullptr; }

  /// Shapes that the body gets while it runs; null when it takes none.
  [[nodiscard]] virtual Insertions* insertions() { return nullptr; }
  [[nodiscard]] virtual const Insertions* insertions() const { return nullptr; }

  [[nodiscard]] virtual const VectorX& displacements() const = 0;  // 3n, m
  [[nodiscard]] virtual const VectorX& velocities() const = 0;     // 3n, m/s
  [[nodiscard]] virtual VectorX coordinates() const = 0;           // u of full; q of reduced models
  /// One pose for a body with a single basis, one per domain for a tree, none for models without bases.
  [[nodiscard]] virtual std::vector<PartPose> parts() const { return {}; }
  /// The same as parts() and coordinates(), into memory that is kept.
  virtual void read_parts(std::vector<PartPose>& poses, VectorX& q) const {
    poses = parts();
    q = coordinates();
  }
  /// Tables from which a viewer computes all points of a surface, given parts() and coordinates(). None for
  /// models without bases. `cut` as in Domains; the surface must already be torn into those pieces.
  [[nodiscard]] virtual std::optional<PartTables> part_tables(const CarriedSurface& /*surface*/,
                                                              const std::vector<char>& /*cut*/) const {
    return std::nullopt;
  }
  /// The rest shape of the surface that the model itself draws, torn where domains have come off. Null when
  /// it draws none.
  [[nodiscard]] virtual const SurfaceMesh* drawn_surface() const { return nullptr; }
  /// Writes the present positions (3n, m) of that surface and, unless `normals` is empty, unit normals (3n).
  virtual void draw(std::span<float> /*places*/, std::span<float> /*normals*/) const {}
  /// Displacement of one vertex. Reduced models do not reconstruct the others for it.
  [[nodiscard]] virtual Vector3 displacement(VertexId vertex) const {
    return displacements().segment<3>(3 * static_cast<Index>(vertex));
  }

  [[nodiscard]] virtual Energies energies() const = 0;
  [[nodiscard]] virtual Momenta momenta() const = 0;
  [[nodiscard]] virtual std::vector<Reaction> reactions() const = 0;  // one per support
  /// Von Mises stress per element (tets, hexes, quadratic tets; mean over the integration points), Pa.
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
