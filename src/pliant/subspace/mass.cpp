#include "pliant/subspace/mass.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/math/pack.hpp"
#include "pliant/subspace/hex_points.hpp"
#include "pliant/subspace/tet10_points.hpp"

#include <algorithm>

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace pliant {
namespace {

using Entries = std::vector<Eigen::Triplet<double, int>>;

double tet_volume(const VolumeMesh& mesh, const Tet& tet) {
  const auto x = [&](std::size_t i) -> const Vector3& { return mesh.vertices[to_size(tet[i])]; };
  return (x(1) - x(0)).cross(x(2) - x(0)).dot(x(3) - x(0)) / 6.0;
}

std::span<const HexPoint> points_of(const Hex& /*hex*/) { return hex_points(); }
/// The mass has degree 4 on straight edges, whatever the law.
std::span<const Tet10Point> points_of(const Tet10& /*tet*/) { return tet10_points(Tet10Rule::k14); }

/// visit(point, det ∂X/∂ξ) at each point (Eq. F6).
template <std::size_t N, class Visit>
void for_each_point(const VolumeMesh& mesh, const std::array<VertexId, N>& element, const Visit& visit) {
  for (const auto& point : points_of(element)) {
    Matrix3 J = Matrix3::Zero();
    for (std::size_t a = 0; a < N; ++a)
      J += mesh.vertices[to_size(element[a])] *
           Eigen::RowVector3d(point.gradient[a][0], point.gradient[a][1], point.gradient[a][2]);
    visit(point, J.determinant());
  }
}

/// ∫ ρ N_a N_b of one element, by points.
template <std::size_t N>
Eigen::Matrix<double, int{N}, int{N}> integrated_mass(const VolumeMesh& mesh,
                                                      const std::array<VertexId, N>& element, double rho) {
  using Square = Eigen::Matrix<double, int{N}, int{N}>;
  Square m = Square::Zero();
  for_each_point(mesh, element, [&](const auto& point, double det) {
    const Eigen::Map<const Eigen::Matrix<double, int{N}, 1>> shape(point.shape);
    m += rho * point.weight * det * shape * shape.transpose();
  });
  return m;
}

Eigen::Matrix<double, 8, 8> element_mass(const VolumeMesh& mesh, const Hex& hex, double rho) {
  return integrated_mass(mesh, hex, rho);
}

/// Over the reference tet.
Eigen::Matrix<double, 10, 10> reference_mass() {
  Eigen::Matrix<double, 10, 10> m = Eigen::Matrix<double, 10, 10>::Zero();
  for (const Tet10Point& point : tet10_points(Tet10Rule::k14)) {
    const Eigen::Map<const Eigen::Matrix<double, 10, 1>> shape(point.shape);
    m += point.weight * shape * shape.transpose();
  }
  return m;
}

/// On straight edges det ∂X/∂ξ = 6 V is the same everywhere.
Eigen::Matrix<double, 10, 10> element_mass(const VolumeMesh& mesh, const Tet10& tet, double rho) {
  static const Eigen::Matrix<double, 10, 10> reference = reference_mass();
  if (!is_straight(corners(mesh, tet))) return integrated_mass(mesh, tet, rho);
  return 6.0 * rho * tet_volume(mesh, {tet[0], tet[1], tet[2], tet[3]}) * reference;
}

template <std::size_t N>
void add_mass(const VolumeMesh& mesh, const std::array<VertexId, N>& element, double rho, Entries& entries) {
  const auto m = element_mass(mesh, element, rho);
  for (std::size_t a = 0; a < N; ++a)
    for (std::size_t b = 0; b < N; ++b)
      entries.emplace_back(element[a], element[b], m(static_cast<Index>(a), static_cast<Index>(b)));
}

template <std::size_t N>
void add_row_sums(const VolumeMesh& mesh, const std::array<VertexId, N>& element, double rho, VectorX& mass) {
  for_each_point(mesh, element, [&](const auto& point, double det) {
    const double m = rho * point.weight * det;
    for (std::size_t a = 0; a < N; ++a) mass[element[a]] += m * point.shape[a];
  });
}

/// Eq. F8b.
void add_scaled_diagonal(const VolumeMesh& mesh, const Tet10& tet, double rho, VectorX& mass) {
  const auto m = element_mass(mesh, tet, rho);
  const double factor = m.sum() / m.trace();
  for (std::size_t a = 0; a < 10; ++a)
    mass[tet[a]] += factor * m(static_cast<Index>(a), static_cast<Index>(a));
}

Eigen::Matrix4d element_mass(const VolumeMesh& mesh, const Tet& tet, double rho) {
  const double m = rho * tet_volume(mesh, tet) / 20.0;  // ∫ N_a N_b = V (1 + δ_ab) / 20
  return m * (Eigen::Matrix4d::Ones() + Eigen::Matrix4d::Identity());
}

/// Eq. C1 for one element.
template <std::size_t N>
void add_domain_mass(const VolumeMesh& mesh, const std::array<VertexId, N>& element, double rho,
                     const std::vector<Index>& domain_of, Entries& entries) {
  const auto m = element_mass(mesh, element, rho);
  const auto domain = [&](std::size_t a) { return domain_of[to_size(element[a])]; };
  for (std::size_t a = 0; a < N; ++a)
    for (std::size_t b = 0; b < N; ++b)
      entries.emplace_back(element[a], element[domain(a) == domain(b) ? b : a],
                           m(static_cast<Index>(a), static_cast<Index>(b)));
}

/// Row sums of tets and hexes, for which both kinds of mass per vertex are the same.
VectorX linear_row_sums(const VolumeMesh& mesh, const std::vector<double>& density) {
  VectorX mass = VectorX::Zero(mesh.vertex_count());
  std::size_t element = 0;
  for (const Tet& tet : mesh.tets) {
    const double m = density[element++] * tet_volume(mesh, tet) / 4.0;  // ∫ N_a = V/4
    for (const VertexId a : tet) mass[a] += m;
  }
  for (const Hex& hex : mesh.hexes) add_row_sums(mesh, hex, density[element++], mass);
  return mass;
}

/// Three doubles and a zero.
Pack4 load_three(const double* x) {
#if defined(__AVX__)
  return _mm256_maskload_pd(x, _mm256_set_epi64x(0, -1, -1, -1));
#else
  return Pack4{x[0], x[1], x[2], 0.0};
#endif
}

}  // namespace

/// Eq. F7.
SparseMatrix consistent_mass(const VolumeMesh& mesh, const std::vector<double>& density) {
  Entries entries;
  entries.reserve(16 * mesh.tets.size() + 64 * mesh.hexes.size() + 100 * mesh.tet10s.size());
  std::size_t element = 0;
  for (const Tet& tet : mesh.tets) {
    const double m = density[element++] * tet_volume(mesh, tet) / 20.0;  // ∫ N_a N_b = V (1 + δ_ab) / 20
    for (const VertexId a : tet)
      for (const VertexId b : tet) entries.emplace_back(a, b, a == b ? 2.0 * m : m);
  }
  for (const Hex& hex : mesh.hexes) add_mass(mesh, hex, density[element++], entries);
  for (const Tet10& tet : mesh.tet10s) add_mass(mesh, tet, density[element++], entries);
  SparseMatrix mass(mesh.vertex_count(), mesh.vertex_count());
  mass.setFromTriplets(entries.begin(), entries.end());
  return mass;
}

SparseMatrix domain_mass(const VolumeMesh& mesh, const std::vector<double>& density,
                         const std::vector<Index>& domain_of) {
  Entries entries;
  entries.reserve(16 * mesh.tets.size() + 64 * mesh.hexes.size() + 100 * mesh.tet10s.size());
  std::size_t element = 0;
  for (const Tet& tet : mesh.tets) add_domain_mass(mesh, tet, density[element++], domain_of, entries);
  for (const Hex& hex : mesh.hexes) add_domain_mass(mesh, hex, density[element++], domain_of, entries);
  VectorX lumped = VectorX::Zero(mesh.vertex_count());
  for (const Tet10& tet : mesh.tet10s) {
    const double rho = density[element++];
    const Index first = domain_of[to_size(tet[0])];
    if (std::all_of(tet.begin(), tet.end(), [&](VertexId v) { return domain_of[to_size(v)] == first; }))
      add_mass(mesh, tet, rho, entries);
    else
      add_scaled_diagonal(mesh, tet, rho, lumped);
  }
  for (Index v = 0; v < lumped.size(); ++v)
    if (lumped[v] > 0.0) entries.emplace_back(v, v, lumped[v]);
  SparseMatrix mass(mesh.vertex_count(), mesh.vertex_count());
  mass.setFromTriplets(entries.begin(), entries.end());
  return mass;
}

void apply_mass(const SparseMatrix& mass, ConstVectorRef v, VectorRef y) {
  PLIANT_ASSERT(mass.isCompressed());
  // The mass is the same for x, y and z, and symmetric: a column serves as the row, whose sums stay in
  // registers.
  const auto* starts = mass.outerIndexPtr();
  const auto* rows = mass.innerIndexPtr();
  const double* values = mass.valuePtr();
  for (Index j = 0; j < mass.cols(); ++j) {
    Pack4 sum{};
    for (auto k = starts[j]; k < starts[j + 1]; ++k)
      sum += values[k] * load_three(v.data() + 3 * Index{rows[k]});
    y.segment<3>(3 * j) << sum[0], sum[1], sum[2];
  }
}

/// Eq. F8.
VectorX mass_row_sums(const VolumeMesh& mesh, const std::vector<double>& density) {
  VectorX mass = linear_row_sums(mesh, density);
  auto element = to_size(mesh.first_tet10());
  for (const Tet10& tet : mesh.tet10s) add_row_sums(mesh, tet, density[element++], mass);
  return mass;
}

VectorX lumped_mass(const VolumeMesh& mesh, const std::vector<double>& density) {
  VectorX mass = linear_row_sums(mesh, density);
  auto element = to_size(mesh.first_tet10());
  for (const Tet10& tet : mesh.tet10s) add_scaled_diagonal(mesh, tet, density[element++], mass);
  return mass;
}

VectorX element_volumes(const VolumeMesh& mesh) {
  VectorX volumes(mesh.element_count());
  Index element = 0;
  for (const Tet& tet : mesh.tets) volumes[element++] = tet_volume(mesh, tet);
  const auto add = [&](const auto& list) {
    for (const auto& vertices : list) {
      double volume = 0.0;
      for_each_point(mesh, vertices, [&](const auto& point, double det) { volume += point.weight * det; });
      volumes[element++] = volume;
    }
  };
  add(mesh.hexes);
  add(mesh.tet10s);
  return volumes;
}

}  // namespace pliant
