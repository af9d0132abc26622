// reduce/blended_cubature.hpp — cubature of a blended body, segment by segment [LuoEtAl2018, §6].
//
//     random loads ──► equilibria ─┐
//     lowest natural directions ───┴► poses ──► forces of each segment ──► its points (reduce/cubature)
//                                                                     └──► all weights anew, on the whole
//                                                                     force
//     crushed shapes ──► what an invertible material adds there ──► restorative points (Eq. 18)
//
// The elements of a segment are moved by the same few domains, so the choices are small and independent.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/reduce/body_cubature.hpp"
#include "pliant/subspace/blended_body.hpp"

#include <functional>
#include <span>
#include <vector>

namespace pliant {

struct BlendedCubatureSettings {
  Index points = 30;    // per segment, at most
  double error = 0.05;  // of the force of a segment, in the compliance norm
  std::uint64_t seed = 1;
  Index small = 12;    // natural directions, hardly deformed
  Index loaded = 24;   // of them, those along which random loads act
  Index poses = 32;    // under random loads, to fit
  Index held_out = 8;  // under others, to judge by
};

/// Forces of a body with other points.
using MakeBlendedForces = std::function<std::unique_ptr<ReducedForces>(std::shared_ptr<const BlendedBody>)>;

/// Chosen points, and factors on their volumes.
struct ChosenPoints {
  std::vector<Index> points;  // ascending
  VectorX factors;
};

struct BlendedCubature {
  ChosenPoints points, restorative;
  std::vector<Index> counts;  // of `points`, per segment
  double error = 1.0;         // of the whole force on poses held out, in the compliance norm
  MatrixX curve;              // rows: number of points, error on poses fitted, on poses held out; whole body
};

/// Segment of each element: that of most of its vertices.
[[nodiscard]] std::vector<Index> segments_of_elements(const VolumeMesh& mesh,
                                                      const std::vector<Index>& segment_of_vertex);

/// `body` has all points; `segment_of`: of each of them. Fails when cancelled.
Result<BlendedCubature> make_blended_cubature(const ElasticBody& elastic,
                                              const std::shared_ptr<const BlendedBody>& body,
                                              std::span<const Index> segment_of,
                                              const MakeBlendedForces& make_forces,
                                              const BlendedCubatureSettings& settings, Progress& progress);

/// Some of the points, with factors on their volumes.
[[nodiscard]] BlendedPoints points_of(const BlendedPoints& all, const ChosenPoints& chosen);

}  // namespace pliant
