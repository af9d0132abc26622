// reduce/blended_poses.hpp — shapes from which points of a blended body are chosen (blended_cubature.hpp).
#pragma once

#include "pliant/reduce/blended_cubature.hpp"

#include <vector>

namespace pliant {

/// Equilibria under random loads along the softest natural directions, a column each, found on a sample of
/// the points. A body that nothing holds is held by springs along its rigid motion. Empty when cancelled.
[[nodiscard]] MatrixX loaded_poses(const ElasticBody& elastic, const BlendedBody& body,
                                   const std::vector<std::vector<Index>>& segments,
                                   const LinearResponse& rest, const MakeBlendedForces& make_forces,
                                   const BlendedCubatureSettings& settings, Progress& progress);

/// Shapes in which elements are flat, inside out, folded or collapsed: of the whole body, about each domain,
/// and `large` ones blown up.
[[nodiscard]] MatrixX crushed_poses(const ElasticBody& elastic, const BlendedBody& body, const MatrixX& large,
                                    std::uint64_t seed);

}  // namespace pliant
