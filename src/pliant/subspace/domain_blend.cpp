#include "pliant/subspace/domain_blend.hpp"

#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/triangle_tree.hpp"
#include "pliant/subspace/joint_points.hpp"
#include "pliant/subspace/tear.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace pliant {
namespace {

constexpr double kFlat = 1e-7;  // λ₁/λ₄ of the moment matrix below which points count as lying in a plane
// Radius of the fit in longest edges, and the factor by which it grows if too small.
constexpr double kReach = 1.5;
constexpr int kGrowths = 6;         // after so many attempts the joint keeps its crease
constexpr double kSole = 1 - 1e-6;  // bound on the fade of one of several joints, so that shares have no 0/0

struct Sample {
  Vector3 rest;
  MatrixX shapes;  // 3 × r
};
struct Entry {
  Index domain, sample;
  double weight;
};
/// What one joint contributes to a point.
struct Part {
  double fade;  // b of Eq. T18: 1 in the joint, 0 far from it
  std::vector<Entry> entries;
};

/// Collects samples and rows for all domains of a tree; see subspace/domain_surfaces.hpp for what they mean.
class Blender {
 public:
  Blender(const TreeBody& body, const std::vector<std::vector<PointSource>>& sources,
          const std::vector<char>& cut, PartTables& made)
      : body_(body),
        sources_(sources),
        cut_(cut),
        made_(made),
        samples_(body.domains.size()),
        of_vertex_(body.domains.size()) {
    made_.rows.part_starts.assign(1, 0);
  }

  void run(SurfaceBlend blend) {
    if (blend == SurfaceBlend::kC0) {
      meet();
    } else if (blend == SurfaceBlend::kC1) {
      parts_.resize(body_.domains.size());
      for (std::size_t d = 0; d < body_.domains.size(); ++d)
        if (joined(static_cast<Index>(d))) smooth(static_cast<Index>(d));
    }
    for (std::size_t d = 0; d < body_.domains.size(); ++d) {
      if (blend == SurfaceBlend::kC0) close_gaps(static_cast<Index>(d));
      if (blend == SurfaceBlend::kC1) combine(static_cast<Index>(d));
      made_.rows.part_starts.push_back(made_.rows.count());
    }
    number_samples();
  }

 private:
  using Targets = std::unordered_map<VertexId, std::vector<Entry>>;

  [[nodiscard]] bool joined(Index d) const {
    return body_.domains[to_size(d)].parent >= 0 && (cut_.empty() || cut_[to_size(d)] == 0);
  }
  [[nodiscard]] const DomainClass& class_of(Index d) const {
    return body_.class_of(body_.domains[to_size(d)]);
  }
  [[nodiscard]] const VolumeMesh& mesh_of(Index d) const { return class_of(d).rest->mesh(); }

  /// Entry for a vertex of a domain, which becomes a sample at its first use.
  Entry vertex_sample(Index d, VertexId v, double weight) {
    const auto [found, is_new] = of_vertex_[to_size(d)].emplace(v, std::ssize(samples_[to_size(d)]));
    const ReducedBody& reduced = *class_of(d).reduced;
    if (is_new)
      samples_[to_size(d)].push_back({mesh_of(d).vertices[to_size(v)] - reduced.origin,
                                      reduced.basis.shapes.middleRows<3>(3 * static_cast<Index>(v))});
    return {d, found->second, weight};
  }
  [[nodiscard]] Vector3 rest_place(Index d, VertexId v) const {
    return body_.domains[to_size(d)].rest.place(mesh_of(d).vertices[to_size(v)]);
  }

  // C⁰: no gaps

  /// Targets of interface vertices: copies of a shared vertex go to their mean, the base of a part that is
  /// placed on another mesh goes to the points of its parent.
  void meet() {
    targets_.resize(body_.domains.size());
    const std::vector<Index> pieces = pieces_of(body_, cut_);
    std::vector<std::vector<std::pair<Index, VertexId>>> copies(to_size(body_.mesh.vertex_count()));
    for (std::size_t d = 0; d < body_.domains.size(); ++d) {
      const TreeDomain& domain = body_.domains[d];
      for (std::size_t i = 0; i < domain.vertices.size(); ++i)
        copies[to_size(domain.vertices[i])].emplace_back(static_cast<Index>(d), static_cast<VertexId>(i));
      if (joined(static_cast<Index>(d))) follow_parent(static_cast<Index>(d));
    }
    for (const auto& list : copies) {
      if (list.size() < 2) continue;
      // A mean only over domains of the same piece: domains that have come apart do not meet.
      std::map<Index, std::vector<Entry>> groups;
      for (const auto& [d, v] : list) groups[pieces[to_size(d)]].push_back(vertex_sample(d, v, 1.0));
      for (const auto& [d, v] : list) {
        std::vector<Entry> mean = groups[pieces[to_size(d)]];
        if (mean.size() < 2) continue;
        for (Entry& entry : mean) entry.weight = 1.0 / static_cast<double>(mean.size());
        targets_[to_size(d)][v] = std::move(mean);
      }
    }
  }

  /// Meshes that do not match: each vertex of the base follows its point of the parent.
  void follow_parent(Index d) {
    const JointPoints points = make_joint_points(body_, d);
    if (points.shared) return;
    const Index parent = body_.domains[to_size(d)].parent;
    for (std::size_t i = 0; i < points.base.size(); ++i) {
      const Index row = 3 * static_cast<Index>(i);
      targets_[to_size(d)][points.base[i]] = {{parent, std::ssize(samples_[to_size(parent)]), 1.0}};
      samples_[to_size(parent)].push_back(
          {points.parent_rest.segment<3>(row), points.parent_shapes.middleRows<3>(row)});
    }
  }

  /// Moves the points in elements that have such vertices: x += Σ weight (target − vertex).
  void close_gaps(Index d) {
    const Targets& targets = targets_[to_size(d)];
    if (targets.empty()) return;
    std::vector<char> moves(mesh_of(d).vertices.size(), 0);
    for (const auto& target : targets) moves[to_size(target.first)] = 1;
    const std::vector<PointSource>& sources = sources_[to_size(made_.tables_of[to_size(d)])];
    for (std::size_t i = 0; i < sources.size(); ++i) {
      std::vector<Entry> entries;
      for (Index k = 0; k < sources[i].count; ++k) {
        const VertexId v = sources[i].vertices[to_size(k)];
        const double weight = sources[i].weights[to_size(k)];
        if (moves[to_size(v)] == 0 || std::abs(weight) < 1e-9) continue;
        for (const Entry& entry : targets.at(v))
          entries.push_back({entry.domain, entry.sample, weight * entry.weight});
        entries.push_back(vertex_sample(d, v, -weight));
      }
      add_row(static_cast<Index>(i), 1.0, entries);
    }
  }

  // C¹: no creases (docs/theory/tree.md, "Drawing")

  /// Vertices of the elements that touch the seeds, and the mean and largest distance between vertices of one
  /// element.
  struct Ring {
    std::vector<VertexId> vertices;
    double mean = 0.0, largest = 0.0;
  };
  [[nodiscard]] Ring ring_of(Index d, const std::vector<VertexId>& seeds) const {
    const VolumeMesh& mesh = mesh_of(d);
    std::vector<char> seed(mesh.vertices.size(), 0), taken(mesh.vertices.size(), 0);
    for (const VertexId v : seeds) seed[to_size(v)] = 1;
    Ring ring;
    double sum = 0.0, count = 0.0;
    const auto look = [&](Index /*number*/, std::span<const VertexId> element) {
      if (std::none_of(element.begin(), element.end(), [&](VertexId v) { return seed[to_size(v)] != 0; }))
        return;
      for (const VertexId a : element) {
        if (taken[to_size(a)] == 0) ring.vertices.push_back(a);
        taken[to_size(a)] = 1;
        for (const VertexId b : element) {
          if (b <= a) continue;
          const double length = body_.domains[to_size(d)].rest.scale *
                                (mesh.vertices[to_size(a)] - mesh.vertices[to_size(b)]).norm();
          ring.largest = std::max(ring.largest, length);
          sum += length;
          count += 1.0;
        }
      }
    };
    for_each_element(mesh, look);
    ring.mean = count > 0.0 ? sum / count : 0.0;
    return ring;
  }

  /// The child's faces in its base, at rest in the world; if it has none, its vertices as degenerate
  /// triangles.
  [[nodiscard]] TriangleTree interface_of(Index d, const std::vector<VertexId>& base) const {
    std::vector<char> in_base(mesh_of(d).vertices.size(), 0);
    for (const VertexId v : base) in_base[to_size(v)] = 1;
    SurfaceMesh faces;
    faces.vertices.reserve(in_base.size());
    for (std::size_t v = 0; v < in_base.size(); ++v)
      faces.vertices.push_back(rest_place(d, static_cast<VertexId>(v)));
    for (const Triangle& t : boundary_triangles(boundary_faces(mesh_of(d))))
      if (in_base[to_size(t[0])] + in_base[to_size(t[1])] + in_base[to_size(t[2])] == 3)
        faces.triangles.push_back(t);
    if (faces.triangles.empty())
      for (const VertexId v : base) faces.triangles.push_back({v, v, v});
    return TriangleTree(faces);
  }

  struct Near {
    Index domain, point;
    double fade;
  };
  /// Points of a domain within `width` of the joint, with b = 1 − t²(3 − 2t), t = distance / width (Eq. T18).
  void find_near(Index d, const TriangleTree& faces, double width, std::vector<Near>& near) const {
    const Index first = made_.starts[to_size(d)], end = made_.starts[to_size(d) + 1];
    for (Index i = first; i < end; ++i) {
      const TriangleTree::Nearest found = faces.nearest(made_.surface.vertices[to_size(i)], width);
      if (found.triangle < 0) continue;
      const double t = std::sqrt(found.squared_distance) / width;
      if (t < 1.0) near.push_back({d, i - first, 1.0 - t * t * (3.0 - 2.0 * t)});
    }
  }

  /// Matching meshes: one field through the vertices on both sides. A part placed on another mesh: only the
  /// field of its parent, since the parent does not give way.
  void smooth(Index d) {
    const TreeDomain& child = body_.domains[to_size(d)];
    const JointPoints points = make_joint_points(body_, d);
    const Ring own = ring_of(d, points.base);
    std::vector<VertexId> columns = child.joint.points.columns;
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const TriangleTree faces = interface_of(d, points.base);
    std::vector<Near> near;
    std::vector<Entry> entries;
    std::vector<Vector3> places;
    const auto sample = [&](Index domain, const std::vector<VertexId>& vertices) {
      for (const VertexId v : vertices) {
        entries.push_back(vertex_sample(domain, v, 0.0));
        places.push_back(rest_place(domain, v));
      }
    };
    double radius = 0.0;
    if (points.shared) {
      const Ring above = ring_of(child.parent, columns);
      const double width = std::max(own.mean, above.mean);
      find_near(d, faces, width, near);
      find_near(child.parent, faces, width, near);
      sample(d, own.vertices);
      sample(child.parent, above.vertices);
      radius = kReach * std::max(own.largest, above.largest);
    } else {
      find_near(d, faces, own.mean, near);
      sample(child.parent, columns);
      for (const Near& one : near)
        // No mesh size to go by: a radius that reaches every sample from every point.
        for (const Vector3& place : places) radius = std::max(radius, 2.0 * (rest_of(one) - place).norm());
    }
    fit(near, entries, places, radius);
  }

  [[nodiscard]] const Vector3& rest_of(const Near& near) const {
    return made_.surface.vertices[to_size(made_.starts[to_size(near.domain)] + near.point)];
  }

  /// Moving least squares at all points of a joint, with one radius: otherwise the field would jump. If the
  /// samples within the radius lie in a plane for some point, all are repeated with a larger one.
  void fit(const std::vector<Near>& near, const std::vector<Entry>& entries,
           const std::vector<Vector3>& places, double radius) {
    for (int growth = 0; growth < kGrowths; ++growth, radius *= kReach) {
      std::vector<std::vector<double>> fits;
      fits.reserve(near.size());
      for (const Near& one : near) {
        fits.push_back(moving_least_squares(rest_of(one), places, radius));
        if (fits.back().empty()) break;
      }
      if (fits.size() < near.size() || (!fits.empty() && fits.back().empty())) continue;
      for (std::size_t n = 0; n < near.size(); ++n) {
        Part part{near[n].fade, {}};
        for (std::size_t i = 0; i < entries.size(); ++i)
          if (fits[n][i] != 0.0) part.entries.push_back({entries[i].domain, entries[i].sample, fits[n][i]});
        parts_[to_size(near[n].domain)][near[n].point].push_back(std::move(part));
      }
      return;
    }
  }

  /// Several joints near a point: joint j has the share b_j Π_{k≠j}(1 − b_k), the point's own domain Π(1 −
  /// b_k), divided by their sum. So in a joint, that joint alone determines the point.
  void combine(Index d) {
    for (const auto& [point, parts] : parts_[to_size(d)]) {
      double sum = 1.0;
      std::vector<double> shares(parts.size());
      const auto fade = [&](std::size_t j) {
        return parts.size() == 1 ? parts[j].fade : std::min(kSole, parts[j].fade);
      };
      for (std::size_t j = 0; j < parts.size(); ++j) sum *= 1.0 - fade(j);
      const double own = sum;
      for (std::size_t j = 0; j < parts.size(); ++j) {
        shares[j] = fade(j);
        for (std::size_t k = 0; k < parts.size(); ++k)
          if (k != j) shares[j] *= 1.0 - fade(k);
        sum += shares[j];
      }
      std::vector<Entry> entries;
      for (std::size_t j = 0; j < parts.size(); ++j)
        for (const Entry& entry : parts[j].entries)
          entries.push_back({entry.domain, entry.sample, entry.weight * shares[j] / sum});
      add_row(point, own / sum, entries);
    }
  }

  // Results

  void add_row(Index point, double keep, const std::vector<Entry>& entries) {
    if (entries.empty()) return;
    BlendRows& rows = made_.rows;
    rows.points.push_back(static_cast<std::int32_t>(point));
    rows.keep.push_back(static_cast<float>(keep));
    for (const Entry& entry : entries) {
      entries_.push_back(entry);
      rows.weights.push_back(static_cast<float>(entry.weight));
    }
    rows.starts.push_back(std::ssize(rows.weights));
  }

  /// Writes all samples domain by domain, then turns (domain, sample) of each entry into one number.
  void number_samples() {
    BlendSamples& all = made_.samples;
    all.starts.assign(1, 0);
    for (const std::vector<Sample>& list : samples_) {
      all.shape_starts.push_back(std::ssize(all.shapes));
      for (const Sample& one : list)
        for (Index k = 0; k < 3; ++k) {
          all.rest.push_back(static_cast<float>(one.rest[k]));
          for (Index l = 0; l < one.shapes.cols(); ++l)
            all.shapes.push_back(static_cast<float>(one.shapes(k, l)));
        }
      all.starts.push_back(all.starts.back() + std::ssize(list));
    }
    made_.rows.samples.reserve(entries_.size());
    for (const Entry& entry : entries_)
      made_.rows.samples.push_back(
          static_cast<std::int32_t>(all.starts[to_size(entry.domain)] + entry.sample));
  }

  const TreeBody& body_;
  const std::vector<std::vector<PointSource>>& sources_;
  const std::vector<char>& cut_;
  PartTables& made_;
  std::vector<std::vector<Sample>> samples_;                    // per domain
  std::vector<std::unordered_map<VertexId, Index>> of_vertex_;  // per domain: samples that are vertices
  std::vector<Targets> targets_;                                // per domain, of its vertices (C⁰)
  std::vector<std::map<Index, std::vector<Part>>> parts_;       // per domain, of its points (C¹)
  std::vector<Entry> entries_;                                  // of all rows
};

}  // namespace

/// Eq. T17.
std::vector<double> moving_least_squares(const Vector3& X, std::span<const Vector3> points, double radius) {
  using Vector4 = Eigen::Vector4d;
  Eigen::Matrix4d moments = Eigen::Matrix4d::Zero();
  std::vector<double> weights(points.size(), 0.0);
  std::vector<Vector4> terms(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector3 z = (points[i] - X) / radius;
    const double inside = 1.0 - z.squaredNorm();
    if (inside <= 0.0) continue;
    weights[i] = inside * inside;
    terms[i] << 1.0, z;
    moments += weights[i] * terms[i] * terms[i].transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(moments);
  if (!(solver.eigenvalues()[0] > kFlat * solver.eigenvalues()[3])) return {};
  // a of M a = (1, 0, 0, 0): the first column of M⁻¹, from the eigenvectors.
  const Vector4 row =
      solver.eigenvectors() *
      (solver.eigenvectors().row(0).transpose().array() / solver.eigenvalues().array()).matrix();
  for (std::size_t i = 0; i < points.size(); ++i)
    if (weights[i] > 0.0) weights[i] *= row.dot(terms[i]);
  return weights;
}

void add_blend(const TreeBody& body, const std::vector<std::vector<PointSource>>& sources, SurfaceBlend blend,
               const std::vector<char>& cut, PartTables& made) {
  Blender(body, sources, cut, made).run(blend);
}

}  // namespace pliant
