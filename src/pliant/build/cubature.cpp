#include "pliant/build/cubature.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"
#include "pliant/reduce/exact_projection.hpp"
#include "pliant/store/reduced_cache.hpp"
#include "pliant/subspace/cubature_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <sstream>

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTimedRuns = 30;
// Cubature must be so much faster than the polynomial, which has no error.
constexpr double kWorthIt = 0.8;

constexpr const char* kPolynomialWord = "polynomial\n";
constexpr const char* kPointsWord = "points\n";

Diagnostic note(const ForcesRequest& request, std::string what, std::string remedy) {
  return {
      ErrorCode::kNumerical, {{}, 0, 0, "cubature of " + request.name}, std::move(what), std::move(remedy)};
}

MakeForces exact_forces(const ForcesRequest& request) {
  const std::shared_ptr<const ReducedBody> reduced = request.reduced;
  const std::shared_ptr<const ElasticBody> elastic = request.elastic;
  if (reduced->forms)
    return [=] { return polynomial_forces(reduced, elastic->materials().materials, Storage::kDouble); };
  const std::shared_ptr<const ElementLoops> loops = make_element_loops(elastic);
  return [=] { return loops->forces(reduced); };
}

/// Points that an interrupted choice had found, one number per word.
std::vector<Index> read_points(const std::filesystem::path& file, Index count) {
  std::vector<Index> points;
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return points;
  std::istringstream words(bytes.value());
  for (Index point = 0; words >> point;)
    if (point >= 0 && point < count) points.push_back(point);
  return points;
}

void write_points(const std::filesystem::path& file, const CubatureChoice& choice) {
  std::string words;
  for (const Index point : choice.points) words += text(point) + "\n";
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  if (!choice.points.empty()) (void)write_file(file, words).ok();
}

/// One body: the cache, the choice, what is kept.
class Decision {
 public:
  Decision(const ForcesRequest& request, const CubatureSpec& spec, const BuildOptions& options,
           Progress& progress)
      : request_(request), spec_(spec), options_(options), progress_(progress) {}

  Result<ForcesOutcome> make() {
    ForcesOutcome outcome{request_.reduced, std::nullopt, {}};
    if (request_.reduced->size() == 0) return outcome;  // a domain that is held completely has no forces
    const bool polynomial = request_.reduced->forms.has_value();
    if (spec_.interior == InteriorForces::kPolynomial) {
      if (!polynomial)
        return Diagnostic{ErrorCode::kUnsupported,
                          {{}, 0, 0, "cubature.interior"},
                          "the material of " + request_.name + " has no polynomial",
                          "take \"cubature\", or law = \"stvk\""};
      return outcome;
    }
    const bool choose = spec_.interior == InteriorForces::kAuto && polynomial;
    CubatureReport report;
    const std::string before = choose ? remembered() : "";
    if (before == kPolynomialWord) return outcome;
    if (choose) report.polynomial_us = evaluation_time(*exact_forces(request_)(), request_.reduced->size());
    if (choose && before.empty() && fewest_points_us() > kWorthIt * report.polynomial_us) {
      remember(kPolynomialWord);
      return outcome;
    }
    Result<std::shared_ptr<const ReducedBody>> made = with_points(report, outcome.notes);
    if (!made) return made.errors();
    const CubaturePoints& points = *made.value()->cubature;
    report.points = points.count();
    report.error = points.error;
    report.curve = points.curve;
    report.cubature_us = evaluation_time(
        *cubature_forces(made.value(), request_.elastic->materials().materials), points.gradients.cols());
    const bool good = points.error <= spec_.error || spec_.points > 0;
    report.kept = spec_.interior == InteriorForces::kCubature ||
                  (good && (!polynomial || before == kPointsWord ||
                            report.cubature_us < kWorthIt * report.polynomial_us));
    if (choose && before.empty()) remember(report.kept ? kPointsWord : kPolynomialWord);
    if (report.kept) outcome.reduced = std::move(made).value();
    if (!good) complain(points, report.kept, outcome.notes);
    outcome.report = std::move(report);
    return outcome;
  }

 private:
  /// What was faster when this body was first built: times differ from run to run, a body must not.
  [[nodiscard]] std::filesystem::path memory() const { return *options_.cache / (key() + ".forces"); }
  [[nodiscard]] std::string remembered() const {
    if (!options_.cache || !std::filesystem::exists(memory())) return "";
    const Result<std::string> word = read_file(memory());
    return word && (word.value() == kPolynomialWord || word.value() == kPointsWord) ? word.value() : "";
  }
  void remember(const char* word) const {
    if (!options_.cache) return;
    std::error_code ignored;
    std::filesystem::create_directories(*options_.cache, ignored);
    (void)write_file(memory(), word).ok();  // without it, times are taken anew
  }

  /// The time with as many points as coordinates: no fewer can do.
  [[nodiscard]] double fewest_points_us() const {
    ReducedBody few = *request_.reduced;
    few.forms.reset();
    const Index r = few.size();
    CubaturePoints points;
    points.gradients = MatrixX::Constant(9 * r, r, 1e-6);
    points.weights = VectorX::Ones(r);
    points.groups.assign(to_size(r), 0);
    few.cubature = std::move(points);
    const auto shared = std::make_shared<const ReducedBody>(std::move(few));
    return evaluation_time(*cubature_forces(shared, request_.elastic->materials().materials), r);
  }

  void complain(const CubaturePoints& points, bool kept, Diagnostics& notes) const {
    notes.push_back(
        note(request_,
             fmt::format("{} points have an error of {:.2g}, more than {}", points.count(), points.error,
                         spec_.error),
             kept ? "they are used all the same"
                  : std::string("they are not used: forces are computed by ") +
                        (request_.reduced->forms ? "the polynomial" : "a loop over all elements")));
  }

  [[nodiscard]] std::string key() const {
    const std::string recipe =
        request_.recipe +
        fmt::format("; cubature 2; error {}; points {}; seed {}; poses {}", spec_.error, spec_.points,
                    spec_.seed, request_.poses ? "full" : "reduced") +
        "; r " + text(request_.reduced->size());
    return reduced_body_key(*request_.elastic, request_.held, recipe);
  }

  /// The body with its cubature points, and without a polynomial: from the cache, or chosen now.
  Result<std::shared_ptr<const ReducedBody>> with_points(CubatureReport& report, Diagnostics& notes) {
    const std::string name = key();
    if (options_.cache) {
      const ReducedCache cache(*options_.cache);
      report.file = cache.file(name);
      if (std::optional<CachedBody> kept = cache.load(name, notes); kept && kept->reduced->cubature) {
        report.from_cache = true;
        return kept->reduced;
      }
    }
    const auto begin = Clock::now();
    Result<CubaturePoints> points = choose(name);
    if (!points) return points.errors();
    report.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    auto made = std::make_shared<ReducedBody>(*request_.reduced);
    made->forms.reset();
    made->cubature = std::move(points).value();
    if (options_.cache) {
      const Status saved = ReducedCache(*options_.cache).save(name, {request_.elastic, request_.held, made});
      if (!saved) {
        report.file.clear();
        notes.insert(notes.end(), saved.errors().begin(), saved.errors().end());
      }
    }
    return std::shared_ptr<const ReducedBody>(std::move(made));
  }

  Result<CubaturePoints> choose(const std::string& name) {
    BodyCubatureSettings settings;
    settings.choice.error = spec_.error;
    settings.choice.points = spec_.points;
    settings.choice.seed = spec_.seed;
    if (request_.poses) {
      Result<MatrixX> given = request_.poses(progress_);
      if (!given) return given.errors();
      settings.given = std::move(given).value();
    }
    std::filesystem::path partial;
    if (options_.cache) {
      partial = *options_.cache / (name + ".points");
      settings.choice.start = read_points(partial, std::numeric_limits<std::int32_t>::max());
      settings.choice.on_cancel = [&](const CubatureChoice& found) { write_points(partial, found); };
    }
    Result<CubaturePoints> points =
        make_cubature(*request_.elastic, *request_.reduced, exact_forces(request_), settings, progress_);
    std::error_code ignored;
    if (points && !settings.choice.start.empty()) std::filesystem::remove(partial, ignored);
    return points;
  }

  const ForcesRequest& request_;
  const CubatureSpec& spec_;
  const BuildOptions& options_;
  Progress& progress_;
};

}  // namespace

double evaluation_time(ReducedForces& forces, Index r) {
  const VectorX q = VectorX::Zero(r);
  VectorX f(r);
  MatrixX K(r, r);
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kTimedRuns; ++run) {
    const auto begin = Clock::now();
    (void)forces.evaluate(q, f, K);
    best = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  return best;
}

Result<ForcesOutcome> decide_forces(const ForcesRequest& request, const CubatureSpec& spec,
                                    const BuildOptions& options, Progress& progress) {
  return Decision(request, spec, options, progress).make();
}

}  // namespace pliant
