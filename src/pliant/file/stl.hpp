// file/stl.hpp — stereolithography .stl, ASCII and binary.
#pragma once

#include "pliant/file/surface_file.hpp"

#include <string_view>

namespace pliant {

/// Reads a surface from the bytes of a file; `file` names it in errors.
Result<SurfaceFile> read_stl(std::string_view bytes, std::string_view file);

/// The surface as binary STL, in single precision; kUnwritable when a coordinate exceeds that.
Result<std::string> write_stl(const SurfaceMesh& mesh);

}  // namespace pliant
