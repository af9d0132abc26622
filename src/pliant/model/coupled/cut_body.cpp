#include "pliant/model/coupled/cut_body.hpp"

#include "pliant/mesh/core/submesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace pliant {
namespace {

/// Elements after the tets have other numbers when tets are added.
class ElementNumbers {
 public:
  ElementNumbers(const VolumeMesh& whole, const Cuts& cuts)
      : tets_(whole.first_hex()), shift_(std::ssize(cuts.tets) - whole.first_hex()) {}
  [[nodiscard]] Index of(Index element) const { return element < tets_ ? element : element + shift_; }

 private:
  Index tets_, shift_;
};

std::vector<Index> renumbered(std::vector<Index> elements, const ElementNumbers& numbers) {
  for (Index& e : elements) e = numbers.of(e);
  return elements;
}

VolumeMesh cut_mesh_of(const VolumeMesh& whole, const Cuts& cuts) {
  VolumeMesh mesh = whole;
  for (const CutVertex& v : cuts.fresh)
    mesh.vertices.push_back((1.0 - v.t) * mesh.vertices[to_size(v.a)] + v.t * mesh.vertices[to_size(v.b)]);
  mesh.tets = cuts.tets;
  mesh.tet_labels.clear();
  for (const Index parent : cuts.parents) mesh.tet_labels.push_back(whole.tet_labels[to_size(parent)]);
  return mesh;
}

std::vector<Index> cut_materials(const std::vector<Index>& of_element, const VolumeMesh& whole,
                                 const Cuts& cuts) {
  std::vector<Index> made;
  made.reserve(cuts.parents.size() + of_element.size());
  for (const Index parent : cuts.parents) made.push_back(of_element[to_size(parent)]);
  made.insert(made.end(), of_element.begin() + whole.first_hex(), of_element.end());
  return made;
}

/// The elements that full domains now have, and their forces.
void renew_full_elements(const CoupledBody& whole, const Cuts& cuts, CoupledBody& body) {
  const VolumeMesh& before = whole.rest->mesh();
  std::vector<char> full(to_size(before.element_count()), 0);
  for (const Index e : whole.full.elements) full[to_size(e)] = 1;
  body.full.elements.clear();
  for (Index e = 0; e < std::ssize(cuts.tets); ++e)
    if (full[to_size(cuts.parents[to_size(e)])] != 0) body.full.elements.push_back(e);
  const ElementNumbers numbers(before, cuts);
  for (const Index e : whole.full.elements)
    if (e >= before.first_hex()) body.full.elements.push_back(numbers.of(e));
  VolumeMesh bare;
  bare.vertices = body.rest->mesh().vertices;
  bare.tets = body.rest->mesh().tets;
  bare.hexes = body.rest->mesh().hexes;
  bare.tet10s = body.rest->mesh().tet10s;
  for_each_kind(bare, [](const auto& elements, auto& labels) { labels.assign(elements.size(), 0); });
  SubMesh part = extract_elements(bare, body.full.elements);
  std::vector<Index> material_of;
  material_of.reserve(body.full.elements.size());
  for (const Index e : body.full.elements)
    material_of.push_back(body.rest->materials().of_element[to_size(e)]);
  body.full.vertices = part.vertices;
  body.full.forces = whole.full.forces->with_elements(part.mesh, material_of);
}

/// Whether each vertex is one of these or lies between such.
class Descendants {
 public:
  Descendants(const Cuts& cuts, Index vertices) : cuts_(cuts), vertices_(vertices) {}
  [[nodiscard]] bool belongs(VertexId v, const BoundaryFace& face) const {
    if (v >= vertices_) {
      const CutVertex& fresh = cuts_.fresh[to_size(v - vertices_)];
      return belongs(fresh.a, face) && belongs(fresh.b, face);
    }
    return std::find(face.vertices.begin(), face.vertices.begin() + face.size(), v) !=
           face.vertices.begin() + face.size();
  }

 private:
  const Cuts& cuts_;
  Index vertices_;
};

/// The faces of the parts of a tet that lie on one of its faces.
class FaceParts {
 public:
  FaceParts(const Cuts& cuts, const VolumeMesh& whole) : cuts_(cuts), whole_(whole), numbers_(whole, cuts) {
    for (Index e = 0; e < std::ssize(cuts.tets); ++e) children_[cuts.parents[to_size(e)]].push_back(e);
  }
  [[nodiscard]] std::vector<BoundaryFace> of(const std::vector<BoundaryFace>& faces) const {
    const Descendants descendants(cuts_, whole_.vertex_count());
    std::vector<BoundaryFace> parts;
    for (const BoundaryFace& face : faces) {
      if (face.element >= whole_.first_hex()) {
        parts.push_back(face);
        parts.back().element = numbers_.of(face.element);
        continue;
      }
      for (const Index e : children_.at(face.element))
        for (const auto& local : kTetFaces) {
          BoundaryFace part = face;
          part.element = e;
          for (std::size_t i = 0; i < 3; ++i) part.vertices[i] = cuts_.tets[to_size(e)][to_size(local[i])];
          if (std::all_of(part.vertices.begin(), part.vertices.begin() + 3,
                          [&](VertexId v) { return descendants.belongs(v, face); }))
            parts.push_back(part);
        }
    }
    return parts;
  }

 private:
  const Cuts& cuts_;
  const VolumeMesh& whole_;
  ElementNumbers numbers_;
  std::map<Index, std::vector<Index>> children_;
};

Diagnostic misfit() {
  return {ErrorCode::kInconsistent,
          {},
          "the saved state has cuts that do not fit the body",
          "take a checkpoint of this very scene"};
}

}  // namespace

Cuts cuts_after(const Cuts& cuts, MeshCut more) {
  Cuts made;
  made.fresh = cuts.fresh;
  made.fresh.insert(made.fresh.end(), more.fresh.begin(), more.fresh.end());
  made.tets = std::move(more.tets);
  for (const Index parent : more.parents)
    made.parents.push_back(cuts.empty() ? parent : cuts.parents[to_size(parent)]);
  return made;
}

void append_fresh(const Cuts& cuts, Index from, Index width, VectorX& values) {
  const Index before = values.size() / width;
  const auto count = std::ssize(cuts.fresh) - from;
  values.conservativeResize(values.size() + width * count);
  for (Index i = 0; i < count; ++i) {
    const CutVertex& v = cuts.fresh[to_size(from + i)];
    values.segment(width * (before + i), width) = (1.0 - v.t) * values.segment(width * Index{v.a}, width) +
                                                  v.t * values.segment(width * Index{v.b}, width);
  }
}

std::shared_ptr<const CoupledBody> cut_body(const CoupledBody& whole, const std::vector<Material>& materials,
                                            const Cuts& cuts) {
  auto body = std::make_shared<CoupledBody>(whole);
  const VolumeMesh& before = whole.rest->mesh();
  body->rest = std::make_shared<const RestBody>(
      cut_mesh_of(before, cuts),
      MaterialMap{materials, cut_materials(whole.rest->materials().of_element, before, cuts)});
  for (Index i = 0; i < std::ssize(cuts.fresh); ++i) {
    const CutVertex& fresh = cuts.fresh[to_size(i)];
    const auto v = static_cast<VertexId>(before.vertex_count() + i);
    const Index domain = body->domain_of[to_size(fresh.a)];
    std::vector<VertexId>& vertices = body->domains[to_size(domain)].vertices;
    body->domain_of.push_back(domain);
    body->row_of.push_back(static_cast<VertexId>(vertices.size()));
    vertices.push_back(v);
    const auto held = [&](VertexId end) {
      return std::binary_search(body->held.begin(), body->held.end(), end);
    };
    if (held(fresh.a) && held(fresh.b)) body->held.push_back(v);
  }
  const ElementNumbers numbers(before, cuts);
  for (CoupledDomain& domain : body->domains) {
    domain.elements = renumbered(std::move(domain.elements), numbers);
    if (!domain.full) continue;
    auto none = std::make_shared<ReducedBody>(*domain.reduced);
    none->basis.shapes.resize(3 * std::ssize(domain.vertices), 0);
    domain.reduced = std::move(none);
  }
  body->coupling_elements = renumbered(std::move(body->coupling_elements), numbers);
  renew_full_elements(whole, cuts, *body);
  return body;
}

std::vector<Support> cut_supports(std::vector<Support> supports, const Cuts& cuts, Index vertices) {
  for (Support& support : supports) {
    std::vector<char> held(to_size(vertices) + cuts.fresh.size(), 0);
    for (const VertexId v : support.vertices) held[to_size(v)] = 1;
    for (std::size_t i = 0; i < cuts.fresh.size(); ++i) {
      const auto v = to_size(vertices) + i;
      held[v] = held[to_size(cuts.fresh[i].a)] != 0 && held[to_size(cuts.fresh[i].b)] != 0 ? 1 : 0;
      if (held[v] != 0) support.vertices.push_back(static_cast<VertexId>(v));
    }
  }
  return supports;
}

std::vector<Load> cut_loads(std::vector<Load> loads, const Cuts& cuts, const VolumeMesh& whole) {
  const FaceParts parts(cuts, whole);
  for (Load& load : loads) {
    if (auto* pressure = std::get_if<Pressure>(&load.what)) pressure->faces = parts.of(pressure->faces);
    if (auto* wind = std::get_if<Wind>(&load.what)) wind->faces = parts.of(wind->faces);
  }
  return loads;
}

void save_cuts(const Cuts& cuts, StateArrays& arrays) {
  if (cuts.empty()) return;
  std::vector<double> vertices, tets;
  for (const CutVertex& v : cuts.fresh)
    vertices.insert(vertices.end(), {static_cast<double>(v.a), static_cast<double>(v.b), v.t});
  for (const Tet& tet : cuts.tets) tets.insert(tets.end(), tet.begin(), tet.end());
  arrays.emplace("cut_vertices", std::move(vertices));
  arrays.emplace("cut_tets", std::move(tets));
  arrays.emplace("cut_parents", std::vector<double>(cuts.parents.begin(), cuts.parents.end()));
}

Result<Cuts> load_cuts(const StateArrays& arrays, const VolumeMesh& whole,
                       const std::vector<char>& cuttable) {
  Cuts cuts;
  const auto vertices = arrays.find("cut_vertices"), tets = arrays.find("cut_tets"),
             parents = arrays.find("cut_parents");
  const auto none = arrays.end();
  if (vertices == none && tets == none && parents == none) return cuts;
  if (vertices == none || tets == none || parents == none) return misfit();
  const auto count = parents->second.size();
  if (vertices->second.size() % 3 != 0 || vertices->second.empty() || tets->second.size() != 4 * count ||
      count < whole.tets.size())
    return misfit();
  const auto whole_number = [](double x, Index end) {
    return x >= 0.0 && x < static_cast<double>(end) && x == std::floor(x);
  };
  for (std::size_t i = 0; i < vertices->second.size(); i += 3) {
    const double a = vertices->second[i], b = vertices->second[i + 1], t = vertices->second[i + 2];
    const Index end = whole.vertex_count() + static_cast<Index>(i / 3);
    if (!whole_number(a, end) || !whole_number(b, end) || !(t >= 0.0 && t <= 1.0)) return misfit();
    cuts.fresh.push_back({static_cast<VertexId>(a), static_cast<VertexId>(b), t});
  }
  const Index end = whole.vertex_count() + std::ssize(cuts.fresh);
  for (std::size_t e = 0; e < count; ++e) {
    const double parent = parents->second[e];
    if (!whole_number(parent, whole.first_hex())) return misfit();
    Tet tet{};
    for (std::size_t i = 0; i < 4; ++i) {
      if (!whole_number(tets->second[4 * e + i], end)) return misfit();
      tet[i] = static_cast<VertexId>(tets->second[4 * e + i]);
    }
    const auto own = static_cast<std::size_t>(parent);
    if (e < whole.tets.size() && own != e) return misfit();
    if (cuttable[own] == 0 && (e != own || tet != whole.tets[own])) return misfit();
    cuts.tets.push_back(tet);
    cuts.parents.push_back(static_cast<Index>(own));
  }
  return cuts;
}

}  // namespace pliant
