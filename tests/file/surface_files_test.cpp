// Surface readers and writers: round trips, dialects, and every kind of bad file.
#include "pliant/file/obj.hpp"
#include "pliant/file/off.hpp"
#include "pliant/file/ply.hpp"
#include "pliant/file/stl.hpp"
#include "pliant/file/surface_file.hpp"
#include "pliant/mesh/core/surface_report.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

namespace pliant {
namespace {

using namespace std::string_literals;
using Reader = Result<SurfaceFile> (*)(std::string_view, std::string_view);

SurfaceMesh read_ok(Reader reader, std::string_view bytes) {
  Result<SurfaceFile> file = reader(bytes, "name");
  EXPECT_TRUE(file.ok()) << (file ? "" : to_string(file.error()));
  return file.ok() ? std::move(file).value().mesh : SurfaceMesh{};
}

/// Code, line and key of the first error.
void expect_error(Reader reader, std::string_view bytes, ErrorCode code, Index line,
                  std::string_view key = {}) {
  const Result<SurfaceFile> file = reader(bytes, "name");
  ASSERT_FALSE(file.ok()) << bytes;
  EXPECT_EQ(file.error().code, code) << to_string(file.error());
  EXPECT_EQ(file.error().where.file, "name");
  EXPECT_EQ(file.error().where.line, line) << to_string(file.error());
  if (!key.empty()) {
    EXPECT_EQ(file.error().where.key, key) << to_string(file.error());
  }
}

/// A tetrahedron whose coordinates need all digits.
SurfaceMesh sample_mesh() {
  SurfaceMesh mesh;
  mesh.vertices = {{0.1, 1.0 / 3.0, -2e-17}, {1e100, 0, 0}, {0, 0.7, 0}, {5e-324, -0.0, 123456789.123456789}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  return mesh;
}

void expect_same(const SurfaceMesh& a, const SurfaceMesh& b) {
  ASSERT_EQ(a.vertices.size(), b.vertices.size());
  for (std::size_t i = 0; i < a.vertices.size(); ++i)
    EXPECT_EQ(std::memcmp(a.vertices[i].data(), b.vertices[i].data(), 24), 0) << i;  // bit by bit
  EXPECT_EQ(a.triangles, b.triangles);
}

TEST(SurfaceFiles, RoundTripsKeepEveryBit) {
  const test::TemporaryFolder folder;
  for (const char* name : {"a.obj", "a.ply", "a.off", "A.OBJ"}) {
    ASSERT_TRUE(write_surface_file(folder.path() / name, sample_mesh()).ok());
    const Result<SurfaceFile> file = read_surface_file(folder.path() / name);
    ASSERT_TRUE(file.ok()) << to_string(file.error());
    expect_same(file.value().mesh, sample_mesh());
  }
}

TEST(SurfaceFiles, StlKeepsSinglePrecision) {
  const test::TemporaryFolder folder;
  SurfaceMesh mesh = sample_mesh();
  const Status refused = write_surface_file(folder.path() / "a.stl", mesh);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnwritable);
  EXPECT_EQ(refused.error().where.key, "vertex 1");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "a.stl"));

  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1.5, 0}, {0, 0, 0.1F}};
  ASSERT_TRUE(write_surface_file(folder.path() / "a.stl", mesh).ok());
  const Result<SurfaceFile> file = read_surface_file(folder.path() / "a.stl");
  ASSERT_TRUE(file.ok());
  // vertices come in order of first use: 0 2 1 3
  const SurfaceReport before = report(mesh);
  const SurfaceReport after = report(file.value().mesh);
  EXPECT_EQ(after.vertices, 4);
  EXPECT_TRUE(after.watertight);
  EXPECT_EQ(after.volume, before.volume);
  EXPECT_EQ(file.value().mesh.vertices[1], mesh.vertices[2]);
}

TEST(SurfaceFiles, PathsAreSortedByExtension) {
  EXPECT_TRUE(is_surface_file("a/b.StL"));
  EXPECT_FALSE(is_surface_file("a/b.msh"));
  EXPECT_FALSE(is_surface_file("obj"));
  EXPECT_EQ(read_surface_file("no/such/file.obj").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(read_surface_file("file.xyz").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(write_surface_file("file.xyz", sample_mesh()).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(write_surface_file("no/such/folder/a.obj", sample_mesh()).error().code, ErrorCode::kUnwritable);
}

// --- OBJ

TEST(Obj, ReadsEveryKindOfCorner) {
  const SurfaceMesh mesh = read_ok(read_obj,
                                   "# comment\r\n"
                                   "mtllib some.mtl\r\n"
                                   "o thing\r\n"
                                   "v 0 0 0 0.5 0.5 0.5\r\n"  // with a colour
                                   "v 1 0 0 1.0\r\n"          // with a weight
                                   "v 1 +1. 0\r\n"
                                   "v 0 1e0 0 # end\r\n"
                                   "vt 0 0\nvn 0 0 1\ng a b\ns off\nusemtl red\n"
                                   "f 1/1/1 2//1 3/1\n"
                                   "f -4 -2 \\\n"
                                   "  -1\n"
                                   "f 1 2 3 4");
  ASSERT_EQ(mesh.vertices.size(), 4U);
  EXPECT_EQ(mesh.vertices[2], Vector3(1, 1, 0));
  const std::vector<Triangle> expected{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 2, 3}};
  EXPECT_EQ(mesh.triangles, expected);
}

TEST(Obj, UnknownStatementsAreNoted) {
  const Result<SurfaceFile> file =
      read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nsurf 1 2\nsurf 1 2\nf 1 2 3\nf 1 1 2\n", "name");
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(file.value().notes.size(), 2U);
  EXPECT_EQ(file.value().notes[0].code, ErrorCode::kUnsupported);
  EXPECT_EQ(file.value().notes[0].where.line, 4);
  EXPECT_EQ(file.value().notes[1].code, ErrorCode::kDegenerate);  // the face without area
}

TEST(Obj, ErrorsAreLocated) {
  expect_error(read_obj, "", ErrorCode::kMissing, 0);
  expect_error(read_obj, "v 0 0 0\nv 1 0 0\n", ErrorCode::kMissing, 0);
  expect_error(read_obj, "v 0 0 0\nv 1 0\n", ErrorCode::kSyntax, 2);
  expect_error(read_obj, "v 0 0 abc\n", ErrorCode::kSyntax, 1);
  expect_error(read_obj, "v 0 0 nan\n", ErrorCode::kNonFinite, 1, "vertex 0");
  expect_error(read_obj, "v 0 0 0\nv 0 0 1e999\n", ErrorCode::kNonFinite, 2, "vertex 1");
  expect_error(read_obj, "v 0 0 0\n\nv 0 0 -2e150\n", ErrorCode::kOutOfRange, 3, "vertex 1");
  expect_error(read_obj, "v 0 0 0\nf 1 2 3\n", ErrorCode::kOutOfRange, 2, "face 0");
  expect_error(read_obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 -4\n", ErrorCode::kOutOfRange, 5,
               "face 1");
  expect_error(read_obj, "v 0 0 0\nf 0 1 1\n", ErrorCode::kOutOfRange, 2);
  expect_error(read_obj, "v 0 0 0\nf 1 1 x\n", ErrorCode::kSyntax, 2);
  expect_error(read_obj, "v 0 0 0\nf 1 1\n", ErrorCode::kOutOfRange, 2, "face 0");
  expect_error(read_obj, "v 0 0 0\nf 1 1 99999999999999999999\n", ErrorCode::kSyntax, 2);
}

TEST(Obj, AllErrorsAreListedUpToTen) {
  std::string bytes;
  for (int i = 0; i < 50; ++i) bytes += "v 0 0 x\n";
  const Result<SurfaceFile> file = read_obj(bytes, "name");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.errors().size(), 10U);
  EXPECT_EQ(file.errors()[9].where.line, 10);
}

/// Triangles must cover the polygon once: areas add up without a sign change.
void expect_covered(const SurfaceMesh& mesh, double area) {
  double sum = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const auto at = [&](std::size_t i) { return mesh.vertices[to_size(t[i])]; };
    const double part = 0.5 * (at(1) - at(0)).cross(at(2) - at(0)).z();
    EXPECT_GE(part, 0.0);
    sum += part;
  }
  EXPECT_NEAR(sum, area, 1e-14 * area);
}

TEST(Obj, NonConvexPolygonsAreCutIntoEars) {
  // an arrow head, an L, and a comb of ten teeth
  expect_covered(read_ok(read_obj, "v 0 0 0\nv 2 -2 0\nv 0 4 0\nv -2 -2 0\nf 1 2 3 4\n"), 8.0);
  expect_covered(read_ok(read_obj, "v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nf 1 2 3 4 5 6\n"),
                 5.0);
  std::string comb = "v 0 -1 0\nv 20 -1 0\nv 20 0 0\n";
  std::string face = "f 1 2 3";
  for (int i = 9; i >= 0; --i) {
    comb += "v " + std::to_string(2 * i + 1) + " 5 0\nv " + std::to_string(2 * i) + " 0 0\n";
    face += " " + std::to_string(4 + 2 * (9 - i)) + " " + std::to_string(5 + 2 * (9 - i));
  }
  expect_covered(read_ok(read_obj, comb + face), 20.0 + 10 * 5.0);
}

// --- STL

constexpr const char* kAscii =
    "solid name of it\n"
    " facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1 0\n  endloop\n "
    "endfacet\n"
    " FACET NORMAL nan nan nan\n  outer loop\n   vertex 1 0 -0\n   vertex 1 1 0\n   vertex 0 1 0.0\n  "
    "endloop\n"
    " endfacet\nendsolid name of it\n";

TEST(Stl, AsciiCornersAreMerged) {
  const SurfaceMesh mesh = read_ok(read_stl, kAscii);
  EXPECT_EQ(mesh.vertices.size(), 4U);
  const std::vector<Triangle> expected{{0, 1, 2}, {1, 3, 2}};
  EXPECT_EQ(mesh.triangles, expected);
}

TEST(Stl, ABinaryFileMayStartWithSolid) {
  const SurfaceMesh mesh = read_ok(read_stl, kAscii);
  std::string bytes = write_stl(mesh).value();
  bytes.replace(0, 5, "solid");
  EXPECT_EQ(read_ok(read_stl, bytes).triangles, mesh.triangles);
  bytes.replace(5, 75, std::string(75, '\0'));
  bytes += "trailing";  // the size no longer decides, the zeros do
  const Result<SurfaceFile> file = read_stl(bytes, "name");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().notes.size(), 1U);
}

TEST(Stl, ErrorsAreLocated) {
  const std::string binary = write_stl(read_ok(read_stl, kAscii)).value();
  expect_error(read_stl, "", ErrorCode::kTruncated, 0);
  expect_error(read_stl, "abc", ErrorCode::kTruncated, 0);
  expect_error(read_stl, std::string_view(binary).substr(0, 150), ErrorCode::kTruncated, 0);
  std::string absurd = binary;
  absurd.replace(80, 4, "\xff\xff\xff\xff");
  expect_error(read_stl, absurd, ErrorCode::kTruncated, 0);
  std::string none = binary.substr(0, 84);
  none.replace(80, 4, std::string(4, '\0'));
  expect_error(read_stl, none, ErrorCode::kMissing, 0);
  std::string nan = binary;
  nan.replace(84 + 12, 4, "\xff\xff\xff\x7f");
  expect_error(read_stl, nan, ErrorCode::kNonFinite, 0, "vertex 0");

  expect_error(read_stl, "solid\nendsolid\n", ErrorCode::kMissing, 0);
  const std::string_view ascii(kAscii);
  expect_error(read_stl, ascii.substr(0, ascii.rfind(" endfacet")), ErrorCode::kTruncated, 15);
  expect_error(read_stl, "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", ErrorCode::kSyntax, 4);
  expect_error(read_stl, "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf\n", ErrorCode::kNonFinite,
               4);
  expect_error(read_stl, "solid a\nfacet\nouter loop\nvertex 0 0 0\nendloop\nendfacet\nendsolid\n",
               ErrorCode::kOutOfRange, 5, "face 0");
  expect_error(read_stl, "solid a\nfacet normal 0 0 1\nnonsense\n", ErrorCode::kSyntax, 3);
}

// --- PLY

template <class Number>
std::string raw(Number number, bool big) {
  std::string bytes(sizeof(Number), '\0');
  std::memcpy(bytes.data(), &number, sizeof(Number));
  if (big) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

/// Faces before vertices, properties in odd order, odd types, lists to be skipped, an element nobody knows.
std::string odd_ply(bool big) {
  std::string bytes =
      "ply\nformat binary_"s + (big ? "big" : "little") +
      "_endian 1.0\ncomment hello\nelement face 2\nproperty uchar flags\n"
      "property list ushort float texcoord\nproperty list int8 uint32 vertex_index\n"
      "element extra 1\nproperty list uchar double a\nproperty short b\n"
      "element vertex 4\nproperty uchar red\nproperty double z\nproperty float x\nproperty int16 y\n"
      "end_header\n";
  const auto face = [&](std::initializer_list<std::uint32_t> corners) {
    bytes += raw<std::uint8_t>(7, big) + raw<std::uint16_t>(2, big) + raw(0.5F, big) + raw(0.25F, big) +
             raw(static_cast<std::int8_t>(corners.size()), big);
    for (const std::uint32_t corner : corners) bytes += raw(corner, big);
  };
  face({0, 1, 2});
  face({3, 2, 1, 0});
  bytes += raw<std::uint8_t>(1, big) + raw(3.0, big) + raw<std::int16_t>(-1, big);
  for (const auto& [x, y, z] : {std::tuple{0.5F, -1, 0.1}, {1.5F, -1, 0.1}, {1.5F, 2, 0.1}, {0.5F, 2, 0.1}})
    bytes += raw<std::uint8_t>(255, big) + raw(z, big) + raw(x, big) + raw(static_cast<std::int16_t>(y), big);
  return bytes;
}

TEST(Ply, ReadsAnyOrderAndTypeInBothByteOrders) {
  for (const bool big : {false, true}) {
    const SurfaceMesh mesh = read_ok(read_ply, odd_ply(big));
    ASSERT_EQ(mesh.vertices.size(), 4U);
    EXPECT_EQ(mesh.vertices[2], Vector3(1.5, 2, 0.1));
    const std::vector<Triangle> expected{{0, 1, 2}, {3, 2, 1}, {3, 1, 0}};
    EXPECT_EQ(mesh.triangles, expected);
  }
}

constexpr const char* kAsciiPly =
    "ply\nformat ascii 1.0\nobj_info x\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
    "z\n"
    "property uchar red\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0 255\n1 0 0 255\n0 1 0 255\n3 0 1 2\n";

TEST(Ply, ReadsAscii) {
  const SurfaceMesh mesh = read_ok(read_ply, kAsciiPly);
  EXPECT_EQ(mesh.vertices.size(), 3U);
  EXPECT_EQ(mesh.triangles.size(), 1U);
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(Ply, ErrorsAreLocated) {
  const std::string good = kAsciiPly;
  expect_error(read_ply, "", ErrorCode::kTruncated, 1);
  expect_error(read_ply, "plx\n", ErrorCode::kSyntax, 1);
  expect_error(read_ply, "ply\nformat ascii 1.0\n", ErrorCode::kTruncated, 3);
  expect_error(read_ply, replaced(good, "format ascii", "format octal"), ErrorCode::kUnsupported, 2);
  expect_error(read_ply, replaced(good, "format ascii 1.0\n", ""), ErrorCode::kMissing, 10);
  expect_error(read_ply, replaced(good, "float z", "quad z"), ErrorCode::kSyntax, 7);
  expect_error(read_ply, replaced(good, "float z", "float w"), ErrorCode::kMissing, 0, "element 'vertex'");
  expect_error(read_ply, replaced(good, "uchar int", "float int"), ErrorCode::kUnsupported, 10);
  expect_error(read_ply, replaced(good, "vertex_indices", "other"), ErrorCode::kMissing, 0, "element 'face'");
  expect_error(read_ply, replaced(good, "vertex 3", "vertex -3"), ErrorCode::kSyntax, 4);
  expect_error(read_ply, replaced(good, "vertex 3", "vertex 4000000000000"), ErrorCode::kLimit, 4);
  expect_error(read_ply, replaced(good, "vertex 3", "vertex 20"), ErrorCode::kTruncated, 0,
               "element 'vertex'");
  expect_error(read_ply, replaced(good, "vertex 3", "vertex 4"), ErrorCode::kTruncated, 16, "face 0");
  expect_error(read_ply, replaced(good, "1 0 0", "1 q 0"), ErrorCode::kSyntax, 13, "vertex 1");
  expect_error(read_ply, replaced(good, "1 0 0", "1 nan 0"), ErrorCode::kNonFinite, 13, "vertex 1");
  expect_error(read_ply, replaced(good, "3 0 1 2", "3 0 1 3"), ErrorCode::kOutOfRange, 15, "face 0");
  expect_error(read_ply, replaced(good, "3 0 1 2", "-3 0 1 2"), ErrorCode::kOutOfRange, 15, "face 0");
  expect_error(read_ply, replaced(good, "3 0 1 2", "200 0 1 2"), ErrorCode::kTruncated, 15, "face 0");
  expect_error(read_ply, replaced(good, "face 1", "face 0"), ErrorCode::kMissing, 0);
  const std::string odd = odd_ply(true);
  expect_error(read_ply, std::string_view(odd).substr(0, odd.size() - 1), ErrorCode::kTruncated, 0,
               "vertex 3");
}

// --- OFF

TEST(Off, ReadsTheDialects) {
  const std::vector<Triangle> expected{{0, 1, 2}, {0, 2, 3}, {0, 1, 3}};
  for (const char* bytes :
       {"OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n3 0 1 3\n",
        "# first\nCOFF # second\n\n4 2 5\n0 0 0 1 1 1 1\n1 0 0 1 1 1 1\n# third\n1 1 0 1 1 1 1\n0 1 0 1 1 1 "
        "1\n"
        "4 0 1 2 3 255 0 0\n3 0 1 3\n",
        "NOFF 4 2 5\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n4 0 1 2 3\n3 0 1 3",
        "OFF\r4 2 5\r0 0 0\r1 0 0\r1 1 0\r0 1 0\r4 0 1 2 3\r3 0 1 3\r"}) {
    const SurfaceMesh mesh = read_ok(read_off, bytes);
    EXPECT_EQ(mesh.triangles, expected) << bytes;
    ASSERT_EQ(mesh.vertices.size(), 4U);
    EXPECT_EQ(mesh.vertices[2], Vector3(1, 1, 0));
  }
}

TEST(Off, ErrorsAreLocated) {
  expect_error(read_off, "", ErrorCode::kTruncated, 1);
  expect_error(read_off, "3 1 0\n", ErrorCode::kSyntax, 1);
  expect_error(read_off, "4OFF\n3 1 0\n", ErrorCode::kUnsupported, 1);
  expect_error(read_off, "OFF BINARY\n", ErrorCode::kUnsupported, 1);
  expect_error(read_off, "OFF\n3 x\n", ErrorCode::kSyntax, 2);
  expect_error(read_off, "OFF\n2000000000 1 0\n", ErrorCode::kLimit, 2);
  expect_error(read_off, "OFF\n3 1 0\n0 0 0\n1 0 0\n", ErrorCode::kTruncated, 5, "vertex 2");
  expect_error(read_off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n", ErrorCode::kTruncated, 6, "face 0");
  expect_error(read_off, "OFF\n3 1 0\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n", ErrorCode::kSyntax, 4);
  expect_error(read_off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n", ErrorCode::kSyntax, 6);
  expect_error(read_off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", ErrorCode::kOutOfRange, 6, "face 0");
  expect_error(read_off, "OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n", ErrorCode::kMissing, 0);
}

}  // namespace
}  // namespace pliant
