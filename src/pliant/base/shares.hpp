// base/shares.hpp — loops that run again and again over the same items.
//
// It takes a core long to get what another one has just written. So a thread should go on with the items that
// it had before.
#pragma once

#include "pliant/base/index.hpp"

#include <functional>
#include <vector>

namespace pliant {

/// Items that are worked on again and again, such as the parts of a body. Each thread begins with those that
/// it had before, so that they are still in its caches, and helps the others when it has done these.
class Shares {
 public:
  Shares() = default;
  /// Where each item is between 0 and 1; the first of n threads begins with those up to 1/n, and so on.
  explicit Shares(std::vector<double> places);
  /// body(item, lane) for each item, as in parallel_tasks(); at a time one thread alone is in each of at most
  /// `most` lanes, whose memory it may use. Allocates nothing.
  void run(const std::function<void(Index, Index)>& body, int most = 64) const;

 private:
  std::vector<double> places_;  // ascending
  std::vector<Index> order_;    // which item is where
};

}  // namespace pliant
