#include "pliant/scene/reduced.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"
#include "pliant/file/pulls_file.hpp"
#include "pliant/file/state_file.hpp"
#include "pliant/model/full/static_shapes.hpp"
#include "pliant/reduce/make_basis.hpp"
#include "pliant/reduce/sketch.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/store/reduced_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace pliant {
namespace {

/// A free body has a rigid frame for all of its vertices, and no mass to hold strays by.
Diagnostics check_strays(const ElasticBody& elastic, const std::vector<Support>& supports,
                         const Location& where) {
  const bool held = std::any_of(supports.begin(), supports.end(),
                                [](const Support& support) { return !support.vertices.empty(); });
  const Index stray = (elastic.lumped_mass().array() <= 0.0).count();
  if (held || stray == 0) return {};
  return {{ErrorCode::kUnsupported, where,
           "the mesh has " + text(stray) +
               " vertices of no element, and a free reduced body has no place for them",
           "take them out of the mesh file, or model = { type = \"full\" }"}};
}

/// What a basis is made of, read and checked, with a hash of the bytes of all files.
struct Ingredients {
  BasisSettings settings;
  std::optional<MatrixX> shapes;           // given ones
  std::optional<std::vector<Pull>> pulls;  // of a sketch
  std::string hash = "none";
};

Result<std::vector<std::filesystem::path>> listed_files(const SceneDescription& scene, const ModalText& modal,
                                                        const Location& where) {
  std::vector<std::filesystem::path> files;
  for (const std::string& typed : modal.shapes) {
    const std::filesystem::path path = scene.resolve(typed);
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(path, error))
      if (entry.path().extension() == ".txt") found.push_back(entry.path());
    if (found.empty())
      return Diagnostic{ErrorCode::kNotFound, where, "there is no .txt file in " + path.string(),
                        "pliant run SCENE --model full --snapshots FOLDER writes some"};
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

Status take_shapes(const SceneDescription& scene, const BodyText& text, Index vertices, Ingredients& into) {
  const Result<std::vector<std::filesystem::path>> files = listed_files(scene, text.modal, text.model_where);
  if (!files) return files.errors();
  into.shapes = MatrixX(3 * vertices, std::ssize(files.value()));
  Hasher hasher;
  Index column = 0;
  for (const std::filesystem::path& file : files.value()) {
    const Result<std::string> bytes = read_file(file);
    if (!bytes) return bytes.errors();
    hasher.add(bytes.value());
    Result<VertexState> state = read_state(bytes.value(), file.string(), vertices);
    if (!state) return state.errors();
    into.shapes->col(column++) = state.value().displacements;
  }
  into.hash = "shapes " + hasher.hex();
  return Done{};
}

Status take_pulls(std::string_view rows, const std::string& file, double separation, Index vertices,
                  Ingredients& into) {
  Result<std::vector<Pull>> pulls = read_pulls(rows, file, vertices);
  if (!pulls) return pulls.errors();
  Hasher hasher;
  hasher.add(rows);
  into.pulls = std::move(pulls).value();
  into.hash = "pulls " + hasher.hex() + " separation " + text(separation);
  return Done{};
}

Status take_pulls_file(const std::filesystem::path& file, double separation, Index vertices,
                       Ingredients& into) {
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.errors();
  return take_pulls(bytes.value(), file.string(), separation, vertices, into);
}

Result<Ingredients> read_ingredients(const SceneDescription& scene, const BodyText& text,
                                     const VolumeMesh& mesh) {
  const ModalText& modal = text.modal;
  Ingredients all;
  all.settings.linear_modes = modal.linear_modes;
  all.settings.modes = modal.modes;
  all.settings.energy = modal.energy;
  all.settings.derivatives = modal.derivatives;
  Diagnostics problems;
  for (const PatchText& patch : modal.patches)
    all.settings.patches.push_back({patch.name, selected_vertices(patch.vertices, mesh, problems), {}});
  if (!problems.empty()) return problems;
  Status read = Done{};
  if (!modal.shapes.empty()) read = take_shapes(scene, text, mesh.vertex_count(), all);
  if (modal.sketch)
    read = take_pulls_file(scene.resolve(*modal.sketch), modal.separation, mesh.vertex_count(), all);
  if (modal.pulls)  // as a file would have them, so that both have one name in the cache
    read = take_pulls(write_pulls(*modal.pulls), "pulls", modal.separation, mesh.vertex_count(), all);
  if (!read) return read.errors();
  return all;
}

/// Everything of the settings that decides what the basis is.
std::string recipe(const Ingredients& ingredients) {
  const BasisSettings& settings = ingredients.settings;
  std::string text =
      fmt::format("modal 1; k {}; r {}; energy {}; derivatives {}; {}", settings.linear_modes, settings.modes,
                  settings.energy.value_or(0.0), settings.derivatives, ingredients.hash);
  for (const Patch& patch : settings.patches)
    text += fmt::format("; patch {}", fmt::join(patch.vertices, ","));
  return text;
}

Result<Basis> cook(const BodyDefinition& definition, const ModalText& modal, const Ingredients& ingredients,
                   ReducedOutcome& outcome, Progress& progress) {
  const ElasticBody& body = *definition.elastic;
  const std::vector<char> free = free_dofs(body, definition.supports);
  if (ingredients.shapes)
    return basis_from_shapes(body, free, *ingredients.shapes, ingredients.settings, progress);
  if (!ingredients.pulls) return make_basis(body, free, ingredients.settings, progress);
  const StaticSolver solver = [&](const std::vector<PullLoad>& loads, Progress& inner) {
    return static_shapes(definition.elastic, definition.supports, loads, inner);
  };
  Result<SketchedBasis> sketched =
      sketch_basis(body, free, *ingredients.pulls, {modal.separation, modal.separation, ingredients.settings},
                   solver, progress);
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

Result<ReducedOutcome> make_reduced_body(const SceneDescription& scene, const BodyText& text,
                                         const std::shared_ptr<const ElasticBody>& elastic,
                                         const std::vector<Support>& supports, const BuildOptions& options,
                                         Progress& progress) {
  const ModalText& modal = text.modal;
  const Diagnostics problems = check_strays(*elastic, supports, text.model_where);
  if (!problems.empty()) return problems;
  const Result<Ingredients> ingredients = read_ingredients(scene, text, elastic->mesh());
  if (!ingredients) return ingredients.errors();

  ReducedOutcome outcome;
  std::vector<VertexId> held;
  const std::vector<char> free = free_dofs(*elastic, supports);
  for (std::size_t i = 0; i < free.size(); i += 3)
    if (free[i] == 0) held.push_back(static_cast<VertexId>(i / 3));
  const std::string key = reduced_body_key(*elastic, held, recipe(ingredients.value()));
  std::optional<ReducedBody> body;
  if (options.cache) {
    const ReducedCache cache(*options.cache);
    outcome.file = cache.file(key);
    body = cache.load(key, outcome.notes);
    outcome.from_cache = body.has_value();
  }
  if (!body) {
    Result<Basis> basis = cook({elastic, supports, {}}, modal, ingredients.value(), outcome, progress);
    if (!basis) return located(basis.errors(), text.model_where);
    Result<ReducedBody> built = reduce_body(*elastic, std::move(basis).value(), progress);
    if (!built) return located(built.errors(), text.model_where);
    body = std::move(built).value();
    if (options.cache) {
      progress.begin("write the cache", 0);
      const Status saved = ReducedCache(*options.cache).save(key, *body);
      progress.end();
      if (!saved) {  // the run can go on without it
        outcome.file.clear();
        outcome.notes.insert(outcome.notes.end(), saved.errors().begin(), saved.errors().end());
      }
    }
  }
  if (modal.modes_used && *modal.modes_used > body->size())
    return Diagnostic{ErrorCode::kOutOfRange, text.model_where,
                      "modes_used = " + pliant::text(*modal.modes_used) + " is more than the basis has",
                      "it has " + pliant::text(body->size())};
  if (modal.modes_used && *modal.modes_used < body->size()) body = body->head(*modal.modes_used);
  outcome.body = std::make_shared<const ReducedBody>(std::move(*body));
  return outcome;
}

}  // namespace pliant
