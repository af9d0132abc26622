// Selections: laws of the language against direct evaluation, errors by code and column, meshes.
#include "pliant/mesh/core/selection.hpp"

#include "pliant/base/rng.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

/// An expression as text, with its value worked out beside it by ordinary C++.
struct Sample {
  std::string source;
  double number = 0.0;
  bool truth = false;
};

struct Place {
  Vector3 x;
  Label label;
  Label face_label;
};

/// Writes every operation in parentheses, so that strength does not matter here.
class Generator {
 public:
  Generator(Rng& rng, Place place) : rng_(rng), place_(std::move(place)) {}

  Sample number(int depth) {
    if (depth == 0) return atom();
    const Sample a = number(depth - 1);
    const Sample b = number(depth - 1);
    const auto both = [&](const char* op, double value) {
      return Sample{"(" + a.source + " " + op + " " + b.source + ")", value, false};
    };
    const auto call = [&](const std::string& name, double value) {
      return Sample{name + "(" + a.source + ", " + b.source + ")", value, false};
    };
    switch (rng_.below(11)) {
      case 0:
        return both("+", a.number + b.number);
      case 1:
        return both("-", a.number - b.number);
      case 2:
        return both("*", a.number * b.number);
      case 3:
        return both("/", a.number / b.number);
      case 4:
        return {"-" + a.source, -a.number, false};
      case 5:
        return call("min", std::min(a.number, b.number));
      case 6:
        return call("max", std::max(a.number, b.number));
      case 7:
        return call("hypot", std::hypot(a.number, b.number));
      case 8:
        return {"sqrt(abs(" + a.source + "))", std::sqrt(std::abs(a.number)), false};
      case 9:
        return {"sin(" + a.source + ")", std::sin(a.number), false};
      default:
        return {"cos(" + a.source + ")", std::cos(a.number), false};
    }
  }

  Sample truth(int depth) {
    if (depth == 0) return comparison();
    const Sample a = truth(depth - 1);
    const Sample b = truth(depth - 1);
    switch (rng_.below(4)) {
      case 0:
        return {"(" + a.source + " && " + b.source + ")", 0.0, a.truth && b.truth};
      case 1:
        return {"(" + a.source + "||" + b.source + ")", 0.0, a.truth || b.truth};
      case 2:
        return {"!" + a.source, 0.0, !a.truth};
      default:
        return comparison();
    }
  }

 private:
  Sample atom() {
    switch (rng_.below(7)) {
      case 0:
        return {"x", place_.x.x(), false};
      case 1:
        return {"y", place_.x.y(), false};
      case 2:
        return {"z", place_.x.z(), false};
      case 3:
        return {"label", static_cast<double>(place_.label), false};
      case 4:
        return {"face_label", static_cast<double>(place_.face_label), false};
      case 5:
        return {"pi", std::numbers::pi, false};
      default:
        return rng_.below(2) == 0 ? Sample{"2.5e-1", 0.25, false} : Sample{"3", 3.0, false};
    }
  }

  Sample comparison() {
    const Sample a = number(2);
    const Sample b = number(1);
    const auto both = [&](const char* op, bool value) {
      return Sample{"(" + a.source + op + b.source + ")", 0.0, value};
    };
    switch (rng_.below(6)) {
      case 0:
        return both("<", a.number < b.number);
      case 1:
        return both("<=", a.number <= b.number);
      case 2:
        return both(">", a.number > b.number);
      case 3:
        return both(">=", a.number >= b.number);
      case 4:
        return both("==", a.number == b.number);
      default:
        return both("!=", a.number != b.number);
    }
  }

  Rng& rng_;
  Place place_;
};

TEST(Selection, AgreesWithDirectEvaluationOfRandomExpressions) {
  Rng rng(11);
  Index truths = 0;
  constexpr Index kSamples = 5000;
  for (Index i = 0; i < kSamples; ++i) {
    const Place place{test::random_vector(3, rng), static_cast<Label>(rng.below(4)),
                      static_cast<Label>(rng.below(4))};
    const Sample sample = Generator(rng, place).truth(3);
    const Result<Selection> selection = parse_selection(sample.source);
    ASSERT_TRUE(selection.ok()) << sample.source << ": " << to_string(selection.error());
    EXPECT_EQ(selection.value().holds(place.x, place.label, place.face_label), sample.truth) << sample.source;
    EXPECT_EQ(selection.value().uses_face_label(), sample.source.find("face_label") != std::string::npos);
    truths += sample.truth ? 1 : 0;
  }
  EXPECT_GT(truths, kSamples / 5);  // both answers occur
  EXPECT_LT(truths, kSamples * 4 / 5);
}

bool holds(std::string_view source, const Vector3& x = Vector3(1, 2, 3), Label label = 2, Label face = 5) {
  const Result<Selection> selection = parse_selection(source);
  EXPECT_TRUE(selection.ok()) << source << ": " << (selection ? "" : to_string(selection.error()));
  return selection.ok() && selection.value().holds(x, label, face);
}

TEST(Selection, OperatorsHaveTheStrengthOfC) {
  EXPECT_TRUE(holds("true"));
  EXPECT_FALSE(holds("false"));
  EXPECT_TRUE(holds("1 + 2 * 3 == 7"));
  EXPECT_TRUE(holds("(1 + 2) * 3 == 9"));
  EXPECT_TRUE(holds("8 - 4 - 2 == 2"));
  EXPECT_TRUE(holds("8 / 4 / 2 == 1"));
  EXPECT_TRUE(holds("-x + 3 == 2"));
  EXPECT_TRUE(holds("2 * -x == -2"));
  EXPECT_TRUE(holds("- -x == +1"));
  EXPECT_TRUE(holds("true || false && false"));
  EXPECT_FALSE(holds("(true || false) && false"));
  EXPECT_FALSE(holds("!(x < 2) || false"));
  EXPECT_TRUE(holds("!!true"));
  EXPECT_TRUE(holds("x < 1 + 1e-6 && label == 2 && face_label != 4"));
  EXPECT_TRUE(holds(".5 < x&&1.<y"));
  EXPECT_TRUE(holds("min(z, y, x) == 1 && max(1, 2, 4, 3) == 4 && hypot(2, 3, 6) == 7"));
  EXPECT_TRUE(holds("abs(cos(pi) + 1) < 1e-15"));
  EXPECT_FALSE(holds("sqrt(-1) < 2"));  // not a number: every comparison but != is false
}

struct BadCase {
  const char* source;
  ErrorCode code;
  Index column;
};

TEST(Selection, ErrorsCarryTheColumnOfTheOffendingWord) {
  const std::string deep = std::string(100, '(') + "x" + std::string(100, ')') + " < 1";
  const std::string signs = std::string(5000, '!') + "true";
  const std::string calls = [] {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "abs(";
    return text;
  }();
  const std::string long_one = "x < 1" + std::string(20000, ' ');
  const std::vector<BadCase> cases{
      {"", ErrorCode::kSyntax, 1},
      {"   ", ErrorCode::kSyntax, 1},
      {"x", ErrorCode::kWrongType, 1},
      {"x + 1", ErrorCode::kWrongType, 1},
      {"x < 1 && y", ErrorCode::kWrongType, 10},
      {"y || x < 1", ErrorCode::kWrongType, 1},
      {"!x < 1", ErrorCode::kWrongType, 2},
      {"x + (y < 1) > 0", ErrorCode::kWrongType, 5},
      {"abs(x < 1) == 0", ErrorCode::kWrongType, 5},
      {"-true", ErrorCode::kWrongType, 2},
      {"true == true", ErrorCode::kWrongType, 1},
      {"0 < x < 1", ErrorCode::kSyntax, 7},
      {"x = 1", ErrorCode::kSyntax, 3},
      {"x < 1 & y < 1", ErrorCode::kSyntax, 7},
      {"x < 1 and y < 1", ErrorCode::kSyntax, 7},
      {"x <", ErrorCode::kSyntax, 4},
      {"(x < 1", ErrorCode::kSyntax, 7},
      {"x < 1)", ErrorCode::kSyntax, 6},
      {"x < 1 y", ErrorCode::kSyntax, 7},
      {"x < .", ErrorCode::kSyntax, 5},
      {"x < 1\x01", ErrorCode::kSyntax, 6},
      {"x < 1e999", ErrorCode::kOutOfRange, 5},
      {"lable == 1", ErrorCode::kUnknownKey, 1},
      {"x < 1 && w > 2", ErrorCode::kUnknownKey, 10},
      {"abs x < 1", ErrorCode::kSyntax, 5},
      {"min(x) < 1", ErrorCode::kSyntax, 1},
      {"abs(x, y) < 1", ErrorCode::kSyntax, 1},
      {"hypot(x, y, z, 1) < 1", ErrorCode::kSyntax, 1},
      {"abs() < 1", ErrorCode::kSyntax, 5},
      {deep.c_str(), ErrorCode::kLimit, 65},
      {signs.c_str(), ErrorCode::kLimit, 65},
      {calls.c_str(), ErrorCode::kLimit, 257},
      {long_one.c_str(), ErrorCode::kLimit, 10001},
  };
  for (const BadCase& bad : cases) {
    const Result<Selection> selection = parse_selection(bad.source);
    ASSERT_FALSE(selection.ok()) << bad.source;
    EXPECT_EQ(selection.error().code, bad.code) << bad.source;
    EXPECT_EQ(selection.error().where.column, bad.column) << bad.source;
  }
}

/// Two hexes side by side along x, labels 1 and 2; the left end has face label 7, the wall between them 9,
/// one side of the right hex 8. The other boundary faces have none.
VolumeMesh two_hexes() {
  VolumeMesh mesh = generate_box({2, 1, 1}, {2, 1, 1}, ElementKind::kHex);
  mesh.hex_labels = {1, 2};
  mesh.quads = {{0, 3, 9, 6}, {1, 4, 10, 7}, {1, 2, 8, 7}};
  mesh.quad_labels = {7, 9, 8};
  return mesh;
}

Selection parsed(std::string_view source) {
  Result<Selection> selection = parse_selection(source);
  EXPECT_TRUE(selection.ok()) << source;
  return std::move(selection).value();
}

using Vertices = std::vector<VertexId>;
using Places = std::vector<Index>;

TEST(Selection, VerticesHaveTheLabelsOfAllTheirElements) {
  const VolumeMesh mesh = two_hexes();
  EXPECT_EQ(select_vertices(parsed("true"), mesh).size(), 12U);
  EXPECT_EQ(select_vertices(parsed("x < 1e-6"), mesh), (Vertices{0, 3, 6, 9}));
  EXPECT_EQ(select_vertices(parsed("label == 1"), mesh), (Vertices{0, 1, 3, 4, 6, 7, 9, 10}));
  EXPECT_EQ(select_vertices(parsed("label == 2"), mesh), (Vertices{1, 2, 4, 5, 7, 8, 10, 11}));
  EXPECT_EQ(select_vertices(parsed("label == 1 && x > 0.5"), mesh), (Vertices{1, 4, 7, 10}));
  EXPECT_TRUE(select_vertices(parsed("label == 1 && label == 2"), mesh).empty());  // one element at a time
}

TEST(Selection, VerticesHaveTheFaceLabelsThatOccurThere) {
  const VolumeMesh mesh = two_hexes();
  EXPECT_EQ(select_vertices(parsed("face_label == 7"), mesh), (Vertices{0, 3, 6, 9}));
  EXPECT_EQ(select_vertices(parsed("face_label == 9"), mesh), (Vertices{1, 4, 7, 10}));  // inside the body
  EXPECT_EQ(select_vertices(parsed("face_label == 8 && label == 2"), mesh), (Vertices{1, 2, 7, 8}));
  EXPECT_TRUE(select_vertices(parsed("face_label == 8 && label == 1"), mesh).empty());  // never together
  EXPECT_EQ(select_vertices(parsed("face_label == 9 && label == 1"), mesh), (Vertices{1, 4, 7, 10}));
  EXPECT_EQ(select_vertices(parsed("face_label == 0 && x > 1.5"), mesh), (Vertices{2, 5, 8, 11}));

  const VolumeMesh cube = generate_box({1, 1, 1}, {2, 2, 2}, ElementKind::kTet);
  EXPECT_EQ(select_vertices(parsed("face_label == 0"), cube).size(), 26U);  // all but the one in the middle
}

TEST(Selection, ElementsAreTakenByCentroidAndFacesByAllVertices) {
  const VolumeMesh mesh = two_hexes();
  EXPECT_EQ(select_elements(parsed("x < 1"), mesh), (Places{0}));
  EXPECT_EQ(select_elements(parsed("label == 2"), mesh), (Places{1}));
  EXPECT_EQ(select_elements(parsed("y == 0.5 && z == 0.5"), mesh), (Places{0, 1}));

  const std::vector<BoundaryFace> faces = boundary_faces(mesh);
  ASSERT_EQ(faces.size(), 10U);
  const Places left = select_faces(parsed("face_label == 7"), mesh, faces);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left, select_faces(parsed("x < 0.5"), mesh, faces));  // touching is not enough
  EXPECT_EQ(select_faces(parsed("label == 2 && face_label == 0"), mesh, faces).size(), 4U);
  EXPECT_TRUE(select_faces(parsed("face_label == 9"), mesh, faces).empty());  // not on the boundary
}

}  // namespace
}  // namespace pliant
