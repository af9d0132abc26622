#include "pliant/scene/read_loads.hpp"

#include "pliant/base/text.hpp"
#include "pliant/scene/access.hpp"

#include <numbers>

namespace pliant {
namespace {

using namespace access;  // NOLINT(google-build-using-namespace)

/// Checks that times ascend and that there is one value for each.
void check_times(const Value& table, const std::string& path, std::string_view values_key, Reading& reading) {
  const Value* t = table.find("t");
  const Value* values = table.find(values_key);
  if (t == nullptr || values == nullptr || t->kind != Value::Kind::kArray ||
      values->kind != Value::Kind::kArray)
    return;
  if (t->items.empty())
    return reading.add(ErrorCode::kMissing, reading.place(*t, path + ".t"), "is empty",
                       "give at least one time");
  if (t->items.size() != values->items.size())
    reading.add(
        ErrorCode::kInconsistent, reading.place(*values, path + "." + std::string(values_key)),
        "has " + text(std::ssize(values->items)) + " entries for " + text(std::ssize(t->items)) + " times",
        "give one per time");
  for (std::size_t i = 1; i < t->items.size(); ++i) {
    if (t->items[i].number > t->items[i - 1].number) continue;
    reading.add(ErrorCode::kOutOfRange, reading.place(t->items[i], indexed(path + ".t", i)),
                "does not come after the time before it", "times must ascend");
    break;
  }
}

void read_force(const Value& table, const std::string& path, Reading& reading, LoadText& text) {
  ForceText force{vector(table, "force"), vectors(table, "points"), word(table, "spread") == "area"};
  if (table.has("points")) {
    if (table.has("where") || table.has("vertices") || force.by_area)
      reading.add(ErrorCode::kInconsistent, reading.place(table, path, "points"),
                  "stands beside another selection or spread", "points are a selection of their own");
    if (force.points.empty())
      reading.add(ErrorCode::kMissing, reading.place(table, path, "points"), "is empty",
                  "give a place [x, y, z]");
  } else {
    reading.need_selection(table, path, "vertices");
  }
  text.what = std::move(force);
}

Wind read_wind(const Value& table) {
  Wind wind;
  wind.velocity = vector(table, "velocity");
  wind.gust = number(table, "gust", wind.gust);
  wind.gust_period = number(table, "gust_period", wind.gust_period);
  wind.drag = number(table, "drag", wind.drag);
  wind.air_density = number(table, "air_density", wind.air_density);
  wind.tolerance = number(table, "tolerance", wind.tolerance);
  wind.seed = static_cast<std::uint64_t>(optional_integer(table, "seed").value_or(1));
  return wind;
}

}  // namespace

Motion read_motion_keys(const Value& table, const std::string& path, Reading& reading) {
  Motion motion;
  if (const Value* rotate = table.find("rotate")) {
    check_times(*rotate, path + ".rotate", "degrees", reading);
    RotationKeys keys{vector(*rotate, "axis"), vector(*rotate, "center"), numbers(*rotate, "t"),
                      numbers(*rotate, "degrees")};
    for (double& angle : keys.radians) angle *= std::numbers::pi / 180.0;
    if (rotate->has("axis") && !(keys.axis.norm() > 0.0))
      reading.add(ErrorCode::kOutOfRange, reading.place(*rotate, path + ".rotate", "axis"), "has no length",
                  "e.g. [1, 0, 0]");
    motion.rotation = std::move(keys);
  }
  if (const Value* translate = table.find("translate")) {
    check_times(*translate, path + ".translate", "by", reading);
    motion.translation = TranslationKeys{numbers(*translate, "t"), vectors(*translate, "by")};
  }
  if (const Value* shake = table.find("oscillate"))
    motion.oscillation = Oscillation{vector(*shake, "amplitude"), number(*shake, "frequency")};
  if (!motion.rotation && !motion.translation && !motion.oscillation)
    reading.add(ErrorCode::kMissing, reading.place(table, path), "says no motion",
                "give rotate, translate or oscillate; or use fixed");
  return motion;
}

MotionText read_motion(const Value& table, const std::string& path, Reading& reading) {
  MotionText text;
  text.vertices = reading.selection(table, path, "vertices");
  reading.need_selection(table, path, "vertices");
  text.motion = read_motion_keys(table, path, reading);
  return text;
}

void read_load(const Value& table, const std::string& path, Reading& reading, BodyText& body) {
  const int kinds = static_cast<int>(table.has("force")) + static_cast<int>(table.has("pressure")) +
                    static_cast<int>(table.has("wind"));
  if (kinds != 1)
    return reading.add(kinds == 0 ? ErrorCode::kMissing : ErrorCode::kInconsistent,
                       reading.place(table, path), kinds == 0 ? "says no load" : "says several loads",
                       "give one of force, pressure and wind");
  LoadText text;
  text.where = reading.place(table, path);
  text.selection = reading.selection(table, path, "vertices");
  if (table.has("force")) {
    read_force(table, path, reading, text);
  } else {
    for (const std::string_view key : {"vertices", "points", "spread"}) {
      if (table.has(key))
        reading.add(ErrorCode::kInconsistent, reading.place(table, path, key), "belongs to a force",
                    "leave it out");
    }
    if (table.has("pressure")) {
      text.what = PressureText{number(table, "pressure")};
      reading.need_selection(table, path, "vertices");
    } else {
      text.what = read_wind(*table.find("wind"));
    }
  }
  if (const Value* scale = table.find("table")) {
    check_times(*scale, path + ".table", "scale", reading);
    text.table = TimeTable{numbers(*scale, "t"), numbers(*scale, "scale")};
  }
  body.loads.push_back(std::move(text));
}

}  // namespace pliant
