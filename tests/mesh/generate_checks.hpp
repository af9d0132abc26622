// tests/mesh/generate_checks.hpp — what every generated mesh must satisfy.
#pragma once

#include "pliant/mesh/generate/generate.hpp"

namespace pliant::test {

/// By generate(); a failed expectation and an empty mesh on error.
[[nodiscard]] VolumeMesh generated(const std::string& shape, const std::string& element,
                                   std::map<std::string, std::vector<double>> parameters = {});

/// Conforming, positive, manifold, in one piece; labels and vertices in order.
void expect_sound(const VolumeMesh& mesh, double smallest_jacobian, double smallest_angle);

}  // namespace pliant::test
