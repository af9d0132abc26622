// file/ply.hpp — Stanford .ply: ASCII, binary little-endian and binary big-endian.
#pragma once

#include "pliant/file/surface_file.hpp"

#include <string_view>

namespace pliant {

/// Reads a surface from the bytes of a file; `file` is its name in errors.
Result<SurfaceFile> read_ply(std::string_view bytes, std::string_view file);

/// The surface as binary little-endian PLY, in double precision.
[[nodiscard]] std::string write_ply(const SurfaceMesh& mesh);

}  // namespace pliant
