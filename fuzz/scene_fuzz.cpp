// Scene files: any bytes give a description or located errors. Expressions of selections are compiled as
// well.
#include "pliant/mesh/core/selection.hpp"
#include "pliant/scene/description.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const pliant::Result<pliant::SceneDescription> scene = pliant::read_scene(text, "fuzz.toml");
  if (!scene) {
    for (const pliant::Diagnostic& error : scene.errors()) {
      if (pliant::to_string(error).empty()) std::abort();
    }
    return 0;
  }
  for (const pliant::BodyText& body : scene.value().bodies) {
    for (const pliant::SelectionText& fixed : body.fixed) (void)pliant::parse_selection(fixed.expression);
  }
  return 0;
}
