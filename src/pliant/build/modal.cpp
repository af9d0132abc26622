#include "pliant/build/modal.hpp"

#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"
#include "pliant/build/build_body.hpp"
#include "pliant/build/cubature.hpp"
#include "pliant/build/expected_errors.hpp"
#include "pliant/build/training.hpp"
#include "pliant/model/modal/modal_model.hpp"
#include "pliant/reduce/basis_from_modes.hpp"
#include "pliant/reduce/exact_projection.hpp"
#include "pliant/reduce/reduce_body.hpp"
#include "pliant/reduce/sketch.hpp"
#include "pliant/store/reduced_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace pliant {
namespace {

bool holds(const std::vector<Support>& supports) {
  return std::any_of(supports.begin(), supports.end(),
                     [](const Support& support) { return !support.vertices.empty(); });
}

/// A free body has a rigid frame for all of its vertices, and no mass to hold strays by.
Diagnostics check_strays(const ElasticBody& elastic, const std::vector<Support>& supports) {
  const Index stray = (elastic.lumped_mass().array() <= 0.0).count();
  if (holds(supports) || stray == 0) return {};
  return {{ErrorCode::kUnsupported,
           {},
           "the mesh has " + text(stray) +
               " vertices of no element, and a free reduced body has no place for them",
           "take them out of the mesh file, or model = { type = \"full\" }"}};
}

std::string bytes_of(const void* data, std::size_t size) { return {static_cast<const char*>(data), size}; }

/// What shapes or pulls are called in the cache.
std::string source_of(const ModalSpec& spec) {
  if (!spec.source.empty()) return spec.source;
  if (!spec.shapes && !spec.pulls) return "none";
  Hasher hasher;
  if (spec.shapes)
    hasher.add(std::span<const double>(spec.shapes->data(), to_size(spec.shapes->size())));
  else
    for (const Pull& pull : *spec.pulls) {
      hasher.add(bytes_of(&pull.time, sizeof pull.time) + bytes_of(&pull.vertex, sizeof pull.vertex));
      hasher.add(std::span<const double>(pull.force.data(), 3));
    }
  return (spec.shapes ? "shapes " : "pulls ") + hasher.hex() +
         (spec.pulls ? " separation " + text(spec.separation) : "");
}

/// Where a problem is: the settings of the model.
Diagnostics of_model(Diagnostics list) {
  for (Diagnostic& problem : list)
    problem.where.key = "model" + (problem.where.key.empty() ? "" : ": " + problem.where.key);
  return list;
}

/// Everything of the settings that decides what the basis is.
std::string recipe(const ModalSpec& spec, const BodyDefinition& definition, const SceneStart& start) {
  const BasisSettings& settings = spec.basis;
  std::string text =
      fmt::format("modal 1; k {}; r {}; energy {}; derivatives {}; {}", settings.linear_modes, settings.modes,
                  settings.energy.value_or(0.0), settings.derivatives, source_of(spec));
  for (const Patch& patch : settings.patches)
    text += fmt::format("; patch {}", fmt::join(patch.vertices, ","));
  if (spec.training) text += "; " + training_recipe(*spec.training, definition, start);
  return text;
}

Result<Basis> cook(const BodyDefinition& definition, const ModalSpec& spec, ReducedOutcome& outcome,
                   Progress& progress) {
  const ElasticBody& body = *definition.elastic;
  const std::vector<char> free = free_dofs(body, definition.supports);
  if (spec.shapes) return basis_from_shapes(body, free, *spec.shapes, spec.basis, progress);
  if (!spec.pulls) return make_basis(body, free, spec.basis, progress);
  const StaticSolver solver = [&](const std::vector<PullLoad>& loads, Progress& inner) {
    return static_shapes(definition.elastic, definition.supports, loads, inner);
  };
  Result<SketchedBasis> sketched =
      sketch_basis(body, free, *spec.pulls, {spec.separation, spec.separation, spec.basis}, solver, progress);
  if (!sketched) return sketched.errors();
  outcome.sketch = {sketched.value().loads, sketched.value().solved, std::ssize(sketched.value().times)};
  const Diagnostics& notes = sketched.value().notes;
  outcome.notes.insert(outcome.notes.end(), notes.begin(), notes.end());
  return std::move(sketched.value().basis);
}

/// What can be expected of the body reduced in this way.
Result<ExpectedErrors> judge(ReducedBody reduced, const HeldOut& held_out, const BodyDefinition& definition,
                             const Progress& progress) {
  const auto shared = std::make_shared<const ReducedBody>(std::move(reduced));
  const auto loops = make_element_loops(definition.elastic);
  const MakeModel make = [&](const std::vector<Support>& supports, const Loads& loads,
                             const StepSettings& settings) {
    return make_modal_model({shared, definition.elastic, loops, supports, loads}, settings);
  };
  return expected_errors(held_out, *definition.elastic, make, progress);
}

/// The body on the trained basis that does best on what was held out.
Result<ReducedBody> best_of(std::vector<Basis> bases, const HeldOut& held_out,
                            const BodyDefinition& definition, Progress& progress) {
  std::optional<ReducedBody> best;
  for (Basis& basis : bases) {
    Result<ReducedBody> made = reduce_body(*definition.elastic, std::move(basis), progress);
    if (!made) return made;
    const Result<ExpectedErrors> errors = judge(made.value(), held_out, definition, progress);
    if (!errors) return errors.errors();
    made.value().basis.expected = errors.value();
    if (!best || typical(errors.value()) < typical(best->basis.expected)) best = std::move(made).value();
  }
  return std::move(*best);
}

/// The body on the fewest shapes whose expected errors are small enough; on all if that is too few.
Result<ReducedBody> fewest_shapes(const ReducedBody& whole, const HeldOut& held_out,
                                  const BodyDefinition& definition, double error, Diagnostics& notes,
                                  const Progress& progress) {
  if (largest(whole.basis.expected) > error) {
    notes.push_back({ErrorCode::kNumerical,
                     {{}, 0, 0, "train.error"},
                     fmt::format("{} shapes have an expected error of {:.2g}, more than {}", whole.size(),
                                 largest(whole.basis.expected), error),
                     "raise `modes`"});
    return whole;
  }
  ReducedBody best = whole;
  Index too_few = 0;  // errors fall with the number of shapes, if not strictly: bisect
  while (best.size() - too_few > 1) {
    const Index middle = (best.size() + too_few) / 2;
    ReducedBody part = whole.head(middle);
    const Result<ExpectedErrors> errors = judge(part, held_out, definition, progress);
    if (!errors) return errors.errors();
    part.basis.expected = errors.value();
    if (largest(errors.value()) > error)
      too_few = middle;
    else
      best = std::move(part);
  }
  return best;
}

/// The same body on as many modes and modal derivatives, if these do better on what was held out.
Result<ReducedBody> unless_modes_do_better(ReducedBody trained, const TrainedBases& training,
                                           const BodyDefinition& definition, const ModalSpec& spec,
                                           Diagnostics& notes, Progress& progress) {
  BasisSettings plain = spec.basis;
  plain.modes = trained.size();
  Result<Basis> basis = basis_from_modes(*training.system, training.modes, plain, progress);
  if (!basis) return basis.errors();
  Result<ReducedBody> modes = reduce_body(*definition.elastic, std::move(basis).value(), progress);
  if (!modes) return modes;
  const Result<ExpectedErrors> errors = judge(modes.value(), training.held_out, definition, progress);
  if (!errors) return errors.errors();
  if (!(typical(errors.value()) < typical(trained.basis.expected))) return trained;
  notes.push_back({ErrorCode::kNumerical,
                   {{}, 0, 0, "basis"},
                   "expected errors of trained shapes: " + describe(trained.basis.expected) +
                       "; of modes and modal derivatives: " + describe(errors.value()),
                   "the latter are used"});
  modes.value().basis.expected = errors.value();
  return modes;
}

/// Trains a basis, reduces the body to it and measures what can be expected of it.
Result<ReducedBody> train(const BodyDefinition& definition, const ModalSpec& spec, const SceneStart& start,
                          ReducedOutcome& outcome, Progress& progress) {
  Result<TrainedBases> trained = train_bases(definition, *spec.training, start, spec.basis.modes, progress);
  if (!trained) return trained.errors();
  outcome.training = trained.value().counts;
  const Diagnostics& notes = trained.value().notes;
  outcome.notes.insert(outcome.notes.end(), notes.begin(), notes.end());
  const HeldOut& held_out = trained.value().held_out;
  Result<ReducedBody> kept = best_of(std::move(trained.value().bases), held_out, definition, progress);
  if (kept && spec.training->error)
    kept = fewest_shapes(ReducedBody(kept.value()), held_out, definition, *spec.training->error,
                         outcome.notes, progress);
  if (!kept) return kept;
  return unless_modes_do_better(std::move(kept).value(), trained.value(), definition, spec, outcome.notes,
                                progress);
}

/// A reduced body that is not in the cache.
Result<ReducedBody> make(const BodyDefinition& definition, const ModalSpec& spec, const SceneStart& start,
                         ReducedOutcome& outcome, Progress& progress) {
  if (spec.training && holds(definition.supports)) return train(definition, spec, start, outcome, progress);
  if (spec.training)
    outcome.notes.push_back({ErrorCode::kUnsupported,
                             {{}, 0, 0, "basis"},
                             "nothing holds the body, so there are no static shapes to train it with",
                             "the basis is made of modes and modal derivatives"});
  Result<Basis> basis = cook(definition, spec, outcome, progress);
  if (!basis) return basis.errors();
  return reduce_body(*definition.elastic, std::move(basis).value(), progress);
}

/// Cubature points instead of the polynomial or the loop over the elements, where they are asked for.
Status take_forces(const ModalSpec& spec, const BodyDefinition& definition, const SceneStart& start,
                   std::vector<VertexId> held, const BuildOptions& options, ReducedOutcome& outcome,
                   Progress& progress) {
  if (spec.exact || (!spec.cubature && outcome.body->forms)) return Done{};
  const CubatureSpec settings = spec.cubature.value_or(CubatureSpec{});
  ForcesRequest request{
      "the body", definition.elastic, outcome.body, std::move(held), recipe(spec, definition, start), {}};
  if (settings.full_poses) {
    if (!holds(definition.supports))
      outcome.notes.push_back({ErrorCode::kUnsupported,
                               {{}, 0, 0, "cubature.poses"},
                               "nothing holds the body, so it has no static shapes",
                               "poses are those of the reduced model"});
    else
      request.poses = [&](Progress& inner) {
        return full_poses(definition, *outcome.body, settings.seed, inner);
      };
  }
  Result<ForcesOutcome> decided = decide_forces(request, settings, options, progress);
  if (!decided) return decided.errors();
  outcome.body = std::move(decided.value().reduced);
  outcome.cubature = std::move(decided.value().report);
  if (outcome.cubature && outcome.cubature->kept && !outcome.file.empty())
    outcome.file = outcome.cubature->file;  // the one that a program without finite elements runs
  const Diagnostics& notes = decided.value().notes;
  outcome.notes.insert(outcome.notes.end(), notes.begin(), notes.end());
  return Done{};
}

}  // namespace

std::optional<std::filesystem::path> default_cache_folder() {
  const auto variable = [](const char* name) -> std::optional<std::filesystem::path> {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it while we run
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::filesystem::path(value);
  };
  if (auto own = variable("PLIANT_CACHE")) return own;
  if (const auto cache = variable("XDG_CACHE_HOME")) return *cache / "pliant";
  if (const auto home = variable("HOME")) return *home / ".cache" / "pliant";
  return std::nullopt;
}

Result<ReducedOutcome> make_reduced_body(const ModalSpec& spec, const BodyDefinition& definition,
                                         const SceneStart& start, const BuildOptions& options,
                                         Progress& progress) {
  const std::shared_ptr<const ElasticBody>& elastic = definition.elastic;
  const std::vector<Support>& supports = definition.supports;
  const Diagnostics problems = check_strays(*elastic, supports);
  if (!problems.empty()) return of_model(problems);
  ReducedOutcome outcome;
  std::vector<VertexId> held;
  const std::vector<char> free = free_dofs(*elastic, supports);
  for (std::size_t i = 0; i < free.size(); i += 3)
    if (free[i] == 0) held.push_back(static_cast<VertexId>(i / 3));
  const std::string key = reduced_body_key(*elastic, held, recipe(spec, definition, start));
  std::shared_ptr<const ReducedBody> body;
  if (options.cache) {
    const ReducedCache cache(*options.cache);
    outcome.file = cache.file(key);
    if (std::optional<CachedBody> kept = cache.load(key, outcome.notes)) body = std::move(kept->reduced);
    outcome.from_cache = body != nullptr;
  }
  if (!body) {
    Result<ReducedBody> built = make(definition, spec, start, outcome, progress);
    if (!built) return of_model(built.errors());
    body = std::make_shared<const ReducedBody>(std::move(built).value());
    if (options.cache) {
      progress.begin("write the cache", 0);
      const Status saved = ReducedCache(*options.cache).save(key, {elastic, held, body});
      progress.end();
      if (!saved) {  // the run can go on without it
        outcome.file.clear();
        outcome.notes.insert(outcome.notes.end(), saved.errors().begin(), saved.errors().end());
      }
    }
  }
  if (spec.modes_used && *spec.modes_used > body->size())
    return Diagnostic{ErrorCode::kOutOfRange,
                      {{}, 0, 0, "model"},
                      "modes_used = " + text(*spec.modes_used) + " is more than the basis has",
                      "it has " + text(body->size())};
  if (spec.modes_used && *spec.modes_used < body->size())
    body = std::make_shared<const ReducedBody>(body->head(*spec.modes_used));
  outcome.body = std::move(body);
  if (Status decided = take_forces(spec, definition, start, std::move(held), options, outcome, progress);
      !decided)
    return of_model(decided.errors());
  return outcome;
}

}  // namespace pliant
