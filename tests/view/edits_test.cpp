// Edits: taken back and done again, carried out by a session with a workshop, and written as a scene that
// says them.
#include "pliant/edit/written_scene.hpp"
#include "pliant/file/volume_file.hpp"
#include "pliant/serve/session.hpp"
#include "view/scenes.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

namespace pliant::view {
namespace {

using namespace std::chrono_literals;

/// A session with a workshop, and what it sends.
class Studio {
 public:
  explicit Studio(const std::string& toml, Session::Options options = {60.0, 256, true, std::nullopt},
                  std::unique_ptr<Ghost> ghost = nullptr) {
    auto simulation = test::simulate(toml);
    auto workshop = std::make_unique<Workshop>(simulation->description(), Workshop::Options{}, *simulation);
    session = std::make_unique<Session>(std::move(simulation), options, std::move(ghost));
    session->use(std::move(workshop));
    session->run();
    session->begin();
  }
  void post(PageMessage message) { ASSERT_TRUE(session->post(1, std::move(message))); }
  /// The first message of a kind that satisfies a condition.
  template <class Message, class Condition>
  Message next(const Condition& condition) {
    for (int i = 0; i < 6000; ++i) {
      for (const Session::Letter& letter : session->take_letters()) {
        auto message = decode_from_server(*letter.frame);
        if (message) letters_.push_back(std::move(*message));
      }
      while (!letters_.empty()) {
        const ServerMessage message = std::move(letters_.front());
        letters_.pop_front();
        if (const auto* wanted = std::get_if<Message>(&message); wanted != nullptr && condition(*wanted))
          return *wanted;
      }
      std::this_thread::sleep_for(5ms);
    }
    ADD_FAILURE() << "no answer";
    return {};
  }
  template <class Message>
  Message next() {
    return next<Message>([](const Message&) { return true; });
  }
  Hello hello() const { return std::get<Hello>(*decode_from_server(session->hello(1))); }
  Settings settings() const { return std::get<Settings>(*decode_from_server(session->settings())); }
  State state() const { return std::get<State>(*decode_from_server(*session->newest().frame)); }
  template <class Condition>
  bool soon(const Condition& condition) const {
    for (int i = 0; i < 6000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(5ms);
    }
    return false;
  }
  std::string written() {
    post(WriteScene{1});
    return next<File>().content;
  }

  std::unique_ptr<Session> session;

 private:
  std::deque<ServerMessage> letters_;
};

TEST(Edits, UndoBringsBackEveryValue) {
  Studio studio(test::beam_scene("tree"));
  const Settings before = studio.settings();
  studio.post(SetGravity{{0.0F, 0.0F, -3.0F}});
  studio.post(SetClock{0.01, 1.0});
  studio.post(SetDamping{3.0, 0.01});
  studio.post(SetMaterial{0, 0, 2e6, 1500.0});
  studio.post(TuneDomain{0, 1, 2.0, 0.5, -1.0});
  const Settings edited = studio.next<Settings>([](const Settings& s) { return s.edits.size() == 5; });
  EXPECT_EQ(edited.dt, 0.01);
  EXPECT_EQ(edited.mass_damping, 3.0);
  EXPECT_EQ(studio.hello().bodies[0].regions[0].young, 2e6);
  for (int i = 0; i < 5; ++i) studio.post(Undo{});
  const Settings back = studio.next<Settings>(
      [](const Settings& s) { return s.edits.size() == 5 && s.edits.front().undone == 1; });
  EXPECT_EQ(back.dt, before.dt);
  EXPECT_EQ(back.gravity, before.gravity);
  EXPECT_EQ(back.mass_damping, before.mass_damping);
  EXPECT_EQ(back.stiffness_damping, before.stiffness_damping);
  EXPECT_EQ(studio.hello().bodies[0].regions[0].young, 1e6);
  EXPECT_EQ(studio.hello().bodies[0].regions[0].density, 1000.0);
  EXPECT_EQ(studio.written(), test::beam_scene("tree"));
  studio.post(Undo{});
  EXPECT_EQ(studio.next<Notice>().severity, 0);
  for (int i = 0; i < 5; ++i) studio.post(Redo{});
  const Settings again = studio.next<Settings>([](const Settings& s) { return s.edits.back().undone == 0; });
  EXPECT_EQ(again.dt, 0.01);
  EXPECT_EQ(again.gravity[2], -3.0F);
}

TEST(Edits, WindBlowsWhereNoneWasAndCanBeUndone) {
  for (const std::string model : {"modal", "tree", "full"}) {
    SCOPED_TRACE(model);
    Studio studio(test::beam_scene(model));
    studio.post(Step{20});
    ASSERT_TRUE(studio.soon([&] { return studio.state().step == 20; }));
    const State before = studio.state();
    studio.post(SetWind{1, {0.0F, 30.0F, 0.0F}, 0.0, 2.0});
    (void)studio.next<Work>([](const Work& work) { return work.running == 0 && work.failed == 0; });
    ASSERT_TRUE(studio.soon([&] { return studio.session->geometry().scene == 1; }));
    // it goes on where it was
    studio.post(AskPositions{1, 0});
    EXPECT_EQ(studio.next<Positions>().step, 20U);
    EXPECT_NEAR(studio.state().strain, before.strain, 1e-5F * before.strain);
    EXPECT_NEAR(studio.state().kinetic, before.kinetic, 1e-5F * before.kinetic);
    EXPECT_EQ(studio.settings().wind_on, 1);
    studio.post(Step{60});
    ASSERT_TRUE(studio.soon([&] { return studio.state().step == 80; }));
    EXPECT_GT(studio.state().probes[1], 0.002F);  // m along y
    studio.post(Undo{});
    ASSERT_TRUE(studio.soon([&] { return studio.session->geometry().scene == 2; }));
    EXPECT_EQ(studio.settings().wind_on, 0);
  }
}

TEST(Edits, AGhostFeelsTheSameWind) {
  Studio studio(test::beam_scene("modal"), {60.0, 256, true, std::nullopt},
                Ghost::live(test::simulate(test::beam_scene("modal"))));
  studio.post(Step{20});
  studio.post(SetGravity{{0.0F, 0.0F, -5.0F}});
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 20; }));
  studio.post(SetWind{1, {0.0F, 30.0F, 0.0F}, 0.0, 2.0});
  ASSERT_TRUE(studio.soon([&] { return studio.session->geometry().scene == 1; }));
  studio.post(Step{60});
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 80; }));
  const auto points = [&](std::uint32_t body) {
    studio.post(AskPositions{body, body});
    return studio.next<Positions>([&](const Positions& p) { return p.request == body; }).positions;
  };
  const std::vector<float> scene = points(0), ghost = points(1);
  EXPECT_GT(studio.state().probes[1], 0.002F);
  EXPECT_LT(test::distance(scene, ghost), 1e-6);  // m, of floats; without the wind: 2e-3 and more
}

TEST(Edits, WhatCannotBeBuiltIsNoEdit) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "edits_beam.vtu";
  ASSERT_TRUE(write_volume_file(file, test::simulate(test::beam_scene("full"))->scene().elastic[0]->mesh()));
  Studio studio("[simulation]\ndt = 0.01\nduration = 1.0\n[[body]]\nname = \"beam\"\nmesh = \"" +
                file.string() +
                "\"\nmaterial = { young = 1e6, poisson = 0.3, density = 1000 }\nfixed = [\"x < 1e-6\"]\n" +
                "model = { type = \"full\" }\n");
  std::filesystem::remove(file);
  studio.post(SetWind{1, {0.0F, 30.0F, 0.0F}, 0.0, 2.0});
  EXPECT_EQ(studio.next<Settings>().edits.size(), 1U);
  EXPECT_EQ(studio.next<Settings>().edits.size(), 0U);
  EXPECT_EQ(studio.settings().wind_on, 0);
  EXPECT_EQ(studio.session->geometry().scene, 0U);
}

/// What an edit takes the place of may itself be in the making.
TEST(Edits, WindsInARowAreUndoneToTheFirst) {
  for (int i = 0; i < 5; ++i) {
    Studio studio(test::beam_scene("modal"));
    studio.post(SetWind{1, {0.0F, 30.0F, 0.0F}, 0.0, 2.0});
    if (i > 0) {
      ASSERT_TRUE(studio.soon([&] { return studio.session->geometry().scene == 1; }));
    }
    studio.post(Undo{});
    studio.post(SetGravity{{0.0F, 0.0F, -1.0F}});
    studio.post(SetWind{1, {0.0F, 20.0F, 0.0F}, 0.0, 2.0});
    studio.post(Undo{});
    studio.post(Undo{});
    EXPECT_EQ(studio.written(), test::beam_scene("modal"));
    EXPECT_EQ(studio.settings().wind_on, 0);
  }
}

TEST(Edits, FewerShapesInUseGoOnFromTheSameShape) {
  Studio studio(test::beam_scene("modal"));
  EXPECT_EQ(studio.hello().bodies[0].modes, 10U);
  studio.post(Step{30});
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 30; }));
  const float tip = studio.state().probes[2];
  studio.post(SetModes{0, 4});
  ASSERT_TRUE(studio.soon([&] { return studio.hello().bodies[0].modes == 4; }));
  EXPECT_EQ(studio.hello().bodies[0].modes_most, 10U);
  EXPECT_EQ(studio.hello().bodies[0].dofs, 4U);
  ASSERT_TRUE(studio.soon([&] { return studio.state().bodies[0].coordinates.size() == 4; }));
  EXPECT_NEAR(studio.state().probes[2], tip, 0.05F * std::abs(tip));
  EXPECT_NE(studio.written().find("modes_used = 4"), std::string::npos);
  studio.post(SetModes{0, 11});
  EXPECT_EQ(studio.next<Notice>().severity, 1);
  studio.post(Undo{});
  ASSERT_TRUE(studio.soon([&] { return studio.hello().bodies[0].modes == 10; }));
  EXPECT_EQ(studio.written(), test::beam_scene("modal"));
  Studio other(test::beam_scene("full"));
  other.post(SetModes{0, 4});
  EXPECT_EQ(other.next<Notice>().severity, 1);
}

TEST(Edits, ResetThatBuildsAnewIsTheWorkshops) {
  Studio studio(test::beam_scene("tree"));
  studio.post(SetGravity{{0.0F, 0.0F, -3.0F}});
  studio.post(Detach{0, 2});
  studio.post(Step{50});
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 50; }));
  studio.post(Reset{});
  studio.post(Step{3});  // after the reset, however long that takes
  ASSERT_TRUE(studio.soon([&] { return studio.state().epoch == 1 && studio.state().step == 3; }));
  EXPECT_GT(studio.state().probes[2], -0.01F);  // it is whole again
  EXPECT_EQ(studio.hello().gravity[2], -3.0F);
}

TEST(Edits, LoadOfAStateThatWasWholeIsTheWorkshops) {
  Studio studio(test::beam_scene("tree"));
  studio.post(Step{20});
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 20; }));
  const State kept = studio.state();
  studio.post(SaveState{});
  studio.post(Detach{0, 2});
  studio.post(Step{50});
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 70; }));
  studio.post(LoadState{});
  studio.post(LoadState{});  // one is enough
  ASSERT_TRUE(studio.soon([&] { return studio.state().epoch == 1; }));
  EXPECT_EQ(studio.state().step, 20U);
  EXPECT_EQ(studio.session->geometry().scene, 1U);  // built beside the simulation
  EXPECT_EQ(studio.state().probes, kept.probes);
  studio.post(LoadState{});  // nothing has come off since
  ASSERT_TRUE(studio.soon([&] { return studio.state().epoch == 2; }));
  EXPECT_EQ(studio.session->geometry().scene, 1U);
}

TEST(Edits, WhatWasTakenOffIsWrittenAsAnEvent) {
  Studio studio(test::beam_scene("tree"));
  studio.post(Step{20});
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 20; }));
  studio.post(Detach{0, 2});
  const auto scene = read_scene(studio.written(), "back.toml");
  ASSERT_TRUE(scene.ok()) << to_string(scene.error());
  ASSERT_EQ(scene.value().events.size(), 1U);
  EXPECT_TRUE(scene.value().events[0].detach);
  EXPECT_EQ(scene.value().events[0].domain, "tip");
  EXPECT_NEAR(scene.value().events[0].t, 20 * 0.005, 1e-12);
  // it does the same again
  studio.post(Step{60});
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 80; }));
  const auto again = test::simulate(studio.written());
  for (int i = 0; i < 80; ++i) ASSERT_TRUE(again->advance());
  EXPECT_LT(again->state().probes[2], -0.1F);
  EXPECT_NEAR(again->state().probes[2], studio.state().probes[2], 1e-5F);
  studio.post(Undo{});
  EXPECT_NE(studio.next<Notice>().text.find("came off"), std::string::npos);
  studio.post(Reset{});
  ASSERT_TRUE(studio.soon([&] { return studio.state().epoch == 1; }));
  EXPECT_EQ(studio.written(), test::beam_scene("tree"));
}

TEST(Edits, WrittenScenesWaitForWhatIsBeingBuilt) {
  Studio studio(test::beam_scene("modal"));
  studio.post(SetWind{1, {0.0F, 30.0F, 0.0F}, 0.0, 2.0});
  studio.post(SetModes{0, 4});
  const std::string text = studio.written();
  EXPECT_NE(text.find("30"), std::string::npos) << text;
  EXPECT_NE(text.find("modes_used = 4"), std::string::npos) << text;
}

TEST(Edits, SettingsTellMaterialsAndTunedDomains) {
  Studio studio(test::beam_scene("tree"));
  ASSERT_EQ(studio.settings().regions.size(), 1U);
  EXPECT_EQ(studio.settings().regions[0].young, 1e6);
  EXPECT_TRUE(studio.settings().domains.empty());
  studio.post(SetMaterial{0, 0, 2e6, 1500.0});
  studio.post(TuneDomain{0, 1, 2.0, -1.0, 0.01});
  const Settings edited = studio.next<Settings>([](const Settings& s) { return s.domains.size() == 1; });
  EXPECT_EQ(edited.regions[0].young, 2e6);
  EXPECT_EQ(edited.regions[0].density, 1500.0);
  EXPECT_EQ(edited.domains[0].domain, 1U);
  EXPECT_EQ(edited.domains[0].frequency_scale, 2.0);
  EXPECT_EQ(edited.domains[0].mass_damping, -1.0);
  EXPECT_EQ(edited.domains[0].stiffness_damping, 0.01);
  studio.post(Undo{});
  studio.post(Undo{});
  const Settings undone = studio.next<Settings>([](const Settings& s) { return s.regions[0].young == 1e6; });
  EXPECT_TRUE(undone.domains.empty());
  EXPECT_EQ(undone.recording, 0);
  studio.post(Record{1});
  (void)studio.next<Settings>([](const Settings& s) { return s.recording == 1; });
}

TEST(Edits, AKeptStateOfOtherShapesWaitsForThem) {
  Studio studio(test::beam_scene("modal"));
  studio.post(Step{20});
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 20; }));
  studio.post(SaveState{});
  studio.post(SetModes{0, 4});
  ASSERT_TRUE(studio.soon([&] { return studio.hello().bodies[0].modes == 4; }));
  studio.post(LoadState{});
  EXPECT_NE(studio.next<Notice>().text.find("other shapes"), std::string::npos);
  studio.post(Undo{});
  ASSERT_TRUE(studio.soon([&] { return studio.hello().bodies[0].modes == 10; }));
  studio.post(Step{5});
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 25; }));
  const std::uint32_t epoch = studio.state().epoch;
  studio.post(LoadState{});
  ASSERT_TRUE(studio.soon([&] { return studio.state().epoch > epoch; }));
  EXPECT_EQ(studio.state().step, 20U);
}

TEST(Edits, ARecordingGoesOnAfterAResetAndWithOtherShapes) {
  Studio studio(test::beam_scene("modal"));
  studio.post(Record{1});
  studio.post(Step{40});  // 0.2 s: seven frames
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 40; }));
  studio.post(Reset{});
  studio.post(Step{40});
  ASSERT_TRUE(studio.soon([&] { return studio.state().epoch == 1 && studio.state().step == 40; }));
  studio.post(SetModes{0, 4});
  ASSERT_TRUE(studio.soon([&] { return studio.hello().bodies[0].modes == 4; }));
  studio.post(Step{40});
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 80; }));
  studio.post(Record{0});
  const Recorded file = studio.next<Recorded>();
  const std::string bytes(reinterpret_cast<const char*>(file.words.data()), 4 * file.words.size());
  const auto frames = [&] {  // targets of the mesh: frames but for the first, at rest
    const std::size_t at = bytes.find("\"targets\":[");
    return std::count(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                      bytes.begin() + static_cast<std::ptrdiff_t>(bytes.find(']', at)), '{');
  }();
  EXPECT_GE(frames, 16);
}

TEST(Edits, OfAResetAndALoadInARowTheLastOneCounts) {
  for (const bool load_last : {false, true}) {
    Studio studio(test::beam_scene("tree"));
    studio.post(Step{20});
    ASSERT_TRUE(studio.soon([&] { return studio.state().step == 20; }));
    studio.post(SaveState{});
    studio.post(Detach{0, 2});
    studio.post(Step{10});
    ASSERT_TRUE(studio.soon([&] { return studio.state().step == 30; }));
    studio.post(load_last ? PageMessage(Reset{}) : PageMessage(LoadState{}));
    studio.post(load_last ? PageMessage(LoadState{}) : PageMessage(Reset{}));
    ASSERT_TRUE(studio.soon([&] { return studio.state().epoch > 0; }));
    EXPECT_EQ(studio.state().step, load_last ? 20U : 0U);
  }
}

TEST(Edits, PitchOfDomainsThatTheFileDoesNotList) {
  std::string source = test::beam_scene("tree");
  const std::size_t first = source.find("[[body.domain]]");
  source.erase(first, source.find("[[probe]]") - first);
  source.replace(source.find("modes = 8 }"), 11, "modes = 8, domains = { auto = 3 } }");
  Studio studio(source);
  ASSERT_EQ(studio.hello().bodies[0].domains.size(), 3U);
  const std::string name = studio.hello().bodies[0].domains[1].name;
  studio.post(TuneDomain{0, 1, 1.5, -1.0, -1.0});
  const auto back = read_scene(studio.written(), "back.toml");
  ASSERT_TRUE(back.ok());
  ASSERT_EQ(back.value().bodies[0].domains.size(), 1U);
  EXPECT_EQ(back.value().bodies[0].domains[0].name, name);
  EXPECT_EQ(back.value().bodies[0].domains[0].frequency_scale, 1.5);
  EXPECT_TRUE(build_scene(back.value(), no_progress()).ok());
  studio.post(Undo{});
  EXPECT_EQ(studio.written(), source);
}

TEST(Edits, RecordingGoesOnThroughABuild) {
  Studio studio(test::beam_scene("modal"));
  studio.post(Record{1});
  studio.post(Step{20});
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 20; }));
  studio.post(Record{0});
  const std::uint32_t some = studio.next<Recorded>().bytes;
  studio.post(Record{1});
  studio.post(SetModes{0, 4});
  ASSERT_TRUE(studio.soon([&] { return studio.hello().bodies[0].modes == 4; }));
  studio.post(Step{200});
  ASSERT_TRUE(studio.soon([&] { return studio.state().step == 220; }));
  studio.post(Record{0});
  EXPECT_GT(studio.next<Recorded>().bytes, some + 5000U);
}

TEST(Edits, ModesAreFoundBesideTheSimulation) {
  for (const std::string model : {"full", "tree", "modal"}) {
    SCOPED_TRACE(model);
    Studio studio(test::beam_scene(model));
    studio.post(AskMode{0, 0});
    const double soft = static_cast<double>(studio.next<Mode>().hz.at(0));
    studio.post(SetMaterial{0, 0, 4e6, 1000.0});
    studio.post(AskMode{0, 0});
    EXPECT_NEAR(static_cast<double>(studio.next<Mode>().hz.at(0)), 2.0 * soft, 1e-4 * soft);
    studio.post(AskMode{0, 99});
    EXPECT_EQ(studio.next<Notice>([](const Notice& n) { return n.severity == 1; }).severity, 1);
  }
}

const char* const kCommented = R"(# A beam, to be edited.
[simulation]
dt = 0.005   # s
duration = 1.0
gravity = [0, 0, -9.81]  # down
damping = { mass = 0.5, stiffness = 0.002 }

# the body itself
[[body]]
name = "beam"  # not "# beam"
generate = { shape = "box", size = [0.9, 0.2, 0.1], cells = [9, 2, 1], element = "tet" }
fixed = ["x < 1e-6"]
model = { type = "modal", linear_modes = 4, modes = 10 }

[body.material]
law = "stvk"
young = 1e6    # Pa
poisson = 0.3
density = 1000 # kg/m³

[[body.region]]
where = "x > 0.6"
material = { law = "stvk", young = 2e6, poisson = 0.3, density = 900 }

[[body.load]] # pushes
where = "x > 0.89"
force = [0, 0, 1]

[[probe]]
name = "end"
near = [0.9, 0.2, 0.1]
)";

TEST(WrittenScene, SaysTheEditsAndKeepsTheComments) {
  const std::string source = kCommented;
  Studio studio(source);
  EXPECT_EQ(studio.written(), source);
  studio.post(SetGravity{{0.0F, 0.5F, -1.62F}});
  studio.post(SetClock{0.004, 1.0});
  studio.post(SetDamping{0.25, 0.002});
  studio.post(SetMaterial{0, 0, 3e6, 1000.0});
  studio.post(SetMaterial{0, 1, 4e6, 950.0});
  studio.post(SetModes{0, 6});
  ASSERT_TRUE(studio.soon([&] { return studio.hello().bodies[0].modes == 6; }));
  studio.post(SetWind{1, {3.0F, 0.1F, 0.0F}, 0.4, 2.0});
  ASSERT_TRUE(studio.soon([&] { return studio.session->geometry().scene == 2; }));
  const std::string text = studio.written();
  for (const char* stays :
       {"# A beam, to be edited.", "dt = 0.004   # s", "gravity = [0.0, 0.5, -1.62]  # down",
        "# the body itself", "name = \"beam\"  # not \"# beam\"", "young = 3000000.0    # Pa",
        "density = 1000 # kg/m³", "[[body.load]] # pushes", "damping = { mass = 0.25, stiffness = 0.002 }"})
    EXPECT_NE(text.find(stays), std::string::npos) << stays << "\n" << text;
  const auto back = read_scene(text, "back.toml");
  ASSERT_TRUE(back.ok()) << to_string(back.error()) << text;
  const SceneDescription& scene = back.value();
  EXPECT_EQ(scene.gravity, Vector3(0.0, 0.5, -1.62));
  EXPECT_EQ(scene.dt, 0.004);
  EXPECT_EQ(scene.step.mass_damping, 0.25);
  const BodyText& body = scene.bodies[0];
  EXPECT_EQ(body.material.young, 3e6);
  EXPECT_EQ(body.regions.at(0).material.young, 4e6);
  EXPECT_EQ(body.regions.at(0).material.density, 950.0);
  EXPECT_EQ(body.modal.modes_used, 6);
  ASSERT_EQ(body.loads.size(), 2U);
  EXPECT_EQ(std::get<Wind>(body.loads[1].what).velocity, Vector3(3.0, 0.1, 0.0));
  EXPECT_EQ(std::get<Wind>(body.loads[1].what).gust, 0.4);
  EXPECT_TRUE(build_scene(scene, no_progress()).ok());
  // and what it says runs as what was edited
  const auto simulation = test::simulate(text);
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(simulation->advance());
  studio.post(Reset{});
  studio.post(Step{30});
  ASSERT_TRUE(studio.soon([&] { return studio.state().epoch == 1 && studio.state().step == 30; }));
  // but for its basis, which is that of the materials as the file had them
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(studio.state().probes[c], simulation->state().probes[c], 2e-3F * 0.9F);
}

TEST(WrittenScene, WindOfTheSceneIsChangedWhereItStandsOrLeftOut) {
  const std::string wind =
      "[[body.load]]\nwind = { velocity = [9, 3, 0], gust = 0.6 } # a storm\n"
      "table = { t = [0, 1], scale = [1, 0] }\n";
  const std::string source =
      test::beam_scene("modal") + wind + "[[body.load]]\nwhere = \"x > 0.8\"\npressure = 3.0\n";
  const auto scene = read_scene(source, "test.toml");
  ASSERT_TRUE(scene.ok());
  SceneDescription other = scene.value();
  EXPECT_EQ(wind_of(other).gust, 0.6);
  blow(other, {1, {1.0F, 2.0F, 0.0F}, 0.6, 2.0});
  const auto changed = write_edited_scene(other, {}, "test.toml");
  ASSERT_TRUE(changed.ok());
  EXPECT_NE(changed.value().text.find("velocity = [1.0, 2.0, 0.0], gust = 0.6 } # a storm"),
            std::string::npos)
      << changed.value().text;
  EXPECT_EQ(changed.value().text.find("table"), std::string::npos);
  other = scene.value();
  blow(other, {0, {}, 0.0, 2.0});
  const auto still = write_edited_scene(other, {}, "test.toml");
  ASSERT_TRUE(still.ok());
  EXPECT_EQ(still.value().text.find("wind"), std::string::npos);
  EXPECT_NE(still.value().text.find("pressure = 3.0"), std::string::npos);
  EXPECT_FALSE(still.value().left_out);
}

TEST(WrittenScene, FilesAreFoundFromAnotherFolder) {
  const std::string source =
      "[simulation]\ndt = 0.01\nduration = 1\n[[body]]\nname = \"b\"\nmesh = \"meshes/b.msh\"\n"
      "material = { law = \"stvk\", young = 1e6, poisson = 0.3, density = 1000 }\nmodel = { type = \"full\" "
      "}\n";
  const auto scene = read_scene(source, "here/scene.toml");
  ASSERT_TRUE(scene.ok());
  const auto written = write_edited_scene(scene.value(), {}, "there/scene.toml");
  ASSERT_TRUE(written.ok());
  EXPECT_NE(written.value().text.find("mesh = \"../here/meshes/b.msh\""), std::string::npos)
      << written.value().text;
}

TEST(WrittenScene, GoesToNoFileButTheNamedOne) {
  Studio without(test::beam_scene("modal"));
  without.post(WriteScene{0});
  EXPECT_EQ(without.next<Notice>().severity, 1);
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "pliant_edited.toml";
  std::filesystem::remove(file);
  Studio with(test::beam_scene("modal"), {60.0, 256, true, file});
  with.post(SetDamping{2.0, 0.002});
  with.post(WriteScene{0});
  EXPECT_EQ(with.next<Notice>().severity, 0);
  const auto back = read_scene_file(file);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back.value().step.mass_damping, 2.0);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace pliant::view
