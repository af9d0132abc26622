// scene/load_mesh.hpp — the mesh of a body: read, generated or filled, then transformed.
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

/// Reads, generates or fills the volume mesh of a body, and transforms it together with its surface.
Result<BodyShape> load_shape(const SceneDescription& scene, const BodyText& body, Progress& progress);

/// A transform as a placement.
[[nodiscard]] Placement placement(const TransformText& transform);

/// Locates errors of a generator, which name a parameter, at that key of the scene.
[[nodiscard]] Diagnostics in_table(Diagnostics list, const GenerateText& text);

/// x → R (scale x) + translate, where R rotates about x, then y, then z.
[[nodiscard]] Vector3 place(const TransformText& transform, const Vector3& x);

}  // namespace pliant
