// Thin places of a shape in one piece: the tet mesher must not tear it apart.
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/fill/stuff.hpp"
#include "shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pliant {
namespace {

constexpr Index kResolution = 20;
constexpr double kLength = 2.0, kCell = kLength / kResolution;

double box_distance(const Vector3& p, const Vector3& half) {
  const Vector3 d = p.cwiseAbs() - half;
  return d.cwiseMax(0.0).norm() + std::min(0.0, d.maxCoeff());
}

/// Two blocks of 0.6, 1.4 apart from centre to centre, and between them a bar of the given half thickness,
/// somewhere between lattice points.
ImplicitSolid dumbbell(const Vector3& half, const Vector3& offset) {
  return {[=](const Vector3& p) {
            const Vector3 shift(0.7, 0.0, 0.0);
            const Vector3 block(0.3, 0.3, 0.3);
            return std::min({box_distance(p - shift, block), box_distance(p + shift, block),
                             box_distance(p - offset, half)});
          },
          Box3(Vector3(-1.0, -0.3, -0.3), Vector3(1.0, 0.3, 0.3))};
}

MesherOutput filled(const Solid& solid) {
  Result<MesherOutput> output = stuff(solid, kResolution, no_progress());
  EXPECT_TRUE(output.ok());
  return std::move(output).value();
}

TEST(Bridges, NecksAndPlatesOfHalfACellHoldTheirEnds) {
  const double thin = 0.25 * kCell;  // half of half a cell
  struct Case {
    const char* name;
    Vector3 half, offset;
  };
  for (const Case& each : {Case{"neck", {0.5, thin, thin}, {0.0, 0.013, 0.027}},
                           Case{"plate", {0.5, 0.3, thin}, {0.0, 0.0, 0.027}},
                           Case{"upright plate", {0.5, thin, 0.3}, {0.0, 0.023, 0.0}},
                           Case{"thinner neck", {0.5, 0.5 * thin, 0.5 * thin}, {0.0, 0.031, -0.018}}}) {
    SCOPED_TRACE(each.name);
    const MesherOutput output = filled(dumbbell(each.half, each.offset));
    EXPECT_EQ(find_parts(output.mesh).parts.size(), 1U);
    EXPECT_EQ(test::face_components(output.mesh), 1);
    const MeshReport report = measure(output.mesh);
    EXPECT_GT(report.dihedral_deg[0], 10.78);
    EXPECT_LT(report.dihedral_deg[1], 164.74);
    // blocks are right to second order, and a bridge is about a cell thick
    EXPECT_NEAR(report.volume, 2 * 0.216, 0.06);
  }
}

TEST(Bridges, ANoteSaysWhereAndWhichResolutionIsNeeded) {
  const double thin = 0.25 * kCell;
  const MesherOutput output = filled(dumbbell({0.5, thin, thin}, {0.0, 0.03, 0.03}));
  ASSERT_EQ(output.notes.size(), 1U);
  EXPECT_NE(output.notes[0].what.find("1 thin place was made a cell thick"), std::string::npos)
      << output.notes[0].what;
  EXPECT_NE(output.notes[0].remedy.find("resolution "), std::string::npos);
}

TEST(Bridges, WhatTheShapeSeparatesStaysSeparate) {
  for (const double gap : {0.3, 1.0, 2.0}) {  // cells
    const ImplicitSolid two{[=](const Vector3& p) {
                              const Vector3 shift(0.5 + 0.25 * gap * kCell, 0.0, 0.0);
                              const Vector3 block(0.5 - 0.25 * gap * kCell, 0.3, 0.3);
                              return std::min(box_distance(p - shift, block), box_distance(p + shift, block));
                            },
                            Box3(Vector3(-1.0, -0.3, -0.3), Vector3(1.0, 0.3, 0.3))};
    const MesherOutput output = filled(two);
    for (const Diagnostic& note : output.notes) EXPECT_EQ(note.what.find("thin place"), std::string::npos);
    if (gap >= 1.0) {
      EXPECT_EQ(find_parts(output.mesh).parts.size(), 2U) << gap;
    }
  }
}

TEST(Bridges, ShapesWithoutThinPlacesAreLeftAlone) {
  const MesherOutput output = filled(dumbbell({0.5, 0.2, 0.2}, Vector3::Zero()));
  EXPECT_TRUE(output.notes.empty());
  EXPECT_NEAR(measure(output.mesh).volume, 2 * 0.216 + 0.8 * 0.16, 0.01);
}

}  // namespace
}  // namespace pliant
