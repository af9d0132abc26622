// model/full/natural_modes.hpp — natural frequencies and shapes of the full model, linearised at rest.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/model/model.hpp"

#include <vector>

namespace pliant {

/// The lowest `count` elastic modes over the free degrees of freedom (one flag each); `size` is the diagonal
/// of the body's box. Rigid modes are counted apart.
Result<Model::Frequencies> natural_modes(const ElasticBody& body, const std::vector<char>& free, double size,
                                         Index count);

}  // namespace pliant
