#include "pliant/scene/body_parts.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/embedding.hpp"
#include "pliant/mesh/core/selection.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace pliant {
namespace {

/// The ranges of the coordinates, which help to correct a selection that selects nothing.
std::string ranges(const VolumeMesh& mesh) {
  const auto [low, high] = body_box(mesh);
  std::string all;
  for (Index axis = 0; axis < 3; ++axis) {
    all += (axis > 0 ? ", " : "") + std::string(1, "xyz"[axis]) + " in [" + text(low[axis]) + ", " +
           text(high[axis]) + "]";
  }
  return all;
}

template <class Labels>
std::string label_list(const Labels& labels) {
  std::string all;
  for (const Label label : labels) {
    if (all.size() > 60) return all + ", ...";
    all += (all.empty() ? "" : ", ") + std::to_string(label);
  }
  return all;
}

std::string known_labels(const Selection& selection, const VolumeMesh& mesh) {
  std::string all;
  if (selection.uses_label()) {
    std::set<Label> labels;
    for_each_kind(mesh,
                  [&](const auto&, const auto& of_kind) { labels.insert(of_kind.begin(), of_kind.end()); });
    all += "; label is one of " + label_list(labels);
  }
  if (selection.uses_face_label()) {
    std::set<Label> labels(mesh.triangle_labels.begin(), mesh.triangle_labels.end());
    labels.insert(mesh.quad_labels.begin(), mesh.quad_labels.end());
    all +=
        labels.empty() ? "; the mesh has no labelled faces" : "; face_label is one of " + label_list(labels);
  }
  return all;
}

/// Compiles an expression. Its errors are located in the scene file.
std::optional<Selection> compile(const SelectionText& text, Diagnostics& problems) {
  Result<Selection> parsed = parse_selection(text.expression);
  if (parsed) return std::move(parsed).value();
  for (Diagnostic problem : parsed.errors()) {
    const Index inside = problem.where.column;  // counted from 1 behind the opening quote
    problem.where = text.where;
    if (problem.remedy.empty()) problem.remedy = "e.g. \"x < 1e-6 && label == 2\"";
    if (inside > 0 && problem.where.column > 0) problem.where.column += inside;
    problems.push_back(std::move(problem));
  }
  return std::nullopt;
}

void report_empty(const SelectionText& text, const std::string& what, const std::string& labels,
                  const VolumeMesh& mesh, Diagnostics& problems) {
  problems.push_back(
      {ErrorCode::kMissing, text.where, "selects no " + what, "the body has " + ranges(mesh) + labels});
}

/// Checks that the vertices typed by number exist.
bool in_range(const SelectionText& text, Index count, const std::string& what, Diagnostics& problems) {
  for (const Index number : text.numbers) {
    if (number >= 0 && number < count) continue;
    problems.push_back({ErrorCode::kOutOfRange, text.where,
                        "there is no " + what + " " + pliant::text(number),
                        "the mesh has " + pliant::text(count) + ", numbered from 0"});
    return false;
  }
  return true;
}

std::vector<BoundaryFace> selected_faces(const SelectionText& text, const VolumeMesh& mesh,
                                         Diagnostics& problems) {
  std::vector<BoundaryFace> faces = boundary_faces(mesh);
  if (text.expression.empty()) return faces;
  const std::optional<Selection> selection = compile(text, problems);
  if (!selection) return {};
  std::vector<BoundaryFace> chosen;
  for (const Index i : select_faces(*selection, mesh, faces)) chosen.push_back(faces[to_size(i)]);
  if (chosen.empty()) report_empty(text, "boundary face", known_labels(*selection, mesh), mesh, problems);
  return chosen;
}

double face_area(const BoundaryFace& face, const VolumeMesh& mesh) {
  const auto at = [&](std::size_t i) { return mesh.vertices[to_size(face.vertices[i])]; };
  if (face.is_quadratic()) {
    double area = 0.0;
    for (const auto& [a, b, c] : boundary_triangles({face})) {
      const Vector3& x = mesh.vertices[to_size(a)];
      area += 0.5 * (mesh.vertices[to_size(b)] - x).cross(mesh.vertices[to_size(c)] - x).norm();
    }
    return area;
  }
  if (face.size() == 3) return 0.5 * (at(1) - at(0)).cross(at(2) - at(0)).norm();
  return 0.5 *
         (at(2) - at(0)).cross(at(3) - at(1)).norm();  // of a flat quad: half the product of its diagonals
}

/// Shares by the area of boundary faces whose corners are all in the selection. The shape functions of a
/// quadratic face integrate to 0 at its corners and to a third of the area at its midside vertices, so these
/// are added to the selection where they are missing.
bool share_by_area(const VolumeMesh& mesh, VertexForce& force) {
  std::map<VertexId, double> area, midsides;
  for (const VertexId v : force.vertices) area[v] = 0.0;
  double total = 0.0;
  for (const BoundaryFace& face : boundary_faces(mesh)) {
    const auto corners = to_size(face.size());
    bool inside = true;
    for (std::size_t i = 0; i < corners; ++i) inside = inside && area.count(face.vertices[i]) > 0;
    if (!inside) continue;
    const double part = face_area(face, mesh);
    total += part;
    if (face.is_quadratic()) {
      for (const VertexId v : face.midsides) midsides[v] += part / 3.0;
      continue;
    }
    for (std::size_t i = 0; i < corners; ++i) area[face.vertices[i]] += part / static_cast<double>(corners);
  }
  if (!(total > 0.0)) return false;
  for (const auto& [v, part] : midsides) area[v] += part;
  force.vertices.clear();
  force.shares.clear();
  for (const auto& [v, part] : area) {
    force.vertices.push_back(v);
    force.shares.push_back(part / total);
  }
  return true;
}

/// A force at points of the body, distributed to the vertices by the transposed interpolation.
VertexForce force_at_points(const ForceText& text, const Location& where, const VolumeMesh& mesh,
                            Diagnostics& problems) {
  VertexForce force{{}, {}, text.force};
  const Result<Embedding> embedding = embed(mesh, text.points);
  if (!embedding) {
    problems.push_back({embedding.error().code, where, embedding.error().what, embedding.error().remedy});
    return force;
  }
  const auto [low, high] = body_box(mesh);
  if (!(embedding.value().largest_distance() <= 0.1 * (high - low).norm()))
    problems.push_back(
        {ErrorCode::kOutOfRange, where,
         "a point lies " + pliant::text(embedding.value().largest_distance()) + " m outside of the body",
         "the body has " + ranges(mesh)});
  std::map<VertexId, double> shares;
  const WeightRows& rows = embedding.value().points;
  for (std::size_t i = 0; i < rows.columns.size(); ++i)
    shares[rows.columns[i]] += rows.weights[i] / static_cast<double>(text.points.size());
  for (const auto& [vertex, share] : shares) {
    force.vertices.push_back(vertex);
    force.shares.push_back(share);
  }
  return force;
}

VertexForce make_force(const ForceText& text, const LoadText& load, const VolumeMesh& mesh,
                       Diagnostics& problems) {
  if (!text.points.empty()) {
    Location where = load.where;
    where.key += ".points";
    return force_at_points(text, where, mesh, problems);
  }
  VertexForce force{selected_vertices(load.selection, mesh, problems), {}, text.force};
  force.shares.assign(force.vertices.size(),
                      1.0 / static_cast<double>(std::max<std::size_t>(1, force.vertices.size())));
  if (text.by_area && !force.vertices.empty() && !share_by_area(mesh, force)) {
    Location where = load.where;
    where.key += ".spread";
    problems.push_back({ErrorCode::kInconsistent, where, "the selection holds no whole boundary face",
                        "select a face of the body, or take spread = \"equal\""});
  }
  return force;
}

/// Drops vertices of no element: they have no mass, so nothing can hold, move or push them.
std::vector<VertexId> of_elements(std::vector<VertexId> vertices, const SelectionText& text,
                                  const VolumeMesh& mesh, Diagnostics& problems) {
  const std::vector<bool> used = vertices_of_elements(mesh);
  const auto selected = std::ssize(vertices);
  std::erase_if(vertices, [&](VertexId v) { return !used[to_size(v)]; });
  if (vertices.empty())
    problems.push_back({ErrorCode::kMissing, text.where,
                        "selects " + pliant::text(selected) + " vertices, but none of an element",
                        "the elements have " + ranges(mesh)});
  return vertices;
}

}  // namespace

std::vector<bool> vertices_of_elements(const VolumeMesh& mesh) {
  std::vector<bool> used(mesh.vertices.size(), false);
  for_each_element(mesh, [&](Index, std::span<const VertexId> vertices) {
    for (const VertexId v : vertices) used[to_size(v)] = true;
  });
  return used;
}

BodyBox body_box(const VolumeMesh& mesh) {
  const double infinity = std::numeric_limits<double>::infinity();
  BodyBox box{Vector3::Constant(infinity), Vector3::Constant(-infinity)};
  const std::vector<bool> used = vertices_of_elements(mesh);
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (!used[v]) continue;
    box.low = box.low.cwiseMin(mesh.vertices[v]);
    box.high = box.high.cwiseMax(mesh.vertices[v]);
  }
  return box;
}

std::vector<VertexId> selected_vertices(const SelectionText& text, const VolumeMesh& mesh,
                                        Diagnostics& problems) {
  std::vector<VertexId> vertices;
  std::string labels;
  if (text.by_number) {
    if (!in_range(text, mesh.vertex_count(), "vertex", problems)) return {};
    const std::set<Index> sorted(text.numbers.begin(), text.numbers.end());
    for (const Index number : sorted) vertices.push_back(static_cast<VertexId>(number));
  } else {
    const std::optional<Selection> selection = compile(text, problems);
    if (!selection) return {};
    vertices = select_vertices(*selection, mesh);
    labels = known_labels(*selection, mesh);
  }
  if (!vertices.empty()) return of_elements(std::move(vertices), text, mesh, problems);
  report_empty(text, "vertex", labels, mesh, problems);
  return {};
}

MaterialMap make_materials(const BodyText& body, const VolumeMesh& mesh, Diagnostics& problems) {
  MaterialMap map{{body.material}, {}};
  if (body.regions.empty()) return map;
  map.of_element.assign(to_size(mesh.element_count()), 0);
  for (const RegionText& region : body.regions) {
    std::vector<Index> elements = region.elements.numbers;
    if (region.elements.by_number) {
      if (!in_range(region.elements, mesh.element_count(), "element", problems)) continue;
    } else {
      const std::optional<Selection> selection = compile(region.elements, problems);
      if (!selection) continue;
      elements = select_elements(*selection, mesh);
      if (elements.empty())
        report_empty(region.elements, "element", known_labels(*selection, mesh), mesh, problems);
    }
    const auto index = std::ssize(map.materials);
    map.materials.push_back(region.material);
    for (const Index element : elements) {
      Index& of = map.of_element[to_size(element)];
      if (of == 0) of = index;  // the first match wins
    }
  }
  return map;
}

std::vector<Support> make_supports(const BodyText& body, const VolumeMesh& mesh, Diagnostics& problems,
                                   Diagnostics& notes) {
  std::vector<Support> supports;
  std::vector<Index> owner(mesh.vertices.size(), -1);  // support of each vertex
  const auto add = [&](const SelectionText& text, std::optional<Motion> motion) {
    Support support{text.name(), {}, std::move(motion)};
    const auto own = std::ssize(supports);
    bool clash = false;
    const std::vector<VertexId> selected = selected_vertices(text, mesh, problems);
    for (const VertexId v : selected) {
      Index& of = owner[to_size(v)];
      if (of < 0) {
        of = own;
        support.vertices.push_back(v);
      } else if ((support.motion || supports[to_size(of)].motion) && !clash) {
        clash = true;
        problems.push_back({ErrorCode::kInconsistent, text.where,
                            "vertex " + pliant::text(static_cast<Index>(v)) + " is also held by \"" +
                                supports[to_size(of)].name + "\"",
                            "a vertex is held or moved by one selection"});
      }
    }
    if (support.vertices.empty() && !selected.empty() && !clash)  // it keeps its entry in reports
      notes.push_back({ErrorCode::kInconsistent, text.where,
                       "earlier selections hold all of its vertices, so its reaction is zero",
                       "leave it out, or put it first"});
    supports.push_back(std::move(support));
  };
  for (const SelectionText& fixed : body.fixed) add(fixed, std::nullopt);
  for (const MotionText& motion : body.motions) add(motion.vertices, motion.motion);
  return supports;
}

Loads make_loads(const BodyText& body, const Vector3& gravity, const VolumeMesh& mesh,
                 Diagnostics& problems) {
  Loads loads;
  loads.gravity = gravity;
  for (const LoadText& text : body.loads) {
    Load load;
    load.name = text.selection.name();
    load.table = text.table;
    if (const auto* force = std::get_if<ForceText>(&text.what)) {
      load.what = make_force(*force, text, mesh, problems);
    } else if (const auto* pressure = std::get_if<PressureText>(&text.what)) {
      load.what = Pressure{selected_faces(text.selection, mesh, problems), pressure->pascal};
    } else {
      Wind wind = std::get<Wind>(text.what);
      wind.faces = selected_faces(text.selection, mesh, problems);
      load.what = std::move(wind);
    }
    loads.loads.push_back(std::move(load));
  }
  return loads;
}

Diagnostics located(Diagnostics list, const Location& where) {
  for (Diagnostic& problem : list) {
    if (!problem.where.file.empty()) continue;
    const std::string inner = problem.where.key;
    problem.where = where;
    if (!inner.empty()) problem.where.key += ": " + inner;
  }
  return list;
}

}  // namespace pliant
