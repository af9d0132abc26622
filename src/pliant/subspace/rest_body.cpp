#include "pliant/subspace/rest_body.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/subspace/mass.hpp"

namespace pliant {
namespace {

std::vector<double> densities(const MaterialMap& materials) {
  std::vector<double> density;
  density.reserve(materials.of_element.size());
  for (const Index m : materials.of_element) density.push_back(materials.materials[to_size(m)].density);
  return density;
}

}  // namespace

RestBody::RestBody(VolumeMesh mesh, MaterialMap materials)
    : mesh_(std::move(mesh)), materials_(std::move(materials)) {
  std::vector<Index>& material_of = materials_.of_element;
  if (material_of.empty()) material_of.assign(to_size(mesh_.element_count()), 0);
  PLIANT_ASSERT(std::ssize(material_of) == mesh_.element_count());
  const Index n = mesh_.vertex_count();
  rest_.resize(3 * n);
  for (Index v = 0; v < n; ++v) rest_.segment<3>(3 * v) = mesh_.vertices[to_size(v)];
}

double RestBody::volume() const { return element_volumes(mesh_).sum(); }

const SparseMatrix& RestBody::mass() const {
  return mass_.get([&] { return consistent_mass(mesh_, densities(materials_)); });
}

const VectorX& RestBody::mass_row_sums() const {
  return row_sums_.get([&] { return pliant::mass_row_sums(mesh_, densities(materials_)); });
}

const VectorX& RestBody::lumped_mass() const {
  return lumped_.get([&] { return pliant::lumped_mass(mesh_, densities(materials_)); });
}

void RestBody::apply_mass(ConstVectorRef v, VectorRef y) const { pliant::apply_mass(mass(), v, y); }

std::shared_ptr<const RestBody> with_materials(const RestBody& body, const std::vector<Material>& materials) {
  return std::make_shared<const RestBody>(body.mesh(), MaterialMap{materials, body.materials().of_element});
}

Vector3 rest_center_of_mass(const RestBody& body) {
  // Row sums of the consistent mass integrate linear functions exactly (Eq. F8).
  Vector3 sum = Vector3::Zero();
  const VectorX& mass = body.mass_row_sums();
  for (Index v = 0; v < mass.size(); ++v) sum += mass[v] * body.rest_positions().segment<3>(3 * v);
  return sum / mass.sum();
}

}  // namespace pliant
