#include "pliant/subspace/tet10_points.hpp"

#include "fem/bodies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

/// ∫ L_1^a L_2^b L_3^c over the reference tet.
double exact_integral(int a, int b, int c) {
  return std::tgamma(a + 1) * std::tgamma(b + 1) * std::tgamma(c + 1) / std::tgamma(a + b + c + 4);
}

/// The position of a point follows from its shape functions: X = Σ N_a X_a.
double integral(Tet10Rule rule, int a, int b, int c) {
  double sum = 0.0;
  for (const Tet10Point& point : tet10_points(rule)) {
    Vector3 at = Vector3::Zero();
    for (std::size_t v = 1; v < 4; ++v) at[static_cast<Index>(v) - 1] += point.shape[v];
    for (std::size_t e = 0; e < 6; ++e)
      for (const int corner : kTet10Edges[e])
        if (corner > 0) at[corner - 1] += 0.5 * point.shape[4 + e];
    sum += point.weight * std::pow(at[0], a) * std::pow(at[1], b) * std::pow(at[2], c);
  }
  return sum;
}

double largest_error(Tet10Rule rule, int degree) {
  double largest = 0.0;
  for (int a = 0; a <= degree; ++a)
    for (int b = 0; a + b <= degree; ++b)
      largest = std::max(
          largest, std::abs(integral(rule, a, b, degree - a - b) - exact_integral(a, b, degree - a - b)));
  return largest;
}

TEST(Tet10Points, IntegrateAllMonomialsUpToTheirDegree) {
  for (int degree = 0; degree <= 2; ++degree) EXPECT_LT(largest_error(Tet10Rule::k4, degree), 1e-15);
  for (int degree = 0; degree <= 5; ++degree) EXPECT_LT(largest_error(Tet10Rule::k14, degree), 1e-15);
  for (int degree = 0; degree <= 3; ++degree) EXPECT_LT(largest_error(Tet10Rule::k5, degree), 1e-15);
  // and not beyond
  EXPECT_GT(largest_error(Tet10Rule::k5, 4), 1e-5);
  EXPECT_GT(largest_error(Tet10Rule::k4, 3), 1e-5);
  EXPECT_GT(largest_error(Tet10Rule::k14, 6), 1e-7);
}

TEST(Tet10Points, AreInsideWithPositiveWeights) {
  for (const Tet10Rule rule : {Tet10Rule::k4, Tet10Rule::k14}) {
    const std::span<const Tet10Point> points = tet10_points(rule);
    EXPECT_EQ(points.size(), to_size(rule));
    for (const Tet10Point& point : points) {
      EXPECT_GT(point.weight, 0.0);
      double sum = 0.0;
      Vector3 gradients = Vector3::Zero();
      for (std::size_t a = 0; a < 10; ++a) {
        sum += point.shape[a];
        gradients += Eigen::Map<const Vector3>(point.gradient[a]);
      }
      EXPECT_NEAR(sum, 1.0, 1e-15);
      EXPECT_GT(*std::min_element(point.shape + 4, point.shape + 10), 0.0);  // 4 L_i L_j
      EXPECT_LT(gradients.norm(), 1e-14);
    }
  }
}

TEST(Tet10Rule, HasAsManyPointsAsTheLawNeeds) {
  const VolumeMesh box = generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet10);
  const Tet10Corners straight = corners(box, box.tet10s[0]);
  Tet10Corners curved = straight;
  curved[5].x() += 0.01;
  for (const Law law : {Law::kLinear, Law::kCorotational, Law::kStvk, Law::kNeoHookean}) {
    Material material = test::material_of(law);
    EXPECT_EQ(tet10_rule(material, straight), law == Law::kLinear ? Tet10Rule::k4 : Tet10Rule::k14);
    EXPECT_EQ(tet10_rule(material, curved), Tet10Rule::k14);
    material.quadrature = 4;
    EXPECT_EQ(tet10_rule(material, curved), Tet10Rule::k4);
    material.quadrature = 14;
    EXPECT_EQ(tet10_rule(material, straight), Tet10Rule::k14);
  }
}

TEST(Tet10Rule, OfAMaterialIsChecked) {
  Material material;
  for (const int points : {0, 4, 14}) {
    material.quadrature = points;
    EXPECT_TRUE(check(material).empty());
  }
  for (const int points : {-1, 1, 5, 15}) {
    material.quadrature = points;
    const Diagnostics problems = check(material);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].code, ErrorCode::kOutOfRange);
    EXPECT_EQ(problems[0].where.key, "quadrature");
  }
}

}  // namespace
}  // namespace pliant
