#include "generate_checks.hpp"

#include "pliant/mesh/core/winding_number.hpp"
#include "shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pliant::test {

VolumeMesh generated(const std::string& shape, const std::string& element,
                     std::map<std::string, std::vector<double>> parameters) {
  Result<VolumeMesh> result = generate({shape, element, std::move(parameters)}, no_progress());
  EXPECT_TRUE(result.ok()) << shape << " " << to_string(result.error());
  return result ? std::move(result).value() : VolumeMesh{};
}

void expect_sound(const VolumeMesh& mesh, double smallest_jacobian, double smallest_angle) {
  ASSERT_GT(mesh.element_count(), 0);
  EXPECT_EQ(mesh.tet_labels.size(), mesh.tets.size());
  EXPECT_EQ(mesh.hex_labels.size(), mesh.hexes.size());
  EXPECT_GE(smallest_jacobian_ratio(mesh), smallest_jacobian);
  EXPECT_EQ(bad_boundary_edges(mesh), 0);
  EXPECT_EQ(face_components(mesh), 1);
  if (!mesh.tets.empty()) {
    EXPECT_GE(dihedral_range(mesh).first, smallest_angle);
  }
  // Conforming: the boundary's own volume is that of the elements; a gap or an overlap inside would be
  // counted.
  const BoundarySurface boundary = boundary_surface(mesh);
  if (!mesh.tets.empty()) {
    EXPECT_NEAR(enclosed_volume(boundary.surface), mesh_volume(mesh), 1e-9 * mesh_volume(mesh));
  }
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const Tet& t : mesh.tets)
    for (const VertexId v : t) used[v] = true;
  for (const Hex& h : mesh.hexes)
    for (const VertexId v : h) used[v] = true;
  EXPECT_TRUE(std::all_of(used.begin(), used.end(), [](bool u) { return u; }));
}

}  // namespace pliant::test
