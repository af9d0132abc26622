#include "pliant/mesh/core/selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace pliant {
namespace {

using FaceKey = std::array<VertexId, 4>;

FaceKey sorted(FaceKey key) {
  std::sort(key.begin(), key.end());
  return key;
}

using Midsides = std::array<VertexId, 3>;

/// visit(corners, midside vertices, element) for every face of every element; a triangle's fourth corner is
/// −1, and so are the midside vertices of a linear face.
template <class Visit>
void for_each_face(const VolumeMesh& mesh, Visit visit) {
  for_each_element(mesh, [&](Index element, std::span<const VertexId> v) {
    const auto at = [&](int i) { return v[to_size(i)]; };
    const Midsides none{-1, -1, -1};
    if (v.size() == 4)
      for (const auto& f : kTetFaces) visit(FaceKey{at(f[0]), at(f[1]), at(f[2]), -1}, none, element);
    else if (v.size() == 8)
      for (const auto& f : kHexFaces) visit(FaceKey{at(f[0]), at(f[1]), at(f[2]), at(f[3])}, none, element);
    else
      for (const auto& f : kTet10Faces)
        visit(FaceKey{at(f[0]), at(f[1]), at(f[2]), -1}, Midsides{at(f[3]), at(f[4]), at(f[5])}, element);
  });
}

/// 1 for the vertices that halve an edge. They follow the ends of that edge: see select_vertices.
std::vector<char> midside_marks(const VolumeMesh& mesh) {
  std::vector<char> marks(mesh.vertices.size(), 0);
  for (const Tet10& tet : mesh.tet10s)
    for (std::size_t a = 4; a < 10; ++a) marks[to_size(tet[a])] = 1;
  return marks;
}

/// Marks vertices for which the condition holds with the given labels.
class VertexMarker {
 public:
  VertexMarker(const Selection& selection, const VolumeMesh& mesh)
      : selection_(selection), mesh_(mesh), marks_(mesh.vertices.size(), 0) {}

  void mark(std::span<const VertexId> vertices, Label label, Label face_label) {
    for (const VertexId v : vertices)
      if (v >= 0 && marks_[to_size(v)] == 0) mark(v, label, face_label);
  }
  void mark(VertexId v, Label label, Label face_label) {
    if (holds(v, label, face_label)) marks_[to_size(v)] = 1;
  }
  /// Marks the vertex that halves the edge (a, b) if the condition holds at both ends.
  void mark_between(VertexId middle, VertexId a, VertexId b, Label label, Label face_label) {
    if (marks_[to_size(middle)] == 0 && holds(a, label, face_label) && holds(b, label, face_label))
      marks_[to_size(middle)] = 1;
  }
  void mark_face(const FaceKey& face, const Midsides& midsides, Label label, Label face_label) {
    mark(face, label, face_label);
    for (std::size_t i = 0; i < 3 && midsides[0] >= 0; ++i)
      mark_between(midsides[i], face[i], face[(i + 1) % 3], label, face_label);
  }
  /// All midside vertices of the body's quadratic tets; `with_labels`: those of the tets.
  void mark_edges(bool with_labels) {
    for (std::size_t e = 0; e < mesh_.tet10s.size(); ++e)
      for (std::size_t i = 0; i < 6; ++i) {
        const Tet10& tet = mesh_.tet10s[e];
        const auto& [a, b] = kTet10Edges[i];
        mark_between(tet[4 + i], tet[to_size(a)], tet[to_size(b)], with_labels ? mesh_.tet10_labels[e] : 0,
                     0);
      }
  }
  [[nodiscard]] std::vector<VertexId> marked() const {
    std::vector<VertexId> result;
    for (std::size_t v = 0; v < marks_.size(); ++v)
      if (marks_[v] != 0) result.push_back(static_cast<VertexId>(v));
    return result;
  }

 private:
  [[nodiscard]] bool holds(VertexId v, Label label, Label face_label) const {
    return selection_.holds(mesh_.vertices[to_size(v)], label, face_label);
  }

  const Selection& selection_;
  const VolumeMesh& mesh_;
  std::vector<char> marks_;
};

/// Labelled faces inside the body have elements on both sides, so all elements are searched, not only the
/// boundary.
void mark_labelled_faces(const VolumeMesh& mesh, VertexMarker& marker) {
  std::vector<std::pair<FaceKey, Label>> labelled;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    labelled.emplace_back(sorted({t[0], t[1], t[2], -1}), mesh.triangle_labels[i]);
  }
  for (std::size_t i = 0; i < mesh.quads.size(); ++i)
    labelled.emplace_back(sorted(mesh.quads[i]), mesh.quad_labels[i]);
  if (labelled.empty()) return;
  std::sort(labelled.begin(), labelled.end());
  for_each_face(mesh, [&](const FaceKey& face, const Midsides& midsides, Index element) {
    const FaceKey key = sorted(face);
    auto found =
        std::lower_bound(labelled.begin(), labelled.end(), std::pair(key, std::numeric_limits<Label>::min()));
    for (; found != labelled.end() && found->first == key; ++found)
      marker.mark_face(face, midsides, mesh.element_label(element), found->second);
  });
}

}  // namespace

double Selection::unary(Op op, double a) {
  switch (op) {
    case Op::kNegate:
      return -a;
    case Op::kNot:
      return a == 0.0 ? 1.0 : 0.0;
    case Op::kAbs:
      return std::abs(a);
    case Op::kSqrt:
      return std::sqrt(a);
    case Op::kSin:
      return std::sin(a);
    default:
      return std::cos(a);
  }
}

double Selection::binary(Op op, double a, double b) {
  const auto truth = [](bool value) { return value ? 1.0 : 0.0; };
  switch (op) {
    case Op::kAdd:
      return a + b;
    case Op::kSubtract:
      return a - b;
    case Op::kMultiply:
      return a * b;
    case Op::kDivide:
      return a / b;
    case Op::kMin:
      return std::min(a, b);
    case Op::kMax:
      return std::max(a, b);
    case Op::kHypot:
      return std::hypot(a, b);
    case Op::kLess:
      return truth(a < b);
    case Op::kLessEqual:
      return truth(a <= b);
    case Op::kGreater:
      return truth(a > b);
    case Op::kGreaterEqual:
      return truth(a >= b);
    case Op::kEqual:
      return truth(a == b);
    case Op::kNotEqual:
      return truth(a != b);
    case Op::kAnd:
      return truth(a != 0.0 && b != 0.0);
    default:
      return truth(a != 0.0 || b != 0.0);
  }
}

/// Evaluates the postfix steps on a stack.
bool Selection::holds(const Vector3& x, Label label, Label face_label) const {
  std::array<double, kStack> stack;
  std::size_t top = 0;
  for (const Step& step : steps_) {
    switch (step.op) {
      case Op::kNumber:
        stack[top++] = step.number;
        break;
      case Op::kX:
        stack[top++] = x.x();
        break;
      case Op::kY:
        stack[top++] = x.y();
        break;
      case Op::kZ:
        stack[top++] = x.z();
        break;
      case Op::kLabel:
        stack[top++] = label;
        break;
      case Op::kFaceLabel:
        stack[top++] = face_label;
        break;
      default:
        // The operations are ordered by number of operands: unary ones up to kCos, then binary ones.
        if (step.op <= Op::kCos) {
          stack[top - 1] = unary(step.op, stack[top - 1]);
        } else {
          --top;
          stack[top - 1] = binary(step.op, stack[top - 1], stack[top]);
        }
    }
  }
  PLIANT_ASSERT(top == 1);
  return stack[0] != 0.0;
}

/// One of three tests: by faces, by elements, or by position alone, depending on the labels that the
/// condition uses.
std::vector<VertexId> select_vertices(const Selection& selection, const VolumeMesh& mesh) {
  VertexMarker marker(selection, mesh);
  if (selection.uses_face_label()) {
    for (const BoundaryFace& face : boundary_faces(mesh))
      marker.mark_face(face.vertices, face.midsides, mesh.element_label(face.element), face.label);
    mark_labelled_faces(mesh, marker);
  } else if (selection.uses_label()) {
    for (Index element = 0; element < mesh.element_count(); ++element)
      marker.mark(mesh.element_corners(element), mesh.element_label(element), 0);
    marker.mark_edges(true);
  } else {
    const std::vector<char> midside = midside_marks(mesh);
    for (VertexId v = 0; v < mesh.vertex_count(); ++v)
      if (midside[to_size(v)] == 0) marker.mark(v, 0, 0);
    marker.mark_edges(false);
  }
  return marker.marked();
}

std::vector<Index> select_elements(const Selection& selection, const VolumeMesh& mesh) {
  std::vector<Index> result;
  for (Index element = 0; element < mesh.element_count(); ++element) {
    const std::span<const VertexId> vertices = mesh.element_corners(element);
    Vector3 centroid = Vector3::Zero();
    for (const VertexId v : vertices) centroid += mesh.vertices[to_size(v)];
    centroid /= static_cast<double>(vertices.size());
    if (selection.holds(centroid, mesh.element_label(element), 0)) result.push_back(element);
  }
  return result;
}

std::vector<Index> select_faces(const Selection& selection, const VolumeMesh& mesh,
                                const std::vector<BoundaryFace>& faces) {
  std::vector<Index> result;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const BoundaryFace& face = faces[i];
    const Label label = mesh.element_label(face.element);
    const auto end = face.vertices.begin() + face.size();
    if (std::all_of(face.vertices.begin(), end, [&](VertexId v) {
          return selection.holds(mesh.vertices[to_size(v)], label, face.label);
        }))
      result.push_back(static_cast<Index>(i));
  }
  return result;
}

}  // namespace pliant
