#include "pliant/scene/schema.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/mesh/generate/generate_assembly.hpp"
#include "pliant/scene/schema_parts.hpp"

#include <algorithm>
#include <map>

namespace pliant {
namespace {

using namespace schema_parts;  // NOLINT(google-build-using-namespace)

const SectionSchema& newton_section() {
  static const SectionSchema schema{
      "simulation.newton", "When the iterations of a step end.",
      Keys{{"iterations", Form::kInteger, "20", "",
            "at most so many; 1: one linear solve a step (semi-implicit)", kCount},
           {"tolerance", Form::kNumber, "1e-9", "",
            "residual over the largest of external, internal and inertial force", kPositive}}};
  return schema;
}

const SectionSchema& damping_section() {
  static const SectionSchema schema{"simulation.damping",
                                    "Rayleigh damping: the force (mass · M + stiffness · K) v.",
                                    Keys{{"mass", Form::kNumber, "0.0", "1/s",
                                          "share of the mass matrix: slows motion as a whole", kNotNegative},
                                         {"stiffness", Form::kNumber, "0.0", "s",
                                          "share of the stiffness: slows fast vibrations", kNotNegative},
                                         choice("stiffness_at", {"tangent", "rest"}, "\"tangent\"",
                                                "K of the present shape, or of the rest shape")}};
  return schema;
}

const SectionSchema& simulation_section() {
  static const SectionSchema schema{
      "[simulation]", "Time and method.",
      Keys{{"dt", Form::kNumber, "", "s", "time step; required unless `integrator = \"static\"`", kPositive},
           {"duration", Form::kNumber, "", "s", "simulated time; the run takes round(duration/dt) steps",
            kNotNegative},
           {"gravity", Form::kVector, "[0, 0, 0]", "m/s²", "acceleration of free fall", {}},
           {"substeps", Form::kInteger, "1", "", "steps of dt/substeps per recorded step", Bounds{1.0, 1e6}},
           choice(
               "integrator",
               {"newmark", "backward-euler", "midpoint", "energy-momentum", "central-differences", "static"},
               "",
               "Newmark with β = 1/4, γ = 1/2; backward Euler; implicit midpoint and the energy-momentum "
               "method (not `tree`); explicit (`modal`); or equilibrium only, t being the load factor 0…1. "
               "Without it: energy-momentum for `coupled`, else Newmark"),
           section("newton", Form::kSection, newton_section(), "{}", "stopping rule of each step"),
           section("damping", Form::kSection, damping_section(), "{}", "Rayleigh damping")}};
  return schema;
}

const SectionSchema& output_section() {
  static const SectionSchema schema{
      "[output]", "Which steps become frames when `pliant run` has `--out`, and what frames hold.",
      Keys{{"fps", Form::kNumber, "30", "1/s", "frames per second of simulated time", kPositive},
           {"every", Form::kInteger, "", "steps", "frame every so many steps, instead of `fps`", kFromOne},
           choice("frames", {"surface", "volume"}, "\"surface\"",
                  "cells of the frames: the boundary faces, or all elements")}};
  return schema;
}

const SectionSchema& material_section() {
  static const SectionSchema schema{
      "body.material", "An isotropic elastic material.",
      Keys{choice("law", {"linear", "corotational", "stvk", "neohookean", "stable-neohookean"}, "\"stvk\"",
                  "energy density; see docs/theory/materials.md"),
           required({"young", Form::kNumber, "", "Pa", "Young's modulus", kPhysical}),
           required({"poisson", Form::kNumber, "", "", "Poisson's ratio", kPoisson}),
           required({"density", Form::kNumber, "", "kg/m³", "mass per volume at rest", kPhysical}),
           {"invertible", Form::kFlag, "false", "",
            "go on through inverted elements (stvk and neohookean only)"},
           {"inversion_threshold", Form::kNumber, "0", "",
            "principal stretch below which the continuation begins; 0: the law's own",
            Bounds{0.0, 1.0, false, true}},
           {"quadrature", Form::kInteger, "", "",
            "integration points of a quadratic tetrahedron, 4 or 14; without it: 14, but 4 where they are "
            "exact (`linear`, straight edges)",
            Bounds{4.0, 14.0}}}};
  return schema;
}

/// One key for each parameter of the generators. Its doc line names the shapes that take it. Its bounds are
/// the widest of these shapes; the generator checks those of the shape.
std::vector<KeySchema> generator_keys() {
  struct Entry {
    GenerateParameter parameter;
    std::string doc;
  };
  static std::vector<Entry> entries;  // holds the texts that the keys refer to
  std::vector<std::string_view> shapes(generator_shapes().begin(), generator_shapes().end());
  for (const std::string_view shape : shapes) {
    for (const GenerateParameter& parameter : generator_parameters(shape)) {
      const std::string use = std::string(shape) + " (" + text(parameter.initial) + ")";
      const auto known = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
        return entry.parameter.name == parameter.name;
      });
      if (known == entries.end()) {
        entries.push_back({parameter, "of " + use});
      } else {
        known->doc += ", " + use;
        known->parameter.low = std::min(known->parameter.low, parameter.low);
        known->parameter.high = std::max(known->parameter.high, parameter.high);
      }
    }
  }
  std::vector<KeySchema> keys;
  for (const Entry& entry : entries) {
    const GenerateParameter& p = entry.parameter;
    const Form form = p.size == 1 ? (p.whole ? Form::kInteger : Form::kNumber)
                                  : (p.whole ? Form::kIntegers : Form::kVector);
    keys.push_back({p.name, form, "", "", entry.doc, Bounds{p.low, p.high}});
  }
  return keys;
}

const SectionSchema& generate_section() {
  static const SectionSchema schema = [] {
    std::vector<std::string_view> shapes(generator_shapes().begin(), generator_shapes().end());
    shapes.emplace_back("duck");
    SectionSchema section{
        "body.generate",
        "A mesh made by formula instead of a file. Each shape takes the parameters that name it; defaults in "
        "brackets. "
        "`duck` takes `length` (1) and `resolution` (30). Lengths in m, angles in degrees.",
        Keys{choice("shape", shapes, "\"box\"", "which solid; docs/guide/meshes.md describes them"),
             choice("element", {"tet", "hex", "tet10"}, "\"tet\"",
                    "tetrahedra, hexahedra or quadratic tetrahedra")}};
    for (KeySchema& key : generator_keys()) section.keys.push_back(std::move(key));
    return section;
  }();
  return schema;
}

const SectionSchema& mesher_section() {
  static const SectionSchema schema{
      "body.mesher", "How a surface file given as `mesh` is filled with elements.",
      Keys{{"resolution", Form::kInteger, "40", "", "cells along the longest side", Bounds{1.0, 2000.0}},
           choice(
               "element", {"tet", "hex", "tet10"}, "\"tet\"",
               "isosurface stuffing, voxels, or stuffing with quadratic tetrahedra that follow the surface"),
           choice("keep", {"all", "largest"}, "\"all\"",
                  "of several separate parts: all, or only the largest")}};
  return schema;
}

const SectionSchema& transform_section() {
  static const SectionSchema schema{"body.transform",
                                    "Places the mesh (and its surface) before anything else: scaled, then "
                                    "turned about x, y and z in turn, then "
                                    "shifted. Selections see the result.",
                                    Keys{{"translate", Form::kVector, "[0, 0, 0]", "m", "shift", {}},
                                         {"rotate",
                                          Form::kVector,
                                          "[0, 0, 0]",
                                          "degrees",
                                          "angles about the x, y and z axes, in this order",
                                          {}},
                                         {"scale", Form::kNumber, "1", "", "uniform factor", kPositive}}};
  return schema;
}

const SectionSchema& region_section() {
  static const SectionSchema schema{
      "[[body.region]]",
      "A part of the body with another material. Elements belong to the first region that holds their "
      "centroid; what "
      "no region claims has `body.material`.",
      Keys{{"where", Form::kText, "", "", "expression over x, y, z of the centroid and `label`", {}},
           {"elements", Form::kIntegers, "", "", "element numbers instead, tetrahedra first, from 0",
            kVertexNumber},
           required(section("material", Form::kSection, material_section(), "", "its material")),
           section("look", Form::kSection, look_section(), "", "how it is drawn")}};
  return schema;
}

const SectionSchema& initial_section() {
  static const SectionSchema schema{
      "body.initial", "The start: velocities and a stretch, or a file, or a natural mode.",
      Keys{{"velocity", Form::kVector, "[0, 0, 0]", "m/s", "of every vertex", {}},
           {"angular_velocity", Form::kVector, "[0, 0, 0]", "rad/s", "about the centre of mass", {}},
           {"stretch", Form::kVector, "[1, 1, 1]", "", "factors along x, y, z about the centre of mass",
            kPositive},
           {"file", Form::kText, "", "", "displacements and velocities in the format of `--final`", {}},
           {"mode", Form::kInteger, "", "", "start along this natural mode, from 1, rigid ones not counted",
            kCount},
           {"speed", Form::kNumber, "", "m/s", "with `mode`: speed of the fastest vertex", kNotNegative}}};
  return schema;
}

const SectionSchema& rotate_section() {
  static const SectionSchema schema{
      "body.motion.rotate", "A keyframed turn; angles in between are interpolated linearly.",
      Keys{required({"axis", Form::kVector, "", "", "direction, any length", {}}),
           {"center", Form::kVector, "[0, 0, 0]", "m", "a point of the axis", {}},
           required({"t", Form::kNumbers, "", "s", "ascending times", {}}),
           required({"degrees", Form::kNumbers, "", "degrees", "one angle per time", {}})}};
  return schema;
}

const SectionSchema& translate_section() {
  static const SectionSchema schema{
      "body.motion.translate", "A keyframed shift, interpolated linearly.",
      Keys{required({"t", Form::kNumbers, "", "s", "ascending times", {}}),
           required({"by", Form::kVectors, "", "m", "one shift per time", {}})}};
  return schema;
}

const SectionSchema& oscillate_section() {
  static const SectionSchema schema{
      "body.motion.oscillate", "A shake: amplitude · sin(2π frequency t).",
      Keys{required({"amplitude", Form::kVector, "", "m", "largest shift", {}}),
           required({"frequency", Form::kNumber, "", "Hz", "shakes per second", kPositive})}};
  return schema;
}

const SectionSchema& motion_section() {
  static const SectionSchema schema = [] {
    SectionSchema motion{
        "[[body.motion]]", "Vertices that are driven rigidly: first the turn, then the shifts.",
        Keys{{"where", Form::kText, "", "", "selection of vertices", {}},
             {"vertices", Form::kIntegers, "", "", "vertex numbers instead, from 0", kVertexNumber}}};
    for (KeySchema& key : motion_keys()) motion.keys.push_back(std::move(key));
    return motion;
  }();
  return schema;
}

const SectionSchema& table_section() {
  static const SectionSchema schema{
      "body.load.table", "A factor over time: linear in between, constant before and after.",
      Keys{required({"t", Form::kNumbers, "", "s", "ascending times", {}}),
           required({"scale", Form::kNumbers, "", "", "one factor per time", {}})}};
  return schema;
}

const SectionSchema& wind_section() {
  static const SectionSchema schema{
      "body.load.wind", "Drag of moving air on the boundary.",
      Keys{required({"velocity", Form::kVector, "", "m/s", "mean velocity of the air", {}}),
           {"gust", Form::kNumber, "0", "", "strength of gusts relative to the mean", kNotNegative},
           {"gust_period", Form::kNumber, "2", "s", "of the slowest gusts", kPositive},
           {"drag", Form::kNumber, "1", "", "drag coefficient", kNotNegative},
           {"air_density", Form::kNumber, "1.225", "kg/m³", "of the air", kNotNegative},
           {"seed", Form::kInteger, "1", "", "other seeds, other gusts", kNotNegative},
           {"tolerance", Form::kNumber, "0.01", "",
            "error that domains of a tree may make by sampling their faces; 0: every face is evaluated",
            kNotNegative}}};
  return schema;
}

const SectionSchema& load_section() {
  static const SectionSchema schema{
      "[[body.load]]", "One of `force`, `pressure` and `wind`.",
      Keys{{"where",
            Form::kText,
            "",
            "",
            "selection: vertices for a force, boundary faces for pressure and wind",
            {}},
           {"vertices", Form::kIntegers, "", "", "force: vertex numbers, from 0", kVertexNumber},
           {"points",
            Form::kVectors,
            "",
            "m",
            "force: places in the rest shape, spread equally over them",
            {}},
           {"force", Form::kVector, "", "N", "total force", {}},
           choice("spread", {"equal", "area"}, "\"equal\"",
                  "force: the same for every vertex, or by boundary area"),
           {"pressure", Form::kNumber, "", "Pa", "follows the surface; positive pushes inwards", {}},
           section("wind", Form::kSection, wind_section(), "", "moving air"),
           section("table", Form::kSection, table_section(), "", "scales the load over time")}};
  return schema;
}

/// Parameters of all generated assemblies. The doc line names those that take it.
const SectionSchema& assembly_section() {
  static const SectionSchema schema = [] {
    static std::map<std::string_view, std::string> docs;  // holds the texts that the keys refer to
    const std::vector<std::string_view> shapes(assembly_shapes().begin(), assembly_shapes().end());
    for (const std::string_view shape : shapes)
      for (const GenerateParameter& p : assembly_parameters(shape)) {
        std::string& doc = docs[p.name];
        doc += (doc.empty() ? "of " : ", ") + std::string(shape) + " (" + text(p.initial) + ")";
      }
    SectionSchema section{
        "body.assembly",
        "A body of many placed parts made by formula. `surface` is the fineness of the "
        "surface that is carried along, 0: none; lengths in m.",
        Keys{required(choice("shape", shapes, "", "which; docs/guide/assemblies.md shows them"))}};
    for (const auto& [name, doc] : docs) section.keys.push_back({name, Form::kNumber, "", "", doc, {}});
    return section;
  }();
  return schema;
}

const SectionSchema& class_section() {
  static const SectionSchema schema{
      "[[body.class]]",
      "A part of which copies are placed, in coordinates of its own; or settings for a class of `assembly`.",
      Keys{required({"name", Form::kText, "", "", "its name", {}}),
           {"mesh", Form::kText, "", "", "volume mesh file, or a surface file to be filled", {}},
           section("generate", Form::kSection, generate_section(), "", "a mesh by formula instead"),
           section("mesher", Form::kSection, mesher_section(), "", "for a surface file given as `mesh`"),
           {"surface", Form::kText, "", "", "surface file that is carried along", {}},
           section("transform", Form::kSection, transform_section(), "", "places the mesh in the class"),
           section("material", Form::kSection, material_section(), "", "instead of the body's"),
           section("look", Form::kSection, look_section(), "", "how its copies are drawn"),
           {"base", Form::kText, "", "", "selection of the vertices by which copies are held", {}},
           {"linear_modes", Form::kInteger, "", "", "overrides the model's", kCount},
           {"modes", Form::kInteger, "", "", "overrides the model's; 0: rigid", Bounds{0.0, 10000.0}}}};
  return schema;
}

const SectionSchema& instance_section() {
  static const SectionSchema schema{
      "[[body.instance]]", "A copy of a class: scaled, then turned about x, y and z in turn, then shifted.",
      Keys{required({"name", Form::kText, "", "", "unique in the body", {}}),
           required({"class", Form::kText, "", "", "name of a `[[body.class]]`", {}}),
           {"parent", Form::kText, "", "", "the instance it hangs on; without it: the root", {}},
           {"translate", Form::kVector, "[0, 0, 0]", "m", "shift", {}},
           {"rotate", Form::kVector, "[0, 0, 0]", "degrees", "angles about the x, y and z axes", {}},
           {"scale", Form::kNumber, "1", "", "uniform factor", kPositive}}};
  return schema;
}

Keys assembly_keys() {
  return {section("assembly", Form::kSection, assembly_section(), "", "a body of placed parts by formula"),
          section("class", Form::kSections, class_section(), "", "parts of which copies are placed"),
          section("instance", Form::kSections, instance_section(), "", "the copies"),
          {"instances",
           Form::kText,
           "",
           "",
           "file of copies, rows `name class parent tx ty tz qw qx qy qz scale`, `-`: no parent",
           {}}};
}

Keys body_shape_keys() {
  return {{"name", Form::kText, "\"body\"", "", "unique among the bodies", {}},
          {"mesh",
           Form::kText,
           "",
           "",
           "volume mesh file, or a surface file to be filled; relative to the scene",
           {}},
          section("generate", Form::kSection, generate_section(), "", "a mesh by formula instead"),
          section("mesher", Form::kSection, mesher_section(), "", "for a surface file given as `mesh`"),
          {"surface", Form::kText, "", "", "surface file that is carried along, for the animation", {}},
          section("transform", Form::kSection, transform_section(), "{}", "places the mesh")};
}

const SectionSchema& body_section() {
  static const SectionSchema schema = [] {
    SectionSchema body{"[[body]]", "A deformable body.", body_shape_keys()};
    const Keys more{
        required(section("material", Form::kSection, material_section(), "", "what it is made of")),
        section("region", Form::kSections, region_section(), "", "parts of another material"),
        {"fixed", Form::kSelections, "[]", "", "held vertices: expressions, or `{ vertices = [1, 5, 9] }`",
         kVertexNumber},
        section("model", Form::kSection, model_section(), "{}", "how it is simulated"),
        {"models",
         Form::kSectionByName,
         "",
         "",
         "`[body.models.TYPE]`: settings used with `--model TYPE`",
         {},
         false,
         known_models(),
         &model_section()},
        section("domain", Form::kSections, domain_section(), "", "domains of reduced models"),
        section("initial", Form::kSection, initial_section(), "{}", "the start"),
        section("contact", Form::kSection, body_contact_section(), "", "how it touches obstacles"),
        section("look", Form::kSection, look_section(), "", "how it is drawn"),
        section("motion", Form::kSections, motion_section(), "", "driven vertices"),
        section("load", Form::kSections, load_section(), "", "forces, pressures, wind")};
    body.keys.insert(body.keys.end(), more.begin(), more.end());
    for (KeySchema& key : assembly_keys()) body.keys.push_back(std::move(key));
    return body;
  }();
  return schema;
}

const SectionSchema& event_set_section() {
  static const SectionSchema schema{
      "event.set", "New values of a material or, with `domain`, of a domain; what is not named stays.",
      Keys{{"young", Form::kNumber, "", "Pa", "Young's modulus", kPhysical},
           {"poisson", Form::kNumber, "", "", "Poisson's ratio", kPoisson},
           {"density", Form::kNumber, "", "kg/m³", "mass per volume", kPhysical},
           {"frequency_scale", Form::kNumber, "", "", "of a domain's own vibrations", kPositive},
           section("damping", Form::kSection, domain_damping_section(), "", "of a domain")}};
  return schema;
}

const SectionSchema& event_replace_section() {
  static const SectionSchema schema{"event.replace", "Exchange of a domain of a tree.",
                                    Keys{required({"domain", Form::kText, "", "", "which", {}}),
                                         required({"class", Form::kText, "", "", "by what", {}})}};
  return schema;
}

const SectionSchema& event_insert_section() {
  static const SectionSchema schema{
      "event.insert", "Shapes about a place, which a body gets while it runs (`blended`, `modal`).",
      Keys{{"name", Form::kText, "", "", "by which it is removed (inserted and the number of the event)", {}},
           required({"at", Form::kVector, "", "m", "place in the rest shape; its nearest free vertex", {}}),
           required({"radius", Form::kNumber, "", "m", "of the ball that it moves", kPositive}),
           choice("shapes", {"quadratic", "affine", "response"}, "\"quadratic\"",
                  "a domain of 30 or 12 coordinates, or the static response to a force there"),
           {"direction",
            Form::kVector,
            "",
            "",
            "of the weights, or of the force; without it: the softest one, or all three",
            {}}}};
  return schema;
}

const SectionSchema& event_blade_section() {
  static const SectionSchema schema{
      "event.cut.blade", "What a moving blade sweeps.",
      Keys{required({"from", Form::kVector, "", "m", "one end of its edge", {}}),
           required({"to", Form::kVector, "", "m", "the other end", {}}),
           required({"direction", Form::kVector, "", "", "in which it moves", {}}),
           required({"length", Form::kNumber, "", "m", "how far", kPositive})}};
  return schema;
}

const SectionSchema& event_cut_section() {
  static const SectionSchema schema{
      "event.cut", "A cut through the full domains of a `coupled` body, in their present shape.",
      Keys{{"point", Form::kVector, "", "m", "of the plane", {}},
           {"normal", Form::kVector, "", "", "of the plane", {}},
           section("blade", Form::kSection, event_blade_section(), "", "instead of a plane")}};
  return schema;
}

const SectionSchema& event_move_section() {
  static const SectionSchema schema{
      "event.move", "A gentle way of an obstacle, on top of its motion.",
      Keys{required({"by", Form::kVector, "", "m", "how far", {}}),
           required({"over", Form::kNumber, "", "s", "in which time", kPositive})}};
  return schema;
}

const SectionSchema& event_section() {
  static const SectionSchema schema{
      "[[event]]", "What changes while running: gravity, materials, domains, cuts, obstacles.",
      Keys{required(
               {"t", Form::kNumber, "", "s", "from the first step that begins at or after it", kNotNegative}),
           {"body", Form::kText, "", "", "name; without it: every body", {}},
           {"gravity", Form::kVector, "", "m/s²", "new gravity", {}},
           section("set", Form::kSection, event_set_section(), "", "new material values"),
           {"region", Form::kInteger, "", "",
            "with `set`: of this `[[body.region]]`, from 1; 0: `body.material`; without it: all",
            Bounds{0.0, 1e6}},
           {"domain", Form::kText, "", "", "with `set`, the domain that is meant", {}},
           {"detach", Form::kText, "", "", "tree: domain that comes off with all that hangs on it", {}},
           section("replace", Form::kSection, event_replace_section(), "", "tree: exchange of a domain"),
           section("insert", Form::kSection, event_insert_section(), "",
                   "blended, modal: shapes that the body gets"),
           {"remove", Form::kText, "", "", "blended, modal: name of inserted shapes that fade and go", {}},
           {"fade", Form::kNumber, "", "s", "with `remove`, how long that takes (60 time steps)", kPositive},
           section("cut", Form::kSection, event_cut_section(), "", "coupled: cuts domains with full = true"),
           {"obstacle", Form::kText, "", "", "name of the obstacle that the following keys change", {}},
           section("move", Form::kSection, event_move_section(), "", "it glides somewhere else"),
           {"enabled", Form::kFlag, "", "", "whether bodies touch it from now on", {}},
           {"friction", Form::kNumber, "", "", "its coefficient with every body from now on",
            Bounds{0.0, 1e6}}}};
  return schema;
}

const SectionSchema& probe_section() {
  static const SectionSchema schema{
      "[[probe]]", "A vertex whose displacement is recorded, or an obstacle whose force is.",
      Keys{required({"name", Form::kText, "", "", "unique among the probes", {}}),
           {"body", Form::kText, "", "", "name; not needed when there is one body", {}},
           {"vertex", Form::kInteger, "", "", "number, from 0 in file order", kVertexNumber},
           {"near", Form::kVector, "", "m", "or: the vertex nearest to this place of the rest shape", {}},
           {"obstacle",
            Form::kText,
            "",
            "",
            "or: the obstacle whose force on the body is recorded; without `body`: on all bodies",
            {}},
           {"every", Form::kInteger, "1", "steps", "a row every so many steps, and one for the last step",
            kFromOne}}};
  return schema;
}

}  // namespace

Keys schema_parts::motion_keys() {
  return {section("rotate", Form::kSection, rotate_section(), "", "turn"),
          section("translate", Form::kSection, translate_section(), "", "shift"),
          section("oscillate", Form::kSection, oscillate_section(), "", "shake")};
}

const SectionSchema& scene_schema() {
  static const SectionSchema schema{
      "Scene file", "",
      Keys{required(section("simulation", Form::kSection, simulation_section(), "", "time and method")),
           section("output", Form::kSection, output_section(), "{}", "frames of `--out`"),
           required(section("body", Form::kSections, body_section(), "", "the bodies")),
           section("contact", Form::kSection, contact_section(), "", "lets bodies touch obstacles"),
           section("obstacle", Form::kSections, obstacle_section(), "", "solids that bodies touch"),
           section("event", Form::kSections, event_section(), "", "what changes while running"),
           section("probe", Form::kSections, probe_section(), "", "recorded vertices")}};
  return schema;
}

}  // namespace pliant
