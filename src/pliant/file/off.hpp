// file/off.hpp — Geomview .off and its relatives with normals, colours or texture coordinates.
#pragma once

#include "pliant/file/surface_file.hpp"

#include <string_view>

namespace pliant {

/// Reads a surface from the bytes of a file; `file` is its name in errors.
Result<SurfaceFile> read_off(std::string_view bytes, std::string_view file);

/// The surface as text; numbers round-trip.
[[nodiscard]] std::string write_off(const SurfaceMesh& mesh);

}  // namespace pliant
