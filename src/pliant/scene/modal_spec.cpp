#include "pliant/scene/modal_spec.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"
#include "pliant/file/pulls_file.hpp"
#include "pliant/file/state_file.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/scene/read_cubature.hpp"
#include "pliant/scene/read_training.hpp"

#include <algorithm>
#include <filesystem>

namespace pliant {
namespace {

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

Status take_shapes(const SceneDescription& scene, const BodyText& text, Index vertices, ModalSpec& into) {
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
  into.source = "shapes " + hasher.hex();
  return Done{};
}

Status take_pulls(std::string_view rows, const std::string& file, double separation, Index vertices,
                  ModalSpec& into) {
  Result<std::vector<Pull>> pulls = read_pulls(rows, file, vertices);
  if (!pulls) return pulls.errors();
  Hasher hasher;
  hasher.add(rows);
  into.pulls = std::move(pulls).value();
  into.source = "pulls " + hasher.hex() + " separation " + text(separation);
  return Done{};
}

Status take_pulls_file(const std::filesystem::path& file, double separation, Index vertices,
                       ModalSpec& into) {
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.errors();
  return take_pulls(bytes.value(), file.string(), separation, vertices, into);
}

}  // namespace

Result<ModalSpec> modal_spec(const SceneDescription& scene, const BodyText& text, const VolumeMesh& mesh) {
  const ModalText& modal = text.modal;
  ModalSpec spec;
  spec.basis.linear_modes = modal.linear_modes;
  spec.basis.modes = modal.modes;
  spec.basis.energy = modal.energy;
  spec.basis.derivatives = modal.derivatives;
  spec.separation = modal.separation;
  spec.modes_used = modal.modes_used;
  if (modal.train) spec.training = training_spec(*modal.train);
  spec.exact = modal.exact;
  spec.storage = modal.float_storage ? Storage::kFloat : Storage::kDouble;
  if (modal.cubature) spec.cubature = cubature_spec(*modal.cubature);
  Diagnostics problems;
  for (const PatchText& patch : modal.patches)
    spec.basis.patches.push_back({patch.name, selected_vertices(patch.vertices, mesh, problems), {}});
  if (!problems.empty()) return problems;
  Status read = Done{};
  if (!modal.shapes.empty()) read = take_shapes(scene, text, mesh.vertex_count(), spec);
  if (modal.sketch)
    read = take_pulls_file(scene.resolve(*modal.sketch), modal.separation, mesh.vertex_count(), spec);
  if (modal.pulls)  // written as a file would be, so that both give the same entry in the cache
    read = take_pulls(write_pulls(*modal.pulls), "pulls", modal.separation, mesh.vertex_count(), spec);
  if (!read) return read.errors();
  return spec;
}

}  // namespace pliant
