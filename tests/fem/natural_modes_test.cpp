#include "pliant/fem/natural_modes.hpp"

#include "fem/bodies.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

/// Equal boxes that do not touch.
VolumeMesh separate_boxes(int count) {
  const VolumeMesh box = generate_box({1.0, 0.7, 0.5}, {3, 2, 2}, ElementKind::kHex);
  VolumeMesh all;
  for (int i = 0; i < count; ++i) {
    const auto first = static_cast<VertexId>(all.vertices.size());
    for (const Vector3& x : box.vertices) all.vertices.push_back(x + Vector3(0.0, 0.0, 2.0 * i));
    for (Hex hex : box.hexes) {
      for (VertexId& v : hex) v += first;
      all.hexes.push_back(hex);
      all.hex_labels.push_back(0);
    }
  }
  return all;
}

TEST(NaturalModes, EqualSeparatePartsEachHaveTheirOwn) {
  constexpr int kParts = 8;
  const MaterialMap materials{{test::material_of(Law::kStvk)}, {}};
  const ElasticBody one(separate_boxes(1), materials);
  const ElasticBody many(separate_boxes(kParts), materials);
  const auto flags = [](const ElasticBody& body) { return std::vector<char>(to_size(body.dof_count()), 1); };
  const NaturalModes single = natural_modes(one, flags(one), 3).value();
  const NaturalModes all = natural_modes(many, flags(many), 2 * kParts + 1).value();
  EXPECT_EQ(single.rigid, 6);
  EXPECT_EQ(all.rigid, 6 * kParts);
  for (Index i = 0; i < 2 * kParts + 1; ++i)
    EXPECT_NEAR(all.squared[i] / single.squared[i / kParts], 1.0, 1e-9) << i;
  MatrixX product(all.shapes.rows(), all.shapes.cols());
  for (Index i = 0; i < all.shapes.cols(); ++i) many.apply_mass(all.shapes.col(i), product.col(i));
  EXPECT_LT((all.shapes.transpose() * product - MatrixX::Identity(17, 17)).cwiseAbs().maxCoeff(), 1e-9);
}

/// The only vertex that can move has no size, but three modes: no rigid ones.
TEST(NaturalModes, OfOneVertexAlone) {
  const ElasticBody body(separate_boxes(1), {{test::material_of(Law::kStvk)}, {}});
  std::vector<char> free(to_size(body.dof_count()), 0);
  std::fill_n(free.begin(), 3, char{1});
  const NaturalModes modes = natural_modes(body, free, 3).value();
  EXPECT_EQ(modes.rigid, 0);
  ASSERT_EQ(modes.squared.size(), 3);
  EXPECT_GT(modes.squared[0], 0.0);
}

/// Four boxes, one of each kind of element: each is one part, with six rigid modes.
TEST(NaturalModes, FindThePartsOfEveryKindOfElement) {
  const ElasticBody body(test::distorted_body(test::BodyKind::kMixed, {2, 1, 1}, 1),
                         {{test::material_of(Law::kStvk)}, {}});
  const NaturalModes modes = natural_modes(body, std::vector<char>(to_size(body.dof_count()), 1), 4).value();
  EXPECT_EQ(modes.rigid, 4 * 6);
  EXPECT_GT(modes.squared[0], 0.0);
}

}  // namespace
}  // namespace pliant
