#include "pliant/reduce/reduce_body.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/reduce/make_inertia.hpp"
#include "pliant/reduce/make_stvk_forms.hpp"

#include <algorithm>

namespace pliant {
namespace {

Diagnostic interrupted() { return {ErrorCode::kCancelled, {}, "interrupted", ""}; }

}  // namespace

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
