// Natural frequencies against dolfinx + SLEPc (and through it SfePy, FreeFem++, CalculiX):
// oracles/beam_modes.json.
#include "oracle/oracle.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

class BeamModes : public testing::TestWithParam<std::string> {};

TEST_P(BeamModes, FrequenciesAgree) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto result = test::oracle_json(shared, "beam_modes")["results"][GetParam()];
  const VolumeMesh mesh = test::oracle_mesh(shared, result["mesh"]);
  const bool clamped = GetParam().find("clamped") != std::string::npos;
  BodyDefinition definition;
  if (clamped) definition.supports.push_back({"x = 0", test::vertices_at_x(mesh, 0.0), {}});
  // any law: at rest all have Hooke's tangent
  definition.elastic = test::make_body(mesh, Law::kStvk, result["E"], result["nu"], result["rho"]);
  const auto elastic = definition.elastic;
  auto model = make_full_model(std::move(definition), {});
  ASSERT_TRUE(model.ok());
  const auto expected = result["frequencies_Hz"].get<std::vector<double>>();
  const auto modes = model.value()->natural_frequencies(std::ssize(expected));
  ASSERT_TRUE(modes.ok());
  EXPECT_EQ(modes.value().rigid, clamped ? 0 : 6);
  ASSERT_EQ(modes.value().hz.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(modes.value().hz[i], expected[i], 1e-8 * expected[i]) << "mode " << i + 1;  // asked for: 1e-5

  if (!result.contains("mode_shapes")) return;
  const MatrixX shapes = test::read_rows(shared / "oracles" / result["mode_shapes"].get<std::string>());
  ASSERT_EQ(shapes.cols(), std::ssize(expected));
  for (Index i = 0; i < shapes.cols(); ++i) {
    VectorX product(elastic->dof_count());
    elastic->apply_mass(modes.value().shapes.col(i), product);
    EXPECT_NEAR(std::abs(product.dot(shapes.col(i))), 1.0, 1e-6) << "shape " << i + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(All, BeamModes,
                         testing::Values("beam_tet_nu030_clamped", "beam_tet_nu030_free",
                                         "beam_hex_nu030_clamped"),
                         [](const auto& test) { return test.param; });

TEST(BeamModes, EveryCaseOfTheOracleIsTested) {
  PLIANT_SHARED_OR_SKIP(shared);
  EXPECT_EQ(test::oracle_json(shared, "beam_modes")["results"].size(), 3u);
}

}  // namespace
}  // namespace pliant
