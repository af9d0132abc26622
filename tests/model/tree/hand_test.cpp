// What a hand does to a running body, model by model: forces on vertices, another damping; and poses of its
// parts.
#include "model/tree/beside_full.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/model/full/full_model.hpp"
#include "pliant/model/modal/modal_model.hpp"
#include "pliant/model/tree/tree_model.hpp"
#include "pliant/reduce/exact_projection.hpp"
#include "pliant/reduce/make_basis.hpp"
#include "pliant/reduce/reduce_body.hpp"
#include "pliant/reduce/reduce_tree.hpp"
#include "support/point_laws.hpp"
#include "support/support.hpp"
#include "support/tree_plans.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::kRubber;

constexpr double kStep = 1.0 / 240.0;
constexpr int kSteps = 20;

/// The same beam, held at x = 0 or free, as any model; a tree has three domains or as many as asked for.
class Beam {
 public:
  explicit Beam(bool held, const std::optional<Motion>& motion = {}, Index domains = 3)
      : plan_(test::cut_beam({9, 2, 2}, {0.9, 0.2, 0.1}, domains, kRubber, 3, 8, held)) {
    elastic_ = std::make_shared<const ElasticBody>(
        plan_.mesh, MaterialMap{{kRubber}, std::vector<Index>(to_size(plan_.mesh.element_count()), 0)});
    if (held) {
      supports_.push_back({"root", {}, motion});
      for (const VertexId v : plan_.classes[0].held)
        supports_[0].vertices.push_back(plan_.domains[0].vertices[to_size(v)]);
    }
    Result<TreeBody> tree = reduce_tree(plan_, {AttachmentSettings::Kind::kAll}, no_progress());
    tree_ = std::make_shared<const TreeBody>(std::move(tree).value());
    BasisSettings settings;
    settings.linear_modes = 4;
    settings.modes = 12;
    std::vector<char> free(to_size(elastic_->dof_count()), 1);
    for (const Support& support : supports_)
      for (const VertexId v : support.vertices) std::fill_n(free.begin() + 3 * static_cast<Index>(v), 3, 0);
    Result<Basis> basis = make_basis(*elastic_, free, settings, no_progress());
    reduced_ = std::make_shared<const ReducedBody>(
        reduce_body(*elastic_, std::move(basis).value(), no_progress()).value());
  }

  [[nodiscard]] std::unique_ptr<Model> make(const std::string& type, const Loads& loads,
                                            const StepSettings& settings = {}) const {
    if (type == "full") return make_full_model({elastic_, supports_, loads}, settings).value();
    if (type == "modal") {
      ModalDefinition definition{reduced_, elastic_, make_element_loops(elastic_), supports_, loads};
      return make_modal_model(std::move(definition), settings).value();
    }
    TreeDefinition definition{tree_, supports_, loads, TreeInertia::kL3, {}};
    return make_tree_model(std::move(definition), settings).value();
  }
  [[nodiscard]] VertexId tip() const { return static_cast<VertexId>(plan_.mesh.vertex_count() - 1); }
  [[nodiscard]] const TreeBody& tree() const { return *tree_; }
  [[nodiscard]] const ReducedBody& reduced() const { return *reduced_; }

 private:
  TreePlan plan_;
  std::shared_ptr<const ElasticBody> elastic_;
  std::vector<Support> supports_;
  std::shared_ptr<const TreeBody> tree_;
  std::shared_ptr<const ReducedBody> reduced_;
};

void start(Model& model) {
  const VectorX zero = VectorX::Zero(3 * model.mesh().vertex_count());
  ASSERT_TRUE(model.start(0.0, zero, zero).healthy());
}

VectorX run(Model& model, int from, int to, PointLaw* law = nullptr) {
  for (int i = from; i < to; ++i) EXPECT_TRUE(model.step(i * kStep, kStep, law).healthy()) << i;
  return model.displacements();
}

TEST(Hand, ForceOnAPointIsALoad) {
  const Vector3 force(3.0, -2.0, 6.0);
  for (const bool held : {true, false})
    for (const std::string type : {"full", "modal", "tree"}) {
      SCOPED_TRACE(type + (held ? ", held" : ", free"));
      const Beam beam(held);
      Loads loads;
      loads.loads.push_back({"tip", VertexForce{{beam.tip()}, {1.0}, force}, {}});
      StepSettings euler;  // the initial acceleration knows of loads, not of laws, and does not matter here
      euler.integrator = Integrator::kBackwardEuler;
      const auto loaded = beam.make(type, loads, euler);
      start(*loaded);
      const auto pulled = beam.make(type, {}, euler);
      start(*pulled);
      const Vector3 rest = pulled->mesh().vertices[to_size(beam.tip())];
      ASSERT_TRUE(pulled->set_points({{rest, {{beam.tip(), 1.0}}}}).ok());
      const VectorX expected = run(*loaded, 0, kSteps);
      test::DeadForce law(force);
      const VectorX u = run(*pulled, 0, kSteps, &law);
      ASSERT_GT(expected.norm(), 1e-3);
      EXPECT_LT((u - expected).norm(), 1e-9 * expected.norm());  // the same sums in another order
      // let go: the two part
      EXPECT_GT((run(*pulled, kSteps, 2 * kSteps) - run(*loaded, kSteps, 2 * kSteps)).norm(),
                1e-2 * expected.norm());
    }
}

enum class Hold { kHeld, kFree, kDriven };

std::vector<std::tuple<std::string, Hold, Index>> all_bodies() {
  std::vector<std::tuple<std::string, Hold, Index>> all;
  for (const Hold hold : {Hold::kHeld, Hold::kFree, Hold::kDriven}) {
    all.emplace_back("full", hold, 3);
    all.emplace_back("modal", hold, 3);
    all.emplace_back("tree", hold, 1);
    all.emplace_back("tree", hold, 3);
    all.emplace_back("tree", hold, 9);
  }
  return all;
}

/// A beam in the middle of a motion.
std::unique_ptr<Model> moving_beam(const std::string& type, Hold hold, Index domains, double tolerance) {
  std::optional<Motion> motion;
  if (hold == Hold::kDriven) {
    motion.emplace();
    motion->oscillation = Oscillation{{0.0, 0.02, 0.01}, 2.0};
  }
  const Beam beam(hold != Hold::kFree, motion, domains);
  StepSettings settings;
  settings.newton_tolerance = tolerance;
  settings.newton_iterations = 60;
  auto model = beam.make(type, {{0.0, 2.0, -9.81}, {}}, settings);
  const VectorX zero = VectorX::Zero(3 * model->mesh().vertex_count());
  VectorX spin = zero;
  for (Index v = 0; v < model->mesh().vertex_count(); ++v)
    if (hold == Hold::kFree)
      spin.segment<3>(3 * v) =
          Vector3(0.5, 1.0, 2.0).cross(model->mesh().vertices[to_size(v)] - Vector3(0.45, 0.1, 0.05));
  EXPECT_TRUE(model->start(0.0, zero, spin).healthy());
  run(*model, 0, kSteps);
  return model;
}

TEST(Points, ResponseIsTheDerivativeOfAStep) {
  for (const auto& [type, hold, domains] : all_bodies()) {
    SCOPED_TRACE(type + " " + std::to_string(domains) + ", hold " + std::to_string(static_cast<int>(hold)));
    const auto model = moving_beam(type, hold, domains, 1e-13);
    const auto tip = static_cast<VertexId>(model->mesh().vertex_count() - 1);
    // the stiffness is that of the beginning of the step; trees also leave out how frames turn
    EXPECT_LT(test::response_error(*model, tip, kSteps * kStep, kStep, 0.9), 1e-2);
  }
}

TEST(Points, SpringsOfAnyStiffnessAreSolvedWithTheStep) {
  for (const auto& [type, hold, domains] : all_bodies()) {
    const auto model = moving_beam(type, hold, domains, 1e-12);
    const auto tip = static_cast<VertexId>(model->mesh().vertex_count() - 1);
    test::hold(*model, tip);
    const double own = 1.0 / test::response(*model, kSteps * kStep, kStep).norm();
    for (const double factor : {1e-2, 1.0, 1e2, 1e4, 1e6}) {
      SCOPED_TRACE(type + " " + std::to_string(domains) + ", hold " + std::to_string(static_cast<int>(hold)) +
                   ", stiffness " + std::to_string(factor));
      const Vector3 pull(0.002, -0.004, 0.006);
      const double error = test::spring_error(*model, tip, kSteps * kStep, kStep, factor * own, pull);
      // the dead force that it is compared with has the ulps of stiffness × place, and a step may end when
      // its residual is below 16 of them (Eq. D4)
      const double place = model->mesh().vertices[to_size(tip)].norm();
      EXPECT_LT(error, 1e-8 + 20.0 * factor * place / pull.norm() * std::numeric_limits<double>::epsilon());
    }
  }
}

TEST(Hand, NewDampingIsThatOfTheSettings) {
  for (const std::string type : {"full", "modal", "tree"}) {
    SCOPED_TRACE(type);
    const Beam beam(true);
    StepSettings damped;
    damped.mass_damping = 2.0;
    damped.stiffness_damping = 0.01;
    const Loads gravity{{0.0, 0.0, -9.81}, {}};
    const auto expected = beam.make(type, gravity, damped);
    start(*expected);
    const auto changed = beam.make(type, gravity);
    start(*changed);
    ASSERT_TRUE(changed->set_damping(2.0, 0.01).ok());
    const auto undamped = beam.make(type, gravity);
    start(*undamped);
    const VectorX u = run(*expected, 0, kSteps);
    EXPECT_LT((run(*changed, 0, kSteps) - u).norm(), 1e-9 * u.norm());
    EXPECT_GT((run(*undamped, 0, kSteps) - u).norm(), 1e-3 * u.norm());
  }
}

/// rest + displacements of all vertices against position + turn (X − origin + U q).
TEST(Hand, PartsPlaceThePointsOfTheirBases) {
  for (const bool held : {true, false}) {
    const Beam beam(held);
    const Loads gravity{{0.0, 2.0, -9.81}, {}};
    const auto modal = beam.make("modal", gravity);
    start(*modal);
    const VectorX u = run(*modal, 0, kSteps);
    ASSERT_EQ(modal->parts().size(), 1U);
    const PartPose pose = modal->parts()[0];
    const VectorX q = modal->coordinates().segment(pose.offset, pose.size);
    ASSERT_GT(u.norm(), 1e-3);
    for (std::size_t v = 0; v < modal->mesh().vertices.size(); ++v) {
      const Index i = 3 * static_cast<Index>(v);
      const Vector3 X = modal->mesh().vertices[v];
      const Vector3 x = pose.position + pose.turn * (X - beam.reduced().origin +
                                                     beam.reduced().basis.shapes.middleRows<3>(i) * q);
      EXPECT_LT((X + u.segment<3>(i) - x).norm(), 1e-12);
    }
    const auto tree = beam.make("tree", gravity);
    start(*tree);
    const VectorX w = run(*tree, 0, kSteps);
    const std::vector<PartPose> poses = tree->parts();
    ASSERT_EQ(poses.size(), 3U);
    // a vertex that only one domain has
    const TreeDomain& last = beam.tree().domains.back();
    const ReducedBody& reduced = *beam.tree().class_of(last).reduced;
    const std::size_t local = last.vertices.size() - 1;
    const Index i = 3 * static_cast<Index>(local);
    const VectorX qt = tree->coordinates().segment(poses[2].offset, poses[2].size);
    const Vector3 own = beam.tree().class_of(last).rest->mesh().vertices[local];
    const Vector3 x = poses[2].position +
                      poses[2].turn * (own - reduced.origin + reduced.basis.shapes.middleRows<3>(i) * qt);
    const auto v = to_size(last.vertices[local]);
    EXPECT_LT((tree->mesh().vertices[v] + w.segment<3>(3 * static_cast<Index>(v)) - x).norm(), 1e-12);
  }
}

/// Points of the boundary from poses, coordinates and tables, against the model's own displacements.
TEST(Hand, TablesPlaceThePointsOfASurface) {
  const Beam beam(true);
  for (const std::string type : {"full", "modal", "tree"}) {
    const auto model = beam.make(type, {{0.0, 2.0, -9.81}, {}});
    EXPECT_EQ(model->domains() != nullptr, type == "tree");
    start(*model);
    const VectorX u = run(*model, 0, kSteps);
    const BoundarySurface boundary = boundary_surface(model->mesh());
    const CarriedSurface surface{boundary.surface, embed(model->mesh(), boundary.surface.vertices).value()};
    const std::optional<PartTables> drawn = model->part_tables(surface, {});
    ASSERT_EQ(drawn.has_value(), type != "full");
    if (!drawn) continue;
    const std::vector<PartPose> poses = model->parts();
    ASSERT_EQ(drawn->tables_of.size(), poses.size());
    ASSERT_EQ(drawn->point_count(), surface.rest.vertex_count());
    std::vector<char> blended(to_size(drawn->point_count()), 0);  // two domains have these
    for (std::size_t p = 0; p + 1 < drawn->rows.part_starts.size(); ++p)
      for (Index row = drawn->rows.part_starts[p]; row < drawn->rows.part_starts[p + 1]; ++row)
        blended[to_size(drawn->starts[p] + Index{drawn->rows.points[to_size(row)]})] = 1;
    double worst = 0.0;
    for (std::size_t p = 0; p < poses.size(); ++p) {
      const PartTable& table = drawn->tables[to_size(drawn->tables_of[p])];
      ASSERT_EQ(table.size, poses[p].size);
      const VectorX q = model->coordinates().segment(poses[p].offset, poses[p].size);
      for (Index i = drawn->starts[p]; i < drawn->starts[p + 1]; ++i) {
        if (blended[to_size(i)] != 0) continue;
        Vector3 y;
        for (Index c = 0; c < 3; ++c) {
          const Index row = 3 * (i - drawn->starts[p]) + c;
          y[c] = table.rest[to_size(row)];
          for (Index k = 0; k < q.size(); ++k)
            y[c] += static_cast<double>(table.shapes[to_size(row * q.size() + k)]) * q[k];
        }
        const auto v = to_size(boundary.origin[to_size(drawn->origin[to_size(i)])]);
        const Vector3 place = model->mesh().vertices[v] + u.segment<3>(3 * static_cast<Index>(v));
        worst = std::max(worst, (poses[p].position + poses[p].turn * y - place).norm());
      }
    }
    EXPECT_LT(worst, 1e-6) << type;  // floats, of a body of 1 m
    ASSERT_GT(u.norm(), 1e-3);
  }
}

}  // namespace
}  // namespace pliant
