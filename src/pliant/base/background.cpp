#include "pliant/base/background.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace pliant {

struct Background::Worker {
  explicit Worker(std::size_t most) : limit(most), thread([this] { run(); }) {}

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return ending || !jobs.empty(); });
      if (jobs.empty()) return;
      const std::function<Status()> job = std::move(jobs.front());
      jobs.pop_front();
      busy = true;
      changed.notify_all();
      lock.unlock();
      Status done = job();
      lock.lock();
      busy = false;
      if (!done && errors.empty()) errors = done.errors();
      if (!errors.empty()) jobs.clear();
      changed.notify_all();
    }
  }

  [[nodiscard]] Status status() const {
    if (errors.empty()) return Done{};
    return errors;
  }

  std::size_t limit;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<Status()>> jobs;
  Diagnostics errors;
  bool busy = false;
  bool ending = false;
  std::thread thread;  // last: it uses all the others
};

Background::Background(std::size_t limit) : worker_(std::make_unique<Worker>(limit)) {}

Background::~Background() {
  {
    const std::lock_guard lock(worker_->mutex);
    worker_->ending = true;
  }
  worker_->changed.notify_all();
  worker_->thread.join();
}

Status Background::add(std::function<Status()> job) {
  Worker& worker = *worker_;
  std::unique_lock lock(worker.mutex);
  worker.changed.wait(lock, [&] { return worker.jobs.size() < worker.limit; });
  if (worker.errors.empty()) worker.jobs.push_back(std::move(job));
  worker.changed.notify_all();
  return worker.status();
}

Status Background::finish() {
  Worker& worker = *worker_;
  std::unique_lock lock(worker.mutex);
  worker.changed.wait(lock, [&] { return worker.jobs.empty() && !worker.busy; });
  return worker.status();
}

}  // namespace pliant
