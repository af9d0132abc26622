// file/surface_file.hpp — triangle surfaces from and to .obj, .stl, .ply and .off.
//
// Polygons become triangles in file order. Vertices keep their file order; in STL, which has none, equal
// corners become one vertex, in the order of first use. Colours, normals, textures and groups are not kept.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/surface_mesh.hpp"

#include <filesystem>

namespace pliant {

/// A surface, and notes about what is odd but harmless in its file.
struct SurfaceFile {
  SurfaceMesh mesh;
  Diagnostics notes;
};

/// Whether the extension is that of a surface format (.obj, .stl, .ply, .off; upper or lower case).
[[nodiscard]] bool is_surface_file(const std::filesystem::path& path);

/// Reads a surface; the extension determines the format.
Result<SurfaceFile> read_surface_file(const std::filesystem::path& path);

/// Writes a surface: text for .obj and .off (numbers round-trip), binary for .ply (double) and .stl (float).
Status write_surface_file(const std::filesystem::path& path, const SurfaceMesh& mesh);

}  // namespace pliant
