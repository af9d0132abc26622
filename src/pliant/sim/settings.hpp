// sim/settings.hpp — settings that may change while bodies run, and the events of a scene that change them.
//
// A World owns the present values. Events of the scene and edits by users change them through the same
// functions, so each changes only what it names.
#pragma once

#include "pliant/mesh/core/insertion.hpp"
#include "pliant/mesh/cut/cut_mesh.hpp"
#include "pliant/model/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// The present settings of one body.
struct BodySettings {
  Vector3 gravity = Vector3::Zero();  // m/s²
  std::vector<Material> materials;    // in the order of its MaterialMap
  double mass_damping = 0.0;          // 1/s
  double stiffness_damping = 0.0;     // s
  std::vector<DomainTuning> tuning;   // one per domain
  std::vector<char> detached;         // one per domain; not zero: it has come off its parent, or been cut
  bool replaced = false;              // whether the class of a domain has been replaced
};

/// Time steps over which removed shapes fade unless a time is given.
inline constexpr double kFadeSteps = 60.0;

/// A change that the scene makes at a given time. Values that are not given stay as they are.
struct Event {
  double t = 0.0;             // s
  std::optional<Index> body;  // none: every body that it can concern
  std::optional<Vector3> gravity;
  std::optional<Index> region;  // of the material; none: all of them
  std::optional<double> young, poisson, density;
  std::string domain;  // the domain that the following members concern; empty: none
  std::optional<double> frequency_scale, mass_damping, stiffness_damping;
  bool detach = false;
  std::optional<std::string> replace_class;
  std::optional<Insertion> insert;  // shapes that the body gets
  std::string remove;               // name of inserted shapes that it loses; empty: none
  std::optional<double> fade;       // s, over which they go; none: kFadeSteps
  std::optional<CutSurface> cut;
  Location where;  // in the scene file, for errors
};

}  // namespace pliant
