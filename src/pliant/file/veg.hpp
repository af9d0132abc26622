// file/veg.hpp — Vega's .veg: vertices, elements of one shape, sets of elements, and regions that give a set
// a material.
//
// A region's label is its number, from 1, and its name that of its set (of its material when the set is
// allElements); without regions the sets count. A set or material called `label_N` or `label_N_name` carries
// the label N itself: so our own files keep arbitrary labels. Material constants are not read.
#pragma once

#include "pliant/file/volume_file.hpp"

#include <string>
#include <string_view>

namespace pliant {

Result<VolumeFile> read_veg(std::string_view bytes, const std::string& file);

/// `file` is for messages. kUnwritable: tets and hexes mixed, labelled faces, names that are not one word.
Result<std::string> write_veg(const VolumeMesh& mesh, const std::string& file);

}  // namespace pliant
