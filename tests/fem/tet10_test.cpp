// Quadratic tets: what only they can do, and a single element against two other packages.
#include "fem/bodies.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/material/point.hpp"
#include "pliant/subspace/tet10_points.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace pliant {
namespace {

using test::relative_error;
using test::symmetric;

/// u_i = G_i·X + X·Q_i X, a quadratic field.
struct QuadraticField {
  Matrix3 linear;
  std::array<Matrix3, 3> quadratic;

  [[nodiscard]] Vector3 at(const Vector3& x) const {
    Vector3 u = linear * x;
    for (std::size_t i = 0; i < 3; ++i) u[static_cast<Index>(i)] += x.dot(quadratic[i] * x);
    return u;
  }
  [[nodiscard]] Matrix3 gradient(const Vector3& x) const {
    Matrix3 H = linear;
    for (std::size_t i = 0; i < 3; ++i)
      H.row(static_cast<Index>(i)) += ((quadratic[i] + quadratic[i].transpose()) * x).transpose();
    return H;
  }
};

/// ∫ Ψ over the box by 3×3×3 Gauss points: exact for degree 4.
double energy_of_box(const Material& material, const QuadraticField& field) {
  const std::array<double, 3> at{0.5 - 0.5 * std::sqrt(0.6), 0.5, 0.5 + 0.5 * std::sqrt(0.6)};
  const std::array<double, 3> weight{5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  double sum = 0.0;
  for (std::size_t p = 0; p < 27; ++p) {
    const std::size_t i = p % 3, j = p / 3 % 3, k = p / 9;
    const Vector3 x = Vector3(at[i], at[j], at[k]).cwiseProduct(test::kBoxSize);
    const Matrix3 F = Matrix3::Identity() + field.gradient(x);
    sum += weight[i] * weight[j] * weight[k] * test::kBoxSize.prod() * energy_density(material, F);
  }
  return sum;
}

/// Not shaken on the outside, so that the body is the box, but elements of many shapes.
VolumeMesh box_of_straight_tets() {
  const std::array<Index, 3> cells{2, 3, 3};
  VolumeMesh mesh = generate_box(test::kBoxSize, cells, ElementKind::kTet);
  const std::vector<char> inner = test::inner_vertices(test::BodyKind::kTet, cells);
  Rng rng(3);
  for (std::size_t v = 0; v < inner.size(); ++v)
    if (inner[v] != 0) mesh.vertices[v] += 0.05 * test::random_vector(3, rng);
  return make_quadratic(std::move(mesh));
}

TEST(Tet10, RepresentsQuadraticDisplacementsExactly) {
  Rng rng(5);
  const QuadraticField field{0.3 * test::random_matrix(rng),
                             {test::random_matrix(rng), test::random_matrix(rng), test::random_matrix(rng)}};
  for (const Law law : {Law::kLinear, Law::kStvk}) {
    Material material = test::material_of(law);
    const double expected = energy_of_box(material, field);
    const auto energy = [&](int quadrature) {
      material.quadrature = quadrature;
      const ElasticBody body(box_of_straight_tets(), {{material}, {}});
      VectorX u(body.dof_count());
      for (Index v = 0; v < body.mesh().vertex_count(); ++v)
        u.segment<3>(3 * v) = field.at(body.mesh().vertices[to_size(v)]);
      return body.energy(u);
    };
    EXPECT_NEAR(energy(0), expected, 1e-13 * expected);
    EXPECT_NEAR(energy(14), expected, 1e-13 * expected);
    // four points are exact for a quadratic energy only
    if (law == Law::kLinear) {
      EXPECT_NEAR(energy(4), expected, 1e-13 * expected);
    } else {
      EXPECT_GT(std::abs(energy(4) - expected), 1e-5 * expected);
    }
  }
}

/// −div P of a field. P is a polynomial of degree 3, of which these differences are exact.
Vector3 body_force(const Material& material, const QuadraticField& field, const Vector3& x) {
  const double h = 0.1;
  Vector3 force = Vector3::Zero();
  for (Index j = 0; j < 3; ++j) {
    const auto traction = [&](double t) -> Vector3 {
      const Matrix3 H = field.gradient(x + t * Vector3::Unit(j));
      return stress(material, Matrix3::Identity() + H).col(j);
    };
    force -= (8.0 * (traction(h) - traction(-h)) - (traction(2.0 * h) - traction(-2.0 * h))) / (12.0 * h);
  }
  return force;
}

/// The patch test for quadratic displacements: inside, forces balance the consistent load of −div P, so that
/// a body with this load and this displacement of its boundary rests exactly there.
TEST(Tet10, QuadraticDisplacementsAreInEquilibriumWithTheirLoad) {
  Rng rng(8);
  const QuadraticField field{0.2 * test::random_matrix(rng),
                             {test::random_matrix(rng), test::random_matrix(rng), test::random_matrix(rng)}};
  for (const Law law : {Law::kLinear, Law::kStvk}) {
    const Material material = test::material_of(law);
    const ElasticBody body(box_of_straight_tets(), {{material}, {}});
    const VolumeMesh& mesh = body.mesh();
    VectorX u(body.dof_count()), f(body.dof_count()), load = VectorX::Zero(body.dof_count());
    for (Index v = 0; v < mesh.vertex_count(); ++v) u.segment<3>(3 * v) = field.at(mesh.vertices[to_size(v)]);
    for (const Tet10& tet : mesh.tet10s) {
      const Tet10Corners x = corners(mesh, tet);
      for (const Tet10Point& point : tet10_points(Tet10Rule::k14)) {  // degree 2 + 2
        Vector3 X = Vector3::Zero();
        for (std::size_t a = 0; a < 10; ++a) X += point.shape[a] * x[a];
        const Vector3 b = 6.0 * point.weight * tet10_volume(x) * body_force(material, field, X);
        for (std::size_t a = 0; a < 10; ++a) load.segment<3>(3 * Index{tet[a]}) += point.shape[a] * b;
      }
    }
    body.internal_force(u, f);
    double gap = 0.0, control = 0.0;
    Index inner = 0;
    for (Index v = 0; v < mesh.vertex_count(); ++v) {
      const Vector3& x = mesh.vertices[to_size(v)];
      if (!((x.array() > 1e-9) && (x.array() < test::kBoxSize.array() - 1e-9)).all()) continue;
      ++inner;
      gap = std::max(gap, (f - load).segment<3>(3 * v).norm());
      control = std::max(control, f.segment<3>(3 * v).norm());
    }
    EXPECT_GT(inner, 50);
    EXPECT_LT(gap, 1e-12 * f.cwiseAbs().maxCoeff());
    EXPECT_GT(control, 1e-2 * f.cwiseAbs().maxCoeff());  // without the load it does not rest
  }
}

TEST(Tet10, UniformStrainHasTheSameStressInAllElements) {
  Matrix3 gradient;
  gradient << 0.05, 0.02, -0.01, 0.03, -0.04, 0.02, 0.01, -0.02, 0.06;
  for (const Law law : {Law::kLinear, Law::kStvk, Law::kNeoHookean}) {
    const Material material = test::material_of(law);
    const ElasticBody body(test::distorted_body(test::BodyKind::kMixed, {2, 2, 2}, 7), {{material}, {}});
    VectorX u(body.dof_count());
    for (Index v = 0; v < body.mesh().vertex_count(); ++v)
      u.segment<3>(3 * v) = gradient * body.mesh().vertices[to_size(v)];
    const VectorX stress = body.von_mises(u);
    const double expected = von_mises(material, Matrix3::Identity() + gradient);
    ASSERT_EQ(stress.size(), body.mesh().element_count());
    EXPECT_LT((stress.array() - expected).abs().maxCoeff(), 1e-12 * expected);
  }
}

/// ∫ ∇N_a dV, which decides whether the forces of a uniform stress cancel, has degree 3 on curved elements.
TEST(Tet10, CurvedElementsNeedMoreThanFourPointsForThePatchTest) {
  const std::array<Index, 3> cells{2, 2, 2};
  Material material = test::material_of(Law::kStvk);
  const auto inner_force = [&](int quadrature) {
    material.quadrature = quadrature;
    const ElasticBody body(test::distorted_body(test::BodyKind::kCurvedTet10, cells, 7), {{material}, {}});
    VectorX f(body.dof_count());
    body.internal_force(0.1 * body.rest_positions(), f);
    const std::vector<char> inner = test::inner_vertices(test::BodyKind::kCurvedTet10, cells);
    double largest = 0.0;
    for (Index v = 0; v < body.mesh().vertex_count(); ++v)
      if (inner[to_size(v)] != 0) largest = std::max(largest, f.segment<3>(3 * v).norm());
    return largest / f.cwiseAbs().maxCoeff();
  };
  EXPECT_LT(inner_force(0), 1e-13);
  EXPECT_GT(inner_force(4), 1e-5);
}

/// Both rules in one body, of straight and curved elements and of materials that choose for themselves; parts
/// of several threads sort them in the same way.
TEST(Tet10, MayBeIntegratedByBothRulesInOneBody) {
  VolumeMesh mesh = test::distorted_body(test::BodyKind::kMixed, {3, 3, 3}, 4);
  MaterialMap map{{test::material_of(Law::kLinear), test::material_of(Law::kStvk)}, {}};
  map.materials.push_back(map.materials[1]);
  map.materials.back().quadrature = 4;
  for (Index e = 0; e < mesh.element_count(); ++e) map.of_element.push_back(e * e / 3 % 3);
  double sum = 0.0;  // energies of single elements
  VectorX forces;
  std::vector<VectorX> found;
  std::vector<double> energies;
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    const ElasticBody body(mesh, map);
    const VectorX u = test::random_displacements(body, 0.02, 6);
    if (threads == 1) {
      forces = VectorX::Zero(u.size());
      for_each_element(mesh, [&](Index e, std::span<const VertexId> vertices) {
        VolumeMesh one;
        one.vertices = mesh.vertices;
        if (vertices.size() == 4) one.tets.push_back(mesh.tets[to_size(e)]);
        if (vertices.size() == 8) one.hexes.push_back(mesh.hexes[to_size(e - mesh.first_hex())]);
        if (vertices.size() == 10) one.tet10s.push_back(mesh.tet10s[to_size(e - mesh.first_tet10())]);
        const ElasticBody element(one, {{map.materials[to_size(map.of_element[to_size(e)])]}, {}});
        VectorX f(u.size());
        element.internal_force(u, f);
        forces += f;
        sum += element.energy(u);
      });
    }
    VectorX f(u.size());
    SparseMatrix K = body.make_matrix();
    body.force_and_tangent(u, TangentKind::kExact, f, K);
    EXPECT_LT(relative_error(f, forces), 1e-13);
    EXPECT_NEAR(body.energy(u), sum, 1e-13 * sum);
    energies.push_back(body.energy(u));
    found.push_back(f);
    found.emplace_back(Eigen::Map<VectorX>(K.valuePtr(), K.nonZeros()));
  }
  EXPECT_EQ(energies[0], energies[1]);
  EXPECT_TRUE(found[0] == found[2]);
  EXPECT_TRUE(found[1] == found[3]);
}

/// Rows of numbers as a matrix.
MatrixX matrix_of(const nlohmann::json& rows) {
  MatrixX m(std::ssize(rows), std::ssize(rows[0]));
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) m(i, j) = rows[to_size(i)][to_size(j)].get<double>();
  return m;
}

/// One element by dolfinx and GetFEM, which agree to 3e-15; the file has 15 digits.
class OneTet {
 public:
  explicit OneTet(const std::filesystem::path& shared) {
    std::ifstream stream(shared / "oracles" / "p2" / "one_tet_p2.json");
    expected = nlohmann::json::parse(stream);
    const MatrixX nodes = matrix_of(expected["nodes"]);
    const MatrixX displacements = matrix_of(expected["u"]);
    for (Index i = 0; i < 10; ++i) mesh.vertices.emplace_back(nodes.row(i).transpose());
    // Their nodes come in the order of gmsh, whose last two are exchanged.
    mesh.tet10s.push_back({0, 1, 2, 3, 4, 5, 6, 7, 9, 8});
    mesh.tet10_labels.push_back(0);
    u.resize(30);
    for (Index i = 0; i < 10; ++i) u.segment<3>(3 * i) = displacements.row(i).transpose();
  }
  [[nodiscard]] ElasticBody body(Law law) const {
    Material material;
    material.law = law;
    material.young = expected["E"];
    material.poisson = expected["nu"];
    material.density = expected["rho"];
    return {mesh, {{material}, {}}};
  }

  nlohmann::json expected;
  VolumeMesh mesh;
  VectorX u;
};

TEST(Tet10Oracle, OneElementHasTheReferenceStiffnessAndMass) {
  PLIANT_SHARED_OR_SKIP(shared);
  const OneTet one(shared);
  const ElasticBody body = one.body(Law::kLinear);
  VectorX f(30);
  SparseMatrix K = body.make_matrix();
  body.force_and_tangent(VectorX::Zero(30), TangentKind::kExact, f, K);
  EXPECT_LT(relative_error(symmetric(K), matrix_of(one.expected["linear_stiffness"])), 1e-13);
  EXPECT_LT(relative_error(MatrixX(body.mass()), matrix_of(one.expected["mass_scalar_10x10"])), 1e-13);
  EXPECT_NEAR(body.volume(), one.expected["volume"].get<double>(), 1e-16);
  OneTet wrong(shared);  // control: in the order of gmsh it is another element
  std::swap(wrong.mesh.tet10s[0][8], wrong.mesh.tet10s[0][9]);
  wrong.body(Law::kLinear).force_and_tangent(VectorX::Zero(30), TangentKind::kExact, f, K);
  EXPECT_GT(relative_error(symmetric(K), matrix_of(one.expected["linear_stiffness"])), 0.1);
}

TEST(Tet10Oracle, OneElementHasTheReferenceForceAndTangent) {
  PLIANT_SHARED_OR_SKIP(shared);
  const OneTet one(shared);
  const ElasticBody body = one.body(Law::kStvk);
  const nlohmann::json& expected = one.expected["stvk"];
  VectorX f(30);
  SparseMatrix K = body.make_matrix();
  body.force_and_tangent(one.u, TangentKind::kExact, f, K);
  const double energy = expected["energy"];
  EXPECT_NEAR(body.energy(one.u), energy, 1e-13 * energy);
  const std::vector<double> force = expected["internal_force"];
  EXPECT_LT(relative_error(f, Eigen::Map<const VectorX>(force.data(), 30)), 1e-13);
  EXPECT_LT(relative_error(symmetric(K), matrix_of(expected["tangent"])), 1e-13);
}

/// Not a polynomial, and the reference has 15 points: the same but for the error of both rules, at det F
/// between 0.38 and 1.72.
TEST(Tet10Oracle, OneElementIsNearTheReferenceForNeoHookean) {
  PLIANT_SHARED_OR_SKIP(shared);
  const OneTet one(shared);
  const double energy = one.expected["neo_hookean"]["energy"];
  EXPECT_NEAR(one.body(Law::kNeoHookean).energy(one.u), energy, 2e-3 * energy);
}

}  // namespace
}  // namespace pliant
