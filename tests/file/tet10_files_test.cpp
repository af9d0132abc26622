// Quadratic tetrahedra in every format: round trips, the order of their vertices, and damage.
#include "file/volume_samples.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/file/medit.hpp"
#include "pliant/file/msh.hpp"
#include "pliant/file/tetgen.hpp"
#include "pliant/file/vtk.hpp"
#include "pliant/file/vtu.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/tet10.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace pliant {
namespace {

using test::expect_error;
using test::one_tet10;
using test::SampleParts;

void expect_mesh(const Result<VolumeFile>& file, const VolumeMesh& expected) {
  ASSERT_TRUE(file.ok()) << to_string(file.error());
  test::expect_same(file.value().mesh, expected);
  EXPECT_EQ(file.value().reoriented, 0);
}

void expect_round_trip(const VolumeMesh& mesh, const std::string& name, const WriteOptions& options = {}) {
  SCOPED_TRACE(name);
  const test::TemporaryFolder folder;
  const Status written = write_volume_file(folder.path() / name, mesh, options);
  ASSERT_TRUE(written.ok()) << to_string(written.error());
  const auto read = read_volume_file(folder.path() / name);
  expect_mesh(read, mesh);
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read.value().extras.empty());
}

/// Straight, curved, and both beside tet4 and hex8; the last with faces of three, four and six vertices.
std::vector<VolumeMesh> samples(bool names, bool negative_labels) {
  const auto make = [&](bool linear, bool curved) {
    SampleParts parts{.tets = linear, .hexes = linear, .tet10s = true, .curved = curved};
    parts.names = names;
    parts.negative_labels = negative_labels;
    return test::sample_mesh(parts);
  };
  return {make(false, false), make(false, true), make(true, false), make(true, true), one_tet10(4)};
}

TEST(Tet10RoundTrip, EveryFormat) {
  for (const VolumeMesh& mesh : samples(true, false)) {
    for (const MshVersion version : {MshVersion::k22, MshVersion::k41})
      for (const bool binary : {false, true})
        expect_round_trip(mesh, "a.msh", {.msh_version = version, .binary = binary});
    for (const bool compressed : {false, true}) expect_round_trip(mesh, "a.vtu", {.compressed = compressed});
  }
  for (const VolumeMesh& mesh : samples(false, true)) {
    expect_round_trip(mesh, "a.mesh");
    expect_round_trip(mesh, "a.vtu");
  }
}

TEST(Tet10RoundTrip, FramesCarryDataBesideTheMesh) {
  const VolumeMesh mesh = test::sample_mesh({.tet10s = true, .curved = true});
  VtuData data;
  data.point.push_back({"displacement", 3, std::vector<double>(3 * mesh.vertices.size(), 0.5)});
  data.cell.push_back({"stress", 1, std::vector<double>(to_size(mesh.element_count()), 2.0)});
  for (const bool faces : {false, true}) {
    const std::string bytes = write_vtu(mesh, data, {.faces = faces, .compressed = true});
    const auto read = read_vtu(bytes, "frame.vtu");
    ASSERT_TRUE(read.ok()) << to_string(read.error());
    EXPECT_EQ(read.value().mesh.tet10s, mesh.tet10s);
    EXPECT_EQ(read.value().mesh.tet10_labels, mesh.tet10_labels);
    EXPECT_EQ(read.value().mesh.triangles.size(), faces ? mesh.triangles.size() : 0U);
  }
}

TEST(Tet10RoundTrip, WhatCannotHoldThem) {
  const test::TemporaryFolder folder;
  for (const char* name : {"a.veg", "a.inp", "a.vtk"}) {
    VolumeMesh mesh = one_tet10(1);
    mesh.region_names[1] = "two words";
    const Status written = write_volume_file(folder.path() / name, mesh);
    ASSERT_FALSE(written.ok()) << name;
    EXPECT_EQ(written.error().code, ErrorCode::kUnwritable);
    // Nothing that could be left out would help.
    EXPECT_TRUE(drop_unwritable(folder.path() / name, mesh).empty()) << name;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

/// The elements of one type in a text file of version 2.2, as vertex numbers from 0.
std::vector<std::vector<VertexId>> elements_of(const std::string& msh, int wanted) {
  std::istringstream in(msh.substr(msh.find("$Elements\n") + 10));
  std::vector<std::vector<VertexId>> found;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line) && line != "$EndElements") {
    std::istringstream row(line);
    int number = 0, type = 0, tags = 0, tag = 0;
    row >> number >> type >> tags >> tag >> tag;
    std::vector<VertexId> vertices;
    for (VertexId v = 0; row >> v;) vertices.push_back(v - 1);
    if (type == wanted) found.push_back(vertices);
  }
  return found;
}

/// On a mesh with straight edges, each midside vertex is in the middle of the edge that Gmsh's manual says.
TEST(Tet10Order, OfGmshInWhatWeWrite) {
  const VolumeMesh mesh = test::sample_mesh({.tet10s = true});
  const auto msh = write_msh(mesh, MshVersion::k22, false, "a.msh");
  ASSERT_TRUE(msh.ok());
  const auto expect_middles = [&](int type, std::size_t corners,
                                  const std::vector<std::array<std::size_t, 2>>& edges) {
    for (const auto& element : elements_of(msh.value(), type)) {
      ASSERT_EQ(element.size(), corners + edges.size());
      for (std::size_t e = 0; e < edges.size(); ++e) {
        const auto at = [&](std::size_t i) { return mesh.vertices[to_size(element[i])]; };
        // Up to the rounding of the shift by which the sample is moved.
        EXPECT_LT((at(corners + e) - 0.5 * (at(edges[e][0]) + at(edges[e][1]))).norm(), 1e-14);
      }
    }
  };
  expect_middles(11, 4, {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {2, 3}, {1, 3}});
  expect_middles(9, 3, {{0, 1}, {1, 2}, {2, 0}});
  EXPECT_EQ(elements_of(msh.value(), 11).size(), mesh.tet10s.size());
  // Faces of linear tets keep three vertices.
  std::size_t quadratic = 0;
  for (const BoundaryFace& face : boundary_faces(mesh)) quadratic += face.is_quadratic() ? 1 : 0;
  EXPECT_GT(quadratic, 0U);
  EXPECT_EQ(elements_of(msh.value(), 9).size(), quadratic);
  EXPECT_EQ(elements_of(msh.value(), 2).size(), mesh.triangles.size() - quadratic);
}

/// A labelled triangle may run the other way round, or start elsewhere, than the face of its tet.
TEST(Tet10Order, OfFacesThatAreTurned) {
  VolumeMesh mesh = one_tet10();
  mesh.triangles = {{2, 1, 0}, {1, 2, 0}, {0, 1, 2}, {0, 1, 4}};
  mesh.triangle_labels = {1, 2, 3, 4};
  const auto msh = write_msh(mesh, MshVersion::k22, false, "a.msh");
  ASSERT_TRUE(msh.ok());
  EXPECT_EQ(elements_of(msh.value(), 9),
            (std::vector<std::vector<VertexId>>{{2, 1, 0, 5, 4, 6}, {1, 2, 0, 5, 6, 4}, {0, 1, 2, 4, 5, 6}}));
  EXPECT_EQ(elements_of(msh.value(), 2), (std::vector<std::vector<VertexId>>{{0, 1, 4}}));
  for (const MshVersion version : {MshVersion::k22, MshVersion::k41})
    expect_round_trip(mesh, "turned.msh", {.msh_version = version});
  expect_round_trip(mesh, "turned.mesh");
  expect_round_trip(mesh, "turned.vtu");
}

const std::string kMshNodes =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n"
    "6 .5 .5 0\n7 0 .5 0\n8 0 0 .5\n9 .5 0 .5\n10 0 .5 .5\n$EndNodes\n";

TEST(Tet10Order, OfGmshInWhatWeRead) {
  VolumeMesh expected = one_tet10(7);
  expected.triangles = {{0, 2, 1}};
  expected.triangle_labels = {3};
  const auto file = read_msh(kMshNodes +
                                 "$Elements\n3\n1 8 2 5 5 1 2 5\n2 9 2 3 3 1 3 2 7 6 5\n"
                                 "3 11 2 7 7 1 2 3 4 5 6 7 8 10 9\n$EndElements\n",
                             "a.msh");
  expect_mesh(file, expected);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().notes.size(), 1U);  // the line is left out
}

TEST(Tet10Order, OfMedit) {
  VolumeMesh expected = one_tet10(7);
  expected.triangles = {{0, 2, 1}};
  expected.triangle_labels = {3};
  const std::string vertices =
      "MeshVersionFormatted 2\nDimension 3\nVertices\n10\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n.5 0 0 0\n"
      ".5 .5 0 0\n0 .5 0 0\n0 0 .5 0\n.5 0 .5 0\n0 .5 .5 0\n";
  const std::string elements =
      "TrianglesP2\n1\n1 3 2 7 6 5 3\nEdgesP2\n1\n1 2 5 0\nTetrahedraP2\n1\n1 2 3 4 5 6 7 8 9 10 7\nEnd\n";
  expect_mesh(read_medit(vertices + elements, "a.mesh"), expected);
  expect_error(read_medit(vertices + "TetrahedraP2Ordering\n1\n0 0 0 0\n" + elements, "a.mesh"),
               ErrorCode::kUnsupported, 15);
  expect_error(read_medit(vertices + "TetrahedraP2\n1\n1 2 3 4 7\nEnd\n", "a.mesh"), ErrorCode::kTruncated,
               16);
  expect_error(read_medit(vertices + "TetrahedraP2\n1\n1 2 3 4 5 6 7 8 9 7\nEnd\n", "a.mesh"),
               ErrorCode::kSyntax, 18);
}

TEST(Tet10Order, OfTetgen) {
  const std::string nodes =
      "10 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n6 .5 .5 0\n7 0 .5 0\n8 0 0 .5\n9 .5 0 .5\n"
      "10 0 .5 .5\n";
  const auto read = [&](const std::string& elements) {
    return read_tetgen(nodes, "a.node", elements, "a.ele");
  };
  expect_mesh(read("1 10 1\n1 1 2 3 4 10 8 5 6 9 7 2\n"), one_tet10(2));
  expect_error(read("1 10 0\n1 1 2 3 4 10 8 5 6 9\n"), ErrorCode::kSyntax, 2);
  expect_error(read("1 10 0\n1 1 2 3 4 10 8 5 6 9 11\n"), ErrorCode::kOutOfRange, 2, "element 0");
  // In another order the element is folded.
  expect_error(read("1 10 0\n1 1 2 3 4 5 6 7 8 9 10\n"), ErrorCode::kDegenerate, 2, "element 0");
}

TEST(Tet10Order, OfVtk) {
  const auto read = [](const std::string& size, const std::string& cell, const std::string& type) {
    return read_vtk(
        "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 double\n0 0 0 1 0 0 0 1 "
        "0 "
        "0 0 1 .5 0 0 .5 .5 0 0 .5 0 0 0 .5 .5 0 .5 0 .5 .5\nCELLS 1 " +
            size + "\n" + cell + "\nCELL_TYPES 1\n" + type + "\n",
        "a.vtk");
  };
  expect_mesh(read("11", "10 0 1 2 3 4 5 6 7 8 9", "24"), one_tet10());
  expect_error(read("10", "9 0 1 2 3 4 5 6 7 8", "24"), ErrorCode::kInconsistent, 8, "cell 0");
  expect_error(read("11", "10 0 1 2 3 4 5 6 7 8 8", "24"), ErrorCode::kDegenerate, 8, "element 0");
  expect_error(read("11", "10 0 1 2 3 4 5 6 7 9 8", "24"), ErrorCode::kDegenerate, 8, "element 0");
  // Other cells of second order stay unsupported.
  for (const char* type : {"25", "26", "27", "71"})
    expect_error(read("11", "10 0 1 2 3 4 5 6 7 8 9", type), ErrorCode::kUnsupported, 8, "element 0");
}

TEST(Tet10Errors, OfGmshAreLocated) {
  const auto read = [](const std::string& row) {
    return read_msh(kMshNodes + "$Elements\n1\n" + row + "\n$EndElements\n", "a.msh");
  };
  ASSERT_TRUE(read("1 11 2 1 1 1 2 3 4 5 6 7 8 10 9").ok());
  expect_error(read("1 11 2 1 1 1 2 3 4 5 6 7 8 10"), ErrorCode::kSyntax, 20);
  expect_error(read("1 11 2 1 1 1 2 3 4 5 6 7 8 10 9 9"), ErrorCode::kSyntax, 19);
  expect_error(read("1 11 2 1 1 1 2 3 4 5 6 7 8 10 11"), ErrorCode::kOutOfRange, 19, "element 0");
  expect_error(read("1 11 2 1 1 1 2 3 4 5 6 7 8 9 9"), ErrorCode::kDegenerate, 19, "element 0");
  expect_error(read("1 11 2 1 1 1 2 3 4 5 6 7 8 9 10"), ErrorCode::kDegenerate, 19, "element 0");
  expect_error(read("1 16 2 1 1 1 2 3 4 5 6 7 8"), ErrorCode::kUnsupported, 19, "element 1");
}

/// Of a mesh with all kinds, the number in a message counts tets, hexes, quadratic tets.
TEST(Tet10Errors, CountTheElementsBeforeThem) {
  VolumeMesh mesh = test::sample_mesh({.tet10s = true, .names = false});
  const Index before = mesh.first_tet10();
  mesh.tet10s[2][9] = mesh.tet10s[2][8];
  const auto bytes = write_medit(mesh, "a.mesh");
  ASSERT_TRUE(bytes.ok());
  const auto read = read_medit(bytes.value(), "a.mesh");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().where.key, "element " + std::to_string(before + 2));
  EXPECT_GT(read.error().where.line, 0);
}

/// Files are taken with elements inside out, whose midside vertices then follow their corners.
TEST(Tet10Errors, InvertedElementsAreTurned) {
  VolumeMesh mesh =
      test::sample_mesh({.tets = false, .hexes = false, .tet10s = true, .curved = true, .names = false});
  const VolumeMesh good = mesh;
  for (auto& t : mesh.tet10s) t = {t[1], t[0], t[2], t[3], t[4], t[6], t[5], t[8], t[7], t[9]};
  const auto bytes = write_msh(mesh, MshVersion::k41, true, "a.msh");
  ASSERT_TRUE(bytes.ok());
  const auto read = read_msh(bytes.value(), "a.msh");
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  EXPECT_EQ(read.value().reoriented, std::ssize(mesh.tet10s));
  for (std::size_t e = 0; e < good.tet10s.size(); ++e) {
    const Tet10& tet = read.value().mesh.tet10s[e];
    const double volume = tet10_volume(corners(good, good.tet10s[e]));
    // The same curved shape, up to the rounding of a sum.
    EXPECT_NEAR(tet10_volume(corners(good, tet)), volume, 1e-14);
    EXPECT_EQ((std::set<VertexId>(tet.begin(), tet.end())),
              (std::set<VertexId>(good.tet10s[e].begin(), good.tet10s[e].end())));
  }
}

}  // namespace
}  // namespace pliant
