// tests/support/tree_plans.hpp — trees of domains cut from regular meshes by hand, for tests and benchmarks.
//
// Each domain is a class of its own, in the coordinates of the whole mesh (placed by the identity), and
// shares its base with its parent vertex by vertex.
#pragma once

#include "pliant/mesh/generate/generate.hpp"
#include "pliant/reduce/tree_plan.hpp"

#include <functional>

namespace pliant::test {

/// What the domains of a plan have in common.
struct PlanSettings {
  Material material;
  Index linear_modes = 4;
  Index modes = 20;
  std::function<bool(const Vector3&)> held;  // vertices of the root that are; none: free flight
};

/// Domain d has the elements with of_element = d; its base are the vertices that it shares with parents[d]
/// (−1 for domain 0, the root), weighted by the area of the faces between them.
[[nodiscard]] TreePlan plan_of_parts(const VolumeMesh& mesh, const std::vector<Index>& of_element,
                                     const std::vector<Index>& parents, const PlanSettings& settings);

/// A box [0, size] cut across x into slabs of equally many cells (up to one), each the parent of the next.
[[nodiscard]] TreePlan cut_beam(const std::array<Index, 3>& cells, const Vector3& size, Index domains,
                                const Material& material, Index linear_modes, Index modes, bool held_at_x0,
                                ElementKind kind = ElementKind::kTet);

/// The T: a trunk along x held at x = 0 (cells i 0–15, j 0–3 of 1/24 × 0.05 × 0.1/3, three layers) with two
/// arms at its end (i 12–15, j −10…−1 and 4…10).
[[nodiscard]] TreePlan cut_t(const Material& material, Index linear_modes, Index modes);

}  // namespace pliant::test
