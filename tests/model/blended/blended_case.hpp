// tests/model/blended/blended_case.hpp — bodies of overlapping domains for the tests of `blended`, beside
// `full`.
#pragma once

#include "pliant/build/blended.hpp"
#include "pliant/build/build_body.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/model/blended/blended_forces.hpp"
#include "pliant/model/blended/blended_model.hpp"
#include "pliant/model/full/full_model.hpp"
#include "pliant/reduce/exact_projection.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pliant::test {

/// A body with supports and loads that `blended` and `full` can be made of.
struct BlendedCase {
  BlendedCase(VolumeMesh mesh, MaterialMap materials, std::vector<Support> held, const BlendedSpec& spec)
      : elastic(std::make_shared<const ElasticBody>(std::move(mesh), std::move(materials))),
        supports(std::move(held)) {
    Result<BlendedOutcome> made = make_blended_body(spec, elastic, "body", supports, {}, no_progress());
    EXPECT_TRUE(made) << made.error().what;
    body = made.value().body;
    notes = made.value().notes;
    cubature = made.value().cubature;
  }

  [[nodiscard]] std::unique_ptr<Model> blended(const StepSettings& settings) const {
    Result<std::unique_ptr<Model>> made =
        make_blended_model({body, make_element_loops(elastic), supports, loads}, settings);
    EXPECT_TRUE(made) << made.error().what;
    return std::move(made).value();
  }
  [[nodiscard]] std::unique_ptr<Model> full(const StepSettings& settings) const {
    return make_full_model({elastic, supports, loads}, settings).value();
  }
  [[nodiscard]] std::unique_ptr<ReducedForces> forces() const {
    return blended_forces(body, elastic->materials().materials);
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
  std::shared_ptr<const BlendedBody> body;
  Diagnostics notes;
  std::optional<CubatureReport> cubature;
};

/// The beam of blended.md: 1 × 0.2 × 0.1 m, E = 1e6 Pa, clamped at x = 0 unless free.
inline std::vector<Support> clamped(const VolumeMesh& mesh) {
  Support wall{"x < 1e-6", {}, {}};
  for (VertexId v = 0; v < mesh.vertex_count(); ++v)
    if (mesh.vertices[to_size(v)].x() < 1e-6) wall.vertices.push_back(v);
  return {wall};
}

/// Seeds on the beam's axis at the given parts of its length.
inline BlendedSpec seeded(const std::vector<double>& places) {
  BlendedSpec spec;
  for (const double x : places) spec.seeds.emplace_back(x, 0.1, 0.05);
  return spec;
}

inline BlendedCase blended_beam(const BlendedSpec& spec, double g, bool held = true,
                                const std::array<Index, 3>& cells = {20, 5, 4},
                                ElementKind element = ElementKind::kTet, const Material& material = {}) {
  VolumeMesh mesh = generate_box({1.0, 0.2, 0.1}, cells, element);
  std::vector<Support> supports = held ? clamped(mesh) : std::vector<Support>{};
  BlendedCase made(std::move(mesh), {{material}, {}}, std::move(supports), spec);
  made.loads.gravity = Vector3(0.0, 0.0, -g);
  return made;
}

inline StepSettings steps_by(Integrator integrator, int iterations = 20, double tolerance = 1e-9) {
  StepSettings settings;
  settings.integrator = integrator;
  settings.newton_iterations = iterations;
  settings.newton_tolerance = tolerance;
  return settings;
}

inline double total(const Energies& e) { return e.kinetic + e.strain + e.potential; }

}  // namespace pliant::test
