// build/flexibility.hpp — the compliance that the subspace of a body lacks, from its finite elements
// (docs/theory/contact.md, Eq. K14).
#pragma once

#include "pliant/contact/flexibility.hpp"
#include "pliant/fem/elastic_body.hpp"
#include "pliant/mesh/core/carried_surface.hpp"
#include "pliant/model/model.hpp"

#include <memory>

namespace pliant {

/// Of a body at rest and the surface in which it touches. Null for models without a subspace. Each part is
/// factorised when one of its points is asked for first.
[[nodiscard]] std::shared_ptr<Flexibility> make_flexibility(std::shared_ptr<const ElasticBody> elastic,
                                                            const Model& model,
                                                            std::shared_ptr<const CarriedSurface> surface);

}  // namespace pliant
