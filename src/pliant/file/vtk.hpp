// file/vtk.hpp — legacy .vtk unstructured grids, text and binary (big-endian), versions 2 to 5.
#pragma once

#include "pliant/file/volume_file.hpp"

#include <string>
#include <string_view>

namespace pliant {

Result<VolumeFile> read_vtk(std::string_view bytes, const std::string& file);

}  // namespace pliant
