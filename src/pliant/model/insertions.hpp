// model/insertions.hpp — shapes that a body gets while it runs, and loses again [LuoEtAl2018] §6.
//
// `Model::insertions()` returns this interface, or null for models whose coordinates cannot change. Shape and
// velocity are the same before and after: what is new begins at zero, and what is removed is led to zero
// before it is dropped. The deepest place of a contact is a good place for an insertion, its normal a good
// direction.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/insertion.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

class Insertions {
 public:
  Insertions() = default;
  Insertions(const Insertions&) = delete;
  Insertions& operator=(const Insertions&) = delete;
  virtual ~Insertions() = default;

  /// Of everything inserted, in order, including what is on its way out.
  [[nodiscard]] virtual std::vector<std::string> inserted() const = 0;
  /// Adds shapes. Fails, and changes nothing, where there is no place for them or the name is taken.
  [[nodiscard]] virtual Status insert(const Insertion& insertion) = 0;
  /// Leads the coordinates of what has this name to zero over `fade` seconds from now on, then drops them;
  /// statics and no time: at once.
  [[nodiscard]] virtual Status remove(std::string_view name, double fade) = 0;
  /// Drops everything at once.
  virtual void clear_insertions() = 0;
  /// Whether something is on its way out: then work is done on the body.
  [[nodiscard]] virtual bool fading() const = 0;
  /// Counts the changes of the coordinates.
  [[nodiscard]] virtual std::uint32_t insertion_revision() const = 0;
};

/// The error for bodies that take no insertions.
[[nodiscard]] Diagnostic no_insertions(std::string_view name);

}  // namespace pliant
