#include "pliant/contact/approach.hpp"

#include <algorithm>

namespace pliant {
namespace {

constexpr int kMaxMarches = 64;  // along the way
constexpr double kTouch = 1e-6;  // of the way: nearer than that is a hit

/// The gap over the tangent plane at a place on the way, or that of the solid if it is on the same side.
Distance beyond(const ContactShape& shape, const Vector3& place, const Distance& there, const Vector3& to) {
  Distance end = distance_to(shape, to);
  const double over_plane = there.gap + there.normal.dot(to - place);
  if (end.normal.dot(there.normal) >= kSameSide) return end;
  return {over_plane, there.normal};
}

}  // namespace

Distance gap_after(const ContactShape& shape, const Vector3& from, const Distance& start, const Vector3& to) {
  const Vector3 way = to - from;
  const double length = way.norm();
  if (start.gap <= 0.0) return beyond(shape, from, start, to);
  if (start.gap > length) return distance_to(shape, to);
  // Sphere tracing: the way is free at least as far as the distance to the solid.
  Vector3 place = from;
  Distance here = start;
  double travelled = 0.0;
  for (int march = 0; march < kMaxMarches; ++march) {
    travelled += std::max(here.gap, kTouch * length);
    if (travelled >= length) return distance_to(shape, to);
    place = from + travelled / length * way;
    here = distance_to(shape, place);
    if (here.gap <= kTouch * length) return beyond(shape, place, here, to);
  }
  return distance_to(shape, to);
}

std::optional<Distance> depth_along(const ContactShape& shape, const Vector3& from, const Vector3& outward) {
  double depth = 0.0;
  for (int march = 0; march < kMaxMarches; ++march) {
    const Distance here = distance_to(shape, from + depth * outward);
    depth += std::max(-here.gap, kTouch * depth);
    if (-here.gap <= kTouch * depth) return Distance{-depth, outward};
  }
  return std::nullopt;
}

void TouchedSide::keep(const Vector3& at, bool rubs, Distance& distance) {
  if (!known) {
    if (!(distance.gap < 0.0 || rubs)) return;
    known = true;
    plane = distance;
    place = at;
    return;
  }
  if (distance.normal.dot(plane.normal) >= kSameSide) return;
  distance = {plane.gap + plane.normal.dot(at - place), plane.normal};
}

}  // namespace pliant
