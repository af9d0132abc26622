#include "pliant/model/coupled/full_cells.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace pliant {
namespace {

constexpr std::size_t kCell = 16;  // vertices: blocks of up to 48 unknowns

/// Halves the vertices across their longest extent until few are left.
void divide(const VolumeMesh& mesh, std::span<VertexId> vertices, std::vector<std::vector<VertexId>>& cells) {
  if (vertices.size() <= kCell) {
    cells.emplace_back(vertices.begin(), vertices.end());
    std::sort(cells.back().begin(), cells.back().end());
    return;
  }
  Vector3 low = mesh.vertices[to_size(vertices.front())], high = low;
  for (const VertexId v : vertices) {
    low = low.cwiseMin(mesh.vertices[to_size(v)]);
    high = high.cwiseMax(mesh.vertices[to_size(v)]);
  }
  Index axis = 0;
  (high - low).maxCoeff(&axis);
  const std::size_t half = vertices.size() / 2;
  std::nth_element(vertices.begin(), vertices.begin() + static_cast<std::ptrdiff_t>(half), vertices.end(),
                   [&](VertexId a, VertexId b) {
                     const double x = mesh.vertices[to_size(a)][axis], y = mesh.vertices[to_size(b)][axis];
                     return x != y ? x < y : a < b;
                   });
  divide(mesh, vertices.first(half), cells);
  divide(mesh, vertices.subspan(half), cells);
}

class Divider {
 public:
  explicit Divider(const CoupledBody& body) : from_(body), made_(body) {}

  CoupledBody make() {
    made_.domains.clear();
    made_.owner.clear();
    join();
    for (std::size_t d = 0; d < from_.domains.size(); ++d)
      if (!from_.domains[d].full) add(from_.domains[d], d);
    for (std::size_t d = 0; d < from_.domains.size(); ++d)
      if (from_.domains[d].full && from_.domains[d].anchored) add_held(d);
    for (std::size_t d = 0; d < from_.domains.size(); ++d)
      if (from_.domains[d].full) add_cells(d);
    find_pairs();
    return std::move(made_);
  }

 private:
  void join() {
    Index first = -1;
    for (std::size_t d = 0; d < from_.domains.size() && first < 0; ++d)
      if (from_.domains[d].full) first = static_cast<Index>(d);
    made_.joined = from_.domain_of;
    for (Index& domain : made_.joined)
      if (domain >= 0 && from_.domains[to_size(domain)].full) domain = first;
  }

  [[nodiscard]] bool held(VertexId v) const {
    return std::binary_search(from_.held.begin(), from_.held.end(), v);
  }

  void add(CoupledDomain part, std::size_t owner) {
    const auto number = std::ssize(made_.domains);
    for (std::size_t i = 0; i < part.vertices.size(); ++i) {
      made_.domain_of[to_size(part.vertices[i])] = number;
      made_.row_of[to_size(part.vertices[i])] = static_cast<VertexId>(i);
    }
    made_.domains.push_back(std::move(part));
    made_.owner.push_back(static_cast<Index>(owner));
  }

  [[nodiscard]] CoupledDomain cell(std::size_t d, std::vector<VertexId> vertices) const {
    CoupledDomain part;
    part.name = from_.domains[d].name;
    part.full = true;
    part.vertices = std::move(vertices);
    return part;
  }

  void add_held(std::size_t d) {
    std::vector<VertexId> vertices;
    for (const VertexId v : from_.domains[d].vertices)
      if (held(v)) vertices.push_back(v);
    CoupledDomain part = cell(d, std::move(vertices));
    part.anchored = true;
    auto none = std::make_shared<ReducedBody>(*from_.domains[d].reduced);
    none->basis.shapes.resize(3 * std::ssize(part.vertices), 0);
    for (const VertexId v : part.vertices)
      none->origin += from_.rest->mesh().vertices[to_size(v)] / static_cast<double>(part.vertices.size());
    part.reduced = std::move(none);
    add(std::move(part), d);
  }

  void add_cells(std::size_t d) {
    std::vector<VertexId> free;
    for (const VertexId v : from_.domains[d].vertices)
      if (!held(v)) free.push_back(v);
    std::vector<std::vector<VertexId>> cells;
    if (!free.empty()) divide(from_.rest->mesh(), free, cells);
    for (std::vector<VertexId>& vertices : cells) {
      CoupledDomain part = cell(d, std::move(vertices));
      VectorX scale(3 * std::ssize(part.vertices));
      for (std::size_t i = 0; i < part.vertices.size(); ++i)
        scale.segment<3>(3 * static_cast<Index>(i))
            .setConstant(1.0 / std::sqrt(from_.rest->lumped_mass()[part.vertices[i]]));
      auto own = std::make_shared<ReducedBody>();
      own->basis.shapes = scale.asDiagonal();
      own->inertia = from_.domains[d].reduced->inertia;
      part.reduced = std::move(own);
      add(std::move(part), d);
    }
  }

  /// Parts that share elements.
  void find_pairs() {
    const std::size_t count = made_.domains.size();
    std::vector<char> met(count * count, 0);
    for (const std::vector<Index>* elements :
         {&from_.coupling_elements, &from_.all_coupling.elements, &from_.full.elements})
      for (const Index e : *elements)
        for (const VertexId v : from_.rest->mesh().element_vertices(e))
          for (const VertexId w : from_.rest->mesh().element_vertices(e))
            met[to_size(made_.domain_of[to_size(v)]) * count + to_size(made_.domain_of[to_size(w)])] = 1;
    made_.pairs.clear();
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = a + 1; b < count; ++b)
        if (met[a * count + b] != 0) made_.pairs.emplace_back(static_cast<Index>(a), static_cast<Index>(b));
  }

  const CoupledBody& from_;
  CoupledBody made_;
};

}  // namespace

std::shared_ptr<const CoupledBody> divide_full_domains(const std::shared_ptr<const CoupledBody>& body) {
  const bool any = std::any_of(body->domains.begin(), body->domains.end(),
                               [](const CoupledDomain& domain) { return domain.full; });
  return any ? std::make_shared<const CoupledBody>(Divider(*body).make()) : body;
}

}  // namespace pliant
