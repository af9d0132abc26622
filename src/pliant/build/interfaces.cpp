#include "pliant/build/interfaces.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/base/text.hpp"
#include "pliant/build/training_cases.hpp"
#include "pliant/model/coupled/coupled_model.hpp"
#include "pliant/store/reduced_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numbers>
#include <sstream>

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

// Largest displacement of a kick's linear answer over the size of the body. The last two judge.
constexpr std::array kAmplitudes{0.03, 0.06, 0.1, 0.16, 0.24, 0.32, 0.05, 0.2};
constexpr Index kHeldOut = 2;
constexpr Index kModes = 24;  // along which the body is kicked
constexpr Index kSteps = 60;  // per kick: a period of the lowest mode
constexpr Index kStepsPerPose = 6;
constexpr double kSmall = 1e-4;       // of the poses along single modes: displacement over size
constexpr double kSmallWeight = 6.0;  // of the errors in the first of these poses
constexpr std::size_t kWeighed = 8;
constexpr double kTolerance = 1e-4;  // shapes need not be more exact
constexpr std::string_view kTitle = "pliant interfaces 2";

double size_of(const VolumeMesh& mesh) {
  Vector3 low = mesh.vertices.front(), high = low;
  for (const Vector3& x : mesh.vertices) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return (high - low).norm();
}

/// Velocities along the modes whose linear answer moves no vertex further than `amplitude`. Low modes move
/// most.
VectorX kick(const Model::Frequencies& modes, double amplitude, Rng& rng) {
  VectorX u = VectorX::Zero(modes.shapes.rows()), v = u;
  for (Index i = 0; i < modes.shapes.cols(); ++i) {
    const double own = rng.normal() * modes.hz.front() / modes.hz[to_size(i)];
    u += own * modes.shapes.col(i);
    v += own * 2.0 * std::numbers::pi * modes.hz[to_size(i)] * modes.shapes.col(i);
  }
  double largest = 0.0;
  for (Index i = 0; i < u.size(); i += 3) largest = std::max(largest, u.segment<3>(i).norm());
  return largest > 0.0 ? VectorX(amplitude / largest * v) : v;
}

CoupledPose pose_of(const Model& model) {
  CoupledPose pose;
  for (const PartPose& part : model.parts()) {
    pose.positions.push_back(part.position);
    pose.turns.push_back(part.turn);
  }
  pose.q = model.coordinates();
  return pose;
}

/// The body along each of its low modes, hardly deformed: so that frequencies are right.
std::vector<CoupledPose> mode_poses(Model& model, const Model::Frequencies& modes, double size) {
  std::vector<CoupledPose> poses;
  const VectorX rest = VectorX::Zero(modes.shapes.rows());
  for (Index i = 0; i < modes.shapes.cols(); ++i) {
    const double largest = modes.shapes.col(i).cwiseAbs().maxCoeff();
    if (model.start(0.0, size / std::max(largest, 1e-300) * modes.shapes.col(i), rest).healthy())
      poses.push_back(pose_of(model));
  }
  for (std::size_t i = 0; i < std::min(kWeighed, poses.size()); ++i) poses[i].weight = kSmallWeight;
  return poses;
}

/// Poses after one kick; fewer when a step fails.
std::vector<CoupledPose> run(Model& model, const VectorX& velocities, double dt, const Progress& progress) {
  std::vector<CoupledPose> poses;
  if (!model.start(0.0, VectorX::Zero(velocities.size()), velocities).healthy()) return poses;
  for (Index step = 0; step < kSteps && !progress.cancelled(); ++step) {
    if (!model.step(static_cast<double>(step) * dt, dt).healthy()) break;
    if (step % kStepsPerPose == kStepsPerPose - 1) poses.push_back(pose_of(model));
  }
  return poses;
}

std::string names_of(const CoupledBody& body, const Interface& interface) {
  std::vector<std::string> names;
  names.reserve(interface.domains.size());
  for (const Index d : interface.domains) names.push_back(body.domains[to_size(d)].name);
  return fmt::format("{}", fmt::join(names, " / "));
}

std::string sealed(const std::string& lines) {
  Hasher hasher;
  hasher.add(lines);
  return lines + hasher.hex() + "\n";
}

/// Choices as text: of each interface the numbers of points, of errors and of factors per point, then points
/// with weights and factors, errors.
std::string written(const std::vector<InterfaceChoice>& choices) {
  std::string lines(kTitle);
  lines += "\n";
  for (const InterfaceChoice& one : choices) {
    const std::size_t factors = one.kinds.empty() ? 0 : one.interface.domains.size() + 2;
    lines += fmt::format("{} {} {}\n", one.choice.points.size(), one.choice.curve.size(), factors);
    for (std::size_t i = 0; i < one.choice.points.size(); ++i) {
      lines += fmt::format("{} {:.17g}", one.choice.points[i], one.choice.weights[static_cast<Index>(i)]);
      if (factors > 0)
        lines += fmt::format(" {:.17g} {:.17g} {:.17g}", one.kinds[i].force, one.kinds[i].torque,
                             fmt::join(one.kinds[i].coordinates, " "));
      lines += "\n";
    }
    for (const CubatureError& error : one.choice.curve)
      lines += fmt::format("{} {:.17g} {:.17g}\n", error.points, error.fitted, error.held_out);
  }
  return sealed(lines);
}

/// Fills the choices; false if the text is not what written() writes for these interfaces.
bool read(const std::string& bytes, std::vector<InterfaceChoice>& choices) {
  constexpr std::size_t kEnd = 33;  // 32 digits and a line end
  if (bytes.size() < kEnd || sealed(bytes.substr(0, bytes.size() - kEnd)) != bytes) return false;
  std::istringstream words(bytes);
  std::string title;
  std::getline(words, title);
  if (title != kTitle) return false;
  for (InterfaceChoice& one : choices) {
    std::size_t points = 0, errors = 0, factors = 0;
    const auto most = one.interface.elements.size();
    if (!(words >> points >> errors >> factors) || points > most || errors > 10 * most) return false;
    if (factors != 0 && factors != one.interface.domains.size() + 2) return false;
    one.kinds.assign(factors > 0 ? points : 0, {std::vector<double>(one.interface.domains.size(), 1.0)});
    one.choice.weights.resize(static_cast<Index>(points));
    one.choice.points.assign(points, 0);
    one.choice.curve.assign(errors, {});
    for (std::size_t i = 0; i < points; ++i) {
      words >> one.choice.points[i] >> one.choice.weights[static_cast<Index>(i)];
      if (one.choice.points[i] < 0 || to_size(one.choice.points[i]) >= most) return false;
      if (factors == 0) continue;
      words >> one.kinds[i].force >> one.kinds[i].torque;
      for (double& factor : one.kinds[i].coordinates) words >> factor;
    }
    for (CubatureError& error : one.choice.curve) words >> error.points >> error.fitted >> error.held_out;
  }
  return words.good();
}

/// All interfaces: the cache, or poses and choices.
Result<std::vector<InterfaceChoice>> choices_of(const InterfaceRequest& request, const CubatureSpec& spec,
                                                const std::filesystem::path& file, bool& from_cache,
                                                Progress& progress) {
  std::vector<InterfaceChoice> choices;
  for (Interface& interface : interfaces_of(*request.body)) choices.push_back({std::move(interface), {}});
  if (!file.empty() && std::filesystem::exists(file)) {
    const Result<std::string> bytes = read_file(file);
    from_cache = bytes && read(bytes.value(), choices);
    if (from_cache) return choices;
  }
  const Result<KickedPoses> poses = kicked_poses(request.body, request.supports, spec.seed, progress);
  if (!poses) return poses.errors();
  CubatureSettings settings;
  settings.error = spec.error;
  settings.points = spec.points;
  settings.seed = spec.seed;
  Result<std::vector<InterfaceChoice>> chosen = choose_interfaces(
      *request.whole, *request.body, poses.value().poses, poses.value().held_out, settings, progress);
  if (chosen && spec.interface == InterfaceForces::kNonuniform)
    for (InterfaceChoice& one : chosen.value())
      weigh_kinds(*request.whole, *request.body, poses.value().poses, poses.value().held_out, one);
  return chosen;
}

std::filesystem::path cache_file(const InterfaceRequest& request, const CubatureSpec& spec,
                                 const BuildOptions& options) {
  if (!options.cache) return {};
  std::vector<VertexId> held;
  for (const Support& support : request.supports)
    held.insert(held.end(), support.vertices.begin(), support.vertices.end());
  std::sort(held.begin(), held.end());
  const std::string recipe =
      request.recipe + fmt::format("; interfaces 2; error {}; points {}; seed {}{}", spec.error, spec.points,
                                   spec.seed,
                                   spec.interface == InterfaceForces::kNonuniform ? "; nonuniform" : "");
  return *options.cache / (reduced_body_key(*request.whole, held, recipe) + ".interfaces");
}

CubatureReport report_of(const InterfaceChoice& one, bool from_cache, double seconds) {
  CubatureReport report;
  report.kept = true;
  report.points = std::ssize(one.choice.points);
  report.error = one.choice.error();
  report.curve.resize(3, std::ssize(one.choice.curve));
  for (std::size_t i = 0; i < one.choice.curve.size(); ++i) {
    const CubatureError& error = one.choice.curve[i];
    report.curve.col(static_cast<Index>(i)) << static_cast<double>(error.points), error.fitted,
        error.held_out;
  }
  report.from_cache = from_cache;
  report.seconds = seconds;
  return report;
}

}  // namespace

Result<KickedPoses> kicked_poses(const std::shared_ptr<const CoupledBody>& body,
                                 const std::vector<Support>& supports, std::uint64_t seed,
                                 Progress& progress) {
  StepSettings settings;
  settings.integrator = Integrator::kEnergyMomentum;
  settings.newton_tolerance = kTolerance;
  const auto make = [&] { return make_coupled_model({body, resting(supports), {}, {}}, settings); };
  Result<std::unique_ptr<Model>> first = make();
  if (!first) return first.errors();
  const Index free = first.value()->dof_count() - 6;
  const Result<Model::Frequencies> modes =
      first.value()->natural_frequencies(std::clamp<Index>(free, 1, kModes), progress);
  if (!modes) return modes.errors();
  if (modes.value().hz.empty() || !(modes.value().hz.front() > 0.0))
    return Diagnostic{ErrorCode::kNumerical, {}, "the body does not vibrate, so it cannot be kicked", ""};
  const double dt = 1.0 / (modes.value().hz.front() * static_cast<double>(kSteps));
  const double size = size_of(body->rest->mesh());
  Rng rng(seed);
  std::vector<VectorX> kicks;
  kicks.reserve(kAmplitudes.size());
  for (const double amplitude : kAmplitudes) kicks.push_back(kick(modes.value(), amplitude * size, rng));
  std::vector<std::vector<CoupledPose>> found(kicks.size());
  std::mutex reporting;
  Index done = 0;
  progress.begin("poses for cubature", std::ssize(kicks));
  parallel_tasks(std::ssize(kicks), [&](Index k) {
    Result<std::unique_ptr<Model>> model = make();
    if (model && !progress.cancelled())
      found[to_size(k)] = run(*model.value(), kicks[to_size(k)], dt, progress);
    const std::lock_guard lock(reporting);
    progress.update(++done);
  });
  progress.end();
  if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
  KickedPoses result{mode_poses(*first.value(), modes.value(), kSmall * size), 0};
  for (std::size_t k = 0; k < found.size(); ++k) {
    result.poses.insert(result.poses.end(), found[k].begin(), found[k].end());
    if (k + kHeldOut >= found.size()) result.held_out += std::ssize(found[k]);
  }
  return result;
}

Result<InterfaceOutcome> reduce_interfaces(const InterfaceRequest& request, const CubatureSpec& spec,
                                           const BuildOptions& options, Progress& progress) {
  const auto begin = Clock::now();
  const std::filesystem::path file = cache_file(request, spec, options);
  bool from_cache = false;
  const Result<std::vector<InterfaceChoice>> choices = choices_of(request, spec, file, from_cache, progress);
  if (!choices) return choices.errors();
  InterfaceOutcome outcome;
  if (!file.empty() && !from_cache) {
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    if (Status saved = write_file(file, written(choices.value())); !saved) outcome.notes = saved.errors();
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  struct Kept {
    Index place;
    double weight;
    const KindWeights* kinds;
  };
  std::vector<Kept> kept;
  for (const InterfaceChoice& one : choices.value()) {
    for (std::size_t i = 0; i < one.choice.points.size(); ++i)
      kept.push_back({one.interface.elements[to_size(one.choice.points[i])],
                      one.choice.weights[static_cast<Index>(i)],
                      one.kinds.empty() ? nullptr : &one.kinds[i]});
    outcome.reports.emplace_back(names_of(*request.body, one.interface), report_of(one, from_cache, seconds));
    if (one.choice.error() > spec.error && spec.points == 0)
      outcome.notes.push_back({ErrorCode::kNumerical,
                               {{}, 0, 0, "cubature.interface"},
                               fmt::format("{} elements between {} have an error of {:.2g}, more than {}",
                                           one.choice.points.size(), outcome.reports.back().first,
                                           one.choice.error(), spec.error),
                               ""});
  }
  std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.place < b.place; });
  std::vector<Index> places;
  std::vector<double> weights;
  std::vector<KindWeights> kinds;
  for (const Kept& one : kept) {
    places.push_back(one.place);
    weights.push_back(one.weight);
    if (one.kinds != nullptr) kinds.push_back(*one.kinds);
  }
  if (!kinds.empty())
    outcome.notes.push_back({ErrorCode::kNumerical,
                             {{}, 0, 0, "cubature.interface"},
                             "a weight for each kind of force does not keep the angular momentum",
                             "take \"uniform\" for motions that shall be right"});
  outcome.body = std::make_shared<const CoupledBody>(
      with_coupling(*request.body, *request.whole, places, weights, kinds));
  return outcome;
}

}  // namespace pliant
