#include "pliant/build/subspace.hpp"

#include <algorithm>

namespace pliant {
namespace {

constexpr double kSameShapes = 1e-9;  // relative

bool same_basis(const std::shared_ptr<const MatrixX>& a, const std::shared_ptr<const MatrixX>& b) {
  return a == b || (a->rows() == b->rows() && a->cols() == b->cols() && a->isApprox(*b, kSameShapes));
}

bool same_domain(const Subspace::Domain& a, const Subspace::Domain& b) {
  return a.name == b.name && a.parent == b.parent && a.basis == b.basis &&
         (a.vertices == b.vertices || *a.vertices == *b.vertices);
}

}  // namespace

bool same_subspace(const Subspace& a, const Subspace& b) {
  return std::equal(a.domains.begin(), a.domains.end(), b.domains.begin(), b.domains.end(), same_domain) &&
         std::equal(a.bases.begin(), a.bases.end(), b.bases.begin(), b.bases.end(), same_basis);
}

}  // namespace pliant
