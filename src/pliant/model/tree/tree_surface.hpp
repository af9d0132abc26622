// model/tree/tree_surface.hpp — a frame of a drawn tree: places and normals of all points of its surface.
//
// Copies of a class are drawn eight at a time, a register's width of instances for every point, so that each
// number of U is read once for all eight, and triangles need no gathering. Batches are independent: they run
// side by side and give the same bits for any number of threads. Nothing is allocated after the first frame.
#pragma once

#include "pliant/mesh/core/vertex_normals.hpp"
#include "pliant/model/model.hpp"
#include "pliant/subspace/domain_surfaces.hpp"

#include <memory>
#include <optional>
#include <span>

namespace pliant {

class TreeSurface {
 public:
  explicit TreeSurface(std::shared_ptr<const PartTables> surfaces);

  [[nodiscard]] const PartTables& surfaces() const { return *surfaces_; }
  [[nodiscard]] Index point_count() const { return surfaces_->point_count(); }

  /// Places (3n) and, if there is room for them, unit normals (3n) of the points, in the order of
  /// PartTables; `poses` one per domain. Not for use by two threads at once.
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
  std::optional<VertexNormals> normals_;  // of a surface that runs across domains
};

}  // namespace pliant
