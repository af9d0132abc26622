// Full-space finite elements: assembly, one implicit step and its parts, natural modes.
#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/fem/elastic_body.hpp"
#include "pliant/material/point.hpp"
#include "pliant/mesh/core/tet10.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/model/full/full_model.hpp"
#include "pliant/subspace/tet10_points.hpp"

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

/// The obvious way: one element at a time, 9×9 tangent times 9×3N gradients, triplets into a sparse matrix.
class NaiveAssembly {
 public:
  NaiveAssembly(const ElasticBody& body, const VectorX& u, VectorX& f) : body_(body), u_(u), f_(f) {
    f_.setZero(body.dof_count());
  }

  SparseMatrix run() {
    const VolumeMesh& mesh = body_.mesh();
    Index element = 0;
    for (const Tet& tet : mesh.tets) {
      Matrix3 D;
      for (int a = 0; a < 3; ++a)
        D.col(a) = mesh.vertices[to_size(tet[to_size(a) + 1])] - mesh.vertices[to_size(tet[0])];
      Eigen::Matrix<double, 4, 3> gradients;
      gradients.bottomRows<3>() = D.inverse();
      gradients.row(0) = -gradients.bottomRows<3>().colwise().sum();
      add<4>(element++, tet, gradients, D.determinant() / 6.0);
    }
    element = mesh.first_tet10();
    for (const Tet10& tet : mesh.tet10s) {
      for (const Tet10Point& point : tet10_points(Tet10Rule::k14)) {
        const Eigen::Map<const Eigen::Matrix<double, 10, 3, Eigen::RowMajor>> reference(point.gradient[0]);
        Matrix3 J = Matrix3::Zero();
        for (int a = 0; a < 10; ++a) J += mesh.vertices[to_size(tet[to_size(a)])] * reference.row(a);
        add<10>(element, tet, reference * J.inverse(), point.weight * J.determinant());
      }
      ++element;
    }
    SparseMatrix K(body_.dof_count(), body_.dof_count());
    K.setFromTriplets(entries_.begin(), entries_.end());
    return K;
  }

 private:
  template <int N>
  void add(Index element, const std::array<VertexId, N>& vertices, const Eigen::Matrix<double, N, 3>& g,
           double weight) {
    Matrix3 F = Matrix3::Identity();
    Eigen::Matrix<double, 9, 3 * N> B = Eigen::Matrix<double, 9, 3 * N>::Zero();
    for (int a = 0; a < N; ++a) {
      F += u_.segment<3>(3 * vertices[to_size(a)]) * g.row(a);
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) B(i + 3 * j, 3 * a + i) = g(a, j);
    }
    const Matrix3 P = stress(body_.material(element), F);
    const Eigen::Matrix<double, 3 * N, 1> fe = weight * B.transpose() * Eigen::Map<const Vector9>(P.data());
    const Eigen::Matrix<double, 3 * N, 3 * N> K =
        weight * B.transpose() * tangent(body_.material(element), F) * B;
    for (int r = 0; r < 3 * N; ++r) {
      const Index row = 3 * vertices[to_size(r / 3)] + r % 3;
      f_[row] += fe[r];
      for (int c = 0; c < 3 * N; ++c) {
        const Index column = 3 * vertices[to_size(c / 3)] + c % 3;
        if (row >= column) entries_.emplace_back(row, column, K(r, c));
      }
    }
  }

  const ElasticBody& body_;
  const VectorX& u_;
  VectorX& f_;
  std::vector<Eigen::Triplet<double>> entries_;
};

/// Times force and tangent of the bent body; K keeps the tangent.
void time_assembly(benchmark::State& state, const ElasticBody& body, const VectorX& u, SparseMatrix& K) {
  VectorX f(body.dof_count());
  body.force_and_tangent(u, TangentKind::kExact, f, K);
  {
    const Counters counters(state);
    for (auto _ : state) {
      body.force_and_tangent(u, TangentKind::kExact, f, K);
      benchmark::ClobberMemory();
    }
  }
  state.counters["dofs"] = static_cast<double>(body.dof_count());
  state.counters["elements"] = static_cast<double>(body.mesh().element_count());
}

void assembly(benchmark::State& state, const VolumeMesh& mesh, Law law, int threads) {
  const ThreadScope scope(threads);
  const auto body = body_of(mesh, law);
  const VectorX u = bent(*body);
  SparseMatrix K = body->make_matrix();
  time_assembly(state, *body, u, K);
  VectorX expected;
  const SparseMatrix naive = NaiveAssembly(*body, u, expected).run();
  state.counters["error"] = SparseMatrix(naive - K).norm() / naive.norm();
}

void BM_assembly(benchmark::State& state) { assembly(state, bar(10000), Law::kStvk, 1); }
void BM_assembly_two(benchmark::State& state) { assembly(state, bar(10000), Law::kStvk, 2); }
void BM_assembly_tet10(benchmark::State& state) {
  assembly(state, make_quadratic(bar(10000)), Law::kStvk, 1);
}
void BM_assembly_neo(benchmark::State& state) { assembly(state, bar(10000), Law::kNeoHookean, 1); }
void BM_assembly_corotational(benchmark::State& state) { assembly(state, bar(10000), Law::kCorotational, 1); }
BENCHMARK(BM_assembly)->Name("fem_assembly/tets:10000")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_assembly_tet10)->Name("fem_assembly/tet10:10000")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_assembly_two)->Name("fem_assembly/tets:10000/threads:2")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_assembly_neo)->Name("fem_assembly_neohookean/tets:10000")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_assembly_corotational)
    ->Name("fem_assembly_corotational/tets:10000")
    ->Unit(benchmark::kMillisecond);

/// Meshes of the clamped beam 1 x 0.2 x 0.1 whose first frequency is within 1 % of the truth (0.5111 Hz;
/// `pliant modes` finds 0.5156, 0.5161 and 0.5145 Hz).
VolumeMesh beam(const std::array<Index, 3>& cells, ElementKind kind) {
  return generate_box({1.0, 0.2, 0.1}, cells, kind);
}
void one_percent(benchmark::State& state, const VolumeMesh& mesh) {
  const ThreadScope scope(1);
  const auto body = body_of(mesh, Law::kStvk);
  SparseMatrix K = body->make_matrix();
  time_assembly(state, *body, bent(*body), K);
}
void BM_one_percent_tets(benchmark::State& state) {
  one_percent(state, beam({160, 32, 16}, ElementKind::kTet));
}
void BM_one_percent_hexes(benchmark::State& state) {
  one_percent(state, beam({56, 11, 6}, ElementKind::kHex));
}
void BM_one_percent_tet10s(benchmark::State& state) {
  one_percent(state, make_quadratic(beam({10, 3, 2}, ElementKind::kTet)));
}
BENCHMARK(BM_one_percent_tets)
    ->Name("fem_assembly_one_percent/tets:491520")
    ->Iterations(3)
    ->Repetitions(3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_one_percent_hexes)->Name("fem_assembly_one_percent/hexes:3696")->Unit(benchmark::kMillisecond);
BENCHMARK(BM_one_percent_tet10s)->Name("fem_assembly_one_percent/tet10:360")->Unit(benchmark::kMillisecond);

void BM_naive(benchmark::State& state) {
  const auto body = body_of(bar(state.range(0)), Law::kStvk);
  const VectorX u = bent(*body);
  VectorX f;
  const Counters counters(state);
  for (auto _ : state) benchmark::DoNotOptimize(NaiveAssembly(*body, u, f).run().nonZeros());
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
