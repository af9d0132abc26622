#include "pliant/model/tree/tree_modes.hpp"

#include "pliant/math/dense.hpp"
#include "pliant/math/eigenpairs.hpp"

#include <algorithm>

namespace pliant {
namespace {

/// The stiffness of a domain at rest, scaled to work in world units.
MatrixX stiffness_of(const TreeSweeps& sweeps, const TreeNode& node) {
  return node.inertia_factor * node.stiffness_factor * sweeps.class_data(node.class_index).rest_stiffness;
}

}  // namespace

TreeModes::TreeModes(TreeSweeps& sweeps) : sweeps_(&sweeps) {
  const auto roots = std::ssize(sweeps.roots());
  in_ = out_ = VectorX::Zero(sweeps.size());
  rates_ = wrenches_ = VectorX::Zero(6 * roots);
  for (Index i = 0; i < roots; ++i)
    if (sweeps.is_free(sweeps.roots()[to_size(i)]))
      for (Index k = 0; k < 6; ++k) free_rows_.push_back(6 * i + k);
  const auto rigid = std::ssize(free_rows_);
  rigid_mass_.resize(rigid, rigid);
  for (Index i = 0; i < rigid; ++i) {
    rates_.setZero();
    rates_[free_rows_[to_size(i)]] = 1.0;
    sweeps.apply_mass(in_, rates_, out_, wrenches_);
    for (Index k = 0; k < rigid; ++k) rigid_mass_(k, i) = wrenches_[free_rows_[to_size(k)]];
  }
  rates_.setZero();
}

/// The twists of the free roots at which their momenta vanish: elastic modes carry none.
void TreeModes::free_twists(const VectorX& x, VectorX& rates) {
  rates.setZero();
  if (free_rows_.empty()) return;
  sweeps_->apply_mass(x, rates, out_, wrenches_);
  VectorX momentum(rigid_mass_.rows());
  for (Index i = 0; i < momentum.size(); ++i) momentum[i] = wrenches_[free_rows_[to_size(i)]];
  const VectorX twists = -SymmetricFactor(rigid_mass_).solve(momentum);
  for (Index i = 0; i < momentum.size(); ++i) rates[free_rows_[to_size(i)]] = twists[i];
}

/// M x, where free roots move so that their momenta stay zero.
void TreeModes::apply_mass(ConstVectorRef x, VectorRef y) {
  in_ = x;
  free_twists(in_, rates_);
  sweeps_->apply_mass(in_, rates_, out_, wrenches_);
  y = out_;
}

void TreeModes::take(Index column, const VectorX& x) {
  vectors.col(column).head(x.size()) = x;
  free_twists(x, rates_);
  for (std::size_t i = 0; i < free_rows_.size(); ++i)
    vectors(x.size() + static_cast<Index>(i), column) = rates_[free_rows_[i]];
}

bool TreeModes::find(Index count, const Progress& progress, Index dense) {
  const Index size = sweeps_->size();
  squared.resize(count);
  vectors.setZero(size + std::ssize(free_rows_), count);
  if (count == 0) return true;
  if (size <= dense) return find_dense(count);
  if (sweeps_->inertia() != TreeInertia::kL3) return false;
  std::vector<PositiveFactor> blocks;
  for (const TreeNode& node : sweeps_->layout().nodes) blocks.emplace_back(stiffness_of(*sweeps_, node));
  const LinearOperator inverse = [&](ConstVectorRef x, VectorRef y) {
    for (std::size_t n = 0; n < blocks.size(); ++n) {
      const TreeNode& node = sweeps_->layout().nodes[n];
      if (node.r > 0) y.segment(node.offset, node.r) = blocks[n].solve(x.segment(node.offset, node.r));
    }
  };
  const LinearOperator mass = [&](ConstVectorRef x, VectorRef y) { apply_mass(x, y); };
  const Result<EigenPairs> pairs = lowest_eigenpairs(inverse, mass, size, count, progress);
  if (!pairs) return false;
  squared = pairs.value().values;
  for (Index i = 0; i < count; ++i) take(i, pairs.value().vectors.col(i));
  return true;
}

bool TreeModes::find_dense(Index count) {
  const Index size = sweeps_->size();
  MatrixX mass(size, size), stiffness = MatrixX::Zero(size, size);
  for (Index i = 0; i < size; ++i) apply_mass(VectorX::Unit(size, i), mass.col(i));
  for (const TreeNode& node : sweeps_->layout().nodes)
    stiffness.block(node.offset, node.offset, node.r, node.r) = stiffness_of(*sweeps_, node);
  if (sweeps_->inertia() == TreeInertia::kL3) {
    mass = 0.5 * (mass + mass.transpose()).eval();
    const std::optional<DenseEigen> pairs = generalized_eigen(stiffness, mass);
    if (!pairs) return false;
    squared = pairs->values.head(count);
    for (Index i = 0; i < count; ++i) take(i, pairs->vectors.col(i));
    return true;
  }
  // Lumped inertia: M is not symmetric. 1/ω² are the positive eigenvalues of K⁻¹M.
  const PositiveFactor cholesky(stiffness);
  if (!cholesky.succeeded()) return false;
  const std::optional<DenseEigen> pairs = positive_eigen(cholesky.solve_all(mass));
  if (!pairs) return false;
  std::vector<std::pair<double, Index>> found;
  for (Index i = 0; i < pairs->values.size(); ++i) found.emplace_back(1.0 / pairs->values[i], i);
  std::sort(found.begin(), found.end());
  count = std::min(count, std::ssize(found));
  squared.conservativeResize(count);
  vectors.conservativeResize(Eigen::NoChange, count);
  for (Index i = 0; i < count; ++i) {
    squared[i] = found[to_size(i)].first;
    take(i, pairs->vectors.col(found[to_size(i)].second));
  }
  return true;
}

}  // namespace pliant
