// sim/extra_pull.hpp — a law on one point of a body that carries others for contact.
#pragma once

#include "pliant/model/point_terms.hpp"

namespace pliant {

class ExtraPull {
 public:
  ExtraPull() = default;
  ExtraPull(const ExtraPull&) = delete;
  ExtraPull& operator=(const ExtraPull&) = delete;
  virtual ~ExtraPull() = default;
  /// As PointLaw::act(), for that point alone.
  virtual void act(double rate, PointTerms& points, std::size_t point) const = 0;
};

}  // namespace pliant
