// Writes an animated file of two bodies, one of them squeezed flat in the end, for the Khronos validator:
// gltf_sample OUT.glb
#include "pliant/base/atomic_file.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/store/gltf.hpp"

#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
  using namespace pliant;
  if (argc != 2) return 2;
  const VolumeMesh beam = generate_box(Vector3(1.0, 0.2, 0.1), {20, 4, 2}, ElementKind::kTet);
  const VolumeMesh block = generate_box(Vector3(0.3, 0.3, 0.3), {3, 3, 3}, ElementKind::kHex);
  GltfAnimation animation;
  animation.add_body("beam", boundary_triangles(boundary_faces(beam)), beam.vertices);
  animation.add_body("block", boundary_triangles(boundary_faces(block)), block.vertices);
  for (int i = 0; i <= 480; ++i) {
    const double t = i / 240.0;
    std::vector<double> u;
    std::vector<double> w;
    for (const Vector3& x : beam.vertices)
      u.insert(u.end(), {0.0, 0.0, 0.2 * std::sin(6.0 * t) * x[0] * x[0]});
    for (const Vector3& x : block.vertices) w.insert(w.end(), {0.5, 0.5, -0.5 * t * x[2]});
    const std::array<std::span<const double>, 2> all{u, w};
    animation.add_frame(t, all);
  }
  const Result<std::string> bytes = animation.write(argv[1]);
  if (!bytes || !write_file(argv[1], bytes.value())) return 1;
  std::printf("%td key frames, %zu bytes\n", animation.key_frame_count(), bytes.value().size());
  return 0;
}
