// model/tree/tree_surface.hpp — one image frame of a tree: positions and normals of all its surface points.
//
// Eight copies of a class are drawn at a time: a SIMD register holds one number of eight instances. So each
// number of U is read once for all eight, and triangles need no gathering. Batches are independent. They run
// in parallel and give the same bits for any number of threads. Nothing is allocated after the first frame.
#pragma once

#include "pliant/mesh/core/vertex_normals.hpp"
#include "pliant/model/model.hpp"
#include "pliant/subspace/domain_surfaces.hpp"

#include <memory>
#include <optional>
#include <span>

namespace pliant {

/// Evaluates the part tables of a tree's surface for given poses and coordinates.
class TreeSurface {
 public:
  explicit TreeSurface(std::shared_ptr<const PartTables> surfaces);

  [[nodiscard]] const PartTables& surfaces() const { return *surfaces_; }
  [[nodiscard]] Index point_count() const { return surfaces_->point_count(); }

  /// Writes positions (3n) and, unless `normals` is empty, unit normals (3n) of the points, in the order of
  /// PartTables. `poses`: one per domain. Not for use by two threads at once.
  void draw(std::span<const PartPose> poses, ConstVectorRef q, std::span<float> places,
            std::span<float> normals = {});

 private:
  /// Some domains of one class.
  struct Batch {
    Index class_index = 0;
    Index first = 0, count = 0;  // in order_
  };
  struct Frame;
  template <int kLanes>
  void draw_batch(const Batch& batch, const Frame& frame) const;
  void place_samples(Index domain, const Frame& frame);

  std::shared_ptr<const PartTables> surfaces_;
  std::vector<Index> order_;  // domains, by class
  std::vector<Batch> batches_;
  std::vector<float> coordinates_;        // q
  std::vector<float> samples_;            // 3 each
  std::optional<VertexNormals> normals_;  // if triangles join points of different domains
};

}  // namespace pliant
