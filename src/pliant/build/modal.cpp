#include "pliant/build/modal.hpp"

#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"
#include "pliant/build/build_body.hpp"
#include "pliant/model/full/static_shapes.hpp"
#include "pliant/reduce/reduce_body.hpp"
#include "pliant/reduce/sketch.hpp"
#include "pliant/store/reduced_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace pliant {
namespace {

/// A free body has a rigid frame for all of its vertices, and no mass to hold strays by.
Diagnostics check_strays(const ElasticBody& elastic, const std::vector<Support>& supports) {
  const bool held = std::any_of(supports.begin(), supports.end(),
                                [](const Support& support) { return !support.vertices.empty(); });
  const Index stray = (elastic.lumped_mass().array() <= 0.0).count();
  if (held || stray == 0) return {};
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
std::string recipe(const ModalSpec& spec) {
  const BasisSettings& settings = spec.basis;
  std::string text =
      fmt::format("modal 1; k {}; r {}; energy {}; derivatives {}; {}", settings.linear_modes, settings.modes,
                  settings.energy.value_or(0.0), settings.derivatives, source_of(spec));
  for (const Patch& patch : settings.patches)
    text += fmt::format("; patch {}", fmt::join(patch.vertices, ","));
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

Result<ReducedOutcome> make_reduced_body(const ModalSpec& spec,
                                         const std::shared_ptr<const ElasticBody>& elastic,
                                         const std::vector<Support>& supports, const BuildOptions& options,
                                         Progress& progress) {
  const Diagnostics problems = check_strays(*elastic, supports);
  if (!problems.empty()) return of_model(problems);
  ReducedOutcome outcome;
  std::vector<VertexId> held;
  const std::vector<char> free = free_dofs(*elastic, supports);
  for (std::size_t i = 0; i < free.size(); i += 3)
    if (free[i] == 0) held.push_back(static_cast<VertexId>(i / 3));
  const std::string key = reduced_body_key(*elastic, held, recipe(spec));
  std::shared_ptr<const ReducedBody> body;
  if (options.cache) {
    const ReducedCache cache(*options.cache);
    outcome.file = cache.file(key);
    if (std::optional<CachedBody> kept = cache.load(key, outcome.notes)) body = std::move(kept->reduced);
    outcome.from_cache = body != nullptr;
  }
  if (!body) {
    Result<Basis> basis = cook({elastic, supports, {}}, spec, outcome, progress);
    if (!basis) return of_model(basis.errors());
    Result<ReducedBody> built = reduce_body(*elastic, std::move(basis).value(), progress);
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
  return outcome;
}

}  // namespace pliant
