#include "pliant/model/coupled/site_rows.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/math/pack.hpp"
#include "pliant/math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace pliant {
namespace {

/// One block of K as nine numbers, column by column: its three columns stand apart.
void copy_block(const double* values, const Index (&at)[3], bool flipped, bool diagonal, double factor,
                double* block) {
  for (Index c = 0; c < 3; ++c)
    for (Index r = 0; r < 3; ++r) {
      double value = 0.0;
      if (diagonal)  // only the lower triangle is stored
        value = r >= c ? values[at[c] + r - c] : values[at[r] + c - r];
      else
        value = flipped ? values[at[r] + c] : values[at[c] + r];
      block[3 * c + r] = factor * value;
    }
}

/// out (3 columns) = Σ rows_k K_kᵀ over `count` blocks K_k; two packs of rows at a time stay in registers.
template <int Packs>
void sum_blocks(const double* const* rows, const double* blocks, std::size_t count, Index stride, Index from,
                double* out) {
  Pack4 sum[3][Packs] = {};
  for (std::size_t k = 0; k < count; ++k) {
    const double* K = blocks + 9 * k;
    for (int c = 0; c < 3; ++c)
      for (int p = 0; p < Packs; ++p) {
        const Pack4 row = load_pack(rows[k] + c * stride + from + 4 * p);
        for (int r = 0; r < 3; ++r) sum[r][p] += row * K[3 * c + r];
      }
  }
  for (int r = 0; r < 3; ++r)
    for (int p = 0; p < Packs; ++p) store_pack(sum[r][p], out + r * stride + from + 4 * p);
}

/// Rows up to full packs.
Index padded(Index rows) { return (rows + 3) / 4 * 4; }

}  // namespace

CoupledLayout::CoupledLayout(const CoupledBody& body) : q_starts{0}, starts{0} {
  for (const CoupledDomain& domain : body.domains) {
    frame_size.push_back(domain.anchored || domain.full ? 0 : 6);
    if (!domain.full) ++reduced;
    q_starts.push_back(q_starts.back() + domain.reduced->size());
    starts.push_back(starts.back() + frame_size.back() + domain.reduced->size());
  }
}

SiteRows::SiteRows(const CoupledBody& body, const CoupledLayout& layout,
                   const std::vector<VertexId>& vertices)
    : count_(std::ssize(vertices)),
      rest_(3 * count_),
      frame_size_(layout.frame_size),
      q_starts_(layout.q_starts),
      starts_(layout.starts),
      part_of_(vertices.size()),
      place_of_(vertices.size()) {
  std::map<Index, Part> parts;
  for (Index i = 0; i < count_; ++i) {
    const VertexId vertex = vertices[to_size(i)];
    rest_.segment<3>(3 * i) = body.rest->mesh().vertices[to_size(vertex)];
    parts[body.domain_of[to_size(vertex)]].sites.push_back(i);
  }
  for (auto& [d, part] : parts) {
    const ReducedBody& reduced = *body.domains[to_size(d)].reduced;
    const auto n = std::ssize(part.sites);
    part.domain = d;
    part.shapes.resize(3 * n, reduced.size());
    part.rest.resize(3 * n);
    part.here = VectorX::Zero(3 * n);
    for (Index i = 0; i < n; ++i) {
      const Index site = part.sites[to_size(i)];
      const VertexId vertex = vertices[to_size(site)];
      part.shapes.middleRows<3>(3 * i) =
          reduced.basis.shapes.middleRows<3>(3 * Index{body.row_of[to_size(vertex)]});
      part.rest.segment<3>(3 * i) = rest_.segment<3>(3 * site) - body.domains[to_size(d)].origin();
      part_of_[to_size(site)] = std::ssize(parts_);
      place_of_[to_size(site)] = i;
    }
    parts_.push_back(std::move(part));
  }
}

void SiteRows::places(const CoupledShape& shape, VectorRef x) const {
  for (Part& part : parts_) {
    const RigidFrame& frame = shape.frames[to_size(part.domain)];
    part.here = part.rest;
    part.here.noalias() += part.shapes * shape.q.segment(q_starts_[to_size(part.domain)], part.shapes.cols());
    for (std::size_t i = 0; i < part.sites.size(); ++i)
      x.segment<3>(3 * part.sites[i]) =
          frame.position + frame.rotation * part.here.segment<3>(3 * static_cast<Index>(i));
  }
}

void SiteRows::velocities(const CoupledShape& shape, ConstVectorRef x, VectorRef v) const {
  for (Part& part : parts_) {
    const RigidFrame& frame = shape.frames[to_size(part.domain)];
    part.here.noalias() = part.shapes * shape.qd.segment(q_starts_[to_size(part.domain)], part.shapes.cols());
    const Vector3 linear = frame.rotation * frame.twist.head<3>();
    const Vector3 spin = frame.rotation * frame.twist.tail<3>();
    for (std::size_t i = 0; i < part.sites.size(); ++i) {
      const Index site = 3 * part.sites[i];
      const Vector3 arm = x.segment<3>(site) - frame.position;
      v.segment<3>(site) =
          linear + spin.cross(arm) + frame.rotation * part.here.segment<3>(3 * static_cast<Index>(i));
    }
  }
}

void SiteRows::moves(const CoupledShape& shape, ConstVectorRef x, ConstVectorRef change, VectorRef dx) const {
  for (Part& part : parts_) {
    const auto d = to_size(part.domain);
    const RigidFrame& frame = shape.frames[d];
    part.here.noalias() = part.shapes * change.segment(starts_[d] + frame_size_[d], part.shapes.cols());
    Vector3 move = Vector3::Zero(), turn = Vector3::Zero();
    if (frame_size_[d] > 0) {
      move = frame.rotation * change.segment<3>(starts_[d]);
      turn = frame.rotation * change.segment<3>(starts_[d] + 3);
    }
    for (std::size_t i = 0; i < part.sites.size(); ++i) {
      const Index site = 3 * part.sites[i];
      const Vector3 arm = x.segment<3>(site) - frame.position;
      dx.segment<3>(site) =
          move + turn.cross(arm) + frame.rotation * part.here.segment<3>(3 * static_cast<Index>(i));
    }
  }
}

void SiteRows::collect(ConstVectorRef x, ConstVectorRef f, std::span<const Vector3> centers,
                       std::span<const Matrix3> turns, SiteForces& sum) const {
  for (Part& part : parts_) {
    const auto d = to_size(part.domain);
    Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
    const Matrix3 back = turns[d].transpose();
    for (std::size_t i = 0; i < part.sites.size(); ++i) {
      const Index site = 3 * part.sites[i];
      const Vector3 own = f.segment<3>(site);
      force += own;
      torque += (x.segment<3>(site) - centers[d]).cross(own);
      part.here.segment<3>(3 * static_cast<Index>(i)) = back * own;
    }
    sum.wrench.col(part.domain).head<3>() += force;
    sum.wrench.col(part.domain).tail<3>() += torque;
    sum.q.segment(q_starts_[d], part.shapes.cols()).noalias() += part.shapes.transpose() * part.here;
  }
}

std::vector<double> SiteRows::gains(const CoupledBody& body) const {
  std::vector<double> result(to_size(count_), 0.0);
  const std::vector<Material>& materials = body.rest->materials().materials;
  for (const Part& part : parts_) {
    const ReducedBody& reduced = *body.domains[to_size(part.domain)].reduced;
    double mass = 0.0;
    for (std::size_t g = 0; g < materials.size(); ++g) mass += materials[g].density * reduced.inertia[g].mass;
    // At the surface of a body of mass m, moves and turns give about 1/m and 3/m.
    const double rigid = frame_size_[to_size(part.domain)] > 0 ? 4.0 / mass : 0.0;
    for (std::size_t i = 0; i < part.sites.size(); ++i)
      result[to_size(part.sites[i])] =
          std::sqrt(rigid + part.shapes.middleRows<3>(3 * static_cast<Index>(i)).squaredNorm());
  }
  return result;
}

void SiteRows::set_pattern(const SparseMatrix& lower) {
  for (Part& part : parts_) {
    const Index rows = frame_size_[to_size(part.domain)] + part.shapes.cols();
    part.columns = part.shapes.transpose();
    part.crossed.resize(part.shapes.rows(), 3);
    part.rows = MatrixX::Zero(padded(rows), part.shapes.rows());
  }
  std::map<std::pair<Index, Index>, Pair> pairs;
  std::map<std::pair<Index, Index>, std::vector<std::pair<Index, Entry>>> found;  // with the site of the row
  const int* outer = lower.outerIndexPtr();
  const int* inner = lower.innerIndexPtr();
  const auto add = [&](Index row, Index column, Entry entry) {
    const Index first = part_of_[to_size(row)], second = part_of_[to_size(column)];
    entry.column = place_of_[to_size(column)];
    found[{first, second}].emplace_back(place_of_[to_size(row)], entry);
  };
  for (Index b = 0; b < count_; ++b) {
    const Index begin = outer[3 * b], end = outer[3 * b + 1];
    for (Index at = begin; at < end; at += 3) {
      const Index a = inner[at] / 3;
      const Index offset = at - begin;
      Entry entry{};
      entry.diagonal = a == b;
      // Columns b's second and third begin one and two rows lower.
      for (Index c = 0; c < 3; ++c)
        entry.at[c] = entry.diagonal ? Index{outer[3 * b + c]} : outer[3 * b + c] + offset - c;
      const Index pa = part_of_[to_size(a)], pb = part_of_[to_size(b)];
      if (pa >= pb) add(a, b, entry);
      entry.flipped = true;
      if (pa < pb || (pa == pb && a != b)) add(b, a, entry);
    }
  }
  pairs_.clear();
  for (auto& [key, entries] : found) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    Pair pair;
    pair.first = key.first;
    pair.second = key.second;
    std::size_t most = 0;
    for (auto& [row, entry] : entries) {
      if (pair.rows.empty() || pair.rows.back() != row) {
        pair.rows.push_back(row);
        pair.begins.push_back(std::ssize(pair.entries));
      }
      pair.entries.push_back(entry);
      most = std::max(most, pair.entries.size() - to_size(pair.begins.back()));
    }
    pair.begins.push_back(std::ssize(pair.entries));
    pair.blocks.resize(9 * most);
    pair.sources.resize(most);
    const Index width = 3 * std::ssize(pair.rows);
    pair.left = MatrixX::Zero(parts_[to_size(pair.first)].rows.rows(), width);
    pair.right = MatrixX::Zero(parts_[to_size(pair.second)].rows.rows(), width);
    pairs_.push_back(std::move(pair));
  }
}

std::vector<std::pair<Index, Index>> SiteRows::pairs() const {
  std::vector<std::pair<Index, Index>> result;
  for (const Pair& pair : pairs_)
    if (pair.first != pair.second)
      result.emplace_back(parts_[to_size(pair.first)].domain, parts_[to_size(pair.second)].domain);
  return result;
}

/// (R B)ᵀ at the present places.
void SiteRows::turn_rows(const CoupledShape& shape, ConstVectorRef x) {
  for (Part& part : parts_) {
    const auto d = to_size(part.domain);
    const Index first = frame_size_[d], r = part.columns.rows();
    const RigidFrame& frame = shape.frames[d];
    const Matrix3 back = frame.rotation.transpose();
    for (Index i = 0; i < std::ssize(part.sites); ++i) {
      auto rows = part.rows.middleCols<3>(3 * i);
      rows.middleRows(first, r) = part.columns.middleCols<3>(3 * i).lazyProduct(back);
      if (first == 0) continue;
      const Vector3 y = back * (x.segment<3>(3 * part.sites[to_size(i)]) - frame.position);
      rows.topRows<3>() = back;
      rows.middleRows<3>(3) = cross_matrix(y) * back;  // (−y~)ᵀ = y~
    }
  }
}

void SiteRows::add_stiffness(const CoupledShape& shape, ConstVectorRef x, const SparseMatrix& K,
                             double factor, BlockCholesky& S) {
  turn_rows(shape, x);
  const double* values = K.valuePtr();
  const auto work = [&](Index i) { add_pair(pairs_[to_size(i)], values, factor, S); };
  parallel_tasks(std::ssize(pairs_), std::ref(work));
}

/// S_ij += Σ_ab (R B)_aᵀ K_ab (R B)_b: first the sums over b for each a, then one product over all a.
void SiteRows::add_pair(Pair& pair, const double* values, double factor, BlockCholesky& S) {
  const Part& first = parts_[to_size(pair.first)];
  const Part& second = parts_[to_size(pair.second)];
  const Index stride = second.rows.rows();
  for (std::size_t i = 0; i < pair.rows.size(); ++i) {
    const auto begin = to_size(pair.begins[i]), count = to_size(pair.begins[i + 1]) - begin;
    for (std::size_t k = 0; k < count; ++k) {
      const Entry& entry = pair.entries[begin + k];
      copy_block(values, entry.at, entry.flipped, entry.diagonal, factor, &pair.blocks[9 * k]);
      pair.sources[k] = second.rows.data() + 3 * entry.column * stride;
    }
    const auto column = 3 * static_cast<Index>(i);
    sum_rows(pair, count, stride, pair.right.data() + column * stride);
    pair.left.middleCols<3>(column) = first.rows.middleCols<3>(3 * pair.rows[i]);
  }
  auto block = S.block(first.domain, second.domain);
  block.noalias() += pair.left.topRows(block.rows()) * pair.right.topRows(block.cols()).transpose();
}

void SiteRows::sum_rows(Pair& pair, std::size_t count, Index stride, double* out) {
  Index row = 0;
  for (; row + 8 <= stride; row += 8)
    sum_blocks<2>(pair.sources.data(), pair.blocks.data(), count, stride, row, out);
  if (row < stride) sum_blocks<1>(pair.sources.data(), pair.blocks.data(), count, stride, row, out);
}

/// With f in own axes: ∂²/∂turn² of Σ f·x is ½ (f yᵀ + y fᵀ) − (f·y) 1, and turn with q_l gives Σ U_l × f.
void SiteRows::add_geometric(const CoupledShape& shape, ConstVectorRef x, ConstVectorRef f, double factor,
                             BlockCholesky& S) {
  for (Part& part : parts_) {
    const auto d = to_size(part.domain);
    if (frame_size_[d] == 0) continue;
    const RigidFrame& frame = shape.frames[d];
    Matrix3 moment = Matrix3::Zero();
    for (std::size_t i = 0; i < part.sites.size(); ++i) {
      const Index site = 3 * part.sites[i];
      const Vector3 own = frame.rotation.transpose() * f.segment<3>(site);
      moment += own * (frame.rotation.transpose() * (x.segment<3>(site) - frame.position)).transpose();
      part.here.segment<3>(3 * static_cast<Index>(i)) = factor * own;
    }
    auto block = S.block(part.domain, part.domain);
    block.block<3, 3>(3, 3) +=
        factor * (0.5 * (moment + moment.transpose()) - moment.trace() * Matrix3::Identity());
    for (Index i = 0; i < part.shapes.rows(); i += 3)  // (U × f)ᵀ = Uᵀ f~
      part.crossed.middleRows<3>(i) = cross_matrix(part.here.segment<3>(i));
    block.block(6, 3, part.columns.rows(), 3).noalias() += part.columns * part.crossed;
  }
}

}  // namespace pliant
