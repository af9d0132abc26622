#include "pliant/reduce/local_elements.hpp"

#include "pliant/base/text.hpp"
#include "pliant/fem/constrained_system.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/mesh/core/submesh.hpp"
#include "pliant/reduce/blend_weights.hpp"
#include "pliant/reduce/exact_projection.hpp"
#include "pliant/subspace/blended_body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double kRank = 1e-10;   // of the Gram matrix with unit diagonal: less is dependent
constexpr double kLoaded = 0.25;  // part of the radius over which the force of a response is spread

Diagnostic problem(const Insertion& insertion, ErrorCode code, std::string what, std::string remedy) {
  return {code, {{}, 0, 0, "insert"}, "\"" + insertion.name + "\" " + std::move(what), std::move(remedy)};
}

/// Columns of S that span the same space and are orthonormal in the product whose Gram matrix is given.
MatrixX orthonormal(const MatrixX& S, const MatrixX& gram) {
  VectorX scale(gram.cols());
  for (Index c = 0; c < scale.size(); ++c) scale[c] = gram(c, c) > 0.0 ? 1.0 / std::sqrt(gram(c, c)) : 0.0;
  const SymmetricEigen eigen(scale.asDiagonal() * gram * scale.asDiagonal());
  const double largest = eigen.values()[scale.size() - 1];
  Index kept = 0;
  while (kept < scale.size() && eigen.values()[scale.size() - 1 - kept] > kRank * largest) ++kept;
  const MatrixX V = eigen.vectors().rightCols(kept);
  return S * (scale.asDiagonal() * V * eigen.values().tail(kept).cwiseSqrt().cwiseInverse().asDiagonal());
}

class LocalShapeMaker final : public LocalElements {
 public:
  LocalShapeMaker(std::shared_ptr<const ElasticBody> elastic, std::vector<VertexId> held)
      : elastic_(std::move(elastic)), held_(std::move(held)) {
    const VolumeMesh& mesh = elastic_->mesh();
    std::vector<Index> count(to_size(mesh.vertex_count()) + 1, 0);
    for_each_element(mesh, [&](Index, std::span<const VertexId> element) {
      for (const VertexId v : element) ++count[to_size(v) + 1];
    });
    for (std::size_t v = 1; v < count.size(); ++v) count[v] += count[v - 1];
    starts_ = count;
    touching_.resize(to_size(count.back()));
    for_each_element(mesh, [&](Index e, std::span<const VertexId> element) {
      for (const VertexId v : element) touching_[to_size(count[to_size(v)]++)] = e;
    });
    std::sort(held_.begin(), held_.end());
  }

  [[nodiscard]] Result<LocalShapes> make(
      const Insertion& insertion, std::span<const VertexId> seeds,
      const std::function<Vector3(VertexId)>& displacement) const override {
    const std::optional<VertexId> seed = seed_of(insertion, seeds);
    if (!seed)
      return problem(insertion, ErrorCode::kOutOfRange,
                     "has no free vertex within " + short_text(insertion.radius) + " m of its place",
                     "take a place in the body, or a larger radius");
    const std::vector<VertexId> ball = ball_of(*seed, insertion.radius);
    const ElasticBodyPart own = elastic_part(around(ball));
    if (std::ssize(ball) == std::ssize(own.vertices) && held_.empty())
      return problem(insertion, ErrorCode::kOutOfRange, "reaches the whole body", "take a smaller radius");
    return insertion.what == InsertedShapes::kResponse ? response(insertion, *seed, ball, own, displacement)
                                                       : domain(insertion, *seed, ball, own, seeds);
  }

  [[nodiscard]] std::vector<Index> around(std::span<const VertexId> vertices) const override {
    std::vector<Index> elements;
    for (const VertexId v : vertices)
      elements.insert(elements.end(), touching_.begin() + starts_[to_size(v)],
                      touching_.begin() + starts_[to_size(v) + 1]);
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    return elements;
  }

  [[nodiscard]] ElementPart part(std::vector<Index> elements) const override {
    ElasticBodyPart made = elastic_part(elements);
    return {std::move(elements), std::move(made.vertices), made.elastic, make_element_loops(made.elastic)};
  }

  [[nodiscard]] std::shared_ptr<const LocalElements> with_materials(
      const std::vector<Material>& materials) const override {
    return std::make_shared<const LocalShapeMaker>(elastic_->with_materials(materials), held_);
  }

 private:
  struct ElasticBodyPart {
    std::vector<VertexId> vertices;
    std::shared_ptr<const ElasticBody> elastic;

    /// −1 if the vertex does not belong to it.
    [[nodiscard]] Index local(VertexId v) const {
      const auto found = std::lower_bound(vertices.begin(), vertices.end(), v);
      return found != vertices.end() && *found == v ? found - vertices.begin() : -1;
    }
  };

  [[nodiscard]] const Vector3& place(VertexId v) const { return elastic_->mesh().vertices[to_size(v)]; }
  [[nodiscard]] bool is_held(VertexId v) const { return std::binary_search(held_.begin(), held_.end(), v); }

  /// The nearest vertex within the radius that is free and not the seed of another domain.
  [[nodiscard]] std::optional<VertexId> seed_of(const Insertion& insertion,
                                                std::span<const VertexId> seeds) const {
    std::optional<VertexId> best;
    double least = insertion.radius;
    for (VertexId v = 0; v < elastic_->mesh().vertex_count(); ++v) {
      const double distance = (place(v) - insertion.at).norm();
      if (!(distance < least) || starts_[to_size(v)] == starts_[to_size(v) + 1] || is_held(v)) continue;
      if (insertion.what != InsertedShapes::kResponse &&
          std::find(seeds.begin(), seeds.end(), v) != seeds.end())
        continue;
      best = v;
      least = distance;
    }
    return best;
  }

  /// Vertices that edges within the ball join to the seed, ascending; those that are held do not belong.
  [[nodiscard]] std::vector<VertexId> ball_of(VertexId seed, double radius) const {
    std::vector<char> known(to_size(elastic_->mesh().vertex_count()), 0);
    std::vector<VertexId> ball{seed};
    known[to_size(seed)] = 1;
    for (std::size_t next = 0; next < ball.size(); ++next)
      for (Index i = starts_[to_size(ball[next])]; i < starts_[to_size(ball[next]) + 1]; ++i)
        for (const VertexId v : elastic_->mesh().element_vertices(touching_[to_size(i)])) {
          if (known[to_size(v)] != 0) continue;
          known[to_size(v)] = 1;
          if ((place(v) - place(seed)).norm() < radius) ball.push_back(v);
        }
    std::erase_if(ball, [&](VertexId v) { return is_held(v); });
    std::sort(ball.begin(), ball.end());
    return ball;
  }

  [[nodiscard]] ElasticBodyPart elastic_part(std::vector<Index> elements) const {
    SubMesh sub = extract_elements(elastic_->mesh(), std::move(elements));
    MaterialMap map{elastic_->materials().materials, {}};
    for (const Index e : sub.elements)
      map.of_element.push_back(
          elastic_->materials().of_element.empty() ? 0 : elastic_->materials().of_element[to_size(e)]);
    return {std::move(sub.vertices),
            std::make_shared<const ElasticBody>(std::move(sub.mesh), std::move(map))};
  }

  /// The rows of a field over the part at the vertices of the ball.
  [[nodiscard]] static MatrixX rows_of(const MatrixX& field, const std::vector<VertexId>& ball,
                                       const ElasticBodyPart& own) {
    MatrixX rows(3 * std::ssize(ball), field.cols());
    for (std::size_t i = 0; i < ball.size(); ++i)
      rows.middleRows<3>(3 * static_cast<Index>(i)) = field.middleRows<3>(3 * own.local(ball[i]));
    return rows;
  }

  /// w · monomials about the seed, along all three axes.
  [[nodiscard]] Result<LocalShapes> domain(const Insertion& insertion, VertexId seed,
                                           const std::vector<VertexId>& ball, const ElasticBodyPart& own,
                                           std::span<const VertexId> seeds) const {
    Result<VectorX> weight = principal(insertion, seed, ball, own, seeds);
    if (!weight) return weight.errors();
    const Index count = insertion.what == InsertedShapes::kAffine ? 4 : 10;
    MatrixX scalars = MatrixX::Zero(std::ssize(own.vertices), count);
    VectorX monomials(count);
    for (const VertexId v : ball) {
      blended_monomials((place(v) - place(seed)) / insertion.radius, count, monomials.data());
      scalars.row(own.local(v)) = weight.value()[own.local(v)] * monomials.transpose();
    }
    scalars = orthonormal(scalars, scalars.transpose() * (own.elastic->mass() * scalars));
    return LocalShapes{insertion.name, seed, ball,
                       rows_of(BlendedBody::vector_shapes(scalars, {}), ball, own)};
  }

  /// The principal weight (Eq. 8 to 12): 1 at the seed, 0 at the boundary of the ball and other seeds.
  [[nodiscard]] Result<VectorX> principal(const Insertion& insertion, VertexId seed,
                                          const std::vector<VertexId>& ball, const ElasticBodyPart& own,
                                          std::span<const VertexId> seeds) const {
    const std::size_t n = own.vertices.size();
    OverlappingDomains one;
    one.seeds = {static_cast<VertexId>(own.local(seed))};
    one.segment_of.assign(n, 0);
    one.neighbours = {{}};
    one.reach = {{0}};
    std::vector<char> free(n, 0);
    for (const VertexId v : ball) free[to_size(own.local(v))] = 1;
    for (const VertexId v : seeds)
      if (const Index i = own.local(v); i >= 0 && v != seed) free[to_size(i)] = 0;
    std::vector<VertexId> held;
    for (std::size_t i = 0; i < n; ++i)
      if (free[i] == 0) held.push_back(static_cast<VertexId>(i));
    BlendWeights weights;
    weights.kind = WeightKind::kPrincipal;
    weights.raw = MatrixX::Zero(std::ssize(own.vertices), 1);
    weights.raw_anchor = VectorX::Zero(std::ssize(own.vertices));
    if (insertion.direction) weights.directions = {insertion.direction->normalized()};
    if (const Status made = elastic_weights(*own.elastic, one, held, no_progress(), weights); !made)
      return made.errors();
    VectorX weight = weights.raw.col(0);
    for (const VertexId v : held) weight[Index{v}] = 0.0;
    if (weight.allFinite()) return weight;
    return problem(insertion, ErrorCode::kNumerical, "has weights that are not finite",
                   "take another place or radius");
  }

  /// K⁻¹ f with all beyond the ball fixed, K the stiffness of the present shape.
  [[nodiscard]] Result<LocalShapes> response(const Insertion& insertion, VertexId seed,
                                             const std::vector<VertexId>& ball, const ElasticBodyPart& own,
                                             const std::function<Vector3(VertexId)>& displacement) const {
    const ElasticBody& elastic = *own.elastic;
    VectorX u(elastic.dof_count());
    for (std::size_t i = 0; i < own.vertices.size(); ++i)
      u.segment<3>(3 * static_cast<Index>(i)) = displacement(own.vertices[i]);
    std::vector<char> free(to_size(elastic.dof_count()), 0);
    for (const VertexId v : ball) std::fill_n(free.begin() + 3 * own.local(v), 3, char{1});
    SparseMatrix K = elastic.make_matrix();
    elastic.tangent(u, TangentKind::kProjected, K);
    ConstrainedSystem system(free, K);
    if (!system.factorize(K)) {  // crushed: take the rest shape instead
      elastic.tangent(VectorX::Zero(u.size()), TangentKind::kExact, K);
      if (!system.factorize(K))
        return problem(insertion, ErrorCode::kNumerical, "has a stiffness that cannot be factorised",
                       "take another place or radius");
    }
    const VectorX share = loaded(insertion, seed, ball, own);
    const Index count = insertion.direction ? 1 : 3;
    MatrixX answers(elastic.dof_count(), count);
    VectorX force(elastic.dof_count());
    for (Index c = 0; c < count; ++c) {
      const Vector3 d = insertion.direction ? insertion.direction->normalized() : Vector3(Vector3::Unit(c));
      for (Index i = 0; i < share.size(); ++i) force.segment<3>(3 * i) = share[i] * d;
      system.solve(force, answers.col(c));
    }
    MatrixX weighted(answers.rows(), count);
    for (Index c = 0; c < count; ++c) elastic.apply_mass(answers.col(c), weighted.col(c));
    answers = orthonormal(answers, answers.transpose() * weighted);
    return LocalShapes{insertion.name, seed, ball, rows_of(answers, ball, own)};
  }

  /// How a force is spread about its place: (1 − d²/ρ²)².
  [[nodiscard]] VectorX loaded(const Insertion& insertion, VertexId seed, const std::vector<VertexId>& ball,
                               const ElasticBodyPart& own) const {
    VectorX share = VectorX::Zero(std::ssize(own.vertices));
    share[own.local(seed)] = 1.0;
    const double radius = kLoaded * insertion.radius;
    for (const VertexId v : ball) {
      const double t = (place(v) - place(seed)).squaredNorm() / (radius * radius);
      if (t < 1.0) share[own.local(v)] = (1.0 - t) * (1.0 - t);
    }
    return share;
  }

  std::shared_ptr<const ElasticBody> elastic_;
  std::vector<VertexId> held_;
  std::vector<Index> starts_, touching_;  // the elements at each vertex
};

}  // namespace

std::shared_ptr<const LocalElements> make_local_elements(std::shared_ptr<const ElasticBody> elastic,
                                                         std::vector<VertexId> held) {
  return std::make_shared<const LocalShapeMaker>(std::move(elastic), std::move(held));
}

}  // namespace pliant
