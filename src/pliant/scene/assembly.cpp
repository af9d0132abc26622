#include "pliant/scene/assembly.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/file/instances_file.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/domains/domain_submesh.hpp"
#include "pliant/mesh/generate/generate_assembly.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/scene/load_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

constexpr double kCrumbs = 0.05;  // share of a class's elements; a larger loose piece is intended

void append(Diagnostics& list, const Diagnostics& more) { list.insert(list.end(), more.begin(), more.end()); }

Result<Assembly> make_generated(const GenerateText& text) {
  AssemblySpec spec;
  spec.shape = text.shape;
  for (const Member& member : text.table.members) {
    if (member.name != "shape") spec.parameters[member.name] = {member.value.number};
  }
  Result<Assembly> made = generate_assembly(spec);
  if (!made) return in_table(made.errors(), text);
  return made;
}

/// Drops loose elements that a mesher leaves where a part is thinner than its cells, such as the tip of a
/// thorn. Nothing would hold them.
void drop_crumbs(const ClassText& text, VolumeMesh& mesh, Diagnostics& notes) {
  std::vector<Index> kept = largest_component(mesh);
  const auto all = static_cast<double>(mesh.element_count());
  const double lost = (all - static_cast<double>(kept.size())) / all;
  if (!(lost > 0.0 && lost <= kCrumbs)) return;
  mesh = extract_elements(mesh, std::move(kept)).mesh;
  notes.push_back(
      {ErrorCode::kDegenerate, text.shape.where,
       fmt::format("class \"{}\": left out crumbs of {:.2g} % of its elements", text.shape.name, 100 * lost),
       "a higher mesher.resolution keeps more of thin parts"});
}

/// Loads a class that the scene describes by its own mesh.
Result<AssemblyClass> load_class(const SceneDescription& scene, const ClassText& text, Diagnostics& notes,
                                 Progress& progress) {
  Result<BodyShape> shape = load_shape(scene, text.shape, progress);
  if (!shape) return shape.errors();
  BodyShape& loaded = shape.value();
  append(notes, loaded.notes);
  AssemblyClass part;
  part.name = text.shape.name;
  part.mesh = std::move(loaded.mesh);
  drop_crumbs(text, part.mesh, notes);
  if (loaded.surface) part.surface = std::move(*loaded.surface);
  if (text.base) {
    Diagnostics problems;
    part.base = selected_vertices(*text.base, part.mesh, problems);
    if (!problems.empty()) return problems;
  }
  return part;
}

Status add_classes(const SceneDescription& scene, const AssemblyText& text, AssemblyShape& shape,
                   Progress& progress) {
  Diagnostics problems;
  for (const ClassText& part : text.classes) {
    if (!part.has_mesh) continue;
    Result<AssemblyClass> loaded = load_class(scene, part, shape.notes, progress);
    if (loaded)
      shape.assembly.classes.push_back(std::move(loaded).value());
    else
      append(problems, loaded.errors());
  }
  shape.settings.assign(shape.assembly.classes.size(), -1);
  for (std::size_t t = 0; t < text.classes.size(); ++t) {
    const std::string& name = text.classes[t].shape.name;
    const auto found = std::find_if(shape.assembly.classes.begin(), shape.assembly.classes.end(),
                                    [&](const AssemblyClass& part) { return part.name == name; });
    if (found != shape.assembly.classes.end()) {
      shape.settings[to_size(found - shape.assembly.classes.begin())] = static_cast<Index>(t);
      continue;
    }
    if (text.classes[t].has_mesh) continue;  // its mesh could not be loaded, which has been reported
    std::string known;
    for (const AssemblyClass& part : shape.assembly.classes) known += (known.empty() ? "" : ", ") + part.name;
    problems.push_back({ErrorCode::kNotFound, text.classes[t].shape.name_where,
                        "there is no class \"" + name + "\"", "there are: " + known});
  }
  if (!problems.empty()) return problems;
  return Done{};
}

Status add_instances(const SceneDescription& scene, const AssemblyText& text, Assembly& assembly) {
  assembly.instances.insert(assembly.instances.end(), text.instances.begin(), text.instances.end());
  if (!text.instances_file) return Done{};
  const std::filesystem::path path = scene.resolve(*text.instances_file);
  const Result<std::string> bytes = read_file(path);
  if (!bytes)
    return Diagnostic{bytes.error().code, text.instances_where, path.string() + ": " + bytes.error().what,
                      bytes.error().remedy};
  Result<std::vector<AssemblyInstance>> rows = read_instances(bytes.value(), path.string());
  if (!rows) return rows.errors();
  assembly.instances.insert(assembly.instances.end(), rows.value().begin(), rows.value().end());
  return Done{};
}

/// Applies the body's transform after the placement of each instance.
void place_all(const TransformText& transform, Assembly& assembly) {
  const Placement outer = placement(transform);
  for (AssemblyInstance& instance : assembly.instances) {
    Placement& inner = instance.placement;
    inner = {outer.rotation * inner.rotation, outer.place(inner.translation), outer.scale * inner.scale};
  }
}

/// Locates problems of a class where the class was typed, and the others at the body.
Diagnostics in_scene(Diagnostics list, const BodyText& text) {
  for (Diagnostic& problem : list) {
    if (problem.where.line > 0) continue;
    const std::string key = problem.where.key;
    problem.where = text.where;
    for (const ClassText& part : text.assembly.classes)
      if (key == "class " + part.shape.name) problem.where = part.base ? part.base->where : part.shape.where;
    problem.where.key += (key.empty() ? "" : ", ") + key;
  }
  return list;
}

const ClassText* settings_of(const AssemblyShape& shape, const BodyText& text, Index class_index) {
  const Index place = shape.settings[to_size(class_index)];
  return place < 0 ? nullptr : &text.assembly.classes[to_size(place)];
}

/// The body's own material and those of its classes. Every class lists all materials, although its elements
/// use one. So a part may be replaced by one of another class, and events can name materials by number.
struct ClassMaterials {
  std::vector<Material> all;
  std::vector<Index> of_class;
};

ClassMaterials class_materials(const AssemblyShape& shape, const BodyText& text) {
  ClassMaterials materials{{text.material}, std::vector<Index>(shape.assembly.classes.size(), 0)};
  for (std::size_t c = 0; c < materials.of_class.size(); ++c) {
    const ClassText* settings = settings_of(shape, text, static_cast<Index>(c));
    if (settings == nullptr || !settings->material) continue;
    materials.of_class[c] = std::ssize(materials.all);
    materials.all.push_back(*settings->material);
  }
  return materials;
}

ClassPlan class_plan(const AssemblyShape& shape, const BodyText& text, const ClassMaterials& materials,
                     Index class_index) {
  const AssemblyClass& part = shape.assembly.classes[to_size(class_index)];
  const ClassText* settings = settings_of(shape, text, class_index);
  ClassPlan plan;
  plan.name = part.name;
  plan.linear_modes = text.tree.linear_modes;
  plan.modes = text.tree.modes;
  if (settings != nullptr) {
    plan.linear_modes = settings->linear_modes.value_or(plan.linear_modes);
    plan.modes = settings->modes.value_or(plan.modes);
  }
  MaterialMap map{materials.all, {}};
  map.of_element.assign(to_size(part.mesh.element_count()), materials.of_class[to_size(class_index)]);
  plan.elastic = std::make_shared<const ElasticBody>(part.mesh, std::move(map));
  plan.held = part.base;
  plan.weights = shape.body.base_weights[to_size(class_index)];
  return plan;
}

/// The vertices that supports hold, numbered in the root's class.
Result<std::vector<VertexId>> held_of_root(const AssemblyShape& shape, const BodyText& text,
                                           std::span<const VertexId> held) {
  const AssembledDomain& root = shape.body.domains.front();
  const auto count = static_cast<VertexId>(root.vertices.size());
  std::vector<VertexId> own;
  for (const VertexId v : held) {
    if (v >= count) {
      Label label = 0;
      for (std::size_t d = 0; d < shape.body.domains.size() && label == 0; ++d)
        if (v >= shape.body.domains[d].vertices.front() && v <= shape.body.domains[d].vertices.back())
          label = static_cast<Label>(d + 1);
      return Diagnostic{
          ErrorCode::kInconsistent, text.where,
          "a support holds \"" + shape.body.mesh.region_names.at(label) + "\", which hangs on another part",
          "only the root \"" + shape.body.mesh.region_names.at(1) + "\" can be held or moved"};
    }
    own.push_back(v);
  }
  return own;
}

/// Refuses settings that only decomposed bodies have.
Diagnostics check_settings(const BodyText& text) {
  Diagnostics problems;
  const auto refuse = [&](const Location& where, std::string what, std::string remedy) {
    problems.push_back({ErrorCode::kUnsupported, where, std::move(what), std::move(remedy)});
  };
  if (text.tree.modes_total)
    refuse(text.model_where, "modes_total cannot be shared out over classes", "give each class its modes");
  if (text.tree.labels || text.model.has("domains"))
    refuse(text.tree.domains_where, "the domains of an assembly are its instances", "leave it out");
  if (text.tree.root)
    refuse(text.tree.root_where, "the root of an assembly is the instance without parent", "leave it out");
  for (const RegionText& region : text.regions)
    refuse(region.elements.where, "a class has one material", "give [[body.class]] a material instead");
  return problems;
}

}  // namespace

Result<AssemblyShape> load_assembly(const SceneDescription& scene, const BodyText& text, Progress& progress) {
  AssemblyShape shape;
  if (text.assembly.generated) {
    Result<Assembly> made = make_generated(*text.assembly.generated);
    if (!made) return made.errors();
    shape.assembly = std::move(made).value();
  }
  Diagnostics problems;
  if (const Status added = add_classes(scene, text.assembly, shape, progress); !added)
    append(problems, added.errors());
  if (const Status added = add_instances(scene, text.assembly, shape.assembly); !added)
    append(problems, added.errors());
  if (!problems.empty()) return problems;
  place_all(text.transform, shape.assembly);
  Result<AssembledBody> body = assemble(shape.assembly, progress);
  if (!body) return in_scene(body.errors(), text);
  shape.body = std::move(body).value();
  return shape;
}

void use_class_materials(const AssemblyShape& shape, const BodyText& text, const VolumeMesh& mesh,
                         MaterialMap& materials) {
  const ClassMaterials own = class_materials(shape, text);
  const auto known = std::ssize(materials.materials) - 1;  // number of regions; their materials come first
  materials.materials.insert(materials.materials.end(), own.all.begin() + 1, own.all.end());
  if (materials.of_element.empty()) materials.of_element.assign(to_size(mesh.element_count()), 0);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    Index& material = materials.of_element[to_size(e)];
    const auto domain = to_size(mesh.element_label(e) - 1);
    const Index of_class = own.of_class[to_size(shape.body.domains[domain].class_index)];
    if (material == 0 && of_class > 0) material = known + of_class;
  }
}

Result<TreePlan> make_assembly_plan(const AssemblyShape& shape, const BodyText& text,
                                    std::span<const VertexId> held) {
  if (const Diagnostics problems = check_settings(text); !problems.empty()) return problems;
  Result<std::vector<VertexId>> root_held = held_of_root(shape, text, held);
  if (!root_held) return root_held.errors();
  TreePlan plan;
  plan.mesh = shape.body.mesh;
  const ClassMaterials materials = class_materials(shape, text);
  for (std::size_t c = 0; c < shape.assembly.classes.size(); ++c)
    plan.classes.push_back(class_plan(shape, text, materials, static_cast<Index>(c)));
  const Index root_class = shape.body.domains.front().class_index;
  const bool shared =
      std::any_of(shape.body.domains.begin() + 1, shape.body.domains.end(),
                  [&](const AssembledDomain& domain) { return domain.class_index == root_class; });
  if (shared) {
    plan.classes.push_back(plan.classes[to_size(root_class)]);
    plan.classes.back().name += " (root)";
  }
  ClassPlan& root = shared ? plan.classes.back() : plan.classes[to_size(root_class)];
  root.held = std::move(root_held).value();
  root.weights.clear();
  for (const AssembledDomain& assembled : shape.body.domains) {
    const AssemblyInstance& instance = shape.assembly.instances[to_size(assembled.instance)];
    TreeDomain domain;
    domain.name = instance.name;
    domain.class_index = assembled.class_index;
    domain.parent = assembled.parent;
    domain.rest = instance.placement;
    domain.joint = {assembled.joint, {}};
    if (assembled.parent >= 0) domain.joint.weights = shape.body.base_weights[to_size(assembled.class_index)];
    domain.vertices = assembled.vertices;
    domain.elements = assembled.elements;
    plan.domains.push_back(std::move(domain));
  }
  if (shared) plan.domains.front().class_index = std::ssize(plan.classes) - 1;
  return plan;
}

}  // namespace pliant
