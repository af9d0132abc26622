// What is drawn of trees: places and normals of surfaces, gaps closed, creases smoothed, joints measured.
#include "pliant/model/tree/tree_surface.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/generate/generate_assembly.hpp"
#include "pliant/model/tree/tree_model.hpp"
#include "pliant/reduce/reduce_tree.hpp"
#include "pliant/subspace/domain_blend.hpp"
#include "pliant/subspace/joint_points.hpp"
#include "support/allocations.hpp"
#include "support/support.hpp"
#include "support/tree_plans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

constexpr double kStep = 1.0 / 240.0;
constexpr double kFloat = 4e-6;  // m: some roundings of places of about a metre

Material rubber(double young) { return {Law::kStvk, young, 0.3, 1000.0}; }

struct Held {
  std::shared_ptr<const TreeBody> body;
  std::vector<Support> supports;
};

Held reduced(const TreePlan& plan, AttachmentSettings::Kind attachment = AttachmentSettings::Kind::kAll) {
  Result<TreeBody> body = reduce_tree(plan, {attachment}, no_progress());
  EXPECT_TRUE(body.ok());
  Held held{std::make_shared<const TreeBody>(std::move(body).value()), {{"root", {}, std::nullopt}}};
  for (const VertexId v : plan.classes[0].held)
    held.supports[0].vertices.push_back(plan.domains[0].vertices[to_size(v)]);
  return held;
}

/// Bends for a while under gravity.
std::unique_ptr<Model> bent(const Held& held, std::shared_ptr<const CarriedSurface> surface,
                            SurfaceBlend blend, int steps = 40, double gravity = 9.81) {
  TreeDefinition definition{held.body, held.supports, Loads{{0.0, 0.0, -gravity}, {}}, TreeInertia::kL3, {}};
  definition.surface = std::move(surface);
  definition.blend = blend;
  auto model = make_tree_model(std::move(definition), {});
  EXPECT_TRUE(model.ok());
  const VectorX zero = VectorX::Zero(3 * held.body->mesh.vertex_count());
  EXPECT_TRUE(model.value()->start(0.0, zero, zero).healthy());
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(model.value()->step(i * kStep, kStep).healthy());
  return std::move(model).value();
}

/// The worst of all joints in equilibrium under gravity.
JointState sagging(const TreePlan& plan, double gravity) {
  const Held held = reduced(plan);
  StepSettings settings;
  settings.integrator = Integrator::kStatic;
  auto made = make_tree_model(
      {held.body, held.supports, Loads{{0.0, 0.0, -gravity}, {}}, TreeInertia::kL3, {}}, settings);
  EXPECT_TRUE(made.ok());
  const VectorX zero = VectorX::Zero(3 * held.body->mesh.vertex_count());
  EXPECT_TRUE(made.value()->start(0.0, zero, zero).healthy());
  EXPECT_TRUE(made.value()->step_static(0.0, 1.0).healthy());
  const std::vector<JointState> joints = made.value()->domains()->joints();
  EXPECT_EQ(joints.size(), plan.domains.size());
  EXPECT_EQ(joints[0].size, 0.0);  // the root hangs on nothing
  JointState worst;
  for (const JointState& joint : joints) {
    worst.gap = std::max(worst.gap, joint.gap);
    worst.size = std::max(worst.size, joint.size);
    worst.deviation = std::max(worst.deviation, joint.deviation);
  }
  return worst;
}

std::shared_ptr<const CarriedSurface> carried(const VolumeMesh& mesh, SurfaceMesh surface) {
  Embedding embedding = embed(mesh, surface.vertices).value();
  return std::make_shared<const CarriedSurface>(CarriedSurface{std::move(surface), std::move(embedding)});
}

std::vector<float> drawn(const Model& model, std::vector<float>* normals = nullptr) {
  std::vector<float> places(3 * model.drawn_surface()->vertices.size());
  if (normals != nullptr) normals->resize(places.size());
  model.draw(places, normals != nullptr ? std::span<float>(*normals) : std::span<float>());
  return places;
}

Vector3 point(const std::vector<float>& list, std::size_t i) {
  return Vector3(list[3 * i], list[3 * i + 1], list[3 * i + 2]);
}

TreePlan beam(double young = 3e5) {
  return test::cut_beam({12, 2, 2}, {1.0, 0.2, 0.1}, 3, rubber(young), 3, 8, true);
}

/// A small plant: a pot, a stem, shoots and leaves that are placed on one another, with a finer surface.
struct Plant {
  Assembly assembly;
  AssembledBody parts;
  AssembledSurface skin;
  Held held;
};
const Plant& plant() {
  static const Plant plant = [] {
    Plant made;
    PlantShape shape;
    shape.surface = 3;
    made.assembly = generate_plant(shape);
    made.parts = assemble(made.assembly).value();
    made.skin = assembled_surface(made.assembly, made.parts).value();
    TreePlan plan;
    plan.mesh = made.parts.mesh;
    for (std::size_t c = 0; c < made.assembly.classes.size(); ++c)
      plan.classes.push_back(
          {made.assembly.classes[c].name,
           std::make_shared<const ElasticBody>(made.assembly.classes[c].mesh, MaterialMap{{rubber(1e6)}, {}}),
           made.assembly.classes[c].base, made.parts.base_weights[c], 3, 6});
    for (const AssembledDomain& domain : made.parts.domains) {
      const AssemblyInstance& instance = made.assembly.instances[to_size(domain.instance)];
      TreeDomain one{instance.name,   domain.class_index, domain.parent, instance.placement, {},
                     domain.vertices, domain.elements};
      if (domain.parent >= 0)
        one.joint = {domain.joint, made.parts.base_weights[to_size(domain.class_index)]};
      plan.domains.push_back(std::move(one));
    }
    made.held = reduced(plan, AttachmentSettings::Kind::kNone);
    return made;
  }();
  return plant;
}

/// Coordinates at random, poses as at rest but that each domain is turned and shifted a little.
struct Posed {
  std::vector<PartPose> poses;
  VectorX q;
};
Posed posed(const TreeBody& body, double amount, Rng& rng) {
  Posed made;
  Index offset = 0;
  for (const TreeDomain& domain : body.domains) {
    const ReducedBody& reduced = *body.class_of(domain).reduced;
    PartPose pose;
    pose.turn = domain.rest.scale * domain.rest.rotation;
    pose.position = domain.rest.place(reduced.origin) + amount * test::random_vector(3, rng);
    pose.offset = offset;
    pose.size = reduced.size();
    offset += pose.size;
    made.poses.push_back(pose);
  }
  made.q = amount * test::random_vector(offset, rng);
  return made;
}

TEST(TreeSurface, EveryPointIsItsClassesShapeInItsFrame) {
  const Plant& made = plant();
  const TreeBody& body = *made.held.body;
  Rng rng(7);
  const Posed state = posed(body, 0.01, rng);
  TreeSurface surface(std::make_shared<const PartTables>(
      make_domain_surfaces(body, made.skin.surface, made.skin.embedding, SurfaceBlend::kNone, {})));
  EXPECT_LT(surface.surfaces().tables.size(), body.domains.size() / 4);  // shared by copies
  std::vector<float> places(to_size(3 * surface.point_count()));
  surface.draw(state.poses, state.q, places);
  const WeightRows& rows = made.skin.embedding.points;
  for (std::size_t d = 0; d < body.domains.size(); ++d) {
    const ReducedBody& reduced = *body.class_of(body.domains[d]).reduced;
    const std::vector<Vector3>& X = body.class_of(body.domains[d]).rest->mesh().vertices;
    const VertexId first = body.domains[d].vertices.front();  // vertices of an instance are in order
    const VectorX u = reduced.basis.shapes * state.q.segment(state.poses[d].offset, state.poses[d].size);
    for (Index i = made.skin.starts[d]; i < made.skin.starts[d + 1]; i += 7) {
      Vector3 y = -reduced.origin;
      for (Index e = rows.starts[to_size(i)]; e < rows.starts[to_size(i) + 1]; ++e) {
        const Index v = rows.columns[to_size(e)] - first;
        y += rows.weights[to_size(e)] * (X[to_size(v)] + u.segment<3>(3 * v));
      }
      const Vector3 expected = state.poses[d].position + state.poses[d].turn * y;
      ASSERT_LT((point(places, to_size(i)) - expected).norm(), kFloat) << d << ' ' << i;
    }
  }
}

TEST(TreeSurface, RigidMotionIsExactWithEveryBlend) {
  const Plant& made = plant();
  const Held cut = reduced(beam());
  Rng rng(3);
  const Matrix3 R = test::random_rotation(rng);
  const Vector3 shift(0.3, -0.2, 0.5);
  const auto check = [&](const TreeBody& body, const SurfaceMesh& rest, const Embedding& embedding,
                         SurfaceBlend blend) {
    TreeSurface surface(
        std::make_shared<const PartTables>(make_domain_surfaces(body, rest, embedding, blend, {})));
    Posed state = posed(body, 0.0, rng);
    for (PartPose& pose : state.poses) {
      pose.position = shift + R * pose.position;
      pose.turn = R * pose.turn;
    }
    std::vector<float> places(to_size(3 * surface.point_count()));
    surface.draw(state.poses, state.q, places);
    double worst = 0.0;
    for (std::size_t i = 0; i < places.size() / 3; ++i)
      worst = std::max(worst, (point(places, i) - shift - R * surface.surfaces().surface.vertices[i]).norm());
    EXPECT_LT(worst, kFloat) << static_cast<int>(blend);
    return surface.surfaces().rows.count();
  };
  const SurfaceMesh skin = boundary_surface(cut.body->mesh).surface;
  const Embedding inside = embed(cut.body->mesh, skin.vertices).value();
  for (const SurfaceBlend blend : {SurfaceBlend::kNone, SurfaceBlend::kC0, SurfaceBlend::kC1}) {
    const bool none = blend == SurfaceBlend::kNone;
    EXPECT_EQ(check(*made.held.body, made.skin.surface, made.skin.embedding, blend) == 0, none);
    EXPECT_EQ(check(*cut.body, skin, inside, blend) == 0, none);
  }
}

TEST(TreeSurface, MeetsTheAveragedMeshWithC0) {
  const Held held = reduced(beam());
  const auto skin = carried(held.body->mesh, boundary_surface(held.body->mesh).surface);
  const auto model = bent(held, skin, SurfaceBlend::kC0);
  std::vector<float> normals;
  const std::vector<float> places = drawn(*model, &normals);
  const std::vector<Vector3>& rest = model->drawn_surface()->vertices;
  const Embedding again = embed(held.body->mesh, rest).value();
  VectorX u(std::ssize(places));
  interpolate(again, model->displacements(), u);
  double worst = 0.0, apart = 0.0;
  for (std::size_t i = 0; i < rest.size(); ++i)
    worst = std::max(worst, (point(places, i) - rest[i] - u.segment<3>(3 * static_cast<Index>(i))).norm());
  EXPECT_LT(worst, kFloat);
  EXPECT_GT(u.norm(), 0.1);
  const std::vector<float> gaping = drawn(*bent(held, skin, SurfaceBlend::kNone));
  for (std::size_t i = 0; i < places.size(); ++i)
    apart = std::max(apart, static_cast<double>(std::abs(places[i] - gaping[i])));
  EXPECT_GT(apart, 1e-4);  // there was something to close
  // normals: those of the drawn triangles
  const VertexNormals reference(model->drawn_surface()->triangles, model->drawn_surface()->vertex_count());
  std::vector<float> expected(places.size());
  reference.evaluate<float>(places, expected);
  EXPECT_EQ(normals, expected);
}

/// Distances of points drawn of children, at corners of their bases, from the parents' points there.
std::vector<double> distances_at_bases(const Plant& made, const Posed& state, SurfaceBlend blend) {
  const TreeBody& body = *made.held.body;
  TreeSurface surface(std::make_shared<const PartTables>(
      make_domain_surfaces(body, made.skin.surface, made.skin.embedding, blend, {})));
  std::vector<float> places(to_size(3 * surface.point_count()));
  surface.draw(state.poses, state.q, places);
  std::vector<double> distances;
  for (std::size_t d = 0; d < body.domains.size(); ++d) {
    if (body.domains[d].parent < 0) continue;
    const JointPoints joint = make_joint_points(body, static_cast<Index>(d));
    EXPECT_FALSE(joint.shared);
    const PartPose& above = state.poses[to_size(body.domains[d].parent)];
    const VectorX shape = joint.parent_rest + joint.parent_shapes * state.q.segment(above.offset, above.size);
    for (std::size_t b = 0; b < joint.base.size(); ++b) {
      const Vector3 corner = body.mesh.vertices[to_size(body.domains[d].vertices[to_size(joint.base[b])])];
      for (Index i = made.skin.starts[d]; i < made.skin.starts[d + 1]; ++i) {
        const auto k = to_size(i);
        if ((surface.surfaces().surface.vertices[k] - corner).norm() > 1e-9) continue;
        const Vector3 target = above.position + above.turn * shape.segment<3>(3 * static_cast<Index>(b));
        distances.push_back((point(places, k) - target).norm());
      }
    }
  }
  return distances;
}

TEST(TreeSurface, PlacedPartsStayOnTheirParents) {
  Rng rng(11);
  const Posed state = posed(*plant().held.body, 0.01, rng);
  const auto apart = distances_at_bases(plant(), state, SurfaceBlend::kNone);
  const auto closed = distances_at_bases(plant(), state, SurfaceBlend::kC0);
  const auto smooth = distances_at_bases(plant(), state, SurfaceBlend::kC1);
  EXPECT_GT(closed.size(), 40U);  // corners of leaves' stalks
  EXPECT_LT(*std::max_element(closed.begin(), closed.end()), kFloat);
  // a fit does not pass through every vertex, but follows the parent
  const auto mean = [](const std::vector<double>& list) {
    return std::accumulate(list.begin(), list.end(), 0.0) / static_cast<double>(list.size());
  };
  EXPECT_GT(mean(apart), 5e-3);
  EXPECT_LT(mean(smooth), 0.05 * mean(apart));
}

/// Turn of the line of points at x = a third of the beam, where domains meet: tangents beside it.
double crease(const Held& held, SurfaceBlend blend) {
  constexpr int kPoints = 101;
  constexpr double kApart = 2e-3;  // m
  SurfaceMesh line;
  for (int i = 0; i < kPoints; ++i)
    line.vertices.emplace_back(1.0 / 3.0 + kApart * (i - kPoints / 2), 0.07, 0.1);
  const auto model = bent(held, carried(held.body->mesh, line), blend);
  const std::vector<float> places = drawn(*model);
  const std::vector<Vector3>& rest = model->drawn_surface()->vertices;
  const auto at = [&](int i) {
    const double x = 1.0 / 3.0 + kApart * i;
    std::size_t best = 0;
    for (std::size_t k = 0; k < rest.size(); ++k)
      if (std::abs(rest[k].x() - x) < std::abs(rest[best].x() - x)) best = k;
    return point(places, best);
  };
  return ((at(2) - at(0)).normalized() - (at(0) - at(-2)).normalized()).norm();
}

TEST(TreeSurface, TangentsMeetWithC1) {
  const Held held = reduced(beam());
  const double sharp = crease(held, SurfaceBlend::kC0);
  const double soft = crease(held, SurfaceBlend::kC1);
  EXPECT_GT(sharp, 0.01);
  EXPECT_LT(soft, 0.25 * sharp);  // a smooth curve turns over 4 mm, too
}

TEST(TreeSurface, LeastSquaresReproduceLinearFields) {
  Rng rng(5);
  std::vector<Vector3> points;
  for (int i = 0; i < 30; ++i) points.emplace_back(test::random_vector(3, rng));
  const Vector3 X(0.1, -0.2, 0.05);
  const std::vector<double> weights = moving_least_squares(X, points, 1.2);
  ASSERT_EQ(weights.size(), points.size());
  double sum = 0.0;
  Vector3 place = Vector3::Zero();
  for (std::size_t i = 0; i < points.size(); ++i) {
    sum += weights[i];
    place += weights[i] * points[i];
    if ((points[i] - X).norm() > 1.2) {
      EXPECT_EQ(weights[i], 0.0);
    }
  }
  EXPECT_NEAR(sum, 1.0, 1e-12);
  EXPECT_LT((place - X).norm(), 1e-12);
  for (Vector3& p : points) p.z() = 0.0;
  EXPECT_TRUE(moving_least_squares(X, points, 1.2).empty());
}

TEST(TreeSurface, SameBitsForAnyNumberOfThreadsAndNothingAllocated) {
  const Plant& made = plant();
  Rng rng(2);
  const Posed state = posed(*made.held.body, 0.01, rng);
  TreeSurface surface(std::make_shared<const PartTables>(
      make_domain_surfaces(*made.held.body, made.skin.surface, made.skin.embedding, SurfaceBlend::kC0, {})));
  const auto size = to_size(3 * surface.point_count());
  std::vector<float> one(size), two(size), n1(size), n2(size);
  {
    const ThreadScope single(1);
    surface.draw(state.poses, state.q, one, n1);
    const std::size_t before = test::allocation_count();
    surface.draw(state.poses, state.q, one, n1);
    if (test::counts_allocations()) {
      EXPECT_EQ(test::allocation_count(), before);
    }
  }
  {
    const ThreadScope both(2);
    surface.draw(state.poses, state.q, two, n2);
  }
  EXPECT_EQ(one, two);
  EXPECT_EQ(n1, n2);
  const VertexNormals reference(made.skin.surface.triangles, surface.point_count());
  reference.evaluate<float>(one, n2);
  double worst = 0.0;
  for (std::size_t i = 0; i < size; ++i)
    worst = std::max(worst, static_cast<double>(std::abs(n1[i] - n2[i])));
  EXPECT_LT(worst, 1e-2);  // areas of slivers are summed in float here
}

TEST(TreeJoints, StifferBodiesHaveSmallerGaps) {
  const JointState soft = sagging(beam(1e6), 1.0), stiff = sagging(beam(1e7), 1.0);
  const JointState still = sagging(beam(1e6), 0.0);
  EXPECT_LT(still.gap, 1e-12);
  EXPECT_LT(still.deviation, 1e-12);
  EXPECT_NEAR(soft.size, std::hypot(0.2, 0.1), 1e-12);  // the diagonal of the cut
  EXPECT_GT(soft.gap, 1e-6);
  EXPECT_LT(soft.gap, 0.02 * soft.size);
  EXPECT_LT(soft.deviation, 0.02);
  // linear, at these small strains
  EXPECT_NEAR(stiff.gap, 0.1 * soft.gap, 0.02 * soft.gap);
  EXPECT_NEAR(stiff.deviation, 0.1 * soft.deviation, 0.03 * soft.deviation);
}

TEST(TreeJoints, SmallerInterfacesHaveSmallerGaps) {
  // bent to the same curvature (g ~ h²), sections warp by its square: half the size, a quarter of the gap
  const auto height = [](double h) {
    return sagging(test::cut_beam({12, 2, 2}, {1.0, h, h}, 3, rubber(1e6), 3, 8, true), 30.0 * h * h);
  };
  const JointState broad = height(0.2), narrow = height(0.1);
  EXPECT_LT(narrow.gap, 0.4 * broad.gap);
  EXPECT_LT(narrow.gap / narrow.size, 0.8 * broad.gap / broad.size);
}

TEST(TreeJoints, DetachedDomainsHaveNone) {
  const TreePlan plan = beam();
  const auto held = reduced(plan);
  const auto skin = carried(held.body->mesh, boundary_surface(held.body->mesh).surface);
  const auto model = bent(held, skin, SurfaceBlend::kC0);
  ASSERT_GT(model->domains()->joints()[2].gap, 0.0);
  ASSERT_TRUE(model->domains()->detach(plan.domains[2].name).ok());
  EXPECT_EQ(model->domains()->joints()[2].gap, 0.0);
  EXPECT_EQ(model->domains()->joints()[2].size, 0.0);
  EXPECT_GT(model->domains()->joints()[1].gap, 0.0);
  // drawn as it is, without the blend with its former parent
  const auto unblended = bent(held, skin, SurfaceBlend::kNone);
  const std::vector<float> after = drawn(*model), apart = drawn(*unblended);
  const std::vector<Vector3>& rest = model->drawn_surface()->vertices;
  const std::vector<Vector3>& rest_apart = unblended->drawn_surface()->vertices;
  EXPECT_GT(rest.size(), rest_apart.size());  // in two, closed on both sides
  std::size_t compared = 0;
  for (std::size_t k = 0; k < rest_apart.size(); ++k) {
    if (rest_apart[k].x() < 0.5) continue;
    const auto same = std::find(rest.begin(), rest.end(), rest_apart[k]);
    ASSERT_NE(same, rest.end());
    EXPECT_LT((point(after, to_size(same - rest.begin())) - point(apart, k)).norm(), kFloat);
    ++compared;
  }
  EXPECT_GT(compared, 20U);
}

}  // namespace
}  // namespace pliant
