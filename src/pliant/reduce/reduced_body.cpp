#include "pliant/reduce/reduced_body.hpp"

#include "pliant/base/assert.hpp"

#include <algorithm>

namespace pliant {
namespace {

Diagnostic interrupted() { return {ErrorCode::kCancelled, {}, "interrupted", ""}; }

}  // namespace

Vector3 rest_center_of_mass(const ElasticBody& body) {
  // Row sums of the consistent mass integrate linear functions exactly (Eq. F8).
  Vector3 sum = Vector3::Zero();
  const VectorX& mass = body.lumped_mass();
  for (Index v = 0; v < mass.size(); ++v) sum += mass[v] * body.rest_positions().segment<3>(3 * v);
  return sum / mass.sum();
}

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
  return cut;
}

Result<ReducedBody> reduce_body(const ElasticBody& body, Basis basis, Progress& progress,
                                const std::optional<Vector3>& origin) {
  PLIANT_ASSERT(basis.shapes.rows() == body.dof_count());
  ReducedBody reduced;
  reduced.basis = std::move(basis);
  reduced.origin = origin.value_or(rest_center_of_mass(body));
  if (progress.cancelled()) return interrupted();
  progress.begin("inertia", 0);
  reduced.inertia = make_inertia(body, reduced.basis.shapes, reduced.origin);
  progress.end();
  if (progress.cancelled()) return interrupted();
  const std::vector<Material>& materials = body.materials().materials;
  if (std::all_of(materials.begin(), materials.end(), has_polynomial)) {
    Result<StvkForms> forms = make_stvk_forms(body, reduced.basis.shapes, progress);
    if (!forms) return forms.errors();
    reduced.forms = std::move(forms).value();
  }
  return reduced;
}

}  // namespace pliant
