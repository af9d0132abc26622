#include "pliant/scene/read_contact.hpp"

#include "pliant/base/text.hpp"
#include "pliant/scene/access.hpp"
#include "pliant/scene/read_loads.hpp"

#include <algorithm>
#include <array>

namespace pliant {
namespace {

using namespace access;  // NOLINT(google-build-using-namespace)

/// The keys that give the size of each shape.
struct ShapeKeys {
  std::string_view shape;
  std::vector<std::string_view> keys;
};
const std::vector<ShapeKeys>& shape_keys() {
  static const std::vector<ShapeKeys> list{{"plane", {}},
                                           {"sphere", {"radius"}},
                                           {"capsule", {"radius", "length"}},
                                           {"box", {"size"}},
                                           {"cylinder", {"radius", "length"}},
                                           {"funnel", {"top", "neck", "height", "length"}},
                                           {"mesh", {"file"}}};
  return list;
}

void not_yet(const Value& table, const std::string& path, std::string_view key, std::string remedy,
             Reading& reading) {
  reading.add(ErrorCode::kUnsupported, reading.place(table, path, key), "is not available in this version",
              std::move(remedy));
}

/// Each shape has its own keys: reports those that are missing or belong to others.
void check_shape_keys(const Value& table, const std::string& path, const std::string& shape,
                      Reading& reading) {
  for (const ShapeKeys& known : shape_keys()) {
    for (const std::string_view key : known.keys) {
      const auto own = std::find_if(shape_keys().begin(), shape_keys().end(),
                                    [&](const ShapeKeys& one) { return one.shape == shape; });
      if (own == shape_keys().end()) return;
      const bool needed = std::find(own->keys.begin(), own->keys.end(), key) != own->keys.end();
      if (known.shape == shape && !table.has(key))
        reading.add(ErrorCode::kMissing, reading.place(table, path + "." + std::string(key)), "is missing",
                    "a " + shape + " needs it");
      if (!needed && table.has(key) && known.keys.front() == key)
        reading.add(ErrorCode::kInconsistent, reading.place(table, path, key),
                    "does not belong to a " + shape, "leave it out");
    }
  }
}

/// `density` and `initial`: a rigid body.
void read_solid(const Value& table, const std::string& path, Reading& reading, ObstacleText& text) {
  text.density = number(table, "density");
  text.density_where = reading.place(table, path, "density");
  if (const Value* start = table.find("initial")) {
    text.velocity = vector(*start, "velocity");
    text.angular_velocity = vector(*start, "angular_velocity");
    if (!table.has("density"))
      reading.add(ErrorCode::kInconsistent, reading.place(table, path, "initial"),
                  "is for obstacles with a density", "give it a density, or a motion instead");
  }
  if (!table.has("density")) return;
  if (text.shape == "plane")
    reading.add(ErrorCode::kInconsistent, text.density_where, "does not go with a plane, which has no end",
                "leave it out, or take a box");
  if (!tables(table, "motion").empty())
    reading.add(ErrorCode::kInconsistent, text.density_where, "does not go with a motion by keys",
                "leave out one of them; initial = { velocity = [..] } starts a rigid body");
}

ObstacleText read_obstacle(const Value& table, const std::string& path, Reading& reading) {
  ObstacleText text;
  text.name = word(table, "name");
  text.name_where = reading.place(table, path, "name");
  text.where = reading.place(table, path);
  text.shape = word(table, "shape");
  check_shape_keys(table, path, text.shape, reading);
  text.normal = vector(table, "normal", Vector3::UnitZ());
  if (text.shape == "plane" && !(text.normal.norm() > 0.0))
    reading.add(ErrorCode::kOutOfRange, reading.place(table, path, "normal"), "has no length",
                "e.g. [0, 0, 1]");
  text.size = vector(table, "size");
  text.radius = number(table, "radius");
  text.length = number(table, "length");
  text.top = number(table, "top");
  text.neck = number(table, "neck");
  text.height = number(table, "height");
  if (text.shape == "funnel" && table.has("top") && table.has("neck") && !(text.top > text.neck))
    reading.add(ErrorCode::kInconsistent, reading.place(table, path, "neck"), "is not narrower than the top",
                "a funnel narrows downwards");
  text.position = vector(table, "position");
  text.rotate_degrees = vector(table, "rotate");
  text.friction = optional_number(table, "friction");
  text.file = word(table, "file");
  text.file_where = reading.place(table, path, "file");
  read_solid(table, path, reading, text);
  const auto& motions = tables(table, "motion");
  if (motions.size() > 1)
    reading.add(ErrorCode::kInconsistent, reading.place(motions[1], indexed(path + ".motion", 1)),
                "is a second motion", "one motion may rotate, translate and oscillate at once");
  if (!motions.empty()) text.motion = read_motion_keys(motions[0], indexed(path + ".motion", 0), reading);
  return text;
}

void check_name(const std::string& name, const Location& where, const SceneDescription& scene,
                Reading& reading) {
  std::vector<std::string_view> names;
  names.reserve(scene.bodies.size() + scene.obstacles.size());
  for (const BodyText& body : scene.bodies) names.push_back(body.name);
  for (const ObstacleText& obstacle : scene.obstacles) names.push_back(obstacle.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string near = nearest_word(name, names);
  reading.add(
      ErrorCode::kNotFound, where, "there is no body or obstacle \"" + name + "\"",
      near.empty() ? "take the name of a [[body]] or an [[obstacle]]" : "did you mean \"" + near + "\"?");
}

ContactPairText read_pair(const Value& table, const std::string& path, const SceneDescription& scene,
                          Reading& reading) {
  ContactPairText text;
  text.where = reading.place(table, path, "between");
  text.friction = optional_number(table, "friction");
  text.restitution = optional_number(table, "restitution");
  const Value* enabled = table.find("enabled");
  text.enabled = enabled == nullptr || enabled->boolean;
  const Value* between = table.find("between");
  if (between == nullptr) return text;
  if (between->items.size() != 2) {
    reading.add(ErrorCode::kInconsistent, text.where, "must be two names", "e.g. [\"cube\", \"floor\"]");
    return text;
  }
  text.first = between->items[0].text;
  text.second = between->items[1].text;
  check_name(text.first, text.where, scene, reading);
  check_name(text.second, text.where, scene, reading);
  return text;
}

/// Contact forces are impulses, which Newmark's accelerations would carry into the next step.
void check_integrator(const Value& root, const SceneDescription& scene, Reading& reading) {
  if (!scene.integrator_given) return;
  const Integrator integrator = scene.step.integrator;
  if (integrator == Integrator::kEnergyMomentum || integrator == Integrator::kMidpoint ||
      integrator == Integrator::kBackwardEuler)
    return;
  const Value* simulation = root.find("simulation");
  reading.add(ErrorCode::kUnsupported,
              simulation != nullptr ? reading.place(*simulation, "simulation", "integrator") : Location{},
              "does not go with [contact]",
              "take \"energy-momentum\", \"midpoint\" or \"backward-euler\", or leave it out");
}

}  // namespace

BodyContactText read_body_contact(const Value& table) {
  BodyContactText text;
  if (const Value* enabled = table.find("enabled")) text.enabled = enabled->boolean;
  text.friction = optional_number(table, "friction");
  return text;
}

bool read_obstacle_event(const Value& table, const std::string& path, Reading& reading,
                         SceneDescription& scene) {
  constexpr std::array<std::string_view, 3> kChanges{"move", "enabled", "friction"};
  constexpr std::array<std::string_view, 7> kOfBodies{"body",   "gravity", "set",    "region",
                                                      "domain", "detach",  "replace"};
  const auto first = [&](const auto& keys) {
    return std::find_if(keys.begin(), keys.end(), [&](std::string_view key) { return table.has(key); });
  };
  const auto change = first(kChanges);
  if (!table.has("obstacle")) {
    if (change == kChanges.end()) return false;
    reading.add(ErrorCode::kMissing, reading.place(table, path + ".obstacle"), "is missing",
                "which obstacle has the new `" + std::string(*change) + "`?");
    return true;
  }
  ObstacleEventText text;
  text.t = number(table, "t");
  text.obstacle = word(table, "obstacle");
  text.where = reading.place(table, path, "obstacle");
  if (const auto other = first(kOfBodies); other != kOfBodies.end())
    reading.add(ErrorCode::kInconsistent, reading.place(table, path, *other), "stands beside `obstacle`",
                "write an [[event]] for each");
  if (change == kChanges.end())
    reading.add(ErrorCode::kMissing, reading.place(table, path), "says nothing that changes",
                "give move = { by = [x, y, z], over = ... }, enabled or friction");
  if (const Value* move = table.find("move")) {
    text.by = vector(*move, "by");
    text.over = number(*move, "over");
  }
  if (const Value* enabled = table.find("enabled")) text.enabled = enabled->boolean;
  text.friction = optional_number(table, "friction");
  scene.obstacle_events.push_back(std::move(text));
  return true;
}

/// Events and probes come before the obstacles that they name.
static void check_obstacle(const std::string& name, const Location& where, const SceneDescription& scene,
                           Reading& reading) {
  if (!scene.contact.given)
    reading.add(ErrorCode::kMissing, where, "needs a scene in which bodies touch", "add [contact] to it");
  std::vector<std::string_view> names;
  names.reserve(scene.obstacles.size());
  for (const ObstacleText& obstacle : scene.obstacles) names.push_back(obstacle.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string near = nearest_word(name, names);
  reading.add(ErrorCode::kNotFound, where, "there is no obstacle \"" + name + "\"",
              near.empty() ? "take the name of an [[obstacle]]" : "did you mean \"" + near + "\"?");
}

static void check_named_obstacles(const SceneDescription& scene, Reading& reading) {
  for (const ObstacleEventText& event : scene.obstacle_events)
    check_obstacle(event.obstacle, event.where, scene, reading);
  for (const ProbeText& probe : scene.probes)
    if (probe.obstacle) check_obstacle(*probe.obstacle, probe.where, scene, reading);
}

void read_contact(const Value& root, Reading& reading, SceneDescription& scene) {
  const auto& obstacles = tables(root, "obstacle");
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    const std::string path = indexed("obstacle", i);
    scene.obstacles.push_back(read_obstacle(obstacles[i], path, reading));
    for (const BodyText& body : scene.bodies)
      if (body.name == scene.obstacles.back().name)
        reading.add(ErrorCode::kInconsistent, scene.obstacles.back().name_where,
                    "\"" + body.name + "\" is also the name of a body", "give each its own name");
  }
  const Value* table = root.find("contact");
  scene.contact.given = table != nullptr;
  check_named_obstacles(scene, reading);
  if (table == nullptr) return;
  scene.contact.friction = number(*table, "friction", 0.5);
  scene.contact.restitution = number(*table, "restitution");
  const auto flag = [](const Value& of, std::string_view key) {
    const Value* value = of.find(key);
    return value != nullptr && value->boolean;
  };
  scene.contact.flexibility = flag(*table, "flexibility");
  if (flag(*table, "self")) not_yet(*table, "contact", "self", "take self = false", reading);
  if (table->has("method") && word(*table, "method") != "penalty")
    not_yet(*table, "contact", "method", "take method = \"penalty\"", reading);
  const auto& bodies = tables(root, "body");
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (const Value* own = bodies[i].find("contact"); own != nullptr && flag(*own, "self"))
      not_yet(*own, indexed("body", i) + ".contact", "self", "leave it out", reading);
  const auto& pairs = tables(*table, "pair");
  for (std::size_t i = 0; i < pairs.size(); ++i)
    scene.contact.pairs.push_back(read_pair(pairs[i], indexed("contact.pair", i), scene, reading));
  check_integrator(root, scene, reading);
}

}  // namespace pliant
