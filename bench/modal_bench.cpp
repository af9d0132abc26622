// One step of a reduced body, its evaluation alone, and the building of its polynomials.
#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/math/dense_cholesky.hpp"
#include "pliant/mesh/core/tet10.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/reduce/make_stvk_forms.hpp"
#include "pliant/subspace/quartic_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <vector>

namespace pliant::bench {
namespace {

/// Median of the ratio between `body` and the calibration product of the same r, measured turn by turn, so
/// that both see the same machine.
template <class Body>
double interleaved_ratio(Index r, const Body& body) {
  std::vector<double> ratios;
  for (int turn = 0; turn < 5; ++turn) {
    const double product = gemv_seconds(r);
    std::vector<double> times;
    for (int i = 0; i < 301; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      body();
      times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::nth_element(times.begin(), times.begin() + 150, times.end());
    ratios.push_back(times[150] / product);
  }
  std::nth_element(ratios.begin(), ratios.begin() + 2, ratios.end());
  return ratios[2];
}

/// A clamped bar in r shapes: bending, twisting, stretching waves of rising wave number, M-orthonormal.
struct Bar {
  explicit Bar(Index r, const std::array<Index, 3>& cells = {12, 3, 3})
      : body(generate_box({4.0, 1.0, 1.0}, cells, ElementKind::kTet), {{Material{}}, {}}) {
    U.resize(body.dof_count(), r);
    for (Index l = 0; l < r; ++l) {
      const double wave = 0.4 * static_cast<double>(l / 3 + 1);
      for (Index v = 0; v < body.mesh().vertex_count(); ++v) {
        const Vector3 x = body.rest_positions().segment<3>(3 * v);
        const double s = 1.0 - std::cos(wave * x.x());
        U(3 * v, l) = s * (l % 3 == 0 ? 1.0 : -0.3 * x[1 + l % 2]);
        U(3 * v + 1, l) = s * (l % 3 == 1 ? 1.0 : 0.3 * x.z());
        U(3 * v + 2, l) = s * (l % 3 == 2 ? 1.0 : -0.3 * x.y());
      }
    }
    MatrixX MU(U.rows(), r);
    for (Index l = 0; l < r; ++l) body.apply_mass(U.col(l), MU.col(l));
    const MatrixX gram = U.transpose() * MU;
    const Eigen::LLT<MatrixX> factor(gram);
    factor.matrixU().solveInPlace<Eigen::OnTheRight>(U);
    form = QuarticForm::zero(r);
    make_stvk_forms(body, U, no_progress()).value().combine(body.materials().materials, form);
  }

  /// A shape with strains of about a tenth.
  [[nodiscard]] VectorX shape() const {
    VectorX q = VectorX::LinSpaced(form.r, 1.0, 0.2);
    return q * (0.1 / (U * q).cwiseAbs().maxCoeff());
  }

  ElasticBody body;
  MatrixX U;
  QuarticForm form;
};

/// One semi-implicit Newmark step (β = ¼, γ = ½), one Newton iteration, mass 1, stiffness-proportional
/// damping.
template <class Scalar>
struct Step {
  explicit Step(const Bar& bar)
      : r(bar.form.r),
        forces(r),
        solver(r),
        q(bar.shape()),
        v(VectorX::Zero(r)),
        a(VectorX::Zero(r)),
        f(r),
        x(r),
        load(VectorX::Constant(r, 1e-3)),
        K(r, r) {
    forces.assign(bar.form);
  }

  bool advance() {
    const double dt = 1.0 / 1000.0;
    const double damping = 1e-3;
    forces.evaluate(q, f, K);
    // residual at the predicted state q + 0: M a + D v + f − load, with a and v of Newmark at Δq = 0
    x.noalias() = K.template selfadjointView<Eigen::Lower>() * v;
    x = load - f + (4.0 / dt) * v + a + damping * x;
    K *= 1.0 + 2.0 * damping / dt;
    K.diagonal().array() += 4.0 / (dt * dt);
    if (!solver.factorize(K)) return false;
    solver.solve(x);
    q += x;
    a = (4.0 / (dt * dt)) * x - (4.0 / dt) * v - a;
    v = (2.0 / dt) * x - v;
    return true;
  }

  Index r;
  QuarticStep<Scalar> forces;
  DenseCholesky solver;
  VectorX q, v, a, f, x, load;
  MatrixX K;
};

/// Error of force and stiffness against the exact projection of the whole body.
template <class Scalar>
double projection_error(const Bar& bar, QuarticStep<Scalar>& forces) {
  const VectorX q = bar.shape();
  VectorX f(q.size()), full(bar.body.dof_count());
  MatrixX K(q.size(), q.size());
  forces.evaluate(q, f, K);
  SparseMatrix K_full = bar.body.make_matrix();
  bar.body.force_and_tangent(bar.U * q, TangentKind::kExact, full, K_full);
  const VectorX f_exact = bar.U.transpose() * full;
  const MatrixX KU = K_full.selfadjointView<Eigen::Lower>() * bar.U;
  const MatrixX K_exact = bar.U.transpose() * KU;
  return std::max((f - f_exact).norm() / f_exact.norm(), (K - K_exact).norm() / K_exact.norm());
}

template <class Scalar>
void step_benchmark(benchmark::State& state) {
  const Index r = state.range(0);
  const Bar bar(r);
  Step<Scalar> step(bar);
  bool good = true;
  {
    const Counters counters(state);
    for (auto _ : state) {
      good = step.advance() && good;
      benchmark::ClobberMemory();
    }
  }
  if (!good || !step.q.allFinite()) return state.SkipWithError("the step failed");
  step.q = bar.shape();
  state.counters["ratio_same_r"] = interleaved_ratio(r, [&] { good = step.advance() && good; });
  state.counters["ratio_evaluate"] =
      interleaved_ratio(r, [&] { step.forces.evaluate(step.q, step.f, step.K); });
  state.counters["dofs"] = static_cast<double>(r);
  state.counters["bytes"] = static_cast<double>(step.forces.bytes());
  state.counters["error"] = projection_error(bar, step.forces);
}

void BM_modal_step(benchmark::State& state) { step_benchmark<double>(state); }
void BM_modal_step_float(benchmark::State& state) { step_benchmark<float>(state); }
BENCHMARK(BM_modal_step)
    ->Name("modal_step")
    ->ArgName("r")
    ->Arg(20)
    ->Arg(30)
    ->Arg(40)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_modal_step_float)
    ->Name("modal_step_float")
    ->ArgName("r")
    ->Arg(20)
    ->Arg(30)
    ->Arg(40)
    ->Unit(benchmark::kMicrosecond);

/// The obvious way: force and stiffness as two polynomials, a sum over all sorted tuples each.
void naive_evaluation(const QuarticForm& form, const VectorX& q, VectorX& f, MatrixX& K) {
  const Index r = form.r;
  f.setZero();
  K.setZero();
  const auto sorted4 = [&](std::array<Index, 4> t) {
    std::sort(t.begin(), t.end());
    return form.fourth[quadruple_place(t[0], t[1], t[2], t[3])];
  };
  const auto sorted3 = [&](std::array<Index, 3> t) {
    std::sort(t.begin(), t.end());
    return form.third[triple_place(t[0], t[1], t[2])];
  };
  for (Index a = 0; a < r; ++a)
    for (Index b = 0; b < r; ++b) {
      double stiffness = form.second[pair_place(std::min(a, b), std::max(a, b))];
      double force = stiffness * q[b];
      for (Index c = 0; c < r; ++c) {
        const double third = sorted3({a, b, c});
        stiffness += third * q[c];
        force += third * q[b] * q[c] / 2.0;
        for (Index d = c; d < r; ++d) {
          const double fourth = sorted4({a, b, c, d}) * (c == d ? 0.5 : 1.0) * q[c] * q[d];
          stiffness += fourth;
          force += fourth * q[b] / 3.0;
        }
      }
      f[a] += force;
      K(a, b) = stiffness;
    }
}

void BM_naive_evaluation(benchmark::State& state) {
  const Index r = state.range(0);
  const Bar bar(r);
  const VectorX q = bar.shape();
  VectorX f(r), f_step(r);
  MatrixX K(r, r), K_step(r, r);
  {
    const Counters counters(state);
    for (auto _ : state) {
      naive_evaluation(bar.form, q, f, K);
      benchmark::ClobberMemory();
    }
  }
  QuarticStep<double> step(r);
  step.assign(bar.form);
  step.evaluate(q, f_step, K_step);
  state.counters["error"] = std::max((f - f_step).norm() / f.norm(), (K - K_step).norm() / K.norm());
}
BENCHMARK(BM_naive_evaluation)
    ->Name("modal_evaluate_naive")
    ->ArgName("r")
    ->Arg(30)
    ->Unit(benchmark::kMicrosecond);

void BM_evaluate(benchmark::State& state) {
  const Index r = state.range(0);
  const Bar bar(r);
  const VectorX q = bar.shape();
  VectorX f(r);
  MatrixX K(r, r);
  QuarticStep<double> step(r);
  step.assign(bar.form);
  const Counters counters(state);
  for (auto _ : state) {
    step.evaluate(q, f, K);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_evaluate)->Name("modal_evaluate")->ArgName("r")->Arg(30)->Unit(benchmark::kMicrosecond);

/// Polynomials of a body in a random basis (their cost does not depend on the numbers), with the error of
/// the force against the exact projection.
void build_benchmark(benchmark::State& state, VolumeMesh mesh, Index r, int threads) {
  const ElasticBody body(std::move(mesh), {{Material{}}, {}});
  const MatrixX U = MatrixX::Random(body.dof_count(), r);
  QuarticForm form = QuarticForm::zero(r);
  double cpu = 0.0;
  const ThreadScope scope(threads);
  {
    const Counters counters(state);
    for (auto _ : state) {
      const std::clock_t begin = std::clock();
      make_stvk_forms(body, U, no_progress()).value().combine(body.materials().materials, form);
      cpu += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    }
  }
  QuarticStep<double> step(r);
  step.assign(form);
  const VectorX q = VectorX::Random(r);
  VectorX f(r), full(body.dof_count());
  step.evaluate(q, f);
  body.internal_force(U * q, full);
  const VectorX exact = U.transpose() * full;
  state.counters["error"] = (f - exact).norm() / exact.norm();
  state.counters["elements"] = static_cast<double>(body.mesh().element_count());
  state.counters["dofs"] = static_cast<double>(r);
  state.counters["cpu_s"] = cpu / static_cast<double>(state.iterations());  // of all threads
  state.counters["bytes"] =
      static_cast<double>(16 * (form.second.size() + form.third.size() + form.fourth.size()));
}

VolumeMesh tets_14444() {
  VolumeMesh mesh = generate_box({7.0, 1.0, 1.0}, {50, 7, 7}, ElementKind::kTet);
  mesh.tets.resize(14444);
  mesh.tet_labels.resize(14444);
  return mesh;
}
VolumeMesh hexes_14000() { return generate_box({2.8, 2.0, 2.0}, {35, 20, 20}, ElementKind::kHex); }
/// 2,016 quadratic tets and the 16,128 linear ones between the same 3,483 vertices.
VolumeMesh tet10s_2016() {
  return make_quadratic(generate_box({7.0, 1.0, 1.0}, {21, 4, 4}, ElementKind::kTet));
}
VolumeMesh tets_16128() { return generate_box({7.0, 1.0, 1.0}, {42, 8, 8}, ElementKind::kTet); }

void BM_build_tets(benchmark::State& state) { build_benchmark(state, tets_14444(), 30, 1); }
void BM_build_hexes(benchmark::State& state) { build_benchmark(state, hexes_14000(), 30, 1); }
void BM_build_hexes_two(benchmark::State& state) { build_benchmark(state, hexes_14000(), 30, 2); }
void BM_build_tet10s(benchmark::State& state) { build_benchmark(state, tet10s_2016(), 30, 1); }
void BM_build_as_many_vertices(benchmark::State& state) { build_benchmark(state, tets_16128(), 30, 1); }
BENCHMARK(BM_build_tets)
    ->Name("modal_polynomials_build/tets:14444/r:30")
    ->Iterations(1)
    ->Repetitions(3)
    ->Unit(benchmark::kSecond);
BENCHMARK(BM_build_tet10s)
    ->Name("modal_polynomials_build/tet10:2016/r:30")
    ->Iterations(1)
    ->Repetitions(3)
    ->Unit(benchmark::kSecond);
BENCHMARK(BM_build_as_many_vertices)
    ->Name("modal_polynomials_build/tets:16128/r:30")
    ->Iterations(1)
    ->Repetitions(3)
    ->Unit(benchmark::kSecond);
BENCHMARK(BM_build_hexes)
    ->Name("modal_polynomials_build/hexes:14000/r:30")
    ->Iterations(1)
    ->Repetitions(1)
    ->Unit(benchmark::kSecond);
BENCHMARK(BM_build_hexes_two)
    ->Name("modal_polynomials_build/hexes:14000/r:30/threads:2")
    ->Iterations(1)
    ->Repetitions(1)
    ->UseRealTime()
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace pliant::bench
