// sim/settings.hpp — what may change while bodies run, and what changes it by itself.
//
// A World owns the values that hold now. Events of a scene and edits of people change them through the same
// functions, so each changes what it names and nothing else.
#pragma once

#include "pliant/model/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// Of one body.
struct BodySettings {
  Vector3 gravity = Vector3::Zero();  // m/s²
  std::vector<Material> materials;    // in the order of its MaterialMap
  double mass_damping = 0.0;          // 1/s
  double stiffness_damping = 0.0;     // s
  std::vector<DomainTuning> tuning;   // one per domain
  std::vector<char> detached;         // one per domain: it has come off its parent
  bool replaced = false;              // a domain has become one of another class
};

/// What a scene changes at a time. Values that are not given stay as they are.
struct Event {
  double t = 0.0;             // s
  std::optional<Index> body;  // none: every body that it can concern
  std::optional<Vector3> gravity;
  std::optional<Index> region;  // of the material; none: all of them
  std::optional<double> young, poisson, density;
  std::string domain;  // that the rest concerns; empty: none
  std::optional<double> frequency_scale, mass_damping, stiffness_damping;
  bool detach = false;
  std::optional<std::string> replace_class;
  Location where;  // in the scene file, for errors
};

}  // namespace pliant
