// model/coupled/inner_forces.hpp — elastic energy, force and stiffness of the inner elements of all domains.
//
// Domains of one class (one ReducedBody) are evaluated together; the polynomials are read once for several of
// them (subspace/quartic_batch.hpp). Domains with cubature points, and those that need loops over their
// elements, are evaluated one by one.
#pragma once

#include "pliant/base/shares.hpp"
#include "pliant/model/coupled/coupled_shape.hpp"
#include "pliant/subspace/quartic_batch.hpp"
#include "pliant/subspace/reduced_forces.hpp"

#include <memory>
#include <span>
#include <vector>

namespace pliant {

class InnerForces {
 public:
  InnerForces(const CoupledBody& body, const CoupledLayout& layout);

  void set_materials(const std::vector<Material>& materials);
  /// A factor on the stiffness of a domain.
  void set_stiffness_factor(std::size_t domain, double factor) { factors_[domain] = factor; }

  /// Energy of all domains and f = ∂E/∂q at the coordinates q. Infinite where a law is not defined. The
  /// stiffness stays until the next call. Allocates nothing where laws have polynomials.
  double evaluate(ConstVectorRef q, VectorRef f);
  /// Prepares mean(): where a step begins.
  void begin(ConstVectorRef q);
  /// The force between q of begin() and q1 that does exactly the work E(q1) − E(q) (Eq. C11). False
  /// where a law is not defined. The stiffness is nearly 2 ∂f/∂q1, symmetric.
  bool mean(ConstVectorRef q1, VectorRef f);
  /// ∂²E/∂q² of a domain at the last q of evaluate(), or that of mean().
  [[nodiscard]] Eigen::Map<const MatrixX> stiffness(std::size_t domain) const;

  /// Relative rounding of f.
  [[nodiscard]] double rounding() const;
  /// As ReducedForces::rest_scale(), of all domains.
  [[nodiscard]] double rest_scale() const;

 private:
  /// Up to eight domains of a class.
  struct Batch {
    const QuarticBatch* forces;
    std::vector<std::size_t> domains;
    QuarticBatch::Scratch scratch;
    MatrixX q, f, K;                          // one column each
    MatrixX start, start_f, start_stiffness;  // at q of begin()
    VectorX bend;
    VectorX energy;
  };
  struct Kind {
    std::shared_ptr<const ReducedBody> reduced;
    std::unique_ptr<QuarticBatch> forces;
  };
  struct Loop {
    std::size_t domain;
    std::unique_ptr<ReducedForces> forces;
    MatrixX K;
  };

  void gather(Batch& batch, ConstVectorRef q) const;
  void evaluate_batch(Batch& batch, ConstVectorRef q, VectorRef f);
  void mean_batch(Batch& batch, ConstVectorRef q1, VectorRef f);
  void publish(Batch& batch, VectorRef f);
  [[nodiscard]] double total() const;

  std::vector<Index> starts_;
  std::vector<double> factors_, energies_;
  std::vector<Kind> kinds_;
  std::vector<Batch> batches_;
  Shares batch_shares_, loop_shares_;
  std::vector<Loop> loops_;
  std::vector<const double*> stiffness_;  // of each domain
  VectorX start_;                         // q of begin()
};

}  // namespace pliant
