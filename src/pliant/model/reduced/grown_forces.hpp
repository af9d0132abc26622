// model/reduced/grown_forces.hpp — elastic forces of a reduced body that gets local shapes while it runs.
//
// With q_b the coordinates that the body was built with and q_l those of shapes that move the elements B
// only,
//
//     E(q_b, q_l) = E_b(q_b) + E_B(U q_b + L q_l) − E_B(U q_b)
//
// E_b may be a polynomial, a cubature or a sum over all elements; E_B is the sum over the elements of B. At
// q_l = 0 nothing changes, so an insertion leaves energy and force as they are, and all forces remain
// derivatives of an energy. Insertions whose elements meet share one B.
//
// A cubature is not exact in B, so the difference could become negative. It gets other weights instead, for
// what lies outside all B, and E = E_out(q_b) + E_B(U q_b + L q_l) (subspace/remaining_points.hpp).
#pragma once

#include "pliant/subspace/reduced_forces.hpp"

#include <memory>
#include <vector>

namespace pliant {

/// Elements with their coordinates: those of the body first, then those of the local shapes.
struct GrownPart {
  std::vector<Index> columns;               // places of the local coordinates among all of the body
  std::unique_ptr<ReducedForces> all;       // E_B(U q_b + L q_l)
  std::unique_ptr<ReducedForces> original;  // E_B(U q_b)
};

class GrownForces final : public ReducedForces {
 public:
  /// `size`: the number of coordinates that the body was built with.
  GrownForces(std::unique_ptr<ReducedForces> base, Index size);

  /// What may be kept of the parts is up to the caller, who has them between two calls.
  [[nodiscard]] std::vector<GrownPart> take_parts() { return std::move(parts_); }
  void set_parts(std::vector<GrownPart> parts);

  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K) override;
  double evaluate(ConstVectorRef q, VectorRef f) override;
  bool force(ConstVectorRef q, VectorRef f) override;
  double mean_force(ConstVectorRef q0, ConstVectorRef q1, VectorRef f, MatrixRef K) override;
  void set_materials(std::span<const Material> materials) override;
  [[nodiscard]] double rounding() const override;
  [[nodiscard]] double rest_scale() const override;

 private:
  enum class What { kForce, kForceAndEnergy, kAll, kMean };
  struct Scratch {
    VectorX q, q0, f, original_f;
    MatrixX K, K_original;
  };
  double evaluate_base(ConstVectorRef q0, ConstVectorRef q, VectorRef f, MatrixRef* K, What what);
  static double evaluate_as(What what, ReducedForces& forces, ConstVectorRef q0, ConstVectorRef q,
                            VectorRef f, MatrixRef K);
  double add_part(std::size_t part, ConstVectorRef q0, ConstVectorRef q, VectorRef f, MatrixRef* K,
                  What what);
  void share_out();
  double sum(ConstVectorRef q0, ConstVectorRef q, VectorRef f, MatrixRef* K, What what);

  std::unique_ptr<ReducedForces> base_;
  Index size_;
  std::vector<GrownPart> parts_;
  std::vector<Scratch> scratch_;  // per part
  bool left_ = false;             // the base leaves the parts to their own sums
  // The base at rest, which every change of the parts asks for again.
  bool rest_known_ = false;
  double rest_energy_ = 0.0;
  VectorX rest_force_;
  MatrixX rest_stiffness_;
};

}  // namespace pliant
