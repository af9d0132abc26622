// file/medit.hpp — MEDIT's .mesh, text form: keywords, counts and rows, each row ending in a reference =
// label.
//
// Keywords that say nothing about elements or labelled faces (Edges, Corners, Ridges, Normals, ...) are
// skipped: their rows are numbers, so the next word that begins with a letter is the next keyword.
#pragma once

#include "pliant/file/volume_file.hpp"

#include <string>
#include <string_view>

namespace pliant {

Result<VolumeFile> read_medit(std::string_view bytes, const std::string& file);

/// `file` is for messages. kUnwritable: names, which the format has no place for.
Result<std::string> write_medit(const VolumeMesh& mesh, const std::string& file);

}  // namespace pliant
