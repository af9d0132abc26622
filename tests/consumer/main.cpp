// A rubber beam held at one end swings under its weight: from arrays to the path of its tip.
#include "pliant/build/build_body.hpp"

#include <cstdio>

int main() {
  using namespace pliant;
  BodySpec beam;
  const auto at = [](int i, int j, int k) { return static_cast<VertexId>(i + 21 * (j + 5 * k)); };
  for (int k = 0; k <= 2; ++k)
    for (int j = 0; j <= 4; ++j)
      for (int i = 0; i <= 20; ++i) beam.mesh.vertices.emplace_back(0.05 * i, 0.05 * j, 0.05 * k);
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 20; ++i)
        beam.mesh.hexes.push_back({at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k),
                                   at(i, j, k + 1), at(i + 1, j, k + 1), at(i + 1, j + 1, k + 1),
                                   at(i, j + 1, k + 1)});
  Support wall;
  for (int n = 0; n < 15; ++n) wall.vertices.push_back(at(0, n % 5, n / 5));
  beam.supports = {wall};
  Material rubber;
  rubber.young = 1e6;  // Pa
  beam.materials.materials = {rubber};
  beam.loads.gravity = {0, 0, -9.81};
  beam.model = ModalSpec{};  // 20 shapes; or FullSpec{}, TreeSpec{}
  Result<BuiltBody> built = build_body(std::move(beam));
  if (!built) return std::puts(to_string(built.error()).c_str()), 1;

  std::vector<Body> bodies;
  bodies.push_back(std::move(built.value().body));
  World world(std::move(bodies), {}, {.dt = 1.0 / 240});
  if (!world.start()) return 1;
  for (int i = 1; i <= 120 && world.advance(); ++i)
    if (i % 24 == 0)
      std::printf("%.1f s: %.4f m\n", world.time(), world.bodies()[0].model->displacement(at(20, 4, 2)).z());
}
