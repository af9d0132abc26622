// file/stl.hpp — stereolithography .stl, ASCII and binary.
#pragma once

#include "pliant/file/surface_file.hpp"

#include <string_view>

namespace pliant {

/// Reads a surface from the bytes of a file; `file` is its name in errors.
Result<SurfaceFile> read_stl(std::string_view bytes, std::string_view file);

/// The surface as binary STL in single precision; kUnwritable if a coordinate exceeds its range.
Result<std::string> write_stl(const SurfaceMesh& mesh);

}  // namespace pliant
