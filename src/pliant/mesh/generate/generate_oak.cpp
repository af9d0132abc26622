// An oak of 41 branches, with the sizes of a tree 9 m high. Radii shrink fast from level to level, so that
// what hangs on a branch is light compared with the branch itself.
#include "pliant/base/rng.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/generate/generate_assembly.hpp"
#include "pliant/mesh/generate/generate_branch.hpp"

#include <array>
#include <numbers>

namespace pliant {
namespace {

constexpr double kHeight = 9.0;        // of the tree as defined here
constexpr double kGoldenTurn = 137.5;  // degrees between successive leaves or branches
constexpr int kLimbs = 8;
constexpr int kTwigs = 4;  // of each limb
constexpr Branch kTrunk{4.6, 0.62, 0.26, 6};
constexpr std::array<Branch, 2> kLimbKinds{{{3.7, 0.19, 0.065, 28}, {3.1, 0.175, 0.06, -20}}};
constexpr std::array<Branch, 2> kTwigKinds{{{1.5, 0.045, 0.02, 25}, {1.25, 0.042, 0.018, -30}}};

constexpr Leaf kLeaf{0.26, 0.15, 0.022, 0.005, 0.04, 4};

class Oak {
 public:
  explicit Oak(const OakShape& shape) : shape_(shape), rng_(shape.seed) {
    const Index n = shape.surface;
    assembly_.classes = {
        branch_class("trunk", kTrunk, 6, 14, n),         branch_class("limb A", kLimbKinds[0], 4, 24, n),
        branch_class("limb B", kLimbKinds[1], 4, 24, n), branch_class("twig A", kTwigKinds[0], 4, 28, n),
        branch_class("twig B", kTwigKinds[1], 4, 28, n), leaf_class("leaf", kLeaf, n)};
    Placement trunk;  // along z, bent towards +x
    trunk.rotation << Vector3::UnitZ(), -Vector3::UnitY(), Vector3::UnitX();
    add("trunk", "trunk", "", trunk);
    for (int i = 0; i < kLimbs; ++i) add_limb(i, trunk);
    add_leaves();
    scale_all(shape.height / kHeight);
  }
  [[nodiscard]] Assembly take() { return std::move(assembly_); }

 private:
  struct Bearer {  // carries leaves
    std::string name;
    Branch branch;
    Placement placement;
    bool twig;
  };

  void add(std::string name, std::string of_class, std::string parent, const Placement& placement) {
    AssemblyInstance instance;
    instance.name = std::move(name);
    instance.class_name = std::move(of_class);
    instance.parent = std::move(parent);
    instance.placement = placement;
    assembly_.instances.push_back(std::move(instance));
  }

  void add_limb(int i, const Placement& trunk) {
    const std::size_t kind = to_size(i) % 2;
    const double t = 0.5 + 0.47 * i / (kLimbs - 1);
    const Sprout sprout{t,   kGoldenTurn * i,        72 - 42.0 * i / (kLimbs - 1) + rng_.uniform(-4, 4),
                        0.5, rng_.uniform(0.9, 1.0), Vector3::UnitZ()};
    const Placement placed = grow(kTrunk, trunk, sprout);
    const std::string name = "limb " + std::to_string(i + 1);
    add(name, kind == 0 ? "limb A" : "limb B", "trunk", placed);
    bearers_.push_back({name, kLimbKinds[kind], placed, false});
    for (int j = 0; j < kTwigs; ++j) {
      const std::size_t twig_kind = to_size(i / 2 + j) % 2;
      const Sprout twig{0.42 + 0.54 * j / (kTwigs - 1),
                        (j % 2 == 0 ? 75.0 : -75.0) + rng_.uniform(-20, 20),
                        50 - 7.0 * j,
                        0.4,
                        placed.scale * rng_.uniform(0.85, 1.0),
                        Vector3::UnitZ()};
      const Placement hung = grow(kLimbKinds[kind], placed, twig);
      const std::string twig_name = "twig " + std::to_string(i + 1) + "." + std::to_string(j + 1);
      add(twig_name, twig_kind == 0 ? "twig A" : "twig B", name, hung);
      bearers_.push_back({twig_name, kTwigKinds[twig_kind], hung, true});
    }
  }

  /// Every twig gets the same number; the limbs share the rest, on their outer halves.
  void add_leaves() {
    const Index twigs = Index{kLimbs} * kTwigs;
    const Index each = shape_.leaves / (twigs + 1);
    Index left = shape_.leaves - each * twigs;
    Index limbs = kLimbs;
    for (const Bearer& bearer : bearers_) {
      Index count = each;
      if (!bearer.twig) {
        count = (left + limbs - 1) / limbs;
        left -= count;
        --limbs;
      }
      for (Index i = 0; i < count; ++i) add_leaf(bearer, i, count);
    }
  }

  void add_leaf(const Bearer& bearer, Index i, Index count) {
    const double first = bearer.twig ? 0.22 : 0.5;
    const double t = first + (0.985 - first) * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const double radius = bearer.branch.radius_at(t);
    const Sprout sprout{t,
                        kGoldenTurn * static_cast<double>(i) + rng_.uniform(-25, 25),
                        rng_.uniform(42, 68),
                        1 - 0.006 / radius,  // the stalk begins slightly below the bark
                        rng_.uniform(0.75, 1.1),
                        Vector3(rng_.uniform(-0.4, 0.4), rng_.uniform(-0.4, 0.4), 1)};
    ++leaves_;
    add("leaf " + text(leaves_), "leaf", bearer.name, grow(bearer.branch, bearer.placement, sprout));
  }

  void scale_all(double factor) {
    for (AssemblyInstance& instance : assembly_.instances) {
      instance.placement.translation *= factor;
      instance.placement.scale *= factor;
    }
  }

  OakShape shape_;
  Rng rng_;
  Assembly assembly_;
  std::vector<Bearer> bearers_;
  Index leaves_ = 0;
};

}  // namespace

Assembly generate_oak(const OakShape& shape) { return Oak(shape).take(); }

}  // namespace pliant
