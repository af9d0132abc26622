#include "pliant/scene/fill.hpp"

#include "pliant/mesh/fill/stuff.hpp"
#include "pliant/mesh/fill/voxelise.hpp"

namespace pliant {

Result<MesherOutput> fill_surface(const SurfaceMesh& surface, const std::string& file, Index resolution,
                                  bool hexes, Progress& progress) {
  Result<MesherOutput> output =
      hexes ? voxelise(surface, resolution, progress) : stuff(surface, resolution, progress);
  const auto name_file = [&](Diagnostics list) {
    for (Diagnostic& entry : list) {
      if (entry.where.file.empty()) entry.where.file = file;
    }
    return list;
  };
  if (!output) return name_file(output.errors());
  output.value().notes = name_file(std::move(output.value().notes));
  return output;
}

}  // namespace pliant
