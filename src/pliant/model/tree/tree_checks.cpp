#include "pliant/model/tree/tree_checks.hpp"

#include "pliant/model/tree/joint_frame.hpp"

#include <algorithm>
#include <array>

namespace pliant {
namespace {

Diagnostics check_joints(const TreeBody& body) {
  Diagnostics problems;
  for (const TreeDomain& domain : body.domains) {
    if (domain.parent < 0) continue;
    const DomainClass& kind = body.class_of(body.domains[to_size(domain.parent)]);
    const JointShape shape = make_joint_shape(domain.joint, kind.reduced->basis.shapes,
                                              kind.rest->mesh().vertices, kind.reduced->origin);
    if (is_singular(shape))
      problems.push_back({ErrorCode::kInconsistent,
                          {{}, 0, 0, "domain \"" + domain.name + "\""},
                          "it hangs on its parent by points on a line, which leave its turn about it open",
                          "cut where the two share a face at least, or give it a wider base"});
  }
  return problems;
}

/// A class whose law has no polynomial needs its element loops.
Diagnostics check_forces(const TreeBody& body) {
  for (const DomainClass& kind : body.classes)
    if (!kind.reduced->forms && !kind.loops)
      return {{ErrorCode::kUnsupported,
               {{}, 0, 0, "class \"" + kind.name + "\""},
               "its material has no polynomial, and its finite elements are not at hand",
               "take the law stvk or linear, or run it where it is built"}};
  return {};
}

Diagnostics check_supports(const TreeDefinition& definition) {
  const TreeBody& body = *definition.body;
  std::vector<char> of_root(to_size(body.mesh.vertex_count()), 0);
  for (const VertexId v : body.domains.front().vertices) of_root[to_size(v)] = 1;
  for (const Support& support : definition.supports)
    for (const VertexId v : support.vertices)
      if (of_root[to_size(v)] == 0)
        return {{ErrorCode::kUnsupported,
                 {{}, 0, 0, support.name},
                 "it holds a part of the body that does not belong to the root domain \"" +
                     body.domains.front().name + "\"",
                 "a tree is held at its root alone: choose domains so that one has all supports"}};
  return {};
}

}  // namespace

bool holds(const std::vector<Support>& supports) {
  return std::any_of(supports.begin(), supports.end(),
                     [](const Support& support) { return !support.vertices.empty(); });
}

Diagnostics check_tree(const TreeDefinition& definition, const StepSettings& settings) {
  Diagnostics problems = check_joints(*definition.body);
  for (const Diagnostics& more : {check_supports(definition), check_forces(*definition.body)})
    problems.insert(problems.end(), more.begin(), more.end());
  constexpr std::array kHas = {Integrator::kNewmark, Integrator::kBackwardEuler, Integrator::kMidpoint,
                               Integrator::kStatic};
  if (Status known = check_integrator("`tree`", kHas, settings.integrator); !known)
    problems.push_back(known.error());
  if (settings.integrator == Integrator::kStatic && !holds(definition.supports))
    problems.push_back({ErrorCode::kInconsistent,
                        {},
                        "nothing holds the body, so it has no equilibrium",
                        "fix a part of it"});
  return problems;
}

}  // namespace pliant
