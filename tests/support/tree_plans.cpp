#include "support/tree_plans.hpp"

#include "pliant/mesh/core/boundary.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace pliant::test {
namespace {

/// Keeps the elements of one domain and the vertices that they use; fills `domain`.
VolumeMesh extract(const VolumeMesh& mesh, const std::vector<Index>& of_element, Index number,
                   TreeDomain& domain) {
  VolumeMesh part;
  std::vector<VertexId> place(mesh.vertices.size(), -1);
  const auto take = [&](const auto& elements, const auto& labels, auto& kept, auto& kept_labels,
                        Index first) {
    for (std::size_t e = 0; e < elements.size(); ++e) {
      if (of_element[to_size(first) + e] != number) continue;
      kept.push_back(elements[e]);
      kept_labels.push_back(labels[e]);
      domain.elements.push_back(first + static_cast<Index>(e));
      for (const VertexId v : elements[e]) place[to_size(v)] = 0;
    }
  };
  take(mesh.tets, mesh.tet_labels, part.tets, part.tet_labels, 0);
  take(mesh.hexes, mesh.hex_labels, part.hexes, part.hex_labels, std::ssize(mesh.tets));
  for (std::size_t v = 0; v < place.size(); ++v) {
    if (place[v] < 0) continue;
    place[v] = static_cast<VertexId>(domain.vertices.size());
    domain.vertices.push_back(static_cast<VertexId>(v));
    part.vertices.push_back(mesh.vertices[v]);
  }
  for (Tet& tet : part.tets)
    for (VertexId& v : tet) v = place[to_size(v)];
  for (Hex& hex : part.hexes)
    for (VertexId& v : hex) v = place[to_size(v)];
  return part;
}

double face_area(const VolumeMesh& mesh, const BoundaryFace& face) {
  const auto x = [&](std::size_t i) { return mesh.vertices[to_size(face.vertices[i])]; };
  const double first = 0.5 * (x(1) - x(0)).cross(x(2) - x(0)).norm();
  return face.size() == 3 ? first : first + 0.5 * (x(2) - x(0)).cross(x(3) - x(0)).norm();
}

/// Shares of the area around each vertex of the base; they sum to 1.
std::vector<double> area_weights(const VolumeMesh& part, const std::vector<VertexId>& base) {
  std::vector<double> of_vertex(part.vertices.size(), 0.0);
  const std::set<VertexId> in_base(base.begin(), base.end());
  for (const BoundaryFace& face : boundary_faces(part)) {
    const auto corners = std::span(face.vertices).first(to_size(face.size()));
    if (!std::all_of(corners.begin(), corners.end(), [&](VertexId v) { return in_base.contains(v); }))
      continue;
    for (const VertexId v : corners)
      of_vertex[to_size(v)] += face_area(part, face) / static_cast<double>(face.size());
  }
  std::vector<double> weights;
  weights.reserve(base.size());
  for (const VertexId v : base) weights.push_back(of_vertex[to_size(v)]);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& w : weights) w /= sum;
  return weights;
}

/// The base of `child` as vertices of its own, and the joint as vertices of its parent.
void join(const TreeDomain& parent, const VolumeMesh& part, TreeDomain& child, ClassPlan& plan) {
  for (std::size_t v = 0; v < child.vertices.size(); ++v) {
    const auto at = std::lower_bound(parent.vertices.begin(), parent.vertices.end(), child.vertices[v]);
    if (at == parent.vertices.end() || *at != child.vertices[v]) continue;
    plan.held.push_back(static_cast<VertexId>(v));
    child.joint.points.columns.push_back(static_cast<VertexId>(at - parent.vertices.begin()));
    child.joint.points.weights.push_back(1.0);
    child.joint.points.starts.push_back(std::ssize(child.joint.points.columns));
  }
  plan.weights = area_weights(part, plan.held);
  child.joint.weights = plan.weights;
}

}  // namespace

TreePlan plan_of_parts(const VolumeMesh& mesh, const std::vector<Index>& of_element,
                       const std::vector<Index>& parents, const PlanSettings& settings) {
  TreePlan plan;
  plan.mesh = mesh;
  plan.domains.resize(parents.size());
  plan.classes.resize(parents.size());
  for (std::size_t d = 0; d < parents.size(); ++d) {
    TreeDomain& domain = plan.domains[d];
    ClassPlan& part = plan.classes[d];
    part.name = domain.name = "part" + std::to_string(d);
    part.linear_modes = settings.linear_modes;
    part.modes = settings.modes;
    domain.class_index = static_cast<Index>(d);
    domain.parent = parents[d];
    const VolumeMesh own = extract(mesh, of_element, domain.class_index, domain);
    if (domain.parent >= 0) join(plan.domains[to_size(domain.parent)], own, domain, part);
    for (std::size_t v = 0; d == 0 && settings.held && v < own.vertices.size(); ++v)
      if (settings.held(own.vertices[v])) part.held.push_back(static_cast<VertexId>(v));
    part.elastic = std::make_shared<ElasticBody>(own, MaterialMap{{settings.material}, {}});
  }
  return plan;
}

TreePlan cut_beam(const std::array<Index, 3>& cells, const Vector3& size, Index domains,
                  const Material& material, Index linear_modes, Index modes, bool held_at_x0,
                  ElementKind kind) {
  const VolumeMesh mesh = generate_box(size, cells, kind);
  const Index per_cell = kind == ElementKind::kTet ? 6 : 1;
  std::vector<Index> of_element;
  of_element.reserve(to_size(mesh.element_count()));
  for (Index e = 0; e < mesh.element_count(); ++e)
    of_element.push_back((e / per_cell) % cells[0] * domains / cells[0]);
  std::vector<Index> parents(to_size(domains));
  std::iota(parents.begin(), parents.end(), -1);
  PlanSettings settings{material, linear_modes, modes, {}};
  const double near = 1e-9 * size.x();
  if (held_at_x0) settings.held = [near](const Vector3& x) { return x.x() < near; };
  return plan_of_parts(mesh, of_element, parents, settings);
}

TreePlan cut_t(const Material& material, Index linear_modes, Index modes) {
  constexpr Index kBelow = 10;  // cells of the lower arm
  const std::array<Index, 3> cells{16, kBelow + 4 + 7, 3};
  const Vector3 cell(1.0 / 24.0, 0.05, 0.1 / 3.0);
  const VolumeMesh box = generate_box({16 * cell.x(), 21 * cell.y(), 0.1}, cells, ElementKind::kTet);
  VolumeMesh mesh;
  mesh.vertices = box.vertices;
  for (Vector3& x : mesh.vertices) x.y() -= static_cast<double>(kBelow) * cell.y();
  std::vector<Index> of_element;
  for (std::size_t e = 0; e < box.tets.size(); ++e) {
    const auto number = static_cast<Index>(e) / 6;
    const Index i = number % cells[0], j = number / cells[0] % cells[1] - kBelow;
    const Index part = j < 0 ? 1 : (j < 4 ? 0 : 2);
    if (part != 0 && i < 12) continue;
    mesh.tets.push_back(box.tets[e]);
    mesh.tet_labels.push_back(0);
    of_element.push_back(part);
  }
  TreeDomain used;  // drop the vertices of no element
  mesh = extract(mesh, std::vector<Index>(mesh.tets.size(), 0), 0, used);
  return plan_of_parts(mesh, of_element, {-1, 0, 0},
                       {material, linear_modes, modes, [](const Vector3& x) { return x.x() < 1e-9; }});
}

}  // namespace pliant::test
