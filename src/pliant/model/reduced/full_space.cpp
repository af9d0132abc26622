#include "pliant/model/reduced/full_space.hpp"

#include <algorithm>
#include <limits>

namespace pliant {

FullSpace::FullSpace(std::shared_ptr<const RestBody> rest, std::shared_ptr<const ReducedBody> body,
                     std::shared_ptr<const ElementLoops> loops)
    : rest_(std::move(rest)), body_(std::move(body)), loops_(std::move(loops)) {}

VectorX FullSpace::project(ConstVectorRef field) const {
  VectorX momentum(field.size());
  rest_->apply_mass(field, momentum);
  return body_->basis.shapes.transpose() * momentum;
}

VectorX FullSpace::von_mises(ConstVectorRef u) const {
  if (loops_) return loops_->von_mises(u);
  return VectorX::Constant(mesh().element_count(), std::numeric_limits<double>::quiet_NaN());
}

std::unique_ptr<SupportForces> FullSpace::support_forces(const std::vector<Support>& supports) const {
  const auto holding = std::count_if(supports.begin(), supports.end(),
                                     [](const Support& support) { return !support.vertices.empty(); });
  if (holding < 2 || !loops_) return nullptr;
  std::vector<std::vector<VertexId>> vertices;
  vertices.reserve(supports.size());
  for (const Support& support : supports) vertices.push_back(support.vertices);
  return loops_->support_forces(*body_, vertices);
}

void FullSpace::set_materials(const std::vector<Material>& materials) {
  rest_ = with_materials(*rest_, materials);
  if (loops_) loops_ = loops_->with_materials(materials);
}

}  // namespace pliant
