// Shapes that a body gets while it runs: nothing jumps when they come or go, forces stay derivatives of an
// energy, a saved state has them, and a dent becomes as deep as that of `full`.
#include "blended_case.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/model/reduced/growing_body.hpp"
#include "pliant/model/reduced/grown_forces.hpp"
#include "pliant/reduce/local_elements.hpp"
#include "pliant/reduce/make_inertia.hpp"
#include "support/allocations.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using test::BlendedCase;

std::vector<VertexId> held_of(const BlendedCase& body) {
  std::vector<VertexId> held;
  for (const Support& support : body.supports)
    held.insert(held.end(), support.vertices.begin(), support.vertices.end());
  return held;
}

std::unique_ptr<Model> growing(const BlendedCase& body, const StepSettings& settings) {
  Result<std::unique_ptr<Model>> made =
      make_blended_model({body.body, make_element_loops(body.elastic), body.supports, body.loads,
                          make_local_elements(body.elastic, held_of(body))},
                         settings);
  EXPECT_TRUE(made);
  return std::move(made).value();
}

Insertion at(const std::string& name, const Vector3& place, double radius,
             InsertedShapes what = InsertedShapes::kQuadratic) {
  return {name, place, radius, what, std::nullopt};
}

BlendedCase small_beam(double g = 9.81, bool held = true) {
  return test::blended_beam(test::seeded({0.25, 0.75}), g, held, {10, 2, 1});
}

void expect_same(const VectorX& a, const VectorX& b, double tolerance) {
  EXPECT_GT(b.norm(), 0.0);
  EXPECT_LT((a - b).norm(), tolerance * b.norm());
}

TEST(Insertion, NothingJumpsWhenShapesComeAndGo) {
  for (const bool held : {true, false})
    for (const Integrator integrator : {Integrator::kNewmark, Integrator::kEnergyMomentum}) {
      const BlendedCase body = small_beam(9.81, held);
      StepSettings settings = test::steps_by(integrator);
      settings.stiffness_damping = 0.002;
      auto model = growing(body, settings);
      VectorX v = body.zero();
      for (Index i = 0; i < v.size(); i += 3) v[i + 2] = body.elastic->rest_positions()[i];
      ASSERT_TRUE(model->start(0.0, body.zero(), v).healthy());
      const double dt = 1.0 / 240;
      int step = 0;
      const auto run = [&](int steps) {
        for (int i = 0; i < steps; ++i, ++step) {
          const StepReport report = model->step(step * dt, dt);
          ASSERT_TRUE(report.healthy());
          EXPECT_LE(report.iterations, 7) << step;
        }
      };
      run(20);
      Insertions& insertions = *model->insertions();
      VectorX u = model->displacements(), w = model->velocities();
      Energies before = model->energies();
      ASSERT_TRUE(insertions.insert(at("one", {0.9, 0.1, 0.1}, 0.17)));
      ASSERT_TRUE(insertions.insert(at("two", {0.8, 0.1, 0.0}, 0.15, InsertedShapes::kResponse)));
      EXPECT_GT(model->dof_count(), body.body->reduced->size() + 20);
      expect_same(model->displacements(), u, 1e-12);
      expect_same(model->velocities(), w, 1e-12);
      EXPECT_NEAR(test::total(model->energies()), test::total(before), 1e-10 * before.strain);
      run(20);
      // It moves: otherwise what follows would say nothing.
      const VectorX q = model->coordinates();
      EXPECT_GT(q.tail(q.size() - body.body->reduced->size()).norm(), 1e-6);
      u = model->displacements();
      w = model->velocities();
      ASSERT_TRUE(insertions.remove("one", 40 * dt));
      expect_same(model->displacements(), u, 1e-12);
      expect_same(model->velocities(), w, 1e-12);
      run(39);
      EXPECT_TRUE(insertions.fading());
      EXPECT_EQ(insertions.inserted().size(), 2U);
      const VectorX late = model->coordinates();
      const Index first = body.body->reduced->size();
      EXPECT_LT(late.segment(first, late.size() - first - 3).norm(), 1e-3 * q.norm());
      run(1);  // dropped here, with everything that it had at zero
      EXPECT_FALSE(insertions.fading());
      EXPECT_EQ(insertions.inserted(), std::vector<std::string>{"two"});
      EXPECT_EQ(model->dof_count(), first + 3);
      run(5);
    }
}

TEST(Insertion, GoingFromASwingingBodyAddsNoEnergy) {
  const BlendedCase body = small_beam();
  auto model = growing(body, test::steps_by(Integrator::kEnergyMomentum));
  ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
  const double dt = 0.005;
  double kinetic = 0.0, most = -1e9, least = 1e9;
  for (int i = 0; i < 280; ++i) {
    if (i == 100) {
      ASSERT_TRUE(model->insertions()->insert(at("one", {0.6, 0.1, 0.1}, 0.25)));
    }
    if (i == 180) {
      ASSERT_TRUE(model->insertions()->remove("one", 60 * dt));
    }
    ASSERT_TRUE(model->step(i * dt, dt).healthy());
    const Energies energies = model->energies();
    kinetic = std::max(kinetic, energies.kinetic);
    most = std::max(most, test::total(energies));
    least = std::min(least, test::total(energies));
  }
  EXPECT_TRUE(model->insertions()->inserted().empty());
  EXPECT_GT(kinetic, 10.0);
  EXPECT_LT(most, 1e-3 * kinetic);  // it began with none
  EXPECT_GT(least, -0.02 * kinetic);
}

TEST(Insertion, ForcesAreDerivativesOfAnEnergy) {
  const BlendedCase body = small_beam();
  const Index size = body.body->reduced->size();
  GrownForces forces(body.forces(), size);
  GrowingBody grown(body.body->reduced, body.elastic, make_local_elements(body.elastic, held_of(body)),
                    {body.body->domains[0].seed}, forces);
  const auto still = [](VertexId) -> Vector3 { return Vector3::Zero(); };
  ASSERT_TRUE(grown.insert(at("one", {0.9, 0.1, 0.1}, 0.17), still));
  ASSERT_TRUE(grown.insert(at("two", {0.75, 0.1, 0.1}, 0.17, InsertedShapes::kAffine), still));
  ASSERT_TRUE(grown.insert(at("far", {0.3, 0.1, 0.0}, 0.12, InsertedShapes::kResponse), still));
  const Index r = grown.body()->size();
  Rng rng(5);
  VectorX q(r), f(r), f0(r), f1(r), scratch(r);
  for (Index i = 0; i < r; ++i) q[i] = 0.02 * rng.uniform(-1.0, 1.0);
  MatrixX K(r, r);
  const double energy = forces.evaluate(q, f, K);
  EXPECT_GT(energy, 0.0);
  EXPECT_NEAR(forces.evaluate(q, scratch), energy, 1e-12 * energy);
  const double h = 1e-5;
  for (Index i = 0; i < r; i += 7) {
    VectorX a = q, b = q;
    a[i] -= h;
    b[i] += h;
    const double slope = (forces.evaluate(b, f1) - forces.evaluate(a, f0)) / (2 * h);
    EXPECT_NEAR(slope, f[i], 1e-6 * f.norm());
    EXPECT_LT(((f1 - f0) / (2 * h) - K.col(i)).norm(), 1e-5 * K.col(i).norm()) << i;
  }
  // All the elements' forces in the grown basis: nothing is counted twice.
  const auto exact = make_element_loops(body.elastic)->forces(grown.body());
  EXPECT_NEAR(exact->evaluate(q, f0, K), energy, 1e-10 * energy);
  expect_same(f, f0, 1e-9);
  // Between two shapes: the work is the difference of the energies.
  VectorX p(r);
  for (Index i = 0; i < r; ++i) p[i] = 0.02 * rng.uniform(-1.0, 1.0);
  const double other = forces.mean_force(q, p, f, K);
  EXPECT_NEAR(f.dot(p - q), other - energy, 1e-9 * (other + energy));
}

TEST(Insertion, MassIsThatOfTheGrownBasis) {
  const BlendedCase body = small_beam();
  GrownForces forces(body.forces(), body.body->reduced->size());
  GrowingBody grown(body.body->reduced, body.elastic, make_local_elements(body.elastic, held_of(body)), {},
                    forces);
  const auto still = [](VertexId) -> Vector3 { return Vector3::Zero(); };
  ASSERT_TRUE(grown.insert(at("one", {0.9, 0.1, 0.1}, 0.17), still));
  ASSERT_TRUE(grown.insert(at("two", {0.8, 0.1, 0.1}, 0.17, InsertedShapes::kResponse), still));
  grown.drop({1, 0});
  ASSERT_TRUE(grown.insert(at("three", {0.5, 0.1, 0.1}, 0.17), still));
  const auto truth = make_inertia(*body.elastic, grown.body()->basis.shapes, grown.body()->origin);
  const auto close = [](const MatrixX& a, const MatrixX& b) {
    EXPECT_GT(b.norm(), 0.0);
    EXPECT_LT((a - b).norm(), 1e-12 * b.norm());
  };
  close(grown.body()->inertia[0].shape_mass, truth[0].shape_mass);
  close(grown.body()->inertia[0].shape_shape, truth[0].shape_shape);
  close(grown.body()->inertia[0].shape_first, truth[0].shape_first);
  close(grown.body()->inertia[0].shape_position, truth[0].shape_position);
}

/// Polynomials of degree 2 about one point are such about another: q about S becomes that about S + d.
VectorX shifted(const VectorX& c, const Vector3& d) {
  VectorX s = c;
  s[0] = c[0] + c[1] * d[0] + c[2] * d[1] + c[3] * d[2] + c[4] * d[0] * d[0] + c[5] * d[1] * d[1] +
         c[6] * d[2] * d[2] + c[7] * d[0] * d[1] + c[8] * d[1] * d[2] + c[9] * d[0] * d[2];
  s[1] = c[1] + 2 * d[0] * c[4] + d[1] * c[7] + d[2] * c[9];
  s[2] = c[2] + 2 * d[1] * c[5] + d[0] * c[7] + d[2] * c[8];
  s[3] = c[3] + 2 * d[2] * c[6] + d[1] * c[8] + d[0] * c[9];
  return s;
}

/// Eq. 17: with the old weight w' = w − w(S) w_new, and coordinates w(S) · shift for the new domain, the
/// field is what it was. So appending w_new · monomials spans the same space, and old columns need no change.
TEST(Insertion, InterpolatingWeightsSpanTheSameSpace) {
  Rng rng(9);
  const Vector3 S(0.2, 0.1, 0.0), T(0.7, 0.05, 0.08);
  const auto w = [](const Vector3& x) { return std::cos(2.0 * x[0]) * (1.0 - x[1]); };
  const auto fresh = [&](const Vector3& x) { return std::exp(-9.0 * (x - T).squaredNorm()); };
  VectorX c(10);
  for (Index i = 0; i < 10; ++i) c[i] = rng.uniform(-1.0, 1.0);
  const VectorX moved = w(T) * shifted(c, T - S);
  for (int i = 0; i < 20; ++i) {
    const Vector3 x(rng.uniform(0.0, 1.0), rng.uniform(0.0, 0.2), rng.uniform(0.0, 0.1));
    VectorX about_s(10), about_t(10);
    blended_monomials(x - S, 10, about_s.data());
    blended_monomials(x - T, 10, about_t.data());
    const double field = w(x) * about_s.dot(c);
    EXPECT_NEAR((w(x) - w(T) * fresh(x)) * about_s.dot(c) + fresh(x) * about_t.dot(moved), field, 1e-13);
  }
}

TEST(Insertion, WeightsEndAtSeedsAndAtTheBall) {
  const BlendedCase body = test::blended_beam(test::seeded({0.25, 0.75}), 0.0);
  const auto local = make_local_elements(body.elastic, held_of(body));
  const VertexId other = body.near({0.85, 0.1, 0.05});
  const auto made = local->make(at("one", {0.8, 0.1, 0.1}, 0.15), std::vector{other},
                                [](VertexId) -> Vector3 { return Vector3::Zero(); });
  ASSERT_TRUE(made);
  const LocalShapes& shapes = made.value();
  EXPECT_EQ(shapes.size(), 30);
  const Vector3 seed = body.elastic->mesh().vertices[to_size(shapes.seed)];
  EXPECT_LT((seed - Vector3(0.8, 0.1, 0.1)).norm(), 0.03);
  bool found = false;
  for (std::size_t i = 0; i < shapes.vertices.size(); ++i) {
    const VertexId v = shapes.vertices[i];
    EXPECT_LT((body.elastic->mesh().vertices[to_size(v)] - seed).norm(), 0.15);
    const double size = shapes.shapes.middleRows<3>(3 * static_cast<Index>(i)).norm();
    if (v == shapes.seed) {
      EXPECT_GT(size, 1e-3);
    }
    if (v != other) continue;
    found = true;
    EXPECT_EQ(size, 0.0);
  }
  EXPECT_TRUE(found);
}

TEST(Insertion, ASavedStateHasWhatWasInserted) {
  const BlendedCase body = small_beam();
  auto model = growing(body, {});
  ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
  const double dt = 0.005;
  int step = 0;
  const auto run = [&](Model& one, int from, int to) {
    for (int i = from; i < to; ++i) ASSERT_TRUE(one.step(i * dt, dt).healthy());
  };
  run(*model, 0, 4);
  ASSERT_TRUE(model->insertions()->insert(at("one", {0.9, 0.1, 0.1}, 0.17)));
  ASSERT_TRUE(model->insertions()->insert(at("two", {0.5, 0.1, 0.1}, 0.17)));
  run(*model, 4, 8);
  ASSERT_TRUE(model->insertions()->insert(at("three", {0.8, 0.1, 0.0}, 0.17, InsertedShapes::kResponse)));
  ASSERT_TRUE(model->insertions()->remove("one", 10 * dt));
  run(*model, 8, 12);
  const StateArrays saved = model->save();
  run(*model, 12, 26);
  EXPECT_EQ(model->insertions()->inserted(), (std::vector<std::string>{"two", "three"}));
  auto other = growing(body, {});
  ASSERT_TRUE(other->restore(saved));
  EXPECT_TRUE(other->insertions()->fading());
  run(*other, 12, 26);
  EXPECT_EQ(model->displacements(), other->displacements());
  EXPECT_EQ(model->velocities(), other->velocities());
  ASSERT_TRUE(model->restore(saved));  // back in the same model, which has dropped one since
  run(*model, 12, 26);
  EXPECT_EQ(model->displacements(), other->displacements());
  StateArrays broken = saved;
  broken["inserted 1 vertices"].pop_back();
  EXPECT_FALSE(other->restore(broken));
  (void)step;
}

TEST(Insertion, TheSameBitsForAnyNumberOfThreadsAndNoAllocations) {
  const BlendedCase body = small_beam();
  VectorX first;
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    auto model = growing(body, {});
    ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
    ASSERT_TRUE(model->step(0.0, 0.005).healthy());
    ASSERT_TRUE(model->insertions()->insert(at("one", {0.9, 0.1, 0.1}, 0.17)));
    for (int i = 1; i < 6; ++i) ASSERT_TRUE(model->step(i * 0.005, 0.005).healthy());
    if (threads == 1) {
      first = model->displacements();
      if (!test::counts_allocations()) continue;
      ASSERT_TRUE(model->insertions()->remove("one", 1.0));
      ASSERT_TRUE(model->step(0.03, 0.005).healthy());
      const std::size_t before = test::allocation_count();
      ASSERT_TRUE(model->step(0.035, 0.005).healthy());
      EXPECT_EQ(test::allocation_count(), before);
    } else {
      EXPECT_EQ(model->displacements(), first);
    }
  }
}

TEST(Insertion, AThousandRandomOnesLeaveNothingBehind) {
  BlendedCase body = test::blended_beam(test::seeded({0.5}), 9.81, true, {6, 1, 1});
  StepSettings settings = test::steps_by(Integrator::kBackwardEuler, 8, 1e-6);
  auto model = growing(body, settings);
  ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
  Insertions& insertions = *model->insertions();
  Rng rng(3);
  const double dt = 0.01;
  int step = 0, made = 0, removed = 0, refused = 0;
  double jump = 0.0;
  while (made + removed < 1000) {
    const VectorX u = model->displacements(), v = model->velocities();
    const std::vector<std::string> names = insertions.inserted();
    if (names.size() < 2 && rng.uniform(0.0, 1.0) < 0.6) {
      const Vector3 place(rng.uniform(0.3, 1.0), rng.uniform(0.0, 0.2), rng.uniform(0.0, 0.1));
      const auto what = static_cast<InsertedShapes>(static_cast<int>(rng.uniform(0.0, 2.999)));
      if (insertions.insert(at("n" + std::to_string(made), place, rng.uniform(0.2, 0.4), what)))
        ++made;
      else if (++refused > 100)
        break;
    } else if (!names.empty()) {
      ASSERT_TRUE(insertions.remove(
          names[to_size(static_cast<Index>(rng.uniform(0.0, 0.999) * static_cast<double>(names.size())))],
          3 * dt));
      ++removed;
    }
    jump = std::max({jump, (model->displacements() - u).norm(), (model->velocities() - v).norm()});
    if (step < 40 || made % 8 == 0) {
      ASSERT_TRUE(model->step(step * dt, dt).healthy());
      ++step;
    } else if (insertions.fading()) {
      for (int i = 0; i < 3; ++i, ++step) ASSERT_TRUE(model->step(step * dt, dt).healthy());
    }
  }
  EXPECT_LT(refused, 101);
  EXPECT_LT(jump, 1e-10);
  EXPECT_LE(model->dof_count(), body.body->reduced->size() + 3 * 30);
  for (const std::string& name : insertions.inserted()) (void)insertions.remove(name, 2 * dt);
  for (int i = 0; i < 3; ++i, ++step) ASSERT_TRUE(model->step(step * dt, dt).healthy());
  EXPECT_EQ(model->dof_count(), body.body->reduced->size());
  EXPECT_EQ(model->save().size(), growing(body, settings)->save().size());
}

/// Few points stand for the rest of the body then: what is inserted is summed exactly, so nothing is softer
/// than nothing, and the whole stays close to what all elements would do.
TEST(Insertion, GoesWithCubature) {
  BlendedSpec spec = test::seeded({0.25, 0.75});
  const BlendedCase all = test::blended_beam(spec, 9.81, true, {16, 4, 3});
  spec.cubature = CubatureSpec{};
  spec.cubature->points = 20;
  spec.cubature->error = 1e-3;
  const BlendedCase few = test::blended_beam(spec, 9.81, true, {16, 4, 3});
  ASSERT_TRUE(few.body->few);
  const Index size = few.body->reduced->size();
  for (const auto& [place, radius] :
       {std::pair{Vector3(0.9, 0.1, 0.1), 0.17}, {Vector3(0.5, 0.1, 0.05), 0.4}}) {
    GrownForces forces(few.forces(), size);
    GrowingBody grown(few.body->reduced, few.elastic, make_local_elements(few.elastic, held_of(few)),
                      {few.body->domains[0].seed}, forces);
    const auto still = [](VertexId) -> Vector3 { return Vector3::Zero(); };
    ASSERT_TRUE(grown.insert(at("one", place, radius), still));
    const Index r = grown.body()->size();
    VectorX q = VectorX::Zero(r), f(r), f0(r), f1(r);
    MatrixX K(r, r);
    forces.evaluate(q, f, K);
    EXPECT_GT(SymmetricEigen(K).values()[0], 0.0) << radius;
    Rng rng(2);
    for (Index i = 0; i < r; ++i) q[i] = 0.02 * rng.uniform(-1.0, 1.0);
    forces.evaluate(q, f, K);
    const double h = 1e-5;
    for (Index i = 0; i < r; i += 11) {
      VectorX a = q, b = q;
      a[i] -= h;
      b[i] += h;
      EXPECT_NEAR((forces.evaluate(b, f1) - forces.evaluate(a, f0)) / (2 * h), f[i], 1e-6 * f.norm());
      EXPECT_LT(((f1 - f0) / (2 * h) - K.col(i)).norm(), 1e-5 * K.col(i).norm()) << i;
    }
    grown.drop({1});  // the points stand for the whole body again
    VectorX back(size), before(size);
    const VectorX p = q.head(size);
    const double energy = forces.evaluate(p, back);
    EXPECT_EQ(energy, few.forces()->evaluate(p, before));
    EXPECT_EQ(back, before);
  }
  // A swing, with a domain that comes and goes.
  std::vector<std::unique_ptr<Model>> models;
  for (const BlendedCase* body : {&all, &few}) models.push_back(growing(*body, {}));
  const double dt = 0.01;
  const VertexId tip = all.near({1.0, 0.1, 0.05});
  double most = 0.0, peak = 0.0;
  for (auto& model : models) ASSERT_TRUE(model->start(0.0, all.zero(), all.zero()).healthy());
  for (int i = 0; i < 60; ++i) {
    for (auto& model : models) {
      if (i == 20) {
        const VectorX u = model->displacements(), v = model->velocities();
        ASSERT_TRUE(model->insertions()->insert(at("one", {0.8, 0.1, 0.1}, 0.2)));
        expect_same(model->displacements(), u, 1e-12);
        expect_same(model->velocities(), v, 1e-12);
      }
      if (i == 40) {
        ASSERT_TRUE(model->insertions()->remove("one", 10 * dt));
      }
      ASSERT_TRUE(model->step(i * dt, dt).healthy()) << i;
    }
    peak = std::max(peak, models[0]->displacement(tip).norm());
    most = std::max(most, (models[1]->displacement(tip) - models[0]->displacement(tip)).norm());
  }
  RecordProperty("deviation", std::to_string(most / peak));
  EXPECT_GT(peak, 0.5);
  EXPECT_LT(most, 0.1 * peak);
  EXPECT_EQ(models[1]->dof_count(), size);
}

/// The brick of Fig. 10: held below, a force on the middle of its top.
struct Brick {
  Brick() : body(make()) {
    VertexForce force;
    force.vertices = {body.near({0.2, 0.2, 0.2})};
    force.shares = {1.0};
    force.force = Vector3(0.0, 0.0, -10.0);
    body.loads.loads.push_back({"top", force, {}});
  }
  static BlendedCase make() {
    VolumeMesh mesh = generate_box({0.4, 0.4, 0.2}, {8, 8, 4}, ElementKind::kTet);
    Support base{"base", {}, {}};
    for (VertexId v = 0; v < mesh.vertex_count(); ++v)
      if (mesh.vertices[to_size(v)].z() < 1e-6) base.vertices.push_back(v);
    BlendedSpec spec;
    spec.seeds = {{0.1, 0.1, 0.1}, {0.3, 0.1, 0.1}, {0.1, 0.3, 0.1}, {0.3, 0.3, 0.1}};
    Material material;
    material.young = 1e5;
    return BlendedCase(std::move(mesh), {{material}, {}}, {base}, spec);
  }
  [[nodiscard]] double dent(Model& model) const {
    EXPECT_TRUE(model.start(0.0, body.zero(), body.zero()).healthy());
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(model.step_static(i / 4.0, (i + 1) / 4.0).healthy());
    return -model.displacement(body.near({0.2, 0.2, 0.2})).z();
  }
  BlendedCase body;
};

TEST(Insertion, DentsAreAsDeepAsThoseOfFull) {
  const Brick brick;
  const StepSettings settings = test::steps_by(Integrator::kStatic);
  const double truth = brick.dent(*brick.body.full(settings));
  EXPECT_GT(truth, 1e-3);
  EXPECT_LT(brick.dent(*brick.body.blended(settings)), 0.4 * truth);
  for (const InsertedShapes what : {InsertedShapes::kQuadratic, InsertedShapes::kResponse}) {
    auto model = growing(brick.body, settings);
    ASSERT_TRUE(model->insertions()->insert(at("dent", {0.2, 0.2, 0.2}, 0.12, what)));
    const double depth = brick.dent(*model);
    EXPECT_GT(depth, 0.85 * truth) << static_cast<int>(what);
    EXPECT_LT(depth, 1.0001 * truth) << static_cast<int>(what);
  }
}

TEST(Insertion, MistakesChangeNothing) {
  const BlendedCase body = small_beam();
  auto model = growing(body, {});
  Insertions& insertions = *model->insertions();
  const Index before = model->dof_count();
  EXPECT_FALSE(insertions.insert(at("far", {5.0, 0.0, 0.0}, 0.1)));
  EXPECT_FALSE(insertions.insert(at("held", {0.0, 0.1, 0.05}, 0.05)));
  EXPECT_FALSE(insertions.remove("nobody", 0.1));
  EXPECT_EQ(model->dof_count(), before);
  ASSERT_TRUE(insertions.insert(at("one", {0.9, 0.1, 0.1}, 0.17)));
  EXPECT_FALSE(insertions.insert(at("one", {0.5, 0.1, 0.1}, 0.17)));
  EXPECT_EQ(insertions.inserted().size(), 1U);
  insertions.clear_insertions();
  EXPECT_EQ(model->dof_count(), before);
  EXPECT_EQ(body.blended({})->insertions(), nullptr);
}

}  // namespace
}  // namespace pliant
