// What a writer puts out, the reader of the same format takes in, bit for bit.
#include "file/volume_samples.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/file/gzip.hpp"
#include "pliant/file/msh.hpp"
#include "pliant/file/vtu.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace pliant {
namespace {

using test::SampleParts;

/// Writes, reads, compares; returns the file's size.
void expect_round_trip(const VolumeMesh& mesh, const std::string& name, const WriteOptions& options = {}) {
  SCOPED_TRACE(name);
  const test::TemporaryFolder folder;
  const auto path = folder.path() / name;
  const Status written = write_volume_file(path, mesh, options);
  ASSERT_TRUE(written.ok()) << to_string(written.error());
  const auto read = read_volume_file(path);
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  test::expect_same(read.value().mesh, mesh);
  EXPECT_EQ(read.value().reoriented, 0);
}

void expect_unwritable(const VolumeMesh& mesh, const std::string& name, const WriteOptions& options = {}) {
  SCOPED_TRACE(name);
  const test::TemporaryFolder folder;
  const auto path = folder.path() / name;
  const Status written = write_volume_file(path, mesh, options);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::kUnwritable);
  EXPECT_EQ(written.error().where.file, path.string());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));  // nothing was written, not even in part
}

TEST(RoundTrip, Msh) {
  for (const MshVersion version : {MshVersion::k22, MshVersion::k41})
    for (const bool binary : {false, true}) {
      const WriteOptions options{.msh_version = version, .binary = binary};
      expect_round_trip(test::sample_mesh(), "mixed.msh", options);
      expect_round_trip(test::sample_mesh({.hexes = false}), "tets.msh", options);
      expect_round_trip(test::sample_mesh({.tets = false, .faces = false, .names = false}), "hexes.msh",
                        options);
      expect_round_trip(test::one_tet(0), "unlabelled.msh", options);
    }
}

TEST(RoundTrip, MshBinaryAndTextDiffer) {
  const auto text = write_msh(test::sample_mesh(), MshVersion::k41, false, "a.msh");
  const auto binary = write_msh(test::sample_mesh(), MshVersion::k41, true, "a.msh");
  ASSERT_TRUE(text.ok() && binary.ok());
  EXPECT_NE(text.value(), binary.value());
  EXPECT_EQ(binary.value().substr(0, 20), "$MeshFormat\n4.1 1 8\n");
}

TEST(RoundTrip, Medit) {
  expect_round_trip(test::sample_mesh({.names = false}), "mixed.mesh");
  expect_round_trip(test::sample_mesh({.names = false, .negative_labels = true}), "negative.mesh");
  expect_round_trip(test::one_tet(), "one.mesh");
}

TEST(RoundTrip, Veg) {
  expect_round_trip(test::sample_mesh({.hexes = false, .faces = false}), "tets.veg");
  expect_round_trip(test::sample_mesh({.tets = false, .faces = false}), "hexes.veg");
  expect_round_trip(test::sample_mesh({.hexes = false, .faces = false, .negative_labels = true}),
                    "negative.veg");
  expect_round_trip(test::one_tet(0), "unlabelled.veg");
  expect_round_trip(test::one_tet(41), "one_label.veg");
}

TEST(RoundTrip, Vtu) {
  for (const bool compressed : {false, true}) {
    const WriteOptions options{.compressed = compressed};
    expect_round_trip(test::sample_mesh(), "mixed.vtu", options);
    expect_round_trip(test::sample_mesh({.negative_labels = true}), "negative.vtu", options);
    expect_round_trip(test::one_tet(5), "one.vtu", options);
  }
  VolumeMesh named = test::sample_mesh();
  named.region_names[3] = "bone <\"&'> \xc3\xa9";
  expect_round_trip(named, "named.vtu");
}

TEST(RoundTrip, PackedText) {
  const test::TemporaryFolder folder;
  const VolumeMesh mesh = test::sample_mesh({.names = false});
  ASSERT_TRUE(write_volume_file(folder.path() / "a.mesh", mesh).ok());
  const auto bytes = read_file(folder.path() / "a.mesh");
  ASSERT_TRUE(bytes.ok());
  // two gzip members, one behind the other, are one file
  const std::string_view all = bytes.value();
  const std::string packed = gzip(all.substr(0, 700)) + gzip(all.substr(700));
  for (const char* name : {"b.mesh.gz", "unnamed"}) {
    ASSERT_TRUE(write_file(folder.path() / name, packed).ok());
    const auto read = read_volume_file(folder.path() / name);
    ASSERT_TRUE(read.ok()) << to_string(read.error());
    test::expect_same(read.value().mesh, mesh);
  }
}

TEST(Unwritable, WhatTheFormatCannotHold) {
  expect_unwritable(test::sample_mesh({.faces = false}), "mixed.veg");
  expect_unwritable(test::sample_mesh({.hexes = false}), "faces.veg");
  expect_unwritable(test::sample_mesh(), "names.mesh");
  expect_unwritable(test::sample_mesh({.negative_labels = true}), "negative.msh");
  VolumeMesh named = test::one_tet(1);
  named.region_names[1] = "two words";
  expect_unwritable(named, "words.veg");
  named.region_names[1] = "a \"quote\"";
  expect_unwritable(named, "quote.msh");
  named.region_names = {{2, "nobody"}};
  expect_unwritable(named, "unused_name.veg");
  expect_unwritable(test::one_tet(), "one.vtk");
  expect_unwritable(test::one_tet(), "one.msh.gz");
}

TEST(Unwritable, FolderThatDoesNotExist) {
  const test::TemporaryFolder folder;
  const Status written = write_volume_file(folder.path() / "no" / "a.msh", test::one_tet());
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::kUnwritable);
}

TEST(VolumeFile, KnowsItsExtensions) {
  for (const char* name :
       {"a.msh", "a.MESH", "a.veg", "a.node", "a.ele", "a.vtk", "a.vtu", "b/a.mesh.gz", "a.inp", "a.inp.gz"})
    EXPECT_TRUE(is_volume_file(name)) << name;
  for (const char* name : {"a.obj", "a", "a.gz", "a.msh.txt", "msh"})
    EXPECT_FALSE(is_volume_file(name)) << name;
}

TEST(VtuFrames, CarryDataBesideTheMesh) {
  const VolumeMesh mesh = test::sample_mesh();
  VtuData data;
  data.point.push_back({"displacement", 3, std::vector<double>(3 * mesh.vertices.size(), 0.5)});
  data.cell.push_back({"von_mises <Pa>", 1, std::vector<double>(to_size(mesh.element_count()), 2.0)});
  for (const bool faces : {false, true}) {
    const std::string bytes = write_vtu(mesh, data, {.faces = faces, .compressed = faces});
    EXPECT_NE(bytes.find("Name=\"displacement\" NumberOfComponents=\"3\""), std::string::npos);
    EXPECT_NE(bytes.find("Name=\"von_mises &lt;Pa&gt;\" NumberOfComponents=\"1\""), std::string::npos);
    const auto read = read_vtu(bytes, "frame.vtu");
    ASSERT_TRUE(read.ok()) << to_string(read.error());
    EXPECT_EQ(read.value().mesh.triangles.size(), faces ? mesh.triangles.size() : 0U);
    EXPECT_EQ(read.value().mesh.tets, mesh.tets);
    EXPECT_EQ(read.value().mesh.hex_labels, mesh.hex_labels);
  }
}

TEST(VtuFrames, CollectionNamesFilesAndTimes) {
  const std::vector<PvdEntry> entries{{0.0, "frame_0.vtu"}, {0.1, "a&b.vtu"}};
  const std::string text = write_pvd(entries);
  EXPECT_NE(text.find("timestep=\"0.1\" part=\"0\" file=\"a&amp;b.vtu\""), std::string::npos);
  EXPECT_NE(text.find("type=\"Collection\""), std::string::npos);
}

}  // namespace
}  // namespace pliant
