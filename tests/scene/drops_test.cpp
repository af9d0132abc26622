// Random drops of blocks on a floor: whatever the reduced model, stiffness, time step, friction and
// restitution, the energy never grows, and bodies come to rest.
//
// `./dev test --long` drops 1,000; PLIANT_DROPS=n drops n of each model.
#include "pliant/base/rng.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/sim/contacts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace pliant {
namespace {

struct Drop {
  double young, dt, friction, restitution, duration;
  std::string text;
};

Drop random_drop(const std::string& model, bool flexible, Rng& rng) {
  Drop drop{std::pow(10.0, rng.uniform(4.0, 8.0)),
            1.0 / rng.uniform(60.0, 500.0),
            rng.uniform(0.0, 1.5),
            0.0,
            2.0,
            {}};
  if (rng.uniform() < 0.5) drop.restitution = rng.uniform();
  const auto vector = [&](double size) {
    return fmt::format("[{}, {}, {}]", size * rng.uniform(-1.0, 1.0), size * rng.uniform(-1.0, 1.0),
                       size * rng.uniform(-1.0, 1.0));
  };
  drop.text =
      fmt::format(
          "[simulation]\ndt = {}\nduration = {}\ngravity = [0, 0, -9.81]\ndamping = {{ stiffness = 3e-3 "
          "}}\n[contact]\nfriction = {}\n"
          "restitution = {}\nflexibility = {}\n[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\n",
          drop.dt, drop.duration, drop.friction, drop.restitution, flexible) +
      fmt::format(
          "[[body]]\nname = \"block\"\ngenerate = {{ shape = \"box\", size = [0.2, 0.2, 0.1], cells = [2, "
          "2, 2] }}\ntransform = {{ translate = [0, 0, 0.2], rotate = {} }}\nmaterial = {{ law = \"stvk\", "
          "young = {}, poisson = 0.3, density = 1000 }}\nmodel = {}\ninitial = {{ velocity = {}, "
          "angular_velocity = {} }}\n",
          vector(40.0), drop.young, model, vector(1.0), vector(5.0));
  return drop;
}

std::unique_ptr<BuiltScene> run(const Drop& drop) {
  Result<SceneDescription> scene = read_scene(drop.text, "drop.toml");
  if (!scene) {
    ADD_FAILURE() << to_string(scene.error());
    return nullptr;
  }
  Result<std::unique_ptr<BuiltScene>> built = build_scene(scene.value(), no_progress());
  if (!built) {
    ADD_FAILURE() << to_string(built.error());
    return nullptr;
  }
  Progress progress;
  EXPECT_TRUE(built.value()->world->start());
  built.value()->world->run(progress);
  EXPECT_TRUE(built.value()->world->healthy()) << built.value()->world->record().failure_reason << "\n"
                                               << drop.text;
  return std::move(built).value();
}

double total(const RunRecord& record, std::size_t row) {
  const Energies& e = record.bodies[0].energy[row];
  return e.kinetic + e.strain + e.potential + record.contacts[row].stored;
}

struct Kind {
  const char* name;
  const char* model;
  bool flexible;
  double
      stiffest;  // Pa, that comes to rest in time: midpoint rules are slow to damp what they cannot resolve
};

class DropsOf : public testing::TestWithParam<Kind> {};

TEST_P(DropsOf, NeverGainEnergyAndComeToRest) {
  int drops = 6;
  if (std::getenv("PLIANT_LONG_TESTS") != nullptr) drops = 167;
  if (const char* given = std::getenv("PLIANT_DROPS")) drops = std::atoi(given);
  Rng rng(5);
  double growth = 0.0, moving = 0.0, depth = 0.0;
  for (int i = 0; i < drops; ++i) {
    const Drop drop = random_drop(GetParam().model, GetParam().flexible, rng);
    const auto built = run(drop);
    ASSERT_TRUE(built);
    const RunRecord& record = built->world->record();
    const double start = total(record, 0);
    const double scale = record.bodies[0].energy[0].kinetic + 4.0 * 9.81 * 0.2;
    double grown = 0.0, deepest = 0.0;
    for (std::size_t row = 0; row < record.t.size(); ++row) {
      grown = std::max(grown, (total(record, row) - start) / scale);
      deepest = std::max(deepest, record.contacts[row].penetration);
    }
    EXPECT_LT(grown, 1e-6) << drop.text;
    growth = std::max(growth, grown);
    depth = std::max(depth, deepest);
    EXPECT_LT(deepest, 3e-3 * 0.3) << drop.text;
    // What slides or bounces for long is not at rest yet.
    if (drop.friction < 0.3 || drop.restitution > 0.5 || drop.young > GetParam().stiffest) continue;
    const double kinetic = record.bodies[0].energy.back().kinetic / scale;
    EXPECT_LT(kinetic, 1e-8) << drop.text;
    moving = std::max(moving, kinetic);
  }
  RecordProperty("growth", fmt::format("{}", growth));
  if (drops > 6)
    fmt::print("{} drops of {}: growth {:.3g}, at rest {:.3g}, depth {:.3g} mm\n", drops, GetParam().name,
               growth, moving, 1e3 * depth);
}

INSTANTIATE_TEST_SUITE_P(
    Models, DropsOf,
    testing::Values(Kind{"modal", "{ type = \"modal\", linear_modes = 6, modes = 14 }", false, 1e8},
                    Kind{"modal with dents", "{ type = \"modal\", linear_modes = 6, modes = 14 }", true, 1e8},
                    Kind{"tree", "{ type = \"tree\", linear_modes = 4, modes = 10, domains = { auto = 2 } }",
                         false, 1e8},
                    Kind{"coupled", "{ type = \"coupled\", modes = 8, domains = { auto = 2 } }", false, 1e8},
                    Kind{"blended", "{ type = \"blended\", domains = { auto = 2 } }", false, 1e7}));

}  // namespace
}  // namespace pliant
