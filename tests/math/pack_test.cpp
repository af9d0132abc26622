#include "pliant/math/pack.hpp"

#include "pliant/base/index.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace pliant {
namespace {

TEST(Pack, LanesAreIndependentNumbers) {
  const std::array<double, 4> values = {0.5, -0.25, 3.0, 0.0};
  const Pack4 x = load_pack(values.data());
  const Pack4 y = 2.0 * x * x - 1.0;
  const Pack4 root = lane_sqrt(Pack4(x * x));
  const Pack4 logarithm = lane_log1p(x);
  for (int i = 0; i < 4; ++i) {
    const double v = values[to_size(i)];
    EXPECT_EQ(lane(y, i), 2.0 * v * v - 1.0);
    EXPECT_EQ(lane(root, i), std::abs(v));
    EXPECT_EQ(lane(logarithm, i), std::log1p(v));
  }
  EXPECT_EQ(lane(lane_log(broadcast<Pack4>(0.0)), 2), -INFINITY);
  EXPECT_TRUE(std::isnan(lane(lane_log(broadcast<Pack4>(-1.0)), 1)));
}

TEST(Pack, SelectsMinimaAndStores) {
  Pack4 a = {1.0, 5.0, NAN, 2.0};
  const Pack4 b = {2.0, 4.0, 7.0, 2.0};
  const Pack4 low = lane_min(a, b);
  EXPECT_EQ(lane(low, 0), 1.0);
  EXPECT_EQ(lane(low, 1), 4.0);
  EXPECT_EQ(lane(low, 2), 7.0);
  const Pack4 chosen = lane_select(a > b, a, Pack4(-b));
  EXPECT_EQ(lane(chosen, 0), -2.0);
  EXPECT_EQ(lane(chosen, 1), 5.0);
  set_lane(a, 2, 9.0);
  std::array<double, 5> out{};
  store_pack(a, out.data() + 1);  // unaligned on purpose
  EXPECT_EQ(out, (std::array<double, 5>{0.0, 1.0, 5.0, 9.0, 2.0}));
}

TEST(Pack, OneDoubleIsAPackOfOne) {
  EXPECT_EQ(kLanes<double>, 1);
  EXPECT_EQ(kLanes<Pack4>, 4);
  EXPECT_EQ(broadcast<double>(3.0), 3.0);
  EXPECT_EQ(lane(4.0, 0), 4.0);
  EXPECT_EQ(lane_min(1.0, 2.0), 1.0);
  EXPECT_EQ(lane_select(true, 1.0, 2.0), 1.0);
}

}  // namespace
}  // namespace pliant
