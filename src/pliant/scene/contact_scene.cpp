#include "pliant/scene/contact_scene.hpp"

#include "pliant/base/text.hpp"
#include "pliant/contact/mesh_distance.hpp"
#include "pliant/file/surface_file.hpp"
#include "pliant/mesh/core/surface_report.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

Matrix3 rotation_of(const Vector3& degrees) {
  const Vector3 a = std::numbers::pi / 180.0 * degrees;
  const auto turn = [](double angle, const Vector3& axis) { return Eigen::AngleAxisd(angle, axis); };
  return (turn(a[2], Vector3::UnitZ()) * turn(a[1], Vector3::UnitY()) * turn(a[0], Vector3::UnitX()))
      .toRotationMatrix();
}

/// A closed surface from a file. What does not enclose anything has no inside to keep bodies out of.
Result<ContactShape> mesh_shape(const SceneDescription& scene, const ObstacleText& text) {
  Result<SurfaceFile> file = read_surface_file(scene.resolve(text.file));
  if (!file) {
    Diagnostics problems = file.errors();
    for (Diagnostic& problem : problems)
      if (problem.where.file.empty()) problem.where = text.file_where;
    return problems;
  }
  SurfaceMesh& mesh = file.value().mesh;
  const SurfaceReport found = report(mesh);
  if (!found.watertight || found.misoriented_edges > 0)
    return Diagnostic{ErrorCode::kInconsistent, text.file_where,
                      "is no closed surface: " + pliant::text(found.open_edges) + " open edges, " +
                          pliant::text(found.nonmanifold_edges) + " of more than two triangles, " +
                          pliant::text(found.misoriented_edges) +
                          " between triangles that face opposite sides",
                      "mend it, or make a closed one with pliant mesh"};
  if (found.volume < 0.0)
    for (Triangle& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  return ContactShape(ContactMesh{std::make_shared<const MeshDistance>(std::move(mesh))});
}

Result<ContactShape> shape_of(const SceneDescription& scene, const ObstacleText& text) {
  if (text.shape == "sphere") return ContactShape(ContactSphere{text.radius});
  if (text.shape == "capsule") return ContactShape(ContactCapsule{text.radius, text.length});
  if (text.shape == "box") return ContactShape(ContactBox{0.5 * text.size});
  if (text.shape == "cylinder") return cylinder_shape(text.radius, text.length);
  if (text.shape == "mesh") return mesh_shape(scene, text);
  if (text.shape == "funnel") return funnel_shape(text.top, text.neck, text.height, text.length);
  return ContactShape(ContactPlane{});
}

Obstacle make_obstacle(const SceneDescription& scene, const ObstacleText& text, ContactShape shape) {
  Obstacle obstacle{
      text.name, std::move(shape), {text.position, rotation_of(text.rotate_degrees)}, text.motion, {}};
  for (const ObstacleEventText& event : scene.obstacle_events)
    if (event.obstacle == text.name)
      obstacle.changes.push_back({event.t, event.by, event.over, event.enabled, event.friction});
  std::stable_sort(obstacle.changes.begin(), obstacle.changes.end(),
                   [](const ObstacleChange& a, const ObstacleChange& b) { return a.t < b.t; });
  if (text.shape == "plane")
    obstacle.rest.rotation = Eigen::Quaterniond::FromTwoVectors(
                                 Vector3::UnitZ(), obstacle.rest.rotation * text.normal.normalized())
                                 .toRotationMatrix();
  obstacle.density = text.density;
  obstacle.velocity = text.velocity;
  obstacle.spin = text.angular_velocity;
  return obstacle;
}

/// `friction`: each one's own, if it has any.
PairSettings make_pair(const ContactText& contact, const std::string& first, const std::string& second,
                       std::pair<std::optional<double>, std::optional<double>> friction) {
  PairSettings pair{
      true, std::sqrt(friction.first.value_or(contact.friction) * friction.second.value_or(contact.friction)),
      contact.restitution};
  for (const ContactPairText& own : contact.pairs) {
    const bool meant =
        (own.first == first && own.second == second) || (own.second == first && own.first == second);
    if (!meant) continue;
    pair.enabled = own.enabled;
    pair.friction = own.friction.value_or(pair.friction);
    pair.restitution = own.restitution.value_or(pair.restitution);
  }
  return pair;
}

}  // namespace

Result<ContactScene> make_contact_scene(const SceneDescription& scene,
                                        std::vector<std::shared_ptr<const CarriedSurface>> surfaces) {
  ContactScene made;
  made.surfaces = std::move(surfaces);
  Diagnostics problems;
  for (const ObstacleText& text : scene.obstacles) {
    Result<ContactShape> shape = shape_of(scene, text);
    if (shape)
      made.obstacles.push_back(make_obstacle(scene, text, std::move(shape).value()));
    else
      problems.insert(problems.end(), shape.errors().begin(), shape.errors().end());
  }
  if (!problems.empty()) return problems;
  for (const BodyText& body : scene.bodies)
    for (const ObstacleText& obstacle : scene.obstacles)
      made.pairs.push_back(
          make_pair(scene.contact, body.name, obstacle.name, {body.contact.friction, obstacle.friction}));
  for (const ObstacleText& first : scene.obstacles)
    for (const ObstacleText& second : scene.obstacles)
      made.obstacle_pairs.push_back(
          make_pair(scene.contact, first.name, second.name, {first.friction, second.friction}));
  made.gravity = scene.gravity;
  made.at_end = scene.integrator_given && scene.step.integrator == Integrator::kBackwardEuler;
  return made;
}

Integrator contact_integrator(const std::string& model_type) {
  return model_type == "tree" ? Integrator::kMidpoint : Integrator::kEnergyMomentum;
}

}  // namespace pliant
