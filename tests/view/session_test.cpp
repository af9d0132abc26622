// The simulation on its own thread: nobody who watches can slow it or fill its memory.
#include "pliant/serve/session.hpp"

#include "view/scenes.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace pliant::view {
namespace {

using namespace std::chrono_literals;

template <class Condition>
bool soon(const Condition& condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

State state_of(const Session& session) {
  const auto message = decode_from_server(*session.newest().frame);
  return message && std::holds_alternative<State>(*message) ? std::get<State>(*message) : State{};
}

TEST(Session, WaitsForSomebodyThenRunsWithoutAnybody) {
  Session session(test::simulate(test::beam_scene("modal")), {});
  session.run();
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(session.steps_done(), 0U);
  session.begin();
  // nobody fetches a frame or a letter from here on
  ASSERT_TRUE(soon([&] { return session.steps_done() > 50; }));
  EXPECT_GT(session.newest().number, 2U);
}

TEST(Session, CommandsAreCarriedOutInOrder) {
  Session session(test::simulate(test::beam_scene("modal")), {60.0, 256, true});
  session.run();
  session.begin();
  ASSERT_TRUE(session.post(1, Step{7}));
  ASSERT_TRUE(soon([&] { return state_of(session).step == 7; }));
  EXPECT_EQ(state_of(session).paused, 1);
  EXPECT_NEAR(state_of(session).time, 0.035, 1e-12);
  ASSERT_TRUE(session.post(1, Reset{}));
  ASSERT_TRUE(soon([&] { return state_of(session).step == 0; }));
  EXPECT_EQ(state_of(session).epoch, 1U);
  ASSERT_TRUE(session.post(1, Pause{0}));
  ASSERT_TRUE(soon([&] { return state_of(session).step > 10; }));
}

TEST(Session, AnswersGoToWhoeverAsked) {
  Session session(test::simulate(test::beam_scene("modal")), {60.0, 256, true});
  session.run();
  session.begin();
  ASSERT_TRUE(session.post(42, AskPositions{7, 0}));
  ASSERT_TRUE(session.post(43, AskPositions{8, 99}));
  std::vector<Session::Letter> letters;
  ASSERT_TRUE(soon([&] {
    for (Session::Letter& letter : session.take_letters()) letters.push_back(std::move(letter));
    return letters.size() >= 2;
  }));
  EXPECT_EQ(letters[0].client, 42U);
  const auto answer = decode_from_server(*letters[0].frame);
  ASSERT_TRUE(answer && std::holds_alternative<Positions>(*answer));
  EXPECT_EQ(std::get<Positions>(*answer).request, 7U);
  EXPECT_FALSE(std::get<Positions>(*answer).positions.empty());
  EXPECT_EQ(letters[1].client, 43U);
  const auto refusal = decode_from_server(*letters[1].frame);
  EXPECT_TRUE(refusal && std::holds_alternative<Notice>(*refusal));
}

TEST(Session, QueueIsBounded) {
  Session session(test::simulate(test::beam_scene("modal")), {60.0, 8, true});  // the thread does not run
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(session.post(1, Reset{}));
  EXPECT_FALSE(session.post(1, Reset{}));
  // a hand that moves takes one place, however often it moves
  Session other(test::simulate(test::beam_scene("modal")), {60.0, 2, true});
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(other.post(1, PullSpring{0, 0, {}, 1.0}));
}

TEST(Session, KeepsTheSceneTimeWhenItCan) {
  Session session(test::simulate(test::beam_scene("modal")), {});
  session.run();
  session.begin();
  ASSERT_TRUE(soon([&] { return session.steps_done() > 20; }));
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t from = session.steps_done();
  std::this_thread::sleep_for(1s);
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double simulated = 0.005 * static_cast<double>(session.steps_done() - from);
  EXPECT_LT(simulated, 1.05 * wall + 0.1);  // never ahead; how far behind depends on the machine
  EXPECT_GT(simulated, 0.0);
}

TEST(StepTimes, QuantilesOfTheLastSteps) {
  StepTimes times;
  EXPECT_EQ(times.quantile(0.5), 0.0);
  for (int i = 0; i < 5000; ++i) times.add(i < 4000 ? 9.0 : 1.0);
  EXPECT_FLOAT_EQ(static_cast<float>(times.quantile(0.99)), 1.0F);  // the old ones are forgotten
}

}  // namespace
}  // namespace pliant::view
