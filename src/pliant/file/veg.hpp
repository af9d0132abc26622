// file/veg.hpp — Vega's .veg: vertices, elements of one shape, sets of elements, and regions that assign a
// material to a set.
//
// The label of a region is its number, from 1, and its name that of its set (of its material if the set is
// allElements). Without regions, the sets count as regions. A set or material called `label_N` or
// `label_N_name` has the label N: so files written by Pliant keep arbitrary labels. Material constants are
// not read.
#pragma once

#include "pliant/file/volume_file.hpp"

#include <string>
#include <string_view>

namespace pliant {

Result<VolumeFile> read_veg(std::string_view bytes, const std::string& file);

/// `file` is for messages. kUnwritable: tets and hexes in one mesh, quadratic tets, labelled faces, names
/// that are not one word.
Result<std::string> write_veg(const VolumeMesh& mesh, const std::string& file);

}  // namespace pliant
