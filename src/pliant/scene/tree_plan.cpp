#include "pliant/scene/tree_plan.hpp"

#include "pliant/mesh/domain_submesh.hpp"

namespace pliant {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

MaterialMap materials_of(const MaterialMap& whole, const std::vector<Index>& elements) {
  MaterialMap part{whole.materials, {}};
  if (whole.of_element.empty()) return part;
  part.of_element.reserve(elements.size());
  for (const Index e : elements) part.of_element.push_back(whole.of_element[at(e)]);
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

TreePlan make_tree_plan(const Decomposition& cut, const BodyText& body, const ElasticBody& elastic,
                        std::span<const VertexId> held) {
  const std::vector<SubMesh> parts = extract_domains(elastic.mesh(), cut.map);
  const std::vector<Index> modes = modes_of_domains(cut, body);
  std::vector<Index> number(parts.size());  // of each domain in the plan
  for (std::size_t i = 0; i < cut.tree.order.size(); ++i)
    number[at(cut.tree.order[i])] = static_cast<Index>(i);
  TreePlan plan;
  plan.mesh = elastic.mesh();
  for (const Index d : cut.tree.order) {
    const SubMesh& part = parts[at(d)];
    const Index parent = cut.tree.parent[at(d)];
    ClassPlan own{cut.map.names[at(d)], nullptr, {}, {}, body.tree.linear_modes, modes[at(d)]};
    own.elastic =
        std::make_shared<const ElasticBody>(part.mesh, materials_of(elastic.materials(), part.elements));
    TreeDomain domain;
    domain.name = own.name;
    domain.class_index = static_cast<Index>(plan.classes.size());
    domain.vertices = part.vertices;
    domain.elements = part.elements;
    if (parent >= 0) {
      const DomainInterface& interface = cut.graph.interfaces[at(cut.tree.interface[at(d)])];
      domain.parent = number[at(parent)];
      domain.joint = joint_on(parts[at(parent)], interface);
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
