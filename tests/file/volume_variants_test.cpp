// Files as other programs write them: every variant of a format that we claim to read, in its smallest form.
#include "file/volume_samples.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/file/medit.hpp"
#include "pliant/file/msh.hpp"
#include "pliant/file/tetgen.hpp"
#include "pliant/file/veg.hpp"
#include "pliant/file/vtk.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::one_tet;
using test::raw;

void expect_mesh(const Result<VolumeFile>& file, const VolumeMesh& expected) {
  ASSERT_TRUE(file.ok()) << to_string(file.error());
  test::expect_same(file.value().mesh, expected);
}

TEST(Msh2, PhysicalTagElseElementary) {
  const std::string head =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n";
  const auto labelled = [&](const std::string& tags) {
    return read_msh(head + "$Elements\n1\n1 4 " + tags + " 1 2 3 4\n$EndElements\n", "a.msh");
  };
  expect_mesh(labelled("2 7 3"), one_tet(7));
  expect_mesh(labelled("2 0 3"), one_tet(3));
  expect_mesh(labelled("4 5 3 1 2"), one_tet(5));  // partitions behind the two
  expect_mesh(labelled("0"), one_tet(0));
  expect_mesh(labelled("2 -7 3"), one_tet(7));  // Gmsh's sign means a reversed entity
}

TEST(Msh2, SparseTagsKeepFileOrder) {
  const std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comments\nanything $ goes\n$EndComments\n"
      "$Nodes\n4\n900 0 0 0\n7 1 0 0\n30000000000 0 1 0\n-5 0 0 1\n$EndNodes\n"
      "$Elements\n3\n1 15 2 0 1 7\n2 1 2 0 1 7 900\n3 4 2 1 1 900 7 30000000000 -5\n$EndElements\n";
  const auto file = read_msh(text, "a.msh");
  expect_mesh(file, one_tet(1));
  ASSERT_EQ(file.value().notes.size(), 1U);  // a point and a line are left out
  EXPECT_EQ(file.value().notes[0].code, ErrorCode::kUnsupported);
}

/// Version 4.1 in any mode: parametric nodes, two node blocks, physical tags through entities.
std::string msh_4(bool binary, bool big) {
  std::string out = binary ? "$MeshFormat\n4.1 1 8\n" : "$MeshFormat\n4.1 0 8\n";
  const auto number = [&](std::int32_t value) {
    out += binary ? raw(value, big) : " " + std::to_string(value) + "\n";
  };
  const auto size = [&](std::uint64_t value) {
    out += binary ? raw(value, big) : " " + std::to_string(value) + "\n";
  };
  const auto real = [&](double value) {
    out += binary ? raw(value, big) : " " + std::to_string(value) + "\n";
  };
  if (binary) out += raw(std::int32_t{1}, big) + "\n";
  out += "$EndMeshFormat\n$PhysicalNames\n2\n2 9 \"top side\"\n3 12 \"core\"\n$EndPhysicalNames\n$Entities\n";
  for (const std::uint64_t count : {1U, 0U, 1U, 1U}) size(count);
  number(1);  // a point, without a group
  for (int k = 0; k < 3; ++k) real(0.0);
  size(0);
  number(4);  // surface 4 in group 9
  for (int k = 0; k < 6; ++k) real(0.5);
  size(1);
  number(-9);
  size(1);
  number(17);
  number(2);  // volume 2 in groups 12 and 13
  for (int k = 0; k < 6; ++k) real(0.5);
  size(2);
  number(12);
  number(13);
  size(0);
  out += "\n$EndEntities\n$Nodes\n";
  for (const std::uint64_t value : {2U, 4U, 10U, 40U}) size(value);
  number(2);  // parametric on a surface: two more numbers a node
  number(4);
  number(1);
  size(3);
  for (const std::uint64_t tag : {10U, 40U, 20U}) size(tag);
  for (const double x : {0, 0, 0, 5, 5, 1, 0, 0, 5, 5, 0, 1, 0, 5, 5}) real(x);
  number(3);
  number(2);
  number(0);
  size(1);
  size(30);
  for (const double x : {0, 0, 1}) real(x);
  out += "\n$EndNodes\n$Elements\n";
  for (const std::uint64_t value : {2U, 2U, 1U, 2U}) size(value);
  number(2);
  number(4);
  number(2);
  size(1);
  for (const std::uint64_t value : {1U, 10U, 20U, 40U}) size(value);
  number(3);
  number(2);
  number(4);
  size(1);
  for (const std::uint64_t value : {2U, 10U, 40U, 20U, 30U}) size(value);
  out += "\n$EndElements\n$Periodic\n";
  out += binary ? std::string("\0\0$\n", 4) : "0\n";
  return out + "$EndPeriodic\n";
}

TEST(Msh4, EntitiesBlocksAndParametricNodesInEveryMode) {
  VolumeMesh expected = one_tet(12);
  expected.triangles = {{0, 2, 1}};
  expected.triangle_labels = {9};
  expected.region_names = {{12, "core"}};
  expected.face_names = {{9, "top side"}};
  for (const bool binary : {false, true})
    for (const bool big : {false, true}) {
      SCOPED_TRACE(std::to_string(binary) + std::to_string(big));
      const auto file = read_msh(msh_4(binary, big), "a.msh");
      expect_mesh(file, expected);
      EXPECT_EQ(file.value().notes.size(), 1U);  // a volume in two groups
    }
}

TEST(Msh2, BinaryInTheOtherByteOrder) {
  std::string out = "$MeshFormat\n2.2 1 8\n" + raw(std::int32_t{1}, true) + "\n$EndMeshFormat\n$Nodes\n4\n";
  const VolumeMesh expected = one_tet(6);
  for (std::int32_t i = 0; i < 4; ++i) {
    out += raw(i + 1, true);
    for (const double x : expected.vertices[to_size(i)]) out += raw(x, true);
  }
  out += "\n$EndNodes\n$Elements\n1\n";
  for (const std::int32_t value : {4, 1, 2, 1, 6, 2, 1, 2, 3, 4}) out += raw(value, true);
  expect_mesh(read_msh(out + "\n$EndElements\n", "a.msh"), expected);
}

TEST(Medit, SkipsWhatIsNoElement) {
  const std::string text =
      "MeshVersionFormatted\n2\n# a remark\nDimension\n3\nTetrahedra 1\n1 2 3 4 8\n"  // before its vertices
      "Corners\n2\n1\n2\nVertices\n4\n0 0 0 0\n1 0 0 1\n0 1 0 2\n0 0 1 3\n"
      "Edges\n1\n1 2 5\nRidges 1 1\nNormals\n1\n0.5 1e-3 inf\nNormalAtVertices\n1\n1 1\nRequiredVertices 1 "
      "4\n"
      "Triangles\n1\n1 3 2 -4\nEnd\nrubbish behind the end";
  VolumeMesh expected = one_tet(8);
  expected.triangles = {{0, 2, 1}};
  expected.triangle_labels = {-4};
  expect_mesh(read_medit(text, "a.mesh"), expected);
}

TEST(Medit, WithoutEndIsNoted) {
  const auto file = read_medit(
      "MeshVersionFormatted 1 Dimension 3 Vertices 4 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 Tetrahedra 1 1 2 3 4 0",
      "a.mesh");
  expect_mesh(file, one_tet());
  ASSERT_EQ(file.value().notes.size(), 1U);
  EXPECT_EQ(file.value().notes[0].code, ErrorCode::kTruncated);
}

TEST(Tetgen, ZeroAndOneBasedWithAttributesAndMarkers) {
  expect_mesh(
      read_tetgen(
          "# nodes\n4 3 2 1\n0 0 0 0  1.5 2.5  1 # here\n\n1 1 0 0 1 1 0\n2 0 1 0 1 1 0\n3 0 0 1 1 1 0\n",
          "a.node", "1 4 1\n0 0 1 2 3 5.0\n", "a.ele"),
      one_tet(5));
  expect_mesh(read_tetgen("4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "a.node",
                          "1 4 0\n1 1 2 3 4\n# end\n", "a.ele"),
              one_tet());
}

TEST(Tetgen, FractionalAttributesAreNoLabels) {
  const auto file =
      read_tetgen("4 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "a.node", "1 4 1\n1 1 2 3 4 0.25\n", "a.ele");
  expect_mesh(file, one_tet(0));
  ASSERT_EQ(file.value().notes.size(), 1U);
  EXPECT_EQ(file.value().notes[0].code, ErrorCode::kWrongType);
}

TEST(Tetgen, NeedsBothFiles) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "a.node", "4 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n").ok());
  const auto file = read_volume_file(folder.path() / "a.node");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(file.error().where.file, (folder.path() / "a.ele").string());
}

constexpr const char* kVegBody =
    "*vertices\n4 3 0 0\n0, 0, 0, 0\n1, 1 0 0\n2 0 1 0\n3 0 0 1 # last\n"
    "*ELEMENTS\nTETS\n1 4 0\n0 0 1 2 3\n";

TEST(Veg, RegionsBecomeLabelsWithNames) {
  const std::string body = kVegBody;
  VolumeMesh expected = one_tet(2);
  expected.region_names = {{1, "steel"}, {2, "tip"}};
  expect_mesh(
      read_veg(body + "*MATERIAL steel\nENU, 1000, 1e6, 0.4\n*MATERIAL rubber\nMOONEYRIVLIN, 1,2,3,4\n"
                      "*SET tip\n0,\n*REGION\nallElements, steel\ntip, rubber\n",
               "a.veg"),
      expected);
  // sets alone count too; elements of no set keep 0
  expected = one_tet(0);
  expected.region_names = {{1, "nothing"}};
  expect_mesh(read_veg(body + "*SET nothing\n", "a.veg"), expected);
  expect_mesh(read_veg(body, "a.veg"), one_tet(0));
}

TEST(Veg, CubicElements) {
  const auto file = read_veg(
      "*VERTICES\n8 3 0 0\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n"
      "*ELEMENTS\nCUBIC\n1 8 0\n1 1 2 3 4 5 6 7 8\n",
      "a.veg");
  ASSERT_TRUE(file.ok()) << to_string(file.error());
  EXPECT_EQ(file.value().mesh.hexes, (std::vector<Hex>{{0, 1, 2, 3, 4, 5, 6, 7}}));
}

const std::string kVtkHead =
    "# vtk DataFile Version 3.0\na title with\tanything\nASCII\nDATASET UNSTRUCTURED_GRID\n";
const std::string kVtkTet =
    "POINTS 4 double\n0 0 0 1 0 0\n0 1 0 0 0 1\nCELLS 2 9\n4 0 1 2 3\n3 0 2 1\nCELL_TYPES 2\n10\n5\n";

VolumeMesh tet_with_face(Label tet, Label face) {
  VolumeMesh mesh = one_tet(tet);
  mesh.triangles = {{0, 2, 1}};
  mesh.triangle_labels = {face};
  return mesh;
}

TEST(Vtk, LabelsByNameElseTheFirstWholeNumbers) {
  expect_mesh(read_vtk(kVtkHead + kVtkTet, "a.vtk"), tet_with_face(0, 0));
  expect_mesh(
      read_vtk(kVtkHead + kVtkTet +
                   "CELL_DATA 2\nSCALARS quality float 1\nLOOKUP_TABLE default\n0.5 0.5\n"
                   "VECTORS direction double\n1 2 3 4 5 6\nSCALARS part int\nLOOKUP_TABLE default\n4 2\n",
               "a.vtk"),
      tet_with_face(4, 2));
  expect_mesh(
      read_vtk(
          kVtkHead + kVtkTet +
              "POINT_DATA 4\nSCALARS id int\nLOOKUP_TABLE default\n9 9 9 9\nNORMALS n float\n1 1 1 1 1 1 1 1 "
              "1 1 1 1\nCELL_DATA 2\nFIELD FieldData 2\nother 1 2 int\n8 8\nmaterial 1 2 long\n4 2\n"
              "METADATA\nINFORMATION 0\n\nTENSORS t float\n1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9\n",
          "a.vtk"),
      tet_with_face(4, 2));
}

TEST(Vtk, VoxelsTurnIntoHexes) {
  const auto file = read_vtk(kVtkHead +
                                 "POINTS 8 float\n0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1\n"
                                 "CELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n11\n",
                             "a.vtk");
  ASSERT_TRUE(file.ok()) << to_string(file.error());
  EXPECT_EQ(file.value().mesh.hexes, (std::vector<Hex>{{0, 1, 3, 2, 4, 5, 7, 6}}));
  EXPECT_EQ(file.value().reoriented, 0);
}

TEST(Vtk, OffsetsAndConnectivityOfVersion5) {
  expect_mesh(
      read_vtk("# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n"
               "0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 3 7\nOFFSETS vtktypeint64\n0 4 7\nCONNECTIVITY vtktypeint64\n"
               "0 1 2 3 0 2 1\nCELL_TYPES 2\n10\n5\n",
               "a.vtk"),
      tet_with_face(0, 0));
}

TEST(Vtk, BinaryIsBigEndian) {
  for (const bool version_5 : {false, true}) {
    std::string out = std::string("# vtk DataFile Version ") + (version_5 ? "5.1" : "3.0") +
                      "\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n";
    for (const Vector3& p : one_tet().vertices)
      for (const double x : p) out += raw(static_cast<float>(x), true);
    if (version_5) {
      out += "\nCELLS 3 7\nOFFSETS vtktypeint64\n";
      for (const std::int64_t i : {0, 4, 7}) out += raw(i, true);
      out += "\nCONNECTIVITY vtktypeint64\n";
      for (const std::int64_t i : {0, 1, 2, 3, 0, 2, 1}) out += raw(i, true);
    } else {
      out += "\nCELLS 2 9\n";
      for (const std::int32_t i : {4, 0, 1, 2, 3, 3, 0, 2, 1}) out += raw(i, true);
    }
    out += "\nCELL_TYPES 2\n" + raw(std::int32_t{10}, true) + raw(std::int32_t{5}, true);
    out += "\nCELL_DATA 2\nSCALARS label short 1\nLOOKUP_TABLE default\n";
    out += raw(std::int16_t{-3}, true) + raw(std::int16_t{600}, true) + "\n";
    expect_mesh(read_vtk(out, "a.vtk"), tet_with_face(-3, 600));
  }
}

TEST(VolumeFile, ContentIsBelievedBeforeTheExtension) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "wrong.msh", kVtkHead + kVtkTet).ok());
  expect_mesh(read_volume_file(folder.path() / "wrong.msh"), tet_with_face(0, 0));
  ASSERT_TRUE(write_file(folder.path() / "unknown.xyz", "1 2 3").ok());
  test::expect_error(read_volume_file(folder.path() / "unknown.xyz"), ErrorCode::kUnsupported, 0);
}

}  // namespace
}  // namespace pliant
