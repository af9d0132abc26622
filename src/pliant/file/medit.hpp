// file/medit.hpp — MEDIT's .mesh in text form: keywords, counts and rows; each row ends with a reference, the
// label.
//
// Keywords that do not concern elements or labelled faces (Edges, Corners, Ridges, Normals, …) are skipped:
// their rows consist of numbers, so the next word that begins with a letter is the next keyword. The vertices
// of TetrahedraP2 have our order (as in Gmsh); a file that gives another one (TetrahedraP2Ordering) is
// refused.
#pragma once

#include "pliant/file/volume_file.hpp"

#include <string>
#include <string_view>

namespace pliant {

Result<VolumeFile> read_medit(std::string_view bytes, const std::string& file);

/// `file` is for messages. kUnwritable if there are names, which the format cannot represent.
Result<std::string> write_medit(const VolumeMesh& mesh, const std::string& file);

}  // namespace pliant
