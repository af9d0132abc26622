// scene/description.hpp — a scene file as plain data: its text is checked, but not yet against its meshes.
//
//     scene.toml ──parse_toml──► Value ──check_and_fill──► Value ──read_scene──► SceneDescription
//     ──build_scene──► World
//
// Whatever can still fail later (an empty selection, a missing mesh) keeps the place where it was typed, for
// messages.
#pragma once

#include "pliant/material/material.hpp"
#include "pliant/mesh/assembly/assembly.hpp"
#include "pliant/mesh/core/insertion.hpp"
#include "pliant/mesh/core/pull.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"
#include "pliant/mesh/cut/cut_mesh.hpp"
#include "pliant/mesh/domains/domains.hpp"
#include "pliant/model/model.hpp"
#include "pliant/scene/fill.hpp"
#include "pliant/scene/value.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pliant {

/// A selection of vertices, faces or elements, by expression or by number.
struct SelectionText {
  std::string expression;      // empty: by number, or everything
  std::vector<Index> numbers;  // when by_number
  bool by_number = false;
  Location where;
  /// Its name in reports: the expression, or "vertices [1, 5, ...]".
  [[nodiscard]] std::string name() const;
};

/// `generate = {...}`, as typed. The generator knows which keys a shape needs.
struct GenerateText {
  std::string shape;
  Value table;
  Location where;
};

struct TransformText {
  Vector3 translate = Vector3::Zero();
  Vector3 rotate_degrees = Vector3::Zero();  // about x, then y, then z
  double scale = 1.0;
  Location where;
};

/// `look = { ... }`: how something is drawn.
struct LookText {
  std::optional<std::uint32_t> color;  // 0xRRGGBB; none: the page chooses
  std::optional<double> roughness;     // 0: a mirror, 1: chalk
};

struct RegionText {
  SelectionText elements;
  Material material;
  LookText look;
};

/// `body.initial`: the state at the start.
struct InitialText {
  Vector3 velocity = Vector3::Zero();
  Vector3 angular_velocity = Vector3::Zero();  // rad/s
  Vector3 stretch = Vector3::Ones();
  std::optional<std::string> file;
  std::optional<Index> mode;  // from 1
  double speed = 0.0;
  Location where;
};

struct MotionText {
  SelectionText vertices;
  Motion motion;
};

/// `body.contact`.
struct BodyContactText {
  std::optional<bool> enabled;
  std::optional<double> friction;
};

/// `[[obstacle]]`.
struct ObstacleText {
  std::string name;
  Location name_where;
  std::string shape;
  Vector3 normal = Vector3::UnitZ();
  Vector3 size = Vector3::Zero();
  double radius = 0.0, length = 0.0, top = 0.0, neck = 0.0, height = 0.0;
  std::string file;
  Location file_where;
  Vector3 position = Vector3::Zero();
  Vector3 rotate_degrees = Vector3::Zero();  // about x, then y, then z
  std::optional<double> friction;
  std::optional<Motion> motion;
  double density = 0.0;  // kg/m³; zero: it is not pushed
  Location density_where;
  Vector3 velocity = Vector3::Zero(), angular_velocity = Vector3::Zero();  // at the start, m/s, rad/s
  Location where;
};

/// `[[contact.pair]]`.
struct ContactPairText {
  std::string first, second;
  std::optional<double> friction, restitution;
  bool enabled = true;
  Location where;
};

/// `[contact]`.
struct ContactText {
  bool given = false;
  double friction = 0.5, restitution = 0.0;
  bool flexibility = false;
  std::vector<ContactPairText> pairs;
};

struct ForceText {
  Vector3 force;
  std::vector<Vector3> points;  // instead of vertices, when not empty
  bool by_area = false;
};
struct PressureText {
  double pascal = 0.0;
};

/// `[[body.load]]`.
struct LoadText {
  SelectionText selection;  // empty expression: everything (wind only)
  std::variant<ForceText, PressureText, Wind> what;
  TimeTable table;
  Location where;
};

/// A domain of a reduced model. Without an expression it only gives settings for the domain of that name.
struct DomainText {
  std::string name;
  Location name_where;
  SelectionText where;
  std::optional<Index> modes;  // 0: rigid
  bool full = false;           // coupled: stays unreduced
  Location full_where;
  double frequency_scale = 1.0;
  std::optional<double> mass_damping, stiffness_damping;  // none: the scene's
  LookText look;
};

/// Vertices on which forces act, for attachment shapes.
struct PatchText {
  std::string name;
  SelectionText vertices;
};

/// `train = { ... }` of a trained basis.
struct TrainText {
  Index directions = 26;       // of gravity
  std::optional<Index> modes;  // along which it is loaded
  std::optional<double> amplitude, error;
  double seconds = 0.0;
};

/// `cubature = { ... }` of a model.
struct CubatureText {
  std::string interior = "auto";
  std::string interface = "none";
  double error = 0.02;
  Index points = 0;  // 0: as the error asks
  Index seed = 1;
  bool full_poses = false;
};

/// `model = { type = "modal", ... }`.
struct ModalText {
  Index linear_modes = 10;
  Index modes = 20;
  std::optional<double> energy;
  bool derivatives = true;
  std::optional<Index> modes_used;
  std::vector<std::string> shapes;    // files or folders; not empty: the basis comes from them
  std::optional<std::string> sketch;  // file of pulls: the basis comes from it
  double separation = 0.05;           // relative distance below which pulls and shapes are dropped
  std::optional<TrainText> train;     // basis = "trained"
  std::shared_ptr<const std::vector<Pull>> pulls;  // of a sketch, from memory instead of a file
  bool exact = false;                              // forces by a loop over all elements
  bool float_storage = false;
  std::optional<CubatureText> cubature;
  std::vector<PatchText> patches;
};

/// `domains = { ... }` of a model, when its domains are not listed.
struct DomainSource {
  bool labels = false;             // domains from the labels of the mesh
  std::optional<Index> automatic;  // domains found by the program
  Location domains_where;
};

/// `model = { type = "tree", ... }`.
struct TreeText : DomainSource {
  Index linear_modes = 4;
  Index modes = 20;
  std::optional<Index> modes_total;  // distributed over the domains, instead of `modes` for each
  bool logarithmic = false;          // in proportion to the logarithms of their sizes, not to the sizes
  std::optional<bool> attachment;    // none: automatic
  Index attachment_max = 12;
  std::optional<TrainText> train;  // basis = "trained"
  std::string inertia = "L3";
  std::string blend = "c0";
  std::shared_ptr<const DomainMap> map;  // domains from memory, instead of the other ways
  bool merge_cycles = false;
  std::optional<std::string> root;
  Location root_where;
};

/// `model = { type = "coupled", ... }`.
struct CoupledText : DomainSource {
  Index modes = 30;                   // of each domain, all shapes counted together
  std::optional<Index> linear_modes;  // none: as the basis needs
  std::string basis = "patch";
  std::optional<Index> rings;  // of elements around a domain; none: by the width of its interfaces
  std::string scheme = "newton";
  std::optional<double> springs;  // N/m, in place of the coupling elements
  bool invertible_coupling = false;
  std::optional<CubatureText> cubature;
};

/// `model = { type = "blended", ... }`.
struct BlendedText : DomainSource {
  std::vector<Vector3> seeds;            // empty: `automatic`
  std::vector<std::string> coordinates;  // per domain, or one for all; empty: quadratic
  std::string weights = "auto";
  std::optional<Vector3> direction;      // of principal weights
  bool smooth = false;                   // gradients of the blended functions instead of the elements'
  std::optional<CubatureText> cubature;  // none: over all elements
  std::vector<std::string> poses;        // files of given poses
  bool envelop = false;                  // they shape the weights instead of being shapes themselves
  Location poses_where;
  Index modes = 0;  // of the whole body, beside the domains
};

struct ClassText;

/// A body made of placed parts: classes, and instances of them that hang on one another.
struct AssemblyText {
  bool given = false;
  std::optional<GenerateText> generated;    // `assembly = {...}`
  std::vector<ClassText> classes;           // with meshes, or settings for generated ones
  std::vector<AssemblyInstance> instances;  // as typed
  std::optional<std::string> instances_file;
  Location instances_where;
};

/// `[[body]]`.
struct BodyText {
  std::string name;
  Location name_where;
  Location where;
  std::optional<std::string> mesh;
  std::optional<GenerateText> generate;
  Location mesh_where;
  FillOptions mesher;
  std::optional<std::string> surface;
  Location surface_where;
  TransformText transform;
  Material material;
  std::vector<RegionText> regions;
  std::vector<SelectionText> fixed;
  std::string model_type;
  Value model;  // its settings, checked by the schema; defaults when --model chose another type
  Location model_where;
  ModalText modal;
  TreeText tree;
  CoupledText coupled;
  BlendedText blended;
  std::vector<DomainText> domains;
  InitialText initial;
  std::vector<MotionText> motions;
  std::vector<LoadText> loads;
  AssemblyText assembly;
  BodyContactText contact;
  LookText look;
};

/// A class of parts of an assembly. Its mesh is described like that of a body.
struct ClassText {
  BodyText shape;
  bool has_mesh = false;  // false: settings for a generated class of that name
  std::optional<Material> material;
  std::optional<SelectionText> base;
  std::optional<Index> linear_modes, modes;
};

/// `[[event]]`: what changes at time t, for one body or for all.
struct EventText {
  double t = 0.0;
  std::optional<std::string> body;
  std::optional<Vector3> gravity;
  std::optional<double> young, poisson, density;
  std::optional<Index> region;  // of the material: 0 the body's own, then its regions; none: all of them
  std::optional<std::string> domain;                      // the domain that the following concerns
  std::optional<double> frequency_scale;                  // new values; none: as before
  std::optional<double> mass_damping, stiffness_damping;  // likewise
  bool detach = false;
  std::optional<std::string> replace_class;  // the domain becomes one of this class
  std::optional<Insertion> insert;           // shapes that the body gets
  std::string remove;                        // name of inserted shapes that it loses
  std::optional<double> fade;                // s, over which they go
  Location insert_where;                     // of either
  std::optional<CutSurface> cut;             // through the full domains of `coupled`
  Location domain_where;
  Location where;
};

/// `[[event]]` of an obstacle.
struct ObstacleEventText {
  double t = 0.0;
  std::string obstacle;
  Vector3 by = Vector3::Zero();
  double over = 0.0;
  std::optional<bool> enabled;
  std::optional<double> friction;
  Location where;
};

/// `[[probe]]`.
struct ProbeText {
  std::string name;
  Location name_where;
  std::optional<std::string> body;
  std::optional<std::string> obstacle;  // whose force is recorded
  std::optional<Index> vertex;
  Vector3 near = Vector3::Zero();  // when there is no vertex
  Index every = 1;
  Location where;
};

struct OutputText {
  double fps = 30.0;
  std::optional<Index> every;
  bool volume = false;  // frames hold the elements instead of the boundary faces
};

/// A whole scene.
struct SceneDescription {
  std::filesystem::path file;
  std::string source;                         // the text of the file, for the checkpoint's hash
  std::vector<std::filesystem::path> inputs;  // the file itself and every file that its text names
  StepSettings step;
  bool integrator_given = false;  // otherwise each model takes the one that suits it best
  std::optional<double> dt;
  std::optional<double> duration;
  Index substeps = 1;
  Location simulation_where;
  Vector3 gravity = Vector3::Zero();
  OutputText output;
  std::vector<BodyText> bodies;
  std::vector<EventText> events;
  std::vector<ObstacleEventText> obstacle_events;
  std::vector<ProbeText> probes;
  ContactText contact;
  std::vector<ObstacleText> obstacles;

  /// A path as typed in the scene, relative to the scene's folder.
  [[nodiscard]] std::filesystem::path resolve(const std::string& typed) const;
};

/// What the command line changes in a scene.
struct Overrides {
  std::optional<std::string> model;
  std::optional<double> duration;
  bool needs_time = true;  // whether dt and duration must be given
};

/// Reads a scene and reports every problem that its text alone shows. `file` names it in messages; relative
/// paths start from its folder.
Result<SceneDescription> read_scene(std::string_view toml, const std::filesystem::path& file,
                                    const Overrides& overrides = {});
Result<SceneDescription> read_scene_file(const std::filesystem::path& file, const Overrides& overrides = {});

}  // namespace pliant
