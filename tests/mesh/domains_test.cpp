#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/domains/domain_graph.hpp"
#include "pliant/mesh/domains/domain_submesh.hpp"
#include "pliant/mesh/domains/graph_cycles.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace pliant {
namespace {

VolumeMesh beam(ElementKind kind) { return generate_box({1.0, 0.2, 0.1}, {12, 3, 2}, kind); }

std::vector<NamedSelection> conditions(const std::vector<std::array<std::string, 2>>& list) {
  std::vector<NamedSelection> all;
  for (const auto& [name, expression] : list) all.emplace_back(name, parse_selection(expression).value());
  return all;
}

DomainMap cut(const VolumeMesh& mesh, const std::vector<std::array<std::string, 2>>& list) {
  return domains_from_selections(mesh, conditions(list)).value();
}

/// A square ring of hexes around a hole, in the plane z = 0 .. 1/4.
VolumeMesh ring() {
  VolumeMesh box = generate_box({1.0, 1.0, 0.25}, {4, 4, 1}, ElementKind::kHex);
  const auto hole =
      select_elements(parse_selection("x > 0.25 && x < 0.75 && y > 0.25 && y < 0.75").value(), box);
  std::vector<Index> rest;
  for (Index e = 0; e < box.element_count(); ++e)
    if (std::find(hole.begin(), hole.end(), e) == hole.end()) rest.push_back(e);
  return extract_elements(box, rest).mesh;
}

TEST(ElementGraph, CountsInnerFaces) {
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex}) {
    const VolumeMesh mesh = beam(kind);
    const ElementGraph graph = element_graph(mesh);
    // every face of every element is inner (two sides) or outer (one)
    const std::size_t sides = 4 * mesh.tets.size() + 6 * mesh.hexes.size();
    EXPECT_EQ(2 * graph.faces.size() + boundary_faces(mesh).size(), sides);
    EXPECT_EQ(connected_parts(graph).count, 1);
  }
}

TEST(ElementGraph, MatchesQuadsWithPairsOfTriangles) {
  // two cells side by side, the right one cut into tets
  const VolumeMesh hexes = generate_box({2.0, 1.0, 1.0}, {2, 1, 1}, ElementKind::kHex);
  const VolumeMesh tets = generate_box({2.0, 1.0, 1.0}, {2, 1, 1}, ElementKind::kTet);
  VolumeMesh mixed = hexes;
  mixed.hexes.resize(1);
  mixed.hex_labels.resize(1);
  for (Index e = 0; e < tets.element_count(); ++e) {
    if (element_centroid(tets, e)[0] < 1.0) continue;
    mixed.tets.push_back(tets.tets[to_size(e)]);
    mixed.tet_labels.push_back(0);
  }
  ASSERT_EQ(mixed.tets.size(), 6U);
  const ElementGraph graph = element_graph(mixed);
  EXPECT_EQ(connected_parts(graph).count, 1);
  double area = 0.0;
  for (const InnerFace& face : graph.faces)
    if (face.elements[1] == 6) area += face.area;  // the hex is the last element
  EXPECT_NEAR(area, 1.0, 1e-14);
}

TEST(Domains, LabelsGiveNames) {
  VolumeMesh mesh = beam(ElementKind::kTet);
  for (Index e = 0; e < mesh.element_count(); ++e)
    mesh.tet_labels[to_size(e)] = element_centroid(mesh, e)[0] < 0.5 ? 7 : -3;
  mesh.region_names[7] = "stem";
  const DomainMap map = domains_from_labels(mesh).value();
  EXPECT_EQ(map.names, (std::vector<std::string>{"label -3", "stem"}));
  EXPECT_EQ(map.sizes(), (std::vector<Index>{216, 216}));
  EXPECT_EQ(domains_from_labels({}).error().code, ErrorCode::kMissing);
}

TEST(Domains, FirstSelectionWinsAndTheRestIsCounted) {
  const VolumeMesh mesh = beam(ElementKind::kHex);
  const DomainMap map = cut(mesh, {{"stem", "x < 0.5"}, {"tip", "x > 0.25"}});
  EXPECT_EQ(map.sizes(), (std::vector<Index>{36, 36}));

  const auto missing = domains_from_selections(mesh, conditions({{"stem", "x < 0.5"}, {"none", "x > 2"}}));
  ASSERT_FALSE(missing.ok());
  ASSERT_EQ(missing.errors().size(), 2U);
  EXPECT_EQ(missing.errors()[0].where.key, "domain none");
  EXPECT_EQ(missing.errors()[1].code, ErrorCode::kMissing);
  EXPECT_EQ(missing.errors()[1].where.key, "element 6");  // the first in the right half
  EXPECT_NE(missing.errors()[1].what.find("36 of 72"), std::string::npos);
}

TEST(Domains, ReportsDomainsInSeveralParts) {
  const VolumeMesh mesh = beam(ElementKind::kHex);
  const ElementGraph graph = element_graph(mesh);
  const DomainMap map = cut(mesh, {{"ends", "x < 0.25 || x > 0.9"}, {"middle", "true"}});
  const Diagnostics problems = check_connected(mesh, graph, map);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].code, ErrorCode::kInconsistent);
  EXPECT_EQ(problems[0].where.key, "domain ends");
  EXPECT_TRUE(check_connected(mesh, graph, cut(mesh, {{"a", "x < 0.4"}, {"b", "true"}})).empty());
}

TEST(DomainGraph, InterfacesAreWeighedByArea) {
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex}) {
    const VolumeMesh mesh = beam(kind);
    const ElementGraph elements = element_graph(mesh);
    const DomainGraph graph =
        domain_graph(mesh, elements, cut(mesh, {{"a", "x < 0.25"}, {"b", "x < 0.75"}, {"c", "true"}}));
    ASSERT_EQ(graph.interfaces.size(), 2U);
    EXPECT_TRUE(graph.touching.empty());
    const DomainInterface& first = graph.interfaces[0];
    EXPECT_EQ(first.domains, (std::array<Index, 2>{0, 1}));
    EXPECT_EQ(first.patches, 1);
    EXPECT_EQ(first.vertices.size(), 12U);
    EXPECT_NEAR(first.area, 0.02, 1e-15);
    double sum = 0.0;
    Vector3 center = Vector3::Zero();
    for (std::size_t i = 0; i < first.vertices.size(); ++i) {
      sum += first.weights[i];
      center += first.weights[i] * mesh.vertices[to_size(first.vertices[i])];
    }
    EXPECT_NEAR(sum, 1.0, 1e-14);
    EXPECT_LT((center - Vector3(0.25, 0.1, 0.05)).norm(), 1e-14);  // the centroid of the section
  }
}

TEST(DomainGraph, FlatQuadsKeepTheirFirstMoment) {
  VolumeMesh mesh;
  mesh.vertices = {{0, 0, 0}, {3, 0, 0}, {2, 1, 0}, {0, 2, 0}};
  const FaceShares face = face_shares(mesh, {0, 1, 2, 3});
  Vector3 moment = Vector3::Zero();
  for (std::size_t i = 0; i < 4; ++i) moment += face.shares[i] * mesh.vertices[i];
  // triangles (0 1 2) of area 1.5 and (0 2 3) of area 2, by their centroids
  EXPECT_NEAR(face.area, 3.5, 1e-15);
  EXPECT_LT((moment - (1.5 * Vector3(5, 1, 0) + 2.0 * Vector3(2, 3, 0)) / 3.0).norm(), 1e-14);
}

TEST(DomainGraph, TouchingInAnEdgeIsNoInterface) {
  const VolumeMesh mesh = generate_box({2.0, 2.0, 1.0}, {2, 2, 1}, ElementKind::kHex);
  const DomainGraph graph =
      domain_graph(mesh, element_graph(mesh),
                   cut(mesh, {{"a", "x < 1 && y < 1"}, {"b", "x > 1 && y > 1"}, {"c", "true"}}));
  EXPECT_EQ(graph.touching, (std::vector<std::array<Index, 2>>{{0, 1}}));
  EXPECT_EQ(graph.interfaces.size(), 2U);
  EXPECT_EQ(graph.interfaces[0].patches, 1);  // both halves of "c" meet at the middle edge
}

TEST(DomainGraph, CyclesAreNamedAndMerged) {
  const VolumeMesh mesh = ring();
  const ElementGraph elements = element_graph(mesh);
  ASSERT_EQ(mesh.element_count(), 12);
  const DomainMap map =
      cut(mesh, {{"south", "y < 0.25"}, {"north", "y > 0.75"}, {"west", "x < 0.5"}, {"east", "true"}});
  const DomainGraph graph = domain_graph(mesh, elements, map);
  const auto cycles = domain_cycles(graph, map.count());
  EXPECT_EQ(cycles, (std::vector<std::vector<Index>>{{0, 2, 1, 3}}));  // around
  const auto tree = domain_tree(mesh, map, graph, {});
  ASSERT_FALSE(tree.ok());
  EXPECT_EQ(tree.error().code, ErrorCode::kInconsistent);
  EXPECT_EQ(tree.error().where.key, "domain south");

  const DomainMap merged = merge_cycles(map, cycles);
  EXPECT_EQ(merged.names, (std::vector<std::string>{"south+north+west+east"}));
  EXPECT_TRUE(domain_tree(mesh, merged, domain_graph(mesh, elements, merged), {}).ok());
}

TEST(DomainGraph, OnlyTheDomainsOnACycleAreMerged) {
  // 0-1-2-0 is a cycle, 3 and 4 hang on it, 4-5-6-7 is another cycle
  const std::vector<std::array<Index, 2>> edges{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {3, 4},
                                                {4, 5}, {4, 7}, {5, 6}, {6, 7}};
  const auto blocks = cyclic_blocks(9, edges);
  ASSERT_EQ(blocks.size(), 2U);
  std::set<std::set<Index>> sets;
  for (const auto& block : blocks) sets.insert(std::set<Index>(block.begin(), block.end()));
  EXPECT_EQ(sets, (std::set<std::set<Index>>{{0, 1, 2}, {4, 5, 6, 7}}));
  EXPECT_EQ(joined_groups(9, blocks), (std::vector<Index>{0, 0, 0, 3, 4, 4, 4, 4, 8}));
}

/// Brute force: two edges lie on a common cycle when removing neither's ends separates them; here simply the
/// nodes that stay connected to one another when any single edge is taken away.
TEST(GraphCycles, ForestsHaveNoneAndExtraEdgesAlwaysMakeOne) {
  Rng rng(11);
  for (int sample = 0; sample < 50; ++sample) {
    const Index nodes = 2 + static_cast<Index>(rng.uniform(0.0, 20.0));
    std::vector<std::array<Index, 2>> edges;
    std::vector<Index> parent(to_size(nodes), -1);
    for (Index i = 1; i < nodes; ++i) {
      parent[to_size(i)] = static_cast<Index>(rng.uniform(0.0, static_cast<double>(i)));
      edges.push_back({parent[to_size(i)], i});
    }
    EXPECT_TRUE(cyclic_blocks(nodes, edges).empty());
    // one more edge closes exactly the way between its ends
    const Index a = static_cast<Index>(rng.uniform(0.0, static_cast<double>(nodes)));
    const Index b = static_cast<Index>(rng.uniform(0.0, static_cast<double>(nodes)));
    const std::array<Index, 2> extra{std::min(a, b), std::max(a, b)};
    if (a == b || std::find(edges.begin(), edges.end(), extra) != edges.end()) continue;
    std::vector<Index> up_a{a}, up_b{b};
    while (up_a.back() > 0) up_a.push_back(parent[to_size(up_a.back())]);
    while (up_b.back() > 0) up_b.push_back(parent[to_size(up_b.back())]);
    while (up_a.size() > 1 && up_b.size() > 1 && up_a[up_a.size() - 2] == up_b[up_b.size() - 2]) {
      up_a.pop_back();
      up_b.pop_back();
    }
    std::set<Index> way(up_a.begin(), up_a.end());
    way.insert(up_b.begin(), up_b.end());
    edges.push_back(extra);
    const auto blocks = cyclic_blocks(nodes, edges);
    ASSERT_EQ(blocks.size(), 1U);
    EXPECT_EQ(std::set<Index>(blocks[0].begin(), blocks[0].end()), way);
    for (std::size_t i = 0; i < blocks[0].size(); ++i) {  // listed around
      const Index p = blocks[0][i];
      const Index q = blocks[0][(i + 1) % blocks[0].size()];
      EXPECT_NE(std::find(edges.begin(), edges.end(), std::array<Index, 2>{std::min(p, q), std::max(p, q)}),
                edges.end());
    }
  }
}

TEST(DomainTree, HangsOnTheHeldDomainElseOnTheMiddle) {
  const VolumeMesh mesh = beam(ElementKind::kHex);
  const DomainMap map = cut(mesh, {{"c", "x > 0.75"}, {"a", "x < 0.25"}, {"b2", "x > 0.6"}, {"b1", "true"}});
  const DomainGraph graph = domain_graph(mesh, element_graph(mesh), map);
  const DomainTree free = domain_tree(mesh, map, graph, {}).value();
  EXPECT_EQ(map.names[to_size(free.root)], "b1");  // larger than b2, both are in the middle
  EXPECT_EQ(free.depth, 2);
  EXPECT_EQ(free.order, (std::vector<Index>{3, 1, 2, 0}));

  const auto held = select_vertices(parse_selection("x < 1e-9").value(), mesh);
  const DomainTree fixed = domain_tree(mesh, map, graph, held).value();
  EXPECT_EQ(map.names[to_size(fixed.root)], "a");
  EXPECT_EQ(fixed.level, (std::vector<Index>{3, 0, 2, 1}));
  EXPECT_EQ(fixed.parent, (std::vector<Index>{2, -1, 3, 1}));
  for (const Index d : {0, 2, 3}) {
    const auto& interface = graph.interfaces[to_size(fixed.interface[to_size(d)])];
    const Index parent = fixed.parent[to_size(d)];
    EXPECT_EQ(interface.domains, (std::array<Index, 2>{std::min(d, parent), std::max(d, parent)}));
  }

  const auto both = select_vertices(parse_selection("x < 1e-9 || x > 1 - 1e-9 && y < 1e-9").value(), mesh);
  const auto wrong = domain_tree(mesh, map, graph, both);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().where.key, "domain c");
  const auto other = domain_tree(mesh, map, graph, held, Index{0});
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().where.key, "domain a");
}

TEST(DomainTree, NeedsOneConnectedBody) {
  VolumeMesh mesh = beam(ElementKind::kHex);
  const DomainMap map = cut(mesh, {{"a", "x < 0.25"}, {"b", "x > 0.75"}, {"c", "true"}});
  std::vector<Index> kept;
  for (Index e = 0; e < mesh.element_count(); ++e)
    if (map.of_element[to_size(e)] < 2) kept.push_back(e);
  mesh = extract_elements(mesh, kept).mesh;
  const DomainMap two = cut(mesh, {{"a", "x < 0.25"}, {"b", "true"}});
  const auto tree = domain_tree(mesh, two, domain_graph(mesh, element_graph(mesh), two), {});
  ASSERT_FALSE(tree.ok());
  EXPECT_EQ(tree.error().where.key, "domain b");
}

TEST(SubMesh, DomainsMakeUpTheWhole) {
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex}) {
    const VolumeMesh mesh = beam(kind);
    const DomainMap map = cut(mesh, {{"a", "x < 0.25"}, {"b", "x < 0.75"}, {"c", "true"}});
    double volume = 0.0;
    for (const SubMesh& part : extract_domains(mesh, map)) {
      volume += measure(part.mesh).volume;
      EXPECT_EQ(measure(part.mesh).unused_vertices, 0);
      ASSERT_EQ(part.mesh.element_count(), std::ssize(part.elements));
      for (std::size_t i = 0; i < part.elements.size(); ++i) {
        const auto own = element_vertices(part.mesh, static_cast<Index>(i));
        const auto whole = element_vertices(mesh, part.elements[i]);
        for (std::size_t k = 0; k < own.size(); ++k) {
          EXPECT_EQ(part.vertices[to_size(own[k])], whole[k]);
          EXPECT_EQ(part.local(whole[k]), own[k]);
        }
      }
    }
    EXPECT_NEAR(volume, 0.02, 1e-14);
  }
}

TEST(ShareModes, SumsToTheTotalAndFollowsTheSizes) {
  const std::vector<Index> sizes{100, 200, 700, 1};
  EXPECT_EQ(share_modes(sizes, 11, Distribution::kProportional), (std::vector<Index>{1, 2, 7, 1}));
  // ln 101 : ln 201 : ln 701 : ln 2 = 4.6 : 5.3 : 6.6 : 0.7, of 17.2 in all
  EXPECT_EQ(share_modes(sizes, 17, Distribution::kLogarithmic), (std::vector<Index>{5, 5, 6, 1}));
  for (Index total = 0; total < 60; ++total) {
    for (const Distribution kind : {Distribution::kProportional, Distribution::kLogarithmic}) {
      const std::vector<Index> shares = share_modes(sizes, total, kind);
      EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), Index{0}), total);
      EXPECT_GE(*std::min_element(shares.begin(), shares.end()), total >= 4 ? 1 : 0);
      EXPECT_LE(shares[0], shares[1]);
      EXPECT_LE(shares[1], shares[2]);
    }
  }
  EXPECT_TRUE(share_modes({}, 5, Distribution::kLogarithmic).empty());
}

}  // namespace
}  // namespace pliant
