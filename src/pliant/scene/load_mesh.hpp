// scene/load_mesh.hpp — the mesh of a body: read, generated or filled, then placed.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/mesh/core/placement.hpp"
#include "pliant/mesh/core/surface_mesh.hpp"
#include "pliant/scene/description.hpp"

#include <memory>
#include <optional>

namespace pliant {

struct AssemblyShape;

/// Rest shapes after the transform.
struct BodyShape {
  VolumeMesh mesh;
  std::optional<SurfaceMesh> surface;
  std::shared_ptr<const AssemblyShape> assembly;  // of a body of placed parts
  Diagnostics notes;
};

/// Reads, meshes or generates a body's volume mesh, places it, and embeds its surface.
Result<BodyShape> load_shape(const SceneDescription& scene, const BodyText& body, Progress& progress);

/// The same transform as a placement.
[[nodiscard]] Placement placement(const TransformText& transform);

/// Errors of a generator name a parameter; their place is the scene's.
[[nodiscard]] Diagnostics in_table(Diagnostics list, const GenerateText& text);

/// x → R (scale x) + translate, with R turning about x, then y, then z.
[[nodiscard]] Vector3 place(const TransformText& transform, const Vector3& x);

}  // namespace pliant
