#include "pliant/model/coupled/site_rows.hpp"

#include "pliant/math/rotation.hpp"
#include "pliant/model/coupled/site_products.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace pliant {
namespace {

constexpr Index kFewNumbers = 20000;  // of shapes, that are worth one thread only
constexpr Index kRowsAtOnce = 32;     // sites whose sums stay in the caches
constexpr Index kRowsOfChunk = 128;   // sites that one thread takes at a time
constexpr Index kMostLanes = 8;       // threads that compute sums

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

/// What is below the diagonal, above it.
void mirror_lower(MatrixX& A) {
  for (Index j = 1; j < A.cols(); ++j)
    for (Index i = 0; i < j; ++i) A(i, j) = A(j, i);
}

}  // namespace

SiteRows::SiteRows(const CoupledBody& body, const CoupledLayout& layout,
                   const std::vector<VertexId>& vertices)
    : count_(std::ssize(vertices)),
      rest_(3 * count_),
      frame_size_(layout.frame_size),
      q_starts_(layout.q_starts),
      starts_(layout.starts),
      domain_places_(layout.places),
      part_of_(vertices.size()),
      place_of_(vertices.size()) {
  std::map<Index, Part> parts;
  std::vector<double> places;
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
    numbers_ += part.shapes.size();
    places.push_back(layout.places[to_size(d)]);
    parts_.push_back(std::move(part));
  }
  part_shares_ = Shares(std::move(places));
}

/// Parts write to places of their own.
template <class Work>
void SiteRows::for_each_part(const Work& work) const {
  if (numbers_ < kFewNumbers) {
    for (Part& part : parts_) work(part);
    return;
  }
  const auto task = [&](Index i, Index /*lane*/) { work(parts_[to_size(i)]); };
  part_shares_.run(std::cref(task));  // std::cref: no allocation
}

void SiteRows::places(const CoupledShape& shape, VectorRef x) const {
  for_each_part([&](Part& part) {
    const RigidFrame& frame = shape.frames[to_size(part.domain)];
    part.here = part.rest;
    part.here.noalias() += part.shapes * shape.q.segment(q_starts_[to_size(part.domain)], part.shapes.cols());
    for (std::size_t i = 0; i < part.sites.size(); ++i)
      x.segment<3>(3 * part.sites[i]) =
          frame.position + frame.rotation * part.here.segment<3>(3 * static_cast<Index>(i));
  });
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
  for_each_part([&](Part& part) {
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
  });
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
    part.crossed.resize(3 * to_size(part.shapes.rows()));
    part.sources.resize(part.sites.size());
    part.turned.resize(padded_unknowns(rows), 3);
    part.rows = MatrixX::Zero(padded_unknowns(rows), part.shapes.rows());
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
    for (auto& [row, entry] : entries) {
      if (pair.rows.empty() || pair.rows.back() != row) {
        pair.rows.push_back(row);
        pair.begins.push_back(std::ssize(pair.entries));
      }
      pair.entries.push_back(entry);
    }
    pair.begins.push_back(std::ssize(pair.entries));
    pairs_.push_back(std::move(pair));
  }
  cut_into_chunks();
}

void SiteRows::cut_into_chunks() {
  chunks_.clear();
  std::vector<double> places;
  Index entries = 0, height = 0;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    Pair& pair = pairs_[i];
    const Index left = parts_[to_size(pair.first)].rows.rows();
    const Index right = parts_[to_size(pair.second)].rows.rows();
    const Index rows = std::ssize(pair.rows);
    pair.first_chunk = std::ssize(chunks_);
    const double place = domain_places_[to_size(parts_[to_size(pair.first)].domain)];
    for (Index begin = 0; begin < rows; begin += kRowsOfChunk) {
      chunks_.push_back(
          {static_cast<Index>(i), begin, std::min(begin + kRowsOfChunk, rows), MatrixX::Zero(left, right)});
      places.push_back(place);
    }
    pair.last_chunk = std::ssize(chunks_);
    height = std::max(height, right);
    for (Index row = 0; row < rows; ++row)
      entries = std::max(entries, pair.begins[to_size(row + 1)] - pair.begins[to_size(row)]);
  }
  chunk_shares_ = Shares(std::move(places));
  lanes_.resize(to_size(std::min(kMostLanes, std::ssize(chunks_))));
  for (Lane& lane : lanes_) {
    lane.right.resize(height, 3 * kRowsAtOnce);
    lane.blocks.resize(to_size(9 * entries));
    lane.sources.resize(to_size(entries));
    lane.left.resize(to_size(kRowsAtOnce));
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
  for_each_part([&](Part& part) {
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
  });
}

/// S_ij += Σ_ab (R B)_aᵀ K_ab (R B)_b: chunks in any order, then their sums in theirs.
void SiteRows::add_stiffness(const CoupledShape& shape, ConstVectorRef x, const SparseMatrix& K,
                             double factor, BlockCholesky& S) {
  turn_rows(shape, x);
  const double* values = K.valuePtr();
  const auto work = [&](Index i, Index lane) {
    sum_chunk(chunks_[to_size(i)], values, factor, lanes_[to_size(lane)]);
  };
  chunk_shares_.run(std::cref(work), static_cast<int>(lanes_.size()));
  for (const Pair& pair : pairs_) {
    auto block = S.block(parts_[to_size(pair.first)].domain, parts_[to_size(pair.second)].domain);
    for (Index i = pair.first_chunk; i < pair.last_chunk; ++i) {
      MatrixX& sum = chunks_[to_size(i)].sum;
      if (pair.first == pair.second) mirror_lower(sum);
      block += sum.topLeftCorner(block.rows(), block.cols());
    }
  }
}

void SiteRows::subtract_shared(ConstMatrixRef L, ConstMatrixRef C, BlockCholesky& S) {
  for (const Part& part : parts_) {
    MatrixX pressed = MatrixX::Zero(part.rows.rows(), L.cols());
    for (std::size_t i = 0; i < part.sites.size(); ++i) {
      const auto rows = L.middleRows<3>(3 * part.sites[i]);
      if (!rows.isZero(0.0)) pressed.noalias() += part.rows.middleCols<3>(3 * static_cast<Index>(i)) * rows;
    }
    auto block = S.block(part.domain, part.domain);
    const auto own = pressed.topRows(block.rows());
    block.noalias() -= own * C * own.transpose();
  }
}

/// First the sums over b for each a, then the products of all a.
void SiteRows::sum_chunk(Chunk& chunk, const double* values, double factor, Lane& lane) const {
  const Pair& pair = pairs_[to_size(chunk.pair)];
  const Part& first = parts_[to_size(pair.first)];
  const Index left_stride = chunk.sum.rows(), right_stride = chunk.sum.cols();
  chunk.sum.setZero();
  for (Index begin = chunk.begin; begin < chunk.end; begin += kRowsAtOnce) {
    const Index end = std::min(begin + kRowsAtOnce, chunk.end);
    sum_rows(pair, begin, end, values, factor, lane);
    for (Index i = begin; i < end; ++i)
      lane.left[to_size(i - begin)] = first.rows.data() + 3 * left_stride * pair.rows[to_size(i)];
    add_site_products({lane.left.data(), to_size(end - begin)}, left_stride, lane.right.data(), right_stride,
                      pair.first == pair.second, chunk.sum.data());
  }
}

/// Σ_b K_ab (R B)_b for the rows [begin, end) of a pair.
void SiteRows::sum_rows(const Pair& pair, Index begin, Index end, const double* values, double factor,
                        Lane& lane) const {
  const Part& second = parts_[to_size(pair.second)];
  const Index stride = second.rows.rows();
  for (Index i = begin; i < end; ++i) {
    const auto from = to_size(pair.begins[to_size(i)]);
    const auto count = to_size(pair.begins[to_size(i + 1)]) - from;
    for (std::size_t k = 0; k < count; ++k) {
      const Entry& entry = pair.entries[from + k];
      copy_block(values, entry.at, entry.flipped, entry.diagonal, factor, &lane.blocks[9 * k]);
      lane.sources[k] = second.rows.data() + 3 * entry.column * stride;
    }
    sum_site_blocks({lane.sources.data(), count}, lane.blocks.data(), stride,
                    lane.right.data() + 3 * (i - begin) * stride);
  }
}

/// With f in own axes: ∂²/∂turn² of Σ f·x is ½ (f yᵀ + y fᵀ) − (f·y) 1, and turn with q_l gives Σ U_l × f.
/// All of it is Σ (R B)ᵀ f~ R.
void SiteRows::add_geometric(const CoupledShape& shape, ConstVectorRef f, double factor, BlockCholesky& S) {
  for_each_part([&](Part& part) {
    const auto d = to_size(part.domain);
    if (frame_size_[d] == 0) return;
    const Index stride = part.rows.rows();
    for (std::size_t i = 0; i < part.sites.size(); ++i) {
      Eigen::Map<Matrix3>(&part.crossed[9 * i]) = -factor * cross_matrix(f.segment<3>(3 * part.sites[i]));
      part.sources[i] = part.rows.data() + 3 * static_cast<Index>(i) * stride;
    }
    sum_site_blocks(part.sources, part.crossed.data(), stride, part.turned.data());
    auto block = S.block(part.domain, part.domain);
    const Matrix3& R = shape.frames[d].rotation;
    const Matrix3 turn = part.turned.middleRows<3>(3) * R;
    block.block<3, 3>(3, 3) += 0.5 * (turn + turn.transpose());
    block.block(6, 3, part.columns.rows(), 3).noalias() += part.turned.middleRows(6, part.columns.rows()) * R;
  });
}

}  // namespace pliant
