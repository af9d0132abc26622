// Bodies with limbs: the labels must form a tree, and each of them hang together.
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/generate/generate.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace pliant {
namespace {

struct Sample {
  std::string shape;
  std::size_t labels;
  Index fewest, most;  // elements
  Index depth;         // of the tree that hangs on label 1
};

std::vector<Sample> samples() {
  return {{"flower", 12, 5000, 8000, 3}, {"letters", 15, 6000, 12000, 14}, {"dragon", 40, 15000, 30000, 8}};
}

VolumeMesh made(const std::string& shape, const std::string& element = "tet") {
  GenerateSpec spec;
  spec.shape = shape;
  spec.element = element;
  return generate(spec, no_progress()).value();
}

using Labels = std::set<Label>;

/// Labels that meet at each vertex.
std::vector<Labels> labels_at_vertices(const VolumeMesh& mesh) {
  std::vector<Labels> at(mesh.vertices.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (const VertexId v : mesh.tets[t]) at[to_size(v)].insert(mesh.tet_labels[t]);
  for (std::size_t h = 0; h < mesh.hexes.size(); ++h)
    for (const VertexId v : mesh.hexes[h]) at[to_size(v)].insert(mesh.hex_labels[h]);
  return at;
}

std::map<Label, Labels> neighbours(const std::vector<Labels>& at) {
  std::map<Label, Labels> all;
  for (const Labels& labels : at)
    for (const Label a : labels)
      for (const Label b : labels)
        if (a != b) all[a].insert(b);
  return all;
}

/// Levels of a search from label 1.
std::map<Label, Index> levels(const std::map<Label, Labels>& graph) {
  std::map<Label, Index> level{{1, 0}};
  std::vector<Label> order{1};
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const Label other : graph.at(order[next]))
      if (level.emplace(other, level[order[next]] + 1).second) order.push_back(other);
  return level;
}

TEST(GenerateLimbsTest, LabelsTouchAsATreeDoes) {
  for (const Sample& sample : samples()) {
    const VolumeMesh mesh = made(sample.shape);
    EXPECT_GE(mesh.element_count(), sample.fewest) << sample.shape;
    EXPECT_LE(mesh.element_count(), sample.most) << sample.shape;
    EXPECT_EQ(mesh.region_names.size(), sample.labels) << sample.shape;
    EXPECT_EQ(count_components(mesh), 1) << sample.shape;
    const std::vector<Labels> at = labels_at_vertices(mesh);
    for (const Labels& labels : at) EXPECT_LE(labels.size(), 2U) << sample.shape;
    const std::map<Label, Labels> graph = neighbours(at);
    ASSERT_EQ(graph.size(), sample.labels) << sample.shape;
    std::size_t edges = 0;
    for (const auto& [label, others] : graph) edges += others.size();
    EXPECT_EQ(edges, 2 * (sample.labels - 1)) << sample.shape;
    Index depth = 0;
    const std::map<Label, Index> level = levels(graph);
    EXPECT_EQ(level.size(), sample.labels) << sample.shape;
    for (const auto& [label, l] : level) depth = std::max(depth, l);
    EXPECT_EQ(depth, sample.depth) << sample.shape;
  }
}

/// An interface must fix a rotation: enough vertices, and not on a line.
TEST(GenerateLimbsTest, InterfacesAreWide) {
  for (const Sample& sample : samples()) {
    const VolumeMesh mesh = made(sample.shape);
    std::map<Labels, std::vector<Vector3>> interfaces;
    const std::vector<Labels> at = labels_at_vertices(mesh);
    for (std::size_t v = 0; v < at.size(); ++v)
      if (at[v].size() == 2) interfaces[at[v]].push_back(mesh.vertices[v]);
    for (const auto& [labels, points] : interfaces) {
      EXPECT_GE(points.size(), 5U) << sample.shape << " " << mesh.region_names.at(*labels.begin());
      Vector3 mean = Vector3::Zero();
      for (const Vector3& x : points) mean += x / static_cast<double>(points.size());
      Matrix3 spread = Matrix3::Zero();
      for (const Vector3& x : points) spread += (x - mean) * (x - mean).transpose();
      const Vector3 squares = Eigen::SelfAdjointEigenSolver<Matrix3>(spread).eigenvalues();
      EXPECT_GT(squares[1], 0.04 * squares[2])
          << sample.shape << " " << mesh.region_names.at(*labels.rbegin());
    }
  }
}

TEST(GenerateLimbsTest, FlowerStandsOnTheGround) {
  const MeshReport report = measure(made("flower"));
  EXPECT_NEAR(report.low.z(), 0.0, 1e-12);
  EXPECT_NEAR(report.high.z(), 0.4, 0.01);
}

TEST(GenerateLimbsTest, HexesAreMadeToo) {
  const VolumeMesh mesh = made("letters", "hex");
  EXPECT_TRUE(mesh.tets.empty());
  EXPECT_EQ(neighbours(labels_at_vertices(mesh)).size(), 15U);
}

TEST(GenerateLimbsTest, CoarseLatticesAreRefused) {
  for (const Sample& sample : samples()) {
    GenerateSpec spec;
    spec.shape = sample.shape;
    spec.parameters["resolution"] = {20};
    const Result<VolumeMesh> coarse = generate(spec, no_progress());
    ASSERT_FALSE(coarse) << sample.shape;
    EXPECT_EQ(coarse.error().code, ErrorCode::kOutOfRange);
    EXPECT_EQ(coarse.error().where.key, "resolution");
  }
}

}  // namespace
}  // namespace pliant
