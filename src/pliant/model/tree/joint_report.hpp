// model/tree/joint_report.hpp — how well domains agree where they meet ([BarbicZhao2011] Fig. 3, Fig. 8).
//
// The base of a child moves rigidly with its frame, while the parent's copy of the same points deforms. The
// gap between the two is what a blend has to close when the tree is drawn. Where it is large, a rigid frame
// describes the joint badly.
#pragma once

#include "pliant/model/model.hpp"
#include "pliant/model/tree/joint_frame.hpp"
#include "pliant/subspace/joint_points.hpp"

#include <span>

namespace pliant {

/// Measures all joints of a tree; prepared once, for many states.
class JointReport {
 public:
  explicit JointReport(const TreeBody& body);

  /// One per domain; zeros for the root and for domains that have come off (`cut`, empty: none). `poses`:
  /// one per domain, `q`: all coordinates.
  void measure(const TreeBody& body, std::span<const PartPose> poses, ConstVectorRef q,
               const std::vector<char>& cut, std::vector<JointState>& states) const;

 private:
  std::vector<JointPoints> points_;  // per domain; empty for the root
  std::vector<JointShape> shapes_;   // likewise
};

}  // namespace pliant
