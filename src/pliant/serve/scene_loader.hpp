// serve/scene_loader.hpp — builds scenes on a thread of its own, so that the server answers meanwhile.
//
//     open(scene) ──► [ build ] ──► take(): a session, ready to run
//                        └── progress, ten times a second ──► pages
//
// One scene is built at a time. A newer wish cancels an older one. The server runs the session that it took
// until it takes the next.
#pragma once

#include "pliant/serve/gallery.hpp"
#include "pliant/serve/session.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace pliant::view {

/// What a page or the command line wants to see.
struct SceneWish {
  std::filesystem::path file;
  std::string model;  // of all bodies, instead of the scene's; empty: as there
};

class SceneLoader {
 public:
  using Build = std::function<Result<std::unique_ptr<Session>>(const SceneWish&, Progress&)>;

  /// `build` is called on the loader's thread. `console`: also told of the progress.
  SceneLoader(Build build, std::vector<GalleryScene> gallery, Progress& console = no_progress());
  /// Cancels the build and waits for it.
  ~SceneLoader();
  SceneLoader(const SceneLoader&) = delete;
  SceneLoader& operator=(const SceneLoader&) = delete;

  [[nodiscard]] const std::vector<GalleryScene>& gallery() const { return gallery_; }
  /// The gallery as pages get it.
  [[nodiscard]] Gallery list() const;

  void open(SceneWish wish);
  /// Opens a scene of the gallery. False: there is none of that name.
  [[nodiscard]] bool open(const OpenScene& message);
  /// The scene that is being built is not wanted.
  void cancel();
  /// How far the build is.
  [[nodiscard]] Building progress() const;
  /// Grows with every change of progress().
  [[nodiscard]] std::uint64_t news() const { return news_count_.load(); }
  /// A finished session, once; null: none since.
  [[nodiscard]] std::unique_ptr<Session> take();
  /// Why the last build failed; empty: it did not.
  [[nodiscard]] Diagnostics failure() const;
  /// Called on the loader's thread when there is something new; must not block.
  void on_news(std::function<void()> news);

 private:
  class Report;
  void loop();
  void build_one(const SceneWish& wish);
  void tell(const std::function<void(Building&)>& change);

  Build build_;
  std::vector<GalleryScene> gallery_;
  Progress& console_;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable wake_;
  std::optional<SceneWish> wish_;
  Building status_;
  std::string current_;
  std::unique_ptr<Session> made_;
  Diagnostics failure_;
  std::function<void()> news_;
  bool busy_ = false;  // with a build, wanted or not
  bool closing_ = false;
  std::atomic<bool> cancelled_{false};
  std::atomic<std::uint64_t> news_count_{0};
  std::thread thread_;  // last: it uses the others
};

}  // namespace pliant::view
