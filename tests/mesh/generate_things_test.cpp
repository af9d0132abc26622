// Spoon, bridge, tower and heart: the bodies of the examples.
#include "generate_checks.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "shapes.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace pliant {
namespace {

using test::expect_sound;
using test::generated;

/// With its default parameters; made once, since tets of a lattice tower take a second.
const VolumeMesh& by_default(const std::string& shape, const std::string& element) {
  static std::map<std::string, VolumeMesh> made;
  const auto [found, fresh] = made.try_emplace(shape + " " + element);
  if (fresh) found->second = generated(shape, element);
  return found->second;
}

using Cell = std::array<Index, 3>;
using Cells = std::set<Cell>;

/// The cubes of a voxel mesh by their place in the lattice; every hex must be one.
Cells cells_of(const VolumeMesh& mesh, double size) {
  Vector3 low = mesh.vertices.front();
  for (const Vector3& x : mesh.vertices) low = low.cwiseMin(x);
  Cells cells;
  for (const Hex& hex : mesh.hexes) {
    const auto x = corners(mesh, hex);
    EXPECT_LT((x[6] - x[0] - Vector3::Constant(size)).norm(), 1e-9 * size);
    EXPECT_LT((x[1] - x[0] - Vector3(size, 0, 0)).norm(), 1e-9 * size);
    EXPECT_LT((x[3] - x[0] - Vector3(0, size, 0)).norm(), 1e-9 * size);
    const Vector3 place = (x[0] - low) / size;
    const Cell cell{std::llround(place.x()), std::llround(place.y()), std::llround(place.z())};
    EXPECT_LT((place - Vector3(static_cast<double>(cell[0]), static_cast<double>(cell[1]),
                               static_cast<double>(cell[2])))
                  .norm(),
              1e-6);
    cells.insert(cell);
  }
  EXPECT_EQ(cells.size(), mesh.hexes.size());
  return cells;
}

Cells mirrored(const Cells& cells, std::size_t axis) {
  Index last = 0;
  for (const Cell& cell : cells) last = std::max(last, cell[axis]);
  Cells result;
  for (Cell cell : cells) {
    cell[axis] = last - cell[axis];
    result.insert(cell);
  }
  return result;
}

Cells turned(const Cells& cells) {  // x and y exchanged
  Cells result;
  for (const Cell& cell : cells) result.insert({cell[1], cell[0], cell[2]});
  return result;
}

/// The cells of all full 2×2×2 blocks: what is thick in every direction.
Cells opened(const Cells& cells) {
  Cells result;
  for (const Cell& cell : cells) {
    std::vector<Cell> block;
    for (Index i = 0; i < 8; ++i) block.push_back({cell[0] + i % 2, cell[1] + i / 2 % 2, cell[2] + i / 4});
    if (std::all_of(block.begin(), block.end(), [&](const Cell& c) { return cells.contains(c); }))
      result.insert(block.begin(), block.end());
  }
  return result;
}

/// Connected through faces.
Index components(Cells cells) {
  Index count = 0;
  while (!cells.empty()) {
    ++count;
    std::vector<Cell> todo{*cells.begin()};
    cells.erase(cells.begin());
    while (!todo.empty()) {
      const Cell cell = todo.back();
      todo.pop_back();
      for (std::size_t d = 0; d < 3; ++d)
        for (const Index step : {-1, 1}) {
          Cell other = cell;
          other[d] += step;
          if (cells.erase(other) > 0) todo.push_back(other);
        }
    }
  }
  return count;
}

/// Area of the boundary in the plane that cuts the axis at `where`.
double area_at(const VolumeMesh& mesh, int axis, double where, double tolerance) {
  double area = 0;
  for (const Triangle& triangle : boundary_triangles(boundary_faces(mesh))) {
    const auto at = [&](int i) { return mesh.vertices[triangle[i]]; };
    bool there = true;
    for (int i = 0; i < 3; ++i) there = there && std::abs(at(i)[axis] - where) < tolerance;
    if (there) area += 0.5 * (at(1) - at(0)).cross(at(2) - at(0)).norm();
  }
  return area;
}

struct Thing {
  std::string shape;
  double longest;      // side of the box
  Index resolution;    // by default
  Index fewest, most;  // hexes by default
};

const std::vector<Thing> kThings{{"spoon", 0.2, 120, 4000, 6000},
                                 {"bridge", 10, 128, 8000, 12000},
                                 {"tower", 15, 128, 14000, 17000},
                                 {"heart", 0.12, 48, 14000, 16000}};

TEST(GenerateThings, VoxelsAreSoundAndAsManyAsMeant) {
  for (const Thing& thing : kThings) {
    SCOPED_TRACE(thing.shape);
    const VolumeMesh& mesh = by_default(thing.shape, "hex");
    expect_sound(mesh, 0.999, 0);
    EXPECT_EQ(test::bad_boundary_vertices(mesh), 0);
    EXPECT_GE(mesh.element_count(), thing.fewest);
    EXPECT_LE(mesh.element_count(), thing.most);
    const MeshReport report = measure(mesh);
    EXPECT_EQ(report.components, 1);
    EXPECT_NEAR((report.high - report.low).maxCoeff(), thing.longest, 1e-9 * thing.longest);
    EXPECT_NEAR(report.low.z(), 0, 1e-9 * thing.longest);
  }
}

TEST(GenerateThings, MembersAreTwoVoxelsThick) {
  for (const Thing& thing : kThings) {
    SCOPED_TRACE(thing.shape);
    const Cells cells =
        cells_of(by_default(thing.shape, "hex"), thing.longest / static_cast<double>(thing.resolution));
    const Cells thick = opened(cells);
    // Steps of slanted rods stick out; what is left without them still hangs together.
    EXPECT_GE(static_cast<double>(thick.size()), 0.93 * static_cast<double>(cells.size()));
    EXPECT_EQ(components(thick), 1);
  }
}

TEST(GenerateThings, VoxelsHaveTheSymmetryOfTheShape) {
  const auto cells = [](const Thing& thing) {
    return cells_of(by_default(thing.shape, "hex"), thing.longest / static_cast<double>(thing.resolution));
  };
  const Cells spoon = cells(kThings[0]);
  EXPECT_TRUE(mirrored(spoon, 1) == spoon);
  const Cells bridge = cells(kThings[1]);
  EXPECT_TRUE(mirrored(bridge, 0) == bridge);
  EXPECT_TRUE(mirrored(bridge, 1) == bridge);
  const Cells tower = cells(kThings[2]);
  EXPECT_TRUE(mirrored(tower, 0) == tower);
  EXPECT_TRUE(mirrored(tower, 1) == tower);
  EXPECT_TRUE(turned(tower) == tower);
}

TEST(GenerateThings, BothMeshersFillTheSameVolume) {
  for (const Thing& thing : kThings) {
    SCOPED_TRACE(thing.shape);
    const VolumeMesh& tets = by_default(thing.shape, "tet");
    expect_sound(tets, 0, 10.78);
    const double volume = test::mesh_volume(tets);
    // Voxels of members about two cells thick are off by a few per cent.
    EXPECT_NEAR(test::mesh_volume(by_default(thing.shape, "hex")), volume, 0.05 * volume);
  }
}

TEST(GenerateThings, EndsAreFlatToBeHeld) {
  struct End {
    std::string shape;
    int axis;
    double where;
    double area;
  };
  const double handle = 0.34 * 0.046 * 0.005;       // width × thickness, edges rounded
  const double deck = 1.6 * 0.18;                   // and the feet of the arches above it
  const double feet = 4 * std::pow(1.8 * 0.38, 2);  // squares, 1.8 diameters of a leg wide
  const double vessels = 0.028 * 0.12 * 0.12;       // π (0.06² + 3 · 0.042²) heights²
  const std::vector<End> ends{{"spoon", 0, 0, handle},
                              {"bridge", 0, 0, deck},
                              {"bridge", 0, 10, deck},
                              {"tower", 2, 0, feet},
                              {"heart", 2, 0.12, vessels}};
  for (const End& end : ends) {
    SCOPED_TRACE(end.shape);
    const double hexes = area_at(by_default(end.shape, "hex"), end.axis, end.where, 1e-9);
    EXPECT_GT(hexes, 0.7 * end.area);  // a foot of 5.8 cells may hold 5
    EXPECT_LT(hexes, 1.4 * end.area);
    // Stuffing rounds sharp edges off by about half a cell, which is much of an end two cells thick.
    EXPECT_GT(area_at(by_default(end.shape, "tet"), end.axis, end.where, 1e-9), 0.45 * end.area);
  }
}

TEST(GenerateThings, QuickSpoon) {
  const std::map<std::string, std::vector<double>> quick{{"resolution", {80}}};
  const VolumeMesh hexes = generated("spoon", "hex", quick);
  expect_sound(hexes, 0.999, 0);
  EXPECT_GT(hexes.element_count(), 1000);
  EXPECT_LT(hexes.element_count(), 2000);
  // Twice as large in every way: the same cells.
  const VolumeMesh large = generated(
      "spoon", "hex", {{"length", {0.4}}, {"width", {0.092}}, {"thickness", {0.01}}, {"resolution", {80}}});
  EXPECT_EQ(large.hexes, hexes.hexes);
  // The volume settles as cells get smaller.
  const double finest = test::mesh_volume(generated("spoon", "tet", {{"resolution", {160}}}));
  EXPECT_NEAR(test::mesh_volume(generated("spoon", "tet", quick)), finest, 0.02 * finest);
}

TEST(GenerateThings, RegionsNameTheMembers) {
  const VolumeMesh& bridge = by_default("bridge", "hex");
  const std::map<Label, std::string> names{{1, "deck"}, {2, "arches"}, {3, "hangers"}};
  EXPECT_TRUE(bridge.region_names == names);
  std::map<Label, double> volume;
  for (std::size_t h = 0; h < bridge.hexes.size(); ++h)
    volume[bridge.hex_labels[h]] += std::pow(10.0 / 128, 3);
  EXPECT_EQ(volume.size(), 3U);
  EXPECT_NEAR(volume[1], 10 * 1.6 * 0.18, 0.15 * 10 * 1.6 * 0.18);
  const VolumeMesh& tower = by_default("tower", "hex");
  EXPECT_EQ(tower.region_names.size(), 3U);
  EXPECT_EQ(std::set<Label>(tower.hex_labels.begin(), tower.hex_labels.end()), (std::set<Label>{1, 2, 3}));
}

TEST(GenerateThings, OtherProportionsAreSoundToo) {
  expect_sound(generated("bridge", "hex",
                         {{"panels", {5}}, {"rise", {0}}, {"thickness", {0.3}}, {"resolution", {80}}}),
               0.999, 0);
  expect_sound(generated("bridge", "tet",
                         {{"length", {1}},
                          {"width", {0.3}},
                          {"height", {0.3}},
                          {"rise", {0.1}},
                          {"thickness", {0.05}},
                          {"panels", {4}},
                          {"resolution", {50}}}),
               0, 10.78);
  expect_sound(generated("tower", "hex",
                         {{"height", {2}},
                          {"base", {1}},
                          {"top", {0.4}},
                          {"leg", {0.08}},
                          {"brace", {0.06}},
                          {"panels", {3}},
                          {"resolution", {80}}}),
               0.999, 0);
  expect_sound(generated("spoon", "tet",
                         {{"length", {1}}, {"width", {0.3}}, {"thickness", {0.03}}, {"resolution", {70}}}),
               0, 10.78);
}

}  // namespace
}  // namespace pliant
