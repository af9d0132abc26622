#include "pliant/draw/drawn_body.hpp"

#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/carry_faces.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace pliant::view {
namespace {

std::uint32_t u32(Index value) { return static_cast<std::uint32_t>(value); }
std::uint32_t u32(std::size_t value) { return static_cast<std::uint32_t>(value); }

void add_triangles(const std::vector<Triangle>& triangles, std::vector<std::uint32_t>& list) {
  list.reserve(3 * triangles.size());
  for (const Triangle& triangle : triangles)
    for (const VertexId v : triangle) list.push_back(static_cast<std::uint32_t>(v));
}

/// The outer faces of the elements that are shown.
std::vector<BoundaryFace> faces_of(const VolumeMesh& mesh, const VolumeView& view) {
  if (!view.on || view.axis < 0) return boundary_faces(mesh);
  std::vector<double> along;  // middle of each element
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const std::span<const VertexId> element = mesh.element_corners(e);
    double sum = 0.0;
    for (const VertexId v : element) sum += mesh.vertices[to_size(v)][view.axis];
    along.push_back(sum / static_cast<double>(element.size()));
  }
  const auto [low, high] = std::minmax_element(along.begin(), along.end());
  const double most = view.share < 1.0 ? *low + view.share * (*high - *low) : *high;
  VolumeMesh left;
  left.vertices = mesh.vertices;
  std::vector<Index> numbers;
  const auto keep = [&](const auto& elements, auto& kept, Index first) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (along[to_size(first) + i] > most) continue;
      numbers.push_back(first + static_cast<Index>(i));
      kept.push_back(elements[i]);
    }
  };
  keep(mesh.tets, left.tets, 0);
  keep(mesh.hexes, left.hexes, mesh.first_hex());
  keep(mesh.tet10s, left.tet10s, mesh.first_tet10());
  std::vector<BoundaryFace> faces = boundary_faces(left);
  for (BoundaryFace& face : faces) face.element = numbers[to_size(face.element)];
  return faces;
}

/// The edges of faces, each once. Vertices are numbered by their position in `origin`.
std::vector<std::array<VertexId, 2>> edges_of(const std::vector<BoundaryFace>& faces,
                                              const std::vector<VertexId>& origin) {
  const auto number = [&](VertexId v) {
    return static_cast<VertexId>(std::lower_bound(origin.begin(), origin.end(), v) - origin.begin());
  };
  std::vector<std::array<VertexId, 2>> edges;
  for (const BoundaryFace& face : faces) {
    const auto corners = to_size(face.size());
    const auto add = [&](VertexId v, VertexId w) {
      const VertexId a = number(v), b = number(w);
      edges.push_back({std::min(a, b), std::max(a, b)});
    };
    for (std::size_t i = 0; i < corners; ++i) {
      const VertexId from = face.vertices[i], to = face.vertices[(i + 1) % corners];
      if (face.is_quadratic()) {
        add(from, face.midsides[i]);
        add(face.midsides[i], to);
      } else {
        add(from, to);
      }
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

/// The domain of the vertex that carries most of each point, where parts are not domains.
std::vector<std::uint32_t> domains_of_points(const WeightRows& carriers, const Domains& domains,
                                             const std::vector<char>& cut) {
  const Pieces pieces = domains.pieces(cut);
  std::vector<std::uint32_t> domain_of(pieces.mesh->vertices.size(), 0);
  for (std::size_t d = 0; d < pieces.vertices.size(); ++d)
    for (const VertexId v : pieces.vertices[d]) domain_of[to_size(v)] = u32(d);
  std::vector<std::uint32_t> list;
  for (Index i = 0; i < carriers.row_count(); ++i) {
    const auto begin = carriers.weights.begin() + carriers.starts[to_size(i)];
    const auto most = std::max_element(begin, carriers.weights.begin() + carriers.starts[to_size(i) + 1]);
    list.push_back(domain_of[to_size(carriers.columns[to_size(most - carriers.weights.begin())])]);
  }
  return list;
}

/// Appends three rows of r numbers, transposed to r columns of three.
void append_row(const float* rows, Index r, std::vector<float>& list) {
  for (Index k = 0; k < r; ++k)
    for (Index c = 0; c < 3; ++c) list.push_back(rows[c * r + k]);
}

}  // namespace

std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000U);
  const float size = std::abs(value);
  if (!(size < 65504.0F)) return static_cast<std::uint16_t>(sign | 0x7bffU);
  if (size < std::ldexp(1.0F, -14)) {  // subnormal: multiples of 2⁻²⁴
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::lrint(std::ldexp(size, 24))));
  }
  // Ten bits of the fraction, rounded to even. A carry into the exponent gives the right number.
  const std::uint32_t rebased = (bits & 0x7fffffffU) - (112U << 23);
  const std::uint32_t rounded = rebased + 0xfffU + ((rebased >> 13) & 1U);
  return static_cast<std::uint16_t>(sign | std::min<std::uint32_t>(rounded >> 13, 0x7bffU));
}

float from_half(std::uint16_t bits) {
  const float sign = (bits & 0x8000U) != 0U ? -1.0F : 1.0F;
  const int exponent = (bits >> 10) & 31;
  const auto fraction = static_cast<float>(bits & 1023U);
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024.0F + fraction, exponent - 25);
}

Index DrawnBody::triangle_count() const {
  std::size_t count = 0;
  for (const Patch& patch : geometry_.patches) count += patch.triangles.size() / 3 * patch.bases.size();
  return static_cast<Index>(count);
}

/// Stores the rows of a table in the number format of the geometry.
void DrawnBody::set_shapes(std::size_t table, std::vector<float> shapes) {
  RowTable& sent = geometry_.tables[table];
  if (geometry_.half == 0) {
    sent.shapes = shapes;
  } else {
    sent.halves.reserve(shapes.size());
    for (const float value : shapes) sent.halves.push_back(to_half(value));
  }
  shapes_.resize(geometry_.tables.size());
  shapes_[table] = std::move(shapes);
}

/// Makes one patch of all triangles, for points whose positions are sent.
void DrawnBody::stream() {
  geometry_.rest.clear();
  for (const Vector3& x : surface_.vertices)
    for (Index c = 0; c < 3; ++c) geometry_.rest.push_back(static_cast<float>(x[c]));
  Patch patch;
  patch.points = u32(surface_.vertices.size());
  add_triangles(surface_.triangles, patch.triangles);
  for (const auto& edge : edges_)
    for (const VertexId v : edge) patch.edges.push_back(static_cast<std::uint32_t>(v));
  patch.bases = {0};
  geometry_.patches = {std::move(patch)};
}

/// Sorts the points into the order of `origin`.
void DrawnBody::reorder(const std::vector<Index>& origin) {
  SurfaceMesh surface;
  WeightRows rows;
  std::vector<VertexId> number(origin.size());
  for (std::size_t i = 0; i < origin.size(); ++i) {
    number[to_size(origin[i])] = static_cast<VertexId>(i);
    surface.vertices.push_back(surface_.vertices[to_size(origin[i])]);
    for (const auto& [vertex, weight] : carriers(origin[i])) {
      rows.columns.push_back(vertex);
      rows.weights.push_back(weight);
    }
    rows.starts.push_back(std::ssize(rows.columns));
  }
  surface.triangles = std::move(surface_.triangles);
  for (Triangle& triangle : surface.triangles)
    for (VertexId& v : triangle) v = number[to_size(v)];
  for (auto& edge : edges_)
    for (VertexId& v : edge) v = number[to_size(v)];
  surface_ = std::move(surface);
  carriers_ = std::move(rows);
}

/// Takes over the tables of the parts. `domains`: the parts are domains, so points have domain numbers and
/// are blended at joints.
void DrawnBody::use_parts(const PartTables& parts, bool domains) {
  reorder(parts.origin);
  stream();
  geometry_.tables.resize(parts.tables.size());
  std::vector<std::vector<float>> shapes(parts.tables.size());
  for (std::size_t t = 0; t < parts.tables.size(); ++t) {
    const PartTable& table = parts.tables[t];
    geometry_.tables[t].rank = u32(table.size);
    geometry_.tables[t].rest = table.rest;
    shapes[t].reserve(table.shapes.size());
    for (Index i = 0; i < table.points; ++i)
      append_row(table.shapes.data() + 3 * i * table.size, table.size, shapes[t]);
  }
  const bool share = !parts.across && edges_.empty();  // no triangle joins two copies
  if (share) {
    geometry_.patches.assign(parts.tables.size(), {});
    for (std::size_t t = 0; t < parts.tables.size(); ++t) {
      geometry_.patches[t].points = u32(parts.tables[t].points);
      add_triangles(parts.tables[t].triangles, geometry_.patches[t].triangles);
    }
  }
  for (std::size_t p = 0; p < parts.tables_of.size(); ++p) {
    const auto t = to_size(parts.tables_of[p]);
    geometry_.part_tables.push_back(u32(t));
    geometry_.part_scales.push_back(static_cast<float>(parts.scales[p]));
    if (share) geometry_.patches[t].bases.push_back(u32(parts.starts[p]));
    for (Index i = parts.starts[p]; i < parts.starts[p + 1]; ++i) {
      if (domains) geometry_.point_domains.push_back(u32(p));
      geometry_.site_parts.push_back(u32(p));
      geometry_.site_rows.push_back(u32(i - parts.starts[p]));
    }
  }
  if (domains) add_blend(parts, shapes);
  for (std::size_t t = 0; t < shapes.size(); ++t) set_shapes(t, std::move(shapes[t]));
  std::erase_if(geometry_.patches, [](const Patch& patch) { return patch.triangles.empty(); });
}

/// Adds the samples of the blend as sites after those of the points. Copies of a class mostly have equal
/// samples, which then share one row of the table.
void DrawnBody::add_blend(const PartTables& parts, std::vector<std::vector<float>>& shapes) {
  const BlendSamples& samples = parts.samples;
  std::map<std::pair<std::size_t, std::vector<float>>, std::uint32_t> known;
  for (std::size_t p = 0; p + 1 < samples.starts.size(); ++p) {
    const auto t = to_size(parts.tables_of[p]);
    const Index r = parts.tables[t].size;
    for (Index s = samples.starts[p]; s < samples.starts[p + 1]; ++s) {
      const float* rest = samples.rest.data() + 3 * s;
      const float* rows = samples.shapes.data() + samples.shape_starts[p] + 3 * (s - samples.starts[p]) * r;
      std::vector<float> row(rest, rest + 3);
      append_row(rows, r, row);
      RowTable& table = geometry_.tables[t];
      const auto [found, fresh] = known.try_emplace({t, row}, u32(table.rest.size() / 3));
      if (fresh) {
        table.rest.insert(table.rest.end(), row.begin(), row.begin() + 3);
        shapes[t].insert(shapes[t].end(), row.begin() + 3, row.end());
      }
      geometry_.site_parts.push_back(u32(p));
      geometry_.site_rows.push_back(found->second);
    }
  }
  const BlendRows& rows = parts.rows;
  const Index points = point_count();
  for (std::size_t p = 0; p + 1 < rows.part_starts.size(); ++p)
    for (Index i = rows.part_starts[p]; i < rows.part_starts[p + 1]; ++i)
      geometry_.blended.push_back(u32(parts.starts[p] + Index{rows.points[to_size(i)]}));
  geometry_.blend_keep = rows.keep;
  for (const Index start : rows.starts) geometry_.blend_starts.push_back(u32(start));
  for (const std::int32_t sample : rows.samples) geometry_.blend_sites.push_back(u32(points + Index{sample}));
  geometry_.blend_weights = rows.weights;
}

Result<DrawnBody> DrawnBody::make(const BuiltScene& scene, std::size_t b, TableNumbers numbers,
                                  const std::vector<char>& cut, bool streamed, const VolumeView& volume) {
  DrawnBody drawn;
  drawn.geometry_.body = u32(b);
  drawn.geometry_.half = numbers == TableNumbers::kHalf ? 1 : 0;
  const Model& model = *scene.world->bodies()[b].model;
  const Domains* domains = model.domains();
  CarriedSurface shown;
  if (volume.on || !scene.surfaces[b]) {
    const std::shared_ptr<const VolumeMesh> torn = domains != nullptr ? domains->pieces(cut).mesh : nullptr;
    const VolumeMesh& mesh = torn ? *torn : model.mesh();
    const std::vector<BoundaryFace> faces = faces_of(mesh, volume);
    BoundarySurface boundary = boundary_surface(mesh, faces);
    shown.rest = std::move(boundary.surface);
    shown.embedding = embed_faces(mesh, faces, boundary.origin);
    if (volume.on) drawn.edges_ = edges_of(faces, boundary.origin);
  } else if (std::any_of(cut.begin(), cut.end(), [](char off) { return off != 0; })) {
    Result<CarriedSurface> pieces = domains->torn(*scene.surfaces[b], cut);
    if (!pieces) return pieces.errors();
    shown = std::move(pieces).value();
  } else {
    shown = *scene.surfaces[b];
  }
  std::optional<PartTables> parts;
  if (!streamed) parts = model.part_tables(shown, cut);
  drawn.surface_ = std::move(shown.rest);
  drawn.carriers_ = std::move(shown.embedding.points);
  if (parts)
    drawn.use_parts(*parts, domains != nullptr);
  else
    drawn.stream();
  if (parts && domains != nullptr && parts->tables_of.size() != domains->names().size())
    drawn.geometry_.point_domains = domains_of_points(drawn.carriers_, *domains, cut);
  if (b < scene.looks.size()) drawn.use_looks(scene.looks[b], domains);
  return drawn;
}

/// Numbers the look of each point: that of its domain, else that of the vertex that carries most of it.
void DrawnBody::use_looks(const BodyLooks& looks, const Domains* domains) {
  if (looks.list.size() < 2) return;
  std::vector<std::uint16_t> of_domain;
  if (domains != nullptr)
    for (const std::string& name : domains->names()) {
      const auto found = looks.of_domain.find(name);
      of_domain.push_back(found == looks.of_domain.end() ? 0 : found->second);
    }
  const std::vector<std::uint32_t>& domain_of = geometry_.point_domains;
  geometry_.point_looks.reserve(to_size(point_count()));
  for (Index i = 0; i < point_count(); ++i) {
    std::uint16_t look = 0;
    const auto begin = carriers_.weights.begin() + carriers_.starts[to_size(i)];
    const auto most = std::max_element(begin, carriers_.weights.begin() + carriers_.starts[to_size(i) + 1]);
    const auto vertex = to_size(carriers_.columns[to_size(most - carriers_.weights.begin())]);
    if (vertex < looks.of_vertex.size()) look = looks.of_vertex[vertex];
    if (const std::size_t d = domain_of.empty() ? of_domain.size() : domain_of[to_size(i)];
        d < of_domain.size() && of_domain[d] != 0)
      look = of_domain[d];
    geometry_.point_looks.push_back(look);
  }
}

std::vector<std::pair<VertexId, double>> DrawnBody::carriers(Index point) const {
  std::vector<std::pair<VertexId, double>> list;
  for (Index e = carriers_.starts[to_size(point)]; e < carriers_.starts[to_size(point) + 1]; ++e)
    list.emplace_back(carriers_.columns[to_size(e)], carriers_.weights[to_size(e)]);
  return list;
}

Vector3 DrawnBody::place(const Model& model, Index point) const {
  Vector3 x = surface_.vertices[to_size(point)];
  for (const auto& [vertex, weight] : carriers(point)) x += weight * model.displacement(vertex);
  return x;
}

BodyState DrawnBody::state(const Model& model) const {
  BodyState state;
  if (!has_parts()) {
    const VectorX& u = model.displacements();
    state.positions.reserve(geometry_.rest.size());
    for (Index i = 0; i < point_count(); ++i) {
      Vector3 x = surface_.vertices[to_size(i)];
      for (Index e = carriers_.starts[to_size(i)]; e < carriers_.starts[to_size(i) + 1]; ++e)
        x += carriers_.weights[to_size(e)] *
             u.segment<3>(3 * static_cast<Index>(carriers_.columns[to_size(e)]));
      for (Index c = 0; c < 3; ++c) state.positions.push_back(static_cast<float>(x[c]));
    }
    return state;
  }
  const VectorX q = model.coordinates();
  for (const PartPose& pose : model.parts()) {
    const double scale = std::cbrt(pose.turn.determinant());
    const Eigen::Quaterniond turn(Matrix3(pose.turn / scale));
    for (Index c = 0; c < 3; ++c) state.poses.push_back(static_cast<float>(pose.position[c]));
    for (const double c : {turn.x(), turn.y(), turn.z(), turn.w()})
      state.poses.push_back(static_cast<float>(c));
    for (Index k = 0; k < pose.size; ++k) state.coordinates.push_back(static_cast<float>(q[pose.offset + k]));
  }
  return state;
}

std::vector<float> DrawnBody::positions(const BodyState& state, bool as_sent) const {
  if (!has_parts()) return state.positions;
  std::vector<std::size_t> offsets;
  std::size_t offset = 0;
  for (const std::uint32_t table : geometry_.part_tables) {
    offsets.push_back(offset);
    offset += geometry_.tables[table].rank;
  }
  std::vector<Vector3> sites(geometry_.site_parts.size());
  for (std::size_t s = 0; s < sites.size(); ++s) {
    const std::size_t part = geometry_.site_parts[s];
    const std::size_t number = geometry_.part_tables[part];
    const RowTable& table = geometry_.tables[number];
    const auto shape = [&](std::size_t i) {
      return as_sent && geometry_.half != 0 ? from_half(table.halves[i]) : shapes_[number][i];
    };
    const std::size_t row = geometry_.site_rows[s];
    Vector3 y(table.rest[3 * row], table.rest[3 * row + 1], table.rest[3 * row + 2]);
    for (std::size_t k = 0; k < table.rank; ++k)
      for (std::size_t c = 0; c < 3; ++c)
        y[static_cast<Index>(c)] += static_cast<double>(shape(3 * (row * table.rank + k) + c)) *
                                    static_cast<double>(state.coordinates[offsets[part] + k]);
    const float* pose = state.poses.data() + 7 * part;
    const Eigen::Quaterniond turn(pose[6], pose[3], pose[4], pose[5]);
    sites[s] = Vector3(pose[0], pose[1], pose[2]) + geometry_.part_scales[part] * (turn * y);
  }
  std::vector<Vector3> points(sites.begin(), sites.begin() + point_count());
  for (std::size_t i = 0; i < geometry_.blended.size(); ++i) {
    Vector3 x = geometry_.blend_keep[i] * sites[geometry_.blended[i]];
    for (std::size_t e = geometry_.blend_starts[i]; e < geometry_.blend_starts[i + 1]; ++e)
      x += geometry_.blend_weights[e] * sites[geometry_.blend_sites[e]];
    points[geometry_.blended[i]] = x;
  }
  std::vector<float> list;
  list.reserve(3 * points.size());
  for (const Vector3& x : points)
    for (Index c = 0; c < 3; ++c) list.push_back(static_cast<float>(x[c]));
  return list;
}

}  // namespace pliant::view
