// edit/refuse.hpp — the error with which a message of a page is refused.
#pragma once

#include "pliant/base/diagnostic.hpp"

#include <string>
#include <utility>

namespace pliant::view {

/// What is wrong with an edit or a command, and what to do instead.
inline Diagnostic refuse(std::string what, std::string remedy = "") {
  return {ErrorCode::kOutOfRange, {}, std::move(what), std::move(remedy)};
}

}  // namespace pliant::view
