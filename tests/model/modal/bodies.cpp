#include "model/modal/bodies.hpp"

#include "support/support.hpp"

#include <gtest/gtest.h>

namespace pliant::test {

std::vector<VertexId> vertices_where(const VolumeMesh& mesh,
                                     const std::function<bool(const Vector3&)>& chosen) {
  std::vector<VertexId> list;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (chosen(mesh.vertices[v])) list.push_back(static_cast<VertexId>(v));
  return list;
}

std::vector<char> free_dofs(const ElasticBody& body, const std::vector<Support>& supports) {
  std::vector<char> free(to_size(body.dof_count()), 1);
  for (const Support& support : supports)
    for (const VertexId v : support.vertices)
      std::fill_n(free.begin() + 3 * static_cast<Index>(v), 3, char{0});
  return free;
}

std::unique_ptr<Model> Pair::full(const StepSettings& settings) const {
  auto model = make_full_model({elastic, supports, loads}, settings);
  EXPECT_TRUE(model.ok());
  return std::move(model).value();
}

std::unique_ptr<Model> Pair::modal(const StepSettings& settings, Storage storage, bool exact) const {
  auto model = make_modal_model(
      {reduced, elastic, make_element_loops(elastic), supports, loads, storage, exact}, settings);
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : model.error().what);
  return std::move(model).value();
}

void reduce(Pair& pair, const BasisSettings& settings) {
  auto basis = make_basis(*pair.elastic, free_dofs(*pair.elastic, pair.supports), settings, no_progress());
  ASSERT_TRUE(basis.ok()) << basis.error().what;
  auto reduced = reduce_body(*pair.elastic, std::move(basis).value(), no_progress());
  ASSERT_TRUE(reduced.ok()) << reduced.error().what;
  pair.reduced = std::make_shared<const ReducedBody>(std::move(reduced).value());
}

Pair beam(const std::array<Index, 3>& cells, const Vector3& gravity, Index linear_modes, Index modes) {
  Pair pair;
  Material material;
  pair.elastic = std::make_shared<ElasticBody>(generate_box({1.0, 0.2, 0.1}, cells, ElementKind::kTet),
                                               MaterialMap{{material}, {}});
  pair.supports = {
      {"x < 1e-6", vertices_where(pair.elastic->mesh(), [](const Vector3& x) { return x.x() < 1e-6; }), {}}};
  pair.loads.gravity = gravity;
  BasisSettings settings;
  settings.linear_modes = linear_modes;
  settings.modes = modes;
  reduce(pair, settings);
  return pair;
}

void take_whole_space(Pair& pair) {
  const std::vector<char> free = free_dofs(*pair.elastic, pair.supports);
  const auto count = static_cast<Index>(std::count(free.begin(), free.end(), char{1}));
  const bool flies = count == pair.elastic->dof_count();
  BasisSettings settings;
  settings.modes = 0;
  Rng rng(7);
  MatrixX shapes = MatrixX::Zero(pair.elastic->dof_count(), count - (flies ? 6 : 0));
  if (flies) {
    auto full = pair.full({});
    shapes = full->natural_frequencies(shapes.cols()).value().shapes;
  } else {
    Index column = 0;
    for (Index i = 0; i < pair.elastic->dof_count(); ++i)
      if (free[to_size(i)] != 0) shapes(i, column++) = 1.0;
  }
  Basis basis;
  basis.free = flies;
  // M-orthonormal by Gram–Schmidt, twice
  for (int sweep = 0; sweep < 2; ++sweep)
    for (Index c = 0; c < shapes.cols(); ++c) {
      VectorX momentum(shapes.rows());
      pair.elastic->apply_mass(shapes.col(c), momentum);
      for (Index b = 0; b < c; ++b) shapes.col(c) -= shapes.col(b).dot(momentum) * shapes.col(b);
      pair.elastic->apply_mass(shapes.col(c), momentum);
      shapes.col(c) /= std::sqrt(shapes.col(c).dot(momentum));
    }
  basis.shapes = shapes;
  basis.strength = VectorX::Ones(shapes.cols());
  auto reduced = reduce_body(*pair.elastic, std::move(basis), no_progress());
  ASSERT_TRUE(reduced.ok());
  pair.reduced = std::make_shared<const ReducedBody>(std::move(reduced).value());
}

}  // namespace pliant::test
