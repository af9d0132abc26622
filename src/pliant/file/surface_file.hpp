// file/surface_file.hpp — triangle surfaces from and to .obj, .stl, .ply and .off.
//
// Polygons become triangles in file order; vertices keep their file order (STL, which has none: equal corners
// become one vertex, in order of first use). Colours, normals, textures and groups are not kept.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/surface_mesh.hpp"

#include <filesystem>

namespace pliant {

/// A surface and what a reader found odd but harmless in its file.
struct SurfaceFile {
  SurfaceMesh mesh;
  Diagnostics notes;
};

/// True when the file's extension is that of a surface format (.obj, .stl, .ply, .off; any case).
[[nodiscard]] bool is_surface_file(const std::filesystem::path& path);

/// Reads a surface; the extension says which format.
Result<SurfaceFile> read_surface_file(const std::filesystem::path& path);

/// Writes a surface: text for .obj and .off (numbers round-trip), binary for .ply (double) and .stl (float).
Status write_surface_file(const std::filesystem::path& path, const SurfaceMesh& mesh);

}  // namespace pliant
