#include "pliant/model/blended/point_sum.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/material/kernels.hpp"
#include "pliant/material/mean_stress.hpp"
#include "pliant/material/point.hpp"
#include "pliant/material/principal.hpp"
#include "pliant/solve/block/panel_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace pliant {
namespace {

constexpr Index kPacksPerBlock = 16;   // of a parallel loop
constexpr Index kPanelNumbers = 3000;  // of a panel of products that stays in the first cache
// Above this stretch an invertible material has nothing but its plain law, whose exact tangent serves a step
// better than a projected one.
constexpr double kSafeStretch = 0.9;
constexpr double kCollapsed = 1e-9;  // stretches below this are rounding

Panel panel(MatrixX& A) { return {A.data(), A.rows()}; }
/// Panels are written and read by the same kernels; those that are only read are declared like the others.
Panel read_panel(const MatrixX& A) { return {const_cast<double*>(A.data()), A.rows()}; }

/// Whether all stretches of four points are above `least`: FᵀF − least² is positive definite, and det F > 0.
bool stretches_above(const Pack4 H[9], const Pack4& least) {
  Pack4 F[9], C[9];
  kernel::deformation_gradient(H, F);
  const auto dot = [&](int a, int b) {
    return F[3 * a] * F[3 * b] + F[3 * a + 1] * F[3 * b + 1] + F[3 * a + 2] * F[3 * b + 2];
  };
  const Pack4 square = least * least;
  const Pack4 xx = dot(0, 0) - square, yy = dot(1, 1) - square, zz = dot(2, 2) - square;
  const Pack4 xy = dot(0, 1), xz = dot(0, 2), yz = dot(1, 2);
  const Pack4 minor = xx * yy - xy * xy;
  const Pack4 whole = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  kernel::cofactor(F, C);
  const Pack4 J = F[0] * C[0] + F[1] * C[1] + F[2] * C[2];
  for (int i = 0; i < 4; ++i)
    if (!(xx[i] > 0.0 && minor[i] > 0.0 && whole[i] > 0.0 && J[i] > 0.0)) return false;
  return true;
}

Matrix3 lane_matrix(const Pack4 H[9], int lane) {
  Matrix3 m;
  for (int i = 0; i < 9; ++i) m.data()[i] = H[i][lane];
  return m;
}

/// 1 + H; nothing at all where it is only rounding. The rotation of a body that is crushed to a point would
/// be that of the rounding of each point, and its forces would cancel. So it unfolds as it stood at rest.
Matrix3 deformation(const Matrix3& h) {
  const Matrix3 F = h + Matrix3::Identity();
  return F.cwiseAbs().maxCoeff() < kCollapsed ? Matrix3::Zero() : F;
}

PrincipalResponse difference(const PrincipalResponse& a, const PrincipalResponse& b) {
  PrincipalResponse out;
  out.energy = a.energy - b.energy;
  out.gradient = a.gradient - b.gradient;
  out.stretch = a.stretch - b.stretch;
  out.flip = a.flip - b.flip;
  out.twist = a.twist - b.twist;
  return out;
}

}  // namespace

const std::array<std::array<int, 2>, PointSum::kPairs> PointSum::kAxes{
    {{1, 0}, {2, 0}, {2, 1}, {0, 0}, {1, 1}, {2, 2}}};

PointSum::PointSum(const BlendedPoints& points, PointEnergy energy) : points_(&points), kind_(energy) {
  make_groups(points);
  const Index places = std::ssize(point_at_);
  for (MatrixX* each : {&now_, &before_, &stress_}) *each = MatrixX::Zero(9, places);
  energies_ = VectorX::Zero(places);
  tangents_ = MatrixX::Zero(9 * kPairs, places);
  contributes_.assign(packs_.size(), 0);
}

/// Points with the same columns, in the order of their first ones.
void PointSum::make_groups(const BlendedPoints& points) {
  std::map<std::vector<Index>, std::vector<Index>> by_columns;
  std::vector<const std::vector<Index>*> order;
  const Index m = points.gradients.rows();
  std::vector<Index> columns;
  for (Index p = 0; p < points.count(); ++p) {
    columns.clear();
    for (Index c = 0; c < m; ++c)
      if (!points.gradients.block<1, 3>(c, 3 * p).isZero(0.0)) columns.push_back(c);
    auto& own = by_columns[columns];
    own.push_back(p);
  }
  // Sets of columns that lie in another one are not worth groups of their own where there are few points.
  order.reserve(by_columns.size());
  for (const auto& entry : by_columns) order.push_back(&entry.first);
  std::sort(order.begin(), order.end(),
            [&](const auto* a, const auto* b) { return by_columns[*a].front() < by_columns[*b].front(); });
  std::vector<double> volumes;
  for (const auto* key : order) {
    const std::vector<Index>& own = by_columns[*key];
    Group group;
    group.columns = *key;
    group.rows = padded_rows(std::ssize(*key));
    group.first = std::ssize(point_at_);
    for (const Index p : own) {
      point_at_.push_back(p);
      volumes.push_back(points.weights[p]);
    }
    while (std::ssize(point_at_) % kLanes4 != 0) {
      point_at_.push_back(-1);
      volumes.push_back(0.0);
    }
    group.count = std::ssize(point_at_) - group.first;
    group.gradients = MatrixX::Zero(group.rows, 3 * group.count);
    for (Index i = 0; i < std::ssize(own); ++i)
      for (std::size_t c = 0; c < key->size(); ++c)
        group.gradients.block<1, 3>(static_cast<Index>(c), 3 * i) =
            points.gradients.block<1, 3>((*key)[c], 3 * own[to_size(i)]);
    group.q = group.before = group.f = MatrixX::Zero(group.rows, 3);
    group.panel = std::clamp<Index>(kPanelNumbers / (3 * std::max<Index>(group.rows, 1)), 4, group.count);
    for (Index pair = 0; pair < kPairs; ++pair) {
      group.K[to_size(pair)] = MatrixX::Zero(group.rows, std::ssize(*key));
      group.products[to_size(pair)] = MatrixX::Zero(group.rows, 3 * group.panel);
    }
    const Index packs = group.count / kLanes4;
    packs_.resize(packs_.size() + to_size(packs), Pack{std::ssize(groups_)});
    groups_.push_back(std::move(group));
  }
  volumes_ = Eigen::Map<const VectorX>(volumes.data(), std::ssize(volumes));
}

void PointSum::set_materials(std::span<const Material> materials) {
  materials_.assign(materials.begin(), materials.end());
  plain_ = materials_;
  for (Material& material : plain_) material.invertible = false;
  for (std::size_t pack = 0; pack < packs_.size(); ++pack) fill(static_cast<Index>(pack));
  double sum = 0.0;
  for (Index p = 0; p < points_->count(); ++p) {
    const Material& material = materials_[to_size(points_->material[to_size(p)])];
    const double size = points_->weights[p] * (material.lambda() + 2.0 * material.mu()) *
                        points_->gradients.middleCols<3>(3 * p).norm();
    sum += size * size;
  }
  rest_scale_ = std::sqrt(sum);
}

void PointSum::set_factors(const VectorX& factors) {
  for (std::size_t place = 0; place < point_at_.size(); ++place) {
    const Index point = point_at_[place];
    if (point < 0) continue;
    volumes_[static_cast<Index>(place)] =
        points_->weights[point] * (factors.size() > 0 ? factors[point] : 1.0);
  }
}

void PointSum::fill(Index pack) {
  Pack& own = packs_[to_size(pack)];
  own.kernel = own.guarded = true;
  own.safe = kind_ == PointEnergy::kWhole ? kSafeStretch : 0.0;
  Index last = 0;
  for (Index lane = 0; lane < kLanes4; ++lane) {
    const Index point = point_at_[to_size(kLanes4 * pack + lane)];
    if (point >= 0) last = points_->material[to_size(point)];  // padding is made of what comes before it
    own.material[to_size(lane)] = last;
    const Material& material = materials_[to_size(last)];
    if (lane == 0) own.law = material.law;
    own.kernel = own.kernel && material.law == own.law && has_kernel(material);
    own.guarded = own.guarded && material.law == own.law && has_kernel(plain_[to_size(last)]);
    if (material.invertible) own.safe = std::max(own.safe, material.threshold());
    own.lambda[lane] = material.lambda();
    own.mu[lane] = material.mu();
  }
  own.guarded = own.guarded && !own.kernel;
}

void PointSum::gather(const Group& group, const MatrixX& from, MatrixX& to) {
  for (std::size_t c = 0; c < group.columns.size(); ++c)
    to.row(static_cast<Index>(c)) = from.row(group.columns[c]);
}

/// Displacement gradients H = Σ q_c ⊗ g_c, nine numbers each, of some places of a group.
void PointSum::gradients_of(const Group& group, const MatrixX& q, Index begin, Index end, MatrixX& H) {
  const Index rows = group.rows;
  const double* x = q.data();
  for (Index place = begin; place < end; ++place) {
    const double* g = group.gradients.data() + 3 * rows * (place - group.first);
    Pack4 sum[9] = {};
    for (Index c = 0; c < rows; c += kLanes4) {
      const Pack4 a[3] = {load_pack(x + c), load_pack(x + rows + c), load_pack(x + 2 * rows + c)};
      for (int j = 0; j < 3; ++j) {
        const Pack4 slope = load_pack(g + rows * j + c);
        for (int i = 0; i < 3; ++i) sum[i + 3 * j] += a[i] * slope;
      }
    }
    double* h = H.data() + 9 * place;
    for (int e = 0; e < 9; ++e) h[e] = (sum[e][0] + sum[e][1]) + (sum[e][2] + sum[e][3]);
  }
}

double PointSum::add(const Pass& pass, const MatrixX& before, const MatrixX& q, MatrixX& f, MatrixRef K) {
  pass_ = pass;
  for (Group& group : groups_) {
    gather(group, q, group.q);
    if (pass.mean) gather(group, before, group.before);
  }
  parallel_blocks(std::ssize(packs_), kPacksPerBlock, [this](Index, Index begin, Index end) {
    for (Index pack = begin; pack < end; ++pack) evaluate_pack(pack);
  });
  double energy = 0.0;
  for (Index place = 0; pass.energy && place < volumes_.size(); ++place) energy += energies_[place];
  // Laws that add nothing anywhere are no work.
  if (std::find(contributes_.begin(), contributes_.end(), char{1}) == contributes_.end()) return energy;
  const Index tasks = pass.stiffness ? kPairs + 1 : 1, groups = std::ssize(groups_);
  parallel_tasks(tasks * groups, [this, tasks](Index task) {
    Group& group = groups_[to_size(task / tasks)];
    if (task % tasks == tasks - 1)
      sum_force(group);
    else
      sum_stiffness(group, task % tasks);
  });
  scatter(f, K);
  return std::isfinite(energy) ? energy : std::numeric_limits<double>::infinity();
}

void PointSum::evaluate_pack(Index pack) {
  const Pack& own = packs_[to_size(pack)];
  const Group& group = groups_[to_size(own.group)];
  const Index first = kLanes4 * pack;
  Pack4 H[9], H0[9], P[9], A[81], energy = {};
  const auto at = [&](const MatrixX& q, MatrixX& all, Pack4 to[9]) {
    gradients_of(group, q, first, first + kLanes4, all);
    for (int lane = 0; lane < kLanes4; ++lane)
      for (int i = 0; i < 9; ++i) to[i][lane] = all(i, first + lane);
  };
  at(group.q, now_, H);
  if (pass_.mean) at(group.before, before_, H0);
  Pack4* tangent = pass_.stiffness ? A : nullptr;
  const bool safe = own.guarded && stretches_above(H, own.safe + Pack4{}) &&
                    (!pass_.mean || stretches_above(H0, own.safe + Pack4{}));
  contributes_[to_size(pack)] = kind_ == PointEnergy::kWhole || !safe ? 1 : 0;
  if (contributes_[to_size(pack)] == 0) {
    stress_.middleCols<kLanes4>(first).setZero();
    energies_.segment<kLanes4>(first).setZero();
    if (pass_.stiffness) tangents_.middleCols<kLanes4>(first).setZero();
    return;
  }
  if (kind_ == PointEnergy::kRestoring)
    restoring(own, H0, H, P, tangent, energy);
  else if (own.kernel || safe)
    by_kernel(own, H0, H, P, tangent, energy);
  else
    by_point(own, H0, H, P, tangent, energy);
  for (Index lane = 0; lane < kLanes4; ++lane) {
    const double volume = volumes_[first + lane];
    for (int i = 0; i < 9; ++i) stress_(i, first + lane) = volume * P[i][lane];
    energies_[first + lane] = volume == 0.0 ? 0.0 : volume * energy[lane];
    if (!pass_.stiffness) continue;
    double* to = tangents_.data() + 9 * kPairs * (first + lane);
    for (const auto& [i, k] : kAxes)  // of rows i: A(j, l) = ∂P_ij/∂F_kl, the transposed block
      for (int l = 0; l < 3; ++l)
        for (int j = 0; j < 3; ++j) *to++ = -volume * A[(i + 3 * j) + 9 * (k + 3 * l)][lane];
  }
}

void PointSum::by_kernel(const Pack& own, const Pack4 H0[9], const Pack4 H[9], Pack4 P[9], Pack4* A,
                         Pack4& energy) const {
  with_kernel<Pack4>(own.law, own.lambda, own.mu, [&](const auto& law) {
    if (pass_.energy) energy = law.energy(H);
    if (pass_.mean) return;
    if (A != nullptr)
      law.stress_tangent(H, P, A);
    else
      law.stress(H, P);
  });
  if (!pass_.mean) return;
  const MeanStrain<Pack4> strain(H0, H);
  with_mean_kernel<Pack4>(own.law, own.lambda, own.mu, [&](const auto& law) { law(strain, P, A); });
}

void PointSum::by_point(const Pack& own, const Pack4 H0[9], const Pack4 H[9], Pack4 P[9], Pack4* A,
                        Pack4& energy) const {
  for (int lane = 0; lane < kLanes4; ++lane) {
    const Material& material = materials_[to_size(own.material[to_size(lane)])];
    const Matrix3 h = lane_matrix(H, lane), F = deformation(h);
    Matrix3 p;
    Matrix9 a;
    if (pass_.energy) energy[lane] = energy_density(material, F);
    if (pass_.mean) {
      mean_stress(material, lane_matrix(H0, lane), h, material.invertible, p, A != nullptr ? &a : nullptr);
    } else if (A != nullptr) {
      stress_and_tangent(material, F, material.invertible, p, a);
    } else {
      p = stress(material, F);
    }
    for (int i = 0; i < 9; ++i) P[i][lane] = p.data()[i];
    for (int i = 0; A != nullptr && i < 81; ++i) A[i][lane] = a.data()[i];
  }
}

/// ψ̂ − ψ and its derivatives: one decomposition of F serves both laws. Its tangent is projected.
void PointSum::restoring(const Pack& own, const Pack4 H0[9], const Pack4 H[9], Pack4 P[9], Pack4* A,
                         Pack4& energy) const {
  for (int lane = 0; lane < kLanes4; ++lane) {
    const std::size_t number = to_size(own.material[to_size(lane)]);
    const Material &whole = materials_[number], &plain = plain_[number];
    const Matrix3 h = lane_matrix(H, lane);
    Matrix3 p = Matrix3::Zero();
    Matrix9 a = Matrix9::Zero();
    if (whole.invertible && whole.law == Law::kStvk) {
      const Svd3 svd = svd_rotations(deformation(h));
      const PrincipalResponse more =
          difference(principal_response(whole, svd.sigma), principal_response(plain, svd.sigma));
      energy[lane] = more.energy;
      p = principal_stress(svd, more);
      if (A != nullptr) a = principal_tangent(svd, clamp_negative(more));
      if (pass_.mean) {
        Matrix3 without;
        mean_stress(whole, lane_matrix(H0, lane), h, true, p, nullptr);
        mean_stress(plain, lane_matrix(H0, lane), h, false, without, nullptr);
        p -= without;
      }
    }
    for (int i = 0; i < 9; ++i) P[i][lane] = p.data()[i];
    for (int i = 0; A != nullptr && i < 81; ++i) A[i][lane] = a.data()[i];
  }
}

/// f_c = Σ P g_c, with the sign of what the kernels subtract.
void PointSum::sum_force(Group& group) const {
  group.f.setZero();
  const Panel P{const_cast<double*>(stress_.data()) + 9 * group.first, 3};
  subtract_product(panel(group.f), group.rows, 3, read_panel(group.gradients), P, 3 * group.count);
}

/// One of the blocks of K: Σ (G a) Gᵀ.
void PointSum::sum_stiffness(Group& group, Index pair) const {
  MatrixX &K = group.K[to_size(pair)], &product = group.products[to_size(pair)];
  const Index rows = group.rows, columns = std::ssize(group.columns);
  const bool diagonal = kAxes[to_size(pair)][0] == kAxes[to_size(pair)][1];
  K.setZero();
  for (Index begin = 0; begin < group.count; begin += group.panel) {
    const Index count = std::min(group.panel, group.count - begin);
    for (Index p = 0; p < count; ++p) {
      const double* a = tangents_.data() + 9 * (kPairs * (group.first + begin + p) + pair);
      const double* g = group.gradients.data() + 3 * rows * (begin + p);
      double* t = product.data() + 3 * rows * p;
      for (Index c = 0; c < rows; c += kLanes4) {
        const Pack4 x = load_pack(g + c), y = load_pack(g + rows + c), z = load_pack(g + 2 * rows + c);
        for (int l = 0; l < 3; ++l)
          store_pack(Pack4(x * a[3 * l] + y * a[3 * l + 1] + z * a[3 * l + 2]), t + rows * l + c);
      }
    }
    const Panel G{const_cast<double*>(group.gradients.data()) + 3 * rows * begin, rows};
    if (diagonal)
      subtract_lower_product(panel(K), rows, columns, panel(product), G, 3 * count);
    else
      subtract_product(panel(K), rows, columns, panel(product), G, 3 * count);
  }
}

void PointSum::scatter(MatrixX& f, MatrixRef K) const {
  const Index m = f.rows();
  for (const Group& group : groups_) {
    const Index count = std::ssize(group.columns);
    for (Index i = 0; i < 3; ++i)
      for (Index c = 0; c < count; ++c) f(group.columns[to_size(c)], i) -= group.f(c, i);
    for (Index pair = 0; pass_.stiffness && pair < kPairs; ++pair) {
      const auto [i, k] = kAxes[to_size(pair)];
      const MatrixX& own = group.K[to_size(pair)];
      for (Index d = 0; d < count; ++d) {
        const Index column = group.columns[to_size(d)];
        for (Index c = i == k ? d : 0; c < count; ++c) {
          const Index row = group.columns[to_size(c)];
          K(m * i + row, m * k + column) += own(c, d);
          if (i != k || c != d) K(m * k + column, m * i + row) += own(c, d);
        }
      }
    }
  }
}

}  // namespace pliant
