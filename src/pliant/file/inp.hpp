// file/inp.hpp — the mesh of a CalculiX or Abaqus input file (.inp), read only.
//
// Taken: *NODE, and *ELEMENT with TYPE = C3D4, C3D8 or C3D10, whose vertices have our order; other types are
// refused. The sets that ELSET= names on *ELEMENT are the labels 1, 2, … in the order of their first
// appearance; elements without a set have the label 0. All other keywords (*MATERIAL, *ELSET, *NSET, *STEP,
// …) are skipped with their rows, but for those that would change the mesh (*INCLUDE, *ELGEN, *SYSTEM, …):
// these are refused. Parts are not moved to where an *INSTANCE puts them.
//
// Keywords and names of sets are told apart regardless of case; a line that begins with ** is a comment; a
// line that ends with a comma continues on the next one.
#pragma once

#include "pliant/file/volume_file.hpp"

#include <string>
#include <string_view>

namespace pliant {

Result<VolumeFile> read_inp(std::string_view bytes, const std::string& file);

}  // namespace pliant
