// tests/model/modal/bodies.hpp — reduced bodies for the tests of `modal`, beside their full counterparts.
#pragma once

#include "pliant/mesh/generate/generate.hpp"
#include "pliant/model/full/full_model.hpp"
#include "pliant/model/modal/modal_model.hpp"
#include "pliant/reduce/exact_projection.hpp"
#include "pliant/reduce/make_basis.hpp"
#include "pliant/reduce/reduce_body.hpp"

#include <functional>
#include <memory>

namespace pliant::test {

[[nodiscard]] std::vector<VertexId> vertices_where(const VolumeMesh& mesh,
                                                   const std::function<bool(const Vector3&)>& chosen);

/// One flag per degree of freedom: free unless a support holds it.
[[nodiscard]] std::vector<char> free_dofs(const ElasticBody& body, const std::vector<Support>& supports);

/// A body with supports and loads that both models can be made of.
struct Pair {
  std::shared_ptr<const ElasticBody> elastic;
  std::vector<Support> supports;
  Loads loads;
  std::shared_ptr<const ReducedBody> reduced;

  [[nodiscard]] std::unique_ptr<Model> full(const StepSettings& settings) const;
  [[nodiscard]] std::unique_ptr<Model> modal(const StepSettings& settings, Storage storage = Storage::kDouble,
                                             bool exact = false) const;
};

/// The beam of the design: 1 × 0.2 × 0.1, E = 1e6, ν = 0.3, ρ = 1000, held at x = 0, in the given basis.
[[nodiscard]] Pair beam(const std::array<Index, 3>& cells, const Vector3& gravity, Index linear_modes,
                        Index modes);

/// Every motion that the supports leave (free bodies: but the rigid ones) as a basis: modal must equal full.
void take_whole_space(Pair& pair);

/// Reduces to modes and derivatives.
void reduce(Pair& pair, const BasisSettings& settings);

}  // namespace pliant::test
