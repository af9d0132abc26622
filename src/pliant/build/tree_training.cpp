#include "pliant/build/tree_training.hpp"

#include "pliant/build/build_body.hpp"
#include "pliant/build/expected_errors.hpp"
#include "pliant/build/training.hpp"
#include "pliant/model/tree/tree_model.hpp"
#include "pliant/reduce/domain_shapes.hpp"

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr Index kLoadedModes = 10;  // of the whole body

Result<ExpectedErrors> judge(const TreeBody& tree, const HeldOut& held_out, const TreeSpec& spec,
                             const BodyDefinition& definition, const Progress& progress) {
  const auto shared = std::make_shared<const TreeBody>(tree);
  const MakeModel make = [&](const std::vector<Support>& supports, const Loads& loads,
                             const StepSettings& settings) {
    return make_tree_model({shared, supports, loads, spec.inertia, {}}, settings);
  };
  return expected_errors(held_out, *definition.elastic, make, progress);
}

/// Gives each class that deforms the shapes of its domain.
Status take_shapes(TreePlan& plan, const TrainingShapes& training, Progress& progress) {
  progress.begin("shapes of the domains", std::ssize(plan.domains));
  for (std::size_t d = 0; d < plan.domains.size(); ++d) {
    const TreeDomain& domain = plan.domains[d];
    ClassPlan& part = plan.classes[to_size(domain.class_index)];
    if (part.modes == 0) continue;
    Progress& quiet = no_progress();
    const Result<RestSystem> system = RestSystem::make(*part.elastic, free_dofs(part), quiet);
    if (!system) return system.errors();
    MatrixX shapes = domain_shapes(plan, domain, system.value(), training.shapes);
    const VectorX energies = case_energies(training, system.value(), shapes);
    part.shapes = scaled_by_energy(training, std::move(shapes), energies);
    if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
    progress.update(static_cast<Index>(d) + 1);
  }
  progress.end();
  return Done{};
}

}  // namespace

Result<TrainedTree> train_tree(TreePlan plan, const TreeSpec& spec, const BodyDefinition& definition,
                               const SceneStart& start, Progress& progress) {
  const ElasticBody& body = *definition.elastic;
  const Result<RestSystem> system = RestSystem::make(body, free_dofs(body, definition.supports), progress);
  if (!system) return system.errors();
  const Index loaded = spec.training->modes > 0 ? spec.training->modes : kLoadedModes;
  Result<TrainingShapes> training =
      training_shapes(definition, *spec.training, start, system.value(), loaded, progress);
  if (!training) return training.errors();
  Result<TreeBody> of_modes = reduce_tree(plan, spec.attachment, progress);
  if (!of_modes) return of_modes.errors();
  if (const Status taken = take_shapes(plan, training.value(), progress); !taken) return taken.errors();
  Result<TreeBody> of_shapes = reduce_tree(plan, spec.attachment, progress);
  if (!of_shapes) return of_shapes.errors();

  progress.begin("expected errors", 2);
  const HeldOut& held_out = training.value().held_out;
  const Result<ExpectedErrors> modes = judge(of_modes.value(), held_out, spec, definition, progress);
  if (!modes) return modes.errors();
  progress.update(1);
  const Result<ExpectedErrors> shapes = judge(of_shapes.value(), held_out, spec, definition, progress);
  if (!shapes) return shapes.errors();
  progress.end();
  TrainedTree made{{}, training.value().counts, std::move(training.value().notes)};
  const bool better = typical(shapes.value()) <= typical(modes.value());
  if (!better)
    made.notes.push_back({ErrorCode::kNumerical,
                          {{}, 0, 0, "basis"},
                          "expected errors of trained shapes: " + describe(shapes.value()) +
                              "; of modes and modal derivatives: " + describe(modes.value()),
                          "the latter are used"});
  made.body = std::move(better ? of_shapes.value() : of_modes.value());
  for (DomainClass& part : made.body.classes) {
    auto known = std::make_shared<ReducedBody>(*part.reduced);
    known->basis.expected = better ? shapes.value() : modes.value();
    part.reduced = std::move(known);
  }
  return made;
}

}  // namespace pliant
