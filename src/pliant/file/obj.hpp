// file/obj.hpp — Wavefront .obj: polygons with corners v, v/vt, v//vn and v/vt/vn, relative indices, lines
// joined by a backslash.
#pragma once

#include "pliant/file/surface_file.hpp"

#include <string_view>

namespace pliant {

/// Reads a surface from the bytes of a file; `file` is its name in errors.
Result<SurfaceFile> read_obj(std::string_view bytes, std::string_view file);

/// The surface as text; numbers round-trip.
[[nodiscard]] std::string write_obj(const SurfaceMesh& mesh);

}  // namespace pliant
