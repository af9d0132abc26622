#include "pliant/build/tree_plan.hpp"

#include "pliant/mesh/domains/domain_submesh.hpp"

namespace pliant {
namespace {

MaterialMap materials_of(const MaterialMap& whole, const std::vector<Index>& elements) {
  MaterialMap part{whole.materials, {}};
  if (whole.of_element.empty()) return part;
  part.of_element.reserve(elements.size());
  for (const Index e : elements) part.of_element.push_back(whole.of_element[to_size(e)]);
  return part;
}

std::vector<VertexId> local(const SubMesh& part, std::span<const VertexId> vertices) {
  std::vector<VertexId> own;
  own.reserve(vertices.size());
  for (const VertexId v : vertices) own.push_back(part.local(v));
  return own;
}

/// The base of a child follows the same vertices of its parent, one by one.
Joint joint_on(const SubMesh& parent, const DomainInterface& interface) {
  Joint joint;
  joint.weights = interface.weights;
  joint.points.columns = local(parent, interface.vertices);
  joint.points.weights.assign(interface.vertices.size(), 1.0);
  for (std::size_t i = 1; i <= interface.vertices.size(); ++i)
    joint.points.starts.push_back(static_cast<Index>(i));
  return joint;
}

}  // namespace

TreePlan make_tree_plan(const Decomposition& cut, const TreeSpec& spec, const ElasticBody& elastic,
                        std::span<const VertexId> held) {
  const std::vector<SubMesh> parts = extract_domains(elastic.mesh(), cut.map);
  const std::vector<Index> modes = modes_of_domains(cut, spec);
  std::vector<Index> number(parts.size());  // of each domain in the plan
  for (std::size_t i = 0; i < cut.tree.order.size(); ++i)
    number[to_size(cut.tree.order[i])] = static_cast<Index>(i);
  TreePlan plan;
  plan.mesh = elastic.mesh();
  for (const Index d : cut.tree.order) {
    const SubMesh& part = parts[to_size(d)];
    const Index parent = cut.tree.parent[to_size(d)];
    ClassPlan own{cut.map.names[to_size(d)], nullptr, {}, {}, spec.linear_modes, modes[to_size(d)]};
    own.elastic =
        std::make_shared<const ElasticBody>(part.mesh, materials_of(elastic.materials(), part.elements));
    TreeDomain domain;
    domain.name = own.name;
    domain.class_index = std::ssize(plan.classes);
    domain.vertices = part.vertices;
    domain.elements = part.elements;
    if (parent >= 0) {
      const DomainInterface& interface = cut.graph.interfaces[to_size(cut.tree.interface[to_size(d)])];
      domain.parent = number[to_size(parent)];
      domain.joint = joint_on(parts[to_size(parent)], interface);
      own.held = local(part, interface.vertices);
      own.weights = interface.weights;
    } else {
      own.held = local(part, held);
    }
    plan.classes.push_back(std::move(own));
    plan.domains.push_back(std::move(domain));
  }
  return plan;
}

}  // namespace pliant
