#include "pliant/scene/domain_report.hpp"

#include "pliant/mesh/core/boundary.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

/// Area of the boundary faces whose vertices are all held.
double held_area(const ClassPlan& part) {
  const VolumeMesh& mesh = part.elastic->mesh();
  std::vector<char> held(mesh.vertices.size(), 0);
  for (const VertexId v : part.held) held[to_size(v)] = 1;
  double area = 0.0;
  for (const BoundaryFace& face : boundary_faces(mesh)) {
    bool all = true;
    for (int i = 0; i < face.size(); ++i) all = all && held[to_size(face.vertices[to_size(i)])] != 0;
    if (all) area += face_shares(mesh, face.vertices).area;
  }
  return area;
}

/// The position of each domain in the order of the tree.
std::vector<Index> places(const Decomposition& cut) {
  std::vector<Index> place(cut.tree.order.size());
  for (std::size_t i = 0; i < place.size(); ++i) place[to_size(cut.tree.order[i])] = static_cast<Index>(i);
  return place;
}

constexpr double kBoxWidth = 210.0, kBoxHeight = 40.0;  // pixels
constexpr double kColumn = 260.0, kRow = 52.0;
constexpr double kMargin = 20.0, kTitle = 44.0;

/// The row of each box: leaves one below the other, parents centred on their children.
std::vector<double> heights(std::span<const DomainRow> rows) {
  std::vector<std::vector<std::size_t>> children(rows.size());
  for (std::size_t i = 1; i < rows.size(); ++i) children[to_size(rows[i].parent)].push_back(i);
  std::vector<double> y(rows.size(), 0.0);
  std::vector<std::pair<std::size_t, std::size_t>> stack{{0, 0}};  // row, children done
  double next = 0.0;
  while (!stack.empty()) {
    auto& [row, done] = stack.back();
    if (done < children[row].size()) {
      const std::size_t child = children[row][done++];
      stack.emplace_back(child, 0);
      continue;
    }
    y[row] = children[row].empty() ? next++ : 0.5 * (y[children[row].front()] + y[children[row].back()]);
    stack.pop_back();
  }
  return y;
}

std::string escape(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) safe += c;
    }
  }
  return safe;
}

/// Shortens names that do not fit into their box, without splitting UTF-8 characters.
std::string shortened(const std::string& name) {
  constexpr std::size_t kMost = 26;
  std::size_t letters = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if ((static_cast<unsigned char>(name[i]) & 0xC0U) == 0x80U) continue;
    if (++letters > kMost) return name.substr(0, i) + "…";
  }
  return name;
}

std::string link(double x0, double y0, double x1, double y1) {
  const double middle = 0.5 * (x0 + x1);
  return fmt::format(
      "<path d=\"M{:.1f} {:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" "
      "stroke=\"#888888\" stroke-width=\"1.5\"/>\n",
      x0, y0, middle, y0, middle, y1, x1, y1);
}

/// Name; elements and shapes, and at the right the area of the interface with the parent; a bar.
std::string box(double x, double y, const DomainRow& row, double share) {
  const double top = y - 0.5 * kBoxHeight;
  const double left = x + 8.0;
  const double right = x + kBoxWidth - 8.0;
  const std::string modes = row.modes > 0 ? fmt::format("{} modes", row.modes) : std::string("rigid");
  std::string svg = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"4\" fill=\"#ffffff\" "
      "stroke=\"{}\" stroke-width=\"1.5\"/>\n",
      x, top, kBoxWidth, kBoxHeight, row.parent < 0 ? "#d55e00" : "#0072b2");
  svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"3\" fill=\"#0072b2\"/>\n",
                     left, top + kBoxHeight - 6.0, share * (right - left));
  const auto text = [&](double at_x, double at_y, int size, const char* anchor, const std::string& words) {
    svg += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" fill=\"#333333\" text-anchor=\"{}\">{}</text>\n",
        at_x, at_y, size, anchor, words);
  };
  text(left, top + 15.0, 13, "start", escape(shortened(row.name)));
  text(left, top + 28.0, 10, "start", fmt::format("{} elements, {}", row.elements, modes));
  if (row.parent >= 0) text(right, top + 28.0, 10, "end", fmt::format("{:.3g} m²", row.interface_area));
  return svg;
}

}  // namespace

std::vector<DomainRow> domain_rows(const VolumeMesh& mesh, const Decomposition& cut,
                                   std::span<const Index> modes) {
  const std::vector<Index> place = places(cut);
  std::vector<DomainRow> rows(place.size());
  for (std::size_t d = 0; d < place.size(); ++d) {
    DomainRow& row = rows[to_size(place[d])];
    row.name = cut.map.names[d];
    row.level = cut.tree.level[d];
    row.modes = modes[d];
    if (cut.tree.parent[d] < 0) continue;
    row.parent = place[to_size(cut.tree.parent[d])];
    row.interface_area = cut.graph.interfaces[to_size(cut.tree.interface[d])].area;
  }
  std::vector<std::vector<Index>> domains_at(mesh.vertices.size());
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const Index own = place[to_size(cut.map.of_element[to_size(e)])];
    ++rows[to_size(own)].elements;
    rows[to_size(own)].volume += element_volume(mesh, e);
    for (const VertexId v : mesh.element_vertices(e)) domains_at[to_size(v)].push_back(own);
  }
  for (auto& list : domains_at) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (const Index own : list) ++rows[to_size(own)].vertices;
  }
  return rows;
}

Result<std::vector<DomainRow>> domain_rows(const AssemblyShape& shape, const BodyText& text,
                                           std::span<const VertexId> held) {
  const Result<TreePlan> made = make_assembly_plan(shape, text, held);
  if (!made) return made.errors();
  const TreePlan& plan = made.value();
  std::vector<double> base_area;
  base_area.reserve(plan.classes.size());
  for (const ClassPlan& part : plan.classes) base_area.push_back(held_area(part));
  std::vector<DomainRow> rows;
  rows.reserve(plan.domains.size());
  for (const TreeDomain& domain : plan.domains) {
    const ClassPlan& part = plan.classes[to_size(domain.class_index)];
    const VolumeMesh& mesh = part.elastic->mesh();
    const double scale = domain.rest.scale;
    DomainRow row{domain.name, mesh.element_count(), mesh.vertex_count()};
    row.volume = scale * scale * scale * part.elastic->volume();
    row.modes = part.modes;
    if (domain.parent >= 0) {
      row.parent = domain.parent;
      row.level = rows[to_size(domain.parent)].level + 1;
      row.interface_area = scale * scale * base_area[to_size(domain.class_index)];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

VolumeMesh labelled_by_domain(const VolumeMesh& mesh, const Decomposition& cut) {
  VolumeMesh labelled;
  labelled.vertices = mesh.vertices;
  labelled.tets = mesh.tets;
  labelled.hexes = mesh.hexes;
  labelled.tet10s = mesh.tet10s;
  const std::vector<Index> place = places(cut);
  auto domain = cut.map.of_element.begin();
  for_each_kind(labelled, [&](const auto& elements, std::vector<Label>& labels) {
    for (std::size_t e = 0; e < elements.size(); ++e)
      labels.push_back(static_cast<Label>(place[to_size(*domain++)] + 1));
  });
  for (std::size_t d = 0; d < place.size(); ++d)
    labelled.region_names[static_cast<Label>(place[d] + 1)] = cut.map.names[d];
  return labelled;
}

std::string domain_tree_svg(std::span<const DomainRow> rows, const std::string& title) {
  const std::vector<double> row_of = heights(rows);
  Index depth = 0, largest = 1;
  double lowest = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    depth = std::max(depth, rows[i].level);
    largest = std::max(largest, rows[i].elements);
    lowest = std::max(lowest, row_of[i]);
  }
  const auto x = [](const DomainRow& row) { return kMargin + kColumn * static_cast<double>(row.level); };
  const auto y = [&](std::size_t i) { return kTitle + 0.5 * kRow + kRow * row_of[i]; };
  const double width = std::max(420.0, 2.0 * kMargin + kColumn * static_cast<double>(depth) + kBoxWidth);
  const double height = kTitle + kRow * (lowest + 1.0) + kMargin;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      "<text x=\"{2:.0f}\" y=\"28\" font-size=\"16\" fill=\"#222222\">{3}: {4} domains, {5} levels</text>\n",
      width, height, kMargin, escape(title), rows.size(), depth + 1);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto parent = to_size(rows[i].parent);
    svg += link(x(rows[parent]) + kBoxWidth, y(parent), x(rows[i]), y(i));
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    svg +=
        box(x(rows[i]), y(i), rows[i], static_cast<double>(rows[i].elements) / static_cast<double>(largest));
  return svg + "</svg>\n";
}

}  // namespace pliant
