#include "pliant/store/gltf.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/core/triangle_tree.hpp"
#include "pliant/mesh/core/vertex_normals.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>

namespace pliant {
namespace {

using Json = nlohmann::ordered_json;

// Numbers of the glTF 2.0 specification.
constexpr int kFloat = 5126;
constexpr int kUnsignedInt = 5125;
constexpr int kArrayBuffer = 34962;
constexpr int kElementArrayBuffer = 34963;
constexpr std::uint32_t kGlbMagic = 0x46546C67;
constexpr std::uint32_t kChunkJson = 0x4E4F534A;
constexpr std::uint32_t kChunkBinary = 0x004E4942;

// Larger than the angles between facets of coarse round bodies, smaller than the corner of a hexagonal prism.
constexpr double kCreaseDegrees = 40.0;

Vector3 face_normal(const Triangle& triangle, const std::vector<Vector3>& x) {
  const auto corner = [&](int i) -> const Vector3& { return x[to_size(triangle[to_size(i)])]; };
  return (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();  // zero stays zero
}

/// Groups the triangles around vertex v that are connected through edges without a crease: fan[i] is in group
/// result[i].
std::vector<std::size_t> smooth_groups(VertexId v, const std::vector<std::size_t>& fan,
                                       const std::vector<Triangle>& triangles,
                                       const std::vector<Vector3>& normals) {
  const double smooth = std::cos(kCreaseDegrees * std::numbers::pi / 180.0);
  std::vector<std::size_t> group(fan.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto root = [&](std::size_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  std::map<VertexId, std::size_t> across;  // other end of an edge at v → the last triangle of the fan there
  for (std::size_t i = 0; i < fan.size(); ++i)
    for (const VertexId w : triangles[fan[i]]) {
      if (w == v) continue;
      const auto [found, fresh] = across.try_emplace(w, i);
      if (fresh) continue;
      if (normals[fan[i]].dot(normals[fan[found->second]]) >= smooth) group[root(i)] = root(found->second);
      found->second = i;
    }
  for (std::size_t i = 0; i < fan.size(); ++i) group[i] = root(i);
  return group;
}

/// One vertex per smooth group of triangles around it, in the order of the caller's vertices.
struct SplitSurface {
  std::vector<Triangle> triangles;
  std::vector<VertexId> origin;
};

SplitSurface split_at_creases(const std::vector<Triangle>& triangles, const std::vector<Vector3>& x) {
  std::vector<Vector3> normals;
  std::vector<std::vector<std::size_t>> fans(x.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    normals.push_back(face_normal(triangles[t], x));
    for (const VertexId v : triangles[t]) fans[to_size(v)].push_back(t);
  }
  SplitSurface split{triangles, {}};
  for (std::size_t v = 0; v < x.size(); ++v) {
    const std::vector<std::size_t> group =
        smooth_groups(static_cast<VertexId>(v), fans[v], triangles, normals);
    std::map<std::size_t, VertexId> number;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto [found, fresh] = number.try_emplace(group[i], static_cast<VertexId>(split.origin.size()));
      if (fresh) split.origin.push_back(static_cast<VertexId>(v));
      const Triangle& old = triangles[fans[v][i]];
      for (int c = 0; c < 3; ++c)
        if (old[to_size(c)] == static_cast<VertexId>(v))
          split.triangles[fans[v][i]][to_size(c)] = found->second;
    }
  }
  return split;
}

std::vector<float> combine(const std::vector<float>& a, const std::vector<float>& b, float sign) {
  std::vector<float> out(a.size());
  std::transform(a.begin(), a.end(), b.begin(), out.begin(), [&](float x, float y) { return x + sign * y; });
  return out;
}

bool finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

/// The file under construction: the JSON part and the binary part to which it refers.
class Builder {
 public:
  Builder() {
    json_["asset"] = {{"version", "2.0"}, {"generator", "Pliant"}};
    json_["scene"] = 0;
    add("scenes", {{"nodes", Json::array({0})}});
  }

  Json& json() { return json_; }

  /// Appends an item to a list of the file and returns its index.
  Index add(const char* list, Json item) {
    json_[list].push_back(std::move(item));
    return std::ssize(json_[list]) - 1;
  }

  Index add_indices(const std::vector<Triangle>& triangles) {
    // Numbers are ≥ 0, so they have the bits of uint32.
    static_assert(sizeof(Triangle) == 3 * sizeof(std::uint32_t));
    const Index view = add_view(triangles.data(), triangles.size() * sizeof(Triangle), kElementArrayBuffer);
    return add("accessors", {{"bufferView", view},
                             {"componentType", kUnsignedInt},
                             {"count", 3 * triangles.size()},
                             {"type", "SCALAR"}});
  }

  /// `target` 0: not for drawing. The specification requires bounds for positions and key times.
  Index add_floats(const std::vector<float>& values, Index width, int target, bool bounds) {
    const Index view = add_view(values.data(), values.size() * sizeof(float), target);
    Json accessor{{"bufferView", view},
                  {"componentType", kFloat},
                  {"count", values.size() / to_size(width)},
                  {"type", width == 3 ? "VEC3" : "SCALAR"}};
    if (bounds) {
      Json low = Json::array();
      Json high = Json::array();
      for (std::size_t c = 0; c < to_size(width); ++c) {
        float least = values[c];
        float most = values[c];
        for (std::size_t i = c; i < values.size(); i += to_size(width)) {
          least = std::min(least, values[i]);
          most = std::max(most, values[i]);
        }
        low.push_back(static_cast<double>(least));
        high.push_back(static_cast<double>(most));
      }
      accessor["min"] = std::move(low);
      accessor["max"] = std::move(high);
    }
    return add("accessors", std::move(accessor));
  }

  /// Header, JSON chunk, binary chunk. The container has 32-bit sizes.
  Result<std::string> finish(const std::string& file_name) {
    add("buffers", {{"byteLength", binary_.size()}});
    // Names come from the user. Bytes that are not valid UTF-8 are replaced; by default the library would
    // throw.
    std::string text_part = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
    text_part.resize((text_part.size() + 3) / 4 * 4, ' ');
    const std::size_t total = 12 + 8 + text_part.size() + 8 + binary_.size();
    if (total > std::numeric_limits<std::uint32_t>::max())
      return Diagnostic{ErrorCode::kLimit,
                        {file_name, 0, 0, {}},
                        "the animation would have " + text(static_cast<Index>(total)) +
                            " bytes; a .glb file holds at most 4 GiB",
                        "use a coarser surface"};
    std::string file;
    file.reserve(total);
    for (const std::uint32_t word : {kGlbMagic, 2U, word32(total), word32(text_part.size()), kChunkJson})
      append(file, word);
    file += text_part;
    append(file, word32(binary_.size()));
    append(file, kChunkBinary);
    file += binary_;
    return file;
  }

 private:
  static std::uint32_t word32(std::size_t value) { return static_cast<std::uint32_t>(value); }
  static void append(std::string& out, std::uint32_t word) {
    std::array<char, 4> raw{};
    std::memcpy(raw.data(), &word, 4);
    out.append(raw.data(), 4);
  }

  Index add_view(const void* data, std::size_t size, int target) {
    Json view{{"buffer", 0}, {"byteOffset", binary_.size()}, {"byteLength", size}};
    if (target != 0) view["target"] = target;
    // All parts consist of 4-byte words, so they are aligned.
    binary_.append(static_cast<const char*>(data), size);
    return add("bufferViews", std::move(view));
  }

  Json json_;
  std::string binary_;
};

constexpr std::array<std::array<double, 3>, 6> kPalette{{{0.80, 0.36, 0.22},
                                                         {0.22, 0.46, 0.70},
                                                         {0.35, 0.58, 0.30},
                                                         {0.82, 0.62, 0.20},
                                                         {0.50, 0.36, 0.62},
                                                         {0.25, 0.58, 0.58}}};

Index add_material(Builder& builder, std::size_t body) {
  const auto& colour = kPalette[body % kPalette.size()];
  return builder.add("materials", {{"pbrMetallicRoughness",
                                    {{"baseColorFactor", {colour[0], colour[1], colour[2], 1.0}},
                                     {"metallicFactor", 0.0},
                                     {"roughnessFactor", 0.6}}},
                                   {"doubleSided", true}});
}

/// The base shape, and one morph target per shape with the difference from it.
Index add_mesh(Builder& builder, std::size_t body, const std::vector<Triangle>& triangles,
               const std::vector<float>& base, const std::vector<const std::vector<float>*>& shapes) {
  const VertexNormals surface(triangles, static_cast<Index>(base.size() / 3));
  const auto normals_at = [&](const std::vector<float>& x) {
    std::vector<float> normals(x.size());
    surface.evaluate<float>(x, normals);
    return normals;
  };
  const std::vector<float> base_normals = normals_at(base);
  Json primitive{{"attributes",
                  {{"POSITION", builder.add_floats(base, 3, kArrayBuffer, true)},
                   {"NORMAL", builder.add_floats(base_normals, 3, kArrayBuffer, false)}}},
                 {"indices", builder.add_indices(triangles)},
                 {"material", add_material(builder, body)}};
  for (const std::vector<float>* displacements : shapes) {
    const std::vector<float> normals = normals_at(combine(base, *displacements, 1.0F));
    primitive["targets"].push_back(
        {{"POSITION", builder.add_floats(*displacements, 3, kArrayBuffer, true)},
         {"NORMAL", builder.add_floats(combine(normals, base_normals, -1.0F), 3, kArrayBuffer, false)}});
  }
  return builder.add("meshes", {{"primitives", Json::array({std::move(primitive)})}});
}

/// Key frame k gives weight 1 to target k only. All bodies share the two accessors.
void add_animation(Builder& builder, const std::vector<float>& times, const std::vector<Index>& nodes) {
  const std::size_t count = times.size();
  std::vector<float> weights(count * count, 0.0F);
  for (std::size_t k = 0; k < count; ++k) weights[k * count + k] = 1.0F;
  const Index input = builder.add_floats(times, 1, 0, true);
  const Index output = builder.add_floats(weights, 1, 0, false);
  Json animation{{"name", "run"}};
  animation["samplers"].push_back({{"input", input}, {"interpolation", "LINEAR"}, {"output", output}});
  for (const Index node : nodes)
    animation["channels"].push_back({{"sampler", 0}, {"target", {{"node", node}, {"path", "weights"}}}});
  builder.add("animations", std::move(animation));
}

std::array<float, 3> point_of(const std::vector<float>& points, std::size_t i) {
  return {points[3 * i], points[3 * i + 1], points[3 * i + 2]};
}

float squared_distance(const std::array<float, 3>& a, const std::array<float, 3>& b) {
  float sum = 0.0F;
  for (std::size_t c = 0; c < 3; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

/// A point of a triangle by its barycentric coordinates.
struct SurfacePoint {
  std::array<std::size_t, 3> corners{};
  std::array<float, 3> weights{};
};

SurfaceMesh surface_of(const std::vector<float>& points, const std::vector<Triangle>& triangles) {
  SurfaceMesh surface;
  for (std::size_t i = 0; i + 2 < points.size(); i += 3)
    surface.vertices.emplace_back(points[i], points[i + 1], points[i + 2]);
  surface.triangles = triangles;
  return surface;
}

SurfacePoint nearest_on(const TriangleTree& tree, const std::vector<float>& points,
                        const std::vector<Triangle>& triangles, const std::array<float, 3>& place) {
  const TriangleTree::Nearest found = tree.nearest({place[0], place[1], place[2]});
  SurfacePoint result;
  if (found.triangle < 0) return result;
  std::array<Vector3, 3> x;
  for (std::size_t k = 0; k < 3; ++k) {
    result.corners[k] = to_size(triangles[to_size(found.triangle)][k]);
    const std::array<float, 3> corner = point_of(points, result.corners[k]);
    x[k] = Vector3(corner[0], corner[1], corner[2]);
  }
  const Vector3 normal = (x[1] - x[0]).cross(x[2] - x[0]);
  const double area = normal.squaredNorm();
  // Barycentric coordinate k: the area opposite to corner k over the whole, by normal·(edge ×
  // offset)/|normal|².
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3 opposite = x[(k + 2) % 3] - x[(k + 1) % 3];
    const Vector3 from = found.point - x[(k + 1) % 3];
    result.weights[k] =
        area > 0.0 ? static_cast<float>(normal.dot(opposite.cross(from)) / area) : 1.0F / 3.0F;
  }
  return result;
}

}  // namespace

GltfAnimation::Surface GltfAnimation::make_surface(std::string name, const std::vector<Triangle>& triangles,
                                                   const std::vector<Vector3>& rest_positions) {
  SplitSurface split = split_at_creases(triangles, rest_positions);
  Surface surface;
  surface.name = std::move(name);
  surface.caller_vertices = std::ssize(rest_positions);
  for (const VertexId v : split.origin)
    for (const double x : rest_positions[to_size(v)]) surface.rest.push_back(static_cast<float>(x));
  surface.triangles = std::move(split.triangles);
  surface.origin = std::move(split.origin);
  return surface;
}

void GltfAnimation::add_body(std::string name, const std::vector<Triangle>& triangles,
                             const std::vector<Vector3>& rest_positions) {
  PLIANT_ASSERT(seen_ == 0);
  surfaces_.push_back(make_surface(std::move(name), triangles, rest_positions));
}

void GltfAnimation::change_body(std::size_t body, const std::vector<Triangle>& triangles,
                                const std::vector<Vector3>& rest_positions,
                                std::span<const double> displacements) {
  const Surface before = std::move(surfaces_[body]);
  surfaces_[body] = make_surface(before.name, triangles, rest_positions);
  if (last_.displacements.empty()) return;
  const Surface& after = surfaces_[body];
  std::map<std::array<float, 3>, std::vector<std::size_t>> at_place;
  for (std::size_t i = 0; i < before.origin.size(); ++i) at_place[point_of(before.rest, i)].push_back(i);
  std::optional<TriangleTree> tree;  // for points that were not vertices: on an edge, or inside
  std::vector<SurfacePoint> past(after.origin.size());  // where each new vertex was on the old surface
  for (std::size_t i = 0; i < past.size(); ++i) {
    const auto found = at_place.find(point_of(after.rest, i));
    if (found == at_place.end()) {
      if (!tree) tree.emplace(surface_of(before.rest, before.triangles));
      past[i] = nearest_on(*tree, before.rest, before.triangles, point_of(after.rest, i));
      continue;
    }
    std::array<float, 3> now{};
    for (std::size_t c = 0; c < 3; ++c)
      now[c] = static_cast<float>(displacements[3 * to_size(after.origin[i]) + c]);
    const auto distance = [&](std::size_t k) {
      return squared_distance(point_of(last_.displacements[body], k), now);
    };
    const std::size_t same =
        *std::min_element(found->second.begin(), found->second.end(),
                          [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
    past[i] = {{same, same, same}, {1.0F, 0.0F, 0.0F}};
  }
  // Expresses the displacements of an earlier frame at the vertices of the new surface.
  const auto carry = [&](Frame& frame) {
    std::vector<float> carried;
    carried.reserve(after.rest.size());
    for (const SurfacePoint& point : past)
      for (std::size_t c = 0; c < 3; ++c) {
        float u = 0.0F;
        for (std::size_t k = 0; k < 3; ++k)
          u += point.weights[k] * frame.displacements[body][3 * point.corners[k] + c];
        carried.push_back(u);
      }
    frame.displacements[body] = std::move(carried);
  };
  for (Frame& frame : frames_) carry(frame);
  carry(last_);
}

Index GltfAnimation::frame_limit() const {
  Index frame_bytes = 1;
  for (const Surface& surface : surfaces_)  // a position and a normal per vertex
    frame_bytes += static_cast<Index>(2 * surface.rest.size() * sizeof(float));
  return std::max<Index>(2, std::min(limits_.key_frames, limits_.bytes / frame_bytes));
}

void GltfAnimation::add_frame(double t, std::span<const std::span<const double>> displacements) {
  PLIANT_ASSERT(displacements.size() == surfaces_.size());
  Frame frame{t, {}};
  for (std::size_t body = 0; body < surfaces_.size(); ++body) {
    const Surface& surface = surfaces_[body];
    PLIANT_ASSERT(std::ssize(displacements[body]) == 3 * surface.caller_vertices);
    std::vector<float> u;
    u.reserve(surface.rest.size());
    for (const VertexId v : surface.origin)
      for (std::size_t c = 0; c < 3; ++c)
        u.push_back(static_cast<float>(displacements[body][3 * to_size(v) + c]));
    if (!finite(u) || !finite(combine(surface.rest, u, 1.0F))) return;  // also if the sum overflows a float
    frame.displacements.push_back(std::move(u));
  }
  if (seen_++ % stride_ == 0) {
    // One place stays free for the last frame, which may fall between two kept ones.
    if (std::ssize(frames_) + 1 >= frame_limit()) {
      std::vector<Frame> kept;
      for (std::size_t i = 0; i < frames_.size(); i += 2) kept.push_back(std::move(frames_[i]));
      const bool taken = frames_.size() % 2 == 0;  // whether the new frame falls on the wider grid
      frames_ = std::move(kept);
      stride_ *= 2;
      if (taken) frames_.push_back(frame);
    } else {
      frames_.push_back(frame);
    }
  }
  last_ = std::move(frame);
}

std::vector<const GltfAnimation::Frame*> GltfAnimation::key_frames() const {
  std::vector<const Frame*> keys;
  const auto take = [&](const Frame& frame) {  // key times must ascend, also when rounded to float
    if (keys.empty() || static_cast<float>(frame.t) > static_cast<float>(keys.back()->t))
      keys.push_back(&frame);
  };
  for (const Frame& frame : frames_) take(frame);
  if (!keys.empty()) take(last_);
  return keys;
}

Index GltfAnimation::key_frame_count() const { return std::ssize(key_frames()); }

Result<std::string> GltfAnimation::write(const std::string& file_name) const {
  Builder builder;
  // A rotation by −90° about x turns our z axis (up) into glTF's y axis.
  const double half = std::numbers::sqrt2 / 2.0;
  builder.add("nodes", {{"name", "z up"}, {"rotation", {-half, 0.0, 0.0, half}}});

  const std::vector<const Frame*> keys = key_frames();
  std::vector<float> times;
  times.reserve(keys.size());
  for (const Frame* key : keys) times.push_back(static_cast<float>(key->t));
  std::vector<Index> nodes;
  for (std::size_t body = 0; body < surfaces_.size(); ++body) {
    const Surface& surface = surfaces_[body];
    if (surface.triangles.empty()) continue;  // glTF does not allow empty lists
    std::vector<const std::vector<float>*> shapes;
    shapes.reserve(keys.size());
    for (const Frame* key : keys) shapes.push_back(&key->displacements[body]);
    std::vector<float> base = surface.rest;
    // A single frame becomes the base shape itself, without morph targets.
    if (shapes.size() == 1) base = combine(base, *shapes[0], 1.0F);
    if (shapes.size() < 2) shapes.clear();
    const Index mesh = add_mesh(builder, body, surface.triangles, base, shapes);
    nodes.push_back(builder.add("nodes", {{"name", surface.name}, {"mesh", mesh}}));
  }
  if (nodes.empty())
    return Diagnostic{ErrorCode::kMissing, {file_name, 0, 0, {}}, "there is no surface to write", {}};
  builder.json()["nodes"][0]["children"] = nodes;
  if (keys.size() > 1) add_animation(builder, times, nodes);
  return builder.finish(file_name);
}

}  // namespace pliant
