// A pot with three stems; each carries a shoot, both carry leaves. Sizes are those of a plant 0.75 m high.
#include "pliant/base/rng.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/generate/generate_assembly.hpp"
#include "pliant/mesh/generate/generate_branch.hpp"

namespace pliant {
namespace {

constexpr double kHeight = 0.75;
constexpr Branch kPot{0.22, 0.1, 0.135, 0};
constexpr Branch kStem{0.3, 0.018, 0.015, 18};
constexpr Branch kShoot{0.26, 0.0145, 0.01, -25};
constexpr int kStems = 3;

class Plant {
 public:
  explicit Plant(const PlantShape& shape) : rng_(shape.seed) {
    const Leaf leaf{0.2, 0.085, 0.018, 0.004, 0.05, 0};
    assembly_.classes = {
        branch_class("pot", kPot, 6, 4, shape.surface), branch_class("stem", kStem, 4, 16, shape.surface),
        branch_class("shoot", kShoot, 4, 18, shape.surface), leaf_class("leaf", leaf, shape.surface)};
    Placement pot;  // x to z
    pot.rotation << Vector3::UnitZ(), -Vector3::UnitY(), Vector3::UnitX();
    add("pot", "pot", "", pot);
    for (int i = 0; i < kStems; ++i) {
      const Placement stem = grow(kPot, pot, {0.9, 120.0 * i, 14, 0.35, 1, Vector3::UnitX()});
      const std::string name = "stem " + std::to_string(i + 1);
      add(name, "stem", "pot", stem);
      add_leaves(name, kStem, stem, 3, 0.4);
      const Placement shoot = grow(kStem, stem, {0.97, 90, 6, 0.0, rng_.uniform(0.9, 1.0), Vector3::UnitX()});
      const std::string upper = "shoot " + std::to_string(i + 1);
      add(upper, "shoot", name, shoot);
      add_leaves(upper, kShoot, shoot, 6, 0.25);
    }
    const double factor = shape.height / kHeight;
    for (AssemblyInstance& instance : assembly_.instances) {
      instance.placement.translation *= factor;
      instance.placement.scale *= factor;
    }
  }
  [[nodiscard]] Assembly take() { return std::move(assembly_); }

 private:
  void add(std::string name, std::string of_class, std::string parent, const Placement& placement) {
    assembly_.instances.push_back({std::move(name), std::move(of_class), std::move(parent), placement, {}});
  }
  void add_leaves(const std::string& bearer, const Branch& branch, const Placement& placed, int count,
                  double first) {
    for (int i = 0; i < count; ++i) {
      const double t = first + (0.96 - first) * (i + 0.5) / count;
      const Sprout sprout{t,   137.5 * i + rng_.uniform(-20, 20), rng_.uniform(40, 60),
                          0.7, rng_.uniform(0.8, 1.15),           Vector3::UnitZ()};
      ++leaves_;
      add("leaf " + text(leaves_), "leaf", bearer, grow(branch, placed, sprout));
    }
  }

  Rng rng_;
  Assembly assembly_;
  Index leaves_ = 0;
};

}  // namespace

Assembly generate_plant(const PlantShape& shape) { return Plant(shape).take(); }

}  // namespace pliant
