#include "pliant/scene/fill.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/core/tet10.hpp"
#include "pliant/mesh/domains/domain_submesh.hpp"
#include "pliant/mesh/fill/curve.hpp"
#include "pliant/mesh/fill/stuff.hpp"
#include "pliant/mesh/fill/voxelise.hpp"

namespace pliant {

namespace {

/// Says in how many parts the mesh is, or leaves out all but the largest of them and says so.
void judge_parts(bool largest, MesherOutput& output) {
  const MeshParts parts = find_parts(output.mesh);
  if (parts.parts.size() < 2) return;
  if (largest) output.mesh = extract_elements(output.mesh, largest_component(output.mesh)).mesh;
  const std::string what =
      largest ? "left out all parts but the largest: " + describe_parts(std::span(parts.parts).subspan(1))
              : text(std::ssize(parts.parts)) + " separate parts: " + describe_parts(parts.parts);
  const std::string remedy = largest ? ""
                                     : "a higher resolution may join them; --largest (in a scene: "
                                       "mesher.keep = \"largest\") keeps the first alone";
  output.notes.push_back({ErrorCode::kDegenerate, {"", 0, 0, "resolution"}, what, remedy});
}

/// Quadratic tets that follow the surface.
void bend_to(const SurfaceMesh& surface, VolumeMesh& mesh) {
  mesh = make_quadratic(std::move(mesh));
  const Result<PreparedSolid> prepared = prepare_solid(surface);
  if (prepared) curve_boundary(mesh, *prepared.value().solid);  // the mesher has prepared the same
}

}  // namespace

Result<MesherOutput> fill_surface(const SurfaceMesh& surface, const std::string& file,
                                  const FillOptions& options, Progress& progress) {
  Result<MesherOutput> output = options.hexes ? voxelise(surface, options.resolution, progress)
                                              : stuff(surface, options.resolution, progress);
  const auto name_file = [&](Diagnostics list) {
    for (Diagnostic& entry : list) {
      if (entry.where.file.empty()) entry.where.file = file;
    }
    return list;
  };
  if (!output) return name_file(output.errors());
  judge_parts(options.largest, output.value());
  if (options.quadratic && !options.hexes) bend_to(surface, output.value().mesh);
  output.value().notes = name_file(std::move(output.value().notes));
  return output;
}

}  // namespace pliant
