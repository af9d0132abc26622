// Frames of a run: points and cells of the boundary, and what is read back of them.
#include "pliant/file/vtu.hpp"
#include "pliant/file/vtu_encoding.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "volume_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace pliant {
namespace {

/// The numbers of an array as they lie in the file.
template <class T>
std::vector<T> array_of(const std::string& bytes, const std::string& name) {
  const std::size_t tag = bytes.find("Name=\"" + name + "\"");
  const std::size_t offset = bytes.find("offset=\"", tag) + 8;
  const std::size_t appended = bytes.find("<AppendedData encoding=\"raw\">\n_") + 31;
  const std::size_t begin = appended + std::stoul(bytes.substr(offset));
  const auto decoded =
      decode_vtu(std::string_view(bytes).substr(begin), {.wide_header = true, .compressed = true});
  if (tag == std::string::npos || !decoded) return {};
  std::vector<T> numbers(decoded.value().size() / sizeof(T));
  std::memcpy(numbers.data(), decoded.value().data(), decoded.value().size());
  return numbers;
}

/// The cells of a frame as triangles, by vertices of the mesh.
std::vector<Triangle> triangles_of(const std::string& bytes) {
  const auto numbers = array_of<VertexId>(bytes, "vertex");
  const auto connectivity = array_of<VertexId>(bytes, "connectivity");
  const auto offsets = array_of<std::int64_t>(bytes, "offsets");
  const auto types = array_of<std::uint8_t>(bytes, "types");
  std::vector<Triangle> list;
  std::size_t first = 0;
  for (std::size_t c = 0; c < types.size(); ++c) {
    const auto add = [&](std::size_t i, std::size_t j, std::size_t k) {
      list.push_back({numbers.at(to_size(connectivity.at(first + i))),
                      numbers.at(to_size(connectivity.at(first + j))),
                      numbers.at(to_size(connectivity.at(first + k)))});
    };
    const std::size_t size = to_size(offsets.at(c)) - first;
    EXPECT_EQ(size, types[c] == 5   ? 3U
                    : types[c] == 9 ? 4U
                                    : 6U);  // VTK's triangle, quad, quadratic triangle
    if (types[c] == 22) {
      add(0, 3, 5);
      add(3, 1, 4);
      add(5, 4, 2);
      add(3, 4, 5);
    } else {
      add(0, 1, 2);
      if (types[c] == 9) add(0, 2, 3);
    }
    first = to_size(offsets.at(c));
  }
  return list;
}

/// Places that differ from the rest shape.
std::vector<Vector3> moved(const VolumeMesh& mesh, const std::vector<VertexId>& vertices) {
  std::vector<Vector3> places;
  for (const VertexId v : vertices) places.push_back(2.0 * mesh.vertices[to_size(v)] + Vector3(1, 2, 3));
  return places;
}

std::vector<VolumeMesh> samples() {
  return {test::sample_mesh(), test::sample_mesh({.tets = false}),
          test::sample_mesh({.tet10s = true, .curved = true})};
}

TEST(SurfaceFrames, HoldTheBoundary) {
  for (const VolumeMesh& mesh : samples()) {
    const FrameGrid grid = surface_grid(mesh, {});
    const std::vector<BoundaryFace> faces = boundary_faces(mesh);
    VtuData data;
    data.point.push_back({"displacement", 3, std::vector<double>(3 * grid.vertices.size(), 0.5)});
    data.cell.push_back({"von_mises", 1, std::vector<double>(faces.size(), 2.0)});
    const std::vector<Vector3> places = moved(mesh, grid.vertices);
    const std::string bytes = write_frame(grid, places, data);
    EXPECT_EQ(triangles_of(bytes), boundary_triangles(faces));
    const auto labels = array_of<Label>(bytes, "label");
    ASSERT_EQ(labels.size(), faces.size());
    ASSERT_EQ(grid.elements.size(), faces.size());
    for (std::size_t f = 0; f < faces.size(); ++f) {
      EXPECT_EQ(grid.elements[f], faces[f].element);
      EXPECT_EQ(labels[f], mesh.element_label(faces[f].element));
    }
    EXPECT_EQ(array_of<float>(bytes, "displacement"), std::vector<float>(data.point[0].values.size(), 0.5F));
    EXPECT_EQ(array_of<float>(bytes, "von_mises"), std::vector<float>(faces.size(), 2.0F));
    const Result<FramePoints> read = read_frame_points(bytes, "frame.vtu");
    ASSERT_TRUE(read.ok()) << to_string(read.error());
    ASSERT_EQ(read.value().places.size(), places.size());
    for (std::size_t i = 0; i < places.size(); ++i)  // half a unit in the last place of a float below 16
      EXPECT_LE((read.value().places[i] - places[i]).cwiseAbs().maxCoeff(), std::ldexp(1.0, -21));
    EXPECT_EQ(read.value().vertices, grid.vertices);
    EXPECT_EQ(read.value().mesh_vertices, mesh.vertex_count());
    // who needs the elements is told how to get them
    const auto volume = read_vtu(bytes, "frame.vtu");
    test::expect_error(volume, ErrorCode::kMissing, 5);
    EXPECT_NE(volume.error().remedy.find("--frames volume"), std::string::npos);
  }
}

TEST(SurfaceFrames, PointsInsideCanBeAskedFor) {
  VolumeMesh mesh = test::sample_mesh();
  mesh.vertices.emplace_back(9, 9, 9);  // no face has it
  const FrameGrid plain = surface_grid(mesh, {});
  EXPECT_LT(plain.vertices.size(), mesh.vertices.size());
  std::vector<char> also(mesh.vertices.size(), 0);
  also.back() = 1;
  const FrameGrid more = surface_grid(mesh, also);
  ASSERT_EQ(more.vertices.size(), plain.vertices.size() + 1);
  EXPECT_EQ(more.vertices.back(), mesh.vertex_count() - 1);
  const std::string bytes = write_frame(more, moved(mesh, more.vertices), {});
  EXPECT_EQ(triangles_of(bytes), boundary_triangles(boundary_faces(mesh)));
}

TEST(SurfaceFrames, NumbersBeyondFloatsStayDouble) {
  const VolumeMesh mesh = test::sample_mesh();
  const FrameGrid grid = surface_grid(mesh, {});
  for (const double huge : {1e60, -1e39, 1e-60}) {
    VtuData data;
    data.point.push_back({"velocity", 1, std::vector<double>(grid.vertices.size(), 0.0)});
    data.point[0].values[1] = huge;
    EXPECT_EQ(array_of<double>(write_frame(grid, moved(mesh, grid.vertices), data), "velocity"),
              data.point[0].values);
  }
}

TEST(VolumeFrames, HoldTheMesh) {
  for (const VolumeMesh& mesh : samples()) {
    const FrameGrid grid = volume_grid(mesh);
    const std::string bytes = write_frame(grid, mesh.vertices, {});
    EXPECT_EQ(bytes, write_vtu(mesh, {}, {.faces = false, .compressed = true}));
    const Result<FramePoints> read = read_frame_points(bytes, "frame.vtu");
    ASSERT_TRUE(read.ok()) << to_string(read.error());
    EXPECT_EQ(read.value().places, mesh.vertices);
    EXPECT_EQ(read.value().vertices, grid.vertices);
    EXPECT_EQ(read.value().mesh_vertices, mesh.vertex_count());
  }
}

TEST(SurfaceFrames, DamagedNumbersAreRefused) {
  const VolumeMesh mesh = test::sample_mesh();
  const FrameGrid grid = surface_grid(mesh, {});
  const std::string good = write_frame(grid, moved(mesh, grid.vertices), {});
  const auto code_of = [&](const std::string& from, const std::string& to) {
    std::string bytes = good;
    const std::size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    bytes.replace(at, from.size(), to);
    const Result<FramePoints> read = read_frame_points(bytes, "frame.vtu");
    return read.ok() ? ErrorCode::kCancelled : read.error().code;
  };
  const std::string count = "ascii\">" + std::to_string(mesh.vertices.size()) + "<";
  EXPECT_EQ(code_of(count, "ascii\">3<"), ErrorCode::kOutOfRange);
  EXPECT_EQ(code_of(count, "ascii\">-1<"), ErrorCode::kOutOfRange);
  EXPECT_EQ(code_of(count, "ascii\">99999999999<"), ErrorCode::kOutOfRange);
  EXPECT_EQ(code_of(count, "ascii\"><"), ErrorCode::kOutOfRange);
  EXPECT_EQ(code_of("Name=\"vertex\"", "Name=\"verrex\""), ErrorCode::kMissing);
  EXPECT_EQ(code_of("NumberOfPoints=\"", "NumberOfPoints=\"-"), ErrorCode::kSyntax);
  EXPECT_EQ(code_of("VTKFile type", "VTKfile type"), ErrorCode::kSyntax);
}

}  // namespace
}  // namespace pliant
