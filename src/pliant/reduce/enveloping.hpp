// reduce/enveloping.hpp — weights of the quadratic functions that bring them near given poses: elastic
// multi-weight enveloping [LuoEtAl2018] Eq. 13 to 16.
//
// Every domain keeps one weight for its constant and linear functions (Y), and gets six for its quadratic
// ones (Z), the same along x, y and z. All poses share the weights w, each has coordinates z of its own:
//
//     Δu = u − Y (YᵀY)⁻¹ Yᵀu        min Σ |Δu − Z(w) z|² + α |L w|²      in turns for z and for w
//
// L is the difference from the mean of the neighbours, and w is zero at held vertices. Printed below Eq. 13
// is (YYᵀ)⁻¹Yᵀ, and Eq. 15 needs x^ (the quadratic functions), not x~. What is left open is chosen so that
// nothing has units: Δu is divided by its RMS, and each weight keeps its RMS, since only w z counts.
//
// Fitted weights are rough. A pose that they carry within one per cent has hundreds of times its elastic
// energy, so the body locks (docs/theory/blended.md). Poses as plain vectors are better and cheaper.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/reduce/blended_columns.hpp"

#include <vector>

namespace pliant {

/// Changes the quadratic ones of the raw columns, and sets their residuals. Every domain must be quadratic.
void envelop(const ElasticBody& body, const BlendWeights& weights, const std::vector<VectorX>& poses,
             BlendedColumns& columns);

}  // namespace pliant
