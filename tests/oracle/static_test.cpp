// Static equilibria against dolfinx (and GetFEM, CalculiX): oracles/beam_static_stvk.json, neo_static.json.
#include "oracle/oracle.hpp"
#include "pliant/sim/world.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

World static_world(BodyDefinition definition) {
  StepSettings settings;
  settings.integrator = Integrator::kStatic;
  settings.newton_tolerance = 1e-11;
  const Index n = definition.elastic->dof_count();
  std::vector<Body> bodies;
  bodies.push_back({"body",
                    make_full_model(std::move(definition), settings).value(),
                    VectorX::Zero(n),
                    VectorX::Zero(n),
                    {}});
  RunSettings run;
  run.integrator = Integrator::kStatic;
  return {std::move(bodies), {}, run};
}

double field_error(const VectorX& u, const MatrixX& rows) {
  VectorX expected(u.size());
  for (Index i = 0; i < rows.rows(); ++i)
    expected.segment<3>(3 * (static_cast<Index>(rows(i, 0)) - 1)) = rows.row(i).segment<3>(1).transpose();
  return test::relative_error(u, expected);
}

TEST(StaticOracle, StvkBeamUnderItsWeight) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto oracle = test::oracle_json(shared, "beam_static_stvk");
  ASSERT_EQ(oracle["results"].size(), 1u);
  const auto result = oracle["results"]["nu030"];
  const VolumeMesh mesh = test::oracle_mesh(shared, result["mesh"]);
  BodyDefinition definition;
  definition.elastic = test::make_body(mesh, Law::kStvk, result["E"], result["nu"], result["rho"]);
  definition.supports.push_back({"x = 0", test::vertices_at_x(mesh, 0.0), {}});
  const auto b = result["body_acceleration"].get<std::vector<double>>();
  definition.loads.gravity = {b[0], b[1], b[2]};
  World world = static_world(std::move(definition));
  ASSERT_TRUE(world.start());
  world.run(no_progress());
  ASSERT_TRUE(world.record().healthy) << world.record().failure_reason;

  const Model& model = *world.bodies()[0].model;
  const MatrixX field = test::read_rows(shared / "oracles" / result["displacement_field"].get<std::string>());
  ASSERT_EQ(field.rows(), mesh.vertex_count());
  EXPECT_LT(field_error(model.displacements(), field), 1e-9);  // asked for: 1e-6
  const double energy = result["total_strain_energy_J"];
  EXPECT_NEAR(model.energies().strain, energy, 1e-9 * energy);
  EXPECT_NEAR(model.energies().potential, result["load_potential_J_minus_f_dot_u"].get<double>(),
              1e-9 * 20.0);
  // the support carries the weight: ρ V g = 100 N
  EXPECT_LT((model.reactions()[0].force - Vector3(0, 0, 100)).norm(), 1e-7);
}

TEST(StaticOracle, NeoHookeanBarTwistedByHalfATurn) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto oracle = test::oracle_json(shared, "neo_static");
  ASSERT_EQ(oracle["results"].size(), 1u);
  const auto result = oracle["results"]["nu030"];
  const VolumeMesh mesh = test::oracle_mesh(shared, "beam_tet");
  BodyDefinition definition;
  definition.elastic = test::make_body(mesh, Law::kNeoHookean, result["E"], result["nu"], 1000.0);
  definition.supports.push_back({"x = 0", test::vertices_at_x(mesh, 0.0), {}});
  Motion motion;
  motion.rotation = RotationKeys{Vector3::UnitX(), {1.0, 0.1, 0.05}, {0.0, 1.0}, {0.0, std::numbers::pi}};
  definition.supports.push_back({"x = 1", test::vertices_at_x(mesh, 1.0), motion});
  StepSettings settings;
  settings.integrator = Integrator::kStatic;
  settings.newton_tolerance = 1e-12;
  auto made = make_full_model(std::move(definition), settings);
  ASSERT_TRUE(made.ok());
  Model& model = *made.value();
  const VectorX zero = VectorX::Zero(3 * mesh.vertex_count());
  ASSERT_TRUE(model.start(0.0, zero, zero).healthy());

  const auto path = test::read_csv(shared / "oracles" / result["load_path"].get<std::string>());
  const auto& angles = path.at("angle_deg");
  ASSERT_EQ(angles.size(), 36u);
  const double torque_scale = path.at("torque_x_Nm").back();
  const double force_scale = path.at("force_x_N").back();
  double before = 0.0;
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const double load = angles[i] / 180.0;
    ASSERT_TRUE(model.step_static(before, load).healthy()) << angles[i];
    before = load;
    const Reaction end = model.reactions()[1];
    EXPECT_NEAR(model.energies().strain, path.at("strain_energy_J")[i], 1e-8 * path.at("strain_energy_J")[i]);
    const Vector3 torque(path.at("torque_x_Nm")[i], path.at("torque_y_Nm")[i], path.at("torque_z_Nm")[i]);
    const Vector3 force(path.at("force_x_N")[i], path.at("force_y_N")[i], path.at("force_z_N")[i]);
    EXPECT_LT((end.moment - torque).norm(), 1e-8 * torque_scale) << angles[i];
    EXPECT_LT((end.force - force).norm(), 1e-8 * force_scale) << angles[i];
  }
  const MatrixX field = test::read_rows(shared / "oracles" / result["displacement_field"].get<std::string>());
  EXPECT_LT(field_error(model.displacements(), field), 1e-8);  // asked for: 1e-5
  for (const auto& vertex : result["named_vertices"]) {
    const auto u = vertex["u"].get<std::vector<double>>();
    const Index i = 3 * (vertex["vertex"].get<Index>() - 1);
    EXPECT_LT((model.displacements().segment<3>(i) - Vector3(u[0], u[1], u[2])).norm(), 1e-8);
  }
}

}  // namespace
}  // namespace pliant
