// Full-space finite elements: assembly, one implicit step and its parts, natural modes.
#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/fem/elastic_body.hpp"
#include "pliant/material/point.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/model/full/full_model.hpp"

#include <fstream>
#include <string>

namespace pliant::bench {
namespace {

/// 10,000 Kuhn tets or a few more: 6 per cell.
VolumeMesh bar(Index tets) {
  const auto side = static_cast<Index>(std::ceil(std::cbrt(static_cast<double>(tets) / 6.0 / 4.0)));
  const Index length = (tets + 6 * side * side - 1) / (6 * side * side);
  return generate_box({4.0, 1.0, 1.0}, {length, side, side}, ElementKind::kTet);
}

std::shared_ptr<const ElasticBody> body_of(const VolumeMesh& mesh, Law law) {
  Material material;
  material.law = law;
  return std::make_shared<ElasticBody>(mesh, MaterialMap{{material}, {}});
}

VectorX bent(const ElasticBody& body) {
  VectorX u = VectorX::Zero(body.dof_count());
  for (Index v = 0; v < body.mesh().vertex_count(); ++v) {
    const Vector3 x = body.rest_positions().segment<3>(3 * v);
    u[3 * v + 2] = 0.02 * x.x() * x.x();
    u[3 * v] = -0.04 * x.x() * x.z();
  }
  return u;
}

/// The obvious way: one element at a time, 9×9 tangent times 9×12 gradients, triplets into a sparse matrix.
SparseMatrix naive_tangent(const ElasticBody& body, const VectorX& u, VectorX& f) {
  std::vector<Eigen::Triplet<double>> entries;
  f.setZero(body.dof_count());
  for (Index e = 0; e < std::ssize(body.mesh().tets); ++e) {
    const Tet& tet = body.mesh().tets[to_size(e)];
    Matrix3 D;
    Matrix3 d;
    const auto X = [&](int a) { return body.rest_positions().segment<3>(3 * tet[to_size(a)]); };
    const auto U = [&](int a) { return u.segment<3>(3 * tet[to_size(a)]); };
    for (int a = 0; a < 3; ++a) {
      D.col(a) = X(a + 1) - X(0);
      d.col(a) = U(a + 1) - U(0);
    }
    const Matrix3 inverse = D.inverse();
    const double volume = D.determinant() / 6.0;
    const Matrix3 F = Matrix3::Identity() + d * inverse;
    Eigen::Matrix<double, 9, 12> B = Eigen::Matrix<double, 9, 12>::Zero();
    for (int a = 0; a < 4; ++a) {
      const Vector3 g = a == 0 ? Vector3(-inverse.colwise().sum()) : Vector3(inverse.row(a - 1));
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) B(i + 3 * j, 3 * a + i) = g[j];
    }
    const Matrix3 P = stress(body.material(e), F);
    const Eigen::Matrix<double, 12, 1> fe = volume * B.transpose() * Eigen::Map<const Vector9>(P.data());
    const Eigen::Matrix<double, 12, 12> K = volume * B.transpose() * tangent(body.material(e), F) * B;
    for (int r = 0; r < 12; ++r) {
      const Index row = 3 * tet[to_size(r / 3)] + r % 3;
      f[row] += fe[r];
      for (int c = 0; c < 12; ++c) {
        const Index column = 3 * tet[to_size(c / 3)] + c % 3;
        if (row >= column) entries.emplace_back(row, column, K(r, c));
      }
    }
  }
  SparseMatrix K(body.dof_count(), body.dof_count());
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

void assembly(benchmark::State& state, Law law, int threads) {
  const Index tets = 10000;
  const ThreadScope scope(threads);
  const auto body = body_of(bar(tets), law);
  const VectorX u = bent(*body);
  VectorX f(body->dof_count());
  SparseMatrix K = body->make_matrix();
  body->force_and_tangent(u, TangentKind::kExact, f, K);
  {
    const Counters counters(state);
    for (auto _ : state) {
      body->force_and_tangent(u, TangentKind::kExact, f, K);
      benchmark::ClobberMemory();
    }
  }
  VectorX expected;
  const SparseMatrix naive = naive_tangent(*body, u, expected);
  state.counters["error"] = SparseMatrix(naive - K).norm() / naive.norm();
  state.counters["dofs"] = static_cast<double>(body->dof_count());
  state.counters["elements"] = static_cast<double>(body->mesh().tets.size());
}

void BM_assembly(benchmark::State& state) { assembly(state, Law::kStvk, 1); }
void BM_assembly_two(benchmark::State& state) { assembly(state, Law::kStvk, 2); }
void BM_assembly_neo(benchmark::State& state) { assembly(state, Law::kNeoHookean, 1); }
void BM_assembly_corotational(benchmark::State& state) { assembly(state, Law::kCorotational, 1); }
BENCHMARK(BM_assembly)->Name("fem_assembly/tets:10000")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_assembly_two)->Name("fem_assembly/tets:10000/threads:2")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_assembly_neo)->Name("fem_assembly_neohookean/tets:10000")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_assembly_corotational)
    ->Name("fem_assembly_corotational/tets:10000")
    ->Unit(benchmark::kMillisecond);

void BM_naive(benchmark::State& state) {
  const auto body = body_of(bar(state.range(0)), Law::kStvk);
  const VectorX u = bent(*body);
  VectorX f;
  const Counters counters(state);
  for (auto _ : state) benchmark::DoNotOptimize(naive_tangent(*body, u, f).nonZeros());
}
BENCHMARK(BM_naive)->Name("fem_assembly_naive")->ArgName("tets")->Arg(10000)->Unit(benchmark::kMillisecond);

/// One semi-implicit Newmark step of a clamped bar, timed from a state in motion.
void BM_step(benchmark::State& state) {
  BodyDefinition definition;
  definition.elastic = body_of(bar(state.range(0)), Law::kStvk);
  Support clamp{"x = 0", {}, {}};
  for (std::size_t v = 0; v < definition.elastic->mesh().vertices.size(); ++v)
    if (definition.elastic->mesh().vertices[v].x() == 0.0) clamp.vertices.push_back(static_cast<VertexId>(v));
  definition.supports.push_back(clamp);
  definition.loads.gravity = {0, 0, -9.81};
  StepSettings settings;
  settings.newton_iterations = 1;
  auto body = definition.elastic;
  auto model = make_full_model(std::move(definition), settings).value();
  const VectorX zero = VectorX::Zero(body->dof_count());
  if (!model->start(0.0, zero, zero).healthy()) return state.SkipWithError("cannot start");
  const double dt = 1.0 / 240.0;
  for (int i = 0; i < 5; ++i)
    if (!model->step(0.0, dt).healthy()) return state.SkipWithError("unhealthy");
  const StateArrays begin = model->save();
  double step_seconds = 0.0;
  {
    const Counters counters(state);
    for (auto _ : state) {
      state.PauseTiming();
      if (!model->restore(begin).ok()) return state.SkipWithError("restore");
      state.ResumeTiming();
      const auto from = std::chrono::steady_clock::now();
      if (!model->step(0.0, dt).healthy()) return state.SkipWithError("unhealthy");
      step_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
    }
  }
  // the step's two assemblies (before the solve, and for the residual after it) against the whole of it
  VectorX f(body->dof_count());
  SparseMatrix K = body->make_matrix();
  const int count = 20;
  const auto from = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) body->force_and_tangent(model->displacements(), TangentKind::kExact, f, K);
  const double assembly_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count() / count;
  state.counters["assembly_share"] =
      2.0 * assembly_seconds / (step_seconds / static_cast<double>(state.iterations()));
  state.counters["dofs"] = static_cast<double>(model->dof_count());
}
BENCHMARK(BM_step)->Name("full_step")->ArgName("tets")->Arg(10000)->Unit(benchmark::kMillisecond);

double peak_memory_gb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) / 1e6;
  return 0.0;
}

void BM_modes(benchmark::State& state) {
  for (auto _ : state) {
    BodyDefinition definition;
    definition.elastic = body_of(bar(state.range(0)), Law::kStvk);
    const auto modes = make_full_model(std::move(definition), {}).value()->natural_frequencies(20);
    if (!modes.ok()) return state.SkipWithError("no modes");
    state.counters["rigid"] = static_cast<double>(modes.value().rigid);
    state.counters["first_hz"] = modes.value().hz[0];
  }
  state.counters["peak_GB"] = peak_memory_gb();
}
BENCHMARK(BM_modes)
    ->Name("modes_20")
    ->ArgName("tets")
    ->Arg(100000)
    ->Iterations(1)
    ->Repetitions(1)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace pliant::bench
