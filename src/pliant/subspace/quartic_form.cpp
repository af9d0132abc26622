#include "pliant/subspace/quartic_form.hpp"

#include "pliant/base/assert.hpp"

namespace pliant {

QuarticForm QuarticForm::zero(Index r) {
  return {r, VectorX::Zero(pair_count(r)), VectorX::Zero(triple_count(r)), VectorX::Zero(quadruple_count(r))};
}

void QuarticForm::add(double factor, const QuarticForm& other) {
  PLIANT_ASSERT(r == other.r);
  second += factor * other.second;
  third += factor * other.third;
  fourth += factor * other.fourth;
}

QuarticForm QuarticForm::head(Index size) const {
  PLIANT_ASSERT(size <= r);
  return {size, second.head(pair_count(size)), third.head(triple_count(size)),
          fourth.head(quadruple_count(size))};
}

double QuarticForm::energy(ConstVectorRef q) const {
  // A sorted tuple stands for all of its orders, n!/(product of multiplicity!), which meets the 1/n! of Eq.
  // R3.
  double sum = 0.0;
  for (Index l = 0; l < r; ++l)
    for (Index k = 0; k <= l; ++k) {
      sum += (k == l ? 0.5 : 1.0) * second[pair_place(k, l)] * q[k] * q[l];
      for (Index j = 0; j <= k; ++j) {
        const double triple = j == k && k == l ? 6.0 : (j == k || k == l ? 2.0 : 1.0);
        sum += third[triple_place(j, k, l)] * q[j] * q[k] * q[l] / triple;
        for (Index i = 0; i <= j; ++i) {
          // Builds up the product of the factorials of the runs of equal indices.
          double orders = 1.0, run = 1.0;
          for (const bool equal : {i == j, j == k, k == l}) {
            run = equal ? run + 1.0 : 1.0;
            orders *= run;
          }
          sum += fourth[quadruple_place(i, j, k, l)] * q[i] * q[j] * q[k] * q[l] / orders;
        }
      }
    }
  return sum;
}

}  // namespace pliant
