#include "pliant/subspace/mass.hpp"

#include "pliant/subspace/hex_points.hpp"

namespace pliant {
namespace {

double tet_volume(const VolumeMesh& mesh, const Tet& tet) {
  const auto x = [&](std::size_t i) -> const Vector3& { return mesh.vertices[to_size(tet[i])]; };
  return (x(1) - x(0)).cross(x(2) - x(0)).dot(x(3) - x(0)) / 6.0;
}

/// det(∂X/∂ξ) at a Gauss point of a hex.
double hex_jacobian(const VolumeMesh& mesh, const Hex& hex, const HexPoint& point) {
  Matrix3 J = Matrix3::Zero();
  for (std::size_t a = 0; a < 8; ++a)
    J += mesh.vertices[to_size(hex[a])] *
         Eigen::RowVector3d(point.gradient[a][0], point.gradient[a][1], point.gradient[a][2]);
  return J.determinant();
}

}  // namespace

/// Eq. F7.
SparseMatrix consistent_mass(const VolumeMesh& mesh, const std::vector<double>& density) {
  std::vector<Eigen::Triplet<double, int>> entries;
  entries.reserve(16 * mesh.tets.size() + 64 * mesh.hexes.size());
  std::size_t element = 0;
  for (const Tet& tet : mesh.tets) {
    const double m = density[element++] * tet_volume(mesh, tet) / 20.0;  // ∫ N_a N_b = V (1 + δ_ab) / 20
    for (const VertexId a : tet)
      for (const VertexId b : tet) entries.emplace_back(a, b, a == b ? 2.0 * m : m);
  }
  for (const Hex& hex : mesh.hexes) {
    const double rho = density[element++];
    Eigen::Matrix<double, 8, 8> m = Eigen::Matrix<double, 8, 8>::Zero();
    for (const HexPoint& point : hex_points()) {
      const Eigen::Map<const Eigen::Matrix<double, 8, 1>> shape(point.shape);
      m += rho * point.weight * hex_jacobian(mesh, hex, point) * shape * shape.transpose();
    }
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < 8; ++b) entries.emplace_back(hex[to_size(a)], hex[to_size(b)], m(a, b));
  }
  SparseMatrix mass(mesh.vertex_count(), mesh.vertex_count());
  mass.setFromTriplets(entries.begin(), entries.end());
  return mass;
}

/// Eq. F8.
VectorX lumped_mass(const VolumeMesh& mesh, const std::vector<double>& density) {
  VectorX mass = VectorX::Zero(mesh.vertex_count());
  std::size_t element = 0;
  for (const Tet& tet : mesh.tets) {
    const double m = density[element++] * tet_volume(mesh, tet) / 4.0;  // ∫ N_a = V/4
    for (const VertexId a : tet) mass[a] += m;
  }
  for (const Hex& hex : mesh.hexes) {
    const double rho = density[element++];
    for (const HexPoint& point : hex_points()) {
      const double m = rho * point.weight * hex_jacobian(mesh, hex, point);
      for (std::size_t a = 0; a < 8; ++a) mass[hex[a]] += m * point.shape[a];
    }
  }
  return mass;
}

VectorX element_volumes(const VolumeMesh& mesh) {
  VectorX volumes(mesh.element_count());
  Index element = 0;
  for (const Tet& tet : mesh.tets) volumes[element++] = tet_volume(mesh, tet);
  for (const Hex& hex : mesh.hexes) {
    double volume = 0.0;
    for (const HexPoint& point : hex_points()) volume += point.weight * hex_jacobian(mesh, hex, point);
    volumes[element++] = volume;
  }
  return volumes;
}

}  // namespace pliant
