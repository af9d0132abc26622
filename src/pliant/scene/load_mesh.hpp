// scene/load_mesh.hpp — the mesh of a body: read, generated or filled, then placed.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/scene/description.hpp"

#include <optional>

namespace pliant {

/// Rest shapes after the transform.
struct BodyShape {
  VolumeMesh mesh;
  std::optional<SurfaceMesh> surface;
  Diagnostics notes;
};

/// Reads, meshes or generates a body's volume mesh, places it, and embeds its surface.
Result<BodyShape> load_shape(const SceneDescription& scene, const BodyText& body, Progress& progress);

/// x → R (scale x) + translate, with R turning about x, then y, then z.
[[nodiscard]] Vector3 place(const TransformText& transform, const Vector3& x);

}  // namespace pliant
