#include "pliant/subspace/reduced_body.hpp"

#include "pliant/base/assert.hpp"

#include <algorithm>

namespace pliant {

ReducedBody ReducedBody::head(Index size) const {
  PLIANT_ASSERT(size <= basis.size());
  ReducedBody cut;
  cut.basis.shapes = basis.shapes.leftCols(size);
  cut.basis.strength = basis.strength.head(size);
  // Σσ² loses the share of the columns that are dropped; `strength` is σ relative to the first.
  const double whole = basis.strength.squaredNorm();
  if (whole > 0.0) cut.basis.captured = basis.captured * cut.basis.strength.squaredNorm() / whole;
  cut.basis.free = basis.free;
  cut.basis.attachment = std::min(basis.attachment, size);
  cut.origin = origin;
  cut.inertia.reserve(inertia.size());
  for (const InertiaIntegrals& group : inertia) cut.inertia.push_back(group.head(size));
  if (forms) cut.forms = forms->head(size);
  if (cubature) cut.cubature = cubature->head(size);
  return cut;
}

}  // namespace pliant
