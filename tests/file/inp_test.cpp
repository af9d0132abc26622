// Input files of CalculiX and Abaqus: what is taken, what is skipped, what is refused and where.
#include "pliant/file/inp.hpp"

#include "file/volume_samples.hpp"
#include "pliant/file/gzip.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::expect_error;
using test::one_tet;
using test::one_tet10;

VolumeMesh named(VolumeMesh mesh, const std::map<Label, std::string>& names) {
  mesh.region_names = names;
  return mesh;
}

void expect_mesh(const std::string& text, const VolumeMesh& expected) {
  SCOPED_TRACE(text);
  const auto file = read_inp(text, "a.inp");
  ASSERT_TRUE(file.ok()) << to_string(file.error());
  test::expect_same(file.value().mesh, expected);
}

std::vector<std::string> extras_of(const std::string& text) {
  const auto file = read_inp(text, "a.inp");
  EXPECT_TRUE(file.ok()) << to_string(file.error());
  std::vector<std::string> names;
  if (file)
    for (const Diagnostic& extra : file.value().extras) names.push_back(extra.what);
  return names;
}

// lines:                    1        2           3           4           5
const std::string kNodes = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n";
//                                6                        7
const std::string kTet = kNodes + "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n";
// 1 *NODE 2-11 rows 12 *ELEMENT
const std::string kNodes10 = kNodes +
                             "5, .5, 0, 0\n6, .5, .5, 0\n7, 0, .5, 0\n8, 0, 0, .5\n9, .5, 0, .5\n"
                             "10, 0, .5, .5\n*ELEMENT, TYPE=C3D10\n";

TEST(Inp, TakesThreeTypesOfElements) {
  expect_mesh(kTet, one_tet());
  expect_mesh(kNodes10 + "1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\n", one_tet10());
  VolumeMesh cube;
  cube.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  cube.hexes = {{0, 1, 2, 3, 4, 5, 6, 7}};
  cube.hex_labels = {0};
  expect_mesh(
      "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
      "*ELEMENT,TYPE=C3D8\n1,1,2,3,4,5,6,7,8\n",
      cube);
}

TEST(Inp, CaseBlanksCommentsAndLineEndsDoNotMatter) {
  expect_mesh(
      "** made by hand\r\n\r\n*Heading\r\na title, with anything\r\n*node , nset = Nall\r\n**\r\n"
      "  7 , 0.0 , 0. , -0e0\r\n  1, 1.,0,0,\r\n** between\r\n900, 0 ,1.0E+00, 0\r\n4, 0, 0, +1\r\n"
      "*ELEMENT ,\r\n type = c3d4 ,\r\nELSET = \"my set\"\r\n17, 7, 1, 900, 4\r\n*End Step",
      [] {
        VolumeMesh mesh = named(one_tet(1), {{1, "my set"}});
        mesh.vertices[0][2] = -0.0;
        return mesh;
      }());
  // A comma behind the last parameter does not make a parameter of the first row.
  expect_mesh("*NODE,\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n*ELEMENT, TYPE=C3D4,\n1, 1, 2, 3, 4\n",
              one_tet());
}

TEST(Inp, RowsContinueBehindAComma) {
  for (const char* row :
       {"1, 1, 2, 3, 4, 5, 6, 7,\n8, 9, 10\n", "1,\n1, 2, 3, 4, 5,\n6, 7, 8, 9,\n10\n",
        "1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,\n", "1,1,2,3,4,5,6,7, \r\n** remark\r\n\n 8,9,10"})
    expect_mesh(kNodes10 + row, one_tet10());
}

TEST(Inp, SetsAreLabelsInOrderOfAppearance) {
  const auto labelled = [](const std::string& elements) { return read_inp(kNodes + elements, "a.inp"); };
  const auto file = labelled(
      "*ELEMENT, TYPE=C3D4, ELSET=Zinc\n1, 1, 2, 3, 4\n*ELEMENT, TYPE=C3D4\n2, 1, 2, 3, 4\n"
      "*ELEMENT, TYPE=C3D4, ELSET=alloy\n3, 1, 2, 3, 4\n*ELEMENT, TYPE=C3D4, ELSET=ZINC\n4, 1, 2, 3, 4\n");
  ASSERT_TRUE(file.ok()) << to_string(file.error());
  EXPECT_EQ(file.value().mesh.tet_labels, (std::vector<Label>{1, 0, 2, 1}));
  EXPECT_EQ(file.value().mesh.region_names, (std::map<Label, std::string>{{1, "Zinc"}, {2, "alloy"}}));
}

TEST(Inp, SkipsAndNamesTheRest) {
  EXPECT_TRUE(extras_of(kTet).empty());
  EXPECT_TRUE(extras_of("*HEADING\ntitle\n" + kTet).empty());
  const std::string rest =
      "*NSET, NSET=fixed\n1, 2,\n3\n*ELSET, ELSET=all, GENERATE\n1, 1, 1\n*MATERIAL, "
      "NAME=steel\n*ELASTIC\n2.1e11, 0.3\n"
      "*STEP\n*STATIC\n*NODE PRINT, NSET=fixed\nU\n*EL FILE\nS\n*ELEMENT OUTPUT\n*END STEP\n";
  expect_mesh(kTet + rest, one_tet());
  EXPECT_EQ(extras_of(kTet + rest).size(), 10U);
  EXPECT_EQ(extras_of(kTet + "*MATERIAL, NAME=a\n*MATERIAL, NAME=b\n").size(), 1U);
}

TEST(Inp, ErrorsAreLocated) {
  const auto read = [](const std::string& text) { return read_inp(text, "a.inp"); };
  expect_error(read(""), ErrorCode::kTruncated, 1);
  expect_error(read("** only a remark\n"), ErrorCode::kTruncated, 2);
  expect_error(read("8 4 0 0 0\n"), ErrorCode::kSyntax, 1);  // AVS has files of this name, too
  expect_error(read("*HEADING\ntitle\n*MATERIAL\n"), ErrorCode::kMissing, 0);
  expect_error(read(kNodes), ErrorCode::kMissing, 0);
  expect_error(read("*NODE\n1, 0, 0\n"), ErrorCode::kSyntax, 2);
  expect_error(read("*NODE\n1, 0, zero, 0\n"), ErrorCode::kSyntax, 2);
  expect_error(read("*NODE\n1.5, 0, 0, 0\n"), ErrorCode::kSyntax, 2);
  expect_error(read(kNodes + "4, 1, 1, 1\n"), ErrorCode::kInconsistent, 6, "vertex 4");
  expect_error(read(kNodes + "*ELEMENT\n1, 1, 2, 3, 4\n"), ErrorCode::kMissing, 6);
  expect_error(read(kNodes + "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 5\n"), ErrorCode::kOutOfRange, 7, "element 0");
  expect_error(read(kNodes + "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 3\n"), ErrorCode::kDegenerate, 7, "element 0");
  expect_error(read(kNodes + "5, nan, 0, 0\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n"), ErrorCode::kNonFinite, 6,
               "vertex 4");
}

TEST(Inp, WrongNumbersOfNodesAreLocated) {
  const auto read = [](const std::string& rows) { return read_inp(kNodes10 + rows, "a.inp"); };
  const std::string good = "2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\n";
  expect_error(read("1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10\n"), ErrorCode::kSyntax, 13);
  // Too few: the next row does not fill it up, with or without a comma.
  expect_error(read("1, 1, 2, 3, 4, 5, 6, 7, 8, 9\n" + good), ErrorCode::kSyntax, 13);
  expect_error(read("1, 1, 2, 3, 4, 5, 6, 7, 8, 9,\n" + good), ErrorCode::kSyntax, 13);
  expect_error(read("1, 1, 2, 3, 4, 5, 6, 7, 8, 9,\n*END STEP\n"), ErrorCode::kSyntax, 13);
  expect_error(read("1, 1, 2, 3, 4, 5, 6, 7, 8, 9,\n"), ErrorCode::kTruncated, 13);
  expect_error(read("1, 1, 2, 3, 4, 5"), ErrorCode::kTruncated, 13);
  expect_error(read("1, 1, 2, 3, 4\n"), ErrorCode::kSyntax, 13);  // a C3D4
  expect_error(read("1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 9\n"), ErrorCode::kDegenerate, 13, "element 0");
}

TEST(Inp, RefusesWhatWouldChangeTheMesh) {
  const auto refused = [](const std::string& more) {
    SCOPED_TRACE(more);
    expect_error(read_inp(kTet + more, "a.inp"), ErrorCode::kUnsupported, 8);
  };
  for (const char* type :
       {"C3D10M", "C3D10T", "C3D8R", "C3D20", "C3D20R", "C3D6", "C3D15", "S4", "T3D2", "CPS6", "C3D"})
    refused("*ELEMENT, TYPE=" + std::string(type) + "\n1, 1, 2, 3, 4\n");
  for (const char* keyword : {"*INCLUDE, INPUT=mesh.inp", "*include,input=mesh.inp", "*NODE, INPUT=nodes.txt",
                              "*ELEMENT, TYPE=C3D4, INPUT=elements.txt", "*NODE, SYSTEM=C", "*SYSTEM",
                              "*NGEN", "*NFILL", "*ELGEN", "*ELCOPY"})
    refused(std::string(keyword) + "\n1, 2, 3, 4\n");
}

TEST(Inp, IsFoundByItsExtension) {
  for (const char* name : {"a.inp", "A.INP"}) EXPECT_TRUE(read_volume_bytes(kTet, name).ok()) << name;
  const auto packed = read_volume_bytes(gzip(kTet), "a.inp.gz");
  ASSERT_TRUE(packed.ok()) << to_string(packed.error());
  test::expect_same(packed.value().mesh, one_tet());
}

}  // namespace
}  // namespace pliant
