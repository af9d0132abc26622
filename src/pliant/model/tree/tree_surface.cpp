#include "pliant/model/tree/tree_surface.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/base/parallel.hpp"

#include <algorithm>
#include <functional>

namespace pliant {
namespace {

constexpr Index kWide = 8;         // instances per register
constexpr Index kFewest = 3;       // fewer instances are drawn one by one
constexpr Index kDomains = 64;     // per task, when samples are placed
constexpr float kNoArea = 1e-30F;  // squared: points with less area around them get a normal along z

/// One number for each instance of a batch.
template <int kLanes>
using Lane = Eigen::Array<float, kLanes, 1>;
/// x, y, z of a point for each instance.
template <int kLanes>
struct Point {
  Lane<kLanes> x, y, z;
};
template <int kLanes>
using Points = std::vector<Point<kLanes>, Eigen::aligned_allocator<Point<kLanes>>>;

template <int kLanes>
struct Scratch {
  std::vector<Lane<kLanes>, Eigen::aligned_allocator<Lane<kLanes>>> q;
  Points<kLanes> places, normals;
};

/// x = p + M y for every instance.
template <int kLanes>
struct Poses {
  std::array<Lane<kLanes>, 3> p;
  std::array<std::array<Lane<kLanes>, 3>, 3> M;

  void set(Index lane, const PartPose& pose) {
    for (std::size_t i = 0; i < 3; ++i) {
      p[i][lane] = static_cast<float>(pose.position[static_cast<Index>(i)]);
      for (std::size_t j = 0; j < 3; ++j)
        M[i][j][lane] = static_cast<float>(pose.turn(static_cast<Index>(i), static_cast<Index>(j)));
    }
  }
  [[nodiscard]] Point<kLanes> place(const Point<kLanes>& y) const {
    return {p[0] + M[0][0] * y.x + M[0][1] * y.y + M[0][2] * y.z,
            p[1] + M[1][0] * y.x + M[1][1] * y.y + M[1][2] * y.z,
            p[2] + M[2][0] * y.x + M[2][1] * y.y + M[2][2] * y.z};
  }
};

/// y = X + U q of one point.
template <int kLanes>
Point<kLanes> shape_of(const float* rest, const float* shapes, Index r, const Lane<kLanes>* q) {
  Point<kLanes> y{Lane<kLanes>::Constant(rest[0]), Lane<kLanes>::Constant(rest[1]),
                  Lane<kLanes>::Constant(rest[2])};
  const float *ux = shapes, *uy = shapes + r, *uz = shapes + 2 * r;
  if constexpr (kLanes == 1) {  // one instance: vectorise over the coordinates instead
    using Row = Eigen::Map<const Eigen::VectorXf>;
    const Row all(q->data(), r);
    y.x += Row(ux, r).dot(all);
    y.y += Row(uy, r).dot(all);
    y.z += Row(uz, r).dot(all);
  } else {
    for (Index l = 0; l < r; ++l) {
      y.x += ux[l] * q[l];
      y.y += uy[l] * q[l];
      y.z += uz[l] * q[l];
    }
  }
  return y;
}

/// Vertex normals weighted by area: area vectors of the triangles, summed at their corners and normalised.
template <int kLanes>
void find_normals(const std::vector<Triangle>& triangles, const Points<kLanes>& x, Points<kLanes>& n) {
  const Lane<kLanes> zero = Lane<kLanes>::Zero();
  std::fill(n.begin(), n.end(), Point<kLanes>{zero, zero, zero});
  for (const Triangle& t : triangles) {
    const Point<kLanes>& o = x[to_size(t[0])];
    const Point<kLanes>& b = x[to_size(t[1])];
    const Point<kLanes>& c = x[to_size(t[2])];
    const Lane<kLanes> bx = b.x - o.x, by = b.y - o.y, bz = b.z - o.z;
    const Lane<kLanes> cx = c.x - o.x, cy = c.y - o.y, cz = c.z - o.z;
    const Lane<kLanes> ax = by * cz - bz * cy, ay = bz * cx - bx * cz, az = bx * cy - by * cx;
    for (const VertexId v : t) {
      Point<kLanes>& sum = n[to_size(v)];
      sum.x += ax;
      sum.y += ay;
      sum.z += az;
    }
  }
  for (Point<kLanes>& one : n) {
    const Lane<kLanes> square = one.x * one.x + one.y * one.y + one.z * one.z;
    const Lane<kLanes> factor = square.max(kNoArea).rsqrt();
    one.x *= factor;
    one.y *= factor;
    one.z = (square > kNoArea).select(one.z * factor, 1.0F);
  }
}

}  // namespace

struct TreeSurface::Frame {
  std::span<const PartPose> poses;
  std::span<float> places, normals;
};

TreeSurface::TreeSurface(std::shared_ptr<const PartTables> surfaces) : surfaces_(std::move(surfaces)) {
  const auto domains = std::ssize(surfaces_->tables_of);
  for (Index d = 0; d < domains; ++d) order_.push_back(d);
  const std::vector<Index>& kinds = surfaces_->tables_of;
  std::stable_sort(order_.begin(), order_.end(),
                   [&](Index a, Index b) { return kinds[to_size(a)] < kinds[to_size(b)]; });
  for (Index first = 0; first < domains;) {
    const Index kind = kinds[to_size(order_[to_size(first)])];
    Index same = 1;
    while (first + same < domains && kinds[to_size(order_[to_size(first + same)])] == kind) ++same;
    for (Index begin = first; begin < first + same;) {
      const Index left = first + same - begin;
      const Index count = left < kFewest ? 1 : std::min(left, kWide);
      if (surfaces_->tables[to_size(kind)].points > 0) batches_.push_back({kind, begin, count});
      begin += count;
    }
    first += same;
  }
  samples_.resize(3 * to_size(surfaces_->samples.count()));
  if (surfaces_->across) normals_.emplace(surfaces_->surface.triangles, point_count());
}

/// Positions of the samples of a domain, from which the points near joints are blended.
void TreeSurface::place_samples(Index domain, const Frame& frame) {
  const BlendSamples& samples = surfaces_->samples;
  const Index r = surfaces_->tables[to_size(surfaces_->tables_of[to_size(domain)])].size;
  const PartPose& pose = frame.poses[to_size(domain)];
  Poses<1> poses;
  poses.set(0, pose);
  const float* shapes = samples.shapes.data() + samples.shape_starts[to_size(domain)];
  const auto* q = reinterpret_cast<const Lane<1>*>(coordinates_.data() + pose.offset);
  for (Index s = samples.starts[to_size(domain)]; s < samples.starts[to_size(domain) + 1];
       ++s, shapes += 3 * r) {
    const Point<1> x = poses.place(shape_of<1>(samples.rest.data() + 3 * s, shapes, r, q));
    samples_[to_size(3 * s)] = x.x[0];
    samples_[to_size(3 * s + 1)] = x.y[0];
    samples_[to_size(3 * s + 2)] = x.z[0];
  }
}

template <int kLanes>
void TreeSurface::draw_batch(const Batch& batch, const Frame& frame) const {
  thread_local Scratch<kLanes> scratch;  // grows to the largest class, then stays
  const PartTable& part = surfaces_->tables[to_size(batch.class_index)];
  const std::size_t count = to_size(part.points);
  if (scratch.q.size() < to_size(part.size)) scratch.q.resize(to_size(part.size));
  scratch.places.resize(count);
  scratch.normals.resize(count);
  Poses<kLanes> poses;
  for (Index lane = 0; lane < kLanes; ++lane) {
    const PartPose& pose =
        frame.poses[to_size(order_[to_size(batch.first + std::min(lane, batch.count - 1))])];
    poses.set(lane, pose);
    for (Index l = 0; l < part.size; ++l)
      scratch.q[to_size(l)][lane] = coordinates_[to_size(pose.offset + l)];
  }
  for (std::size_t i = 0; i < count; ++i)
    scratch.places[i] = poses.place(shape_of<kLanes>(part.rest.data() + 3 * i,
                                                     part.shapes.data() + 3 * i * to_size(part.size),
                                                     part.size, scratch.q.data()));
  // Eq. T18 as weights known at rest: x ← keep x + Σ weight · sample.
  const BlendRows& rows = surfaces_->rows;
  for (Index lane = 0; lane < batch.count; ++lane) {
    const Index domain = order_[to_size(batch.first + lane)];
    for (Index row = rows.part_starts[to_size(domain)]; row < rows.part_starts[to_size(domain) + 1]; ++row) {
      float x = 0.0F, y = 0.0F, z = 0.0F;
      for (Index e = rows.starts[to_size(row)]; e < rows.starts[to_size(row) + 1]; ++e) {
        const float weight = rows.weights[to_size(e)];
        const float* sample = samples_.data() + 3 * Index{rows.samples[to_size(e)]};
        x += weight * sample[0];
        y += weight * sample[1];
        z += weight * sample[2];
      }
      Point<kLanes>& place = scratch.places[to_size(rows.points[to_size(row)])];
      const float keep = rows.keep[to_size(row)];
      place.x[lane] = keep * place.x[lane] + x;
      place.y[lane] = keep * place.y[lane] + y;
      place.z[lane] = keep * place.z[lane] + z;
    }
  }
  const auto write = [&](const Points<kLanes>& from, std::span<float> to) {
    std::array<float*, kLanes> out{};
    for (Index lane = 0; lane < batch.count; ++lane)
      out[to_size(lane)] = to.data() + 3 * surfaces_->starts[to_size(order_[to_size(batch.first + lane)])];
    for (std::size_t i = 0; i < count; ++i)
      for (Index lane = 0; lane < batch.count; ++lane) {
        out[to_size(lane)][3 * i] = from[i].x[lane];
        out[to_size(lane)][3 * i + 1] = from[i].y[lane];
        out[to_size(lane)][3 * i + 2] = from[i].z[lane];
      }
  };
  write(scratch.places, frame.places);
  if (frame.normals.empty() || normals_) return;
  find_normals<kLanes>(part.triangles, scratch.places, scratch.normals);
  write(scratch.normals, frame.normals);
}

void TreeSurface::draw(std::span<const PartPose> poses, ConstVectorRef q, std::span<float> places,
                       std::span<float> normals) {
  PLIANT_ASSERT(poses.size() == surfaces_->tables_of.size());
  PLIANT_ASSERT(std::ssize(places) == 3 * point_count());
  PLIANT_ASSERT(normals.empty() || normals.size() == places.size());
  coordinates_.resize(to_size(q.size()));
  Eigen::Map<Eigen::VectorXf>(coordinates_.data(), q.size()) = q.cast<float>();
  const Frame frame{poses, places, normals};
  const auto domains = std::ssize(poses);
  const auto sample = [&](Index block) {
    for (Index d = block * kDomains; d < std::min(domains, (block + 1) * kDomains); ++d)
      place_samples(d, frame);
  };
  if (!samples_.empty()) parallel_tasks(block_count(domains, kDomains), std::ref(sample));
  const auto batch = [&](Index b) {
    if (batches_[to_size(b)].count == 1)
      draw_batch<1>(batches_[to_size(b)], frame);
    else
      draw_batch<kWide>(batches_[to_size(b)], frame);
  };
  parallel_tasks(std::ssize(batches_), std::ref(batch));
  if (!normals.empty() && normals_) normals_->evaluate<float>(places, normals);
}

}  // namespace pliant
