#include "pliant/file/volume_file.hpp"
#include "pliant/mesh/domains/domain_graph.hpp"
#include "pliant/mesh/domains/domain_submesh.hpp"
#include "pliant/mesh/domains/tree_cut.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

std::vector<VertexId> chosen(const VolumeMesh& mesh, const char* expression) {
  return select_vertices(parse_selection(expression).value(), mesh);
}

/// What must hold whatever the body and the number asked for; returns the domains.
AutomaticDomains checked(const VolumeMesh& mesh, Index count, const std::vector<VertexId>& held) {
  const ElementGraph elements = element_graph(mesh);
  Result<AutomaticDomains> found = automatic_domains(mesh, elements, count, held);
  EXPECT_TRUE(found.ok()) << to_string(found.error());
  const DomainMap& map = found.value().map;
  EXPECT_GE(map.count(), 1);
  EXPECT_LE(map.count(), std::max<Index>(1, count));
  EXPECT_EQ(map.of_element.size(), to_size(mesh.element_count()));
  const std::vector<Index> sizes = map.sizes();
  EXPECT_GE(*std::min_element(sizes.begin(), sizes.end()), 1);
  EXPECT_TRUE(check_connected(mesh, elements, map).empty());
  const DomainGraph graph = domain_graph(mesh, elements, map);
  const auto tree = domain_tree(mesh, map, graph, held);
  EXPECT_TRUE(tree.ok()) << to_string(tree.error());
  if (tree && !held.empty()) {
    EXPECT_EQ(tree.value().root, 0);
  }
  for (const DomainInterface& interface : graph.interfaces) EXPECT_EQ(interface.patches, 1);
  EXPECT_EQ(found.value().notes.empty(), 2 * map.count() >= count);
  return std::move(found).value();
}

TEST(AutomaticDomains, CutABeamIntoEqualSlabs) {
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex}) {
    const VolumeMesh mesh = generate_box({1.0, 0.2, 0.1}, {24, 4, 3}, kind);
    for (const Index n : {2, 3, 4, 8, 12}) {
      const DomainMap map = checked(mesh, n, chosen(mesh, "x < 1e-6")).map;
      EXPECT_EQ(map.sizes(), std::vector<Index>(to_size(n), mesh.element_count() / n));
      for (Index e = 0; e < mesh.element_count(); ++e) {
        const auto slab =
            static_cast<Index>(std::floor(static_cast<double>(n) * element_centroid(mesh, e)[0]));
        EXPECT_EQ(map.of_element[to_size(e)], slab);
      }
    }
    for (const Index n : {2, 4, 5}) {  // a free one: from the middle, no longer in even cells
      const std::vector<Index> sizes = checked(mesh, n, {}).map.sizes();
      EXPECT_EQ(std::ssize(sizes), n);
      EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()),
                1.3 * static_cast<double>(mesh.element_count()) / static_cast<double>(n));
    }
  }
}

TEST(AutomaticDomains, FindTheLimbsOfACross) {
  // a square plate with four arms: five domains are the plate and the arms
  const VolumeMesh box = generate_box({5.0, 5.0, 0.4}, {25, 25, 2}, ElementKind::kTet);
  const VolumeMesh mesh =
      extract_elements(box, select_elements(parse_selection("x > 2 && x < 3 || y > 2 && y < 3").value(), box))
          .mesh;
  const auto held = chosen(mesh, "abs(x - 2.5) < 0.11 && abs(y - 2.5) < 0.11 && z < 1e-9");
  const DomainMap map = checked(mesh, 5, held).map;
  ASSERT_EQ(map.count(), 5);
  const DomainGraph graph = domain_graph(mesh, element_graph(mesh), map);
  const DomainTree tree = domain_tree(mesh, map, graph, held).value();
  EXPECT_EQ(tree.depth, 1);  // all arms hang on the middle
}

TEST(AutomaticDomains, OctopusHasManyEvenOnes) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto file = read_volume_file(shared / "meshes/derived-tet/octopus_tets.mesh");
  ASSERT_TRUE(file.ok());
  const VolumeMesh& mesh = file.value().mesh;
  const std::vector<Index> sizes = checked(mesh, 9, {}).map.sizes();
  EXPECT_GE(sizes.size(), 6U);
  EXPECT_LE(2 * *std::max_element(sizes.begin(), sizes.end()), mesh.element_count());
  for (const Index n : {2, 30, 100000}) checked(mesh, n, {});
  const std::vector<Index> held = checked(mesh, 9, chosen(mesh, "z > 0.95")).map.sizes();
  EXPECT_GE(held.size(), 6U);
  EXPECT_LE(2 * *std::max_element(held.begin(), held.end()), mesh.element_count());
}

TEST(AutomaticDomains, LoopsStayWhole) {
  const VolumeMesh torus = generate_torus({1.0, 0.3, 4, 24}, ElementKind::kTet);
  const std::vector<Index> sizes = checked(torus, 4, {}).map.sizes();
  EXPECT_GT(2 * *std::max_element(sizes.begin(), sizes.end()), torus.element_count());
  // held at both ends: everything between them is the root
  const VolumeMesh mesh = generate_box({1.0, 0.2, 0.1}, {12, 2, 1}, ElementKind::kHex);
  EXPECT_EQ(checked(mesh, 4, chosen(mesh, "x < 1e-6 || x > 1 - 1e-6")).map.count(), 1);
}

TEST(AutomaticDomains, SurviveAbsurdRequests) {
  const VolumeMesh one = generate_box({1.0, 1.0, 1.0}, {1, 1, 1}, ElementKind::kHex);
  EXPECT_EQ(checked(one, 1, {}).map.count(), 1);
  EXPECT_EQ(checked(one, 1000000, {}).map.count(), 1);
  EXPECT_EQ(checked(one, 3, {0}).map.count(), 1);
  const VolumeMesh row = generate_box({3.0, 1.0, 1.0}, {3, 1, 1}, ElementKind::kTet);
  for (const Index n : {1, 2, 3, 17, 18, 1000}) checked(row, n, {});
  const VolumeMesh cubes = generate_box({4.0, 1.0, 1.0}, {4, 1, 1}, ElementKind::kHex);
  EXPECT_GE(checked(cubes, 4, {0, 5, 10, 15}).map.count(), 3);  // of one or two cubes
  checked(generate_sphere({}, ElementKind::kTet), 7, {});

  EXPECT_EQ(automatic_domains({}, element_graph({}), 3, {}).error().code, ErrorCode::kMissing);
  for (const Index n : {Index{0}, Index{-5}})
    EXPECT_EQ(automatic_domains(one, element_graph(one), n, {}).error().code, ErrorCode::kOutOfRange);
  const VolumeMesh box = generate_box({3.0, 1.0, 1.0}, {3, 1, 1}, ElementKind::kHex);
  const VolumeMesh two = extract_elements(box, {0, 2}).mesh;
  EXPECT_EQ(automatic_domains(two, element_graph(two), 2, {}).error().code, ErrorCode::kUnsupported);
}

TEST(TreeCut, PiecesAreConnectedAndAsEvenAsAPathAllows) {
  WeightedTree path;
  for (Index i = 0; i < 12; ++i) {
    path.parent.push_back(i - 1);
    path.weight.push_back(10);
    path.area.push_back(1.0);
  }
  EXPECT_EQ(cut_tree(path, 4), (std::vector<Index>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}));
  Rng rng(5);
  for (int sample = 0; sample < 50; ++sample) {
    WeightedTree tree;
    const Index nodes = 1 + static_cast<Index>(rng.uniform(0.0, 60.0));
    for (Index i = 0; i < nodes; ++i) {
      tree.parent.push_back(i == 0 ? -1 : static_cast<Index>(rng.uniform(0.0, static_cast<double>(i))));
      tree.weight.push_back(1 + static_cast<Index>(rng.uniform(0.0, 100.0)));
      tree.area.push_back(rng.uniform(0.1, 1.0));
    }
    for (const Index pieces : {1, 2, 5, 100}) {
      const std::vector<Index> piece = cut_tree(tree, pieces);
      EXPECT_LT(*std::max_element(piece.begin(), piece.end()), pieces);
      // connected: besides its first node, each node of a piece has its parent in the piece
      std::vector<Index> heads(to_size(pieces), 0);
      for (std::size_t i = 0; i < piece.size(); ++i) {
        const bool head = i == 0 || piece[to_size(tree.parent[i])] != piece[i];
        if (head) ++heads[to_size(piece[i])];
      }
      for (const Index count : heads) EXPECT_LE(count, 1);
    }
  }
}

}  // namespace
}  // namespace pliant
