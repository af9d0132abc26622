// Damaged files: each kind of damage gets its code and its line.
#include "file/volume_samples.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/file/gzip.hpp"
#include "pliant/file/medit.hpp"
#include "pliant/file/msh.hpp"
#include "pliant/file/tetgen.hpp"
#include "pliant/file/veg.hpp"
#include "pliant/file/vtk.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::expect_error;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// lines:                       1                       2           3         4
const std::string kMedit =
    "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n"
    // 5        6          7          8          9           10
    "0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra\n1\n"
    // 11          12
    "1 2 3 4 0\nEnd\n";

Result<VolumeFile> medit(std::string_view from, std::string_view to) {
  return read_medit(replaced(kMedit, from, to), "a.mesh");
}

TEST(MeditErrors, AreLocated) {
  ASSERT_TRUE(read_medit(kMedit, "a.mesh").ok());
  expect_error(read_medit("", "a.mesh"), ErrorCode::kTruncated, 1);
  expect_error(read_medit("solid cube", "a.mesh"), ErrorCode::kSyntax, 1);
  expect_error(medit("Dimension 3", "Dimension 2"), ErrorCode::kUnsupported, 2);
  expect_error(medit("1 0 0 0", "1 0 zero 0"), ErrorCode::kSyntax, 6);
  expect_error(medit("1 0 0 0", "1 0 nan 0"), ErrorCode::kNonFinite, 6, "vertex 1");
  expect_error(medit("0 0 1 0", "0 0 1e999 0"), ErrorCode::kNonFinite, 8, "vertex 3");
  expect_error(medit("0 0 1 0", "0 0 -1e151 0"), ErrorCode::kOutOfRange, 8, "vertex 3");
  expect_error(medit("1 2 3 4 0", "1 2 3 5 0"), ErrorCode::kOutOfRange, 11, "element 0");
  expect_error(medit("1 2 3 4 0", "0 2 3 4 0"), ErrorCode::kOutOfRange, 11, "element 0");
  expect_error(medit("1 2 3 4 0", "1 2 3 3 0"), ErrorCode::kDegenerate, 11, "element 0");
  expect_error(medit("0 0 1 0", "1 1 0 0"), ErrorCode::kDegenerate, 11, "element 0");
  expect_error(medit("1 2 3 4 0", "1 2 3 4 3000000000"), ErrorCode::kOutOfRange, 11);
  expect_error(medit("Tetrahedra\n1\n1 2 3 4 0\n", ""), ErrorCode::kMissing, 0);
  expect_error(medit("Tetrahedra\n1\n1 2 3 4 0\n", "Triangles 1 1 2 3 0 "), ErrorCode::kMissing, 0);
  expect_error(medit("\n4\n", "\n-4\n"), ErrorCode::kOutOfRange, 4);
  expect_error(medit("\n4\n", "\n400000000000\n"), ErrorCode::kLimit, 4);
  expect_error(medit("\n4\n", "\n2000000000\n"), ErrorCode::kTruncated, 4);
  expect_error(medit("\n4\n", "\n99999999999999999999\n"), ErrorCode::kOutOfRange, 4);
  expect_error(medit("\n4\n", "\n3\n"), ErrorCode::kSyntax, 8);
  expect_error(medit("Tetrahedra\n1\n1 2 3 4 0", "Prisms\n1\n1 2 3 4 1 2 0"), ErrorCode::kUnsupported, 9,
               "element 1");
  const std::string long_row = replaced(kMedit, "0 1 0 0", "0.000000000 1 0 0");
  expect_error(read_medit(long_row.substr(0, long_row.find("0 0 1 0") + 5), "a.mesh"), ErrorCode::kTruncated,
               8);
}

// 1 $MeshFormat 2 .. 3 $End 4 $Nodes 5 count 6-9 nodes 10 $EndNodes 11 $Elements 12 count 13 element 14 $End
const std::string kMsh2 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
    "$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n";
// 4 $Nodes 5 sizes 6 block 7-10 tags 11-14 xyz 15 $EndNodes 16 $Elements 17 sizes 18 block 19 element 20 $End
const std::string kMsh4 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
    "$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";

TEST(MshErrors, AreLocated) {
  const auto two = [](std::string_view from, std::string_view to) {
    return read_msh(replaced(kMsh2, from, to), "a.msh");
  };
  const auto four = [](std::string_view from, std::string_view to) {
    return read_msh(replaced(kMsh4, from, to), "a.msh");
  };
  ASSERT_TRUE(read_msh(kMsh2, "a.msh").ok());
  ASSERT_TRUE(read_msh(kMsh4, "a.msh").ok());
  expect_error(read_msh("\n\n", "a.msh"), ErrorCode::kTruncated, 3);
  expect_error(read_msh("(0 \"Fluent\")", "a.msh"), ErrorCode::kSyntax, 1);
  expect_error(read_msh("$NOD\n", "a.msh"), ErrorCode::kUnsupported, 1);
  expect_error(two("2.2 0 8", "4 0 8"), ErrorCode::kUnsupported, 2);
  expect_error(two("2.2 0 8", "2.2 0 4"), ErrorCode::kUnsupported, 2);
  expect_error(two("3 0 1 0", "2 0 1 0"), ErrorCode::kInconsistent, 8, "vertex 2");
  expect_error(two("3 0 1 0", "3 0 1"), ErrorCode::kSyntax, 10);
  expect_error(two("1 4 2 1 1 1 2 3 4", "1 6 2 1 1 1 2 3 4 1 2"), ErrorCode::kUnsupported, 13, "element 1");
  expect_error(two("1 4 2 1 1 1 2 3 4", "1 99 2 1 1 1 2 3 4"), ErrorCode::kUnsupported, 13);
  expect_error(two("1 4 2 1 1 1 2 3 4", "1 4 2 1 1 1 2 3 8"), ErrorCode::kOutOfRange, 13, "element 0");
  expect_error(two("\n4\n1 0", "\n5\n1 0"), ErrorCode::kSyntax, 10);
  expect_error(two("$EndElements\n", ""), ErrorCode::kTruncated, 14);
  expect_error(read_msh(kMsh2.substr(0, kMsh2.find("$Elements")), "a.msh"), ErrorCode::kTruncated, 11);
  expect_error(four("1 4 1 4", "1 5 1 4"), ErrorCode::kInconsistent, 14);
  expect_error(four("3 1 0 4", "3 1 0 4000000"), ErrorCode::kTruncated, 6);
  expect_error(four("1 1 1 1\n", "1 2 1 1\n"), ErrorCode::kInconsistent, 19);
  expect_error(four("3 1 4 1", "9 1 4 1"), ErrorCode::kOutOfRange, 18);
  expect_error(four("0 1 0", "0 inf 0"), ErrorCode::kNonFinite, 13, "vertex 2");
  expect_error(four("$Elements", "$Unknown"), ErrorCode::kTruncated, 16);
}

TEST(MshErrors, BinaryFilesAreLocatedByByte) {
  const auto good = write_msh(test::sample_mesh(), MshVersion::k41, true, "a.msh");
  ASSERT_TRUE(good.ok());
  for (const std::size_t part : {2U, 3U, 5U}) {
    const auto cut = read_msh(std::string_view(good.value()).substr(0, good.value().size() / part), "a.msh");
    ASSERT_FALSE(cut.ok());
    EXPECT_EQ(cut.error().code, ErrorCode::kTruncated);
    EXPECT_TRUE(cut.error().where.key.starts_with("byte "));
  }
}

TEST(TetgenErrors, AreLocatedInTheirFile) {
  const std::string nodes = "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";
  const std::string elements = "1 4 0\n1 1 2 3 4\n";
  const auto read = [](const std::string& n, const std::string& e) {
    return read_tetgen(n, "a.node", e, "a.ele");
  };
  ASSERT_TRUE(read(nodes, elements).ok());
  expect_error(read("", elements), ErrorCode::kTruncated, 1);
  expect_error(read(nodes, "# nothing\n"), ErrorCode::kTruncated, 2);
  expect_error(read(replaced(nodes, "3 0 1 0", "3 0 1"), elements), ErrorCode::kSyntax, 4);
  expect_error(read(replaced(nodes, "3 0 1 0", "3 0 1 0 9"), elements), ErrorCode::kSyntax, 4);
  expect_error(read(replaced(nodes, "3 0 1 0", "7 0 1 0"), elements), ErrorCode::kInconsistent, 4);
  expect_error(read(replaced(nodes, "4 3 0 0", "4 2 0 0"), elements), ErrorCode::kUnsupported, 1);
  expect_error(read(replaced(nodes, "4 3 0 0", "5 3 0 0"), elements), ErrorCode::kTruncated, 6);
  expect_error(read(nodes, "1 5 0\n1 1 2 3 4 1\n"), ErrorCode::kUnsupported, 1);
  expect_error(read(nodes, "1 4 0\n1 1 2 3 0\n"), ErrorCode::kOutOfRange, 2, "element 0");
  const auto bad_node = read(replaced(nodes, "4 0 0 1", "4 0 0 nan"), elements);
  expect_error(bad_node, ErrorCode::kNonFinite, 5, "vertex 3");
  EXPECT_EQ(bad_node.error().where.file, "a.node");
}

TEST(VegErrors, AreLocated) {
  // 1 *VERTICES 2 counts 3-6 rows 7 *ELEMENTS 8 TET 9 counts 10 row 11 ...
  const std::string good =
      "*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n*ELEMENTS\nTET\n1 4 0\n1 1 2 3 4\n";
  const auto read = [](const std::string& text) { return read_veg(text, "a.veg"); };
  ASSERT_TRUE(read(good).ok());
  expect_error(read("# only a remark"), ErrorCode::kTruncated, 1);
  expect_error(read(good + "*INCLUDE more.veg\n"), ErrorCode::kUnsupported, 11);
  expect_error(read(replaced(good, "TET", "WEDGE")), ErrorCode::kUnsupported, 8);
  expect_error(read(replaced(good, "3 0 1 0", "3 0 1")), ErrorCode::kSyntax, 5);
  expect_error(read(replaced(good, "3 0 1 0", "4 0 1 0")), ErrorCode::kInconsistent, 5);
  expect_error(read(replaced(good, "1 1 2 3 4", "1 1 2 3 5")), ErrorCode::kOutOfRange, 10, "element 0");
  expect_error(read(good + "*SET a\n1, 2\n*REGION\na, m\n"), ErrorCode::kOutOfRange, 11);
  expect_error(read(good + "*REGION\nmissing, m\n"), ErrorCode::kMissing, 12);
  expect_error(read(good + "rubbish\n"), ErrorCode::kSyntax, 11);
  expect_error(read(replaced(good, "1 4 0", "999999999 4 0")), ErrorCode::kTruncated, 9);
}

TEST(VtkErrors, AreLocated) {
  // 5 POINTS 6 coordinates 7 CELLS 8 cell 9 CELL_TYPES 10 type
  const std::string good =
      "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0 0 1 0 0 "
      "0 1\n"
      "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";
  const auto read = [](const std::string& text) { return read_vtk(text, "a.vtk"); };
  ASSERT_TRUE(read(good).ok());
  expect_error(read(" "), ErrorCode::kTruncated, 1);
  expect_error(read(replaced(good, "UNSTRUCTURED_GRID", "POLYDATA")), ErrorCode::kUnsupported, 4);
  expect_error(read(replaced(good, "POINTS 4", "POINTS 4000000000000000000")), ErrorCode::kLimit, 5);
  expect_error(read(replaced(good, "POINTS 4", "POINTS 40")), ErrorCode::kTruncated, 5);
  expect_error(read(replaced(good, "POINTS 4", "POINTS 3")), ErrorCode::kSyntax, 6);
  expect_error(read(replaced(good, "4 0 1 2 3", "5 0 1 2 3")), ErrorCode::kInconsistent, 8);
  expect_error(read(replaced(good, "4 0 1 2 3", "4 0 1 2 4")), ErrorCode::kOutOfRange, 8, "element 0");
  expect_error(read(replaced(good, "\n10\n", "\n14\n")), ErrorCode::kUnsupported, 8, "element 0");
  expect_error(read(replaced(good, "\n10\n", "\n12\n")), ErrorCode::kInconsistent, 8, "cell 0");
  expect_error(read(replaced(good, "CELL_TYPES 1\n10\n", "")), ErrorCode::kTruncated, 9);
  expect_error(read(good + "CELL_DATA 1\nSCALARS label string\n"), ErrorCode::kUnsupported, 12);
}

TEST(GzipErrors, AreLocatedByByte) {
  const auto read = [](std::string_view bytes) { return read_volume_bytes(bytes, "a.mesh.gz"); };
  const std::string good = gzip(kMedit);
  ASSERT_TRUE(read(good).ok());
  const auto cut = read(good.substr(0, good.size() - 12));
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().code, ErrorCode::kTruncated);
  EXPECT_TRUE(cut.error().where.key.starts_with("byte "));
  const auto damaged = read(replaced(good, good.substr(12, 6), "\xff\xff\xff\xff\xff\xff"));
  ASSERT_FALSE(damaged.ok());
  EXPECT_EQ(damaged.error().code, ErrorCode::kSyntax);
  // 80 MB of blanks in 80 kB
  const std::string part = gzip(std::string(std::size_t{1} << 20U, ' '));
  std::string packed;
  for (int i = 0; i < 80; ++i) packed += part;
  const auto bomb = read(packed);
  ASSERT_FALSE(bomb.ok());
  EXPECT_EQ(bomb.error().code, ErrorCode::kLimit);
  // an error inside points into the unpacked text
  expect_error(read(gzip(replaced(kMedit, "1 2 3 4 0", "1 2 3 9 0"))), ErrorCode::kOutOfRange, 11,
               "element 0");
}

TEST(VolumeFileErrors, MissingFileAndFolder) {
  const test::TemporaryFolder folder;
  expect_error(read_volume_file(folder.path() / "none.msh"), ErrorCode::kNotFound, 0);
  expect_error(read_volume_file(folder.path()), ErrorCode::kUnreadable, 0);
}

}  // namespace
}  // namespace pliant
