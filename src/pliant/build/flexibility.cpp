#include "pliant/build/flexibility.hpp"

#include "pliant/math/dense.hpp"
#include "pliant/math/polar.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/solve/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace pliant {
namespace {

constexpr double kShift = 1e-6;  // mass in A of parts that move freely, of their softest shape's eigenvalue
constexpr double kDependent = 1e-10;  // energies of shapes that depend on others, of all of unit energy
constexpr std::size_t kMostBytes = std::size_t{1} << 29;  // of kept responses; beyond it they are forgotten

/// All vertices of a mesh as a surface without triangles, each in the first element that has it.
CarriedSurface all_vertices(const VolumeMesh& mesh) {
  CarriedSurface all;
  all.rest.vertices = mesh.vertices;
  all.embedding.elements.assign(mesh.vertices.size(), 0);
  all.embedding.distances.assign(mesh.vertices.size(), 0.0);
  std::vector<char> known(mesh.vertices.size(), 0);
  Index element = 0;
  const auto take = [&](const auto& elements) {
    for (const auto& vertices : elements) {
      for (const VertexId v : vertices)
        if (std::exchange(known[to_size(v)], char{1}) == 0) all.embedding.elements[to_size(v)] = element;
      ++element;
    }
  };
  take(mesh.tets);
  take(mesh.hexes);
  take(mesh.tet10s);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    all.embedding.points.columns.push_back(static_cast<VertexId>(v));
    all.embedding.points.weights.push_back(1.0);
    all.embedding.points.starts.push_back(std::ssize(all.embedding.points.columns));
  }
  all.embedding.vertices = transposed(all.embedding.points, std::ssize(mesh.vertices));
  return all;
}

/// A part of a body with the others fixed: A = K + σ M of its free vertices and the shapes that it has.
class Part {
 public:
  /// `shapes`: rows of U of these vertices in the world at rest, zero where they are held.
  Part(const ElasticBody& body, const SparseMatrix& K, const SparseMatrix& M,
       const std::vector<VertexId>& vertices, const MatrixX& shapes) {
    place_.assign(to_size(body.mesh().vertex_count()), -1);
    Index free = 0;
    for (std::size_t i = 0; i < vertices.size(); ++i)
      if (!shapes.middleRows<3>(3 * static_cast<Index>(i)).isZero(0.0)) place_[to_size(vertices[i])] = free++;
    const bool held = free < std::ssize(vertices);
    Index used = shapes.cols();
    U_.setZero(3 * free, used + (held ? 0 : 6));
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const Index place = place_[to_size(vertices[i])];
      if (place < 0) continue;
      U_.block(3 * place, 0, 3, used) = shapes.middleRows<3>(3 * static_cast<Index>(i));
      if (held) continue;
      U_.block<3, 3>(3 * place, used).setIdentity();
      U_.block<3, 3>(3 * place, used + 3) =
          -cross_matrix(Vector3(body.mesh().vertices[to_size(vertices[i])] - body.mesh().vertices[0]));
    }
    SparseMatrix A = own(K);
    if (!held) {  // moves of the whole part are among its shapes: the shift only keeps A from being singular
      const SparseMatrix mass = own(M);
      double softest = std::numeric_limits<double>::infinity();
      for (Index k = 0; k < used; ++k) {
        const VectorX u = U_.col(k);
        const VectorX Au = A.selfadjointView<Eigen::Lower>() * u,
                      Mu = mass.selfadjointView<Eigen::Lower>() * u;
        const double stiff = u.dot(Au), heavy = u.dot(Mu);
        if (heavy > 0.0 && stiff > 0.0) softest = std::min(softest, stiff / heavy);
      }
      if (std::isfinite(softest)) A += kShift * softest * mass;
    }
    if (free == 0) return;
    normalise(A);
    factor_.analyze(A);
    defined_ = factor_.factorize(A);
  }

  [[nodiscard]] Index place(VertexId vertex) const { return place_[to_size(vertex)]; }

  /// x = (A⁻¹ − U (Uᵀ A U)⁻¹ Uᵀ) b, three columns.
  [[nodiscard]] MatrixX respond(const MatrixX& b) const {
    MatrixX x = MatrixX::Zero(b.rows(), b.cols());
    if (!defined_) return x;
    factor_.solve(b, x);
    x.noalias() -= U_ * MatrixX(pressed_.transpose() * x);
    return x;
  }
  [[nodiscard]] Index size() const { return U_.rows(); }

 private:
  /// Shapes that depend on others drop out, so that Uᵀ A U = 1.
  void normalise(const SparseMatrix& A) {
    const auto press = [&] { pressed_ = A.selfadjointView<Eigen::Lower>() * U_; };
    press();
    for (Index k = 0; k < U_.cols(); ++k) {
      const double size = std::sqrt(std::max(0.0, U_.col(k).dot(pressed_.col(k))));
      U_.col(k) *= size > 0.0 ? 1.0 / size : 0.0;
      pressed_.col(k) *= size > 0.0 ? 1.0 / size : 0.0;
    }
    const SymmetricEigen eigen(MatrixX(U_.transpose() * pressed_));
    const VectorX& values = eigen.values();
    const Index dependent = (values.array() <= kDependent).count();
    const Index kept = values.size() - dependent;
    U_ = (U_ * eigen.vectors().rightCols(kept) * values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal())
             .eval();
    press();
  }

  /// The part's block of a lower triangle of the whole body.
  [[nodiscard]] SparseMatrix own(const SparseMatrix& whole) const {
    std::vector<Eigen::Triplet<double, int>> entries;
    for (int column = 0; column < whole.outerSize(); ++column) {
      const Index b = place_[to_size(column / 3)];
      if (b < 0) continue;
      for (SparseMatrix::InnerIterator at(whole, column); at; ++at) {
        const Index a = place_[to_size(at.row() / 3)];
        if (a < 0) continue;
        int i = static_cast<int>(3 * a + at.row() % 3), j = static_cast<int>(3 * b + column % 3);
        if (i < j) std::swap(i, j);
        entries.emplace_back(i, j, at.value());
      }
    }
    const auto n = static_cast<int>(U_.rows());
    SparseMatrix A(n, n);
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  }

  std::vector<Index> place_;  // of each vertex among the free ones of the part
  MatrixX U_, pressed_;       // Uᵀ A U = 1, and A U
  SparseCholesky factor_;
  bool defined_ = false;
};

class RestFlexibility final : public Flexibility {
 public:
  RestFlexibility(std::shared_ptr<const ElasticBody> elastic, PartTables vertices, const PartTables& points,
                  std::shared_ptr<const CarriedSurface> surface)
      : elastic_(std::move(elastic)), vertices_(std::move(vertices)), surface_(std::move(surface)) {
    const std::size_t parts = vertices_.starts.size() - 1;
    parts_.resize(parts);
    part_of_.assign(to_size(surface_->rest.vertex_count()), 0);
    points_of_.resize(parts);
    number_.assign(part_of_.size(), 0);
    for (std::size_t p = 0; p + 1 < points.starts.size(); ++p)
      for (Index i = points.starts[p]; i < points.starts[p + 1]; ++i) {
        const Index point = points.origin[to_size(i)];
        part_of_[to_size(point)] = static_cast<Index>(p);
        number_[to_size(point)] = std::ssize(points_of_[p]);
        points_of_[p].push_back(point);
      }
    for (std::size_t p = 0; p < parts; ++p) turns_.push_back(turn_of(p));
  }

  Index part_of(Index point) const override { return part_of_[to_size(point)]; }
  const Matrix3& rest_turn(Index part) const override { return turns_[to_size(part)]; }

  void respond(Index on, std::span<const Index> at, std::span<Matrix3> moves) override {
    const Index part = part_of(on);
    const std::vector<float>& field = field_of(on);
    for (std::size_t i = 0; i < at.size(); ++i) {
      moves[i].setZero();
      if (part_of(at[i]) == part)
        moves[i] = Eigen::Map<const Eigen::Matrix3f>(field.data() + 9 * to_size(number_[to_size(at[i])]))
                       .cast<double>();
    }
  }

 private:
  /// The rotation between the table of a part and the world at rest, by their points.
  [[nodiscard]] Matrix3 turn_of(std::size_t part) const {
    const PartTable& table = vertices_.tables[to_size(vertices_.tables_of[part])];
    Matrix3 moment = Matrix3::Zero();
    Vector3 own_middle = Vector3::Zero(), middle = Vector3::Zero();
    const auto own = [&](Index i) {
      return Vector3(table.rest[to_size(3 * i)], table.rest[to_size(3 * i + 1)],
                     table.rest[to_size(3 * i + 2)]);
    };
    const auto world = [&](Index i) {
      return elastic_->mesh().vertices[to_size(vertices_.origin[to_size(vertices_.starts[part] + i)])];
    };
    for (Index i = 0; i < table.points; ++i) {
      own_middle += own(i) / static_cast<double>(table.points);
      middle += world(i) / static_cast<double>(table.points);
    }
    for (Index i = 0; i < table.points; ++i)
      moment += (world(i) - middle) * (own(i) - own_middle).transpose();
    return polar_rotation(moment);
  }

  const Part& part(Index number) {
    std::unique_ptr<Part>& kept = parts_[to_size(number)];
    if (kept) return *kept;
    if (K_.rows() == 0) {
      K_ = elastic_->make_matrix();
      elastic_->tangent(VectorX::Zero(K_.rows()), TangentKind::kExact, K_);
      M_ = elastic_->mass_matrix();
    }
    const auto p = to_size(number);
    const PartTable& table = vertices_.tables[to_size(vertices_.tables_of[p])];
    std::vector<VertexId> own;
    MatrixX shapes(3 * table.points, table.size);
    for (Index i = 0; i < table.points; ++i) {
      own.push_back(static_cast<VertexId>(vertices_.origin[to_size(vertices_.starts[p] + i)]));
      const Eigen::Map<const Eigen::Matrix<float, 3, Eigen::Dynamic, Eigen::RowMajor>> rows(
          table.shapes.data() + to_size(3 * i * table.size), 3, table.size);
      shapes.middleRows<3>(3 * i) = turns_[p] * rows.cast<double>();
    }
    kept = std::make_unique<Part>(*elastic_, K_, M_, own, shapes);
    return *kept;
  }

  /// Moves of all points of its part by unit forces on a point: nine numbers each.
  const std::vector<float>& field_of(Index on) {
    const auto known = fields_.find(on);
    if (known != fields_.end()) return known->second;
    const Part& own = part(part_of(on));
    const WeightRows& rows = surface_->embedding.points;
    const auto for_carriers = [&](Index point, const auto& work) {
      for (Index e = rows.starts[to_size(point)]; e < rows.starts[to_size(point) + 1]; ++e) {
        const Index place = own.place(rows.columns[to_size(e)]);
        if (place >= 0) work(3 * place, rows.weights[to_size(e)]);
      }
    };
    MatrixX b = MatrixX::Zero(own.size(), 3);
    for_carriers(on,
                 [&](Index place, double weight) { b.middleRows<3>(place) += weight * Matrix3::Identity(); });
    const MatrixX x = own.respond(b);
    const std::vector<Index>& points = points_of_[to_size(part_of(on))];
    std::vector<float> field;
    field.reserve(9 * points.size());
    for (const Index point : points) {
      Matrix3 move = Matrix3::Zero();
      for_carriers(point, [&](Index place, double weight) { move += weight * x.middleRows<3>(place); });
      for (Index k = 0; k < 9; ++k) field.push_back(static_cast<float>(move.data()[k]));
    }
    bytes_ += 4 * field.size();
    if (bytes_ > kMostBytes) {
      fields_.clear();
      bytes_ = 4 * field.size();
    }
    return fields_.emplace(on, std::move(field)).first->second;
  }

  std::shared_ptr<const ElasticBody> elastic_;
  PartTables vertices_;  // of all vertices
  std::shared_ptr<const CarriedSurface> surface_;
  std::vector<Index> part_of_, number_;        // of each point of the surface: its part, its place there
  std::vector<std::vector<Index>> points_of_;  // of each part
  std::vector<Matrix3> turns_;
  SparseMatrix K_, M_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::map<Index, std::vector<float>> fields_;
  std::size_t bytes_ = 0;
};

}  // namespace

std::shared_ptr<Flexibility> make_flexibility(std::shared_ptr<const ElasticBody> elastic, const Model& model,
                                              std::shared_ptr<const CarriedSurface> surface) {
  if (!elastic || !surface) return nullptr;
  const std::vector<char> cut(model.domains() != nullptr ? model.domains()->names().size() : 0, 0);
  std::optional<PartTables> points = model.part_tables(*surface, cut);
  if (!points) return nullptr;
  std::optional<PartTables> vertices = model.part_tables(all_vertices(elastic->mesh()), cut);
  if (!vertices) return nullptr;
  return std::make_shared<RestFlexibility>(std::move(elastic), std::move(*vertices), *points,
                                           std::move(surface));
}

}  // namespace pliant
