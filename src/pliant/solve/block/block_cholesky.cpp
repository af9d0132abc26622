#include "pliant/solve/block/block_cholesky.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/solve/block/block_layout.hpp"
#include "pliant/solve/block/large_array.hpp"
#include "pliant/solve/block/panel_kernels.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace pliant {
namespace {

// Diagonals of scaled matrices are in [1, 4).
constexpr double kSmallestPivot = 1e-15;
constexpr double kFirstShift = 1e-3;
constexpr double kShiftFactor = 4.0;

/// The power of two that brings the number into [1, 2).
double scale_for(double size) { return std::ldexp(1.0, -std::ilogb(size)); }

}  // namespace

struct BlockCholesky::Data {
  Data() = default;
  Data(std::span<const Index> sizes, std::span<const BlockPair> coupled)
      : layout(sizes, coupled),
        matrix(layout.matrix_size),
        factor(layout.factor_size),
        scale(VectorX::Zero(layout.padded_rows)),
        inverse(VectorX::Zero(layout.padded_rows)),
        right(VectorX::Zero(kSides * layout.padded_rows)),
        gathered(VectorX::Zero(kSides * layout.tallest)) {}

  [[nodiscard]] bool scale_by_diagonal();
  template <class Visit>
  void each_entry(const Visit& visit) const;
  void scale_by_rows();
  void assemble(const FactorColumn& column);
  void assemble(const FactorColumn& column, const FactorBlock& block);
  void update_diagonal(const FactorColumn& column);
  void update(const FactorColumn& column, Index begin, Index end);
  void prepare(const FactorColumn& column, Index begin, Index end);
  void divide(const FactorColumn& column, Index begin, Index end);
  [[nodiscard]] bool factorise(double sigma);

  [[nodiscard]] Panel panel(const FactorColumn& column) {
    return {factor.data() + column.place, column.stride};
  }
  [[nodiscard]] double matrix_diagonal(const FactorColumn& column, Index i) const {
    return matrix[column.source + i * (column.size + 1)];
  }

  template <int Sides>
  void substitute();
  template <int Sides>
  void solve(MatrixRef X);

  BlockLayout layout;
  LargeArray matrix;  // A, places from the layout
  LargeArray factor;  // L
  VectorX scale;      // D, in the order of elimination, padded
  VectorX inverse;    // 1 / diagonal of L, likewise
  VectorX right;      // right-hand sides, likewise
  VectorX gathered;   // their rows below a panel's diagonal
  double shift = 0.0;
};

/// D = 2^k. False where A cannot be definite.
bool BlockCholesky::Data::scale_by_diagonal() {
  for (const FactorColumn& column : layout.columns)
    for (Index i = 0; i < column.size; ++i) {
      const double diagonal = matrix_diagonal(column, i);
      if (!(diagonal > 0.0 && std::isfinite(diagonal))) return false;
      scale[column.begin + i] = scale_for(std::sqrt(diagonal));
    }
  return true;
}

/// visit(row, column, |entry|) for all entries below the diagonal, rows and columns as in `scale`.
template <class Visit>
void BlockCholesky::Data::each_entry(const Visit& visit) const {
  for (const FactorColumn& column : layout.columns) {
    for (Index j = 0; j < column.size; ++j)
      for (Index i = j + 1; i < column.size; ++i)
        visit(column.begin + i, column.begin + j, std::abs(matrix[column.source + i + j * column.size]));
    for (Index b = column.first_block; b < column.last_block; ++b) {
      const FactorBlock& block = layout.blocks[to_size(b)];
      if (block.source < 0) continue;
      const FactorColumn& other = layout.columns[to_size(block.row)];
      const FactorColumn &rows = block.transposed ? column : other,
                         &columns = block.transposed ? other : column;
      for (Index j = 0; j < columns.size; ++j)
        for (Index i = 0; i < rows.size; ++i)
          visit(rows.begin + i, columns.begin + j, std::abs(matrix[block.source + i + j * rows.size]));
    }
  }
}

/// D for matrices that are not definite: 1/D = e such that |a_ij| ≤ e_i e_j. Where √|a_ii| is too small for
/// that, both sides grow alike; where it is zero, e_i is what the other side needs.
void BlockCholesky::Data::scale_by_rows() {
  VectorX &e = scale, &most = inverse;  // which is not needed yet
  e.setZero();
  for (const FactorColumn& column : layout.columns)
    for (Index i = 0; i < column.size; ++i)
      e[column.begin + i] = std::sqrt(std::abs(matrix_diagonal(column, i)));
  const auto raise = [&](Index i, double value) { most[i] = std::max(most[i], value); };
  most.setZero();
  each_entry([&](Index i, Index j, double entry) {
    if (e[i] == 0.0 && e[j] > 0.0) raise(i, entry / e[j]);
    if (e[j] == 0.0 && e[i] > 0.0) raise(j, entry / e[i]);
  });
  e = (e.array() == 0.0).select(most, e);
  most.setZero();
  each_entry([&](Index i, Index j, double entry) {
    const double product = e[i] * e[j];
    const double side = std::sqrt(product > 0.0 ? entry / product : entry);
    raise(i, side);
    raise(j, side);
  });
  for (Index i = 0; i < e.size(); ++i) {
    const double size = e[i] > 0.0 ? e[i] * std::max(1.0, most[i]) : most[i];
    scale[i] = size > 0.0 ? scale_for(size) : 1.0;
  }
}

/// The diagonal block of D A D into its panel.
void BlockCholesky::Data::assemble(const FactorColumn& column) {
  const Panel target = panel(column);
  const double* row_scale = scale.data() + column.begin;
  for (Index j = 0; j < column.size; ++j) {
    const double* from = matrix.data() + column.source + j * column.size;
    double* to = target.data + j * target.stride;
    std::fill(to + j / kPackRows * kPackRows, to + j, 0.0);  // kernels touch it, nobody uses it
    for (Index i = j; i < column.size; ++i) to[i] = from[i] * (row_scale[i] * row_scale[j]);
    to[j] += shift;
    std::fill(to + column.size, to + column.padded, 0.0);
  }
}

/// A block below the diagonal into its place of the panel.
void BlockCholesky::Data::assemble(const FactorColumn& column, const FactorBlock& block) {
  const Panel target = panel(column).from_row(block.panel_row);
  const FactorColumn& rows = layout.columns[to_size(block.row)];
  const double *row_scale = scale.data() + rows.begin, *column_scale = scale.data() + column.begin;
  const double* from = matrix.data() + block.source;
  const Index step = block.transposed ? column.size : 1, column_step = block.transposed ? 1 : rows.size;
  for (Index j = 0; j < column.size; ++j) {
    double* to = target.data + j * target.stride;
    std::fill(to + (block.source < 0 ? 0 : rows.size), to + rows.padded, 0.0);
    if (block.source < 0) continue;
    for (Index i = 0; i < rows.size; ++i)
      to[i] = from[i * step + j * column_step] * (row_scale[i] * column_scale[j]);
  }
}

/// What the columns before it subtract from a diagonal block: L_jk L_jkᵀ.
void BlockCholesky::Data::update_diagonal(const FactorColumn& column) {
  for (Index u = column.first_update; u < column.last_update; ++u) {
    const ColumnUpdate& update = layout.updates[to_size(u)];
    const FactorColumn& before = layout.columns[to_size(update.column)];
    const Panel own = panel(before).from_row(layout.blocks[to_size(update.block)].panel_row);
    subtract_lower_product(panel(column), column.padded, column.size, own, own, before.size);
  }
}

/// What they subtract from the blocks [begin, end) below it: L_ik L_jkᵀ. Blocks that follow one another in
/// both panels are done as one.
void BlockCholesky::Data::update(const FactorColumn& column, Index begin, Index end) {
  const std::vector<FactorBlock>& blocks = layout.blocks;
  const auto rows_of = [&](Index b) { return layout.columns[to_size(blocks[to_size(b)].row)].padded; };
  for (Index u = column.first_update; u < column.last_update; ++u) {
    const ColumnUpdate& update = layout.updates[to_size(u)];
    const FactorColumn& before = layout.columns[to_size(update.column)];
    const Panel own = panel(before).from_row(blocks[to_size(update.block)].panel_row);
    Index target = begin;
    for (Index b = update.block + 1; b < before.last_block && target < end;) {
      const FactorBlock& source = blocks[to_size(b)];
      while (target < end && blocks[to_size(target)].row < source.row) ++target;
      if (target == end) break;
      const Index row = blocks[to_size(target)].panel_row;
      Index rows = 0;
      while (b < before.last_block && target < end && blocks[to_size(b)].row == blocks[to_size(target)].row) {
        rows += rows_of(b++);
        ++target;
      }
      if (rows == 0)
        ++b;  // of the blocks before `begin`
      else
        subtract_product(panel(column).from_row(row), rows, column.size,
                         panel(before).from_row(source.panel_row), own, before.size);
    }
  }
}

/// The diagonal block (with the first range of blocks) and the blocks [begin, end) below it: D A D minus what
/// earlier columns subtract.
void BlockCholesky::Data::prepare(const FactorColumn& column, Index begin, Index end) {
  if (begin == column.first_block) {
    assemble(column);
    update_diagonal(column);
  }
  for (Index b = begin; b < end; ++b) assemble(column, layout.blocks[to_size(b)]);
  update(column, begin, end);
}

void BlockCholesky::Data::divide(const FactorColumn& column, Index begin, Index end) {
  const auto row_of = [&](Index b) {
    return b < column.last_block ? layout.blocks[to_size(b)].panel_row : column.rows;
  };
  const Index row = row_of(begin);
  divide_rows(panel(column).from_row(row), row_of(end) - row, panel(column), column.size,
              inverse.data() + column.begin);
}

/// L Lᵀ = D A D + σ I, column by column. False when it is not definite.
bool BlockCholesky::Data::factorise(double sigma) {
  shift = sigma;
  const double smallest = std::max(kSmallestPivot, 0.1 * sigma);
  std::atomic<bool> definite{true};
  const auto take_diagonal = [&](const FactorColumn& column) {
    if (!factorise_diagonal(panel(column), column.size, smallest, inverse.data() + column.begin))
      definite = false;
  };
  const auto task = [&](Index t) {
    for (const ColumnRange& range : layout.tasks[to_size(t)])
      for (Index k = range.begin; k < range.end && definite; ++k) {
        const FactorColumn& column = layout.columns[to_size(k)];
        prepare(column, column.first_block, column.last_block);
        take_diagonal(column);
        divide(column, column.first_block, column.last_block);
      }
  };
  parallel_tasks(std::ssize(layout.tasks), std::cref(task));  // std::cref: no allocation
  for (const LateColumn& late : layout.late) {
    if (!definite) break;
    const FactorColumn& column = layout.columns[to_size(late.column)];
    const std::vector<Index>& bounds = late.bounds;
    const Index ranges = std::ssize(bounds) - 1;
    const auto first = [&](Index r) { prepare(column, bounds[to_size(r)], bounds[to_size(r + 1)]); };
    const auto last = [&](Index r) { divide(column, bounds[to_size(r)], bounds[to_size(r + 1)]); };
    parallel_tasks(ranges, std::cref(first));
    take_diagonal(column);
    parallel_tasks(ranges, std::cref(last));
  }
  return definite;
}

/// L Lᵀ x = x for the right-hand sides in `right`.
template <int Sides>
void BlockCholesky::Data::substitute() {
  double *x = right.data(), *side = gathered.data();
  const auto each_row = [&](const FactorColumn& column, const auto& work) {
    for (Index b = column.first_block; b < column.last_block; ++b) {
      const FactorBlock& block = layout.blocks[to_size(b)];
      const FactorColumn& rows = layout.columns[to_size(block.row)];
      work(x + Sides * rows.begin, side + Sides * (block.panel_row - column.padded), Sides * rows.padded);
    }
  };
  for (const FactorColumn& column : layout.columns) {
    double* own = x + Sides * column.begin;
    const Index below = column.rows - column.padded;
    solve_lower<Sides>(panel(column), column.size, inverse.data() + column.begin, own);
    std::fill_n(side, Sides * below, 0.0);
    subtract_times<Sides>(panel(column).from_row(column.padded), below, column.size, own, side);
    each_row(column, [](double* to, const double* from, Index count) {
      for (Index i = 0; i < count; ++i) to[i] += from[i];
    });
  }
  for (Index k = std::ssize(layout.columns) - 1; k >= 0; --k) {
    const FactorColumn& column = layout.columns[to_size(k)];
    double* own = x + Sides * column.begin;
    each_row(column, [](const double* from, double* to, Index count) { std::copy_n(from, count, to); });
    subtract_transposed_times<Sides>(panel(column).from_row(column.padded), column.rows - column.padded,
                                     column.size, side, own);
    solve_upper<Sides>(panel(column), column.size, inverse.data() + column.begin, own);
  }
}

/// X, which has at most `Sides` columns, replaced by the solution: D L⁻ᵀ L⁻¹ D X.
template <int Sides>
void BlockCholesky::Data::solve(MatrixRef X) {
  const auto each = [&](const auto& work) {
    for (const FactorColumn& column : layout.columns)
      for (Index s = 0; s < X.cols(); ++s)
        for (Index i = 0; i < column.size; ++i)
          work(X(layout.offsets[to_size(column.block)] + i, s), right[Sides * (column.begin + i) + s],
               scale[column.begin + i]);
  };
  right.head(Sides * layout.padded_rows).setZero();
  each([](double outside, double& inside, double d) { inside = outside * d; });
  substitute<Sides>();
  each([](double& outside, double inside, double d) { outside = inside * d; });
}

BlockCholesky::BlockCholesky() : data_(std::make_unique<Data>()) {}
BlockCholesky::BlockCholesky(std::span<const Index> sizes, std::span<const BlockPair> coupled)
    : data_(std::make_unique<Data>(sizes, coupled)) {}
BlockCholesky::~BlockCholesky() = default;
BlockCholesky::BlockCholesky(BlockCholesky&&) noexcept = default;
BlockCholesky& BlockCholesky::operator=(BlockCholesky&&) noexcept = default;

Index BlockCholesky::block_count() const { return std::ssize(data_->layout.sizes); }
Index BlockCholesky::size() const { return data_->layout.rows; }
Index BlockCholesky::size_of(Index block) const { return data_->layout.sizes[to_size(block)]; }
Index BlockCholesky::offset_of(Index block) const { return data_->layout.offsets[to_size(block)]; }

void BlockCholesky::set_zero() { data_->matrix.set_zero(); }

Eigen::Map<MatrixX> BlockCholesky::block(Index i, Index j) {
  PLIANT_ASSERT(i >= j);
  const Index place = data_->layout.find(i, j);
  PLIANT_ASSERT(place >= 0 || size_of(i) * size_of(j) == 0);
  return {data_->matrix.data() + std::max<Index>(place, 0), size_of(i), size_of(j)};
}
Eigen::Map<const MatrixX> BlockCholesky::block(Index i, Index j) const {
  PLIANT_ASSERT(i >= j);
  const Index place = data_->layout.find(i, j);
  PLIANT_ASSERT(place >= 0 || size_of(i) * size_of(j) == 0);
  return {data_->matrix.data() + std::max<Index>(place, 0), size_of(i), size_of(j)};
}

bool BlockCholesky::factorize() { return data_->scale_by_diagonal() && data_->factorise(0.0); }

bool BlockCholesky::factorize_modified() {
  if (factorize()) return true;
  data_->scale_by_rows();
  // No entry of D A D is above 4, so a larger shift than the last one would make it diagonally dominant.
  const double last = 8.0 * kShiftFactor * static_cast<double>(size());
  for (double sigma = kFirstShift; sigma < last; sigma *= kShiftFactor)
    if (data_->factorise(sigma)) return true;
  return false;
}

double BlockCholesky::shift() const { return data_->shift; }

void BlockCholesky::solve(VectorRef x) {
  PLIANT_ASSERT(x.size() == size());
  data_->solve<1>(x);
}

void BlockCholesky::solve_all(MatrixRef X) {
  PLIANT_ASSERT(X.rows() == size());
  for (Index s = 0; s < X.cols(); s += kSides)
    data_->solve<kSides>(X.middleCols(s, std::min<Index>(kSides, X.cols() - s)));
}

BlockStatistics BlockCholesky::statistics() const {
  const BlockLayout& layout = data_->layout;
  BlockStatistics numbers;
  std::vector<Index> height(layout.columns.size(), 1);
  for (std::size_t k = 0; k < layout.columns.size(); ++k) {
    const FactorColumn& column = layout.columns[k];
    const Index triangle = column.size * (column.size + 1) / 2;
    Index below = 0, stored = 0;  // scalar rows
    for (Index b = column.first_block; b < column.last_block; ++b) {
      const FactorBlock& block = layout.blocks[to_size(b)];
      const Index rows = layout.columns[to_size(block.row)].size;
      below += rows;
      if (block.source < 0) continue;
      stored += rows;
      ++numbers.blocks_matrix;
    }
    numbers.scalars_matrix += triangle + column.size * stored;
    numbers.scalars_factor += triangle + column.size * below;
    const double n = static_cast<double>(column.size), m = static_cast<double>(below);
    numbers.flops_factorize += n * (n * n / 3.0 + n * m + m * m);
    numbers.tree_height = std::max(numbers.tree_height, height[k]);
    if (column.parent >= 0)
      height[to_size(column.parent)] = std::max(height[to_size(column.parent)], height[k] + 1);
  }
  numbers.blocks_matrix += block_count();
  numbers.blocks_factor = std::ssize(layout.blocks) + block_count();
  numbers.flops_solve = 4.0 * static_cast<double>(numbers.scalars_factor);
  return numbers;
}

BlockPattern BlockCholesky::pattern() const {
  BlockPattern pattern;
  for (Index k = 0; k < block_count(); ++k) {
    const FactorColumn& column = data_->layout.columns[to_size(k)];
    pattern.sizes.push_back(column.size);
    pattern.order.push_back(column.block);
    for (Index b = column.first_block; b < column.last_block; ++b) {
      const FactorBlock& block = data_->layout.blocks[to_size(b)];
      (block.source < 0 ? pattern.fill : pattern.matrix).push_back({block.row, k});
    }
  }
  return pattern;
}

}  // namespace pliant
