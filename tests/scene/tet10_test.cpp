// Quadratic tets in scenes: generators and meshers, loads.
#include "fem/bodies.hpp"
#include "pliant/file/off.hpp"
#include "pliant/file/volume_file.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/core/validate_volume.hpp"
#include "pliant/mesh/fill/curve.hpp"
#include "pliant/model/load_forces.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/scene/load_mesh.hpp"
#include "pliant/store/snapshot_file.hpp"
#include "scene/tet10_scenes.hpp"
#include "support/scenes.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numbers>
#include <set>

namespace pliant {
namespace {

using test::model_of, test::places, test::run_scene;

constexpr double kQuadraticPi = std::numbers::pi;

/// The shape of a body with these lines, before anything is built of it.
VolumeMesh shape_of(const std::string& lines, const std::filesystem::path& file = "tet10.toml") {
  const std::string text = "[simulation]\ndt = 0.01\nduration = 0.1\n[[body]]\n" + lines +
                           "\nmaterial = { young = 1e6, poisson = 0.3, density = 1000 }\n";
  const Result<SceneDescription> scene = read_scene(text, file);
  if (!scene) {
    ADD_FAILURE() << to_string(scene.error());
    return {};
  }
  Result<BodyShape> shape = load_shape(scene.value(), scene.value().bodies[0], no_progress());
  if (!shape) {
    ADD_FAILURE() << lines << to_string(shape.error());
    return {};
  }
  return std::move(shape).value().mesh;
}

VolumeMesh generated_shape(const std::string& table, const std::string& element) {
  return shape_of("generate = { " + table + ", element = \"" + element + "\" }");
}

/// The same corners with straight edges.
VolumeMesh straightened(const VolumeMesh& mesh) { return make_quadratic(make_linear(mesh).mesh); }

/// All elements are quadratic, none is folded, and curving has left enough of each.
void expect_valid(VolumeMesh mesh, const std::string& name) {
  ASSERT_GT(mesh.tet10s.size(), 0U) << name;
  EXPECT_EQ(mesh.element_count(), std::ssize(mesh.tet10s)) << name;
  Index curved = 0, weak = 0;
  for (const Tet10& tet : mesh.tet10s) {
    const Tet10Corners x = corners(mesh, tet);
    const JacobianBounds bounds = tet10_jacobian_bounds(x);
    if (!(bounds.low > 0.0)) ++weak;
    if (is_straight(x)) continue;
    ++curved;
    if (!(bounds.low >= kLeastCurvedJacobian * bounds.high)) ++weak;
  }
  EXPECT_EQ(weak, 0) << name << ", of " << mesh.tet10s.size();
  if (name != "box") {
    EXPECT_GT(curved, 0) << name;
  }
  const Result<Validation> valid = validate_volume(mesh, default_location(mesh));
  ASSERT_TRUE(valid.ok()) << name << " " << to_string(valid.error());
  EXPECT_EQ(valid.value().reoriented, 0) << name;
  // Whatever there is to note was there before: stuffing separates parts that touch in a vertex.
  VolumeMesh linear = make_linear(mesh).mesh;
  const Result<Validation> before = validate_volume(linear, default_location(linear));
  ASSERT_TRUE(before.ok()) << name;
  EXPECT_EQ(valid.value().notes.size(), before.value().notes.size()) << name;
  EXPECT_EQ(count_duplicate_vertices(mesh), count_duplicate_vertices(linear)) << name;
}

struct GeneratedShape {
  std::string name;
  std::string keys;
  double volume = 0.0;  // the true one; 0: only near that of the linear mesh
};

TEST(Tet10Scene, EveryGeneratorMakesValidMeshes) {
  const std::vector<GeneratedShape> shapes{
      {"box", "size = [1, 0.5, 0.25], cells = [3, 2, 2]", 0.125},
      {"cylinder", "radius = 0.5, length = 2, across = 4, along = 5", kQuadraticPi * 0.5},
      {"sphere", "radius = 0.5, across = 4", kQuadraticPi / 6.0},
      {"sphere", "radius = 0.5, across = 8, wall = 0.2, wall_cells = 1",
       4.0 / 3.0 * kQuadraticPi * (0.125 - 0.027)},
      {"torus", "major = 1, minor = 0.3, across = 4, around = 20", 2.0 * kQuadraticPi * kQuadraticPi * 0.09},
      {"tube", "radius = 0.3, length = 3, across = 4, along = 12", kQuadraticPi * 0.27},
      {"tube", "radius = 0.3, length = 3, wall = 0.1, across = 6, along = 12, wall_cells = 1",
       kQuadraticPi * 3.0 * (0.09 - 0.04)},
      {"tree", ""},
      {"spoon", "thickness = 0.006, resolution = 80"},
      {"bridge", "thickness = 0.36, resolution = 60"},
      {"tower", "leg = 0.45, brace = 0.45, panels = 4, resolution = 70"},
      {"heart", "resolution = 30"},
      {"flower", ""},
      {"cactus", "resolution = 30"},
      {"letters", ""},
      {"dragon", ""},
      {"duck", "resolution = 15"},
      {"creature", "resolution = 26"},
      {"octopus", "resolution = 30"},
      {"caterpillar", "resolution = 36"},
      {"rabbit", "resolution = 30"}};
  std::set<std::string> seen;
  for (const GeneratedShape& shape : shapes) {
    seen.insert(shape.name);
    const std::string table =
        "shape = \"" + shape.name + "\"" + (shape.keys.empty() ? "" : ", ") + shape.keys;
    const VolumeMesh mesh = generated_shape(table, "tet10");
    expect_valid(mesh, shape.name);
    const double volume = measure(mesh).volume, straight = measure(straightened(mesh)).volume;
    if (shape.volume == 0.0) {
      EXPECT_NEAR(volume, straight, 0.1 * straight) << shape.name;
      EXPECT_NE(volume, straight) << shape.name;
      continue;
    }
    const VolumeMesh linear = generated_shape(table, "tet");
    EXPECT_EQ(make_linear(mesh).mesh.tets, linear.tets) << shape.name;
    const double error = std::abs(volume / shape.volume - 1.0);
    const double linear_error = std::abs(measure(linear).volume / shape.volume - 1.0);
    std::printf("%s: volume %+.2e, with straight edges %+.2e\n", shape.name.c_str(), error, linear_error);
    if (shape.name == "box") {
      EXPECT_LT(error, 1e-14);
    } else {
      EXPECT_LT(error, 0.1 * linear_error) << shape.name;
    }
  }
  // None is forgotten: what generate() knows, and the duck.
  for (const std::string_view name : generator_shapes())
    EXPECT_TRUE(seen.contains(std::string(name))) << name;
}

/// The largest distance from the true surface of a boundary face, at 66 places of each.
double surface_gap(const VolumeMesh& mesh, const std::function<double(const Vector3&)>& distance) {
  double gap = 0.0;
  for (const BoundaryFace& face : boundary_faces(mesh))
    for (int i = 0; i <= 10; ++i)
      for (int j = 0; i + j <= 10; ++j) {
        const std::array<double, 3> L{0.1 * i, 0.1 * j, 0.1 * (10 - i - j)};
        Vector3 x = Vector3::Zero();
        for (std::size_t k = 0; k < 3; ++k) {
          x += L[k] * (2.0 * L[k] - 1.0) * mesh.vertices[to_size(face.vertices[k])];
          x += 4.0 * L[k] * L[(k + 1) % 3] * mesh.vertices[to_size(face.midsides[k])];
        }
        gap = std::max(gap, std::abs(distance(x)));
      }
  return gap;
}

TEST(Tet10Scene, RoundSurfacesAreFollowed) {
  const auto sphere = [](const Vector3& x) { return x.norm() - 0.5; };
  const auto torus = [](const Vector3& x) { return std::hypot(std::hypot(x.x(), x.y()) - 1.0, x.z()) - 0.3; };
  const auto cylinder = [](const Vector3& x) {
    return std::max({x.tail<2>().norm() - 0.5, -x.x(), x.x() - 2.0});
  };
  const auto compare = [](const char* name, const VolumeMesh& mesh, const auto& distance, double share) {
    const double curved = surface_gap(mesh, distance), straight = surface_gap(straightened(mesh), distance);
    std::printf("%s: gap %.2e, with straight edges %.2e\n", name, curved, straight);
    EXPECT_LT(curved, share * straight) << name;
  };
  compare("sphere", generated_shape("shape = \"sphere\", across = 6", "tet10"), sphere, 0.1);
  compare("torus", generated_shape("shape = \"torus\", across = 6, around = 30", "tet10"), torus, 0.1);
  compare("cylinder", generated_shape("shape = \"cylinder\", across = 6, along = 8", "tet10"), cylinder, 0.1);
}

TEST(Tet10Scene, TheMesherFollowsItsSurface) {
  const test::TemporaryFolder folder;
  const VolumeMesh ball = generate_sphere({0.5, 40}, ElementKind::kHex);
  std::ofstream(folder.path() / "ball.off") << write_off(boundary_surface(ball).surface);
  const auto fill = [&](const std::string& element) {
    return shape_of("mesh = \"ball.off\"\nmesher = { resolution = 8, element = \"" + element + "\" }",
                    folder.path() / "scene.toml");
  };
  const VolumeMesh mesh = fill("tet10");
  expect_valid(mesh, "ball.off");
  EXPECT_EQ(make_linear(mesh).mesh.tets, fill("tet").tets);
  const auto sphere = [](const Vector3& x) { return x.norm() - 0.5; };
  const double curved = surface_gap(mesh, sphere), straight = surface_gap(straightened(mesh), sphere);
  const double truth = kQuadraticPi / 6.0;
  const double error = std::abs(measure(mesh).volume / truth - 1.0);
  const double straight_error = std::abs(measure(straightened(mesh)).volume / truth - 1.0);
  std::printf("gap %.2e, with straight edges %.2e; volume %.2e and %.2e\n", curved, straight, error,
              straight_error);
  EXPECT_LT(curved, 0.5 * straight);
  EXPECT_LT(error, 0.2 * straight_error);
}

// ---- Loads

VolumeMesh placed_at(VolumeMesh mesh, const VectorX& x) {
  for (Index v = 0; v < mesh.vertex_count(); ++v) mesh.vertices[to_size(v)] = x.segment<3>(3 * v);
  return mesh;
}

VectorX forces_of(const std::vector<Load>& loads, const VectorX& x) {
  VectorX f = VectorX::Zero(x.size());
  LoadForces(loads).add_forces(0.0, LoadForces::Clock::kTime, x, VectorX::Zero(x.size()), f);
  return f;
}

Vector3 sum_of(const VectorX& f) {
  return Eigen::Map<const Eigen::Matrix3Xd>(f.data(), 3, f.size() / 3).rowwise().sum();
}

VectorX pressure_on(const VolumeMesh& mesh, double pascal, const VectorX& x) {
  return forces_of({{"all", Pressure{boundary_faces(mesh), pascal}, {}}}, x);
}

TEST(Tet10Pressure, OnAClosedSurfaceHasNoResultantNorMoment) {
  const VolumeMesh mesh = test::distorted_box(ElementKind::kTet10, {3, 2, 2}, 5);
  const VectorX x = places(mesh), f = pressure_on(mesh, 7.0, x);
  ASSERT_GT(f.norm(), 0.1);
  EXPECT_LT(sum_of(f).norm(), 1e-13);
  Vector3 moment = Vector3::Zero();
  for (Index v = 0; v < mesh.vertex_count(); ++v)
    moment += Vector3(x.segment<3>(3 * v)).cross(Vector3(f.segment<3>(3 * v)));
  EXPECT_LT(moment.norm(), 1e-13);
}

TEST(Tet10Pressure, OnFlatFacesIsTheConsistentLoad) {
  VolumeMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 0.8, 0}, {0, 0, 1}};
  mesh.tets = {{0, 1, 2, 3}};
  mesh.tet_labels = {0};
  mesh = make_quadratic(std::move(mesh));
  std::vector<BoundaryFace> bottom;
  for (const BoundaryFace& face : boundary_faces(mesh))
    if (std::all_of(face.vertices.begin(), face.vertices.begin() + 3, [](VertexId v) { return v < 3; }))
      bottom.push_back(face);
  ASSERT_EQ(bottom.size(), 1U);
  const VectorX f = forces_of({{"bottom", Pressure{bottom, 3.0}, {}}}, places(mesh));
  const Vector3 third(0.0, 0.0, 3.0 * 0.4 / 3.0);  // p A / 3, inwards
  for (Index v = 0; v < 10; ++v) {
    const bool middle = std::count(bottom[0].midsides.begin(), bottom[0].midsides.end(), v) > 0;
    EXPECT_LT((f.segment<3>(3 * v) - (middle ? third : Vector3::Zero())).norm(), 1e-15) << v;
  }
}

/// Of a box that is strongly bent; also with its tangent.
TEST(Tet10Pressure, OnABentSurfaceIsTheGradientOfTheVolume) {
  const VolumeMesh mesh = generate_box({1.0, 0.6, 0.4}, {2, 1, 1}, ElementKind::kTet10);
  VectorX x = places(mesh);
  for (Index v = 0; v < mesh.vertex_count(); ++v) {
    const Vector3 X = mesh.vertices[to_size(v)];
    x[3 * v] += 0.15 * std::sin(3.0 * X.y() + 2.0 * X.z());
    x[3 * v + 1] += 0.1 * std::cos(2.0 * X.x() + 4.0 * X.z());
    x[3 * v + 2] += 0.2 * std::sin(3.0 * X.x()) * (1.0 + X.z());
  }
  const auto volume = [&](const VectorX& at) { return measure(placed_at(mesh, at)).volume; };
  EXPECT_GT(std::abs(volume(x) / measure(straightened(placed_at(mesh, x))).volume - 1.0), 0.01);  // curved
  const auto force = [&](const VectorX& at) { return pressure_on(mesh, 7.0, at); };
  EXPECT_LT(test::relative_error(force(x), -7.0 * test::gradient(volume, x, 1e-3)), 1e-10);

  const ElasticBody elastic(mesh, {{test::material_of(Law::kStvk)}, {}});
  const LoadForces loads({{"all", Pressure{boundary_faces(mesh), 7.0}, {}}});
  SparseMatrix K = elastic.make_matrix();
  const Index entries = K.nonZeros();
  loads.add_tangent(0.0, LoadForces::Clock::kTime, x, VectorX::Zero(x.size()), 0.0, K);
  EXPECT_EQ(K.nonZeros(), entries);
  EXPECT_LT(test::relative_error(test::symmetric(K), -test::jacobian(force, x, 1e-3)), 1e-9);
}

/// An open face that is bent has the consistent load but for terms of its rim, where its neighbours go on.
/// Its sum is the area vector of the curved face.
TEST(Tet10Pressure, OnAnOpenBentFaceHasItsResultant) {
  VolumeMesh mesh = generate_sphere({0.5, 4}, ElementKind::kTet10);
  const VectorX x = places(mesh);
  std::vector<BoundaryFace> upper;
  for (const BoundaryFace& face : boundary_faces(mesh)) {
    bool above = true;
    for_each_vertex(face, [&](VertexId v) { above = above && mesh.vertices[to_size(v)].z() > -1e-9; });
    if (above) upper.push_back(face);
  }
  // The rim is a polygon of parabolas in the plane z = 0; the area within, by its arcs.
  std::map<std::pair<VertexId, VertexId>, VertexId> rim;
  for (const BoundaryFace& face : upper)
    for (std::size_t i = 0; i < 3; ++i) {
      const VertexId a = face.vertices[i], b = face.vertices[(i + 1) % 3];
      if (rim.erase({b, a}) == 0) rim[{a, b}] = face.midsides[i];
    }
  Vector3 area = Vector3::Zero();  // ½ ∮ x × dx, exact for parabolas by two Gauss points
  for (const auto& [ends, middle] : rim)
    for (const double t : {0.5 - std::sqrt(1.0 / 12.0), 0.5 + std::sqrt(1.0 / 12.0)}) {
      const auto at = [&](VertexId v) -> const Vector3& { return mesh.vertices[to_size(v)]; };
      const Vector3 &a = at(ends.first), &b = at(ends.second), &m = at(middle);
      const Vector3 place = (1 - t) * (1 - 2 * t) * a + t * (2 * t - 1) * b + 4 * t * (1 - t) * m;
      const Vector3 slope = (4 * t - 3) * a + (4 * t - 1) * b + (4 - 8 * t) * m;
      area += 0.25 * place.cross(slope);
    }
  ASSERT_NEAR(area.norm(), kQuadraticPi * 0.25, 0.02);
  const VectorX f = forces_of({{"upper", Pressure{upper, 3.0}, {}}}, x);
  EXPECT_LT((sum_of(f) + 3.0 * area).norm(), 1e-13);
}

/// A plate of 1 × 1 × 0.1 with a load.
const std::string kPlate = R"([simulation]
integrator = "static"
[[body]]
generate = { shape = "box", size = [1, 1, 0.1], cells = [3, 3, 1], element = "tet10" }
material = { young = 1e8, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
)";

Loads plate_loads(const std::string& load, const VolumeMesh& mesh) {
  const Result<SceneDescription> scene = read_scene(kPlate + "[[body.load]]\n" + load + "\n", "plate.toml");
  if (!scene) {
    ADD_FAILURE() << to_string(scene.error());
    return {};
  }
  Diagnostics problems;
  Loads loads = make_loads(scene.value().bodies[0], Vector3::Zero(), mesh, problems);
  EXPECT_TRUE(problems.empty()) << to_string(problems[0]);
  return loads;
}

TEST(Tet10Loads, HaveTheirTotals) {
  const VolumeMesh mesh = generate_box({1, 1, 0.1}, {3, 3, 1}, ElementKind::kTet10);
  const auto total = [&](const std::string& load) -> Vector3 {
    return sum_of(forces_of(plate_loads(load, mesh).loads, places(mesh)));
  };
  const std::string top = "where = \"z > 0.099\"\n";
  const double drag = 0.5 * 1.225 * 1.2 * 16.0;
  EXPECT_LT((total(top + "wind = { velocity = [3, 0, -4], drag = 1.2 }") - Vector3(0, 0, -drag)).norm(),
            1e-12);
  EXPECT_LT((total(top + "pressure = 5") - Vector3(0, 0, -5)).norm(), 1e-13);
  for (const char* spread : {"", "spread = \"area\"\n"})
    EXPECT_LT((total(top + spread + "force = [1, 2, -6]") - Vector3(1, 2, -6)).norm(), 1e-13) << spread;
  EXPECT_LT((total("points = [[0.31, 0.52, 0.04]]\nforce = [1, 2, -6]") - Vector3(1, 2, -6)).norm(), 1e-13);
}

/// An even traction is the consistent load, so a plate in tension has the same strain everywhere.
TEST(Tet10Loads, ByAreaAreConsistent) {
  std::string text =
      kPlate + "[[body.load]]\nwhere = \"x > 0.999\"\nspread = \"area\"\nforce = [1000, 0, 0]\n";
  text.replace(text.find("poisson = 0.3"), 13, "poisson = 0");
  const auto built = run_scene(text);
  ASSERT_TRUE(built);
  const VectorX& u = model_of(built).displacements();
  const VolumeMesh& mesh = model_of(built).mesh();
  // Of StVK: 10 kPa = E ε (1 + ε/2) (1 + ε)…, to first order 1e-4.
  const double end = u[3 * 3];
  ASSERT_NEAR(mesh.vertices[3].x(), 1.0, 1e-15);
  EXPECT_NEAR(end, 1e-4, 2e-8);
  for (Index v = 0; v < mesh.vertex_count(); ++v)
    EXPECT_LT((u.segment<3>(3 * v) - end * mesh.vertices[to_size(v)].x() * Vector3::UnitX()).norm(), 1e-12)
        << v;
}

TEST(Tet10Loads, ReactionsCarryWeightAndLoad) {
  std::string text = kPlate + "[[body.load]]\nwhere = \"x > 0.999\"\nforce = [3, -2, 7]\n";
  text.replace(text.find("\n[[body]]"), 1, "\ngravity = [1, 2, -10]\n");
  const auto built = run_scene(text);
  ASSERT_TRUE(built);
  const double mass = 1000.0 * 0.1;
  EXPECT_NEAR(model_of(built).momenta().mass, mass, 1e-10);
  const Vector3 load = mass * Vector3(1, 2, -10) + Vector3(3, -2, 7);
  ASSERT_EQ(model_of(built).reactions().size(), 1U);
  EXPECT_LT((model_of(built).reactions()[0].force + load).norm(), 1e-6);
}

/// Curved: a free ball falls as a point does.
TEST(Tet10Loads, GravityActsOnCurvedElementsByTheirMass) {
  const auto built = run_scene(R"([simulation]
dt = 0.01
duration = 0.1
gravity = [0, 0, -10]
[[body]]
generate = { shape = "sphere", across = 4, element = "tet10" }
material = { young = 1e6, poisson = 0.3, density = 1000 }
)");
  ASSERT_TRUE(built);
  const Momenta& end = built->world->record().bodies[0].momentum.back();
  EXPECT_NEAR(end.mass, 1000.0 * measure(model_of(built).mesh()).volume, 1e-9);
  EXPECT_NEAR(end.linear.z(), -10.0 * 0.1 * end.mass, 1e-9 * end.mass);
  EXPECT_NEAR(model_of(built).energies().strain, 0.0, 1e-12);
}

}  // namespace
}  // namespace pliant
