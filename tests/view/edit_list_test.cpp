// The list of edits: what is taken back, done again, and what could not be done.
#include "pliant/edit/scene_edits.hpp"

#include <gtest/gtest.h>

namespace pliant::view {
namespace {

using namespace std::chrono_literals;
using Time = EditList::Time;

TEST(EditList, TakesBackAndDoesAgain) {
  EditList list;
  EXPECT_FALSE(list.undo());
  list.add(SetGravity{{0, 0, -1}}, SetGravity{{0, 0, -9}}, "", Time{} + 0s);
  list.add(SetDamping{1, 0}, SetDamping{0, 0}, "", Time{} + 5s);
  list.add(SetDamping{2, 0}, SetDamping{1, 0}, "", Time{} + 5500ms);  // the same slider
  ASSERT_EQ(list.list().size(), 2U);
  EXPECT_EQ(std::get<SetDamping>(*list.latest(SetDamping{})).mass, 2.0);
  EXPECT_EQ(std::get<SetDamping>(*list.undo()).mass, 0.0);
  EXPECT_EQ(list.latest(SetDamping{}), nullptr);
  EXPECT_EQ(list.list()[0].undone, 0);
  EXPECT_EQ(list.list()[1].undone, 1);
  EXPECT_EQ(std::get<SetDamping>(*list.redo()).mass, 2.0);
  EXPECT_FALSE(list.redo());
  (void)list.undo();
  (void)list.undo();
  list.add(SetMaterial{0, 1, 1e6, 1000}, SetMaterial{0, 1, 2e6, 1000}, "region 1", Time{} + 9s);
  EXPECT_EQ(list.list().size(), 1U);  // what was undone is gone
  list.add(SetModes{0, 4}, SetModes{0, 10}, "", Time{} + 20s);
  list.forget_parts();
  EXPECT_EQ(list.list().size(), 1U);
  EXPECT_TRUE(std::holds_alternative<SetMaterial>(*list.undo()));
}

TEST(EditList, RevokesWhatCouldNotBeDone) {
  EditList list;
  const SetWind none{0, {}, 0.0, 2.0}, breeze{1, {2, 0, 0}, 0.0, 2.0}, storm{1, {30, 0, 0}, 0.0, 2.0};
  list.add(SetGravity{{0, 0, -1}}, SetGravity{{0, 0, -9}}, "", Time{} + 0s);
  list.add(breeze, none, "", Time{} + 5s);
  list.add(storm, breeze, "", Time{} + 10s);
  list.add(SetDamping{1, 0}, SetDamping{0, 0}, "", Time{} + 15s);
  list.revoke(breeze, none);  // which the storm has superseded
  EXPECT_EQ(list.list().size(), 4U);
  list.revoke(storm, breeze);  // though another edit followed
  ASSERT_EQ(list.list().size(), 3U);
  EXPECT_TRUE(same_edit(*list.latest(SetWind{}), breeze));
  EXPECT_NE(list.latest(SetDamping{}), nullptr);
  (void)list.undo();
  EXPECT_TRUE(same_edit(*list.undo(), none));
  EXPECT_TRUE(std::holds_alternative<SetGravity>(*list.undo()));
  list.revoke(none, breeze);  // the air could not be stilled: the breeze holds on, the others are undone
  ASSERT_EQ(list.list().size(), 3U);
  EXPECT_TRUE(same_edit(*list.latest(SetWind{}), breeze));
  EXPECT_EQ(list.latest(SetGravity{}), nullptr);
  EXPECT_EQ(list.latest(SetDamping{}), nullptr);
  EXPECT_TRUE(same_edit(*list.undo(), none));
  EXPECT_TRUE(same_edit(*list.redo(), breeze));
  list.revoke(breeze, none);  // nor could it be made to blow again
  EXPECT_EQ(list.latest(SetWind{}), nullptr);
  EXPECT_EQ(list.list().size(), 2U);
  // of a slider's winds the first one was built, the second one was not
  list.add(breeze, none, "", Time{} + 30s);
  list.add(storm, none, "", Time{} + 30500ms);
  list.revoke(storm, breeze);
  EXPECT_TRUE(same_edit(*list.latest(SetWind{}), breeze));
  EXPECT_EQ(list.list()[0].text, describe(breeze, ""));
  EXPECT_TRUE(same_edit(*list.undo(), none));
  list.add(breeze, none, "", Time{} + 40s);
  list.add(storm, none, "", Time{} + 40500ms);
  (void)list.undo();
  list.revoke(none, breeze);  // neither was what takes them back
  EXPECT_TRUE(same_edit(*list.latest(SetWind{}), breeze));
  EXPECT_TRUE(same_edit(*list.undo(), none));
}

}  // namespace
}  // namespace pliant::view
