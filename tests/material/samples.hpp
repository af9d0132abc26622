// tests/material/samples.hpp — the materials and deformations that every test of this folder runs through.
#pragma once

#include "pliant/material/point.hpp"
#include "pliant/math/svd3.hpp"
#include "support/support.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace pliant::test {

/// The five laws and the two invertible variants; moduli of order 1 so that absolute errors are readable.
inline std::vector<Material> all_materials(double poisson = 0.3) {
  std::vector<Material> materials;
  for (const Law law :
       {Law::kLinear, Law::kCorotational, Law::kStvk, Law::kNeoHookean, Law::kStableNeoHookean})
    materials.push_back(Material{.law = law, .young = 2.0, .poisson = poisson});
  for (const Law law : {Law::kStvk, Law::kNeoHookean})
    materials.push_back(Material{.law = law, .young = 2.0, .poisson = poisson, .invertible = true});
  return materials;
}

inline std::string describe(const Material& material) {
  return std::string(law_name(material.law)) + (material.invertible ? " invertible" : "") + " poisson " +
         std::to_string(material.poisson);
}

inline Matrix3 with_stretches(const Vector3& sigma, Rng& rng) {
  return random_rotation(rng) * sigma.asDiagonal() * random_rotation(rng).transpose();
}

/// Deformations near rest, moderate, large, with repeated stretches and inverted.
inline std::vector<Matrix3> deformations(Rng& rng) {
  std::vector<Matrix3> list;
  for (const double size : {1e-3, 0.1, 0.4})
    for (int i = 0; i < 4; ++i)
      list.push_back(random_rotation(rng) * (Matrix3::Identity() + size * random_matrix(rng)));
  const std::vector<Vector3> stretches = {
      {1.3, 1.3, 1.3},   {1.4, 1.4, 0.8},  {1.5, 0.7, 0.7},    {3.0, 2.0, 0.4},   {2.5, 0.9, 0.2},
      {1.2, 1.0, -0.5},  {1.0, 0.9, -0.3}, {0.8, 0.5, -0.2},   {0.5, 0.45, 0.4},  {0.5, 0.4, -0.25},
      {0.25, 0.2, 0.15}, {2.0, 0.2, 0.1},  {0.55, 0.55, 0.55}, {1.6, 0.25, 0.25}, {0.25, 0.25, -0.1}};
  for (const Vector3& sigma : stretches) list.push_back(with_stretches(sigma, rng));
  return list;
}

/// Whether the law is smooth within `margin` of F in every stretch: finite differences need that.
inline bool smooth_around(const Material& material, const Matrix3& F, double margin) {
  const Vector3 sigma = svd_rotations(F).sigma;
  if (!material.invertible && material.law == Law::kNeoHookean) return sigma[2] > 0.1;
  if (!material.invertible && material.law != Law::kCorotational) return true;
  if (sigma[1] + sigma[2] < 0.1) return false;  // the polar factor jumps at zero
  if (!material.invertible) return true;
  return (sigma.array() - material.threshold()).abs().minCoeff() > margin;
}

inline VectorX vec(const Matrix3& M) { return Eigen::Map<const Vector9>(M.data()); }
inline Matrix3 mat(const VectorX& v) { return Eigen::Map<const Matrix3>(v.data()); }

/// ∂Ψ/∂F and ∂P/∂F by differences.
inline VectorX stress_by_differences(const Material& material, const Matrix3& F, double step) {
  return gradient([&](const VectorX& x) { return energy_density(material, mat(x)); }, vec(F), step);
}
inline MatrixX tangent_by_differences(const Material& material, const Matrix3& F, double step) {
  return jacobian([&](const VectorX& x) { return vec(stress(material, mat(x))); }, vec(F), step);
}

}  // namespace pliant::test
