#include "fem/bodies.hpp"
#include "pliant/subspace/coupled_body.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::BodyKind;

class DomainMass : public testing::TestWithParam<BodyKind> {};

/// The domain of each vertex by where it is: four that meet in an edge.
std::vector<Index> quarters(const VolumeMesh& mesh) {
  std::vector<Index> domain_of;
  for (const Vector3& x : mesh.vertices) domain_of.push_back((x.x() > 0.5 ? 1 : 0) + (x.y() > 0.35 ? 2 : 0));
  return domain_of;
}

Vector3 first_moment(const VolumeMesh& mesh, const SparseMatrix& mass) {
  const VectorX row_sums = mass * VectorX::Ones(mass.cols());
  Vector3 sum = Vector3::Zero();
  for (Index v = 0; v < row_sums.size(); ++v) sum += row_sums[v] * mesh.vertices[to_size(v)];
  return sum;
}

TEST_P(DomainMass, KeepsMassAndCentre) {
  const RestBody body(test::distorted_body(GetParam(), {4, 4, 2}, 3), {{test::material_of(Law::kStvk)}, {}});
  const SparseMatrix mass = domain_mass(body, quarters(body.mesh()));
  EXPECT_NEAR(mass.sum(), body.total_mass(), 1e-12 * body.total_mass());
  const Vector3 off = first_moment(body.mesh(), mass) - first_moment(body.mesh(), body.mass());
  // Lumped quadratic tets are exact for straight edges only.
  const double tolerance = GetParam() == BodyKind::kCurvedTet10 ? 1e-3 : 1e-12;
  EXPECT_LT(off.norm(), tolerance * body.total_mass());
}

TEST_P(DomainMass, JoinsNoDomainsAndIsPositive) {
  const RestBody body(test::distorted_body(GetParam(), {4, 4, 2}, 3), {{test::material_of(Law::kStvk)}, {}});
  const std::vector<Index> domain_of = quarters(body.mesh());
  const SparseMatrix mass = domain_mass(body, domain_of);
  EXPECT_LT(MatrixX(mass - SparseMatrix(mass.transpose())).cwiseAbs().maxCoeff(), 1e-16);
  for (Index column = 0; column < mass.cols(); ++column)
    for (SparseMatrix::InnerIterator it(mass, column); it; ++it)
      ASSERT_EQ(domain_of[to_size(it.row())], domain_of[to_size(column)]);
  EXPECT_TRUE(Eigen::LLT<MatrixX>(MatrixX(mass)).info() == Eigen::Success);
}

/// With one domain it is the consistent mass; with two it is not.
TEST_P(DomainMass, IsConsistentWithinADomain) {
  const RestBody body(test::distorted_body(GetParam(), {2, 2, 2}, 3), {{test::material_of(Law::kStvk)}, {}});
  std::vector<Index> domain_of(body.mesh().vertices.size(), 0);
  const auto difference = [&] {
    return MatrixX(domain_mass(body, domain_of) - body.mass()).cwiseAbs().maxCoeff() /
           body.mass().coeff(0, 0);
  };
  EXPECT_LT(difference(), 1e-13);
  domain_of[0] = 1;
  EXPECT_GT(difference(), 1e-2);
}

INSTANTIATE_TEST_SUITE_P(Bodies, DomainMass,
                         testing::Values(BodyKind::kTet, BodyKind::kHex, BodyKind::kStraightTet10,
                                         BodyKind::kCurvedTet10),
                         [](const auto& body) {
                           return test::kBodyNames[to_size(static_cast<Index>(body.param))];
                         });

}  // namespace
}  // namespace pliant
