// model/blended/point_sum.hpp — energy, force and stiffness of scalar columns, summed over points.
//
// Points at which the same columns are not zero form a group, and know those columns only: where domains are
// local, a point costs as much as the few domains that overlap there. Within a group the nine blocks of K
// (axis by axis) are products of tall matrices, six of which are computed, by the kernels of block Cholesky.
//
//     stresses of four points at a time ──► f, by one task;  six blocks of K, by a task each
//
// Each sum runs in the order of the points, so its bits do not depend on the number of threads.
#pragma once

#include "pliant/material/material.hpp"
#include "pliant/math/pack.hpp"
#include "pliant/subspace/blended_body.hpp"

#include <array>
#include <span>
#include <vector>

namespace pliant {

/// What a point adds to the energy.
enum class PointEnergy {
  kWhole,     // ψ of its material
  kRestoring  // what an invertible material adds to its plain law, [LuoEtAl2018] Eq. 18: nothing above its
              // threshold
};

class PointSum {
 public:
  /// What is computed besides the force.
  struct Pass {
    bool mean = false;  // between two shapes instead of at one
    bool stiffness = false;
    bool energy = false;
  };

  /// `points` must outlive this.
  PointSum(const BlendedPoints& points, PointEnergy energy);

  void set_materials(std::span<const Material> materials);
  /// Volumes of the points times these factors, one each; none: their own volumes.
  void set_factors(const VectorX& factors);

  /// At the coordinates q of the scalars (m × 3), with pass.mean between `before` and q. `f` (m × 3) and `K`
  /// (3m × 3m, all of it) are added to; K is not touched unless asked for. Returns the energy; infinity where
  /// a law is not defined.
  double add(const Pass& pass, const MatrixX& before, const MatrixX& q, MatrixX& f, MatrixRef K);

  /// The size of what cancels in the force at rest.
  [[nodiscard]] double rest_scale() const { return rest_scale_; }

 private:
  static constexpr Index kLanes4 = 4;  // points evaluated together
  static constexpr Index kPairs = 6;   // blocks of K: axes (0,1), (0,2), (1,2), then (0,0), (1,1), (2,2)
  static const std::array<std::array<int, 2>, kPairs> kAxes;

  struct Group {
    std::vector<Index> columns;            // that are not zero at some of its points, ascending
    Index rows = 0;                        // of its matrices: so many, in whole packs
    Index first = 0, count = 0;            // its places, in whole packs of points
    MatrixX gradients;                     // rows × 3 count
    MatrixX q, before;                     // rows × 3: of its columns
    MatrixX f;                             // rows × 3, negative
    std::array<MatrixX, kPairs> K;         // rows × columns
    std::array<MatrixX, kPairs> products;  // rows × 3 panel
    Index panel = 1;                       // points whose products are made together
  };

  /// Four places, of one group.
  struct Pack {
    Index group = 0;
    Law law = Law::kStvk;
    bool kernel = false;   // all four have the kernel of this law
    bool guarded = false;  // while none of them is pressed far, they have the kernel of this law
    double safe = 0.0;     // least stretch for which they have
    Pack4 lambda = {}, mu = {};
    std::array<Index, 4> material{};
  };

  void make_groups(const BlendedPoints& points);
  void fill(Index pack);
  static void gather(const Group& group, const MatrixX& from, MatrixX& to);
  static void gradients_of(const Group& group, const MatrixX& q, Index begin, Index end, MatrixX& H);
  void evaluate_pack(Index pack);
  void by_kernel(const Pack& own, const Pack4 H0[9], const Pack4 H[9], Pack4 P[9], Pack4* A,
                 Pack4& energy) const;
  void by_point(const Pack& own, const Pack4 H0[9], const Pack4 H[9], Pack4 P[9], Pack4* A,
                Pack4& energy) const;
  void restoring(const Pack& own, const Pack4 H0[9], const Pack4 H[9], Pack4 P[9], Pack4* A,
                 Pack4& energy) const;
  void sum_force(Group& group) const;
  void sum_stiffness(Group& group, Index pair) const;
  void scatter(MatrixX& f, MatrixRef K) const;

  const BlendedPoints* points_;
  PointEnergy kind_;
  std::vector<Material> materials_, plain_;  // as given, and without their continuation
  std::vector<Group> groups_;
  std::vector<Index> point_at_;  // of each place; −1: padding
  std::vector<Pack> packs_;
  VectorX volumes_;  // of each place; 0: padding
  double rest_scale_ = 0.0;

  // Scratch
  Pass pass_;
  MatrixX now_, before_, stress_;  // 9 × places
  VectorX energies_;
  MatrixX tangents_;               // per place the 3 × 3 blocks of all pairs
  std::vector<char> contributes_;  // of each pack
};

}  // namespace pliant
