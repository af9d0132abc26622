#include "pliant/mesh/domains/domain_claims.hpp"

#include "pliant/base/text.hpp"

namespace pliant {
namespace {

constexpr Index kFree = -2;  // must be claimed, and is not yet

Diagnostic unclaimed(std::span<const Index> things, std::span<const Index> of,
                     const std::function<Vector3(Index)>& place, const Claimable& words) {
  Index missing = 0;
  Index first = -1;
  for (const Index thing : things) {
    if (of[to_size(thing)] != kFree) continue;
    if (missing++ == 0) first = thing;
  }
  return {ErrorCode::kMissing,
          {"", 0, 0, words.one + " " + text(first)},
          "no domain claims " + text(missing) + " of " + text(std::ssize(things)) + " " + words.many +
              "; the first one " + words.place + " " + point_text(place(first)),
          "end with a domain that takes the rest: where = \"true\""};
}

}  // namespace

Result<Claims> claim(std::span<const NamedSelection> selections, std::span<const Index> things, Index size,
                     const std::function<std::vector<Index>(const Selection&)>& chosen,
                     const std::function<Vector3(Index)>& place, const Claimable& words) {
  Claims claims;
  claims.of.assign(to_size(size), -1);
  for (const Index thing : things) claims.of[to_size(thing)] = kFree;
  Index left = std::ssize(things);
  Diagnostics problems;
  for (const auto& [name, selection] : selections) {
    bool any = false;
    Index claimed = 0;
    for (const Index thing : chosen(selection)) {
      Index& of = claims.of[to_size(thing)];
      any = any || of != -1;
      if (of != kFree) continue;
      of = std::ssize(claims.names);
      ++claimed;
    }
    left -= claimed;
    claims.names.push_back(name);
    if (claimed > 0) continue;
    problems.push_back({ErrorCode::kMissing,
                        {"", 0, 0, "domain " + name},
                        any ? "earlier domains have all of its " + words.many : "selects no " + words.one,
                        any ? "the first match wins" : words.conditions});
  }
  if (left > 0) problems.push_back(unclaimed(things, claims.of, place, words));
  if (!problems.empty()) return problems;
  return claims;
}

std::string point_text(const Vector3& x) {
  return "(" + text(x[0]) + ", " + text(x[1]) + ", " + text(x[2]) + ")";
}

}  // namespace pliant
