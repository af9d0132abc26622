// build/body_spec.hpp — a body as arrays and settings: all that a model is built from, and no text.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/mesh/core/carried_surface.hpp"
#include "pliant/mesh/core/pull.hpp"
#include "pliant/mesh/domains/vertex_domains.hpp"
#include "pliant/model/model.hpp"
#include "pliant/reduce/blended_columns.hpp"
#include "pliant/reduce/domain_basis.hpp"
#include "pliant/reduce/make_basis.hpp"
#include "pliant/reduce/reduce_tree.hpp"
#include "pliant/subspace/coupled_body.hpp"
#include "pliant/subspace/domain_surfaces.hpp"
#include "pliant/subspace/reduced_forces.hpp"
#include "pliant/subspace/tree_body.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pliant {

/// Every vertex moves on its own.
struct FullSpec {};

/// How a basis is trained: by static solutions of the full model (build/training.hpp).
struct TrainingSpec {
  Index directions = 26;        // of gravity: 6 axes, then 8 corners and 12 edges of a cube
  Index modes = 0;              // modes along which the body is loaded; 0: 1 + r/4
  double amplitude = 0.0;       // of the first of them, over the size of the body; 0: by its sag
  double seconds = 0.0;         // of a run of the full model, whose shapes are added
  std::optional<double> error;  // the fewest shapes whose expected errors are below it, at most `modes`
};

/// What elastic forces of a reduced body are computed from.
enum class InteriorForces {
  kAuto,        // the faster of both that meets the error
  kPolynomial,  // exact; laws stvk and linear
  kCubature,    // few weighted integration points, every law
};

/// Which elements between domains are evaluated.
enum class InterfaceForces {
  kAll,
  kUniform,     // few, one weight each: an energy, so momenta are kept
  kNonuniform,  // few, a weight for each kind of force: breaks the angular momentum
};

/// How cubature points are chosen (build/cubature.hpp).
struct CubatureSpec {
  InteriorForces interior = InteriorForces::kAuto;
  InterfaceForces interface = InterfaceForces::kAll;
  double error = 0.02;      // of forces in the compliance norm
  Index points = 0;         // so many at most; 0: as the error asks
  std::uint64_t seed = 1;   // of the loads under which they are chosen
  bool full_poses = false;  // those of the full model instead of the reduced one
};

/// One basis for the whole body: from its modes, unless there are shapes, pulls or training.
struct ModalSpec {
  BasisSettings basis;
  std::optional<TrainingSpec> training;
  std::optional<MatrixX> shapes;           // 3n × m displacements that the body has taken
  std::optional<std::vector<Pull>> pulls;  // forces whose static shapes make the basis
  double separation = 0.05;                // of pulls, and of their shapes
  std::string source;                      // names shapes or pulls in the cache; empty: by their numbers
  std::optional<Index> modes_used;         // only so many of the basis
  bool exact = false;                      // forces by a loop over all elements
  Storage storage = Storage::kDouble;
  std::optional<CubatureSpec> cubature;  // none: of laws without a polynomial, by its defaults
};

/// Settings of one domain.
struct DomainSpec {
  std::string name;
  std::optional<Index> modes;  // 0: rigid; none: as all
  DomainTuning tuning;
};

/// Domains, each with a basis and a frame of its own.
struct TreeSpec {
  std::shared_ptr<const DomainMap> domains;  // of the elements; null: found by the program
  Index automatic = kDefaultDomains;         // how many are looked for then
  std::shared_ptr<const TreePlan> plan;      // of a body put together from parts, instead of all that
  bool merge_cycles = false;                 // domains that form a ring become one
  std::optional<std::string> root;
  std::vector<DomainSpec> settings;  // of domains that have some of their own
  Index linear_modes = 4;
  Index modes = 20;
  std::optional<Index> modes_total;  // shared out over the domains, instead of `modes` for each
  bool logarithmic = false;          // by the logarithms of their sizes, not the sizes
  AttachmentSettings attachment;
  std::optional<TrainingSpec> training;  // of one body cut into domains; `error` is not used
  TreeInertia inertia = TreeInertia::kL3;
  SurfaceBlend blend = SurfaceBlend::kC0;

  /// None when the domain has none of its own.
  [[nodiscard]] const DomainSpec* find(const std::string& name) const;
};

/// Settings of one domain of CoupledSpec; none: as all.
struct CoupledDomainSpec {
  std::string name;
  std::optional<Index> modes;  // 0: rigid
  std::optional<Index> linear_modes;
  std::optional<DomainBasis> kind;
  std::optional<Index> rings;
  DomainTuning tuning;
  bool full = false;  // stays unreduced, and may be cut
};

/// Domains of vertices, each with a basis and a frame of its own, joined by the elements between them.
struct CoupledSpec {
  std::shared_ptr<const VertexMap> domains;  // null: found by the program
  Index automatic = kDefaultDomains;         // how many are looked for then
  DomainBasisSettings basis;                 // of all domains
  std::vector<CoupledDomainSpec> settings;   // of domains that have some of their own
  std::shared_ptr<const MatrixX> shapes;     // 3n × m, for domains whose basis is DomainBasis::kShapes
  CoupledScheme scheme = CoupledScheme::kNewton;
  std::optional<double> springs;         // N/m, in place of the elements between domains
  bool invertible_coupling = false;      // elements between domains resist inversion where their law can
  std::optional<CubatureSpec> cubature;  // none: of laws without a polynomial, by its defaults
};

/// Overlapping domains, each a polynomial, blended by weights.
struct BlendedSpec {
  std::vector<Vector3> seeds;                  // m; empty: found by the program
  Index automatic = kDefaultDomains;           // how many are looked for then
  std::vector<DomainCoordinates> coordinates;  // per domain, or one for all; empty: quadratic
  WeightKind weights = WeightKind::kAuto;
  std::optional<Vector3> direction;  // of principal weights; none: the most deformable one of each domain
  BlendedGradients gradients = BlendedGradients::kNodal;
  std::optional<CubatureSpec> cubature;  // none: over all elements; `points` are per segment
  GivenPoses poses;
  Index modes = 0;    // of the whole body, as coordinates of their own, with its shapes under its own weight
  bool local = true;  // columns of many domains are zero beyond their reach; false: for comparison
};

/// Where a body starts: a rigid motion and a stretch about its centre of mass, unless there is more.
struct StartSpec {
  Vector3 velocity = Vector3::Zero();
  Vector3 angular_velocity = Vector3::Zero();  // rad/s
  Vector3 stretch = Vector3::Ones();
  VectorX displacements, velocities;  // 3n; not empty: instead of the above
  std::optional<Index> mode;          // from 1: at rest, along a natural mode of the full model
  double speed = 0.0;                 // m/s, of its fastest vertex
};

struct BodySpec {
  std::string name = "body";
  VolumeMesh mesh;         // labels may be left out
  bool validated = false;  // whoever made the mesh has judged it already (mesh/core/validate_volume.hpp)
  MaterialMap materials;
  std::vector<Support> supports;
  Loads loads;  // and gravity
  StepSettings step;
  double dt = 0.0;  // s, of the steps that are going to be taken; 0: not known
  std::variant<FullSpec, ModalSpec, TreeSpec, CoupledSpec, BlendedSpec> model;
  StartSpec start;
  std::shared_ptr<const CarriedSurface> surface = nullptr;  // that the model draws itself, if it can
};

}  // namespace pliant
