#include "pliant/serve/scene_loader.hpp"

#include "pliant/base/parallel.hpp"

#include <algorithm>
#include <chrono>

namespace pliant::view {

/// Tells pages and the console how far a build is.
class SceneLoader::Report final : public Progress {
 public:
  explicit Report(SceneLoader& loader) : Progress(&loader.cancelled_), loader_(loader) {}

  void begin(std::string_view stage, Index total) override {
    loader_.console_.begin(stage, total);
    total_ = total;
    told_ = Clock::now();
    loader_.tell([&](Building& status) {
      status.stage = stage;
      status.done = total > 0 ? 0.0F : -1.0F;
    });
  }
  void update(Index done) override {
    loader_.console_.update(done);
    const auto now = Clock::now();
    if (total_ <= 0 || now - told_ < std::chrono::milliseconds(100)) return;
    told_ = now;
    loader_.tell(
        [&](Building& status) { status.done = static_cast<float>(done) / static_cast<float>(total_); });
  }
  void end() override { loader_.console_.end(); }

 private:
  using Clock = std::chrono::steady_clock;
  SceneLoader& loader_;
  Index total_ = 0;
  Clock::time_point told_{};
};

SceneLoader::SceneLoader(Build build, std::vector<GalleryScene> gallery, Progress& console)
    : build_(std::move(build)), gallery_(std::move(gallery)), console_(console) {
  thread_ = std::thread([this, threads = thread_count()] {
    const ThreadScope scope(threads);
    loop();
  });
}

SceneLoader::~SceneLoader() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    cancelled_ = true;
    news_ = {};
  }
  wake_.notify_all();
  thread_.join();
}

Gallery SceneLoader::list() const {
  Gallery list;
  for (const GalleryScene& scene : gallery_)
    list.items.push_back({scene.name, scene.about, static_cast<std::uint8_t>(scene.picture.empty() ? 0 : 1)});
  const std::lock_guard lock(mutex_);
  list.current = current_;
  return list;
}

void SceneLoader::open(SceneWish wish) {
  {
    const std::lock_guard lock(mutex_);
    current_ = wish.file.stem().string();
    status_ = {current_, 1, 0, busy_ ? "waiting for the build before to end" : "", -1.0F};
    wish_ = std::move(wish);
    cancelled_ = true;  // the older one
    ++news_count_;
    if (news_) news_();
  }
  wake_.notify_all();
}

bool SceneLoader::open(const OpenScene& message) {
  const auto found = std::find_if(gallery_.begin(), gallery_.end(),
                                  [&](const GalleryScene& scene) { return scene.name == message.name; });
  if (found == gallery_.end()) return false;
  open(SceneWish{found->file, message.model});
  return true;
}

void SceneLoader::cancel() {
  const std::lock_guard lock(mutex_);
  wish_.reset();
  cancelled_ = true;
  status_.running = 0;  // for whoever waits; the work itself may take a while to look up
  ++news_count_;
  if (news_) news_();
}

Building SceneLoader::progress() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

std::unique_ptr<Session> SceneLoader::take() {
  const std::lock_guard lock(mutex_);
  return std::move(made_);
}

Diagnostics SceneLoader::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void SceneLoader::on_news(std::function<void()> news) {
  const std::lock_guard lock(mutex_);
  news_ = std::move(news);
}

void SceneLoader::tell(const std::function<void(Building&)>& change) {
  const std::lock_guard lock(mutex_);
  if (cancelled_) return;  // the status is that of the next wish already
  change(status_);
  ++news_count_;
  if (news_) news_();
}

void SceneLoader::loop() {
  for (;;) {
    SceneWish wish;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return closing_ || wish_; });
      if (closing_) return;
      wish = std::move(*wish_);
      wish_.reset();
      cancelled_ = false;
      busy_ = true;
      failure_.clear();
    }
    tell([](Building& status) { status.stage.clear(); });
    build_one(wish);
    const std::lock_guard lock(mutex_);
    busy_ = false;
  }
}

void SceneLoader::build_one(const SceneWish& wish) {
  Report report(*this);
  Result<std::unique_ptr<Session>> made = build_(wish, report);
  console_.end();
  tell([&](Building& status) {
    status.running = 0;
    status.stage.clear();
    if (made) {
      made_ = std::move(made).value();
      return;
    }
    status.failed = 1;
    failure_ = made.errors();
    for (const Diagnostic& problem : failure_)
      status.stage += (status.stage.empty() ? "" : "\n") + to_string(problem);
  });
}

}  // namespace pliant::view
