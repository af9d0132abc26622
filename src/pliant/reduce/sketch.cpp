#include "pliant/reduce/sketch.hpp"

#include "pliant/base/text.hpp"
#include "pliant/reduce/mass_space.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace pliant {
namespace {

constexpr Index kBlock = 32;          // loads solved together
constexpr double kMostSamples = 1e6;  // of a script: more is a typing error in the interval

Diagnostic wrong(ErrorCode code, std::string key, std::string what, std::string remedy = {}) {
  return {code, {{}, 0, 0, std::move(key)}, std::move(what), std::move(remedy)};
}

Diagnostics check_tracks(const std::vector<PullTrack>& tracks, double interval, Index vertex_count) {
  Diagnostics errors;
  if (tracks.empty()) errors.push_back(wrong(ErrorCode::kMissing, "pulls", "has no pulls", "write one"));
  if (!(interval > 0.0) || !std::isfinite(interval))
    errors.push_back(wrong(ErrorCode::kOutOfRange, "interval", "must be > 0 s, got " + text(interval)));
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const PullTrack& track = tracks[i];
    const std::string key = "pull " + text(static_cast<Index>(i));
    if (track.vertices.empty()) errors.push_back(wrong(ErrorCode::kMissing, key, "has no vertices"));
    for (const VertexId v : track.vertices)
      if (v < 0 || v >= vertex_count) {
        errors.push_back(wrong(ErrorCode::kOutOfRange, key, "vertex " + text(Index{v}) + " does not exist",
                               "vertices are 0 to " + text(vertex_count - 1)));
        break;
      }
    if (track.t.empty() || track.t.size() != track.force.size()) {
      errors.push_back(wrong(ErrorCode::kInconsistent, key, "needs one force per time, and a time at least"));
      continue;
    }
    bool sound = std::isfinite(track.t[0]) && track.force[0].allFinite();
    for (std::size_t n = 1; n < track.t.size(); ++n)
      sound = sound && track.t[n] > track.t[n - 1] && std::isfinite(track.t[n]) && track.force[n].allFinite();
    if (!sound)
      errors.push_back(wrong(ErrorCode::kOutOfRange, key, "times must ascend, and all numbers be finite"));
    else if (interval > 0.0 && !((track.t.back() - track.t.front()) / interval < kMostSamples))
      errors.push_back(
          wrong(ErrorCode::kLimit, key, "has more than a million samples", "raise the interval"));
  }
  return errors;
}

/// Linear between keys; zero outside of them.
Vector3 force_at(const PullTrack& track, double time) {
  if (time < track.t.front() || time > track.t.back()) return Vector3::Zero();
  const auto after = std::upper_bound(track.t.begin(), track.t.end(), time);
  if (after == track.t.end()) return track.force.back();
  const auto n = to_size(after - track.t.begin());
  const double s = (time - track.t[n - 1]) / (track.t[n] - track.t[n - 1]);
  return (1.0 - s) * track.force[n - 1] + s * track.force[n];
}

/// Goes through the items in order and keeps those that are at least `least` away from rest and from all kept
/// ones.
template <class Distance>
std::vector<Index> keep_apart(Index count, double least, const VectorX& norms, const Distance& distance) {
  std::vector<Index> kept;
  for (Index a = 0; a < count; ++a) {
    if (!(norms[a] > 0.0) || norms[a] < least) continue;
    const bool apart =
        std::all_of(kept.begin(), kept.end(), [&](Index b) { return distance(a, b) >= least; });
    if (apart) kept.push_back(a);
  }
  return kept;
}

/// The vertices that are pulled, numbered in ascending order.
std::map<VertexId, Index> pulled_vertices(const std::vector<PullLoad>& loads) {
  std::map<VertexId, Index> places;
  for (const PullLoad& load : loads)
    for (const Pull& pull : load.pulls) places.emplace(pull.vertex, 0);
  Index place = 0;
  for (auto& [vertex, number] : places) number = place++;
  return places;
}

/// G = Pᵀ K⁻¹ M K⁻¹ P for unit forces P at the vertices, so that ⟨u_a, u_b⟩ = f_aᵀ G f_b is the mass product
/// of the small displacements that two loads cause. Each column is solved twice, so that none has to be
/// stored.
Result<MatrixX> response_products(const RestSystem& system, const std::map<VertexId, Index>& vertices,
                                  Progress& progress) {
  std::vector<Index> dofs;
  dofs.reserve(3 * vertices.size());
  for (const auto& [vertex, place] : vertices)
    for (Index k = 0; k < 3; ++k) dofs.push_back(3 * static_cast<Index>(vertex) + k);
  const auto total = std::ssize(dofs);
  MatrixX products(total, total);
  progress.begin("responses to pulls", total);
  for (Index begin = 0; begin < total; begin += kBlock) {
    if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
    const Index width = std::min(kBlock, total - begin);
    MatrixX X = MatrixX::Zero(system.body().dof_count(), width);
    for (Index j = 0; j < width; ++j) X(dofs[to_size(begin + j)], j) = 1.0;
    system.solve(X);
    X = mass_times(system.body(), X);
    system.solve(X);
    for (Index j = 0; j < width; ++j)
      for (Index i = 0; i < total; ++i) products(i, begin + j) = X(dofs[to_size(i)], j);
    progress.update(begin + width);
  }
  progress.end();
  return products;
}

}  // namespace

Result<std::vector<Pull>> sample_pulls(const std::vector<PullTrack>& tracks, double interval,
                                       Index vertex_count) {
  const Diagnostics errors = check_tracks(tracks, interval, vertex_count);
  if (!errors.empty()) return errors;
  // Union of the keys and of a regular grid over each track.
  std::vector<double> times;
  for (const PullTrack& track : tracks) {
    times.insert(times.end(), track.t.begin(), track.t.end());
    const double last = std::floor(track.t.back() / interval);
    for (double n = std::ceil(track.t.front() / interval); n <= last; n += 1.0) times.push_back(n * interval);
  }
  std::sort(times.begin(), times.end());
  // A key that lies on the regular grid up to rounding is the same time.
  const auto same = [&](double a, double b) { return b - a < 1e-9 * interval; };
  times.erase(std::unique(times.begin(), times.end(), same), times.end());
  std::vector<Pull> pulls;
  for (const double time : times) {
    std::map<VertexId, Vector3> forces;
    for (const PullTrack& track : tracks) {
      const Vector3 share = force_at(track, time) / static_cast<double>(track.vertices.size());
      for (const VertexId v : track.vertices) forces.try_emplace(v, Vector3::Zero()).first->second += share;
    }
    for (const auto& [vertex, force] : forces)
      if (!force.isZero(0.0)) pulls.push_back({time, vertex, force});
  }
  return pulls;
}

std::vector<PullLoad> group_by_time(std::vector<Pull> pulls) {
  std::stable_sort(pulls.begin(), pulls.end(), [](const Pull& a, const Pull& b) { return a.time < b.time; });
  std::vector<PullLoad> loads;
  for (const Pull& pull : pulls) {
    if (loads.empty() || loads.back().time != pull.time) loads.push_back({pull.time, {}});
    loads.back().pulls.push_back(pull);
  }
  return loads;
}

Result<std::vector<Index>> thin_loads(const RestSystem& system, const std::vector<PullLoad>& loads,
                                      double separation, Progress& progress) {
  if (system.floating())
    return wrong(ErrorCode::kUnsupported, "pulls", "nothing holds the body: a pull has no static shape",
                 "hold a part of it for the sketch");
  const std::map<VertexId, Index> vertices = pulled_vertices(loads);
  const Result<MatrixX> products = response_products(system, vertices, progress);
  if (!products) return products.errors();
  const auto count = std::ssize(loads);
  MatrixX forces = MatrixX::Zero(products.value().rows(), count);
  // Loads as columns over the pulled degrees of freedom only: G has no other rows.
  for (Index a = 0; a < count; ++a)
    for (const Pull& pull : loads[to_size(a)].pulls)
      forces.col(a).segment<3>(3 * vertices.at(pull.vertex)) += pull.force;
  // ‖K⁻¹f‖_M
  const auto norm = [&](const VectorX& f) { return std::sqrt(std::max(0.0, f.dot(products.value() * f))); };
  VectorX norms(count);
  for (Index a = 0; a < count; ++a) norms[a] = norm(forces.col(a));
  const double largest = count > 0 ? norms.maxCoeff() : 0.0;
  if (!(largest > 0.0))
    return wrong(ErrorCode::kDegenerate, "pulls", "move nothing", "pull at vertices that are not held");
  return keep_apart(count, separation * largest, norms,
                    [&](Index a, Index b) { return norm(forces.col(a) - forces.col(b)); });
}

std::vector<Index> thin_shapes(const ElasticBody& body, ConstMatrixRef shapes, double separation) {
  const VectorX norms = mass_norms(body, shapes);
  if (norms.size() == 0) return {};
  return keep_apart(shapes.cols(), separation * norms.maxCoeff(), norms,
                    [&](Index a, Index b) { return mass_norms(body, shapes.col(a) - shapes.col(b))[0]; });
}

Result<SketchedBasis> sketch_basis(const ElasticBody& body, const std::vector<char>& free,
                                   std::span<const Pull> pulls, const SketchSettings& settings,
                                   const StaticSolver& solver, Progress& progress) {
  Diagnostics errors = check(settings.basis);
  for (const auto& [key, value] : {std::pair{"load_separation", settings.load_separation},
                                   std::pair{"shape_separation", settings.shape_separation}})
    if (!(value >= 0.0 && value < 1.0))
      errors.push_back(wrong(ErrorCode::kOutOfRange, key, "must lie in [0, 1), got " + text(value)));
  if (!errors.empty()) return errors;

  const std::vector<PullLoad> loads = group_by_time({pulls.begin(), pulls.end()});
  std::vector<PullLoad> chosen;
  // The factor of the stiffness is only needed for thinning: free its memory before the solver runs.
  {
    const Result<RestSystem> system = RestSystem::make(body, free, progress);
    if (!system) return system.errors();
    const auto kept = thin_loads(system.value(), loads, settings.load_separation, progress);
    if (!kept) return kept.errors();
    chosen.reserve(kept.value().size());
    for (const Index i : kept.value()) chosen.push_back(loads[to_size(i)]);
  }
  const Result<StaticShapes> solved = solver(chosen, progress);
  if (!solved) return solved.errors();
  const StaticShapes& statics = solved.value();
  if (statics.found.empty()) {
    Diagnostics none = statics.notes;
    none.push_back(wrong(ErrorCode::kNumerical, "pulls", "none of the loads has a static shape",
                         "pull more gently, or at several vertices at once"));
    return none;
  }
  const std::vector<Index> kept = thin_shapes(body, statics.shapes, settings.shape_separation);
  MatrixX shapes(body.dof_count(), std::ssize(kept));
  SketchedBasis sketched;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    shapes.col(static_cast<Index>(i)) = statics.shapes.col(kept[i]);
    const Index load = statics.found[to_size(kept[i])];
    sketched.times.push_back(chosen[to_size(load)].time);
  }
  Result<Basis> basis = basis_from_shapes(body, free, shapes, settings.basis, progress);
  if (!basis) return basis.errors();
  sketched.basis = std::move(basis.value());
  sketched.loads = std::ssize(loads);
  sketched.solved = std::ssize(chosen);
  sketched.notes = statics.notes;
  return sketched;
}

}  // namespace pliant
