#include "pliant/scene/instances_scene.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/instances_file.hpp"
#include "pliant/file/obj.hpp"
#include "pliant/mesh/core/winding_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

std::string class_name(Index c) { return "class_" + text(c + 1); }
std::string part_name(Index p) { return "part_" + text(p + 1); }

Box3 box_of(const SurfaceMesh& surface) {
  Box3 box;
  for (const Vector3& x : surface.vertices) box.extend(x);
  return box;
}

/// Cells along the longest side such that two fit into the thickness, within bounds. The thickness is
/// estimated as 2 volume / area, which is exact for a thin sheet.
Index resolution_for(const SurfaceMesh& part) {
  double area = 0;
  for (const Triangle& t : part.triangles) {
    const Vector3& a = part.vertices[to_size(t[0])];
    area += 0.5 * (part.vertices[to_size(t[1])] - a).cross(part.vertices[to_size(t[2])] - a).norm();
  }
  const double longest = box_of(part).sizes().maxCoeff();
  const double thickness = std::max(2 * std::abs(enclosed_volume(part)) / area, 1e-3 * longest);
  return std::clamp<Index>(static_cast<Index>(std::ceil(2 * longest / thickness)), 16, 120);
}

std::string class_text(const PartClass& part, const std::string& name, const std::string& file,
                       Index resolution, bool root) {
  std::string out = fmt::format(
      "\n[[body.class]]                       # {} cop{}\nname = \"{}\"\nmesh = \"{}\"\n"
      "mesher = {{ resolution = {} }}\n",
      part.copies, part.copies == 1 ? "y" : "ies", name, file, resolution);
  if (!root)
    out += fmt::format("base = \"hypot(x - {:.9g}, y - {:.9g}, z - {:.9g}) < {:.4g}\"\n", part.base.x(),
                       part.base.y(), part.base.z(), part.reach);
  return out;
}

std::string head_text(const SurfaceMesh& root, const std::string& stem) {
  const Box3 box = box_of(root);
  Index axis = 0;
  box.sizes().maxCoeff(&axis);
  const char letter = "xyz"[axis];
  Vector3 gravity = Vector3::Zero();
  gravity[axis] = -9.81;
  return fmt::format(
      "# Parts of {0}, each a copy of a class: `pliant decompose --instances` wrote this scene.\n"
      "# Materials, modes and resolutions are guesses to start from.\n\n"
      "[simulation]\ndt = 0.0041666667\nduration = 2\ngravity = [{1}, {2}, {3}]\n"
      "damping = {{ mass = 0.2, stiffness = 0.001 }}\n\n"
      "[[body]]\nname = \"{0}\"\nmaterial = {{ young = 5e6, poisson = 0.35, density = 600 }}\n"
      "fixed = [\"label == 1 && {4} < {5:.6g}\"]        # label 1 is the root\nmodel = {{ type = \"tree\", "
      "linear_modes = 5, modes = 12 }}\n"
      "instances = \"{0}_instances.txt\"\n",
      stem, text(gravity.x()), text(gravity.y()), text(gravity.z()), letter,
      box.min()[axis] + 0.06 * box.sizes()[axis]);
}

}  // namespace

InstancesScene instances_scene(const SurfaceMesh& surface, const Congruence& copies, const PartTree& tree,
                               const std::string& stem) {
  InstancesScene scene;
  scene.toml = head_text(extract_part(surface, copies.parts[to_size(tree.root)]), stem);
  for (std::size_t c = 0; c < tree.classes.size(); ++c) {
    const SurfaceMesh part = extract_part(surface, copies.parts[to_size(tree.classes[c].original)]);
    const std::string name = class_name(static_cast<Index>(c));
    const std::string file = fmt::format("{}_{}.obj", stem, name);
    const bool root_only =
        static_cast<Index>(c) == tree.class_of[to_size(tree.root)] && tree.classes[c].copies == 1;
    scene.toml += class_text(tree.classes[c], name, file, resolution_for(part), root_only);
    scene.surfaces.emplace_back(file, write_obj(part));
  }
  std::vector<AssemblyInstance> instances;
  instances.reserve(tree.class_of.size());
  for (std::size_t p = 0; p < tree.class_of.size(); ++p)
    instances.push_back({part_name(static_cast<Index>(p)),
                         class_name(tree.class_of[p]),
                         tree.parent[p] < 0 ? "" : part_name(tree.parent[p]),
                         tree.placements[p],
                         {}});
  scene.instances_name = stem + "_instances.txt";
  scene.instances = write_instances(instances);
  return scene;
}

}  // namespace pliant
