// model/coupled/site_products.hpp — the dense sums of Eq. C8, in registers.
//
// The rows of a site, (R B_a)ᵀ, are three columns of as many numbers as its domain has unknowns, padded with
// zeros to whole packs. They stand one after the other, `stride` numbers each.
#pragma once

#include "pliant/base/index.hpp"

#include <span>

namespace pliant {

inline constexpr Index kSitePack = 4;

/// Unknowns in whole packs.
[[nodiscard]] constexpr Index padded_unknowns(Index unknowns) {
  return (unknowns + kSitePack - 1) / kSitePack * kSitePack;
}

/// out (three columns) = Σ_k rows_k K_kᵀ; `blocks` has nine numbers for each K, column by column.
void sum_site_blocks(std::span<const double* const> rows, const double* blocks, Index stride, double* out);

/// sum (left_stride × right_stride) += Σ_k left_k right_kᵀ; left_k is the place of a site's three columns,
/// the right ones stand one after the other. `lower`: what is above the diagonal need not be right.
void add_site_products(std::span<const double* const> left, Index left_stride, const double* right,
                       Index right_stride, bool lower, double* sum);

}  // namespace pliant
