#include "pliant/fem/natural_modes.hpp"

#include "pliant/fem/constrained_system.hpp"
#include "pliant/solve/eigenmodes.hpp"

#include <algorithm>
#include <limits>

namespace pliant {

Result<NaturalModes> natural_modes(const ElasticBody& body, const std::vector<char>& free, Index count) {
  const bool unheld = std::find(free.begin(), free.end(), char{0}) == free.end();
  const VectorX zero = VectorX::Zero(body.dof_count());
  VectorX force(body.dof_count());
  SparseMatrix K = body.make_matrix();
  body.force_and_tangent(zero, TangentKind::kExact, force, K);
  ConstrainedSystem stiffness(free, K);
  const SparseMatrix full_mass = body.mass_matrix();
  ConstrainedSystem mass(free, full_mass);
  const SparseMatrix& free_stiffness = stiffness.extract(K);
  const SparseMatrix& free_mass = mass.extract(full_mass);

  // (wave speed / size)²: far below, and yet not negligible against, the first eigenvalue of a compact body
  double wave = std::numeric_limits<double>::infinity();
  for (const Material& m : body.materials().materials) wave = std::min(wave, m.young / m.density);
  const Eigen::Map<const Eigen::Matrix3Xd> x(body.rest_positions().data(), 3, body.mesh().vertex_count());
  const double shift = 1e-4 * wave / (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).squaredNorm();

  // what rounding of K leaves of a zero eigenvalue
  const double rounding =
      1e3 * std::numeric_limits<double>::epsilon() *
      VectorX(free_stiffness.diagonal()).cwiseQuotient(VectorX(free_mass.diagonal())).maxCoeff();

  NaturalModes result;
  Index wanted = count + (unheld ? 6 : 0);
  for (;;) {
    wanted = std::min(wanted, stiffness.free_count());
    const Result<EigenPairs> pairs = lowest_eigenpairs(free_stiffness, free_mass, wanted, shift);
    if (!pairs) return pairs.errors();
    const VectorX& values = pairs.value().values;
    result.rigid = (values.array() < std::max(1e-4 * shift, rounding)).count();
    const Index elastic = std::min(count, values.size() - result.rigid);
    if (elastic < count && wanted < stiffness.free_count()) {
      wanted += count - elastic;
      continue;
    }
    result.squared = values.segment(result.rigid, elastic);
    result.shapes = MatrixX::Zero(body.dof_count(), elastic);
    for (Index i = 0; i < elastic; ++i) {
      for (Index k = 0; k < stiffness.free_count(); ++k)
        result.shapes(stiffness.free_dofs()[static_cast<std::size_t>(k)], i) =
            pairs.value().vectors(k, result.rigid + i);
    }
    return result;
  }
}

}  // namespace pliant
