// serve/render.hpp — pictures and films of a scene, drawn by its page in a browser without a screen.
//
//     simulation ── steps to the time ──► session (paused) ──► server ──► page in Chromium ──► PNG
//                                              ▲                  │
//                                              └──── so many steps a frame, WebM
//
// Nothing runs in real time here: states belong to steps, so the same request shows the same state each time.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/edit/simulation.hpp"
#include "pliant/serve/browser.hpp"
#include "pliant/serve/ghost.hpp"

#include <optional>

namespace pliant::view {

/// What the picture shows and how.
struct RenderRequest {
  std::filesystem::path browser;  // as Browser::find has it
  PictureSize size;
  std::optional<double> time;  // s, of statics the load factor; none: the end of the scene
  double fps = 30.0;           // frames of a film per second of the scene
  std::string look = "surface";
  // from where, degrees; none: across the broad side, a little from above
  std::optional<double> azimuth, elevation;
  double zoom = 1.0;    // 1: everything just fits
  bool beside = false;  // the ghost beside the scene, not over it
  bool scale = false;   // axes and a scale bar
};

/// A PNG of the state at the request's time. `ghost`: what is compared with it, or null.
Result<std::string> render_picture(std::unique_ptr<Simulation> simulation, std::unique_ptr<Ghost> ghost,
                                   const RenderRequest& request, Progress& progress);
/// A WebM film from the start to the request's time.
Result<std::string> render_film(std::unique_ptr<Simulation> simulation, std::unique_ptr<Ghost> ghost,
                                const RenderRequest& request, Progress& progress);

/// Steps until `time` has been reached (none: the scene's end); what the clock shows then is the nearest step
/// to it. Errors: kNumerical when a step fails, kCancelled. `each` is called before the first step and after
/// each.
Status advance_to(Simulation& simulation, std::optional<double> time, Progress& progress,
                  const std::function<void()>& each = {});

}  // namespace pliant::view
