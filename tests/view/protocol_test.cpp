// Frames: what goes in comes out, and nothing else does.
#include "pliant/draw/protocol.hpp"

#include "pliant/draw/drawn_body.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pliant::view {
namespace {

State sample_state() {
  State state;
  state.step = 17;
  state.time = 0.25;
  state.paused = 1;
  state.ratio = 0.5F;
  state.pull = {1, 2, 3, {4.0F, 5.0F, 6.0F}, {7.0F, 8.0F, 9.0F}};
  state.probes = {1.0F, 2.0F, 3.0F};
  state.bodies = {{{0.0F, 1.0F}, {2.0F}, {}}, {{}, {}, {3.0F, 4.0F, 5.0F}}};
  return state;
}

TEST(Protocol, MessagesOfBothSidesComeBack) {
  const auto state = decode_from_server(encode(sample_state()));
  ASSERT_TRUE(state && std::holds_alternative<State>(*state));
  const State& back = std::get<State>(*state);
  EXPECT_EQ(back.step, 17U);
  EXPECT_EQ(back.time, 0.25);
  EXPECT_EQ(back.pull.force[2], 9.0F);
  ASSERT_EQ(back.bodies.size(), 2U);
  EXPECT_EQ(back.bodies[0].coordinates, std::vector<float>{2.0F});
  EXPECT_EQ(back.bodies[1].positions, (std::vector<float>{3.0F, 4.0F, 5.0F}));

  Hello hello;
  hello.scene = "bäume";
  hello.bodies = {{"oak", "tree", 3, 4, 5, 6, 7.5, {{1e6, 0.3, 1000.0}}, {{"trunk", 0xffffffffU, 8}}}};
  const auto greeting = decode_from_server(encode(hello));
  ASSERT_TRUE(greeting && std::holds_alternative<Hello>(*greeting));
  EXPECT_EQ(std::get<Hello>(*greeting).scene, "bäume");
  EXPECT_EQ(std::get<Hello>(*greeting).bodies[0].domains[0].name, "trunk");
  EXPECT_EQ(std::get<Hello>(*greeting).bodies[0].regions[0].density, 1000.0);

  const auto pull = decode_from_page(encode(PullSpring{1, 2, {3.0F, 4.0F, 5.0F}, 0.5}));
  ASSERT_TRUE(pull && std::holds_alternative<PullSpring>(*pull));
  EXPECT_EQ(std::get<PullSpring>(*pull).target[1], 4.0F);
  EXPECT_EQ(std::get<PullSpring>(*pull).strength, 0.5);
  EXPECT_TRUE(decode_from_page(encode(Reset{})));
}

TEST(Protocol, SidesAreNotConfused) {
  EXPECT_FALSE(decode_from_page(encode(sample_state())));
  EXPECT_FALSE(decode_from_server(encode(Reset{})));
}

TEST(Protocol, CutPaddedAndForeignFramesAreRefused) {
  const Bytes whole = encode(sample_state());
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(decode_from_server({whole.data(), size})) << size;
  Bytes longer = whole;
  longer.push_back(0);
  EXPECT_FALSE(decode_from_server(longer));
  Bytes other = whole;
  other[1] = kProtocolVersion + 1;
  EXPECT_FALSE(decode_from_server(other));
  other = whole;
  other[0] = 200;
  EXPECT_FALSE(decode_from_server(other));
}

/// A count that the bytes cannot hold must be refused before memory is taken for it.
TEST(Protocol, ClaimedCountsAreNotBelieved) {
  for (const std::uint32_t claim : {5U, 1000U, 0x7fffffffU, 0xffffffffU}) {
    Bytes frame{4, kProtocolVersion, 0, 0, 1};  // Notice: severity, then a string
    for (int i = 0; i < 4; ++i) frame.push_back(static_cast<std::uint8_t>(claim >> (8 * i)));
    frame.insert(frame.end(), {'a', 'b', 'c', 'd'});
    EXPECT_FALSE(decode_from_server(frame)) << claim;
  }
}

TEST(Protocol, NoiseNeverPassesItsOwnLength) {
  Rng rng(5);
  int understood = 0;
  for (int i = 0; i < 100000; ++i) {
    Bytes frame(4 + static_cast<std::size_t>(28.0 * rng.uniform()));
    for (std::uint8_t& byte : frame) byte = static_cast<std::uint8_t>(256.0 * rng.uniform());
    if (i % 2 == 0)
      frame[1] = kProtocolVersion, frame[2] = frame[3] = 0,
      frame[0] = static_cast<std::uint8_t>(32 + i / 2 % 18);
    if (const auto message = decode_from_page(frame)) ++understood;
    (void)decode_from_server(frame);
  }
  EXPECT_GT(understood, 0);  // frames of the right length are messages, whatever their numbers
}

TEST(HalfFloats, AreTheNearest) {
  EXPECT_EQ(to_half(1.0F), 0x3c00);
  EXPECT_EQ(to_half(-2.0F), 0xc000);
  EXPECT_EQ(to_half(65504.0F), 0x7bff);
  EXPECT_EQ(to_half(1e9F), 0x7bff);  // the largest, not infinity
  EXPECT_EQ(to_half(std::ldexp(1.0F, -24)), 0x0001);
  EXPECT_EQ(to_half(0.0F), 0);
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    EXPECT_EQ(to_half(from_half(static_cast<std::uint16_t>(bits))), bits);
    EXPECT_EQ(to_half(-from_half(static_cast<std::uint16_t>(bits))), bits | 0x8000U);
  }
  Rng rng(3);
  for (int i = 0; i < 1000; ++i) {
    const auto x = static_cast<float>(std::exp(20.0 * rng.uniform() - 10.0));
    EXPECT_LE(std::abs(from_half(to_half(x)) - x), x / 2048.0F + std::ldexp(1.0F, -25));
  }
}

}  // namespace
}  // namespace pliant::view
