#include "pliant/reduce/make_basis.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/model/full/full_model.hpp"
#include "pliant/reduce/rigid_motion.hpp"
#include "reduce/held_body.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using test::HeldBody;

BasisSettings settings_of(Index linear, Index modes) {
  BasisSettings settings;
  settings.linear_modes = linear;
  settings.modes = modes;
  return settings;
}

Basis basis_of(const HeldBody& held, const BasisSettings& settings) {
  return make_basis(*held.body, held.free, settings, no_progress()).value();
}

TEST(MakeBasis, IsOrthonormalAndAtRestWhereHeld) {
  for (const Law law : {Law::kStvk, Law::kNeoHookean, Law::kStableNeoHookean, Law::kCorotational}) {
    const HeldBody held = test::shaken_box(ElementKind::kHex, law, true);
    const Basis basis = basis_of(held, settings_of(6, 16));
    ASSERT_EQ(basis.size(), 16);
    EXPECT_FALSE(basis.free);
    EXPECT_LT(test::orthonormality_error(*held.body, basis.shapes), 1e-12);
    for (Index i = 0; i < basis.shapes.rows(); ++i)
      if (held.free[to_size(i)] == 0) {
        EXPECT_EQ(basis.shapes.row(i).norm(), 0.0);
      }
    EXPECT_EQ(basis.strength[0], 1.0);
    for (Index i = 1; i < 16; ++i) EXPECT_LE(basis.strength[i], basis.strength[i - 1]);
    EXPECT_GT(basis.captured, 0.99);
    EXPECT_LT(basis.captured, 1.0);
  }
}

TEST(MakeBasis, OfUnheldBodiesHasNoRigidMotion) {
  for (const DerivativeKind kind : {DerivativeKind::kStatic, DerivativeKind::kEigenvector}) {
    const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, false);
    BasisSettings settings = settings_of(6, 16);
    settings.kind = kind;
    const Basis basis = basis_of(held, settings);
    ASSERT_EQ(basis.size(), 16);
    EXPECT_TRUE(basis.free);
    EXPECT_LT(test::orthonormality_error(*held.body, basis.shapes), 1e-12);
    const MatrixX mass_rigid = mass_times(*held.body, rigid_modes(*held.body));
    EXPECT_LT((mass_rigid.transpose() * basis.shapes).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(MakeBasis, OfFewShapesIsTheHeadOfThatOfMany) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const Basis large = basis_of(held, settings_of(6, 20));
  const Basis small = basis_of(held, settings_of(6, 9));
  EXPECT_LT(test::relative_error(small.shapes, large.shapes.leftCols(9)), 1e-13);
  EXPECT_EQ(small.strength, large.strength.head(9));
  EXPECT_LT(small.captured, large.captured);
}

TEST(MakeBasis, ByEnergyTakesTheFewestThatHoldIt) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  BasisSettings settings = settings_of(6, 0);
  settings.energy = 0.9999;
  const Basis basis = basis_of(held, settings);
  EXPECT_GE(basis.captured, 0.9999);
  EXPECT_LT(basis_of(held, settings_of(6, basis.size() - 1)).captured, 0.9999);
  settings.modes = 4;
  EXPECT_EQ(basis_of(held, settings).size(), 4);
}

TEST(MakeBasis, ContainsTheModesWhenAllIsKept) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const Basis basis = basis_of(held, settings_of(4, 0));
  EXPECT_EQ(basis.size(), 4 + 10);
  EXPECT_NEAR(basis.captured, 1.0, 1e-14);
  const MatrixX modes = natural_modes(*held.body, held.free, 4).value().shapes;
  const MatrixX left = modes - basis.shapes * (basis.shapes.transpose() * mass_times(*held.body, modes));
  EXPECT_LT(mass_norms(*held.body, left).maxCoeff(), 1e-9);
}

TEST(MakeBasis, WithoutDerivativesOrForTheLinearLawIsTheModes) {
  for (const Law law : {Law::kStvk, Law::kLinear}) {
    const HeldBody held = test::shaken_box(ElementKind::kTet, law, true);
    BasisSettings settings = settings_of(5, 20);
    settings.derivatives = law == Law::kLinear;
    const Basis basis = basis_of(held, settings);
    const NaturalModes modes = natural_modes(*held.body, held.free, 5).value();
    ASSERT_EQ(basis.size(), 5);
    EXPECT_LT(test::relative_error(basis.shapes.cwiseAbs(), modes.shapes.cwiseAbs()), 1e-7);
    EXPECT_NEAR(basis.strength[4], modes.squared[0] / modes.squared[4], 1e-10);
  }
}

TEST(MakeBasis, DoesNotDependOnUnits) {
  // millimetres, grams, milliseconds: lengths × 1000, densities × 1e-6, moduli × 1e-6 (g/(mm ms²))
  const HeldBody metres = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  VolumeMesh mesh = metres.body->mesh();
  for (Vector3& x : mesh.vertices) x *= 1000.0;
  Material material = metres.body->materials().materials[0];
  material.density *= 1e-6;
  material.young *= 1e-6;
  HeldBody millimetres = metres;
  millimetres.body = std::make_shared<ElasticBody>(mesh, MaterialMap{{material}, {}});
  const Basis a = basis_of(metres, settings_of(5, 12));
  const Basis b = basis_of(millimetres, settings_of(5, 12));
  EXPECT_LT(test::relative_error(a.strength, b.strength), 1e-6);
  const MatrixX overlap = a.shapes.transpose() * mass_times(*metres.body, b.shapes) * std::sqrt(1e3);
  for (Index i = 0; i < 12; ++i) EXPECT_NEAR(overlap(i, i), 1.0, 1e-5) << i;
}

TEST(MakeBasis, HasTheSameBitsForAnyNumberOfThreads) {
  std::vector<Basis> made;
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    const HeldBody held = test::shaken_box(ElementKind::kHex, Law::kStvk, false, {8, 5, 5});
    BasisSettings settings = settings_of(6, 20);
    made.push_back(basis_of(held, settings));
  }
  EXPECT_EQ(made[0].shapes, made[1].shapes);
  EXPECT_EQ(made[0].strength, made[1].strength);
}

TEST(MakeBasis, WithPatchesHoldsTheirResponses) {
  for (const bool is_held : {true, false}) {
    const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, is_held);
    BasisSettings settings = settings_of(4, 12);
    Patch patch{"end", {}, {}};
    for (std::size_t v = 0; v < held.body->mesh().vertices.size(); ++v)
      if (held.body->mesh().vertices[v].x() > 0.95) patch.vertices.push_back(static_cast<VertexId>(v));
    settings.patches = {patch};
    const Basis basis = basis_of(held, settings);
    EXPECT_EQ(basis.size(), 12 + 6);
    EXPECT_EQ(basis.free, !is_held);
    EXPECT_EQ(basis.strength.head(10), VectorX::Ones(10));
    EXPECT_LT(test::orthonormality_error(*held.body, basis.shapes), 1e-12);
    const auto system = RestSystem::make(*held.body, held.free, no_progress()).value();
    const MatrixX responses = attachment_modes(system, {patch}, no_progress()).value();
    const MatrixX left =
        responses - basis.shapes * (basis.shapes.transpose() * mass_times(*held.body, responses));
    EXPECT_LT(mass_norms(*held.body, left).maxCoeff(), 1e-9 * mass_norms(*held.body, responses).maxCoeff());
  }
}

TEST(MakeBasis, RefusesWhatItCannotDo) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  BasisSettings settings = settings_of(0, -1);
  settings.energy = 1.5;
  const auto wrong = make_basis(*held.body, held.free, settings, no_progress());
  ASSERT_FALSE(wrong.ok());
  ASSERT_EQ(wrong.errors().size(), 3U);
  const std::array keys{"linear_modes", "modes", "energy"};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(wrong.errors()[i].code, ErrorCode::kOutOfRange);
    EXPECT_EQ(wrong.errors()[i].where.key, keys[i]);
  }

  std::vector<char> hinge(held.free.size(), 1);  // one vertex held: the body can still turn
  for (std::size_t k = 0; k < 3; ++k) hinge[k] = 0;
  const auto hinged = make_basis(*held.body, hinge, settings_of(4, 8), no_progress());
  ASSERT_FALSE(hinged.ok());
  EXPECT_EQ(hinged.error().code, ErrorCode::kInconsistent);

  const auto fixed =
      make_basis(*held.body, std::vector<char>(held.free.size(), 0), settings_of(4, 8), no_progress());
  ASSERT_FALSE(fixed.ok());
  EXPECT_EQ(fixed.error().code, ErrorCode::kInconsistent);

  VolumeMesh two = held.body->mesh();  // two pieces that nothing joins
  const auto n = static_cast<VertexId>(two.vertices.size());
  for (VertexId v = 0; v < n; ++v) two.vertices.push_back(two.vertices[to_size(v)] + Vector3(3, 0, 0));
  const std::size_t tets = two.tets.size();
  for (std::size_t t = 0; t < tets; ++t) {
    Tet tet = two.tets[t];
    for (VertexId& v : tet) v += n;
    two.tets.push_back(tet);
  }
  two.tet_labels.resize(two.tet_labels.empty() ? 0 : two.tets.size(), 0);
  const ElasticBody pieces(two, MaterialMap{held.body->materials().materials, {}});
  const std::vector<char> unheld(to_size(pieces.dof_count()), 1);
  const auto apart = make_basis(pieces, unheld, settings_of(4, 8), no_progress());
  ASSERT_FALSE(apart.ok());
  EXPECT_EQ(apart.error().code, ErrorCode::kInconsistent);
}

TEST(BasisFromShapes, SpansWhatItIsGiven) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const MatrixX modes = natural_modes(*held.body, held.free, 3).value().shapes;
  MatrixX shapes(modes.rows(), 5);
  shapes << modes.col(0), 0.1 * modes.col(1), modes.col(0) + modes.col(1), 0.01 * modes.col(2),
      0.0 * modes.col(2);
  const Basis basis =
      basis_from_shapes(*held.body, held.free, shapes, settings_of(1, 0), no_progress()).value();
  ASSERT_EQ(basis.size(), 3);
  EXPECT_LT(test::orthonormality_error(*held.body, basis.shapes), 1e-13);
  const MatrixX left = modes - basis.shapes * (basis.shapes.transpose() * mass_times(*held.body, modes));
  EXPECT_LT(mass_norms(*held.body, left).maxCoeff(), 1e-10);
}

TEST(BasisFromShapes, SeesThroughTheMotionOfAnUnheldBody) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, false);
  const ElasticBody& body = *held.body;
  const NaturalModes modes = natural_modes(body, held.free, 2).value();
  MatrixX shapes(body.dof_count(), 6);
  Rng rng(11);
  for (Index j = 0; j < 6; ++j) {  // two deformations, each flown somewhere
    const Matrix3 turn = test::random_rotation(rng);
    const Vector3 shift = 3.0 * test::random_vector(3, rng);
    const VectorX deformed =
        body.rest_positions() + (0.05 + 0.02 * static_cast<double>(j)) * modes.shapes.col(j % 2);
    for (Index v = 0; v < body.mesh().vertex_count(); ++v)
      shapes.col(j).segment<3>(3 * v) =
          turn * deformed.segment<3>(3 * v) + shift - body.rest_positions().segment<3>(3 * v);
  }
  const Basis basis = basis_from_shapes(body, held.free, shapes, settings_of(1, 0), no_progress()).value();
  EXPECT_TRUE(basis.free);
  ASSERT_GE(basis.size(), 2);
  // modes carry no linearised turn, so the finite one is found exactly
  if (basis.size() > 2) {
    EXPECT_LT(basis.strength[2], 1e-10);
  }
  const MatrixX left = modes.shapes - basis.shapes.leftCols(2) * (basis.shapes.leftCols(2).transpose() *
                                                                  mass_times(body, modes.shapes));
  EXPECT_LT(mass_norms(body, left).maxCoeff(), 1e-8);
}

TEST(BasisFromShapes, RefusesShapesThatCannotBe) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const auto code = [&](const MatrixX& shapes) {
    const auto result = basis_from_shapes(*held.body, held.free, shapes, settings_of(1, 5), no_progress());
    EXPECT_FALSE(result.ok());
    return result.ok() ? Diagnostic{} : result.error();
  };
  const MatrixX good = natural_modes(*held.body, held.free, 2).value().shapes;
  EXPECT_EQ(code(good.topRows(9)).code, ErrorCode::kInconsistent);
  EXPECT_EQ(code(0.0 * good).code, ErrorCode::kDegenerate);
  EXPECT_EQ(code(MatrixX(good.rows(), 0)).code, ErrorCode::kDegenerate);
  MatrixX bad = good;
  bad(3, 1) = std::nan("");
  EXPECT_EQ(code(bad).code, ErrorCode::kNonFinite);
  EXPECT_EQ(code(bad).where.key, "shape 1");
  bad = good;
  bad(3 * held.vertices[0], 1) = 1e-3;
  EXPECT_EQ(code(bad).code, ErrorCode::kInconsistent);
  EXPECT_EQ(code(bad).where.key, "shape 1");
  // rounding of a file is no motion
  bad(3 * held.vertices[0], 1) = 1e-9;
  const auto rounded = basis_from_shapes(*held.body, held.free, bad, settings_of(1, 5), no_progress());
  ASSERT_TRUE(rounded.ok());
  EXPECT_EQ(rounded.value().shapes.row(3 * held.vertices[0]).norm(), 0.0);
  // an unheld body that only flies
  const HeldBody unheld = test::shaken_box(ElementKind::kTet, Law::kStvk, false);
  const MatrixX flight = MatrixX::Ones(unheld.body->dof_count(), 2);
  const auto result = basis_from_shapes(*unheld.body, unheld.free, flight, settings_of(1, 5), no_progress());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kDegenerate);
}

/// The static shape within a basis, by Newton on the exact projection of force and tangent.
VectorX reduced_equilibrium(const ElasticBody& body, const MatrixX& U, const VectorX& load) {
  VectorX q = VectorX::Zero(U.cols());
  VectorX f(body.dof_count());
  SparseMatrix K = body.make_matrix();
  constexpr int kLoadSteps = 4;
  for (int step = 1; step <= kLoadSteps; ++step) {
    const VectorX target = U.transpose() * load * (static_cast<double>(step) / kLoadSteps);
    const auto potential = [&](const VectorX& x) { return body.energy(U * x) - target.dot(x); };
    for (int iteration = 0; iteration < 40; ++iteration) {
      body.force_and_tangent(U * q, TangentKind::kExact, f, K);
      const VectorX residual = U.transpose() * f - target;
      if (residual.norm() < 1e-7 * target.norm()) break;
      const MatrixX tangent = U.transpose() * (K.selfadjointView<Eigen::Lower>() * U);
      const VectorX delta = -SymmetricFactor(tangent).solve(residual);
      double length = 1.0;
      while (length > 1e-4 && potential(q + length * delta) > potential(q)) length *= 0.5;
      q += length * delta;
    }
  }
  return U * q;
}

struct SaggingBeam {
  HeldBody held;
  VectorX sagged;  // in full space
  VectorX load;
};

SaggingBeam sagging_beam(double gravity) {
  SaggingBeam beam;
  const VolumeMesh mesh = generate_box({1.0, 0.2, 0.1}, {20, 5, 4}, ElementKind::kTet);
  Support clamp{"x = 0", {}, {}};
  beam.held.free.assign(3 * mesh.vertices.size(), 1);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (mesh.vertices[v].x() > 0.0) continue;
    clamp.vertices.push_back(static_cast<VertexId>(v));
    for (std::size_t k = 0; k < 3; ++k) beam.held.free[3 * v + k] = 0;
  }
  Material material;
  material.law = Law::kStvk;
  material.young = 1e6;
  material.poisson = 0.3;
  material.density = 1000.0;
  beam.held.body = std::make_shared<ElasticBody>(mesh, MaterialMap{{material}, {}});
  BodyDefinition definition;
  definition.elastic = beam.held.body;
  definition.supports.push_back(clamp);
  definition.loads.gravity = {0, 0, -gravity};
  StepSettings settings;
  settings.integrator = Integrator::kStatic;
  const auto model = make_full_model(definition, settings).value();
  const VectorX zero = VectorX::Zero(beam.held.body->dof_count());
  EXPECT_TRUE(model->start(0.0, zero, zero).healthy());
  for (int step = 0; step < 4; ++step)
    EXPECT_TRUE(model->step_static(0.25 * step, 0.25 * (step + 1)).healthy());
  beam.sagged = model->displacements();
  VectorX fall = zero;
  for (Index v = 0; v < fall.size() / 3; ++v) fall[3 * v + 2] = -gravity;
  beam.load.resize(fall.size());
  beam.held.body->apply_mass(fall, beam.load);
  return beam;
}

double static_error(const SaggingBeam& beam, Index linear, Index modes) {
  const Basis basis = basis_of(beam.held, settings_of(linear, modes));
  const VectorX error = reduced_equilibrium(*beam.held.body, basis.shapes, beam.load) - beam.sagged;
  return mass_norms(*beam.held.body, error)[0] / mass_norms(*beam.held.body, beam.sagged)[0];
}

TEST(MakeBasis, FollowsABeamThatSagsByTwoThirdsOfItsLength) {
  const SaggingBeam beam = sagging_beam(9.81);
  EXPECT_LT(static_error(beam, 10, 20), 0.007);
  EXPECT_LT(static_error(beam, 10, 30), 0.005);
  EXPECT_LT(static_error(beam, 5, 20), 0.020);
  EXPECT_GT(static_error(beam, 2, 2), 0.05);  // modes without room for derivatives do not
}

TEST(MakeBasis, FollowsABeamThatSagsByAQuarterOfItsLength) {
  EXPECT_LT(static_error(sagging_beam(3.0), 10, 20), 0.001);
}

}  // namespace
}  // namespace pliant
