// model/coupled/coupled_shape.hpp — where the domains of a coupled body are, and how fast they move.
#pragma once

#include "pliant/model/reduced/rigid_frame.hpp"
#include "pliant/subspace/coupled_body.hpp"

#include <vector>

namespace pliant {

/// The unknowns and coordinates of each domain among those of all. After the reduced domains come the cells
/// of full ones (full_cells.hpp).
struct CoupledLayout {
  explicit CoupledLayout(const CoupledBody& body);

  [[nodiscard]] Index count() const { return std::ssize(frame_size); }
  [[nodiscard]] Index coordinates() const { return q_starts.back(); }
  [[nodiscard]] Index unknowns() const { return starts.back(); }
  [[nodiscard]] Index size(std::size_t d) const { return q_starts[d + 1] - q_starts[d]; }

  Index reduced = 0;              // so many domains are reduced
  std::vector<Index> frame_size;  // 6 for a free domain, 0 for an anchored one and for cells
  std::vector<Index> q_starts;    // coordinates of each domain, and the end
  std::vector<Index> starts;      // unknowns of each domain: move and turn of its frame, then coordinates
  std::vector<double> places;     // where the work on each domain stands in that on all, as in Shares
};

/// Frames and coordinates of all domains. The twists and rates of frames are in their own axes.
struct CoupledShape {
  std::vector<RigidFrame> frames;
  VectorX q;   // of all domains, one after the other
  VectorX qd;  // their rates
};

}  // namespace pliant
