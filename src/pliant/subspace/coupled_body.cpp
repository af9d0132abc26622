#include "pliant/subspace/coupled_body.hpp"

#include "pliant/subspace/mass.hpp"

namespace pliant {

SparseMatrix domain_mass(const RestBody& body, const std::vector<Index>& domain_of) {
  std::vector<double> density(to_size(body.mesh().element_count()));
  for (std::size_t e = 0; e < density.size(); ++e) density[e] = body.material(static_cast<Index>(e)).density;
  return domain_mass(body.mesh(), density, domain_of);
}

}  // namespace pliant
