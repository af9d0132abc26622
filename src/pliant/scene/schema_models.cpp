// What a scene may say about models and their domains.
#include "pliant/scene/schema_parts.hpp"

namespace pliant {
namespace schema_parts {
namespace {

const SectionSchema& domains_section() {
  static const SectionSchema schema{
      "body.model.domains", "Domains without `[[body.domain]]`.",
      Keys{choice("from", {"labels"}, "", "the mesh file's labels"),
           {"auto", Form::kInteger, "", "", "so many, cut automatically", kCount}}};
  return schema;
}

const SectionSchema& patch_section() {
  static const SectionSchema schema{
      "[[body.model.patch]]",
      "A part of the surface through which forces come in: its responses to unit forces and moments, six "
      "shapes, join "
      "the basis on top of `modes`.",
      Keys{{"name", Form::kText, "\"patch\"", "", "for messages", {}},
           {"where", Form::kText, "", "", "selection of vertices", {}},
           {"vertices", Form::kIntegers, "", "", "vertex numbers instead, from 0", kVertexNumber}}};
  return schema;
}

const SectionSchema& train_section() {
  static const SectionSchema schema{
      "body.model.train",
      "How a trained basis is made: the full model is loaded by gravity in several directions, along its "
      "natural modes and by the scene's own loads.",
      Keys{{"directions", Form::kInteger, "26", "",
            "of gravity: 6 axes of the scene, then 8 corners and 12 edges of a cube", Bounds{0.0, 26.0}},
           {"modes", Form::kInteger, "", "", "natural modes along which the body is loaded (1 + modes/4)",
            kCount},
           {"amplitude", Form::kNumber, "", "",
            "of the first of them, relative to the size of the body (0.1 to 0.57, by its sag)",
            Bounds{0.0, 10.0, true, false}},
           {"error", Form::kNumber, "", "",
            "modal: as few shapes as give this expected error, at most `modes`",
            Bounds{0.0, 1.0, true, false}},
           {"seconds", Form::kNumber, "0", "s", "of a run of the full model, whose shapes are added",
            Bounds{0.0, 1e6}}}};
  return schema;
}

const SectionSchema& cubature_section() {
  static const SectionSchema schema{
      "body.model.cubature",
      "Elastic forces of modal and coupled bodies from few weighted integration points, for every law. "
      "Without "
      "it, laws with a polynomial (stvk, linear) use that, and `modal` and the domains of `coupled` use such "
      "points for all others.",
      Keys{choice(
               "interior", {"auto", "polynomial", "cubature"}, "\"auto\"",
               "of the body, or within each domain: the faster of both that meets `error` (auto), or one of "
               "them"),
           choice("interface", {"none", "uniform", "nonuniform"}, "\"none\"",
                  "coupled: which elements between domains are evaluated: all (none), or few, with one "
                  "weight each, "
                  "which keeps momenta (uniform), or, for comparison, with a weight for each kind of force, "
                  "which does not keep the angular momentum (nonuniform)"),
           {"error", Form::kNumber, "0.02", "",
            "of the forces, relative, in the norm of the work that they do; on poses fitted and on others",
            Bounds{0.0, 1.0, true, false}},
           {"points", Form::kInteger, "", "", "so many at most, per body, domain or interface", kCount},
           {"seed", Form::kInteger, "1", "", "of the random loads under which the points are chosen",
            Bounds{0.0, 1e9}},
           choice("poses", {"reduced", "full"}, "\"reduced\"",
                  "modal: shapes under those loads are those of the reduced model, or of the full one")}};
  return schema;
}

Keys modal_keys() {
  return {
      {"linear_modes", Form::kInteger, "", "",
       "natural modes that the basis starts from (10; tree: 4; coupled: 1 for `patch`, 4 for `attachment`)",
       kCount},
      {"modes", Form::kInteger, "", "",
       "shapes of the basis at most (20); tree, coupled (30): of each domain, 0: rigid; blended (0): natural "
       "modes "
       "beside the domains",
       Bounds{0.0, 10000.0}},
      {"energy", Form::kNumber, "", "",
       "modal: as few shapes as hold this share of the energy, at most `modes`",
       Bounds{0.0, 1.0, true, false}},
      {"derivatives", Form::kFlag, "", "", "modal derivatives beside the modes (true)"},
      {"modes_used", Form::kInteger, "", "", "modal: the first so many shapes only; nothing is built anew",
       kCount},
      {"shapes", Form::kTexts, "", "",
       "modal: basis from these displacements, files or folders of files in the format of `--final`"},
      {"sketch", Form::kText, "", "", "modal: basis from a file of pulls; see `pliant sketch`"},
      {"separation", Form::kNumber, "", "",
       "with `sketch`: pulls and shapes nearer than this part of the largest are left out (0.05)",
       Bounds{0.0, 1.0}},
      choice("basis", {"modes", "trained", "patch", "attachment"}, "",
             "modal: from natural modes and modal derivatives (modes), or from static shapes of the full "
             "model (trained); coupled: of a domain with what surrounds it (patch, the default), of it "
             "alone (modes), or also its responses at interfaces (attachment)"),
      section("train", Form::kSection, train_section(), "", "modal, tree: how trained bases are made"),
      choice("forces", {"polynomial", "exact"}, "",
             "modal: `exact` loops over all elements: slow, for every law, without error"),
      choice("storage", {"double", "float"}, "", "modal: of the polynomial's coefficients"),
      section("cubature", Form::kSection, cubature_section(), "",
              "modal, coupled, blended: forces from few integration points"),
      section("patch", Form::kSections, patch_section(), "", "attachment shapes")};
}

Keys tree_keys() {
  return {
      {"modes_total", Form::kInteger, "", "", "tree: over all domains, instead of `modes`", Bounds{1.0, 1e6}},
      choice("distribution", {"proportional", "log"}, "",
             "tree: of `modes_total`, by the elements of the domains (proportional) or their logarithms"),
      choice("attachment", {"auto"}, "",
             "tree: shapes that answer to a child's pull: six per child, none, or for heavy children (auto)",
             Form::kFlagOrChoice),
      {"attachment_max", Form::kInteger, "", "", "tree: of such shapes per domain, with `auto` (12)",
       Bounds{0.0, 10000.0}},
      choice("inertia", {"L1", "L2", "L3"}, "",
             "tree: of subtrees: lumped in the joint, in their centre, or exact (L3)"),
      choice(
          "blend", {"none", "c0", "c1"}, "",
          "tree: how drawn surfaces of domains meet: with gaps, without (c0), without creases either (c1)"),
      {"rings", Form::kInteger, "", "",
       "coupled: rings of elements around a domain that its basis sees (by the width of its interfaces)",
       Bounds{1.0, 100.0}},
      choice("scheme", {"newton", "one-step", "two-step"}, "",
             "coupled: how a step is solved: by Newton's method, or by one linear solve for all unknowns, or "
             "for "
             "frames and then for coordinates (the published ones, for comparison)"),
      {"invertible_coupling", Form::kFlag, "", "",
       "coupled: the elements between domains resist inversion (laws stvk and neohookean), whatever "
       "`material.invertible` says: for bodies that people pull about (false)"},
      {"springs", Form::kNumber, "", "N/m",
       "coupled: springs of this stiffness along their edges take the place of the elements between domains, "
       "for comparison",
       kPositive},
      section("domains", Form::kSection, domains_section(), "",
              "where the domains come from, when not from `[[body.domain]]` (4 automatic ones)"),
      {"merge_cycles", Form::kFlag, "", "", "tree: domains that form a ring become one (false)"},
      {"root", Form::kText, "", "",
       "tree: name of the root domain (the held one, else the one that makes the tree shallowest)"}};
}

Keys blended_keys() {
  return {
      {"seeds", Form::kVectors, "", "m",
       "blended: places about which domains lie, instead of `domains`; each takes the nearest vertex"},
      choice("coordinates", {"quadratic", "affine", "rigid"}, "",
             "blended: of each domain, 30 (quadratic), 12 or 6; one for all, or one per seed",
             Form::kChoices),
      choice("weights",
             {"auto", "principal", "biharmonic", "harmonic", "rbf", "mean-value", "pinned",
              "bounded-biharmonic"},
             "",
             "blended: how domains fade into one another; auto: `principal` for held bodies, "
             "`biharmonic` for others; the rest is for comparison"),
      {"direction", Form::kVector, "", "",
       "blended: along which principal weights are solved for, instead of the most deformable direction of "
       "each domain; for comparison"},
      choice("gradients", {"nodal", "smooth"}, "",
             "blended: of the finite elements, as `full` has them (nodal), or of the blended functions "
             "themselves, which do not lock like linear tets (smooth)"),
      {"poses", Form::kTexts, "", "",
       "blended: files of `--final` or `--snapshots` with shapes that the body should be able to take"},
      choice("poses_as", {"vectors", "emwe"}, "",
             "blended: one coordinate per pose (vectors), or weights of the quadratic coordinates fitted "
             "to them (emwe)"),
      choice("integration", {"exact", "cubature"}, "",
             "blended: over all elements (exact), or over few that stand for them")};
}

}  // namespace

const SectionSchema& model_section() {
  static const SectionSchema schema = [] {
    SectionSchema model{
        "body.model", "How the body is simulated. Keys other than `type` belong to reduced models.",
        Keys{choice(
            "type", {"full", "modal", "tree", "coupled", "blended"}, "\"full\"",
            "`full`: every vertex moves on its own; `modal`: one subspace for the whole body; "
            "`tree`: domains that turn against one another, each with a subspace; `coupled`: such domains "
            "of vertices, which may form rings; `blended`: overlapping domains, each a quadratic "
            "polynomial")}};
    for (KeySchema& key : modal_keys()) model.keys.push_back(std::move(key));
    for (KeySchema& key : tree_keys()) model.keys.push_back(std::move(key));
    for (KeySchema& key : blended_keys()) model.keys.push_back(std::move(key));
    return model;
  }();
  return schema;
}

const SectionSchema& domain_damping_section() {
  static const SectionSchema schema{
      "body.domain.damping", "Rayleigh damping of one domain; what is not named is the scene's.",
      Keys{{"mass", Form::kNumber, "", "1/s", "share of the mass matrix", kNotNegative},
           {"stiffness", Form::kNumber, "", "s", "share of the stiffness", kNotNegative}}};
  return schema;
}

const SectionSchema& look_section() {
  static const SectionSchema schema{
      "look",
      "How something is drawn, on the page and by `pliant render`; of a body, a region, a class or a domain. "
      "What a region, a class or a domain does not name is as for the body; domains win over regions.",
      Keys{{"color", Form::kText, "", "", "\"#rrggbb\"; without any, the page chooses", {}},
           {"roughness", Form::kNumber, "", "", "0: a mirror, 1: chalk", Bounds{0.0, 1.0}}}};
  return schema;
}

const SectionSchema& domain_section() {
  static const SectionSchema schema{
      "[[body.domain]]",
      "A domain of `tree` and `coupled` models. Beside `model.domains` it has no `where` and sets the values "
      "of the domain of that name.",
      Keys{required({"name", Form::kText, "", "", "its name", {}}),
           {"where",
            Form::kText,
            "",
            "",
            "selection of elements by centroid, for `coupled` of vertices; the first match wins",
            {}},
           {"modes", Form::kInteger, "", "", "overrides the model's; 0: rigid", Bounds{0.0, 10000.0}},
           {"full", Form::kFlag, "", "", "coupled: every vertex moves on its own (false); may be cut", {}},
           {"frequency_scale", Form::kNumber, "", "", "of its own vibrations (1)", kPositive},
           section("damping", Form::kSection, domain_damping_section(), "", "instead of the scene's"),
           section("look", Form::kSection, look_section(), "", "how it is drawn")}};
  return schema;
}

}  // namespace schema_parts

const std::vector<std::string_view>& known_models() {
  static const std::vector<std::string_view> names{"full", "modal", "tree", "coupled", "blended"};
  return names;
}

const std::vector<std::string_view>& available_models() {
  static const std::vector<std::string_view> names{"full", "modal", "tree", "coupled", "blended"};
  return names;
}

}  // namespace pliant
