#include "pliant/mesh/domains/local_thickness.hpp"

#include "pliant/mesh/core/boundary.hpp"

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

constexpr double kReach =
    1.5;  // of a ball, over the depth of its centre: edges do not lead straight to the surface
constexpr double kThicker =
    0.9;  // a ball whose centre lies in another one that is hardly smaller adds nothing

std::vector<double> depths(const VolumeMesh& mesh, const EdgeGraph& graph) {
  std::vector<VertexId> surface;
  for (const BoundaryFace& face : boundary_faces(mesh))
    surface.insert(surface.end(), face.vertices.begin(), face.vertices.begin() + face.size());
  std::sort(surface.begin(), surface.end());
  surface.erase(std::unique(surface.begin(), surface.end()), surface.end());
  std::vector<double> depth = graph.distances(surface);
  for (std::size_t v = 0; v < depth.size(); ++v) {
    const std::vector<VertexId>& around = graph.neighbours(static_cast<VertexId>(v));
    double sum = 0.0;
    for (const VertexId other : around) sum += graph.length(static_cast<VertexId>(v), other);
    depth[v] = around.empty() ? 0.0 : depth[v] + 0.5 * sum / static_cast<double>(around.size());
  }
  return depth;
}

}  // namespace

std::vector<double> local_thickness(const VolumeMesh& mesh, const EdgeGraph& graph) {
  const std::vector<double> depth = depths(mesh, graph);
  std::vector<VertexId> deepest(depth.size());
  std::iota(deepest.begin(), deepest.end(), VertexId{0});
  std::stable_sort(deepest.begin(), deepest.end(),
                   [&](VertexId a, VertexId b) { return depth[to_size(a)] > depth[to_size(b)]; });
  std::vector<double> thickness(depth.size(), 0.0);
  std::vector<VertexId> seen(depth.size(), -1), ball;
  for (const VertexId center : deepest) {
    const double radius = depth[to_size(center)];
    if (kThicker * thickness[to_size(center)] >= radius) continue;
    ball.assign(1, center);
    seen[to_size(center)] = center;
    for (std::size_t i = 0; i < ball.size(); ++i) {
      thickness[to_size(ball[i])] = std::max(thickness[to_size(ball[i])], radius);
      for (const VertexId other : graph.neighbours(ball[i])) {
        if (seen[to_size(other)] == center || graph.length(center, other) > kReach * radius) continue;
        seen[to_size(other)] = center;
        ball.push_back(other);
      }
    }
  }
  return thickness;
}

}  // namespace pliant
