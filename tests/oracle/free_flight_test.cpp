// A free block, stretched, flying and spinning, against dolfinx: oracles/free_flight.json.
#include "oracle/oracle.hpp"
#include "pliant/model/modal/modal_model.hpp"
#include "pliant/reduce/make_basis.hpp"
#include "pliant/reduce/reduce_body.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

using Series = std::map<std::string, std::vector<double>>;

Vector3 row_vector(const Series& series, const std::string& prefix, std::size_t row) {
  return {series.at(prefix + "x")[row], series.at(prefix + "y")[row], series.at(prefix + "z")[row]};
}

/// Displacements and velocities of the start.
std::pair<VectorX, VectorX> start_fields(const std::filesystem::path& shared, const nlohmann::json& oracle) {
  const MatrixX start = test::read_rows(shared / "oracles" / oracle["initial_state_file"].get<std::string>());
  VectorX u(3 * start.rows());
  VectorX v(3 * start.rows());
  for (Index i = 0; i < start.rows(); ++i) {
    u.segment<3>(3 * i) = start.row(i).segment<3>(1).transpose();
    v.segment<3>(3 * i) = start.row(i).segment<3>(4).transpose();
  }
  return {u, v};
}

std::unique_ptr<Model> make_block(const std::filesystem::path& shared, const nlohmann::json& oracle) {
  BodyDefinition definition;
  definition.elastic = test::make_body(test::oracle_mesh(shared, oracle["mesh"]), Law::kStvk, oracle["E"],
                                       oracle["nu"], oracle["rho"]);
  StepSettings settings;
  settings.newton_tolerance = 1e-12;
  auto model = std::move(make_full_model(std::move(definition), settings)).value();
  const auto [u, v] = start_fields(shared, oracle);
  EXPECT_TRUE(model->start(0.0, u, v).healthy());
  return model;
}

class FreeFlight : public testing::TestWithParam<int> {};

TEST_P(FreeFlight, FollowsTheNewmarkRunOfTheSameStep) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto oracle = test::oracle_json(shared, "free_flight");
  const auto run = oracle["newmark"]["dt1/" + std::to_string(GetParam())];
  const auto model = make_block(shared, oracle);
  const Series series = test::read_csv(shared / "oracles" / run["time_series"].get<std::string>());
  const Series exact =
      test::read_csv(shared / "oracles" / oracle["time_exact"]["time_series"].get<std::string>());
  const int every = run["written_every"];
  const double dt = 1.0 / GetParam();
  ASSERT_EQ(series.at("t").size(), 1001u);
  ASSERT_EQ(exact.at("t").size(), 1001u);
  const std::size_t rows = test::kSanitized ? 51 : 1001;
  double peak = 0.0;
  double error = 0.0;
  double energy_error = 0.0;
  double momentum_error = 0.0;
  double spin_error = 0.0;
  double early = 0.0;
  double exact_center = 0.0;
  double exact_energy = 0.0;
  double exact_spin = 0.0;
  for (std::size_t row = 0; row < rows; ++row) {
    for (int s = 0; s < every && row > 0; ++s)
      ASSERT_TRUE(model->step((static_cast<double>(row - 1) * every + s) * dt, dt).healthy());
    const Momenta m = model->momenta();
    const Energies e = model->energies();
    for (const int v : {1, 315, 9}) {
      const std::string prefix = "v" + std::to_string(v) + "_u";
      const Vector3 expected = row_vector(series, prefix, row);
      const Vector3 u = model->displacements().segment<3>(3 * (v - 1));
      peak = std::max(peak, expected.norm());
      error = std::max(error, (u - expected).norm());
      if (series.at("t")[row] <= 0.1) early = std::max(early, (u - row_vector(exact, prefix, row)).norm());
    }
    energy_error = std::max(energy_error, std::abs(e.kinetic + e.strain - series.at("total_J")[row]));
    momentum_error = std::max(momentum_error, (m.linear - row_vector(series, "P_", row)).norm());
    spin_error = std::max(spin_error, (m.angular - row_vector(series, "L_", row)).norm());
    exact_center = std::max(exact_center, (m.center - row_vector(exact, "com_", row)).norm());
    exact_energy = std::max(exact_energy, std::abs(e.kinetic + e.strain - exact.at("total_J")[row]));
    exact_spin = std::max(exact_spin, (m.angular - row_vector(exact, "L_", row)).norm());
  }
  std::printf(
      "dt 1/%d: u %.1e of peak, E %.1e J, P %.1e, L %.1e; to time_exact: centre %.1e m, E %.1e J, L %.1e, "
      "u(0.1 s) %.1e\n",
      GetParam(), error / peak, energy_error, momentum_error, spin_error, exact_center, exact_energy,
      exact_spin, early);
  ASSERT_GT(peak, test::kSanitized ? 0.05 : 1.0);
  EXPECT_LT(error, 1e-6 * peak);
  EXPECT_LT(energy_error, 1e-6 * 24.4);
  EXPECT_LT(momentum_error, 1e-8 * 27.8);
  EXPECT_LT(spin_error, 1e-6 * 2.75);
  // Against the time-exact solution: what Newmark itself keeps, and the distances that the oracle gives for
  // this step.
  const auto range = run["energy_min_max_J"].get<std::vector<double>>();
  EXPECT_LT(exact_center, 1e-9);
  EXPECT_LT(exact_energy, 1.01 * (range[1] - range[0]) + 1e-9);
  const auto spin = run["L_range"].get<std::vector<double>>();
  EXPECT_LT(exact_spin, 1.01 * Vector3(spin[0], spin[1], spin[2]).norm() + 1e-9);
  EXPECT_LT(early,
            1.05 * run["max_abs_diff_watch_u_to_time_exact_until"]["0.1"].get<double>() * std::sqrt(3.0));
}

/// Where three corners of the block are, and what can be told from them.
struct Corners {
  Vector3 a, b, c;
  [[nodiscard]] Matrix3 axes() const {
    Matrix3 Q;
    Q.col(0) = (c - a).normalized();
    Q.col(2) = Q.col(0).cross(b - a).normalized();
    Q.col(1) = Q.col(2).cross(Q.col(0));
    return Q;
  }
};

/// Of the strongest oscillation in y: the peak of its windowed Fourier amplitude, on a fine scan.
double period(const std::vector<double>& t, const std::vector<double>& y) {
  double mean = 0.0;
  for (const double value : y) mean += value / static_cast<double>(y.size());
  double best = 0.0, strongest = 0.0;
  for (double hz = 2.0; hz < 30.0; hz += 0.005) {
    double re = 0.0, im = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double window = 1.0 - std::cos(2.0 * std::numbers::pi * t[i] / t.back());
      const double angle = 2.0 * std::numbers::pi * hz * t[i];
      re += window * (y[i] - mean) * std::cos(angle);
      im += window * (y[i] - mean) * std::sin(angle);
    }
    const double amplitude = re * re + im * im;
    if (amplitude > strongest) strongest = amplitude, best = hz;
  }
  return 1.0 / best;
}

TEST(ModalFreeFlight, StretchesAndTurnsAsTheTimeExactSolution) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto oracle = test::oracle_json(shared, "free_flight");
  const auto elastic = test::make_body(test::oracle_mesh(shared, oracle["mesh"]), Law::kStvk, oracle["E"],
                                       oracle["nu"], oracle["rho"]);
  BasisSettings basis_settings;
  basis_settings.linear_modes = 12;
  basis_settings.modes = 30;
  auto basis = make_basis(*elastic, std::vector<char>(to_size(elastic->dof_count()), 1), basis_settings,
                          no_progress());
  ASSERT_TRUE(basis.ok());
  auto reduced = reduce_body(*elastic, std::move(basis).value(), no_progress());
  ASSERT_TRUE(reduced.ok());
  auto made = make_modal_model({std::make_shared<const ReducedBody>(std::move(reduced).value()),
                                elastic,
                                nullptr,
                                {},
                                {},
                                Storage::kDouble,
                                false},
                               {});
  ASSERT_TRUE(made.ok());
  Model& model = *made.value();
  const auto [u, v] = start_fields(shared, oracle);
  ASSERT_TRUE(model.start(0.0, u, v).healthy());
  const Series exact =
      test::read_csv(shared / "oracles" / oracle["time_exact"]["time_series"].get<std::string>());
  const double dt = 1e-3;
  const auto place = [&](Index vertex) -> Vector3 {
    return elastic->rest_positions().segment<3>(3 * vertex) +
           model.displacement(static_cast<VertexId>(vertex));
  };
  const auto expected = [&](Index vertex, std::size_t row) -> Vector3 {
    return elastic->rest_positions().segment<3>(3 * vertex) +
           row_vector(exact, "v" + std::to_string(vertex + 1) + "_u", row);
  };
  std::vector<double> times, ours, theirs;
  double center = 0.0;
  const Momenta first = model.momenta();
  const std::size_t rows = exact.at("t").size();
  for (std::size_t row = 0; row < rows; ++row) {
    for (int s = 0; s < 2 && row > 0; ++s)
      ASSERT_TRUE(model.step(static_cast<double>(2 * (row - 1) + to_size(s)) * dt, dt).healthy());
    times.push_back(exact.at("t")[row]);
    ours.push_back((place(8) - place(0)).norm());  // an edge along the stretch
    theirs.push_back((expected(8, row) - expected(0, row)).norm());
    center = std::max(center, (model.momenta().center - row_vector(exact, "com_", row)).norm());
  }
  const Corners here{place(0), place(314), place(8)};
  const Corners there{expected(0, rows - 1), expected(314, rows - 1), expected(8, rows - 1)};
  const double angle =
      Eigen::AngleAxisd(here.axes() * there.axes().transpose()).angle() * 180.0 / std::numbers::pi;
  std::printf("modal: centre %.1e m, period %.5f s (%.5f), orientation %.2f degrees apart, L %.1e\n", center,
              period(times, ours), period(times, theirs), angle,
              (model.momenta().angular - first.angular).norm() / first.angular.norm());
  EXPECT_LT(center, 1e-9);
  EXPECT_NEAR(period(times, ours) / period(times, theirs), 1.0, 0.02);
  EXPECT_LT(angle, 5.0);
}

INSTANTIATE_TEST_SUITE_P(All, FreeFlight, testing::Values(500, 1000, 2000),
                         [](const auto& test) { return "Dt" + std::to_string(test.param); });

}  // namespace
}  // namespace pliant
