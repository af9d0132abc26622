#include "bench/oak.hpp"

#include "pliant/mesh/generate/generate_assembly.hpp"
#include "pliant/reduce/reduce_tree.hpp"

#include <functional>

namespace pliant::bench {
namespace {

/// What the classes of an assembly are made of, and in how many coordinates.
struct ClassRecipe {
  Material material;
  Index linear_modes, modes;
};

TreePlan plan_of(const Assembly& assembly, const std::function<ClassRecipe(const std::string&)>& recipe) {
  const AssembledBody body = assemble(assembly).value();
  TreePlan plan;
  plan.mesh = body.mesh;
  for (std::size_t c = 0; c < assembly.classes.size(); ++c) {
    const AssemblyClass& part = assembly.classes[c];
    const ClassRecipe made = recipe(part.name);
    plan.classes.push_back({part.name,
                            std::make_shared<const ElasticBody>(part.mesh, MaterialMap{{made.material}, {}}),
                            part.base, body.base_weights[c], made.linear_modes, made.modes});
  }
  for (const AssembledDomain& domain : body.domains) {
    const AssemblyInstance& instance = assembly.instances[to_size(domain.instance)];
    TreeDomain made{instance.name,   domain.class_index, domain.parent, instance.placement, {},
                    domain.vertices, domain.elements};
    if (domain.parent >= 0) made.joint = {domain.joint, body.base_weights[to_size(domain.class_index)]};
    plan.domains.push_back(std::move(made));
  }
  return plan;
}

const Material kWood{Law::kStvk, 2e8, 0.3, 700.0};
const Material kLeaf{Law::kStvk, 5e7, 0.3, 500.0};

ClassRecipe oak_recipe(const std::string& name) {
  return name == "leaf" ? ClassRecipe{kLeaf, 4, 8} : ClassRecipe{kWood, 6, 20};
}

const Assembly& assembly() {
  static const Assembly made = [] {
    OakShape shape;
    shape.surface = 10;
    return generate_oak(shape);
  }();
  return made;
}

}  // namespace

std::shared_ptr<const TreeBody> oak() {
  static const auto body = std::make_shared<const TreeBody>(
      reduce_tree(plan_of(assembly(), oak_recipe), {}, no_progress()).value());
  return body;
}

const CarriedSurface& oak_surface() {
  static const CarriedSurface carried = [] {
    AssembledSurface skin = assembled_surface(assembly(), assemble(assembly()).value()).value();
    return CarriedSurface{std::move(skin.surface), std::move(skin.embedding)};
  }();
  return carried;
}

}  // namespace pliant::bench
