// Joints of a tree, eight neighbouring nodes at a time: X and J of Eq. T6.
#include "pliant/model/tree/strips.hpp"
#include "pliant/model/tree/tree_sweeps.hpp"

#include <array>

namespace pliant {
namespace {

/// The nodes with a parent among at most eight neighbours: one per lane.
struct Bent {
  std::array<TreeNode*, kEight> nodes{};
  std::array<JointTask, kEight> joints{};
  std::size_t count = 0;
};

/// X of eight nodes and the factors of their J.
struct Transfers {
  Matrix3Pack to_own;                     // R'ᵀ
  Matrix3Pack lengths;                    // σ R'ᵀ
  Matrix3Pack arm;                        // −σ R'ᵀ x~
  alignas(64) double shift[9][kEight];    // σ R'ᵀ, by rows: factors of â
  alignas(64) double turned[27][kEight];  // R'ᵀ spin_map, by columns: factors of the A_l
};

void set_transfers(const Bent& bent, const JointMotions& motion, Transfers& out) {
  Matrix3Pack rest_turn{};
  Pack8 ratio{};
  for (std::size_t lane = 0; lane < bent.count; ++lane) {
    for (std::size_t k = 0; k < 9; ++k) rest_turn.m[k][lane] = bent.nodes[lane]->rest_turn.data()[k];
    ratio[lane] = bent.nodes[lane]->length_ratio;
  }
  const Matrix3Pack turn = motion.rotation * rest_turn;
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i < 3; ++i) {
      out.to_own(i, j) = turn(j, i);
      out.lengths(i, j) = ratio * turn(j, i);
      store_pack8(out.lengths(i, j), out.shift[3 * i + j]);
    }
  const Matrix3Pack cross = out.lengths * cross_matrix(motion.place);
  for (std::size_t k = 0; k < 9; ++k) out.arm.m[k] = -cross.m[k];
  for (std::size_t k = 0; k < 9; ++k) {
    const Vector3Pack column = out.to_own * motion.spin_map[k];
    for (std::size_t i = 0; i < 3; ++i) store_pack8(column.x[i], out.turned[3 * k + i]);
  }
}

Matrix3 of_lane(const Matrix3Pack& M, std::size_t lane) {
  Matrix3 one;
  for (std::size_t k = 0; k < 9; ++k) one.data()[k] = M.m[k][lane];
  return one;
}

}  // namespace

/// Eq. T6. It depends on the parents' shapes, but not on their frames.
void TreeSweeps::bend_nodes(Index first, Index last, const VectorX& q, const VectorX& qd) {
  Bent bent;
  for (Index n = first; n < last; ++n) {
    TreeNode& here = node(n);
    if (here.parent < 0) continue;
    const Index offset = node(here.parent).offset;
    bent.nodes[bent.count] = &here;
    bent.joints[bent.count++] = {&here.joint, q.data() + offset, qd.data() + offset};
  }
  if (bent.count == 0) return;
  const JointMotions motion = evaluate_joints({bent.joints.data(), bent.count});
  Transfers transfers;
  set_transfers(bent, motion, transfers);
  for (std::size_t lane = 0; lane < bent.count; ++lane) {
    TreeNode& here = *bent.nodes[lane];
    here.motion = motion.of(static_cast<int>(lane));
    here.transfer.topLeftCorner<3, 3>() = of_lane(transfers.lengths, lane);
    here.transfer.topRightCorner<3, 3>() = of_lane(transfers.arm, lane);
    here.transfer.bottomLeftCorner<3, 3>().setZero();
    here.transfer.bottomRightCorner<3, 3>() = of_lane(transfers.to_own, lane);
    const double* rates = here.joint.rates.data();
    const Index rows = here.jacobian.rows();
    multiply<3, 3>(
        rates, rows, [&](int k, int c) { return transfers.shift[3 * c + k][lane]; }, here.jacobian.data());
    multiply<9, 3>(
        rates + 3 * rows, rows, [&](int k, int c) { return transfers.turned[3 * k + c][lane]; },
        here.jacobian.data() + 3 * rows);
  }
}

}  // namespace pliant
