// serve/render.hpp — pictures and films of a scene, drawn by its page in a headless browser.
//
//     simulation ── steps to the time ──► session (paused) ──► server ──► page in Chromium ──► PNG
//                                              ▲                  │
//                                              └──── so many steps a frame, WebM
//
// Nothing runs in real time here. The number of steps determines the state, so a request always shows the
// same one.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/edit/simulation.hpp"
#include "pliant/serve/browser.hpp"
#include "pliant/serve/ghost.hpp"

#include <optional>

namespace pliant::view {

/// What a picture or film shows, and how.
struct RenderRequest {
  std::filesystem::path browser;  // from Browser::find()
  PictureSize size;
  std::optional<double> time;  // s, or the load factor of statics; none: the end of the scene
  double fps = 30.0;           // frames of a film per second of the scene
  std::string look = "surface";
  // Direction of view, degrees; none: towards the broad side, slightly from above.
  std::optional<double> azimuth, elevation;
  double zoom = 1.0;    // 1: everything just fits
  bool beside = false;  // draws the ghost beside the scene, not over it
  bool scale = false;   // axes and a scale bar
  std::string format;   // of a picture "png" or "jpeg", of a film "webm" or "webp"
};

/// A picture of the state at the requested time. `ghost`: what it is compared with, or null.
Result<std::string> render_picture(std::unique_ptr<Simulation> simulation, std::unique_ptr<Ghost> ghost,
                                   const RenderRequest& request, Progress& progress);
/// A film from the start to the requested time.
Result<std::string> render_film(std::unique_ptr<Simulation> simulation, std::unique_ptr<Ghost> ghost,
                                const RenderRequest& request, Progress& progress);

/// Steps to the step that is nearest to `time` (none: the end of the scene). Errors: kNumerical when a step
/// fails, kCancelled. `each` is called before the first step and after every step.
Status advance_to(Simulation& simulation, std::optional<double> time, Progress& progress,
                  const std::function<void()>& each = {});

}  // namespace pliant::view
