// Runs a reduced body from the cache without finite elements: `run_built FILE VERTEX`. One second of it under
// gravity, held where it was built to be held, as one subspace and as a tree of a single domain; prints where
// the vertex went. compare.py says what must come out, and what must not be linked.
#include "pliant/model/modal/modal_model.hpp"
#include "pliant/model/tree/tree_model.hpp"
#include "pliant/sim/world.hpp"
#include "pliant/store/reduced_cache.hpp"

#include <cstdio>
#include <cstdlib>
#include <numeric>

namespace {

using namespace pliant;

constexpr double kStep = 0.01;  // s
constexpr Index kSteps = 100;

std::shared_ptr<const TreeBody> single_domain(const CachedBody& body) {
  auto tree = std::make_shared<TreeBody>();
  tree->mesh = body.rest->mesh();
  tree->classes.push_back({"all", body.rest, body.reduced, 0, nullptr});
  TreeDomain& domain = tree->domains.emplace_back();
  domain.name = "all";
  domain.vertices.resize(to_size(tree->mesh.vertex_count()));
  domain.elements.resize(to_size(tree->mesh.element_count()));
  std::iota(domain.vertices.begin(), domain.vertices.end(), VertexId{0});
  std::iota(domain.elements.begin(), domain.elements.end(), Index{0});
  return tree;
}

bool run(const char* name, Result<std::unique_ptr<Model>> model, VertexId vertex) {
  if (!model) return std::fprintf(stderr, "%s\n", to_string(model.error()).c_str()), false;
  const VectorX zero = VectorX::Zero(3 * model.value()->mesh().vertex_count());
  std::vector<Body> bodies;
  bodies.push_back({name, std::move(model).value(), zero, zero, {"base"}});
  RunSettings settings;
  settings.dt = kStep;
  World world(std::move(bodies), {}, settings);
  if (!world.start()) return false;
  for (Index i = 0; i < kSteps; ++i)
    if (!world.advance()) return false;
  const Vector3 u = world.bodies()[0].model->displacement(vertex);
  std::printf("%s %.17g %.17g %.17g\n", name, u.x(), u.y(), u.z());
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return std::fprintf(stderr, "usage: run_built FILE VERTEX\n"), 2;
  const std::filesystem::path file = arguments[1];
  const auto vertex = static_cast<VertexId>(std::atoi(arguments[2]));
  Diagnostics notes;
  const std::optional<CachedBody> body = ReducedCache(file.parent_path()).load(file.stem().string(), notes);
  for (const Diagnostic& note : notes) std::fprintf(stderr, "%s\n", to_string(note).c_str());
  if (!body) return std::fprintf(stderr, "there is no such body\n"), 1;

  const std::vector<Support> supports{{"base", body->held, {}}};
  const Loads loads{{0, 0, -9.81}, {}};
  ModalDefinition modal;
  modal.reduced = body->reduced;
  modal.rest = body->rest;
  modal.supports = supports;
  modal.loads = loads;
  TreeDefinition tree;
  tree.body = single_domain(*body);
  tree.supports = supports;
  tree.loads = loads;
  const bool done = run("modal", make_modal_model(std::move(modal), {}), vertex) &&
                    (!body->reduced->forms || run("tree", make_tree_model(std::move(tree), {}), vertex));
  return done ? 0 : 1;
}
