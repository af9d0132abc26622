// What a user states: names and ranges.
#include "pliant/material/material.hpp"

#include "pliant/material/point.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

bool complains(const Material& material, const char* key, ErrorCode code) {
  const Diagnostics problems = check(material);
  return std::any_of(problems.begin(), problems.end(),
                     [&](const Diagnostic& d) { return d.where.key == key && d.code == code; });
}

TEST(MaterialCheck, LawNamesRoundTrip) {
  for (const Law law :
       {Law::kLinear, Law::kCorotational, Law::kStvk, Law::kNeoHookean, Law::kStableNeoHookean}) {
    const Result<Law> parsed = parse_law(law_name(law));
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(parsed.value(), law);
  }
  for (const char* wrong : {"neo-hookean", "STVK", "", "rubber"}) {
    const Result<Law> parsed = parse_law(wrong);
    ASSERT_FALSE(parsed.ok()) << wrong;
    EXPECT_EQ(parsed.error().code, ErrorCode::kOutOfRange);
    EXPECT_EQ(parsed.error().where.key, "law");
    EXPECT_FALSE(parsed.error().remedy.empty());
  }
}

TEST(MaterialCheck, DefaultsAndTheRangesEndsAreFine) {
  EXPECT_TRUE(check(Material{}).empty());
  EXPECT_TRUE(check(Material{.poisson = -0.999}).empty());
  EXPECT_TRUE(check(Material{.poisson = 0.4999}).empty());
  EXPECT_TRUE(
      check(Material{.law = Law::kNeoHookean, .invertible = true, .inversion_threshold = 0.2}).empty());
}

TEST(MaterialCheck, EveryWrongValueIsNamed) {
  for (const double bad : {0.0, -1.0, kNan, kInf, -kInf}) {
    EXPECT_TRUE(complains(Material{.young = bad}, "young", ErrorCode::kOutOfRange)) << bad;
    EXPECT_TRUE(complains(Material{.density = bad}, "density", ErrorCode::kOutOfRange)) << bad;
  }
  for (const double bad : {0.5, -1.0, 0.7, kNan, kInf})
    EXPECT_TRUE(complains(Material{.poisson = bad}, "poisson", ErrorCode::kOutOfRange)) << bad;
  for (const double bad : {-0.1, 1.0, kNan})
    EXPECT_TRUE(
        complains(Material{.inversion_threshold = bad}, "inversion_threshold", ErrorCode::kOutOfRange));
  for (const Law law : {Law::kLinear, Law::kCorotational, Law::kStableNeoHookean})
    EXPECT_TRUE(complains(Material{.law = law, .invertible = true}, "invertible", ErrorCode::kInconsistent));
  EXPECT_EQ(check(Material{.young = kNan, .poisson = 2.0, .density = 0.0}).size(), 3U);  // all, not the first
}

TEST(MaterialCheck, LameConstants) {
  const Material material{.young = 2.6, .poisson = 0.3};
  EXPECT_DOUBLE_EQ(material.mu(), 1.0);
  EXPECT_DOUBLE_EQ(material.lambda(), 1.5);
  EXPECT_EQ(Material{.poisson = 0.0}.lambda(), 0.0);
  EXPECT_LT(Material{.poisson = -0.2}.lambda(), 0.0);
}

TEST(MaterialCheck, WhereALawIsDefined) {
  const Matrix3 inverted = Vector3(1, 1, -1).asDiagonal();
  const Matrix3 flat = Vector3(1, 1, 0).asDiagonal();
  EXPECT_FALSE(admissible(Material{.law = Law::kNeoHookean}, inverted));
  EXPECT_FALSE(admissible(Material{.law = Law::kNeoHookean}, flat));
  EXPECT_TRUE(admissible(Material{.law = Law::kNeoHookean, .invertible = true}, inverted));
  for (const Law law : {Law::kLinear, Law::kCorotational, Law::kStvk, Law::kStableNeoHookean}) {
    EXPECT_TRUE(admissible(Material{.law = law}, inverted));
    EXPECT_TRUE(std::isfinite(energy_density(Material{.law = law}, flat)));
    EXPECT_FALSE(admissible(Material{.law = law}, Matrix3::Constant(kNan)));
  }
}

}  // namespace
}  // namespace pliant
