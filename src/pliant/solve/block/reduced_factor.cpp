#include "pliant/solve/block/reduced_factor.hpp"

#include <algorithm>
#include <set>

namespace pliant {
namespace {

constexpr double kWorthwhile = 0.5;  // of the work of a dense factor

Index count_of(const std::vector<CoordinateRange>& ranges) {
  Index sum = 0;
  for (const CoordinateRange& range : ranges) sum += range.count;
  return sum;
}

/// Calls take(ranges of rows and columns, row and column in the block) for all parts of a block.
template <class Take>
void for_each_part(const std::vector<CoordinateRange>& rows, const std::vector<CoordinateRange>& columns,
                   const Take& take) {
  Index row = 0;
  for (const CoordinateRange& r : rows) {
    Index column = 0;
    for (const CoordinateRange& c : columns) {
      take(r, c, row, column);
      column += c.count;
    }
    row += r.count;
  }
}

}  // namespace

Index CoordinateBlocks::size() const {
  Index sum = 0;
  for (const auto& own : ranges) sum += count_of(own);
  return sum;
}

ReducedFactor::ReducedFactor(Index size, const CoordinateBlocks* blocks) : dense_(size) {
  if (blocks == nullptr || blocks->ranges.size() < 2) return;
  Blocks made{blocks->ranges, blocks->coupled, {}, {}, VectorX::Zero(size)};
  if (const Index covered = blocks->size(); covered < size) {
    for (Index i = 0; i < std::ssize(blocks->ranges); ++i)
      made.coupled.push_back({std::ssize(made.ranges), i});
    made.ranges.push_back({{covered, size - covered}});
  }
  std::set<BlockPair> known;
  for (BlockPair& pair : made.coupled) {
    if (pair[0] < pair[1]) std::swap(pair[0], pair[1]);
    known.insert(pair);
  }
  made.coupled.assign(known.begin(), known.end());
  std::vector<Index> sizes;
  for (Index i = 0; i < std::ssize(made.ranges); ++i) {
    sizes.push_back(count_of(made.ranges[to_size(i)]));
    for (Index j = 0; j < i; ++j)
      if (!known.contains({i, j})) made.apart.push_back({i, j});
  }
  made.system = BlockCholesky(sizes, made.coupled);
  const auto n = static_cast<double>(size);
  if (made.system.statistics().flops_factorize < kWorthwhile * n * n * n / 3.0) blocks_ = std::move(made);
}

bool ReducedFactor::fits(ConstMatrixRef A) const {
  for (const auto& [i, j] : blocks_->apart) {
    bool zero = true;
    for_each_part(blocks_->ranges[to_size(i)], blocks_->ranges[to_size(j)],
                  [&](const CoordinateRange& r, const CoordinateRange& c, Index, Index) {
                    zero = zero && (r.first > c.first ? A.block(r.first, c.first, r.count, c.count)
                                                      : A.block(c.first, r.first, c.count, r.count))
                                       .isZero(0.0);
                  });
    if (!zero) return false;
  }
  return true;
}

void ReducedFactor::fill(ConstMatrixRef A, Index i, Index j) {
  auto block = blocks_->system.block(i, j);
  for_each_part(blocks_->ranges[to_size(i)], blocks_->ranges[to_size(j)],
                [&](const CoordinateRange& r, const CoordinateRange& c, Index row, Index column) {
                  auto part = block.block(row, column, r.count, c.count);
                  if (r.first >= c.first)
                    part = A.block(r.first, c.first, r.count, c.count);
                  else
                    part = A.block(c.first, r.first, c.count, r.count).transpose();
                });
}

bool ReducedFactor::factorize(ConstMatrixRef A) {
  dense_last_ = !blocks_ || !fits(A);
  if (dense_last_) return dense_.factorize(A);
  for (Index i = 0; i < std::ssize(blocks_->ranges); ++i) fill(A, i, i);
  for (const auto& [i, j] : blocks_->coupled) fill(A, i, j);
  return blocks_->system.factorize();
}

void ReducedFactor::solve(VectorRef x) {
  if (dense_last_) return dense_.solve(x);
  VectorX& right = blocks_->right;
  Index at = 0;
  for (const auto& own : blocks_->ranges)
    for (const CoordinateRange& range : own) {
      right.segment(at, range.count) = x.segment(range.first, range.count);
      at += range.count;
    }
  blocks_->system.solve(right);
  at = 0;
  for (const auto& own : blocks_->ranges)
    for (const CoordinateRange& range : own) {
      x.segment(range.first, range.count) = right.segment(at, range.count);
      at += range.count;
    }
}

}  // namespace pliant
