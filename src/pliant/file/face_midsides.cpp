#include "pliant/file/face_midsides.hpp"

#include <algorithm>
#include <tuple>

namespace pliant {
namespace {

struct Face {
  Triangle key;  // corners in ascending order
  QuadraticTriangle vertices;
};

Triangle sorted(Triangle corners) {
  std::sort(corners.begin(), corners.end());
  return corners;
}

std::vector<Face> faces_of_tet10s(const VolumeMesh& mesh) {
  std::vector<Face> faces;
  faces.reserve(4 * mesh.tet10s.size());
  for (const Tet10& tet : mesh.tet10s)
    for (const auto& local : kTet10Faces) {
      Face face;
      for (std::size_t k = 0; k < 6; ++k) face.vertices[k] = tet[to_size(local[k])];
      face.key = sorted({face.vertices[0], face.vertices[1], face.vertices[2]});
      faces.push_back(face);
    }
  // Also by all vertices, so that the choice does not depend on the sort if two tets disagree.
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return std::tie(a.key, a.vertices) < std::tie(b.key, b.vertices);
  });
  return faces;
}

/// The vertex of the face between two of its corners.
VertexId between(const Face& face, VertexId a, VertexId b) {
  for (std::size_t k = 0; k < 3; ++k) {
    const VertexId p = face.vertices[k];
    const VertexId q = face.vertices[(k + 1) % 3];
    if ((p == a && q == b) || (p == b && q == a)) return face.vertices[3 + k];
  }
  return -1;
}

}  // namespace

std::vector<QuadraticTriangle> with_midsides(const VolumeMesh& mesh) {
  std::vector<QuadraticTriangle> out;
  out.reserve(mesh.triangles.size());
  // Only labelled triangles need them.
  const std::vector<Face> faces = mesh.triangles.empty() ? std::vector<Face>() : faces_of_tet10s(mesh);
  for (const auto& [a, b, c] : mesh.triangles) {
    QuadraticTriangle triangle{a, b, c, -1, -1, -1};
    const Triangle key = sorted({a, b, c});
    const auto found = std::lower_bound(faces.begin(), faces.end(), key,
                                        [](const Face& face, const Triangle& k) { return face.key < k; });
    if (found != faces.end() && found->key == key)
      triangle = {a, b, c, between(*found, a, b), between(*found, b, c), between(*found, c, a)};
    out.push_back(triangle);
  }
  return out;
}

}  // namespace pliant
