#include "pliant/serve/render.hpp"

#include "pliant/serve/page_files.hpp"
#include "pliant/serve/server.hpp"

#include <fmt/format.h>

#include <cmath>
#include <thread>

namespace pliant::view {
namespace {

using Json = nlohmann::json;

constexpr double kPatience = 300.0;  // s to wait for the page: software rendering of large bodies is slow

/// The box around all that a film shows.
struct Box {
  Vector3 low = Vector3::Constant(1e30);
  Vector3 high = Vector3::Constant(-1e30);
  void take(const std::vector<float>& points) {
    for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
      const Vector3 x(points[i], points[i + 1], points[i + 2]);
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
  }
  void take(const Simulation& simulation, const Ghost* ghost) {
    for (std::uint32_t b = 0; b < simulation.scene().world->bodies().size(); ++b) {
      const Result<std::vector<float>> points = simulation.positions(b);
      if (points) take(points.value());
    }
    if (ghost != nullptr)
      for (std::size_t b = 0; b < ghost->infos().size(); ++b) take(ghost->positions(b));
  }
};

/// A paused simulation, its server, and a browser that shows its page.
class Studio {
 public:
  static Result<std::unique_ptr<Studio>> open(std::unique_ptr<Simulation> simulation,
                                              std::unique_ptr<Ghost> ghost, const RenderRequest& request,
                                              const Progress& progress) {
    std::unique_ptr<Studio> made(new Studio);
    // The browser is started first, so that it does not inherit the server's sockets.
    Result<std::unique_ptr<Browser>> browser =
        Browser::start(request.browser, request.size, progress.cancel_flag());
    if (!browser) return browser.errors();
    made->browser_ = std::move(browser).value();
    Session::Options how;
    how.paused = true;
    made->session_ = std::make_unique<Session>(std::move(simulation), how, std::move(ghost));
    Result<std::unique_ptr<Server>> server = Server::listen(*made->session_, page_files(), {});
    if (!server) return server.errors();
    made->server_ = std::move(server).value();
    made->session_->run();
    made->thread_ = std::thread([served = made->server_.get()] { served->run([] { return false; }); });
    if (Status loaded = made->browser_->open(made->server_->url() + "?picture=1&quality=fine"); !loaded)
      return loaded.errors();
    if (Status ready = made->browser_->await("window.pliant?.picture?.ready() ?? false", kPatience); !ready)
      return ready.errors();
    return made;
  }
  ~Studio() {
    browser_.reset();
    if (server_) server_->stop();
    if (thread_.joinable()) thread_.join();
    if (session_) session_->stop();
  }
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  Browser& browser() { return *browser_; }
  /// Points the camera.
  Status frame(const RenderRequest& request, const std::optional<Box>& box) {
    Json view{
        {"look", request.look}, {"zoom", request.zoom}, {"scale", request.scale}, {"beside", request.beside}};
    if (request.azimuth) view["azimuth"] = *request.azimuth;
    if (request.elevation) view["elevation"] = *request.elevation;
    if (box) {
      view["low"] = {box->low.x(), box->low.y(), box->low.z()};
      view["high"] = {box->high.x(), box->high.y(), box->high.z()};
    }
    const Result<Json> done = browser_->evaluate("pliant.picture.frame(" + view.dump() + ")", kPatience);
    if (!done) return done.errors();
    return Done{};
  }

 private:
  Studio() = default;
  std::unique_ptr<Browser> browser_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

/// The steps that a film shows: for each frame the step nearest to its time.
std::vector<Index> frame_steps(const Simulation& simulation, const RenderRequest& request) {
  std::vector<Index> steps;
  const Index last = simulation.step_index();
  if (simulation.is_static()) {
    for (Index s = 0; s <= last; ++s) steps.push_back(s);
    return steps;
  }
  const double dt = simulation.dt();
  for (Index k = 0;; ++k) {
    const auto step = static_cast<Index>(std::llround(static_cast<double>(k) / request.fps / dt));
    if (step > last) break;
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

Status advance_to(Simulation& simulation, std::optional<double> time, Progress& progress,
                  const std::function<void()>& each) {
  const RunSettings& run = simulation.scene().world->settings();
  const bool is_static = simulation.is_static();
  const double end = time.value_or(is_static ? 1.0 : run.duration);
  const Index total = is_static ? 0 : static_cast<Index>(std::llround(end / simulation.dt()));
  progress.begin("simulating", total);
  if (each) each();
  while (is_static ? simulation.time() < end : simulation.step_index() < total) {
    if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
    if (!simulation.advance(progress)) {
      if (simulation.healthy()) break;  // a static scene is finished
      return Diagnostic{
          ErrorCode::kNumerical,
          {},
          fmt::format("the simulation failed at {:.6g}: {}", simulation.time(), simulation.trouble()),
          ""};
    }
    if (each) each();
    progress.update(simulation.step_index());
  }
  progress.end();
  return Done{};
}

Result<std::string> render_picture(std::unique_ptr<Simulation> simulation, std::unique_ptr<Ghost> ghost,
                                   const RenderRequest& request, Progress& progress) {
  if (Status there = advance_to(*simulation, request.time, progress); !there) return there.errors();
  if (ghost)
    if (Status moved = ghost->follow(simulation->time(), progress); !moved) return moved.errors();
  progress.begin("drawing", 0);
  Result<std::unique_ptr<Studio>> studio =
      Studio::open(std::move(simulation), std::move(ghost), request, progress);
  if (!studio) return studio.errors();
  if (Status framed = studio.value()->frame(request, {}); !framed) return framed.errors();
  Result<std::string> picture = studio.value()->browser().picture(request.format);
  progress.end();
  return picture;
}

Result<std::string> render_film(std::unique_ptr<Simulation> simulation, std::unique_ptr<Ghost> ghost,
                                const RenderRequest& request, Progress& progress) {
  // A first run without pictures finds the box that the camera must show.
  Box box;
  Status followed = Done{};
  const auto look = [&] {
    if (ghost && followed) followed = ghost->follow(simulation->time(), progress);
    box.take(*simulation, ghost.get());
  };
  if (Status there = advance_to(*simulation, request.time, progress, look); !there) return there.errors();
  if (!followed) return followed.errors();
  const std::vector<Index> steps = frame_steps(*simulation, request);
  if (Status back = simulation->execute(Reset{}); !back) return back.errors();
  if (ghost) {
    ghost->execute(Reset{}, *simulation);
    if (Status back = ghost->follow(simulation->time(), progress); !back) return back.errors();
  }
  Result<std::unique_ptr<Studio>> studio =
      Studio::open(std::move(simulation), std::move(ghost), request, progress);
  if (!studio) return studio.errors();
  if (Status framed = studio.value()->frame(request, box); !framed) return framed.errors();
  Browser& browser = studio.value()->browser();
  progress.begin("filming", std::ssize(steps));
  if (const auto begun =
          browser.evaluate(fmt::format("pliant.picture.startFilm({}, \"{}\")", request.fps, request.format));
      !begun)
    return begun.errors();
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto shot = browser.evaluate(fmt::format("pliant.picture.shoot({})", steps[k]), kPatience);
    if (!shot) return shot.errors();
    progress.update(static_cast<Index>(k + 1));
  }
  const Result<Json> film = browser.evaluate("pliant.picture.endFilm()", kPatience);
  progress.end();
  if (!film) return film.errors();
  std::string bytes = film.value().is_string() ? from_base64(film.value().get<std::string>()) : "";
  if (bytes.empty()) return Diagnostic{ErrorCode::kNumerical, {}, "the browser gave no film", ""};
  return bytes;
}

}  // namespace pliant::view
