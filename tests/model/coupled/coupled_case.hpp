// tests/model/coupled/coupled_case.hpp — bodies of coupled domains for the tests of `coupled`, beside `full`.
#pragma once

#include "pliant/model/coupled/coupled_model.hpp"
#include "pliant/model/full/full_model.hpp"
#include "reduce/coupled_rest.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pliant::test {

/// A body with supports and loads that `coupled` and `full` can be made of.
struct CoupledCase {
  explicit CoupledCase(CoupledSource source) : elastic(source.elastic) {
    if (!source.held.empty()) supports.push_back({"held", source.held, std::nullopt});
    Result<CoupledBody> reduced = reduce_coupled(std::move(source), no_progress());
    EXPECT_TRUE(reduced) << reduced.error().what;
    body = std::make_shared<const CoupledBody>(std::move(reduced).value());
  }

  [[nodiscard]] std::unique_ptr<Model> coupled(const StepSettings& settings) const {
    Result<std::unique_ptr<Model>> made = make_coupled_model({body, supports, loads}, settings);
    EXPECT_TRUE(made) << made.error().what;
    return std::move(made).value();
  }
  [[nodiscard]] std::unique_ptr<Model> full(const StepSettings& settings) const {
    return make_full_model({elastic, supports, loads}, settings).value();
  }
  /// The vertex nearest to a place.
  [[nodiscard]] VertexId near(const Vector3& place) const {
    VertexId best = 0;
    for (VertexId v = 0; v < elastic->mesh().vertex_count(); ++v)
      if ((elastic->mesh().vertices[to_size(v)] - place).norm() <
          (elastic->mesh().vertices[to_size(best)] - place).norm())
        best = v;
    return best;
  }
  [[nodiscard]] VectorX zero() const { return VectorX::Zero(elastic->dof_count()); }

  std::shared_ptr<const ElasticBody> elastic;
  std::vector<Support> supports;
  Loads loads;
  std::shared_ptr<const CoupledBody> body;
};

/// The beam of docs/theory/coupled.md in `domains` slices with r shapes each, under gravity g.
inline CoupledCase coupled_beam(Index domains, Index r, double g, bool held = true,
                                const std::array<Index, 3>& cells = {24, 4, 3}) {
  DomainBasisSettings settings;
  settings.modes = r;
  CoupledCase made(beam_source(domains, settings, held, cells));
  made.loads.gravity = Vector3(0.0, 0.0, -g);
  return made;
}

inline StepSettings steps_by(Integrator integrator, double tolerance = 1e-9) {
  StepSettings settings;
  settings.integrator = integrator;
  settings.newton_tolerance = tolerance;
  return settings;
}

inline double total(const Energies& e) { return e.kinetic + e.strain + e.potential; }

/// A velocity that turns, moves and bends a body about `center`.
inline VectorX tumbling(const ElasticBody& elastic, const Vector3& center, double spin, double bend) {
  VectorX v(elastic.dof_count());
  for (Index i = 0; i < v.size(); i += 3) {
    const Vector3 x = elastic.rest_positions().segment<3>(i) - center;
    v.segment<3>(i) = spin * Vector3(1.0, 2.0, 3.0).normalized().cross(x) +
                      Vector3(0.3, 0.0, bend * (4.0 * x.x() * x.x() - 1.0 / 3.0));
  }
  return v;
}

}  // namespace pliant::test
