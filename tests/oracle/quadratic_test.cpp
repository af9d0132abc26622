// Quadratic tetrahedra against dolfinx and GetFEM: oracles/p2.
#include "oracle/oracle.hpp"
#include "pliant/file/volume_file.hpp"
#include "pliant/material/point.hpp"
#include "pliant/mesh/core/tet10.hpp"
#include "pliant/sim/world.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

std::filesystem::path folder(const std::filesystem::path& shared) { return shared / "oracles" / "p2"; }

nlohmann::json read_results(const std::filesystem::path& shared, const std::string& name) {
  return test::oracle_json(shared, "p2/" + name)["results"];
}

VolumeMesh read_mesh(const std::filesystem::path& shared, const std::string& name) {
  Result<VolumeFile> file = read_volume_file(folder(shared) / "meshes" / (name + ".msh"));
  if (!file.ok()) {
    ADD_FAILURE() << to_string(file.error());
    return {};
  }
  return std::move(file).value().mesh;
}

BodyDefinition define(const VolumeMesh& mesh, const nlohmann::json& result, bool clamped) {
  BodyDefinition definition;
  definition.elastic = test::make_body(mesh, Law::kStvk, result["E"], result["nu"], result["rho"]);
  if (clamped) definition.supports.push_back({"x = 0", test::vertices_at_x(mesh, 0.0), {}});
  if (result.contains("body_acceleration")) {
    const auto b = result["body_acceleration"].get<std::vector<double>>();
    definition.loads.gravity = {b[0], b[1], b[2]};
  }
  return definition;
}

/// Three columns from `first` on of rows that begin with the number of a vertex, counted from 1.
VectorX field_of(const MatrixX& rows, Index first) {
  VectorX field(3 * rows.rows());
  for (Index i = 0; i < rows.rows(); ++i)
    field.segment<3>(3 * (static_cast<Index>(rows(i, 0)) - 1)) = rows.row(i).segment<3>(first).transpose();
  return field;
}

TEST(QuadraticOracle, FrequenciesAgree) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto results = read_results(shared, "modes_p2");
  ASSERT_EQ(results.size(), 6U);
  for (const auto& [name, result] : results.items()) {
    const VolumeMesh mesh = read_mesh(shared, result["mesh"]);
    const bool clamped = name.find("clamped") != std::string::npos;
    auto model = make_full_model(define(mesh, result, clamped), {});
    ASSERT_TRUE(model.ok());
    const auto expected = result["frequencies_Hz"].get<std::vector<double>>();
    const auto modes = model.value()->natural_frequencies(std::ssize(expected));
    ASSERT_TRUE(modes.ok());
    EXPECT_EQ(modes.value().rigid, clamped ? 0 : 6);
    ASSERT_EQ(modes.value().hz.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)  // asked for: 1e-6; the packages agree to 2.3e-11
      EXPECT_NEAR(modes.value().hz[i], expected[i], 1e-9 * expected[i]) << name << ", mode " << i + 1;
  }
}

TEST(QuadraticOracle, StaticBendingAgrees) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto results = read_results(shared, "static_stvk_p2");
  ASSERT_EQ(results.size(), 3U);
  for (const auto& [name, result] : results.items()) {
    const VolumeMesh mesh = read_mesh(shared, result["mesh"]);
    StepSettings settings;
    settings.integrator = Integrator::kStatic;
    settings.newton_tolerance = 1e-11;
    std::vector<Body> bodies;
    const VectorX zero = VectorX::Zero(3 * mesh.vertex_count());
    bodies.push_back({"body", make_full_model(define(mesh, result, true), settings).value(), zero, zero, {}});
    RunSettings run;
    run.integrator = Integrator::kStatic;
    World world(std::move(bodies), {}, run);
    ASSERT_TRUE(world.start());
    world.run(no_progress());
    ASSERT_TRUE(world.record().healthy) << name << ": " << world.record().failure_reason;
    const Model& model = *world.bodies()[0].model;
    const MatrixX rows = test::read_rows(folder(shared) / result["displacement_field"].get<std::string>());
    ASSERT_EQ(rows.rows(), mesh.vertex_count());
    const double error = test::relative_error(model.displacements(), field_of(rows, 1));
    // Asked for: 1e-6. Measured: 2e-14 at most; the field has 15 digits.
    EXPECT_LT(error, 1e-12) << name;
    const double energy = result["total_strain_energy_J"];
    EXPECT_NEAR(model.energies().strain, energy, 1e-12 * energy) << name;
    const double potential = result["load_potential_J_minus_f_dot_u"];
    EXPECT_NEAR(model.energies().potential, potential, 1e-12 * std::abs(potential)) << name;
  }
}

TEST(QuadraticOracle, TheReleasedBeamFollows) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto result = read_results(shared, "dynamic_stvk_p2")["beam_p2_12x2x2_nu030"];
  const VolumeMesh mesh = read_mesh(shared, result["mesh"]);
  auto made = make_full_model(define(mesh, result, true), {});
  ASSERT_TRUE(made.ok());
  Model& model = *made.value();
  const VectorX zero = VectorX::Zero(3 * mesh.vertex_count());
  ASSERT_TRUE(model.start(0.0, zero, zero).healthy());
  const MatrixX series = test::read_rows(folder(shared) / result["series"].get<std::string>());
  ASSERT_EQ(series.rows(), 241);
  const std::array<Index, 4> nodes{13, 65, 117, 59};  // as in the header of the series, counted from 1
  const Index rows = test::kSanitized ? 25 : series.rows();
  double peak = 0.0, error = 0.0;
  for (Index row = 0; row < rows; ++row) {
    if (row > 0) {
      ASSERT_TRUE(model.step(static_cast<double>(row - 1) / 240.0, 1.0 / 240.0).healthy()) << "row " << row;
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Vector3 expected = series.row(row).segment<3>(4 + 3 * static_cast<Index>(i)).transpose();
      peak = std::max(peak, expected.norm());
      error = std::max(error, (model.displacements().segment<3>(3 * (nodes[i] - 1)) - expected).norm());
    }
  }
  ASSERT_GT(peak, test::kSanitized ? 0.01 : 1.0);
  EXPECT_LT(error, 1e-6 * peak);  // Newton's tolerance is 1e-9 a step
  std::printf("error over peak: %.2e\n", error / peak);
}

/// The other beam, whole states with velocities; the first half of the reference.
TEST(QuadraticOracle, TheSecondBeamHasTheReferenceStates) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto result = read_results(shared, "dynamic_stvk_p2")["beam_p2_10x3x2_nu030"];
  const VolumeMesh mesh = read_mesh(shared, result["mesh"]);
  auto made = make_full_model(define(mesh, result, true), {});
  ASSERT_TRUE(made.ok());
  Model& model = *made.value();
  const VectorX zero = VectorX::Zero(3 * mesh.vertex_count());
  ASSERT_TRUE(model.start(0.0, zero, zero).healthy());
  Index step = 0;
  for (const char* time : {"0.25", "0.50"}) {
    const Index last = std::lround(240.0 * std::stod(time));
    for (; step < last; ++step)
      ASSERT_TRUE(model.step(static_cast<double>(step) / 240.0, 1.0 / 240.0).healthy()) << step;
    const MatrixX rows = test::read_rows(folder(shared) / result["states"][time].get<std::string>());
    ASSERT_EQ(rows.rows(), mesh.vertex_count());
    const double u = test::relative_error(model.displacements(), field_of(rows, 1));
    const double v = test::relative_error(model.velocities(), field_of(rows, 4));
    // Asked for: 1e-6 of the peak. Measured: 2e-13 of the displacements, 2e-11 of the velocities.
    EXPECT_LT(u, 1e-10) << time;
    EXPECT_LT(v, 1e-9) << time;
    const auto energies = result["energies_kin_strain_pot"][time].get<std::vector<double>>();
    const Energies own = model.energies();
    EXPECT_NEAR(own.kinetic, energies[0], 1e-9 * energies[0]) << time;
    EXPECT_NEAR(own.strain, energies[1], 1e-9 * energies[1]) << time;
    EXPECT_NEAR(own.potential, energies[2], -1e-9 * energies[2]) << time;
    if (test::kSanitized) break;
  }
}

/// A rule of the file of rules, as barycentric coordinates and weights that sum to 1/6.
struct Rule {
  std::vector<std::array<double, 4>> points;
  std::vector<double> weights;
};

Rule read_rule(const std::filesystem::path& shared, const std::string& name) {
  const auto json = test::oracle_json(shared, "p2/quadrature")[name];
  Rule rule{{}, json["weights"].get<std::vector<double>>()};
  for (const auto& p : json["points"].get<std::vector<std::vector<double>>>())
    rule.points.push_back({1.0 - p[0] - p[1] - p[2], p[0], p[1], p[2]});
  return rule;
}

/// Energy and forces of a displacement by any rule, straight from the shape functions and the law.
double integrate(const VolumeMesh& mesh, const Material& material, const Rule& rule, const VectorX& u,
                 VectorX& f) {
  double energy = 0.0;
  f = VectorX::Zero(u.size());
  for (const Tet10& tet : mesh.tet10s) {
    const Tet10Corners x = corners(mesh, tet);
    for (std::size_t p = 0; p < rule.points.size(); ++p) {
      const Matrix3 J = tet10_jacobian(x, rule.points[p]);
      const double weight = rule.weights[p] * J.determinant();
      const auto slopes = tet10_gradients(rule.points[p]);
      std::array<Vector3, 10> gradients;
      Matrix3 F = Matrix3::Identity();
      for (std::size_t a = 0; a < 10; ++a) {
        gradients[a] = J.inverse().transpose() * Eigen::Map<const Vector3>(slopes[a].data());
        F += u.segment<3>(3 * static_cast<Index>(tet[a])) * gradients[a].transpose();
      }
      energy += weight * energy_density(material, F);
      const Matrix3 P = weight * stress(material, F);
      for (std::size_t a = 0; a < 10; ++a) f.segment<3>(3 * static_cast<Index>(tet[a])) += P * gradients[a];
    }
  }
  return energy;
}

/// The reference solution of the twist is an equilibrium of our law and our shape functions, with its energy,
/// torque and force, if its rule is taken; each of its two rules makes its own.
TEST(QuadraticOracle, TheTwistedBarIsAnEquilibriumByTheRuleOfTheReference) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto result = read_results(shared, "neo_twist_p2")["beam_p2_12x2x2_nu030"];
  const VolumeMesh mesh = read_mesh(shared, result["mesh"]);
  const VectorX u =
      field_of(test::read_rows(folder(shared) / result["displacement_field"].get<std::string>()), 1);
  ASSERT_EQ(u.size(), 3 * mesh.vertex_count());
  const Material material{Law::kNeoHookean, result["E"], result["nu"], 1000.0};
  VectorX f;
  const double energy = integrate(mesh, material, read_rule(shared, "degree5_15_points"), u, f);
  const double expected = result["total_strain_energy_J"];
  EXPECT_NEAR(energy, expected, 1e-12 * expected);  // the field has 15 digits
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
  double residual = 0.0;
  for (Index v = 0; v < mesh.vertex_count(); ++v) {
    const Vector3 X = mesh.vertices[to_size(v)], own = f.segment<3>(3 * v);
    if (X.x() > 1.0 - 1e-9) {
      force += own;
      torque += (X + u.segment<3>(3 * v) - Vector3(1.0, 0.1, 0.05)).cross(own);
    } else if (X.x() > 1e-9) {
      residual = std::max(residual, own.norm());
    }
  }
  const auto near = [](const Vector3& a, const std::vector<double>& b) {
    return (a - Vector3(b[0], b[1], b[2])).norm();
  };
  EXPECT_LT(residual, 1e-9);                                                       // N, of forces up to 100 N
  EXPECT_LT(near(force, result["end_force_N"].get<std::vector<double>>()), 1e-9);  // 12 digits
  EXPECT_LT(near(torque, result["end_torque_Nm"].get<std::vector<double>>()), 1e-9);
  // Control: the other rule is not in equilibrium there.
  const double other = integrate(mesh, material, read_rule(shared, "degree4_14_points"), u, f);
  EXPECT_GT(std::abs(other - expected), 1e-8 * expected);
}

/// Our own rule has other points than all of theirs. It comes as close to their finest as they do themselves.
TEST(QuadraticOracle, TheTwistedBarLiesAmongTheRulesOfTheReference) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto result = read_results(shared, "neo_twist_p2")["beam_p2_12x2x2_nu030"];
  const VolumeMesh mesh = read_mesh(shared, result["mesh"]);
  BodyDefinition definition;
  definition.elastic = test::make_body(mesh, Law::kNeoHookean, result["E"], result["nu"], 1000.0);
  definition.supports.push_back({"x = 0", test::vertices_at_x(mesh, 0.0), {}});
  Motion motion;
  motion.rotation = RotationKeys{Vector3::UnitX(), {1.0, 0.1, 0.05}, {0.0, 1.0}, {0.0, std::numbers::pi}};
  definition.supports.push_back({"x = 1", test::vertices_at_x(mesh, 1.0), motion});
  StepSettings settings;
  settings.integrator = Integrator::kStatic;
  settings.newton_tolerance = 1e-11;
  auto made = make_full_model(std::move(definition), settings);
  ASSERT_TRUE(made.ok());
  Model& model = *made.value();
  const VectorX zero = VectorX::Zero(3 * mesh.vertex_count());
  ASSERT_TRUE(model.start(0.0, zero, zero).healthy());
  const auto path = result["load_path"]["rows"].get<std::vector<std::vector<double>>>();
  const int steps = 36;
  for (int i = 0; i < steps; ++i) {
    ASSERT_TRUE(model.step_static(i / double{steps}, (i + 1) / double{steps}).healthy()) << i;
    if ((i + 1) % 6 != 0) continue;
    const std::vector<double>& row = path[to_size(i / 6)];
    EXPECT_NEAR(model.energies().strain, row[1], 1e-5 * row[1]) << row[0];
    EXPECT_NEAR(model.reactions()[1].moment.x(), row[2], 2e-5 * row[2]) << row[0];
  }
  const auto rules = result["other_rules_dolfinx"]["rows"].get<std::vector<std::vector<double>>>();
  const std::vector<double>& finest = rules.back();
  ASSERT_EQ(finest[0], 8.0);
  double energy = 0.0, torque = 0.0, force = 0.0, field = 0.0;  // of theirs, the distances from the finest
  for (const std::vector<double>& rule : rules) {
    energy = std::max(energy, std::abs(rule[1] - finest[1]));
    torque = std::max(torque, std::abs(rule[2] - finest[2]));
    force = std::max(force, std::abs(rule[3] - finest[3]));
    field = std::max(field, rule[4]);
  }
  const Reaction end = model.reactions()[1];
  const VectorX u =
      field_of(test::read_rows(folder(shared) / result["displacement_field"].get<std::string>()), 1);
  const double distance = (model.displacements() - u).cwiseAbs().maxCoeff();
  std::printf("energy %+.2e of %.2e J, torque %+.2e of %.2e Nm, force %+.2e of %.2e N, u %.2e of %.2e m\n",
              model.energies().strain - finest[1], energy, end.moment.x() - finest[2], torque,
              end.force.x() - finest[3], force, distance, field);
  EXPECT_NEAR(model.energies().strain, finest[1], energy);
  EXPECT_NEAR(end.moment.x(), finest[2], torque);
  EXPECT_NEAR(end.force.x(), finest[3], force);
  EXPECT_LT(distance, field);  // from the reference, which is not the finest
}

}  // namespace
}  // namespace pliant
