// Forces of coupled domains against their energy, stiffness against forces, inertia against sums over
// vertices.
#include "pliant/model/coupled/coupled_forces.hpp"

#include "model/coupled/coupled_case.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/model/coupled/coupled_state.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::CoupledCase;

/// A shape far from rest: frames turned by about 20°, coordinates of a few centimetres.
CoupledShape bent(const CoupledCase& body, const CoupledLayout& layout) {
  Rng random(7);
  CoupledShape shape = coupled_state_at_rest(*body.body, layout).shape;
  const auto any = [&] { return random.uniform(-1.0, 1.0); };
  for (std::size_t d = 0; d < shape.frames.size(); ++d) {
    if (layout.frame_size[d] == 0) continue;
    shape.frames[d].position += 0.02 * Vector3(any(), any(), any());
    shape.frames[d].rotation = rotation_from_vector(0.3 * Vector3(any(), any(), any()));
  }
  for (Index i = 0; i < shape.q.size(); ++i) shape.q[i] = 0.01 * any();
  return shape;
}

/// The shape moved by a change of all unknowns, moves and turns in own axes: x = p + R (1 + φ~ + ½ φ~²) y.
CoupledShape moved(CoupledShape shape, const CoupledLayout& layout, ConstVectorRef change) {
  for (std::size_t d = 0; d < shape.frames.size(); ++d) {
    const Index begin = layout.starts[d], frame = layout.frame_size[d];
    shape.q.segment(layout.q_starts[d], layout.size(d)) += change.segment(begin + frame, layout.size(d));
    if (frame == 0) continue;
    RigidFrame& own = shape.frames[d];
    own.position += own.rotation * change.segment<3>(begin);
    own.rotation = own.rotation * rotation_from_vector(change.segment<3>(begin + 3));
  }
  return shape;
}

/// Elastic forces on all unknowns in own axes.
VectorX forces_on(CoupledForces& forces, const CoupledLayout& layout, const CoupledShape& shape) {
  CoupledTrial trial(layout, shape);
  trial.stand(shape);
  SiteForces sum{Matrix6X::Zero(6, layout.count()), VectorX::Zero(layout.coordinates())};
  EXPECT_TRUE(forces.add_elastic(trial, sum));
  VectorX all(layout.unknowns());
  for (std::size_t d = 0; d < shape.frames.size(); ++d) {
    const Index begin = layout.starts[d], frame = layout.frame_size[d];
    const Matrix3 back = shape.frames[d].rotation.transpose();
    if (frame > 0) {
      all.segment<3>(begin) = back * sum.wrench.col(static_cast<Index>(d)).head<3>();
      all.segment<3>(begin + 3) = back * sum.wrench.col(static_cast<Index>(d)).tail<3>();
    }
    all.segment(begin + frame, layout.size(d)) = sum.q.segment(layout.q_starts[d], layout.size(d));
  }
  return all;
}

/// The assembled stiffness, both triangles.
MatrixX stiffness_at(CoupledForces& forces, const CoupledBody& body, const CoupledLayout& layout,
                     const CoupledShape& shape) {
  std::vector<Index> sizes;
  for (std::size_t d = 0; d < shape.frames.size(); ++d)
    sizes.push_back(layout.frame_size[d] + layout.size(d));
  std::vector<BlockPair> coupled;
  for (const auto& [first, second] : body.pairs) coupled.push_back({first, second});
  BlockCholesky S(sizes, coupled);
  const std::vector<double> ones(sizes.size(), 1.0);
  EXPECT_TRUE(forces.add_stiffness(shape, false, 1.0, ones, S));
  forces.add_geometric(shape, S);
  MatrixX K = MatrixX::Zero(layout.unknowns(), layout.unknowns());
  const auto put = [&](Index i, Index j) {
    const auto block = S.block(i, j);
    K.block(layout.starts[to_size(i)], layout.starts[to_size(j)], block.rows(), block.cols()) = block;
  };
  for (const auto& [first, second] : body.pairs) put(second, first);
  for (Index d = 0; d < layout.count(); ++d) put(d, d);
  return K.selfadjointView<Eigen::Lower>();
}

class CoupledForcesTest : public ::testing::TestWithParam<std::pair<Law, ElementKind>> {
 protected:
  CoupledForcesTest()
      : body_(test::beam_source(3, settings(), true, {9, 2, 2}, GetParam().second, GetParam().first)),
        layout_(*body_.body),
        forces_(body_.body, layout_, {}),
        shape_(bent(body_, layout_)) {}

  static DomainBasisSettings settings() {
    DomainBasisSettings settings;
    settings.modes = 6;
    settings.linear_modes = 2;
    settings.kind = DomainBasis::kModes;
    return settings;
  }
  VectorX direction() {
    Rng random(11);
    VectorX change(layout_.unknowns());
    for (Index i = 0; i < change.size(); ++i) change[i] = 0.01 * random.uniform(-1.0, 1.0);
    return change;
  }

  CoupledCase body_;
  CoupledLayout layout_;
  CoupledForces forces_;
  CoupledShape shape_;
};

TEST_P(CoupledForcesTest, AreTheGradientOfTheEnergy) {
  const VectorX f = forces_on(forces_, layout_, shape_);
  const VectorX change = direction();
  const double step = 1e-4;  // error of the central difference: its square times the third derivative
  const double up = forces_.elastic_energy(moved(shape_, layout_, step * change));
  const double down = forces_.elastic_energy(moved(shape_, layout_, -step * change));
  ASSERT_GT(std::abs(f.dot(change)), 1e-3);
  EXPECT_NEAR((up - down) / (2.0 * step) / f.dot(change), 1.0, 1e-6);
}

/// d·K·d is the second derivative of the energy along the path of moved(), K symmetric.
TEST_P(CoupledForcesTest, HaveTheStiffnessOfTheEnergy) {
  (void)forces_on(forces_, layout_, shape_);
  const MatrixX K = stiffness_at(forces_, *body_.body, layout_, shape_);
  const VectorX change = direction();
  const auto energy = [&](double way) {
    return forces_.elastic_energy(moved(shape_, layout_, way * change));
  };
  const double step = 1e-2, here = energy(0.0);
  const double near = energy(step) - 2.0 * here + energy(-step);
  const double far = energy(2.0 * step) - 2.0 * here + energy(-2.0 * step);
  const double slope = (16.0 * near - far) / (12.0 * step * step);  // to fourth order
  EXPECT_NEAR(slope / change.dot(K * change), 1.0, 1e-6);
}

/// The assembled blocks are Jᵀ K J + G with J of all vertices of coupling elements, written out: both
/// triangles, so it is symmetric.
TEST_P(CoupledForcesTest, StiffnessIsThatOfTheElements) {
  (void)forces_on(forces_, layout_, shape_);
  const MatrixX ours = stiffness_at(forces_, *body_.body, layout_, shape_);
  const CoupledBody& body = *body_.body;
  const Index n = std::ssize(body.coupling_vertices);
  MatrixX J = MatrixX::Zero(3 * n, layout_.unknowns());
  VectorX u(3 * n);
  for (Index i = 0; i < n; ++i) {
    const auto v = to_size(body.coupling_vertices[to_size(i)]);
    const auto d = to_size(body.domain_of[v]);
    const CoupledDomain& domain = body.domains[d];
    const Matrix3& R = shape_.frames[d].rotation;
    const Index r = layout_.size(d), begin = layout_.starts[d], frame = layout_.frame_size[d];
    const MatrixX U = domain.reduced->basis.shapes.middleRows<3>(3 * Index{body.row_of[v]});
    const Vector3 X = body.rest->rest_positions().segment<3>(3 * static_cast<Index>(v));
    const Vector3 y = X - domain.origin() + U * shape_.q.segment(layout_.q_starts[d], r);
    u.segment<3>(3 * i) = shape_.frames[d].position + R * y - X;
    J.block(3 * i, begin + frame, 3, r) = R * U;
    if (frame == 0) continue;
    J.block<3, 3>(3 * i, begin) = R;
    J.block<3, 3>(3 * i, begin + 3) = -R * cross_matrix(y);
  }
  SparseMatrix K = body.coupling->make_matrix();
  ASSERT_TRUE(body.coupling->stiffness(u, false, K));
  VectorX f(3 * n);
  ASSERT_TRUE(body.coupling->force(u, f));
  const MatrixX KJ = K.selfadjointView<Eigen::Lower>() * J;
  MatrixX expected = J.transpose() * KJ;
  for (Index i = 0; i < n; ++i) {
    const auto v = to_size(body.coupling_vertices[to_size(i)]);
    const auto d = to_size(body.domain_of[v]);
    const Index begin = layout_.starts[d], r = layout_.size(d);
    if (layout_.frame_size[d] == 0) continue;
    const RigidFrame& frame = shape_.frames[d];
    const Vector3 own = frame.rotation.transpose() * f.segment<3>(3 * i);
    const Vector3 X = body.rest->rest_positions().segment<3>(3 * static_cast<Index>(v));
    const Vector3 y = frame.rotation.transpose() * (X + u.segment<3>(3 * i) - frame.position);
    expected.block<3, 3>(begin + 3, begin + 3) +=
        0.5 * (own * y.transpose() + y * own.transpose()) - own.dot(y) * Matrix3::Identity();
    const MatrixX U = body.domains[d].reduced->basis.shapes.middleRows<3>(3 * Index{body.row_of[v]});
    const MatrixX turned = -cross_matrix(own) * U;  // U_l × f
    expected.block(begin + 3, begin + 6, 3, r) += turned;
    expected.block(begin + 6, begin + 3, r, 3) += turned.transpose();
  }
  for (std::size_t d = 0; d < body.domains.size(); ++d) {
    const Index begin = layout_.starts[d] + layout_.frame_size[d], r = layout_.size(d);
    expected.block(begin, begin, r, r) += forces_.inner().stiffness(d);
  }
  EXPECT_LT((expected - expected.transpose()).norm(), 1e-12 * expected.norm());
  EXPECT_LT((ours - expected).norm(), 1e-12 * expected.norm());
}

/// f between two shapes does the work of the energy, and its sum and moment over all domains vanish.
TEST_P(CoupledForcesTest, MeansDoTheWorkOfTheEnergy) {
  if (GetParam().first == Law::kLinear) return;  // its forces have a moment
  CoupledTrial trial(layout_, shape_);
  StepTarget target;
  target.dt = 1.0 / 60.0;
  target.dynamic = true;
  target.scheme = energy_momentum(target.dt);
  CoupledShape moving = shape_;
  Rng random(3);
  for (Index i = 0; i < moving.qd.size(); ++i) moving.qd[i] = 0.3 * random.uniform(-1.0, 1.0);
  for (std::size_t d = 0; d < moving.frames.size(); ++d)
    if (layout_.frame_size[d] > 0) moving.frames[d].twist << 0.1, -0.2, 0.1, 2.0, 1.0, -1.5;
  trial.begin(moving, moving.frames, target);
  ASSERT_TRUE(trial.place());
  forces_.begin(moving);
  SiteForces sum{Matrix6X::Zero(6, layout_.count()), VectorX::Zero(layout_.coordinates())};
  ASSERT_TRUE(forces_.add_mean_elastic(trial, sum));
  Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
  for (Index d = 0; d < layout_.count(); ++d) {
    const Vector3 center =
        0.5 * (moving.frames[to_size(d)].position + trial.end().frames[to_size(d)].position);
    force += sum.wrench.col(d).head<3>();
    moment += sum.wrench.col(d).tail<3>() + center.cross(Vector3(sum.wrench.col(d).head<3>()));
  }
  const double size = sum.wrench.topRows<3>().norm();
  ASSERT_GT(size, 1.0);
  EXPECT_LT(force.norm(), 1e-11 * size);
  EXPECT_LT(moment.norm(), 1e-11 * size);
}

INSTANTIATE_TEST_SUITE_P(Laws, CoupledForcesTest,
                         ::testing::Values(std::pair(Law::kStvk, ElementKind::kTet),
                                           std::pair(Law::kStvk, ElementKind::kHex),
                                           std::pair(Law::kStvk, ElementKind::kTet10),
                                           std::pair(Law::kLinear, ElementKind::kTet),
                                           std::pair(Law::kCorotational, ElementKind::kTet),
                                           std::pair(Law::kNeoHookean, ElementKind::kTet),
                                           std::pair(Law::kStableNeoHookean, ElementKind::kTet)));

/// Kinetic energy and momenta are the sums over vertices with the mass of Eq. C1, at any shape.
TEST(CoupledInertia, IsThatOfTheVertices) {
  CoupledCase body = test::coupled_beam(3, 8, 9.81, false, {9, 2, 2});
  const std::unique_ptr<Model> model = body.coupled(test::steps_by(Integrator::kEnergyMomentum));
  ASSERT_TRUE(model->start(0.0, body.zero(), test::tumbling(*body.elastic, Vector3(0.5, 0.1, 0.05), 5.0, 1.0))
                  .healthy());
  for (int n = 0; n < 30; ++n) ASSERT_TRUE(model->step(n / 240.0, 1.0 / 240.0).healthy());
  const SparseMatrix mass = domain_mass(*body.elastic, body.body->domain_of);
  const VectorX x = body.elastic->rest_positions() + model->displacements(), v = model->velocities();
  const Index n = x.size() / 3;
  VectorX momentum(3 * n);
  for (Index k = 0; k < 3; ++k) {
    const VectorX own = Eigen::Map<const VectorX, 0, Eigen::InnerStride<3>>(v.data() + k, n);
    Eigen::Map<VectorX, 0, Eigen::InnerStride<3>>(momentum.data() + k, n) = mass * own;
  }
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
  const Momenta momenta = model->momenta();
  for (Index i = 0; i < n; ++i) {
    linear += momentum.segment<3>(3 * i);
    angular += (x.segment<3>(3 * i) - momenta.center).cross(Vector3(momentum.segment<3>(3 * i)));
  }
  EXPECT_NEAR(model->energies().kinetic / (0.5 * v.dot(momentum)), 1.0, 1e-12);
  EXPECT_LT((momenta.linear - linear).norm(), 1e-12 * linear.norm());
  EXPECT_LT((momenta.angular - angular).norm(), 1e-11 * angular.norm());
  EXPECT_NEAR(momenta.mass, 20.0, 1e-11);
}

}  // namespace
}  // namespace pliant
