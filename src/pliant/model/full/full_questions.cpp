#include "pliant/model/full/full_questions.hpp"

#include "pliant/base/text.hpp"

#include <algorithm>

namespace pliant {

Energies energies_of(const ElasticBody& body, const Vector3& gravity, const VectorX& u, const VectorX& v) {
  VectorX momentum(v.size());
  body.apply_mass(v, momentum);
  Energies energies;
  energies.kinetic = 0.5 * v.dot(momentum);
  energies.strain = body.energy(u);
  const VectorX& masses = body.mass_row_sums();
  for (Index i = 0; i < masses.size(); ++i)
    energies.potential -= masses[i] * gravity.dot(u.segment<3>(3 * i));
  return energies;
}

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

Result<std::vector<char>> find_free(BodyDefinition& definition) {
  const Index n = definition.elastic->mesh().vertex_count();
  std::vector<char> free(to_size(3 * n), 1);
  const auto hold = [&](Index vertex) { std::fill_n(free.begin() + 3 * vertex, 3, char{0}); };
  std::vector<char> taken(to_size(n), 0);
  for (Support& support : definition.supports) {
    std::vector<VertexId> own;  // a vertex belongs to the first support that names it
    for (const VertexId vertex : support.vertices) {
      if (vertex < 0 || vertex >= n)
        return Diagnostic{ErrorCode::kOutOfRange,
                          {{}, 0, 0, support.name},
                          "vertex " + text(Index{vertex}) + " does not exist",
                          "the mesh has vertices 0 to " + text(n - 1)};
      if (taken[to_size(vertex)] != 0) continue;
      taken[to_size(vertex)] = 1;
      own.push_back(vertex);
      hold(vertex);
    }
    support.vertices = std::move(own);
  }
  // Vertices that no element uses have no mass; they stay where they are.
  for (Index vertex = 0; vertex < n; ++vertex)
    if (definition.elastic->lumped_mass()[vertex] <= 0.0) hold(vertex);
  if (std::find(free.begin(), free.end(), char{1}) == free.end())
    return Diagnostic{
        ErrorCode::kInconsistent, {}, "every vertex is held, so nothing can move", "fix a smaller selection"};
  return free;
}

}  // namespace pliant
