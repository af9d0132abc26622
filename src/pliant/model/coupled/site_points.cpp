#include "pliant/model/coupled/site_points.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace pliant {

SitePoints::SitePoints(const CoupledBody& body, const CoupledLayout& layout,
                       const std::vector<CarriedPoint>& points) {
  std::map<VertexId, Index> site_of;
  for (const CarriedPoint& point : points)
    for (const auto& [vertex, weight] : point.carriers) site_of.emplace(vertex, 0);
  std::vector<VertexId> vertices;
  for (auto& [vertex, site] : site_of) {
    site = std::ssize(vertices);
    vertices.push_back(vertex);
  }
  rows_ = SiteRows(body, layout, vertices);
  std::vector<Eigen::Triplet<double, int>> places;
  for (const CarriedPoint& point : points) {
    Point made{point.rest, {}};
    for (const auto& [vertex, weight] : point.carriers) made.carriers.push_back({site_of[vertex], weight});
    points_.push_back(std::move(made));
    for (const Carrier& a : points_.back().carriers)
      for (const Carrier& b : points_.back().carriers)
        for (Index r = 0; a.site >= b.site && r < 3; ++r)
          for (Index c = 0; c < (a.site == b.site ? r + 1 : 3); ++c)
            places.emplace_back(static_cast<int>(3 * a.site + r), static_cast<int>(3 * b.site + c), 0.0);
  }
  const Index n = 3 * rows_.count();
  x_ = v_ = f_ = VectorX::Zero(n);
  K_.resize(n, n);
  K_.setFromTriplets(places.begin(), places.end());
  if (n > 0) rows_.set_pattern(K_);
}

void SitePoints::place(const CoupledShape& shape, std::span<Vector3> places, std::span<Vector3> velocities) {
  rows_.places(shape, x_);
  rows_.velocities(shape, x_, v_);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    places[i] = points_[i].rest;
    velocities[i].setZero();
    for (const Carrier& carrier : points_[i].carriers) {
      places[i] +=
          carrier.weight * (x_.segment<3>(3 * carrier.site) - rows_.rest().segment<3>(3 * carrier.site));
      velocities[i] += carrier.weight * v_.segment<3>(3 * carrier.site);
    }
  }
}

void SitePoints::collect(std::span<const Vector3> forces, std::span<const Vector3> centers,
                         std::span<const Matrix3> turns, SiteForces& sum) {
  f_.setZero();
  for (std::size_t i = 0; i < points_.size(); ++i)
    for (const Carrier& carrier : points_[i].carriers)
      f_.segment<3>(3 * carrier.site) += carrier.weight * forces[i];
  rows_.collect(x_, f_, centers, turns, sum);
}

void SitePoints::add_stiffness(const CoupledShape& shape, const PointTerms& terms, BlockCholesky& S) {
  const std::vector<Matrix3>& stiffness = terms.stiffness;
  std::fill_n(K_.valuePtr(), K_.nonZeros(), 0.0);
  for (std::size_t i = 0; i < points_.size(); ++i)
    for (const Carrier& a : points_[i].carriers)
      for (const Carrier& b : points_[i].carriers)
        for (Index r = 0; a.site >= b.site && r < 3; ++r)
          for (Index c = 0; c < (a.site == b.site ? r + 1 : 3); ++c)
            K_.coeffRef(3 * a.site + r, 3 * b.site + c) += a.weight * b.weight * stiffness[i](r, c);
  rows_.add_stiffness(shape, x_, K_, 1.0, S);
  const Index rank = terms.shared.rank;
  if (rank == 0) return;
  if (shared_.rows() != x_.size() || shared_.cols() < rank) shared_.resize(x_.size(), rank);
  auto L = shared_.leftCols(rank);
  L.setZero();
  for (std::size_t i = 0; i < points_.size(); ++i)
    for (const Carrier& carrier : points_[i].carriers)
      L.middleRows<3>(3 * carrier.site) +=
          carrier.weight * terms.shared.rows.middleRows<3>(3 * static_cast<Index>(i)).leftCols(rank);
  rows_.subtract_shared(L, terms.shared.compliance.topLeftCorner(rank, rank), S);
}

void SitePoints::moves(const CoupledShape& shape, ConstVectorRef change, std::span<Vector3> moves) {
  rows_.moves(shape, x_, change, v_);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    moves[i].setZero();
    for (const Carrier& carrier : points_[i].carriers)
      moves[i] += carrier.weight * v_.segment<3>(3 * carrier.site);
  }
}

double SitePoints::rounding_scale(std::span<const Matrix3> stiffness, std::span<const Vector3> places) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < points_.size(); ++i)
    sum += stiffness[i].squaredNorm() * places[i].squaredNorm();
  return std::sqrt(sum);
}

}  // namespace pliant
