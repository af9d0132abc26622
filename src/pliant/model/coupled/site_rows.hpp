// model/coupled/site_rows.hpp — vertices of a coupled body at which forces act, with their rows of the bases.
//
// A site of domain d is at x = p + R y with y = X + U q, so it moves with the frame and the coordinates:
//
//     δx = R B δ,   B = [1  −y~  U],   δ = (move, turn, δq), the frame's own axes        (Eq. C6)
//
// Coupling elements, loads and point laws all act through this. Vectors of sites are numbered as the vertices
// were given, whatever their domains.
#pragma once

#include "pliant/base/shares.hpp"
#include "pliant/model/coupled/coupled_shape.hpp"
#include "pliant/solve/block/block_cholesky.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Resultants of forces on sites, by domain.
struct SiteForces {
  Matrix6X wrench;  // per domain: force, and torque about a given centre; world axes
  VectorX q;        // on all coordinates
};

inline void clear(SiteForces& forces) {
  forces.wrench.setZero();
  forces.q.setZero();
}

class SiteRows {
 public:
  SiteRows() = default;
  SiteRows(const CoupledBody& body, const CoupledLayout& layout, const std::vector<VertexId>& vertices);

  [[nodiscard]] Index count() const { return count_; }
  /// Rest places, 3n.
  [[nodiscard]] const VectorX& rest() const { return rest_; }

  /// Places of all sites, world axes.
  void places(const CoupledShape& shape, VectorRef x) const;
  /// Velocities of sites at the places x.
  void velocities(const CoupledShape& shape, ConstVectorRef x, VectorRef v) const;
  /// sum += resultants of the forces f (world axes) on sites at the places x: torques about `centers`, forces
  /// on coordinates as Uᵀ turnᵀ f.
  void collect(ConstVectorRef x, ConstVectorRef f, std::span<const Vector3> centers,
               std::span<const Matrix3> turns, SiteForces& sum) const;
  /// dx = R B δ for the change δ of all unknowns.
  void moves(const CoupledShape& shape, ConstVectorRef x, ConstVectorRef change, VectorRef dx) const;

  /// Upper bounds of |B_a| in the metric of the domains' mass at rest, 1/√kg, for estimates of rounding.
  [[nodiscard]] std::vector<double> gains(const CoupledBody& body) const;

  /// Prepares add_stiffness() for matrices of this pattern: lower triangle in blocks of 3 × 3.
  void set_pattern(const SparseMatrix& lower);
  /// The pairs of domains that the pattern couples, first > second.
  [[nodiscard]] std::vector<std::pair<Index, Index>> pairs() const;
  /// S += factor · Jᵀ K J (Eq. C8), K = −∂f/∂x or its like with the pattern of set_pattern().
  void add_stiffness(const CoupledShape& shape, ConstVectorRef x, const SparseMatrix& K, double factor,
                     BlockCholesky& S);
  /// S −= Jᵀ L C Lᵀ J within each domain, L: three rows per site; after add_stiffness().
  void subtract_shared(ConstMatrixRef L, ConstMatrixRef C, BlockCholesky& S);
  /// S += factor · G: how the resultants of the fixed forces f change as frames turn (Eq. C9), at the shape
  /// of the last add_stiffness().
  void add_geometric(const CoupledShape& shape, ConstVectorRef f, double factor, BlockCholesky& S);

 private:
  /// The sites of one domain.
  struct Part {
    Index domain = 0;
    std::vector<Index> sites;
    MatrixX shapes;   // 3n × r
    VectorX rest;     // 3n, from the origin
    MatrixX columns;  // r × 3n: Uᵀ
    MatrixX rows;     // m × 3n: (R B)ᵀ of the last call, m = frame and coordinates, zeros up to full packs
    VectorX here;     // 3n, scratch
    std::vector<double> crossed;         // nine numbers for each site, scratch
    std::vector<const double*> sources;  // where the rows of each site are
    MatrixX turned;                      // m × 3, scratch
  };
  /// Blocks of K between the sites of two domains.
  struct Entry {
    Index column;  // site within the second part
    Index at[3];   // places of the three columns of the block in the values of K
    bool flipped;  // the transpose is wanted
    bool diagonal;
  };
  struct Pair {
    Index first, second;         // parts, domain of first ≥ domain of second
    std::vector<Index> rows;     // sites within the first part
    std::vector<Entry> entries;  // by row
    std::vector<Index> begins;   // of the entries of each row, and the end
    Index first_chunk = 0, last_chunk = 0;
  };
  /// Some rows of a pair. Their sum is computed by one thread, whichever.
  struct Chunk {
    Index pair, begin, end;
    MatrixX sum;
  };
  /// What a thread needs to compute sums.
  struct Lane {
    MatrixX right;                       // sums over b, 3 columns per row
    std::vector<double> blocks;          // of one row, nine numbers each
    std::vector<const double*> sources;  // where the rows of their columns are
    std::vector<const double*> left;
  };
  void cut_into_chunks();
  void turn_rows(const CoupledShape& shape, ConstVectorRef x);
  void sum_chunk(Chunk& chunk, const double* values, double factor, Lane& lane) const;
  void sum_rows(const Pair& pair, Index begin, Index end, const double* values, double factor,
                Lane& lane) const;

  template <class Work>
  void for_each_part(const Work& work) const;

  Index count_ = 0, numbers_ = 0;  // sites, entries of their shapes
  VectorX rest_;
  std::vector<Index> frame_size_, q_starts_, starts_;
  std::vector<double> domain_places_;
  mutable std::vector<Part> parts_;
  std::vector<Index> part_of_, place_of_;  // of each site
  std::vector<Pair> pairs_;
  std::vector<Chunk> chunks_;
  Shares part_shares_, chunk_shares_;
  std::vector<Lane> lanes_;
};

}  // namespace pliant
