#include "pliant/solve/block/schedule.hpp"

#include "pliant/solve/block/block_layout.hpp"

#include <algorithm>
#include <span>

namespace pliant {
namespace {

constexpr double kOneTask = 2e6;     // flops of a system that is not worth a second thread (about 0.1 ms)
constexpr double kManyRanges = 2e6;  // flops of a late column whose rows are shared out
constexpr Index kRangeRows = 128;
constexpr double kThreads = 4.0;  // for which subtrees are chosen; more threads share the same tasks
constexpr std::size_t kTasks = 16;

/// A subtree: its columns, of which the last is the root, and their work.
struct Subtree {
  ColumnRange columns;
  double flops = 0.0;
};

/// Cuts the forest from the roots down, always the subtree with the most work, and keeps the state in which
/// four threads would be done first: the cut columns one after the other, then the largest share.
class Cut {
 public:
  explicit Cut(const BlockLayout& layout) : layout_(&layout), children_(layout.columns.size()) {
    for (Index k = 0; k < std::ssize(layout.columns); ++k) {
      whole_.push_back({{k, k + 1}, layout.columns[to_size(k)].flops});
      for (const Index child : children_[to_size(k)]) {
        whole_.back().flops += whole_[to_size(child)].flops;
        whole_.back().columns.begin =
            std::min(whole_.back().columns.begin, whole_[to_size(child)].columns.begin);
      }
      const Index parent = layout.columns[to_size(k)].parent;
      if (parent < 0)
        add(k);
      else
        children_[to_size(parent)].push_back(k);
    }
  }

  void run() {
    double best = time();
    std::vector<Subtree> best_subtrees = subtrees_;
    std::size_t best_late = 0;
    while (!subtrees_.empty() && late_flops_ < best) {
      cut_largest();
      if (time() >= best) continue;
      best = time();
      best_subtrees = subtrees_;
      best_late = late_.size();
    }
    subtrees_ = std::move(best_subtrees);
    late_.resize(best_late);
    std::ranges::sort(late_);
  }

  [[nodiscard]] const std::vector<Subtree>& subtrees() const { return subtrees_; }
  [[nodiscard]] const std::vector<Index>& late() const { return late_; }

 private:
  static bool less(const Subtree& a, const Subtree& b) {
    return a.flops < b.flops || (a.flops == b.flops && a.columns.end < b.columns.end);
  }
  void add(Index root) {
    subtrees_.push_back(whole_[to_size(root)]);
    waiting_flops_ += subtrees_.back().flops;
    std::ranges::push_heap(subtrees_, less);
  }
  void cut_largest() {
    std::ranges::pop_heap(subtrees_, less);
    const Subtree gone = subtrees_.back();
    subtrees_.pop_back();
    waiting_flops_ -= gone.flops;
    const Index root = gone.columns.end - 1;
    late_.push_back(root);
    late_flops_ += layout_->columns[to_size(root)].flops;
    for (const Index child : children_[to_size(root)]) add(child);
  }
  [[nodiscard]] double time() const {
    const double largest = subtrees_.empty() ? 0.0 : subtrees_.front().flops;
    return late_flops_ + std::max(waiting_flops_ / kThreads, largest);
  }

  const BlockLayout* layout_;
  std::vector<std::vector<Index>> children_;
  std::vector<Subtree> whole_;     // the subtree of each column
  std::vector<Subtree> subtrees_;  // a heap
  std::vector<Index> late_;
  double waiting_flops_ = 0.0, late_flops_ = 0.0;
};

/// Subtrees shared out to tasks of about the same work, the largest first.
std::vector<std::vector<ColumnRange>> share_out(std::vector<Subtree> subtrees) {
  std::ranges::sort(subtrees, [](const Subtree& a, const Subtree& b) {
    return a.flops > b.flops || (a.flops == b.flops && a.columns.begin < b.columns.begin);
  });
  std::vector<std::vector<ColumnRange>> tasks(std::min(kTasks, subtrees.size()));
  std::vector<double> flops(tasks.size(), 0.0);
  for (const Subtree& subtree : subtrees) {
    const auto least = std::ranges::min_element(flops);
    *least += subtree.flops;
    tasks[to_size(least - flops.begin())].push_back(subtree.columns);
  }
  return tasks;
}

/// Ranges of at least kRangeRows rows of the blocks below the diagonal.
std::vector<Index> row_ranges(const BlockLayout& layout, const FactorColumn& column) {
  std::vector<Index> bounds{column.first_block};
  if (column.flops >= kManyRanges) {
    Index begin = column.padded;
    for (Index b = column.first_block; b < column.last_block; ++b) {
      const Index row = layout.blocks[to_size(b)].panel_row;
      if (row - begin < kRangeRows || column.rows - row < kRangeRows) continue;
      bounds.push_back(b);
      begin = row;
    }
  }
  bounds.push_back(column.last_block);
  return bounds;
}

}  // namespace

void make_schedule(BlockLayout& layout) {
  double flops = 0.0;
  for (const FactorColumn& column : layout.columns) flops += column.flops;
  if (flops < kOneTask) {
    layout.tasks = {{{0, std::ssize(layout.columns)}}};
    return;
  }
  Cut cut(layout);
  cut.run();
  layout.tasks = share_out(cut.subtrees());
  for (const Index k : cut.late()) layout.late.push_back({k, row_ranges(layout, layout.columns[to_size(k)])});
}

}  // namespace pliant
