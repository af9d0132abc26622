// Cuts through full domains of `coupled` while they move: mass, momenta and energy stay, pieces part, states
// resume.
#include "model/coupled/coupled_case.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/model/cuttable.hpp"
#include "pliant/subspace/mass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pliant::test {
namespace {

constexpr std::array<Index, 3> kCells{12, 4, 3};

CoupledCase cuttable_beam(bool held, double g = 0.0, ElementKind kind = ElementKind::kTet) {
  DomainBasisSettings settings;
  settings.modes = 12;
  CoupledSource source = beam_source(3, settings, held, kCells, kind);
  source.full = {0, 1, 0};
  CoupledCase made(std::move(source));
  made.loads.gravity = Vector3(0.0, 0.0, -g);
  return made;
}

std::unique_ptr<Model> moving(const CoupledCase& made, Integrator integrator = Integrator::kEnergyMomentum,
                              double spin = 3.0) {
  std::unique_ptr<Model> model = made.coupled(steps_by(integrator));
  const VectorX v = tumbling(*made.elastic, Vector3(0.5, 0.1, 0.05), spin, 0.5);
  EXPECT_TRUE(model->start(0.0, made.zero(), v).healthy());
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(model->step(i / 90.0, 1.0 / 90.0).healthy());
  return model;
}

std::unique_ptr<Model> cut(const Model& model, const CutSurface& surface, CutReport& report) {
  Result<std::unique_ptr<Model>> made = dynamic_cast<const Cuttable&>(model).cut(surface, report);
  EXPECT_TRUE(made);
  return made ? std::move(made).value() : nullptr;
}

Vector3 place(const Model& model, const Vector3& rest) {
  const std::vector<Vector3>& vertices = model.mesh().vertices;
  std::size_t best = 0;
  for (std::size_t v = 0; v < vertices.size(); ++v)
    if ((vertices[v] - rest).norm() < (vertices[best] - rest).norm()) best = v;
  return vertices[best] + model.displacement(static_cast<VertexId>(best));
}

/// A plane through the middle of the body as it now is.
CutSurface across(const Model& model, const Vector3& normal) {
  const Vector3 middle =
      0.5 * (place(model, Vector3(0.5, 0.1, 0.033)) + place(model, Vector3(0.583, 0.1, 0.067)));
  return *plane_cut(middle, normal);
}

void expect_kept(const Model& before, const Model& after) {
  const Momenta a = before.momenta(), b = after.momenta();
  EXPECT_NEAR(b.mass, a.mass, 1e-10 * a.mass);
  EXPECT_LT((b.center - a.center).norm(), 1e-10);
  EXPECT_LT((b.linear - a.linear).norm(), 1e-10 * (1e-3 + a.linear.norm()));
  EXPECT_LT((b.angular - a.angular).norm(), 1e-10 * (1e-3 + a.angular.norm()));
  const double volume = element_volumes(before.mesh()).sum();
  EXPECT_NEAR(element_volumes(after.mesh()).sum(), volume, 1e-10 * volume);
  const Energies e = before.energies(), f = after.energies();
  EXPECT_NEAR(f.kinetic, e.kinetic, 1e-10 * e.kinetic);
  EXPECT_NEAR(f.strain, e.strain, 1e-10 * (e.kinetic + e.strain));
  EXPECT_NEAR(f.potential, e.potential, 1e-10 * (e.kinetic + std::abs(e.potential)));
}

TEST(Cutting, KeepsMassMomentaAndEnergy) {
  for (const Integrator integrator : {Integrator::kEnergyMomentum, Integrator::kNewmark}) {
    const CoupledCase made = cuttable_beam(false);
    const std::unique_ptr<Model> model = moving(made, integrator);
    CutReport report;
    const std::unique_ptr<Model> after = cut(*model, across(*model, Vector3(1.0, 0.3, -0.4)), report);
    ASSERT_TRUE(after);
    EXPECT_GT(report.split, 20);
    EXPECT_EQ(report.refused, 0);
    EXPECT_EQ(report.domains, std::vector<Index>{1});
    expect_kept(*model, *after);
    const Momenta first = after->momenta();
    const double energy = total(after->energies());
    for (int i = 10; i < 60; ++i) ASSERT_TRUE(after->step(i / 90.0, 1.0 / 90.0).healthy());
    EXPECT_LT((after->momenta().linear - first.linear).norm(), 1e-8 * first.linear.norm());
    EXPECT_LT((after->momenta().angular - first.angular).norm(), 1e-3 * first.angular.norm());
    EXPECT_LT(total(after->energies()), 1.01 * energy);
    // The halves fly apart: the spin pulls them.
    const double length =
        (place(*after, Vector3(1.0, 0.1, 0.05)) - place(*after, Vector3(0.0, 0.1, 0.05))).norm();
    EXPECT_GT(length, 1.2);
  }
}

TEST(Cutting, AMissLeavesTheBodyAsItIs) {
  const CoupledCase made = cuttable_beam(false);
  const std::unique_ptr<Model> model = moving(made);
  CutReport report;
  EXPECT_EQ(cut(*model, *plane_cut(Vector3(9.0, 0.0, 0.0), Vector3::UnitX()), report), nullptr);
  EXPECT_EQ(report.refused, 0);
  // Through a reduced domain: nothing is cut, and it says so.
  EXPECT_EQ(cut(*model, *plane_cut(place(*model, Vector3(0.1, 0.1, 0.05)), Vector3(1.0, 0.0, 0.0)), report),
            nullptr);
  EXPECT_GT(report.refused, 0);
}

/// Short blades anywhere, at any angle, one after the other.
TEST(Cutting, TwentyRandomCuts) {
  const CoupledCase made = cuttable_beam(false);
  std::unique_ptr<Model> model = moving(made);
  Rng rng(11);
  const auto direction = [&] { return Vector3(rng.normal(), rng.normal(), rng.normal()).normalized(); };
  int cuts = 0;
  for (int i = 0; i < 20; ++i) {
    const Vector3 middle =
        place(*model, Vector3(rng.uniform(0.37, 0.63), rng.uniform(0.0, 0.2), rng.uniform(0.0, 0.1)));
    const Vector3 along = 0.1 * direction(), way = direction();
    CutReport report;
    std::unique_ptr<Model> after =
        cut(*model, *blade_cut(middle - along - 0.1 * way, middle + along - 0.1 * way, way, 0.2), report);
    if (!after) continue;
    ++cuts;
    expect_kept(*model, *after);
    model = std::move(after);
    ASSERT_TRUE(model->step((10 + i) / 240.0, 1.0 / 240.0).healthy()) << i;
    ASSERT_TRUE(model->displacements().allFinite());
    ASSERT_TRUE(model->velocities().allFinite());
  }
  EXPECT_GT(cuts, 12);
  EXPECT_GT(model->mesh().vertex_count(), made.elastic->mesh().vertex_count() + 100);
}

TEST(Cutting, ResumesBitByBitWithAnyThreads) {
  const CoupledCase made = cuttable_beam(true, 9.81);
  std::vector<VectorX> ends;
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    std::unique_ptr<Model> model = moving(made, Integrator::kEnergyMomentum, 0.0);
    for (const double y : {0.0, 0.7}) {
      CutReport report;
      model = cut(*model, across(*model, Vector3(1.0, y, 0.2)), report);
      ASSERT_TRUE(model);
    }
    for (int i = 10; i < 15; ++i) ASSERT_TRUE(model->step(i / 90.0, 1.0 / 90.0).healthy());
    const std::unique_ptr<Model> whole = made.coupled(steps_by(Integrator::kEnergyMomentum));
    const StateArrays saved = model->save();
    Result<std::unique_ptr<Model>> other = dynamic_cast<const Cuttable&>(*whole).cut_as(saved);
    ASSERT_TRUE(other && other.value());
    ASSERT_TRUE(other.value()->restore(saved));
    for (int i = 15; i < 20; ++i) {
      ASSERT_TRUE(model->step(i / 90.0, 1.0 / 90.0).healthy());
      ASSERT_TRUE(other.value()->step(i / 90.0, 1.0 / 90.0).healthy());
    }
    EXPECT_EQ(model->displacements(), other.value()->displacements());
    EXPECT_EQ(model->velocities(), other.value()->velocities());
    ends.push_back(model->displacements());
    StateArrays broken = saved;
    broken["cut_tets"][5] = 1e9;
    EXPECT_FALSE(dynamic_cast<const Cuttable&>(*whole).cut_as(broken));
    broken = saved;
    broken.erase("cut_parents");
    EXPECT_FALSE(dynamic_cast<const Cuttable&>(*whole).cut_as(broken));
  }
  EXPECT_EQ(ends[0], ends[1]);
}

TEST(Cutting, TheHeldHalfStaysAndTheOtherFalls) {
  CoupledCase made = cuttable_beam(true, 9.81);
  // Pressure on the upper side: the parts of a cut face keep their area.
  Pressure pressure;
  for (const BoundaryFace& face : boundary_faces(made.elastic->mesh()))
    if (std::all_of(face.vertices.begin(), face.vertices.begin() + 3,
                    [&](VertexId v) { return made.elastic->mesh().vertices[to_size(v)].z() > 0.1 - 1e-9; }))
      pressure.faces.push_back(face);
  pressure.pascal = 100.0;
  made.loads.loads.push_back({"top", pressure, {}});
  std::unique_ptr<Model> model = made.coupled(steps_by(Integrator::kEnergyMomentum));
  ASSERT_TRUE(model->start(0.0, made.zero(), made.zero()).healthy());
  CutReport report;
  std::unique_ptr<Model> after = cut(*model, across(*model, Vector3(1.0, 0.2, 0.3)), report);
  ASSERT_TRUE(after);
  for (int i = 0; i < 45; ++i) ASSERT_TRUE(after->step(i / 90.0, 1.0 / 90.0).healthy());
  const double fallen = -0.05 + place(*after, Vector3(1.0, 0.1, 0.05)).z();
  const double weight = 1000.0 * 0.1 * 9.81;  // N/m², of the beam's depth
  EXPECT_NEAR(fallen, -0.5 * 0.25 * 9.81 * (1.0 + 100.0 / weight), 0.15);
  EXPECT_GT(place(*after, Vector3(0.05, 0.1, 0.05)).z(), 0.0);
}

TEST(Cutting, OnlyTetsOfFullDomainsAreCut) {
  const CoupledCase hexes = cuttable_beam(true, 0.0, ElementKind::kHex);
  const std::unique_ptr<Model> model = hexes.coupled(steps_by(Integrator::kMidpoint));
  CutReport report;
  const auto refused =
      dynamic_cast<const Cuttable&>(*model).cut(*plane_cut(Vector3(0.5, 0, 0), Vector3::UnitX()), report);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("linear tetrahedra"), std::string::npos);
  const CoupledCase reduced = coupled_beam(2, 10, 0.0);
  const std::unique_ptr<Model> none = reduced.coupled(steps_by(Integrator::kMidpoint));
  EXPECT_FALSE(dynamic_cast<const Cuttable&>(*none).may_be_cut());
}

}  // namespace
}  // namespace pliant::test
