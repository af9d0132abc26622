// A domain inserted into a running body of 64,000 tets, and a static response: all of it, weights included.
#include "bench/bench.hpp"
#include "pliant/build/blended.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/model/blended/blended_model.hpp"
#include "pliant/reduce/exact_projection.hpp"
#include "pliant/reduce/local_elements.hpp"

namespace pliant::bench {
namespace {

std::unique_ptr<Model> block(Index points) {
  auto elastic = std::make_shared<const ElasticBody>(
      generate_box({0.4, 0.4, 0.3}, {24, 24, 19}, ElementKind::kTet), MaterialMap{{Material{}}, {}});
  Support base{"base", {}, {}};
  for (std::size_t v = 0; v < elastic->mesh().vertices.size(); ++v)
    if (elastic->mesh().vertices[v].z() < 1e-6) base.vertices.push_back(static_cast<VertexId>(v));
  BlendedSpec spec;
  spec.seeds = {{0.1, 0.1, 0.15}, {0.3, 0.1, 0.15}, {0.1, 0.3, 0.15}, {0.3, 0.3, 0.15}};
  spec.weights = WeightKind::kHarmonic;  // quick to make; what is measured does not depend on them
  if (points > 0) {
    spec.cubature = CubatureSpec{};
    spec.cubature->points = points;
    spec.cubature->error = 1e-6;
  }
  const std::vector<Support> supports{base};
  auto body = make_blended_body(spec, elastic, "block", supports, {}, no_progress()).value().body;
  auto model = make_blended_model(
      {body, make_element_loops(elastic), supports, {}, make_local_elements(elastic, base.vertices)},
      StepSettings{});
  const VectorX zero = VectorX::Zero(elastic->dof_count());
  (void)model.value()->start(0.0, zero, zero);
  return std::move(model).value();
}

void insert(benchmark::State& state, InsertedShapes what, Index points = 0) {
  const auto model = block(points);
  Insertions& insertions = *model->insertions();
  const Insertion dent{"dent", {0.2, 0.2, 0.3}, 0.08, what, Vector3(0.0, 0.0, 1.0)};
  if (!insertions.insert(dent)) return state.SkipWithError("nothing was inserted");
  insertions.clear_insertions();
  {
    const Counters counters(state);
    for (auto _ : state) {
      (void)insertions.insert(dent);
      state.PauseTiming();
      insertions.clear_insertions();
      state.ResumeTiming();
    }
  }
  state.counters["elements"] = static_cast<double>(model->mesh().element_count());
  state.counters["dofs"] = static_cast<double>(model->dof_count());
}

void BM_insert(benchmark::State& state) { insert(state, InsertedShapes::kQuadratic); }
void BM_insert_response(benchmark::State& state) { insert(state, InsertedShapes::kResponse); }
/// The points get new weights, for what lies outside the ball.
void BM_insert_cubature(benchmark::State& state) { insert(state, InsertedShapes::kQuadratic, 80); }
BENCHMARK(BM_insert)->Name("blended_insert/tets:64000")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_insert_cubature)->Name("blended_insert/tets:64000/points:320")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_insert_response)->Name("blended_insert_response/tets:64000")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pliant::bench
