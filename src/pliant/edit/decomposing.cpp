#include "pliant/edit/decomposing.hpp"

#include "pliant/base/text.hpp"
#include "pliant/edit/congruent_parts.hpp"
#include "pliant/edit/refuse.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/scene/domain_report.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

namespace pliant::view {
namespace {

constexpr std::uint32_t kMostDomains = 1024;
constexpr std::uint32_t kMostModes = 200;
constexpr std::uint32_t kNone = 0xffffffffU;

std::uint32_t u32(Index value) { return static_cast<std::uint32_t>(value); }

void add_line(std::string& text, const std::string& line) {
  if (!text.empty()) text += '\n';
  text += line;
}

}  // namespace

CutDesk::CutDesk(const BodyText& body, const WorkPiece& piece) : text_(body), piece_(piece.elastic) {
  graph_ = element_graph(mesh());
  outer_number_.assign(to_size(mesh().element_count()), -1);
  for (const BoundaryFace& face : boundary_faces(mesh())) {
    if (!outer_.empty() && outer_.back() == face.element) continue;
    outer_number_[to_size(face.element)] = std::ssize(outer_);
    outer_.push_back(face.element);
  }
  of_element_.assign(to_size(mesh().element_count()), 0);
}

Result<std::unique_ptr<CutDesk>> CutDesk::make(const BodyText& body, const WorkPiece& piece) {
  if (body.assembly.given)
    return refuse("this body is made of placed parts, which are its domains already", "edit its instances");
  std::unique_ptr<CutDesk> desk(new CutDesk(body, piece));
  const Result<std::vector<Support>> supports = supports_of(body, desk->mesh());
  if (!supports) return supports.errors();
  for (const Support& support : supports.value())
    desk->held_.insert(desk->held_.end(), support.vertices.begin(), support.vertices.end());
  std::sort(desk->held_.begin(), desk->held_.end());
  desk->want(1);
  desk->wishes_[0].name = "rest";
  if (body.model_type == "tree") {
    Result<Decomposition> cut = decompose(desk->mesh(), body, desk->held_);
    if (!cut) return cut.errors();
    if (cut.value().map.count() > Index{kMostDomains}) return refuse("it has more than 1024 domains");
    desk->use(cut.value().map);
    const std::vector<Index> modes = modes_of_domains(cut.value(), body);
    for (std::size_t d = 0; d < modes.size(); ++d) desk->wishes_[d].modes = u32(modes[d]);
  }
  return desk;
}

/// Adds domains with default names until there are so many.
void CutDesk::want(std::size_t domains) {
  while (wishes_.size() < domains)
    wishes_.push_back({"part " + text(std::ssize(wishes_)), u32(text_.tree.modes)});
}

void CutDesk::use(const DomainMap& map) {
  wishes_.clear();
  want(to_size(map.count()));
  for (std::size_t d = 0; d < map.names.size(); ++d) wishes_[d].name = map.names[d];
  of_element_ = map.of_element;
  painted_ = false;
}

CutSurface CutDesk::surface() const {
  CutSurface result;
  std::vector<Index> number(mesh().vertices.size(), -1);
  const auto vertex = [&](VertexId v) {
    Index& known = number[to_size(v)];
    if (known < 0) {
      known = static_cast<Index>(result.rest.size() / 3);
      for (Index c = 0; c < 3; ++c) result.rest.push_back(static_cast<float>(mesh().vertices[to_size(v)][c]));
    }
    return u32(known);
  };
  for (const BoundaryFace& face : boundary_faces(mesh()))
    for (const Triangle& t : boundary_triangles({face})) {
      for (const VertexId v : t) result.triangles.push_back(vertex(v));
      result.elements.push_back(u32(outer_number_[to_size(face.element)]));
    }
  return result;
}

Status CutDesk::paint(std::uint32_t domain, const std::vector<std::uint32_t>& elements) {
  if (domain >= kMostDomains) return refuse("there may be at most 1024 domains");
  for (const std::uint32_t e : elements)
    if (e >= outer_.size()) return refuse("there is no outer element " + text(Index{e}));
  want(domain + std::size_t{1});
  for (const std::uint32_t e : elements) of_element_[to_size(outer_[e])] = Index{domain};
  painted_ = painted_ || !elements.empty();
  return Done{};
}

Status CutDesk::name(const NameCut& wish) {
  if (wish.domain >= kMostDomains || wish.modes > kMostModes)
    return refuse("a domain has at most 200 shapes");
  const bool plain = std::all_of(wish.name.begin(), wish.name.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 32 && c != '"' && c != '\\' && c != 127;
  });
  if (wish.name.empty() || wish.name.size() > 64 || !plain)
    return refuse("a name has 1 to 64 characters, and neither \" nor \\");
  want(wish.domain + std::size_t{1});
  wishes_[wish.domain] = {wish.name, wish.modes};
  return Done{};
}

Status CutDesk::split(std::uint32_t count) {
  if (count < 1 || count > kMostDomains) return refuse("1 to 1024 domains can be found");
  Result<AutomaticDomains> found = automatic_domains(mesh(), graph_, Index{count}, held_);
  if (!found) return found.errors();
  use(found.value().map);
  return Done{};
}

Result<Index> CutDesk::repeat(std::uint32_t domain) {
  if (domain == 0)
    return refuse("copies are made of what the first domain still has", "choose another domain");
  settle();
  std::vector<Index> part;
  std::vector<char> free(of_element_.size(), 0);
  for (std::size_t e = 0; e < of_element_.size(); ++e) {
    if (of_element_[e] == Index{domain}) part.push_back(static_cast<Index>(e));
    if (of_element_[e] == 0) free[e] = 1;
  }
  if (part.empty()) return refuse("this domain is empty", "paint it first");
  const std::vector<std::vector<Index>> copies = congruent_parts(mesh(), part, free);
  if (copies.empty())
    return refuse("no part of \"" + wishes_[0].name + "\" is congruent to \"" + wishes_[domain].name + "\"",
                  "elements must be placed alike, not only the shape");
  for (const std::vector<Index>& copy : copies) {
    if (wishes_.size() >= kMostDomains) break;
    const Wish wish{wishes_[domain].name + " " + text(static_cast<Index>(&copy - copies.data()) + 2),
                    wishes_[domain].modes};
    for (const Index e : copy) of_element_[to_size(e)] = std::ssize(wishes_);
    wishes_.push_back(wish);
  }
  split_rest();
  return std::ssize(copies);
}

/// Copies may have split the first domain into pieces, but a domain must be connected. All pieces except the
/// first become new domains.
void CutDesk::split_rest() {
  const ElementParts parts = connected_parts(graph_, of_element_);
  std::map<Index, Index> domain;  // of each piece
  for (std::size_t e = 0; e < of_element_.size(); ++e) {
    if (of_element_[e] != 0) continue;
    const auto [found, fresh] = domain.try_emplace(parts.of_element[e], 0);
    if (fresh && domain.size() > 1 && wishes_.size() < kMostDomains) {
      found->second = std::ssize(wishes_);
      const std::string name = wishes_[0].name + " " + text(std::ssize(domain));
      wishes_.push_back({name, wishes_[0].modes});
    }
    of_element_[e] = found->second;
  }
}

std::uint32_t CutDesk::checksum() const {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < outer_.size(); ++i)
    sum += static_cast<std::uint32_t>(i + 1) * (u32(of_element_[to_size(outer_[i])]) + 1U);
  return sum;
}

/// Gives inner elements the domain of the nearest outer one, by breadth-first search across faces.
void CutDesk::fill_inside() {
  std::vector<char> known(of_element_.size(), 0);
  std::deque<Index> front(outer_.begin(), outer_.end());
  for (const Index e : outer_) known[to_size(e)] = 1;
  while (!front.empty()) {
    const Index e = front.front();
    front.pop_front();
    for (const Index face : graph_.faces_of(e)) {
      const Index other = graph_.across(face, e);
      if (std::exchange(known[to_size(other)], 1) != 0) continue;
      of_element_[to_size(other)] = of_element_[to_size(e)];
      front.push_back(other);
    }
  }
}

/// A small part that shares no face with the rest of its domain joins the neighbour with which it shares the
/// largest area.
bool CutDesk::join_strays() {
  const ElementParts parts = connected_parts(graph_, of_element_);
  std::vector<Index> size(to_size(parts.count), 0), domain(to_size(parts.count), 0);
  std::vector<Index> largest(wishes_.size(), 0);
  for (std::size_t e = 0; e < of_element_.size(); ++e) {
    ++size[to_size(parts.of_element[e])];
    domain[to_size(parts.of_element[e])] = of_element_[e];
  }
  for (std::size_t p = 0; p < size.size(); ++p)
    largest[to_size(domain[p])] = std::max(largest[to_size(domain[p])], size[p]);
  std::map<Index, std::map<Index, double>> borders;  // of small parts: area with each other domain
  for (const InnerFace& face : graph_.faces)
    for (std::size_t side = 0; side < 2; ++side) {
      const Index part = parts.of_element[to_size(face.elements[side])];
      const Index other = of_element_[to_size(face.elements[1 - side])];
      const Index most = largest[to_size(domain[to_size(part)])];
      if (other != domain[to_size(part)] && size[to_size(part)] < most &&
          size[to_size(part)] <= std::max<Index>(4, most / 10))
        borders[part][other] += face.area;
    }
  for (std::size_t e = 0; e < of_element_.size(); ++e) {
    const auto found = borders.find(parts.of_element[e]);
    if (found == borders.end()) continue;
    of_element_[e] =
        std::max_element(found->second.begin(), found->second.end(), [](const auto& a, const auto& b) {
          return a.second < b.second;
        })->first;
  }
  return !borders.empty();
}

void CutDesk::settle() {
  if (!painted_) return;
  painted_ = false;
  fill_inside();
  for (int round = 0; round < 8 && join_strays(); ++round) {
  }
}

CutDesk::Compact CutDesk::compact() const {
  Compact result;
  std::vector<Index> place(wishes_.size(), -1);
  std::vector<Index> count(wishes_.size(), 0);
  for (const Index d : of_element_) ++count[to_size(d)];
  for (std::size_t d = 0; d < wishes_.size(); ++d) {
    if (count[d] == 0) continue;
    place[d] = std::ssize(result.numbers);
    result.numbers.push_back(static_cast<std::uint32_t>(d));
    std::string name = wishes_[d].name;
    while (std::find(result.map.names.begin(), result.map.names.end(), name) != result.map.names.end())
      name += "'";
    result.map.names.push_back(std::move(name));
  }
  result.map.of_element.reserve(of_element_.size());
  for (const Index d : of_element_) result.map.of_element.push_back(place[to_size(d)]);
  return result;
}

/// Merges the domains of each ring into the first of them: a tree has no cycles.
void CutDesk::merge_rings() {
  const Compact now = compact();
  const auto rings = domain_cycles(domain_graph(mesh(), graph_, now.map), now.map.count());
  for (const std::vector<Index>& ring : rings) {
    const std::uint32_t first = now.numbers[to_size(ring.front())];
    for (Index& d : of_element_)
      if (std::any_of(ring.begin(), ring.end(), [&](Index k) { return now.numbers[to_size(k)] == u32(d); }))
        d = Index{first};
  }
}

void CutDesk::describe_tree(const Compact& compact, Cut& cut) const {
  const DomainGraph links = domain_graph(mesh(), graph_, compact.map);
  const auto rings = domain_cycles(links, compact.map.count());
  for (std::size_t r = 0; r < rings.size(); ++r)
    for (const Index d : rings[r])
      cut.domains[compact.numbers[to_size(d)]].ring = static_cast<std::uint32_t>(r + 1);
  for (const DomainInterface& link : links.interfaces)
    cut.links.push_back({compact.numbers[to_size(link.domains[0])], compact.numbers[to_size(link.domains[1])],
                         static_cast<float>(link.area), u32(link.patches)});
  for (const Diagnostic& problem : check_connected(mesh(), graph_, compact.map)) {
    add_line(cut.problems, problem.where.key + " " + problem.what);
    for (std::size_t d = 0; d < compact.map.names.size(); ++d)
      if (problem.where.key == "domain " + compact.map.names[d]) cut.domains[compact.numbers[d]].faults = 1;
  }
  const Result<DomainTree> tree = domain_tree(mesh(), compact.map, links, held_);
  if (!tree) {
    for (const Diagnostic& problem : tree.errors())
      add_line(cut.problems, problem.where.key + " " + problem.what);
    return;
  }
  for (std::size_t d = 0; d < compact.numbers.size(); ++d) {
    CutDomain& domain = cut.domains[compact.numbers[d]];
    const Index parent = tree.value().parent[d];
    domain.parent = parent < 0 ? kNone : compact.numbers[to_size(parent)];
    domain.level = u32(tree.value().level[d]);
  }
  for (const DomainInterface& link : links.interfaces)
    if (link.patches > 1)
      add_line(cut.notes, compact.map.names[to_size(link.domains[0])] + " and " +
                              compact.map.names[to_size(link.domains[1])] + " meet in " + text(link.patches) +
                              " separate places, which will move as one");
}

Cut CutDesk::look(bool merge) {
  settle();
  if (merge) merge_rings();
  Cut cut;
  const Compact now = compact();
  const std::vector<Index> sizes = now.map.sizes();
  for (const Wish& wish : wishes_) cut.domains.push_back({wish.name, wish.modes, 0, kNone, 0, 0, 0});
  for (std::size_t d = 0; d < sizes.size(); ++d) cut.domains[now.numbers[d]].elements = u32(sizes[d]);
  describe_tree(now, cut);
  cut.fine = cut.problems.empty() ? 1 : 0;
  cut.labels.reserve(outer_.size());
  for (const Index e : outer_) cut.labels.push_back(static_cast<std::uint16_t>(of_element_[to_size(e)]));
  return cut;
}

Result<BodyText> CutDesk::apply(bool merge, std::uint32_t linear_modes) {
  if (linear_modes < 1 || linear_modes > kMostModes) return refuse("1 to 200 linear modes");
  const Cut cut = look(merge);
  if (cut.fine == 0) return refuse(cut.problems, "mend the cut first");
  const Compact now = compact();
  BodyText body = text_;
  if (body.model_type != "tree") body.tree = {};
  body.model_type = "tree";
  body.tree.linear_modes = Index{linear_modes};
  body.tree.modes_total.reset();
  body.tree.labels = body.tree.merge_cycles = false;
  body.tree.automatic.reset();
  body.tree.root.reset();
  body.tree.map = std::make_shared<const DomainMap>(now.map);
  body.domains.clear();
  for (std::size_t d = 0; d < now.numbers.size(); ++d) {
    DomainText domain;
    if (const DomainText* before = listed_domain(text_, now.map.names[d])) domain = *before;
    domain.name = now.map.names[d];
    domain.where = {};
    domain.modes = Index{wishes_[now.numbers[d]].modes};
    body.domains.push_back(std::move(domain));
  }
  return body;
}

Result<VolumeMesh> CutDesk::labelled(const BodyText& applied) const {
  const Result<Decomposition> cut = decompose(mesh(), applied, held_);
  if (!cut) return cut.errors();
  return labelled_by_domain(mesh(), cut.value());
}

}  // namespace pliant::view
