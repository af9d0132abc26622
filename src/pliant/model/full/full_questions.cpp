#include "pliant/model/full/full_questions.hpp"

namespace pliant {

Momenta momenta_of(const RestBody& body, const VectorX& u, const VectorX& v) {
  const VectorX x = body.rest_positions() + u;
  VectorX momentum(v.size());
  body.apply_mass(v, momentum);
  Momenta m;
  m.mass = body.total_mass();
  const VectorX& masses = body.mass_row_sums();
  for (Index i = 0; i < masses.size(); ++i) {
    m.center += masses[i] / m.mass * x.segment<3>(3 * i);
    m.linear += momentum.segment<3>(3 * i);
  }
  for (Index i = 0; i < masses.size(); ++i)
    m.angular += (x.segment<3>(3 * i) - m.center).cross(momentum.segment<3>(3 * i));
  return m;
}

std::vector<Reaction> reactions_of(const std::vector<Support>& supports, const VectorX& rest,
                                   const VectorX& u, const VectorX& residual, double time) {
  std::vector<Reaction> result;
  for (const Support& support : supports) {
    Reaction reaction;
    const auto position = [&](VertexId vertex) -> Vector3 {
      const Index i = 3 * static_cast<Index>(vertex);
      return rest.segment<3>(i) + u.segment<3>(i);
    };
    if (support.motion && support.motion->rotation) {
      reaction.about = support.motion->place(time, support.motion->rotation->center);
    } else {
      for (const VertexId vertex : support.vertices)
        reaction.about += position(vertex) / static_cast<double>(support.vertices.size());
    }
    for (const VertexId vertex : support.vertices) {
      const Vector3 force = residual.segment<3>(3 * static_cast<Index>(vertex));
      reaction.force += force;
      reaction.moment += (position(vertex) - reaction.about).cross(force);
    }
    result.push_back(reaction);
  }
  return result;
}

}  // namespace pliant
