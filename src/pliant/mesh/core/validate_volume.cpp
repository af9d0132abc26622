#include "pliant/mesh/core/validate_volume.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/core/tet10.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace pliant {
namespace {

/// Counts the parts with some problem and remembers the first one.
struct Tally {
  MeshPart part = MeshPart::kMesh;
  Index first = -1;
  Index count = 0;

  void add(MeshPart where, Index i) {
    if (count++ > 0) return;
    part = where;
    first = i;
  }
  /// " (and 3 more)"
  [[nodiscard]] std::string more() const {
    return count > 1 ? " (and " + text(count - 1) + " more)" : std::string();
  }
};

Diagnostic report(const Tally& tally, const LocatePart& locate, ErrorCode code, const std::string& what,
                  std::string remedy) {
  return {code, locate(tally.part, tally.first), what + tally.more(), std::move(remedy)};
}

Diagnostic mesh_error(const LocatePart& locate, ErrorCode code, std::string what, std::string remedy) {
  return {code, locate(MeshPart::kMesh, 0), std::move(what), std::move(remedy)};
}

Status check_counts(const VolumeMesh& mesh, const LocatePart& locate) {
  if (mesh.vertices.empty())
    return mesh_error(locate, ErrorCode::kMissing, "holds no vertices", "export the mesh again");
  if (mesh.element_count() == 0) {
    const auto faces = static_cast<Index>(mesh.triangles.size() + mesh.quads.size());
    const std::string only = faces > 0 ? " (only " + text(faces) + " surface faces)" : std::string();
    return mesh_error(
        locate, ErrorCode::kMissing, "holds no tetrahedra or hexahedra" + only,
        faces > 0 ? "fill the surface first, e.g. with `pliant mesh`" : "export volume elements");
  }
  if (mesh.tet_labels.size() != mesh.tets.size() || mesh.hex_labels.size() != mesh.hexes.size() ||
      mesh.tet10_labels.size() != mesh.tet10s.size() ||
      mesh.triangle_labels.size() != mesh.triangles.size() || mesh.quad_labels.size() != mesh.quads.size())
    return mesh_error(locate, ErrorCode::kInconsistent, "the number of labels differs from that of elements",
                      "give one label per element and face");
  return Done{};
}

Status check_coordinates(const VolumeMesh& mesh, const LocatePart& locate) {
  Tally bad;
  Tally huge;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const double largest = mesh.vertices[v].cwiseAbs().maxCoeff();
    if (!mesh.vertices[v].allFinite())
      bad.add(MeshPart::kVertex, static_cast<Index>(v));
    else if (largest > kLargestCoordinate)
      huge.add(MeshPart::kVertex, static_cast<Index>(v));
  }
  if (bad.count > 0)
    return report(bad, locate, ErrorCode::kNonFinite, "a coordinate is not a finite number",
                  "repair or remove the vertex");
  if (huge.count > 0)
    return report(huge, locate, ErrorCode::kOutOfRange, "a coordinate is larger than 1e100 m",
                  "scale the mesh; coordinates are metres");
  return Done{};
}

template <std::size_t N>
void check_indices(const std::vector<std::array<VertexId, N>>& parts, Index vertex_count, MeshPart part,
                   Tally& outside, Tally& repeated) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::array<VertexId, N> sorted = parts[i];
    std::sort(sorted.begin(), sorted.end());
    if (sorted.front() < 0 || sorted.back() >= vertex_count)
      outside.add(part, static_cast<Index>(i));
    else if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      repeated.add(part, static_cast<Index>(i));
  }
}

Status check_connectivity(const VolumeMesh& mesh, const LocatePart& locate, Diagnostics& notes) {
  Tally outside;
  Tally repeated;
  Tally repeated_face;
  const Index n = mesh.vertex_count();
  check_indices(mesh.tets, n, MeshPart::kTet, outside, repeated);
  check_indices(mesh.hexes, n, MeshPart::kHex, outside, repeated);
  check_indices(mesh.tet10s, n, MeshPart::kTet10, outside, repeated);
  check_indices(mesh.triangles, n, MeshPart::kTriangle, outside, repeated_face);
  check_indices(mesh.quads, n, MeshPart::kQuad, outside, repeated_face);
  if (outside.count > 0)
    return report(outside, locate, ErrorCode::kOutOfRange,
                  "refers to a vertex outside the " + text(n) + " that there are", "repair the connectivity");
  if (repeated.count > 0)
    return report(repeated, locate, ErrorCode::kDegenerate, "uses a vertex twice",
                  "remove the element or split it into proper ones");
  if (repeated_face.count > 0)
    notes.push_back(report(repeated_face, locate, ErrorCode::kDegenerate,
                           "the labelled face uses a vertex twice and matches no element's face", {}));
  return Done{};
}

/// det J is positive at the Gauss points of the mass and stiffness integrals; y has unit size.
bool integrable(const std::array<Vector3, 8>& y) {
  const double g = std::sqrt(0.6);
  for (const double a : {-g, 0.0, g})
    for (const double b : {-g, 0.0, g})
      for (const double c : {-g, 0.0, g})
        if (!(hex_jacobian(y, Vector3(a, b, c)).determinant() > kFlatQuality)) return false;
  return true;
}

/// Flat, or so small that its volume underflows.
bool without_volume(double relative, double volume) {
  return !(std::abs(relative) > kFlatQuality && std::abs(volume) >= std::numeric_limits<double>::min());
}

Status check_tets(VolumeMesh& mesh, const LocatePart& locate, Index& reoriented) {
  Tally degenerate;
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    Tet& tet = mesh.tets[e];
    const auto x = corners(mesh, tet);
    const double quality = tet_quality(x);
    if (without_volume(quality, tet_volume(x))) {
      degenerate.add(MeshPart::kTet, static_cast<Index>(e));
    } else if (quality < 0.0) {
      std::swap(tet[2], tet[3]);
      ++reoriented;
    }
  }
  if (degenerate.count > 0)
    return report(degenerate, locate, ErrorCode::kDegenerate, "the tetrahedron has no volume",
                  "remove flat elements or mesh again");
  return Done{};
}

Status check_hexes(VolumeMesh& mesh, const LocatePart& locate, Index& reoriented, Diagnostics& notes) {
  Tally degenerate;
  Tally folded;
  Tally corner;
  for (std::size_t e = 0; e < mesh.hexes.size(); ++e) {
    Hex& hex = mesh.hexes[e];
    const auto x = corners(mesh, hex);
    auto y = unit_size(x);
    const double volume = hex_volume(y);
    const auto i = static_cast<Index>(e);
    if (without_volume(volume, hex_volume(x))) {
      degenerate.add(MeshPart::kHex, i);
      continue;
    }
    if (volume < 0.0) {
      // Exchanging the upper and the lower face mirrors the numbering.
      hex = {hex[4], hex[5], hex[6], hex[7], hex[0], hex[1], hex[2], hex[3]};
      y = unit_size(corners(mesh, hex));
      ++reoriented;
    }
    if (!integrable(y))
      folded.add(MeshPart::kHex, i);
    else if (!(hex_quality(y) > 0.0))
      corner.add(MeshPart::kHex, i);
  }
  if (degenerate.count > 0)
    return report(degenerate, locate, ErrorCode::kDegenerate, "the hexahedron has no volume",
                  "remove flat elements or mesh again");
  if (folded.count > 0)
    return report(folded, locate, ErrorCode::kDegenerate,
                  "the hexahedron is folded: its Jacobian is not positive",
                  "check the order of its vertices, or mesh again");
  if (corner.count > 0)
    notes.push_back(report(corner, locate, ErrorCode::kDegenerate,
                           "the hexahedron is folded at a corner, though not where it is integrated",
                           "results near it are inexact: mesh again"));
  return Done{};
}

/// Elements must agree on the midside vertex of an edge, or the mesh has a crack there.
Status check_edges(const VolumeMesh& mesh, const LocatePart& locate, Diagnostics& notes) {
  std::map<std::pair<VertexId, VertexId>, VertexId> middles;
  Tally two;
  for (std::size_t e = 0; e < mesh.tet10s.size(); ++e)
    for (std::size_t i = 0; i < 6; ++i) {
      const Tet10& tet = mesh.tet10s[e];
      const std::pair<VertexId, VertexId> edge =
          std::minmax(tet[to_size(kTet10Edges[i][0])], tet[to_size(kTet10Edges[i][1])]);
      if (middles.emplace(edge, tet[4 + i]).first->second != tet[4 + i])
        two.add(MeshPart::kTet10, static_cast<Index>(e));
    }
  if (two.count > 0)
    return report(two, locate, ErrorCode::kInconsistent,
                  "an edge has another midside vertex than in a neighbouring element",
                  "let elements share the vertices of their common edges");
  Tally joint;
  if (!middles.empty())
    for_each_element(mesh, [&](Index element, std::span<const VertexId> vertices) {
      if (element >= mesh.first_tet10()) return;
      bool shares = false;
      for (const VertexId a : vertices)
        for (const VertexId b : vertices) shares = shares || (a < b && middles.count({a, b}) > 0);
      const bool tet = element < mesh.first_hex();
      if (shares)
        joint.add(tet ? MeshPart::kTet : MeshPart::kHex, tet ? element : element - mesh.first_hex());
    });
  if (joint.count > 0)
    notes.push_back(report(joint, locate, ErrorCode::kInconsistent,
                           "the linear element shares an edge with a quadratic one",
                           "their common faces can gape or overlap when they bend: use one kind there"));
  return Done{};
}

Status check_tet10s(VolumeMesh& mesh, const LocatePart& locate, Index& reoriented) {
  Tally degenerate;
  Tally folded;
  for (std::size_t e = 0; e < mesh.tet10s.size(); ++e) {
    Tet10& tet = mesh.tet10s[e];
    auto x = corners(mesh, tet);
    const double quality = tet_quality({x[0], x[1], x[2], x[3]});
    if (without_volume(quality, tet10_volume(x))) {
      degenerate.add(MeshPart::kTet10, static_cast<Index>(e));
      continue;
    }
    if (quality < 0.0) {
      // Exchanging corners 2 and 3 exchanges the edges 12 and 13, 20 and 03.
      std::swap(tet[2], tet[3]);
      std::swap(tet[5], tet[8]);
      std::swap(tet[6], tet[7]);
      x = corners(mesh, tet);
      ++reoriented;
    }
    if (!(tet10_quality(x) > kFlatQuality)) folded.add(MeshPart::kTet10, static_cast<Index>(e));
  }
  if (degenerate.count > 0)
    return report(degenerate, locate, ErrorCode::kDegenerate, "the quadratic tetrahedron has no volume",
                  "remove flat elements or mesh again");
  if (folded.count > 0)
    return report(
        folded, locate, ErrorCode::kDegenerate,
        "the quadratic tetrahedron is folded: its Jacobian is not positive everywhere",
        "check the order of its vertices, or straighten its edges (`pliant convert --order 1`, then "
        "`--order 2`)");
  return Done{};
}

void add_counts(const VolumeMesh& mesh, const LocatePart& locate, Validation& result) {
  const auto note = [&](ErrorCode code, std::string what, std::string remedy) {
    result.notes.push_back(mesh_error(locate, code, std::move(what), std::move(remedy)));
  };
  if (result.reoriented > 0)
    note(ErrorCode::kInconsistent, text(result.reoriented) + " inverted elements were reoriented", {});
  if (const Index count = count_duplicate_vertices(mesh); count > 0)
    note(ErrorCode::kInconsistent, text(count) + " vertices stand exactly where another one does",
         "parts that touch there are not connected");
  if (const Index count = count_unused_vertices(mesh); count > 0)
    note(ErrorCode::kInconsistent, text(count) + " vertices belong to no element",
         "they are kept, so that vertex numbers stay those of the file");
  if (const Index count = count_components(mesh); count > 1)
    note(ErrorCode::kInconsistent, "the mesh has " + text(count) + " components that share no vertex",
         "each moves on its own");
}

}  // namespace

LocatePart default_location(const VolumeMesh& mesh) {
  return [first_hex = mesh.first_hex(), first_tet10 = mesh.first_tet10()](MeshPart part, Index i) {
    switch (part) {
      case MeshPart::kVertex:
        return Location{{}, 0, 0, "vertex " + text(i)};
      case MeshPart::kTet:
        return Location{{}, 0, 0, "element " + text(i)};
      case MeshPart::kHex:
        return Location{{}, 0, 0, "element " + text(first_hex + i)};
      case MeshPart::kTet10:
        return Location{{}, 0, 0, "element " + text(first_tet10 + i)};
      case MeshPart::kTriangle:
        return Location{{}, 0, 0, "triangle " + text(i)};
      case MeshPart::kQuad:
        return Location{{}, 0, 0, "quad " + text(i)};
      case MeshPart::kMesh:
        break;
    }
    return Location{};
  };
}

/// Later checks rely on earlier ones: coordinates and vertex numbers are checked before volumes are computed.
Result<Validation> validate_volume(VolumeMesh& mesh, const LocatePart& locate) {
  Validation result;
  if (Status status = check_counts(mesh, locate); !status) return status.errors();
  if (Status status = check_coordinates(mesh, locate); !status) return status.errors();
  if (Status status = check_connectivity(mesh, locate, result.notes); !status) return status.errors();
  if (Status status = check_tets(mesh, locate, result.reoriented); !status) return status.errors();
  if (Status status = check_hexes(mesh, locate, result.reoriented, result.notes); !status)
    return status.errors();
  if (Status status = check_tet10s(mesh, locate, result.reoriented); !status) return status.errors();
  if (Status status = check_edges(mesh, locate, result.notes); !status) return status.errors();
  add_counts(mesh, locate, result);
  return result;
}

}  // namespace pliant
