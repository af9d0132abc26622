#include "pliant/contact/rigid_solid.hpp"

#include "pliant/contact/mesh_distance.hpp"
#include "pliant/math/rotation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace pliant {
namespace {

/// Sums over a fine grid of cells whose middle is inside.
MassProperties counted(const ContactShape& shape, double extent) {
  constexpr int kCells = 120;
  const double h = 2.0 * extent / kCells;
  double volume = 0.0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (int i = 0; i < kCells; ++i)
    for (int j = 0; j < kCells; ++j)
      for (int k = 0; k < kCells; ++k) {
        const Vector3 x = Vector3(i + 0.5, j + 0.5, k + 0.5) * h - Vector3::Constant(extent);
        if (distance_to(shape, x).gap > 0.0) continue;
        volume += h * h * h;
        first += h * h * h * x;
        second += h * h * h * x * x.transpose();
      }
  const Vector3 center = first / volume;
  second -= volume * center * center.transpose();
  return {volume, center, second.trace() * Matrix3::Identity() - second};
}

TEST(MassProperties, AreThoseOfTheSolid) {
  const std::vector<ContactShape> shapes{ContactSphere{0.8}, ContactCapsule{0.3, 0.9},
                                         ContactBox{Vector3(0.3, 0.5, 0.7)}, cylinder_shape(0.4, 1.2),
                                         funnel_shape(0.5, 0.2, 0.4, 0.3)};
  for (const ContactShape& shape : shapes) {
    const auto exact = mass_properties(shape);
    ASSERT_TRUE(exact);
    const MassProperties sum = counted(shape, 0.9);
    EXPECT_NEAR(exact->volume, sum.volume, 0.01 * sum.volume) << shape.index();
    EXPECT_LT((exact->center - sum.center).norm(), 0.005);
    EXPECT_LT((exact->inertia - sum.inertia).norm(), 0.015 * sum.inertia.norm()) << exact->inertia;
  }
  EXPECT_FALSE(mass_properties(ContactPlane{}));
}

TEST(MassProperties, OfAMeshAreThoseOfTheBoxThatItEncloses) {
  const Vector3 half(0.3, 0.5, 0.7), shift(3.0, -2.0, 1.0);
  SurfaceMesh mesh = surface_of(ContactBox{half}, 1.0);
  for (Vector3& x : mesh.vertices) x += shift;
  const auto own = mass_properties(ContactMesh{std::make_shared<const MeshDistance>(mesh)});
  const auto box = mass_properties(ContactBox{half});
  ASSERT_TRUE(own && box);
  EXPECT_NEAR(own->volume, box->volume, 1e-12);
  EXPECT_LT((own->center - shift).norm(), 1e-12);
  EXPECT_LT((own->inertia - box->inertia).norm(), 1e-12);
}

/// A book thrown about its middle axis tumbles; its energy and angular momentum stay.
TEST(RigidSolid, TumblesWithItsEnergyAndMomentum) {
  const RigidSolid book(*mass_properties(ContactBox{Vector3(0.1, 0.15, 0.02)}), 700.0);
  SolidState state;
  state.angular = book.inertia(state.rotation) * Vector3(10.0, 0.01, 0.02);
  const double energy = book.kinetic_energy(state);
  double least = 1.0;
  for (int i = 0; i < 2000; ++i) {
    state = book.after(state, 1.0 / 240, Vector3::Zero(), Vector3::Zero(), false);
    least = std::min(least, Vector3(state.rotation.col(0)).dot(Vector3::UnitX()));
    EXPECT_NEAR(book.kinetic_energy(state), energy, 1e-11 * energy);
  }
  EXPECT_LT((state.rotation.transpose() * state.rotation - Matrix3::Identity()).norm(), 1e-14);
  EXPECT_LT(least, 0.99);
}

TEST(RigidSolid, TurnsByTheSpinOfItsTop) {
  const RigidSolid top(*mass_properties(cylinder_shape(0.1, 0.05)), 1000.0);
  SolidState state;
  state.angular = top.inertia(state.rotation) * Vector3(0.0, 0.0, 3.0);
  state = top.after(state, 0.1, Vector3(0.0, 0.0, 1.0), Vector3::Zero(), false);
  EXPECT_LT((state.rotation - rotation_from_vector(Vector3(0.0, 0.0, 0.3))).norm(), 1e-14);
  EXPECT_NEAR(state.center[2], 0.05 / top.mass(), 1e-15);
}

}  // namespace
}  // namespace pliant
