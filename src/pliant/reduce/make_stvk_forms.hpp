// reduce/make_stvk_forms.hpp — the polynomials of subspace/stvk_forms.hpp, from a body and a basis.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/fem/elastic_body.hpp"
#include "pliant/subspace/stvk_forms.hpp"

namespace pliant {

/// The forms of `body` in the basis U (3n × r); every material must have a polynomial. Fails when cancelled.
Result<StvkForms> make_stvk_forms(const ElasticBody& body, ConstMatrixRef U, Progress& progress);

}  // namespace pliant
