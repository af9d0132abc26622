// What files say beside the mesh: each kind is named, so that a conversion can refuse to lose it silently.
#include "file/volume_samples.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/file/tetgen.hpp"
#include "pliant/file/vtu.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using Names = std::vector<std::string>;

Names extras_of(const Result<VolumeFile>& file) {
  if (!file) return {to_string(file.error())};
  Names names;
  for (const Diagnostic& extra : file.value().extras) names.push_back(extra.what);
  return names;
}

Names extras_of(const std::string& text, const std::string& name) {
  return extras_of(read_volume_bytes(text, name));
}

const std::string kMshHead =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n";

TEST(VolumeExtras, SecondTagsOfGmsh) {
  const auto tagged = [](const std::string& tags) {
    return extras_of(kMshHead + "$Elements\n1\n1 4 " + tags + " 1 2 3 4\n$EndElements\n", "a.msh");
  };
  EXPECT_EQ(tagged("2 7 7"), Names{});
  EXPECT_EQ(tagged("2 7 0"), Names{});
  EXPECT_EQ(tagged("2 0 3"), Names{});
  EXPECT_EQ(tagged("0"), Names{});
  EXPECT_EQ(tagged("2 7 3"), Names{"elementary tags beside physical ones"});
  EXPECT_EQ(tagged("4 7 7 1 2"), Names{"partitions of elements"});
  EXPECT_EQ(tagged("2 -9223372036854775808 1").size(), 1U);  // refused, and no overflow on the way

  // 4.1: the entity has the tag 3 and the physical groups 7 and 8
  const auto grouped = [](const std::string& groups) {
    return extras_of(
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n3 0 0 0 1 1 1 " + groups +
            " 0\n$EndEntities\n$Nodes\n1 4 1 4\n3 3 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
            "$EndNodes\n$Elements\n1 1 1 1\n3 3 4 1\n1 1 2 3 4\n$EndElements\n",
        "a.msh");
  };
  EXPECT_EQ(grouped("0"), Names{});
  EXPECT_EQ(grouped("1 3"), Names{});
  EXPECT_EQ(grouped("1 7"), Names{"elementary tags beside physical ones"});
  EXPECT_EQ(grouped("2 3 8"), Names{"second physical groups of entities"});
}

TEST(VolumeExtras, SectionsOfGmsh) {
  const std::string elements = "$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n";
  EXPECT_EQ(extras_of(kMshHead + elements + "$Comments\nmade today\n$EndComments\n", "a.msh"), Names{});
  EXPECT_EQ(extras_of(kMshHead + elements + "$NodeData\n1\n\"t\"\n0\n3\n0\n1\n1\n1 20.0\n$EndNodeData\n" +
                          "$ElementData\n1\n\"s\"\n0\n3\n0\n1\n1\n1 5.0\n$EndElementData\n",
                      "a.msh"),
            (Names{"the section $ElementData", "the section $NodeData"}));
}

TEST(VolumeExtras, MaterialsAndSetsOfVega) {
  const std::string mesh =
      "*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n*ELEMENTS\nTET\n1 4 0\n1 1 2 3 4\n";
  const auto vega = [&](const std::string& rest) { return extras_of(mesh + rest, "a.veg"); };
  EXPECT_EQ(vega(""), Names{});
  EXPECT_EQ(vega("*MATERIAL m\nENU, 1000, 1000000, 0.45\n*REGION\nallElements, m\n"), Names{});
  EXPECT_EQ(vega("*MATERIAL m\nENU, 1000, 1e7, 0.45\n*REGION\nallElements, m\n"),
            Names{"the constants of the material 'm'"});
  EXPECT_EQ(vega("*MATERIAL m\nMOONEYRIVLIN, 1000,\n 1, 2, 3\n*REGION\nallElements, m\n"),
            Names{"the constants of the material 'm'"});
  EXPECT_EQ(vega("*SET s\n1\n*REGION\ns, m\n"), Names{"the name of the material 'm'"});
  EXPECT_EQ(vega("*SET s\n1\n*SET t\n1\n*REGION\ns, s\n"), Names{"the set 't'"});
  EXPECT_EQ(vega("*SPRINGS\n1, 2\n"), Names{"the section *SPRINGS"});
}

TEST(VolumeExtras, ReferencesOfMedit) {
  const auto medit = [](const std::string& reference, const std::string& rest) {
    return extras_of("MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 " + reference +
                         "\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra\n1\n1 2 3 4 5\n" + rest + "End\n",
                     "a.mesh");
  };
  EXPECT_EQ(medit("0", ""), Names{});
  EXPECT_EQ(medit("0", "Edges\n1\n1 2 0\nCorners\n1\n1\n"), Names{});
  EXPECT_EQ(medit("3", ""), Names{"references of vertices"});
  EXPECT_EQ(medit("0", "Normals\n1\n0 0 1\n"), Names{"the section Normals"});
}

TEST(VolumeExtras, AttributesOfTetgen) {
  const auto tetgen = [](const std::string& counts, const std::string& more, const std::string& elements) {
    std::string nodes = "4 3 " + counts + "\n";
    const char* places[] = {"1 0 0 0", "2 1 0 0", "3 0 1 0", "4 0 0 1"};
    for (const char* place : places) nodes += std::string(place) + more + "\n";
    return extras_of(read_tetgen(nodes, "a.node", elements, "a.ele"));
  };
  EXPECT_EQ(tetgen("0 0", "", "1 4 1\n1 1 2 3 4 7\n"), Names{});
  EXPECT_EQ(tetgen("0 1", " 0", "1 4 0\n1 1 2 3 4\n"), Names{});
  EXPECT_EQ(tetgen("0 1", " 2", "1 4 0\n1 1 2 3 4\n"), Names{"boundary markers of vertices"});
  EXPECT_EQ(tetgen("1 0", " 0.5", "1 4 2\n1 1 2 3 4 7 8\n"),
            (Names{"attributes of vertices", "second attributes of elements"}));
  EXPECT_EQ(tetgen("0 0", "", "1 4 1\n1 1 2 3 4 0.5\n"),
            Names{"region attributes that are no whole numbers"});
}

TEST(VolumeExtras, ArraysOfVtk) {
  const std::string legacy =
      "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0 0 1 0 0 "
      "0 "
      "1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\nCELL_DATA 1\nSCALARS label int 1\nLOOKUP_TABLE "
      "default\n5\n";
  EXPECT_EQ(extras_of(legacy, "a.vtk"), Names{});
  EXPECT_EQ(
      extras_of(legacy + "SCALARS stress double 1\nLOOKUP_TABLE default\n5\nPOINT_DATA 4\n"
                         "VECTORS u double\n0 0 0 0 0 0 0 0 0 0 0 0\nFIELD f 1\nheat 1 4 double\n1 2 3 4\n",
                "a.vtk"),
      (Names{"the cell array 'stress'", "the point array 'heat'", "the point array 'u'"}));

  VtuData data;
  data.point.push_back({"displacement", 3, std::vector<double>(12, 0.0)});
  data.cell.push_back({"von_mises", 1, {2.0}});
  EXPECT_EQ(extras_of(write_vtu(test::one_tet(3), data, {}), "a.vtu"),
            (Names{"the cell array 'von_mises'", "the point array 'displacement'"}));
}

TEST(VolumeExtras, OurOwnFilesHaveNone) {
  const test::TemporaryFolder folder;
  for (const char* name : {"a.msh", "a.mesh", "a.veg", "a.vtu"}) {
    SCOPED_TRACE(name);
    const bool vega = std::string(name) == "a.veg", medit = std::string(name) == "a.mesh";
    const VolumeMesh mesh = test::sample_mesh({.hexes = !vega, .faces = !vega, .names = !medit && !vega});
    ASSERT_TRUE(write_volume_file(folder.path() / name, mesh).ok());
    EXPECT_EQ(extras_of(read_volume_file(folder.path() / name)), Names{});
  }
}

TEST(VolumeExtras, WhatAFormatCannotHoldCanBeDropped) {
  const test::TemporaryFolder folder;
  for (const char* name : {"a.mesh", "a.veg"}) {
    SCOPED_TRACE(name);
    VolumeMesh mesh = test::sample_mesh({.hexes = std::string(name) == "a.mesh"});
    mesh.region_names[1] = "two words";
    ASSERT_FALSE(write_volume_file(folder.path() / name, mesh).ok());
    const VolumeMesh before = mesh;
    EXPECT_GE(drop_unwritable(folder.path() / name, mesh).size(), 1U);
    EXPECT_TRUE(drop_unwritable(folder.path() / name, mesh).empty());
    ASSERT_TRUE(write_volume_file(folder.path() / name, mesh).ok());
    EXPECT_EQ(mesh.tets, before.tets);
    EXPECT_EQ(mesh.tet_labels, before.tet_labels);
    EXPECT_TRUE(mesh.region_names.empty());
  }
  VolumeMesh mesh = test::sample_mesh();
  EXPECT_TRUE(drop_unwritable("a.msh", mesh).empty());
  EXPECT_FALSE(mesh.region_names.empty());
}

}  // namespace
}  // namespace pliant
