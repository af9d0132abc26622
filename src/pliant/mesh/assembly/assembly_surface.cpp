#include "pliant/mesh/assembly/assembly.hpp"
#include "pliant/mesh/core/boundary.hpp"

namespace pliant {
namespace {

/// The surface of a class, embedded in its mesh once for all of its instances.
struct Skin {
  SurfaceMesh surface;
  Embedding embedding;
};

/// Appends the surface of one instance; its embedding refers to the vertices and elements of the whole mesh.
void append_domain(const Skin& skin, const AssembledDomain& domain, const Placement& placement,
                   AssembledSurface& whole) {
  const auto first = static_cast<VertexId>(whole.surface.vertices.size());
  for (const Vector3& X : skin.surface.vertices) whole.surface.vertices.push_back(placement.place(X));
  for (const Triangle& t : skin.surface.triangles)
    whole.surface.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  whole.starts.push_back(std::ssize(whole.surface.vertices));
  Embedding& embedding = whole.embedding;
  const auto shift = std::ssize(embedding.points.columns);
  for (const Index e : skin.embedding.elements) embedding.elements.push_back(domain.elements[to_size(e)]);
  for (const double d : skin.embedding.distances) embedding.distances.push_back(placement.scale * d);
  const WeightRows& rows = skin.embedding.points;
  for (std::size_t i = 1; i < rows.starts.size(); ++i)
    embedding.points.starts.push_back(rows.starts[i] + shift);
  for (const VertexId v : rows.columns) embedding.points.columns.push_back(domain.vertices[to_size(v)]);
  embedding.points.weights.insert(embedding.points.weights.end(), rows.weights.begin(), rows.weights.end());
}

}  // namespace

Result<AssembledSurface> assembled_surface(const Assembly& assembly, const AssembledBody& body,
                                           Progress& progress) {
  std::vector<Skin> skins;
  skins.reserve(assembly.classes.size());
  for (const AssemblyClass& part : assembly.classes) {
    Skin skin;
    skin.surface = part.surface.triangles.empty() ? boundary_surface(part.mesh).surface : part.surface;
    Result<Embedding> embedding = embed(part.mesh, skin.surface.vertices, progress);
    if (!embedding) return embedding.errors();
    skin.embedding = std::move(embedding).value();
    skins.push_back(std::move(skin));
  }
  AssembledSurface whole;
  whole.starts.push_back(0);
  for (const AssembledDomain& domain : body.domains)
    append_domain(skins[to_size(domain.class_index)], domain,
                  assembly.instances[to_size(domain.instance)].placement, whole);
  whole.embedding.vertices = transposed(whole.embedding.points, body.mesh.vertex_count());
  return whole;
}

}  // namespace pliant
