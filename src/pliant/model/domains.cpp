#include "pliant/model/domains.hpp"

namespace pliant {

Diagnostic no_domains(std::string_view domain) {
  return {ErrorCode::kUnsupported,
          {{}, 0, 0, "domain \"" + std::string(domain) + "\""},
          "this model has no domains",
          "take model = { type = \"tree\" }"};
}

}  // namespace pliant
