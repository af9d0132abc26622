// mesh/domains/domain_claims.hpp — conditions that divide elements or vertices among domains.
#pragma once

#include "pliant/mesh/domains/domains.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace pliant {

/// What is divided, for messages.
struct Claimable {
  std::string one, many;   // "element", "elements"
  std::string conditions;  // "conditions are on centroids of elements"
  std::string place;       // what stands between "the first one" and its place: "has its centroid at"
};

struct Claims {
  std::vector<std::string> names;
  std::vector<Index> of;  // −1: not to be divided
};

/// The first condition that holds for a thing has it. `things`: all that must be claimed, ascending; `chosen`
/// gives those for which a condition holds. Errors: see domains_from_selections.
Result<Claims> claim(std::span<const NamedSelection> selections, std::span<const Index> things, Index size,
                     const std::function<std::vector<Index>(const Selection&)>& chosen,
                     const std::function<Vector3(Index)>& place, const Claimable& words);

/// "(x, y, z)"
[[nodiscard]] std::string point_text(const Vector3& x);

}  // namespace pliant
