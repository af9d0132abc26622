#include "pliant/model/tree/tree_nodes.hpp"

#include "pliant/model/tree/strips.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

/// Level of each domain.
std::vector<Index> levels_of(const TreeBody& body) {
  std::vector<Index> level(body.domains.size(), 0);
  for (std::size_t d = 0; d < body.domains.size(); ++d)
    if (body.domains[d].parent >= 0) level[d] = level[to_size(body.domains[d].parent)] + 1;
  return level;
}

/// Allocates and clears all that a step writes.
void reserve_node(TreeNode& node, Index parent_r) {
  const Index r = node.r;
  node.jacobian.setZero(padded(parent_r), 6);
  node.inertia = FrameInertia(r);
  node.external.setZero(r);
  node.force.setZero(r);
  node.response.setZero(8, r);
  node.factors.setZero(padded(r), r);
  for (Matrix6* m : {&node.transfer, &node.articulated}) m->setZero();
  for (Vector6* v : {&node.bias, &node.wrench, &node.subtree_wrench, &node.force_rigid, &node.felt,
                     &node.change, &node.articulated_force})
    v->setZero();
}

/// The loads of the whole body split by domain, with vertices numbered within the class.
std::vector<std::vector<Load>> loads_of_domains(const TreeBody& body, const std::vector<Load>& loads) {
  const auto n = to_size(body.mesh.vertex_count());
  std::vector<Index> owner(n, -1);
  std::vector<VertexId> local(n, 0);
  std::vector<Index> domain_of_element(to_size(body.mesh.element_count()), -1);
  for (std::size_t d = body.domains.size(); d-- > 0;) {  // parents last, so that they own shared vertices
    const TreeDomain& domain = body.domains[d];
    for (std::size_t v = 0; v < domain.vertices.size(); ++v) {
      owner[to_size(domain.vertices[v])] = static_cast<Index>(d);
      local[to_size(domain.vertices[v])] = static_cast<VertexId>(v);
    }
    for (const Index e : domain.elements) domain_of_element[to_size(e)] = static_cast<Index>(d);
  }
  std::vector<std::vector<Load>> shares(body.domains.size());
  const auto share_faces = [&](const Load& load, const auto& what) {
    auto without_faces = what;
    without_faces.faces.clear();
    without_faces.faces.shrink_to_fit();
    std::vector<std::vector<BoundaryFace>> faces(body.domains.size());
    for (const BoundaryFace& face : what.faces)
      faces[to_size(domain_of_element[to_size(face.element)])].push_back(face);
    for (std::size_t d = 0; d < faces.size(); ++d) {
      if (faces[d].empty()) continue;
      const std::vector<VertexId>& vertices = body.domains[d].vertices;
      for (BoundaryFace& face : faces[d])
        for_each_vertex(face, [&](VertexId& v) {
          if (owner[to_size(v)] == static_cast<Index>(d))
            v = local[to_size(v)];
          else  // shared with the parent, who is its owner
            v = static_cast<VertexId>(std::find(vertices.begin(), vertices.end(), v) - vertices.begin());
        });
      auto part = without_faces;
      part.faces = std::move(faces[d]);
      shares[d].push_back({load.name, std::move(part), load.table});
    }
  };
  for (const Load& load : loads) {
    if (const auto* pressure = std::get_if<Pressure>(&load.what)) share_faces(load, *pressure);
    if (const auto* wind = std::get_if<Wind>(&load.what)) share_faces(load, *wind);
    const auto* force = std::get_if<VertexForce>(&load.what);
    if (force == nullptr) continue;
    std::vector<VertexForce> parts(body.domains.size(), VertexForce{{}, {}, force->force});
    for (std::size_t i = 0; i < force->vertices.size(); ++i) {
      const auto v = to_size(force->vertices[i]);
      if (owner[v] < 0) continue;
      VertexForce& part = parts[to_size(owner[v])];
      part.vertices.push_back(local[v]);
      part.shares.push_back(force->shares[i]);
    }
    for (std::size_t d = 0; d < parts.size(); ++d)
      if (!parts[d].vertices.empty()) shares[d].push_back({load.name, std::move(parts[d]), load.table});
  }
  return shares;
}

/// Groups contiguous nodes of one class and level.
void add_runs(TreeLayout& layout) {
  for (Index n = 0; n < std::ssize(layout.nodes); ++n) {
    const TreeNode& node = layout.nodes[to_size(n)];
    if (layout.runs.empty() || layout.runs.back().class_index != node.class_index ||
        layout.nodes[to_size(layout.runs.back().begin)].level != node.level)
      layout.runs.push_back({n, n, node.class_index});
    layout.runs.back().end = n + 1;
  }
}

}  // namespace

TreeLayout make_layout(const TreeBody& body, const std::vector<Load>& loads) {
  const std::vector<Index> level = levels_of(body);
  std::vector<Index> order(body.domains.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    const auto key = [&](Index d) {
      return std::pair(level[to_size(d)], body.domains[to_size(d)].class_index);
    };
    return key(a) < key(b);
  });

  TreeLayout layout;
  layout.node_of_domain.resize(order.size());
  for (std::size_t n = 0; n < order.size(); ++n)
    layout.node_of_domain[to_size(order[n])] = static_cast<Index>(n);
  std::vector<std::vector<Load>> shares = loads_of_domains(body, loads);
  LoadPlans plans;
  layout.nodes.resize(order.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    const auto d = to_size(order[n]);
    const TreeDomain& domain = body.domains[d];
    const ReducedBody& reduced = *body.class_of(domain).reduced;
    TreeNode& node = layout.nodes[n];
    node.domain = order[n];
    node.class_index = domain.class_index;
    node.level = level[d];
    node.r = reduced.size();
    node.offset = layout.size;
    layout.size += node.r;
    node.stiffness_offset = layout.stiffness_size;
    layout.stiffness_size += node.r * node.r;
    node.scale = domain.rest.scale;
    node.inertia_factor = std::pow(node.scale, 5);
    node.stiffness_factor = 1.0 / (node.scale * node.scale);
    Index parent_r = 0;
    if (domain.parent >= 0) {
      node.parent = layout.node_of_domain[to_size(domain.parent)];
      TreeNode& parent = layout.nodes[to_size(node.parent)];
      parent.children.push_back(static_cast<Index>(n));
      const TreeDomain& above = body.domains[to_size(domain.parent)];
      const DomainClass& kind = body.class_of(above);
      node.length_ratio = above.rest.scale / node.scale;
      node.inertia_ratio = node.inertia_factor / parent.inertia_factor;
      node.rest_turn = above.rest.rotation.transpose() * domain.rest.rotation;
      node.joint = make_joint_shape(domain.joint, kind.reduced->basis.shapes, kind.rest->mesh().vertices,
                                    kind.reduced->origin);
      parent_r = parent.r;
    }
    reserve_node(node, parent_r);
    node.frame.position = domain.rest.place(reduced.origin);
    node.frame.rotation = domain.rest.rotation;
    if (!shares[d].empty())
      node.loads.emplace(
          plans.plan(std::move(shares[d]), body.class_of(domain).rest->mesh().vertices, reduced));
  }
  for (Index n = 0; n < std::ssize(layout.nodes); ++n)
    if (n == 0 || layout.nodes[to_size(n)].level != layout.nodes[to_size(n) - 1].level)
      layout.levels.push_back(n);
  layout.levels.push_back(std::ssize(layout.nodes));
  add_runs(layout);
  return layout;
}

}  // namespace pliant
