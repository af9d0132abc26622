#include "pliant/model/reduced/common_motion.hpp"

namespace pliant {

Result<std::optional<Motion>> common_motion(const std::vector<Support>& supports) {
  const Support* moved = nullptr;
  const Support* held = nullptr;
  for (const Support& support : supports) {
    if (support.vertices.empty()) continue;
    if (!support.motion) {
      held = &support;
      continue;
    }
    if (moved != nullptr)
      return Diagnostic{
          ErrorCode::kUnsupported,
          {{}, 0, 0, support.name},
          "a reduced body follows one rigid motion of its anchor, and \"" + moved->name + "\" has another",
          "give both selections one [[body.motion]], or take model = { type = \"full\" }"};
    moved = &support;
  }
  if (moved != nullptr && held != nullptr)
    return Diagnostic{ErrorCode::kUnsupported,
                      {{}, 0, 0, moved->name},
                      "a reduced body cannot be held (\"" + held->name + "\") and moved at once",
                      "move all that holds it by one [[body.motion]], or take model = { type = \"full\" }"};
  return moved == nullptr ? std::optional<Motion>() : moved->motion;
}

}  // namespace pliant
