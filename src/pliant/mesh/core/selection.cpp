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

/// visit(element, its vertices) for all elements.
template <class Visit>
void for_each_element(const VolumeMesh& mesh, Visit visit) {
  Index element = 0;
  for (const Tet& tet : mesh.tets) visit(element++, std::span<const VertexId>(tet));
  for (const Hex& hex : mesh.hexes) visit(element++, std::span<const VertexId>(hex));
}

/// visit(vertices, element) for every face of every element; a triangle's fourth vertex is −1.
template <class Visit>
void for_each_face(const VolumeMesh& mesh, Visit visit) {
  for_each_element(mesh, [&](Index element, std::span<const VertexId> v) {
    const auto at = [&](int i) { return v[to_size(i)]; };
    if (v.size() == 4)
      for (const auto& f : kTetFaces) visit(FaceKey{at(f[0]), at(f[1]), at(f[2]), -1}, element);
    else
      for (const auto& f : kHexFaces) visit(FaceKey{at(f[0]), at(f[1]), at(f[2]), at(f[3])}, element);
  });
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
    const auto i = to_size(v);
    if (selection_.holds(mesh_.vertices[i], label, face_label)) marks_[i] = 1;
  }
  [[nodiscard]] std::vector<VertexId> marked() const {
    std::vector<VertexId> result;
    for (std::size_t v = 0; v < marks_.size(); ++v)
      if (marks_[v] != 0) result.push_back(static_cast<VertexId>(v));
    return result;
  }

 private:
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
  for_each_face(mesh, [&](const FaceKey& face, Index element) {
    const FaceKey key = sorted(face);
    auto found =
        std::lower_bound(labelled.begin(), labelled.end(), std::pair(key, std::numeric_limits<Label>::min()));
    for (; found != labelled.end() && found->first == key; ++found)
      marker.mark(face, mesh.element_label(element), found->second);
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
      marker.mark(face.vertices, mesh.element_label(face.element), face.label);
    mark_labelled_faces(mesh, marker);
  } else if (selection.uses_label()) {
    for_each_element(mesh, [&](Index element, std::span<const VertexId> vertices) {
      marker.mark(vertices, mesh.element_label(element), 0);
    });
  } else {
    for (VertexId v = 0; v < mesh.vertex_count(); ++v) marker.mark(v, 0, 0);
  }
  return marker.marked();
}

std::vector<Index> select_elements(const Selection& selection, const VolumeMesh& mesh) {
  std::vector<Index> result;
  for_each_element(mesh, [&](Index element, std::span<const VertexId> vertices) {
    Vector3 centroid = Vector3::Zero();
    for (const VertexId v : vertices) centroid += mesh.vertices[to_size(v)];
    centroid /= static_cast<double>(vertices.size());
    if (selection.holds(centroid, mesh.element_label(element), 0)) result.push_back(element);
  });
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
