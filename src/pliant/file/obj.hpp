// file/obj.hpp — Wavefront .obj: polygon faces with v, v/vt, v//vn and v/vt/vn corners, relative indices,
// joined lines.
#pragma once

#include "pliant/file/surface_file.hpp"

#include <string_view>

namespace pliant {

/// Reads a surface from the bytes of a file; `file` names it in errors.
Result<SurfaceFile> read_obj(std::string_view bytes, std::string_view file);

/// The surface as text; numbers round-trip.
[[nodiscard]] std::string write_obj(const SurfaceMesh& mesh);

}  // namespace pliant
