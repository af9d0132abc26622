#include "pliant/mesh/core/vertex_normals.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/base/parallel.hpp"

#include <cmath>
#include <functional>

namespace pliant {
namespace {

constexpr Index kBlock = 1024;  // vertices per task

}  // namespace

VertexNormals::VertexNormals(std::span<const Triangle> triangles, Index vertex_count)
    : starts_(to_size(vertex_count) + 1, 0), edges_(3 * triangles.size()) {
  // Counting sort of the triangle corners by vertex.
  for (const Triangle& triangle : triangles)
    for (const VertexId v : triangle) ++starts_[to_size(v) + 1];
  for (std::size_t v = 1; v < starts_.size(); ++v) starts_[v] += starts_[v - 1];
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (const Triangle& triangle : triangles)
    for (std::size_t k = 0; k < 3; ++k)
      edges_[next[to_size(triangle[k])]++] = {triangle[(k + 1) % 3], triangle[(k + 2) % 3]};
}

template <class Scalar>
void VertexNormals::evaluate(std::span<const Scalar> positions, std::span<Scalar> normals) const {
  const Index count = vertex_count();
  PLIANT_ASSERT(std::ssize(positions) == 3 * count && normals.size() == positions.size());
  using Vector = Eigen::Matrix<Scalar, 3, 1>;
  const auto place = [&](Index v) -> Vector3 {
    return Eigen::Map<const Vector>(positions.data() + 3 * v).template cast<double>();
  };
  const auto task = [&](Index block) {
    for (Index v = block * kBlock; v < std::min(count, (block + 1) * kBlock); ++v) {
      const Vector3 x = place(v);
      Vector3 sum = Vector3::Zero();
      for (std::size_t e = starts_[to_size(v)]; e < starts_[to_size(v) + 1]; ++e)
        sum += (place(edges_[e][0]) - x).cross(place(edges_[e][1]) - x);  // twice the area vector
      const double length = sum.norm();
      const bool usable = length > 0.0 && std::isfinite(length);
      Eigen::Map<Vector>(normals.data() + 3 * v) =
          (usable ? Vector3(sum / length) : Vector3(Vector3::UnitZ())).template cast<Scalar>();
    }
  };
  parallel_tasks(block_count(count, kBlock), std::ref(task));  // std::ref: no allocation
}

template void VertexNormals::evaluate(std::span<const float>, std::span<float>) const;
template void VertexNormals::evaluate(std::span<const double>, std::span<double>) const;

}  // namespace pliant
