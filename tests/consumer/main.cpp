// Makes a box of tetrahedra and prints its volume.
#include "pliant/mesh/generate.hpp"

#include <cmath>
#include <cstdio>

int main() {
  const pliant::VolumeMesh mesh =
      pliant::generate_box(pliant::Vector3(1.0, 0.2, 0.1), {20, 4, 2}, pliant::ElementKind::kTet);
  double volume = 0.0;
  for (const pliant::Tet& tet : mesh.tets) {
    const auto corner = [&](std::size_t i) { return mesh.vertices[static_cast<std::size_t>(tet[i])]; };
    const pliant::Vector3 a = corner(0);
    volume += (corner(1) - a).cross(corner(2) - a).dot(corner(3) - a) / 6.0;
  }
  std::printf("volume %.6g\n", volume);
  return std::abs(volume - 0.02) < 1e-12 ? 0 : 1;
}
