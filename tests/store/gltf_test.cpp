#include "pliant/store/gltf.hpp"

#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/generate/generate.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <limits>
#include <map>

namespace pliant {
namespace {

using Json = nlohmann::json;

/// A .glb taken apart by its specification, apart from the writer's code.
struct Glb {
  Json json;
  std::string binary;

  explicit Glb(const std::string& bytes) {
    const auto word = [&](std::size_t at) {
      std::uint32_t value = 0;
      std::memcpy(&value, bytes.data() + at, 4);
      return value;
    };
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(word(4), 2U);
    EXPECT_EQ(word(8), bytes.size());
    const std::size_t json_size = word(12);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    json = Json::parse(bytes.substr(20, json_size));
    const std::size_t binary_size = word(20 + json_size);
    EXPECT_EQ(bytes.substr(24 + json_size, 3), "BIN");
    binary = bytes.substr(28 + json_size);
    EXPECT_EQ(binary.size(), binary_size);
    EXPECT_EQ(binary.size() % 4, 0U);
    EXPECT_EQ(json_size % 4, 0U);
  }

  template <class T>
  [[nodiscard]] std::vector<T> values(std::size_t accessor) const {
    const Json& a = json["accessors"][accessor];
    const Json& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
    const std::size_t width = a["type"] == "VEC3" ? 3 : 1;
    std::vector<T> out(a["count"].get<std::size_t>() * width);
    EXPECT_EQ(out.size() * sizeof(T), view["byteLength"].get<std::size_t>());
    std::memcpy(out.data(), binary.data() + view["byteOffset"].get<std::size_t>(), out.size() * sizeof(T));
    return out;
  }
  [[nodiscard]] std::vector<float> times() const {
    return values<float>(json["animations"][0]["samplers"][0]["input"].get<std::size_t>());
  }
  [[nodiscard]] const Json& primitive(std::size_t mesh = 0) const {
    return json["meshes"][mesh]["primitives"][0];
  }
};

struct Bodies {
  VolumeMesh mesh = generate_box(Vector3(1.0, 0.2, 0.1), {4, 1, 1}, ElementKind::kTet);
  std::vector<Triangle> triangles = boundary_triangles(boundary_faces(mesh));

  /// Vertex v at time t moves by this much: bends, and differs at every vertex and time.
  [[nodiscard]] std::vector<double> displacements(double t) const {
    std::vector<double> u;
    for (const Vector3& x : mesh.vertices) u.insert(u.end(), {0.0, 0.1 * t * x[1], -t * x[0] * x[0]});
    return u;
  }
};

GltfAnimation animate(const Bodies& bodies, Index frames, double dt, const GltfLimits& limits = {}) {
  GltfAnimation animation(limits);
  animation.add_body("beam", bodies.triangles, bodies.mesh.vertices);
  for (Index i = 0; i < frames; ++i) {
    const std::vector<double> u = bodies.displacements(static_cast<double>(i) * dt);
    const std::array<std::span<const double>, 1> all{u};
    animation.add_frame(static_cast<double>(i) * dt, all);
  }
  return animation;
}

Glb parsed(const GltfAnimation& animation) {
  Result<std::string> bytes = animation.write("a.glb");
  EXPECT_TRUE(bytes.ok());
  return Glb(bytes.value());
}

TEST(Gltf, TargetsCarryTheShapesOfTheFrames) {
  const Bodies bodies;
  const Glb glb = parsed(animate(bodies, 5, 0.25));
  EXPECT_EQ(glb.times(), (std::vector<float>{0.0F, 0.25F, 0.5F, 0.75F, 1.0F}));
  const Json& primitive = glb.primitive();
  ASSERT_EQ(primitive["targets"].size(), 5U);
  const auto base = glb.values<float>(primitive["attributes"]["POSITION"].get<std::size_t>());
  for (std::size_t k = 0; k < 5; ++k) {
    const auto shift = glb.values<float>(primitive["targets"][k]["POSITION"].get<std::size_t>());
    const float t = 0.25F * static_cast<float>(k);
    ASSERT_EQ(shift.size(), base.size());
    for (std::size_t v = 0; v < base.size(); v += 3) {  // single precision of numbers below 1
      EXPECT_NEAR(shift[v + 1], 0.1F * t * base[v + 1], 1e-7F);
      EXPECT_NEAR(shift[v + 2], -t * base[v] * base[v], 1e-7F);
    }
  }
}

/// A box that comes apart in the middle: frames before have both sides where the one was, later ones have
/// them apart, and what was inside has gone along with a vertex near it.
TEST(Gltf, TornBodyWasWholeBefore) {
  const VolumeMesh whole = generate_box(Vector3(1.0, 0.2, 0.2), {4, 2, 2}, ElementKind::kHex);
  VolumeMesh torn = whole;
  std::map<VertexId, VertexId> copies;
  for (Hex& hex : torn.hexes) {
    double x = 0.0;
    for (const VertexId v : hex) x += whole.vertices[to_size(v)].x() / 8.0;
    for (VertexId& v : hex) {
      const Vector3 place = whole.vertices[to_size(v)];
      if (x < 0.5 || place.x() > 0.5 + 1e-9) continue;
      const auto [copy, fresh] = copies.try_emplace(v, static_cast<VertexId>(torn.vertices.size()));
      if (fresh) torn.vertices.push_back(place);
      v = copy->second;
    }
  }
  ASSERT_EQ(copies.size(), 9U);
  const auto lift = [](const VolumeMesh& mesh, double all, double far_half) {
    std::vector<double> u(3 * mesh.vertices.size());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      u[3 * v + 2] = all + (mesh.vertices[v].x() > 0.5 + 1e-9 || v >= 45 ? far_half : 0.0);
    return u;
  };
  ASSERT_EQ(whole.vertices.size(), 45U);
  GltfAnimation animation;
  animation.add_body("box", boundary_triangles(boundary_faces(whole)), whole.vertices);
  const auto add = [&](double t, const std::vector<double>& u) {
    const std::array<std::span<const double>, 1> all{u};
    animation.add_frame(t, all);
  };
  add(0.0, lift(whole, 0.0, 0.0));
  add(1.0, lift(whole, 0.25, 0.0));
  const std::vector<double> apart = lift(torn, 0.5, 1.0);
  animation.change_body(0, boundary_triangles(boundary_faces(torn)), torn.vertices, apart);
  add(2.0, apart);
  // again, so that places at rest are those of several vertices
  animation.change_body(0, boundary_triangles(boundary_faces(torn)), torn.vertices, apart);
  const Glb glb = parsed(animation);
  const Json& primitive = glb.primitive();
  ASSERT_EQ(primitive["targets"].size(), 3U);
  const auto base = glb.values<float>(primitive["attributes"]["POSITION"].get<std::size_t>());
  const auto target = [&](std::size_t k) {
    return glb.values<float>(primitive["targets"][k]["POSITION"].get<std::size_t>());
  };
  const std::vector<float> first = target(0), second = target(1), third = target(2);
  ASSERT_EQ(third.size(), base.size());
  int lifted = 0, left = 0;
  for (std::size_t v = 0; v < base.size(); v += 3) {
    EXPECT_EQ(first[v + 2], 0.0F);
    EXPECT_EQ(second[v + 2], 0.25F);
    if (std::abs(base[v] - 0.5F) < 1e-6F)
      (third[v + 2] == 1.5F ? lifted : left) += 1;
    else
      EXPECT_EQ(third[v + 2], base[v] > 0.5F ? 1.5F : 0.5F);
  }
  EXPECT_EQ(lifted, left);
  EXPECT_GE(lifted, 9);
}

TEST(Gltf, WeightsPickOneTargetPerKeyFrame) {
  const Bodies bodies;
  const Glb glb = parsed(animate(bodies, 4, 0.1));
  const Json& animation = glb.json["animations"][0];
  EXPECT_EQ(animation["samplers"][0]["interpolation"], "LINEAR");
  EXPECT_EQ(animation["channels"][0]["target"]["path"], "weights");
  const auto weights = glb.values<float>(animation["samplers"][0]["output"].get<std::size_t>());
  ASSERT_EQ(weights.size(), 16U);
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(weights[4 * k + j], k == j ? 1.0F : 0.0F);
}

TEST(Gltf, CreasesSplitVerticesAndNormalsAreUnit) {
  const Bodies bodies;  // 4 x 1 x 1 cells: 20 vertices, 8 of them corners, 12 on long edges
  const Glb glb = parsed(animate(bodies, 2, 1.0));
  const Json& attributes = glb.primitive()["attributes"];
  const auto x = glb.values<float>(attributes["POSITION"].get<std::size_t>());
  const auto normals = glb.values<float>(attributes["NORMAL"].get<std::size_t>());
  EXPECT_EQ(x.size() / 3, 8U * 3U + 12U * 2U);
  ASSERT_EQ(normals.size(), x.size());
  for (std::size_t v = 0; v < normals.size(); v += 3) {  // faces of a box: each normal is an axis
    EXPECT_FLOAT_EQ(std::abs(normals[v]) + std::abs(normals[v + 1]) + std::abs(normals[v + 2]), 1.0F);
    const std::array<float, 3> size{1.0F, 0.2F, 0.1F};
    for (std::size_t c = 0; c < 3; ++c)
      if (normals[v + c] != 0.0F) {
        EXPECT_FLOAT_EQ(x[v + c], normals[v + c] > 0.0F ? size[c] : 0.0F);  // and points outwards
      }
  }
}

TEST(Gltf, SurfaceKeepsItsAreaAndOrientation) {
  const Bodies bodies;
  const Glb glb = parsed(animate(bodies, 2, 1.0));
  const auto x = glb.values<float>(glb.primitive()["attributes"]["POSITION"].get<std::size_t>());
  const auto indices = glb.values<std::uint32_t>(glb.primitive()["indices"].get<std::size_t>());
  ASSERT_EQ(indices.size(), 3 * bodies.triangles.size());
  double volume = 0.0;
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    const auto corner = [&](std::size_t k) {
      const std::size_t v = 3 * indices[i + k];
      return Vector3(x[v], x[v + 1], x[v + 2]);
    };
    volume += corner(0).dot(corner(1).cross(corner(2))) / 6.0;
  }
  EXPECT_NEAR(volume, 0.02, 1e-8);
}

TEST(Gltf, ManyFramesAreThinnedEvenly) {
  const Bodies bodies;
  for (const Index frames : {2, 3, 119, 120, 121, 240, 1000, 4321}) {
    const GltfAnimation animation = animate(bodies, frames, 0.5, {.key_frames = 16});
    const std::vector<float> times = parsed(animation).times();
    ASSERT_EQ(std::ssize(times), animation.key_frame_count());
    EXPECT_LE(times.size(), 16U);
    EXPECT_GE(std::ssize(times), std::min<Index>(frames, 8));
    EXPECT_EQ(times.front(), 0.0F);
    EXPECT_EQ(times.back(), 0.5F * static_cast<float>(frames - 1));
    for (std::size_t k = 1; k + 1 < times.size(); ++k) EXPECT_EQ(times[k] - times[k - 1], times[1]);
  }
}

TEST(Gltf, BytesAreBoundedToo) {
  const Bodies bodies;
  const Index frame_bytes = 48 * 24;  // split vertices × (position + normal)
  const Index kept =
      animate(bodies, 500, 0.1, {.key_frames = 120, .bytes = 10 * frame_bytes + 100}).key_frame_count();
  EXPECT_LE(kept, 10);
  EXPECT_GE(kept, 5);  // halving never leaves fewer than half
  EXPECT_EQ(animate(bodies, 500, 0.1, {.key_frames = 120, .bytes = 1}).key_frame_count(), 2);
}

TEST(Gltf, DivergedFramesAreLeftOut) {
  const Bodies bodies;
  GltfAnimation animation = animate(bodies, 3, 0.5);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), 1e300}) {
    std::vector<double> u = bodies.displacements(2.0);
    u[4] = bad;
    const std::array<std::span<const double>, 1> all{u};
    animation.add_frame(2.0, all);
  }
  EXPECT_EQ(parsed(animation).times(), (std::vector<float>{0.0F, 0.5F, 1.0F}));
}

TEST(Gltf, FewFramesAndUnusedVertices) {
  const Bodies bodies;
  EXPECT_FALSE(parsed(animate(bodies, 0, 1.0)).json.contains("animations"));
  const Glb still = parsed(animate(bodies, 1, 1.0));
  EXPECT_FALSE(still.json.contains("animations"));
  EXPECT_FALSE(still.primitive().contains("targets"));

  // one triangle of many vertices: the others are not stored
  GltfAnimation one;
  one.add_body("part", {bodies.triangles[0]}, bodies.mesh.vertices);
  EXPECT_EQ(parsed(one).values<float>(0).size(), 9U);

  const Result<std::string> none = GltfAnimation().write("a.glb");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kMissing);
  EXPECT_EQ(none.error().where.file, "a.glb");
}

TEST(Gltf, NamesThatAreNotUtf8DoNotThrow) {
  const Bodies bodies;
  GltfAnimation animation;
  animation.add_body("b\xffm", bodies.triangles, bodies.mesh.vertices);
  EXPECT_TRUE(animation.write("a.glb").ok());
}

}  // namespace
}  // namespace pliant
