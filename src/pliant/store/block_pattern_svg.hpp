// store/block_pattern_svg.hpp — a picture of a matrix of blocks before and after factorisation.
#pragma once

#include "pliant/solve/block/block_pattern.hpp"

#include <span>
#include <string>

namespace pliant {

/// Two panels as one self-contained SVG file, as in Fig. 4 of [WuMukherjeeWang2015]: on the left the
/// symmetric matrix in the order of elimination, on the right its factor L, with fill in another colour.
/// Blocks are drawn to scale; those without unknowns do not show. `names[i]` labels the block that the caller
/// numbers i; it may be empty, then the numbers are shown. Labels are left out where they would overlap.
[[nodiscard]] std::string block_pattern_svg(const BlockPattern& pattern,
                                            std::span<const std::string> names = {});

}  // namespace pliant
