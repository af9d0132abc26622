#include "pliant/scene/schema_parts.hpp"

namespace pliant::schema_parts {
namespace {

constexpr Bounds kFriction{0.0, 1e6};
constexpr Bounds kUnit{0.0, 1.0};

const SectionSchema& pair_section() {
  static const SectionSchema schema{
      "[[contact.pair]]", "How two of the bodies and obstacles touch, instead of what follows from each.",
      Keys{required({"between", Form::kTexts, "", "", "two names", {}}),
           {"friction", Form::kNumber, "", "", "Coulomb's coefficient", kFriction},
           {"restitution", Form::kNumber, "", "", "0: no bounce, 1: full", kUnit},
           {"enabled", Form::kFlag, "true", "", "false: they pass through each other", {}}}};
  return schema;
}

const SectionSchema& obstacle_motion_section() {
  static const SectionSchema schema{"[[obstacle.motion]]",
                                    "Moves an obstacle by keys, like `[[body.motion]]`; one per obstacle.",
                                    motion_keys()};
  return schema;
}

const SectionSchema& obstacle_initial_section() {
  static const SectionSchema schema{
      "obstacle.initial", "How an obstacle with a density moves at the start.",
      Keys{{"velocity", Form::kVector, "[0, 0, 0]", "m/s", "of its centre of mass", {}},
           {"angular_velocity", Form::kVector, "[0, 0, 0]", "rad/s", "", {}}}};
  return schema;
}

}  // namespace

const SectionSchema& contact_section() {
  static const SectionSchema schema{
      "[contact]",
      "Lets bodies touch obstacles. Scenes without this table have no contact. docs/guide/contact.md tells "
      "how "
      "to tune it.",
      Keys{{"friction", Form::kNumber, "0.5", "",
            "Coulomb's coefficient of bodies and obstacles that have none of their own; of a pair: the "
            "geometric "
            "mean of both",
            kFriction},
           {"restitution", Form::kNumber, "0.0", "",
            "how stiff bodies bounce off: 0 not, 1 fully; soft ones bounce by their own elasticity", kUnit},
           {"self", Form::kFlag, "false", "", "bodies touch themselves: not in this version", {}},
           {"flexibility",
            Form::kFlag,
            "false",
            "",
            "contacts dent the surface of a reduced body beyond its subspace, as in its finite elements at "
            "rest: "
            "without it small obstacles press several times too hard",
            {}},
           choice("method", {"penalty", "gauss-seidel", "barrier"}, "\"penalty\"",
                  "in this version \"penalty\" only"),
           section("pair", Form::kSections, pair_section(), "", "pairs that touch otherwise")}};
  return schema;
}

const SectionSchema& obstacle_section() {
  static const SectionSchema schema{
      "[[obstacle]]",
      "A rigid solid that bodies touch, if there is a `[contact]`. Its axis is z, its centre at `position` "
      "(funnel: the upper end of its neck).",
      Keys{required({"name", Form::kText, "", "", "unique among the obstacles and bodies", {}}),
           required(
               choice("shape", {"plane", "sphere", "capsule", "box", "cylinder", "funnel", "mesh"}, "",
                      "plane (normal), sphere (radius), capsule and cylinder (radius, length), box (size), "
                      "funnel (top, neck, height, length), mesh (file)")),
           {"normal", Form::kVector, "[0, 0, 1]", "", "plane: out of the solid, any length", {}},
           {"radius", Form::kNumber, "", "m", "sphere, capsule, cylinder", kPositive},
           {"length", Form::kNumber, "", "m",
            "capsule: between the centres of its ends; cylinder; funnel: of its neck", kPositive},
           {"size", Form::kVector, "", "m", "box", kPositive},
           {"top", Form::kNumber, "", "m", "funnel: radius of its upper opening", kPositive},
           {"neck", Form::kNumber, "", "m", "funnel: radius of its neck", kPositive},
           {"height", Form::kNumber, "", "m", "funnel: of its cone", kPositive},
           {"file", Form::kText, "", "", "mesh: closed triangle surface; relative to the scene", {}},
           {"position", Form::kVector, "[0, 0, 0]", "m", "", {}},
           {"rotate",
            Form::kVector,
            "[0, 0, 0]",
            "degrees",
            "angles about the x, y and z axes, in this order",
            {}},
           {"friction", Form::kNumber, "", "", "instead of `contact.friction`", kFriction},
           {"density", Form::kNumber, "", "kg/m³",
            "makes it a rigid body that falls, is pushed and pushes back", kPhysical},
           section("initial", Form::kSection, obstacle_initial_section(), "", "with `density`: the start"),
           section("motion", Form::kSections, obstacle_motion_section(), "", "how it moves")}};
  return schema;
}

const SectionSchema& body_contact_section() {
  static const SectionSchema schema{
      "body.contact", "How a body touches obstacles.",
      Keys{{"enabled", Form::kFlag, "true", "", "false: it touches nothing", {}},
           {"friction", Form::kNumber, "", "", "instead of `contact.friction`", kFriction},
           {"self", Form::kFlag, "", "", "the body touches itself: not in this version", {}}}};
  return schema;
}

}  // namespace pliant::schema_parts
