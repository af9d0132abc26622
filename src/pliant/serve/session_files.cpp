// The part of a session that writes the scene with its edits.
#include "pliant/base/atomic_file.hpp"
#include "pliant/edit/written_scene.hpp"
#include "pliant/serve/session.hpp"

namespace pliant::view {

/// Writes the scene, after the jobs of the workshop are finished: their results belong to it.
void Session::ask_for_scene(std::uint32_t client, bool download) {
  if (!workshop_ || workshop_->idle()) {
    take_offer();
    return write_scene(client, download);
  }
  const bool taken = workshop_->run([this, client, download](Progress&) {
    {
      const std::lock_guard lock(mutex_);
      scenes_due_.emplace_back(client, download);
    }
    wake_.notify_all();
  });
  if (!taken) return notice(client, 1, "too much work waits already");
  notice(client, 0, "the scene is written when what is being built is done");
}

void Session::write_due_scenes() {
  std::vector<std::pair<std::uint32_t, bool>> due;
  {
    const std::lock_guard lock(mutex_);
    due.swap(scenes_due_);
  }
  if (due.empty()) return;
  take_offer();
  for (const auto& [client, download] : due) write_scene(client, download);
}

void Session::write_scene(std::uint32_t client, bool download) {
  if (!download && !options_.scene_file)
    return notice(client, 1, "no file was named for the scene: pliant view --write FILE");
  const SceneDescription& scene = simulation_->description();
  const Result<WrittenScene> written =
      write_edited_scene(scene, simulation_->changes(), download ? scene.file : *options_.scene_file);
  if (!written) return notice(client, 1, to_string(written.error()));
  if (written.value().left_out)
    notice(client, 0, "what was sketched or cut is not in this file: download it from its own card");
  if (download)
    return send(client, encode(File{scene.file.stem().string() + "-edited.toml", written.value().text}));
  const Status done = write_file(*options_.scene_file, written.value().text);
  if (!done) return notice(client, 1, to_string(done.error()));
  notice(client, 0, "written: " + options_.scene_file->filename().string());
}

}  // namespace pliant::view
