#include "pliant/model/tree/tree_points.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace pliant {
namespace {

/// The point with carriers numbered in a domain; none unless the domain has all of them.
std::optional<CarriedPoint> in_domain(const CarriedPoint& point, const std::vector<VertexId>& vertices) {
  CarriedPoint own{point.rest, {}};
  for (const auto& [vertex, weight] : point.carriers) {
    const auto found = std::find(vertices.begin(), vertices.end(), vertex);
    if (found == vertices.end()) return std::nullopt;
    own.carriers.emplace_back(static_cast<VertexId>(found - vertices.begin()), weight);
  }
  return own;
}

}  // namespace

Result<std::vector<TreePoints::Place>> TreePoints::find(const std::vector<CarriedPoint>& points,
                                                        const TreeBody& body) {
  std::vector<Place> places;
  for (const CarriedPoint& point : points) {
    std::optional<CarriedPoint> own;
    std::size_t d = 0;
    while (d < body.domains.size() && !(own = in_domain(point, body.domains[d].vertices))) ++d;
    if (!own)
      return Diagnostic{ErrorCode::kUnsupported,
                        {},
                        "a point is carried by vertices that no domain has together",
                        "take a point of one element"};
    places.push_back({static_cast<Index>(d), std::move(*own)});
  }
  return places;
}

void TreePoints::set(const std::vector<Place>& places, const TreeBody& body, TreeLayout& layout) {
  for (const Index n : nodes_) layout.nodes[to_size(n)].points.reset();
  nodes_.clear();
  size_ = places.size();
  places_.resize(size_);
  velocities_.resize(size_);
  std::map<Index, std::vector<std::size_t>> of_domain;
  for (std::size_t i = 0; i < places.size(); ++i) of_domain[places[i].domain].push_back(i);
  for (const auto& [domain, numbers] : of_domain) {
    const DomainClass& kind = body.class_of(body.domains[to_size(domain)]);
    std::vector<CarriedPoint> own;
    for (const std::size_t i : numbers) own.push_back(places[i].point);
    const Index n = layout.node_of_domain[to_size(domain)];
    layout.nodes[to_size(n)].points = std::make_unique<TreeNode::Points>(TreeNode::Points{
        PointRows(own, kind.rest->mesh().vertices, *kind.reduced), numbers,
        std::vector<Vector3>(own.size(), Vector3::Zero()), std::vector<Vector3>(own.size(), Vector3::Zero()),
        std::vector<Matrix3>(own.size(), Matrix3::Zero())});
    nodes_.push_back(n);
  }
}

void TreePoints::place(const TreeLayout& layout, const VectorX& q, const VectorX& qd,
                       std::span<Vector3> places, std::span<Vector3> velocities) {
  for (const Index n : nodes_) {
    const TreeNode& node = layout.nodes[to_size(n)];
    node.points->rows.place(scaled_frame(node), segment_of(q, node), segment_of(qd, node), places_,
                            velocities_);
    for (std::size_t i = 0; i < node.points->numbers.size(); ++i) {
      places[node.points->numbers[i]] = places_[i];
      velocities[node.points->numbers[i]] = velocities_[i];
    }
  }
}

void TreePoints::pull(const PointTerms* terms, TreeLayout& layout) const {
  for (const Index n : nodes_) {
    TreeNode::Points& points = *layout.nodes[to_size(n)].points;
    points.shared = terms != nullptr && terms->shared.rank > 0 ? &terms->shared : nullptr;
    for (std::size_t i = 0; i < points.numbers.size(); ++i) {
      points.pulls[i].setZero();
      points.stiffness[i].setZero();
      if (terms == nullptr) continue;
      points.places[i] = terms->place[points.numbers[i]];
      points.pulls[i] = terms->force[points.numbers[i]];
      points.stiffness[i] = terms->stiffness[points.numbers[i]];
    }
  }
}

void TreePoints::unbalance(std::span<const Vector3> forces, const VectorX& q, TreeLayout& layout) const {
  for (TreeNode& node : layout.nodes) {
    node.force.setZero();
    node.force_rigid.setZero();
  }
  for (const Index n : nodes_) {
    TreeNode& node = layout.nodes[to_size(n)];
    std::vector<Vector3> own;
    for (const std::size_t i : node.points->numbers) own.emplace_back(-forces[i] / node.inertia_factor);
    node.points->rows.add_forces(scaled_frame(node), segment_of(q, node), own, node.force, node.force_rigid);
  }
}

void TreePoints::moves(const TreeLayout& layout, const VectorX& q, const VectorX& change, double factor,
                       std::span<Vector3> moves) const {
  for (const Index n : nodes_) {
    const TreeNode& node = layout.nodes[to_size(n)];
    std::vector<Vector3> own(node.points->numbers.size());
    node.points->rows.moves(scaled_frame(node), segment_of(q, node), factor * segment_of(change, node),
                            factor * node.change, own);
    for (std::size_t i = 0; i < own.size(); ++i) moves[node.points->numbers[i]] = own[i];
  }
}

}  // namespace pliant
