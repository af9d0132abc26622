#include "pliant/model/insertions.hpp"

namespace pliant {

Diagnostic no_insertions(std::string_view name) {
  return {ErrorCode::kUnsupported,
          {{}, 0, 0, std::string(name)},
          "the model of this body takes no shapes while it runs",
          "take model = { type = \"blended\" } with gradients = \"nodal\", or \"modal\""};
}

}  // namespace pliant
