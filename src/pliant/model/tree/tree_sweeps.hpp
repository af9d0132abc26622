// model/tree/tree_sweeps.hpp — the equations of a tree of domains, by sweeps from root to leaves and back.
//
//     bend ──► carry ──► evaluate, load ──► carry_rates, unbalance ──► eliminate ────► accelerate
//     joints   frames,   forces, stiffness, what accelerations A       leaves to root: root to leaves: δ
//              twists    inertia            leave unbalanced: r        IA, pA
//
// The cost is linear in the number of domains. Let M(q) be the mass matrix of the whole tree and h its
// centrifugal and Coriolis forces. Then the sweeps compute r = M(q) A + h + f − f_ext and
// δ = −(M(q) + a K + b D)⁻¹ r exactly, without forming M (docs/theory/tree.md, Eq. T6–T12). For rigid links
// they are the recursive Newton–Euler and Featherstone's articulated-body method.
#pragma once

#include "pliant/model/tree/tree_nodes.hpp"
#include "pliant/subspace/quartic_batch.hpp"
#include "pliant/subspace/reduced_forces.hpp"

#include <functional>

namespace pliant {

/// The elastic forces of a class: polynomials of all its copies at once, or element loops copy by copy.
struct ClassForces {
  std::optional<QuarticBatch> batch;
  std::unique_ptr<ReducedForces> exact;
};

/// The nodes of a tree and all operations of a step that go over them.
class TreeSweeps {
 public:
  TreeSweeps(std::shared_ptr<const TreeBody> body, TreeInertia inertia, const std::vector<Load>& loads);

  [[nodiscard]] const TreeLayout& layout() const { return layout_; }
  [[nodiscard]] TreeLayout& layout() { return layout_; }
  [[nodiscard]] const TreeBody& body() const { return *body_; }
  [[nodiscard]] const ClassData& class_data(Index c) const { return classes_[to_size(c)]; }
  [[nodiscard]] TreeNode& node(Index n) { return layout_.nodes[to_size(n)]; }
  [[nodiscard]] const TreeNode& node(Index n) const { return layout_.nodes[to_size(n)]; }
  [[nodiscard]] Index node_count() const { return std::ssize(layout_.nodes); }
  [[nodiscard]] Index size() const { return layout_.size; }
  /// True when loads depend on the shape or velocity.
  [[nodiscard]] bool follow() const { return follow_; }
  [[nodiscard]] TreeInertia inertia() const { return inertia_; }

  /// Sets the constants of the material groups of every class.
  void set_materials(const std::vector<Material>& materials);

  /// Energy, force and stiffness of a domain at the last evaluate_forces(), before its stiffness factor.
  [[nodiscard]] double strain(const TreeNode& node) const { return strain_[&node - layout_.nodes.data()]; }
  [[nodiscard]] auto elastic(const TreeNode& node) const { return elastic_.segment(node.offset, node.r); }
  [[nodiscard]] Eigen::Map<const MatrixX> stiffness(const TreeNode& node) const {
    return {stiffness_.data() + node.stiffness_offset, node.r, node.r};
  }
  /// ReducedForces::rest_scale of a class.
  [[nodiscard]] double rest_scale(Index c) const {
    return forces_[to_size(c)].exact ? forces_[to_size(c)].exact->rest_scale() : 0.0;
  }
  /// The q of the last bend().
  [[nodiscard]] const VectorX& shape() const { return shape_; }

  /// Joints at (q, q̇): X and J of Eq. T6.
  void bend(const VectorX& q, const VectorX& qd);
  /// Frames and twists (Eq. T7) of all nodes below the roots. Those of the roots are given.
  void carry(const VectorX& qd);
  /// Inertia of every domain; and, once frames have their twists, its centrifugal and Coriolis forces.
  void evaluate_inertia(const VectorX& q, const VectorX& qd);
  void evaluate_biases();
  /// Energy, force and stiffness of every domain, unless they are already those of this q. False when not
  /// finite.
  bool evaluate_forces(const VectorX& q);
  /// The force alone, where a loop over elements would spend most of its time on the rest.
  bool evaluate_forces_only(const VectorX& q);
  /// bend(), carry(), evaluate_inertia() and evaluate_biases() in one sweep, so that each node's data are
  /// loaded once.
  void place(const VectorX& q, const VectorX& qd);
  /// Gravity, and the time at which loads are evaluated.
  struct Pull {
    double time = 0.0;
    LoadForces::Clock clock = LoadForces::Clock::kTime;
    Vector3 gravity = Vector3::Zero();
  };
  /// Loads, gravity and the drag of mass damping; needs carry() and evaluate_inertia().
  void load(const Pull& pull, const VectorX& q, const VectorX& qd);
  /// subtree_wrench of every node.
  void gather_wrenches();

  /// a = ∂q/∂A and b = ∂q̇/∂A of S = M + a K + b D. S has no tangent of loads that follow the shape: it would
  /// cost more than the iterations that it saves.
  struct Factors {
    double shape = 0.0;                   // a
    double rate = 0.0;                    // b
    bool rest_damping = false;            // D from the stiffness at rest
    const VectorX* shift = nullptr;       // present q minus the q that A leads to; null: they agree
    const VectorX* rate_shift = nullptr;  // the same of q̇
  };
  /// Rates V̇ of all frames below the roots at accelerations A (Eq. T7). Those of the roots are given.
  void carry_rates(const VectorX& A);
  /// carry_rates(), and the residuals of each domain's own equations (Eq. T9) into `force` and `force_rigid`
  /// of the nodes. With a shift, elastic and damping forces are linearised about the present shape.
  void unbalance(const Factors& factors, const VectorX& A, const VectorX& qd);
  /// Updates these residuals when the rates of the roots grow by their `change`.
  void add_rates();
  /// load() and unbalance() in one sweep.
  void load_and_unbalance(const Pull& pull, const Factors& factors, const VectorX& q, const VectorX& qd,
                          const VectorX& A);
  /// Leaves to root: the residual of all coordinates in world units, and `felt` of every node.
  void gather(VectorX& residual);
  /// Leaves to root: eliminates the coordinates of every domain (Eq. T10, T11). False when a system is not
  /// positive definite. `lumped`: with the inertia of L1 or L2 if the tree has it; needs gather().
  bool eliminate(const Factors& factors, bool lumped = true);
  /// The same for other residuals with the S, I_rq and IA of the last eliminate(), in a fraction of its time.
  /// Not for lumped inertia.
  void eliminate_again();
  /// The same with the mass matrix alone. The caller sets `force` and `force_rigid` of the nodes.
  bool eliminate_mass();
  /// Root to leaves: the changes of accelerations and of frames' rates (Eq. T12). The change of a root that
  /// is not free is given.
  void accelerate(VectorX& change);

  /// Ic and h of Eq. T15: inertia of a subtree as a rigid body in its present shape, and its momentum while
  /// its frame stands.
  struct Composite {
    Matrix6 inertia = Matrix6::Zero();
    Vector6 momentum = Vector6::Zero();
  };
  /// Composites of all nodes, leaves to root. Needs bend() and evaluate_inertia().
  void gather_composites(const VectorX& qd);
  [[nodiscard]] const Composite& composite(Index n) const { return composites_[to_size(n)]; }

  /// The product M(q) a of the mass matrix of the whole tree with accelerations of the coordinates and rates
  /// of the roots (6 per root, in order). Lumped inertia makes M unsymmetric. Needs bend() and
  /// evaluate_inertia().
  void apply_mass(const VectorX& a, const VectorX& root_rates, VectorX& out, VectorX& root_wrenches);

  [[nodiscard]] const std::vector<Index>& roots() const { return roots_; }
  /// Whether the frame of a root flies. Otherwise it stands or is driven.
  void set_free(Index root, bool free) { free_[to_size(root)] = free; }
  [[nodiscard]] bool is_free(Index node) const { return free_[to_size(node)]; }
  /// Cuts a node off its parent: it becomes a free root where it is.
  void detach(Index node);

 private:
  void bend_nodes(Index first, Index last, const VectorX& q, const VectorX& qd);
  [[nodiscard]] Vector6 carried(const TreeNode& here, const Vector6& above, const VectorX& rates) const;
  void carry_node(TreeNode& node, const VectorX& qd);
  [[nodiscard]] double* moments_of(const TreeNode& node);
  void load_node(const Pull& pull, TreeNode& node, const VectorX& q, const VectorX& qd);
  void carry_rate(TreeNode& node, const VectorX& A);
  /// Work space of the elimination of one node.
  struct Scratch {
    MatrixX product;  // r × 6, padded
    Matrix8X rights;  // 8 × r: six rows I_rq, one row r_q, one of padding
    Matrix6 rigid;    // I_rr
    Matrix6X frame;   // 6 × r: what points add to I_rq
    VectorX work;     // of factorise()
    Index r = -1;
    void reserve(Index size);
  };
  [[nodiscard]] Scratch& scratch_of(Index r) const;
  void unbalance_node(const Factors& factors, TreeNode& node, const VectorX& A, const VectorX& qd);
  void assemble_node(const Factors& factors, TreeNode& node, bool projected, Scratch& scratch);
  // Templates, defined in the sources: a std::function with so many captured references would allocate.
  template <class Assemble>
  bool eliminate_all(const Assemble& assemble, bool lumped);
  bool eliminate_node(TreeNode& node, bool lumped, Scratch& scratch);
  void lump(TreeNode& node);
  template <class Body>
  void for_level(Index level, const Body& body);
  template <class Body>
  void for_all(const Body& body);
  template <class Body>
  void for_eights(Index begin, Index end, const Body& body);
  void evaluate_class(Index class_index, const double* q, Index n, double* strain, double* f, double* K,
                      QuarticBatch::Scratch* scratch, bool forces_only = false);
  void evaluate_all(const VectorX& q, bool forces_only);
  void set_class_materials(Index class_index, const std::vector<Material>& materials);
  void make_scratch();
  void find_roots();
  void weigh();

  std::shared_ptr<const TreeBody> body_;
  TreeInertia inertia_;
  TreeLayout layout_;
  std::vector<ClassData> classes_;
  std::vector<ClassForces> forces_;             // per class
  VectorX elastic_;                             // ∂E/∂q of all nodes
  VectorX stiffness_;                           // ∂²E/∂q² of all nodes
  VectorX strain_;                              // E of all nodes, before the stiffness factor
  std::vector<QuarticBatch::Scratch> scratch_;  // one per block of a run
  std::vector<Index> roots_;
  std::vector<char> free_;
  std::vector<double> subtree_mass_;  // per node, class units
  std::vector<Composite> composites_;
  std::vector<char> failed_;
  VectorX moments_;     // of evaluate_inertia(), for evaluate_biases()
  VectorX still_;       // zero velocities
  Index largest_ = 0;   // r of any node
  VectorX shape_;       // of the last bend()
  VectorX evaluated_;   // of the last evaluate_forces()
  bool known_ = false;  // whether its results still hold
  bool follow_ = false;
};

}  // namespace pliant
