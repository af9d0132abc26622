// mesh/core/selection.hpp — which part of a body is meant: conditions on position and labels.
//
//   x < 1e-6        z > 0.9 && label == 2        hypot(x, y) <= 0.1 || !(face_label != 3)        true
//
// Numbers: x y z (rest position, m), label, face_label, pi, decimal literals; + - * / and unary -,
// parentheses; abs sqrt sin cos (radians), hypot of two or three, min and max of two or more. Conditions: <
// <= > >= == != between numbers, && || ! between conditions, true and false. Precedence as in C. Numbers and
// conditions do not mix. An expression is checked and compiled once; evaluating it does not allocate and
// cannot fail (a comparison with the root of a negative number is false).
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/boundary.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// A compiled condition; copyable, const, safe to use from any thread.
class Selection {
 public:
  /// Whether the condition holds at rest position `x` with these labels.
  [[nodiscard]] bool holds(const Vector3& x, Label label, Label face_label) const;

  [[nodiscard]] bool uses_label() const { return uses_label_; }
  [[nodiscard]] bool uses_face_label() const { return uses_face_label_; }
  /// The expression as it was written.
  [[nodiscard]] const std::string& source() const { return source_; }

 private:
  friend class SelectionParser;
  enum class Op : unsigned char {
    kNumber,
    kX,
    kY,
    kZ,
    kLabel,
    kFaceLabel,
    kNegate,
    kNot,
    kAbs,
    kSqrt,
    kSin,
    kCos,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kMin,
    kMax,
    kHypot,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kEqual,
    kNotEqual,
    kAnd,
    kOr,
  };
  struct Step {
    Op op;
    double number;  // kNumber only
  };
  static constexpr std::size_t kStack = 512;  // deeper than any expression that the parser accepts can need
  [[nodiscard]] static double unary(Op op, double a);
  [[nodiscard]] static double binary(Op op, double a, double b);

  std::vector<Step> steps_;  // postfix; conditions are 1 or 0
  std::string source_;
  bool uses_label_ = false;
  bool uses_face_label_ = false;
};

/// Checks and compiles an expression. Errors carry the column of the offending word; the caller adds file,
/// line and key.
Result<Selection> parse_selection(std::string_view expression);

/// Vertices for which the condition holds, ascending. A vertex is tested with the label of each of its
/// elements. If the condition uses `face_label`, the vertex is tested with the pairs (label of the element,
/// label of the face) of the boundary faces and of the file's labelled faces on which it lies; vertices
/// without such faces are not selected. It is enough if the condition holds once. The midside vertex of a
/// quadratic tet is selected if both ends of its edge are (with the same element or face); its own place is
/// not asked, so a curved edge is held whole or not at all.
[[nodiscard]] std::vector<VertexId> select_vertices(const Selection& selection, const VolumeMesh& mesh);

/// Elements for which the condition holds at the centroid with the element's own label, ascending.
/// `face_label` is 0 for elements.
[[nodiscard]] std::vector<Index> select_elements(const Selection& selection, const VolumeMesh& mesh);

/// Indices into `faces` for which the condition holds at every corner of the face, with the label of the face
/// and that of its element; ascending.
[[nodiscard]] std::vector<Index> select_faces(const Selection& selection, const VolumeMesh& mesh,
                                              const std::vector<BoundaryFace>& faces);

}  // namespace pliant
