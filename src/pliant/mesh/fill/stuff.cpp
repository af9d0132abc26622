#include "pliant/mesh/fill/stuff.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/fill/bridges.hpp"
#include "pliant/mesh/fill/stuff_stencil.hpp"
#include "pliant/mesh/fill/tet_contacts.hpp"

#include <algorithm>

namespace pliant {
namespace {

using stuffing::kDirections;
using stuffing::Lattice;
using stuffing::Place;
using Reference = Index;  // a lattice point p, or the number of lattice points + that of a cut
using ReferenceTet = std::array<Reference, 4>;

/// Where the border crosses an edge.
struct Cut {
  Index edge;         // as Lattice::edge
  Index from, to;     // lattice points
  double fraction;    // of the way from `from` to `to`
  bool alive = true;  // false once one of its ends has moved onto the border
};

/// Isosurface stuffing in four steps: sides, cut points, warps, stencils (docs/theory/meshing.md).
class Stuffer {
 public:
  Stuffer(const Solid& solid, const CellGrid& grid, Progress& progress)
      : solid_(solid), lattice_(grid), progress_(progress) {}

  /// Samples the shape.
  Status begin() {
    if (Status done = find_sides(); !done) return done;
    natural_ = sides_;
    pinned_.assign(sides_.size(), 0);
    return Done{};
  }

  /// These lattice points are inside from now on, whatever the shape says, and stay where they are.
  void pin(const std::vector<Index>& points) {
    for (const Index p : points) pinned_[p] = 1;
  }

  /// The part of a mesh that each lattice point is inside of; -1 where it is in none.
  [[nodiscard]] std::vector<Index> parts_of_points(const VolumeMesh& mesh) const {
    const MeshParts parts = find_parts(mesh);
    std::vector<Index> part(sides_.size(), -1);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      const Vector3 steps = (mesh.vertices[v] - lattice_.grid.origin) * 2.0 / lattice_.grid.size;
      Place x{};
      for (int d = 0; d < 3; ++d) x[d] = std::lround(steps[d]);
      if (x[0] % 2 != x[1] % 2 || x[0] % 2 != x[2] % 2 || lattice_.position(x) != mesh.vertices[v]) continue;
      const Index p = lattice_.point(x);
      if (sides_[p] == Side::kInside) part[p] = parts.of_vertex[v];
    }
    return part;
  }

  [[nodiscard]] const Lattice& lattice() const { return lattice_; }

  Result<VolumeMesh> run() {
    sides_ = natural_;
    for (std::size_t p = 0; p < sides_.size(); ++p)
      if (pinned_[p] != 0) sides_[p] = Side::kInside;
    cuts_.clear();
    warped_.clear();
    tets_.clear();
    find_cuts();
    warp();
    fill();
    if (std::ssize(tets_) > kMaxGeneratedElements)
      return Diagnostic{ErrorCode::kLimit,
                        {"", 0, 0, "resolution"},
                        "gives " + text(std::ssize(tets_)) + " tets, at most " + text(kMaxGeneratedElements) +
                            " are allowed",
                        "lower the resolution"};
    return compact();
  }

 private:
  /// Step 1 of docs/theory/meshing.md: the side of each lattice point. Blocks of cells on one side are filled
  /// at once.
  Status find_sides() {
    sides_.assign(to_size(lattice_.size()), Side::kOutside);
    const CellGrid& grid = lattice_.grid;
    const double tolerance = 1e-7 * grid.size;
    return for_each_block(
        grid, "sampling the shape", progress_, [&](Index, const Place& begin, const Place& end) {
          Side common{};
          const Box3 box(grid.point(static_cast<double>(begin[0]), static_cast<double>(begin[1]),
                                    static_cast<double>(begin[2])),
                         grid.point(static_cast<double>(end[0]), static_cast<double>(end[1]),
                                    static_cast<double>(end[2])));
          const bool uniform = solid_.uniform(box, common);
          for (Index k = begin[2]; k < end[2]; ++k)
            for (Index j = begin[1]; j < end[1]; ++j)
              for (Index i = begin[0]; i < end[0]; ++i)
                for (Index odd = 0; odd < 2; ++odd) {
                  const Place x{2 * i + odd, 2 * j + odd, 2 * k + odd};
                  if (!lattice_.interior(x)) continue;
                  sides_[lattice_.point(x)] = uniform ? common : solid_.side(lattice_.position(x), tolerance);
                }
        });
  }

  /// Step 2: cut points on edges from inside to outside. Each edge is visited once, from the point that owns
  /// it.
  void find_cuts() {
    constexpr Index kPoints = 8192;  // per task
    std::vector<std::vector<Cut>> found(to_size(block_count(lattice_.size(), kPoints)));
    parallel_blocks(lattice_.size(), kPoints, [&](Index block, Index begin, Index end) {
      for (Index p = begin; p < end; ++p) {
        const Place x = lattice_.place(p);
        if (!inner(x)) continue;
        const Index directions = p % 2 == 0 ? kDirections : 3;
        for (Index direction = 0; direction < directions; ++direction) {
          const Place y = Lattice::neighbour(x, direction);
          const Index q = lattice_.point(y);
          // Not from inside to outside.
          if (static_cast<int>(sides_[p]) * static_cast<int>(sides_[q]) >= 0) continue;
          found[block].push_back({p * kDirections + direction, p, q, crossing(p, x, q, y)});
        }
      }
    });
    for (const auto& part : found) cuts_.insert(cuts_.end(), part.begin(), part.end());
  }

  /// Where the border crosses the edge from p to q, as a fraction. It stays away from pinned points, as far
  /// as leaves them unwarped: in the middle of the edge, unless the shape itself reaches farther.
  [[nodiscard]] double crossing(Index p, const Place& x, Index q, const Place& y) const {
    constexpr double kMiddle = 0.5;
    const bool natural = static_cast<int>(natural_[p]) * static_cast<int>(natural_[q]) < 0;
    const bool pinned = pinned_[p] != 0 || pinned_[q] != 0;
    const double t = natural ? solid_.crossing(lattice_.position(x), lattice_.position(y)) : kMiddle;
    if (!pinned) return t;
    return pinned_[p] != 0 ? std::max(kMiddle, t) : std::min(kMiddle, t);
  }

  /// Whether all neighbours of x exist.
  [[nodiscard]] bool inner(const Place& x) const {
    for (int d = 0; d < 3; ++d)
      if (x[d] < 1 || x[d] > 2 * lattice_.grid.cells[d] - 2) return false;
    return true;
  }

  /// Step 3: moves lattice points onto cut points that are too near, one after the other. A moved point lies
  /// on the border, so the cut points on its other edges vanish.
  void warp() {
    std::vector<std::pair<Index, Index>> ends;  // (point, cut)
    ends.reserve(2 * cuts_.size());
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
      ends.emplace_back(cuts_[c].from, static_cast<Index>(c));
      ends.emplace_back(cuts_[c].to, static_cast<Index>(c));
    }
    std::sort(ends.begin(), ends.end());
    for (std::size_t i = 0, j = 0; i < ends.size(); i = j) {
      const Index p = ends[i].first;
      Index nearest = -1;
      double smallest = 1;  // distance of the cut point relative to the allowed one
      for (; j < ends.size() && ends[j].first == p; ++j) {
        const Cut& cut = cuts_[ends[j].second];
        if (!cut.alive) continue;
        const double alpha = cut.edge % kDirections < 3 ? kStuffAlphaLong : kStuffAlphaShort;
        const double ratio = (cut.from == p ? cut.fraction : 1 - cut.fraction) / alpha;
        if (ratio >= smallest) continue;
        smallest = ratio;
        nearest = ends[j].second;
      }
      if (nearest < 0) continue;
      warped_.emplace_back(p, cut_position(cuts_[nearest]));
      sides_[p] = Side::kBorder;
      for (std::size_t k = i; k < j; ++k) cuts_[ends[k].second].alive = false;
    }
  }

  [[nodiscard]] Vector3 cut_position(const Cut& cut) const {
    const Vector3 a = lattice_.position(lattice_.place(cut.from));
    const Vector3 b = lattice_.position(lattice_.place(cut.to));
    return a + cut.fraction * (b - a);
  }

  /// Step 4: the lattice tets are the four around each long edge of sublattice A, and each is filled by its
  /// stencil.
  void fill() {
    const Index points = lattice_.corners[0] * lattice_.corners[1] * lattice_.corners[2];
    constexpr Index kCells = 2048;  // per task
    std::vector<std::vector<ReferenceTet>> found(to_size(block_count(points, kCells)));
    parallel_blocks(points, kCells, [&](Index block, Index begin, Index end) {
      for (Index p = begin; p < end; ++p) {
        const Place a = lattice_.place(2 * p);
        if (!inner(a)) continue;
        for (int d = 0; d < 3; ++d) fill_around(a, d, found[block]);
      }
    });
    for (const auto& part : found) tets_.insert(tets_.end(), part.begin(), part.end());
  }

  /// The four centres around the long edge from `a` along `axis` form a ring; each two neighbours span a tet
  /// with it.
  void fill_around(const Place& a, int axis, std::vector<ReferenceTet>& out) const {
    const int e = (axis + 1) % 3;
    const int f = (axis + 2) % 3;
    constexpr std::array<std::array<Index, 2>, 4> kRing{{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
    const Place top = Lattice::neighbour(a, axis);
    const auto centre = [&](std::size_t i) {
      Place b = a;
      b[axis] += 1;
      b[e] += kRing[i % 4][0];
      b[f] += kRing[i % 4][1];
      return b;
    };
    for (std::size_t i = 0; i < 4; ++i) fill_tet({a, centre(i), centre(i + 1), top}, out);
  }

  /// Fills the part of one lattice tet that is inside.
  void fill_tet(const std::array<Place, 4>& corner, std::vector<ReferenceTet>& out) const {
    std::array<Index, 4> point{};
    std::array<Side, 4> side{};
    for (int i = 0; i < 4; ++i) {
      point[i] = lattice_.point(corner[i]);
      side[i] = sides_[point[i]];
    }
    const Stencil stencil = stuffing_stencil(side, corner);
    for (int t = 0; t < stencil.count; ++t) {
      ReferenceTet tet{};
      for (int c = 0; c < 4; ++c) {
        const auto [i, j] = stencil.tets[t][c];
        tet[c] = i == j ? point[i] : lattice_.size() + cut_number(lattice_.edge(corner[i], corner[j]));
      }
      out.push_back(tet);
    }
  }

  [[nodiscard]] Index cut_number(Index edge) const {
    const auto found = std::lower_bound(cuts_.begin(), cuts_.end(), edge,
                                        [](const Cut& cut, Index wanted) { return cut.edge < wanted; });
    PLIANT_ASSERT(found != cuts_.end() && found->edge == edge && found->alive);
    return found - cuts_.begin();
  }

  /// Numbers the points that are used: lattice points first, then cut points.
  [[nodiscard]] VolumeMesh compact() const {
    VolumeMesh mesh;
    std::vector<VertexId> number(to_size(lattice_.size()) + cuts_.size(), -1);
    for (const ReferenceTet& tet : tets_)
      for (const Reference r : tet) number[r] = 0;
    for (std::size_t r = 0; r < number.size(); ++r) {
      if (number[r] < 0) continue;
      number[r] = static_cast<VertexId>(mesh.vertices.size());
      const auto reference = static_cast<Index>(r);
      mesh.vertices.push_back(reference < lattice_.size() ? lattice_.position(lattice_.place(reference))
                                                          : cut_position(cuts_[reference - lattice_.size()]));
    }
    // Warped lattice points stand on the border instead.
    for (const auto& [point, position] : warped_)
      if (number[point] >= 0) mesh.vertices[number[point]] = position;
    mesh.tets.reserve(tets_.size());
    for (const ReferenceTet& t : tets_)
      mesh.tets.push_back({number[t[0]], number[t[1]], number[t[2]], number[t[3]]});
    mesh.tet_labels.assign(mesh.tets.size(), 0);
    return mesh;
  }

  const Solid& solid_;
  Lattice lattice_;
  Progress& progress_;
  std::vector<Side> sides_;    // by lattice point
  std::vector<Side> natural_;  // as the shape has it
  std::vector<char> pinned_;   // whether it was made an inside point
  std::vector<Cut> cuts_;      // ascending by edge
  std::vector<std::pair<Index, Vector3>> warped_;
  std::vector<ReferenceTet> tets_;
};

constexpr Index kCrumb = 12;  // number of tets in one lattice cell
constexpr int kBridgeRounds = 3;

}  // namespace

Result<MesherOutput> stuff(const Solid& solid, Index resolution, Progress& progress) {
  const Result<CellGrid> grid = make_grid(solid, resolution);
  if (!grid) return grid.errors();
  Stuffer stuffer(solid, grid.value(), progress);
  if (const Status sampled = stuffer.begin(); !sampled) return sampled.errors();
  MesherOutput output;
  ContactRepair repair;
  Bridges bridges;
  for (int round = 0;; ++round) {
    progress.begin("filling the lattice", 0);
    Result<VolumeMesh> mesh = stuffer.run();
    progress.end();
    if (!mesh) return mesh.errors();
    output.mesh = std::move(mesh).value();
    progress.begin("mending contacts", 0);
    repair = repair_contacts(output.mesh, kCrumb);
    progress.end();
    if (output.mesh.tets.empty()) return nothing_inside(resolution);
    if (repair.components < 2) break;
    if (round == kBridgeRounds) break;
    const Bridges more = find_bridges(solid, stuffer.lattice(), stuffer.parts_of_points(output.mesh));
    if (more.points.empty()) break;
    stuffer.pin(more.points);
    bridges.places.insert(bridges.places.end(), more.places.begin(), more.places.end());
    bridges.fineness = std::max(bridges.fineness, more.fineness);
  }
  const auto note = [&](Index count, const std::string& what, const std::string& remedy) {
    if (count > 0)
      output.notes.push_back({ErrorCode::kDegenerate, {"", 0, 0, "resolution"}, text(count) + what, remedy});
  };
  const std::string finer = "a higher resolution keeps more of thin parts";
  note(std::ssize(bridges.places),
       (bridges.places.size() == 1 ? " thin place was" : " thin places were") +
           std::string(" made a cell thick to hold the body together: ") + describe_places(bridges.places),
       "resolution " + text(bridges.fineness * resolution) + " should keep the shape");
  note(repair.dropped_components, " components smaller than a cell were dropped", finer);
  note(repair.dropped_tets, " tets that hung on by an edge were dropped", finer);
  note(repair.doubled_vertices, " vertices were doubled where parts only touched", finer);
  return output;
}

Result<MesherOutput> stuff(const SurfaceMesh& surface, Index resolution, Progress& progress) {
  Result<PreparedSolid> prepared = prepare_solid(surface);
  if (!prepared) return prepared.errors();
  Result<MesherOutput> result = stuff(*prepared.value().solid, resolution, progress);
  if (!result) return result;
  Diagnostics& notes = result.value().notes;
  notes.insert(notes.begin(), prepared.value().notes.begin(), prepared.value().notes.end());
  return result;
}

}  // namespace pliant
