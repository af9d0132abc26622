#include "pliant/scene/reduced.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"
#include "pliant/file/state_file.hpp"
#include "pliant/reduce/make_basis.hpp"
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

/// The shapes that the scene names, and a hash of their bytes.
struct ShapeFiles {
  MatrixX shapes;
  std::string hash;
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

Result<ShapeFiles> read_shapes(const SceneDescription& scene, const BodyText& text, Index vertices) {
  const Result<std::vector<std::filesystem::path>> files = listed_files(scene, text.modal, text.model_where);
  if (!files) return files.errors();
  ShapeFiles result{MatrixX(3 * vertices, static_cast<Index>(files.value().size())), {}};
  Hasher hasher;
  Index column = 0;
  for (const std::filesystem::path& file : files.value()) {
    const Result<std::string> bytes = read_file(file);
    if (!bytes) return bytes.errors();
    hasher.add(bytes.value());
    Result<VertexState> state = read_state(bytes.value(), file.string(), vertices);
    if (!state) return state.errors();
    result.shapes.col(column++) = state.value().displacements;
  }
  result.hash = hasher.hex();
  return result;
}

/// Everything of the settings that decides what the basis is.
std::string recipe(const ModalText& modal, const BasisSettings& settings, const std::string& shapes) {
  std::string text = fmt::format("modal 1; k {}; r {}; energy {}; derivatives {}; shapes {}; separation {}",
                                 settings.linear_modes, settings.modes, settings.energy.value_or(0.0),
                                 settings.derivatives, shapes, modal.sketch ? modal.separation : 0.0);
  for (const Patch& patch : settings.patches)
    text += fmt::format("; patch {}", fmt::join(patch.vertices, ","));
  return text;
}

}  // namespace

std::optional<std::filesystem::path> default_cache_folder() {
  const auto variable = [](const char* name) -> std::optional<std::filesystem::path> {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it while we run
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::filesystem::path(value);
  };
  if (const auto own = variable("PLIANT_CACHE")) return own;
  if (const auto cache = variable("XDG_CACHE_HOME")) return *cache / "pliant";
  if (const auto home = variable("HOME")) return *home / ".cache" / "pliant";
  return std::nullopt;
}

Result<ReducedOutcome> make_reduced_body(const SceneDescription& scene, const BodyText& text,
                                         const ElasticBody& elastic, const std::vector<Support>& supports,
                                         const BuildOptions& options, Progress& progress) {
  const ModalText& modal = text.modal;
  Diagnostics problems = check_strays(elastic, supports, text.model_where);
  if (!problems.empty()) return problems;
  const std::vector<char> free = free_dofs(elastic, supports);
  BasisSettings settings;
  settings.linear_modes = modal.linear_modes;
  settings.modes = modal.modes;
  settings.energy = modal.energy;
  settings.derivatives = modal.derivatives;
  for (const PatchText& patch : modal.patches)
    settings.patches.push_back({patch.name, selected_vertices(patch.vertices, elastic.mesh(), problems), {}});
  if (!problems.empty()) return problems;
  std::optional<ShapeFiles> shapes;
  if (!modal.shapes.empty()) {
    Result<ShapeFiles> read = read_shapes(scene, text, elastic.mesh().vertex_count());
    if (!read) return read.errors();
    shapes = std::move(read).value();
  }

  ReducedOutcome outcome;
  std::vector<VertexId> held;
  for (std::size_t i = 0; i < free.size(); i += 3)
    if (free[i] == 0) held.push_back(static_cast<VertexId>(i / 3));
  const std::string key =
      reduced_body_key(elastic, held, recipe(modal, settings, shapes ? shapes->hash : "none"));
  std::optional<ReducedBody> body;
  if (options.cache) {
    const ReducedCache cache(*options.cache);
    outcome.file = cache.file(key);
    body = cache.load(key, outcome.notes);
    outcome.from_cache = body.has_value();
  }
  if (!body) {
    Result<Basis> basis = shapes ? basis_from_shapes(elastic, free, shapes->shapes, settings, progress)
                                 : make_basis(elastic, free, settings, progress);
    if (!basis) return located(basis.errors(), text.model_where);
    Result<ReducedBody> built = reduce_body(elastic, std::move(basis).value(), progress);
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
