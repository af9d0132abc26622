#include "pliant/model/reduced/growing_body.hpp"

#include "pliant/base/text.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/subspace/mass.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace pliant {
namespace {

// Squared sine of the angle to all other shapes in the mass norm, below which a shape is dependent.
constexpr double kIndependent = 1e-8;

/// The mass matrix of a part's elements of one material group, at unit density.
SparseMatrix group_mass(const RestBody& part, Index group) {
  const std::vector<Index>& of_element = part.materials().of_element;
  std::vector<double> density(to_size(part.mesh().element_count()));
  for (std::size_t e = 0; e < density.size(); ++e) density[e] = of_element[e] == group ? 1.0 : 0.0;
  return consistent_mass(part.mesh(), density);
}

std::vector<char> groups_of(const RestBody& part) {
  std::vector<char> present(part.materials().materials.size(), 0);
  for (const Index group : part.materials().of_element) present[to_size(group)] = 1;
  return present;
}

/// One axis of some shapes, without the columns that are zero along it.
struct AxisFields {
  std::vector<Index> columns;
  MatrixX values;  // vertices × columns
};

std::array<AxisFields, 3> by_axis(ConstMatrixRef rows) {
  std::array<AxisFields, 3> fields;
  const Index n = rows.rows() / 3;
  for (Index axis = 0; axis < 3; ++axis) {
    AxisFields& own = fields[to_size(axis)];
    const auto all = [&](Index c) {
      return Eigen::Map<const VectorX, 0, Eigen::InnerStride<3>>(rows.col(c).data() + axis, n);
    };
    for (Index c = 0; c < rows.cols(); ++c)
      if (!all(c).isZero(0.0)) own.columns.push_back(c);
    own.values.resize(n, std::ssize(own.columns));
    for (Index i = 0; i < own.values.cols(); ++i) own.values.col(i) = all(own.columns[to_size(i)]);
  }
  return fields;
}

/// Writes the rows and columns of `added` (c of them, the last ones of `rows`) into integrals of Eq. R4.
void add_integrals(const SparseMatrix& mass, const VectorX& rest, const Vector3& origin, ConstMatrixRef rows,
                   Index added, InertiaIntegrals& integrals) {
  const Index r = rows.cols(), first = r - added;
  const std::array<AxisFields, 3> all = by_axis(rows), local = by_axis(rows.rightCols(added));
  MatrixX places(mass.cols(), 4);
  for (Index v = 0; v < mass.cols(); ++v) {
    places.row(v).head<3>() = (rest.segment<3>(3 * v) - origin).transpose();
    places(v, 3) = 1.0;
  }
  const MatrixX weighted_places = mass * places;
  for (Index m = 0; m < 3; ++m) {
    const AxisFields& right = all[to_size(m)];
    const MatrixX weighted = mass * right.values;
    for (Index k = 0; k < 3; ++k) {
      const AxisFields& left = local[to_size(k)];
      const MatrixX product = left.values.transpose() * weighted;
      for (Index j = 0; j < product.cols(); ++j)
        for (Index i = 0; i < product.rows(); ++i) {
          const Index l = first + left.columns[to_size(i)], p = right.columns[to_size(j)];
          integrals.shape_shape(9 * l + k + 3 * m, p) += product(i, j);
          if (p < first) integrals.shape_shape(9 * p + m + 3 * k, l) += product(i, j);
          if (k != m) continue;
          integrals.shape_mass(l, p) += product(i, j);
          if (p < first) integrals.shape_mass(p, l) += product(i, j);
        }
    }
    const AxisFields& own = local[to_size(m)];
    const MatrixX moments = own.values.transpose() * weighted_places;
    for (Index i = 0; i < moments.rows(); ++i) {
      const Index l = first + own.columns[to_size(i)];
      for (Index axis = 0; axis < 3; ++axis) integrals.shape_position(m + 3 * axis, l) += moments(i, axis);
      integrals.shape_first(m, l) += moments(i, 3);
    }
  }
}

/// Keeps rows and columns of which `from` has the old numbers; −1: new ones, zero.
void select(InertiaIntegrals& integrals, const std::vector<Index>& from) {
  const Index r = std::ssize(from);
  InertiaIntegrals made = InertiaIntegrals::zero(r);
  made.mass = integrals.mass;
  made.first = integrals.first;
  made.second = integrals.second;
  for (Index p = 0; p < r; ++p) {
    const Index old = from[to_size(p)];
    if (old < 0) continue;
    made.shape_first.col(p) = integrals.shape_first.col(old);
    made.shape_position.col(p) = integrals.shape_position.col(old);
    for (Index l = 0; l < r; ++l) {
      const Index row = from[to_size(l)];
      if (row < 0) continue;
      made.shape_shape.block<9, 1>(9 * l, p) = integrals.shape_shape.block<9, 1>(9 * row, old);
      made.shape_mass(l, p) = integrals.shape_mass(row, old);
    }
  }
  integrals = std::move(made);
}

std::vector<Index> count_up(Index begin, Index end) {
  std::vector<Index> list;
  for (Index i = begin; i < end; ++i) list.push_back(i);
  return list;
}

bool meet(const std::vector<Index>& a, const std::vector<Index>& b) {
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() && j != b.end()) {
    if (*i == *j) return true;
    if (*i < *j)
      ++i;
    else
      ++j;
  }
  return false;
}

MatrixX rows_at(const MatrixX& shapes, const std::vector<VertexId>& vertices) {
  MatrixX rows(3 * std::ssize(vertices), shapes.cols());
  for (std::size_t i = 0; i < vertices.size(); ++i)
    rows.middleRows<3>(3 * static_cast<Index>(i)) = shapes.middleRows<3>(3 * Index{vertices[i]});
  return rows;
}

/// Rows of local shapes at the vertices of a part, which contain theirs.
void spread(const LocalShapes& local, const std::vector<VertexId>& vertices, Eigen::Ref<MatrixX> rows) {
  rows.setZero();
  auto at = vertices.begin();
  for (std::size_t i = 0; i < local.vertices.size(); ++i) {
    at = std::lower_bound(at, vertices.end(), local.vertices[i]);
    rows.middleRows<3>(3 * (at - vertices.begin())) = local.shapes.middleRows<3>(3 * static_cast<Index>(i));
  }
}

}  // namespace

GrowingBody::GrowingBody(std::shared_ptr<const ReducedBody> original, std::shared_ptr<const RestBody> rest,
                         std::shared_ptr<const LocalElements> elements, std::vector<VertexId> seeds,
                         GrownForces& forces)
    : original_(std::move(original)),
      rest_(std::move(rest)),
      elements_(std::move(elements)),
      seeds_(std::move(seeds)),
      forces_(forces),
      materials_(rest_->materials().materials),
      body_(original_) {}

Index GrowingBody::first_of(std::size_t i) const {
  Index first = original_->size();
  for (std::size_t k = 0; k < i; ++k) first += inserted_[k].size();
  return first;
}

std::optional<std::size_t> GrowingBody::find(std::string_view name) const {
  for (std::size_t i = 0; i < inserted_.size(); ++i)
    if (inserted_[i].name == name) return i;
  return std::nullopt;
}

Status GrowingBody::insert(const Insertion& insertion, const std::function<Vector3(VertexId)>& displacement) {
  if (find(insertion.name))
    return Diagnostic{ErrorCode::kInconsistent,
                      {{}, 0, 0, "insert"},
                      "\"" + insertion.name + "\" is there already",
                      "give it another name, or remove the first one before"};
  std::vector<VertexId> seeds = seeds_;
  for (const LocalShapes& other : inserted_) seeds.push_back(other.seed);
  Result<LocalShapes> made = elements_->make(insertion, seeds, displacement);
  if (!made) return made.errors();
  LocalShapes& shapes = made.value();
  if (Status independent = make_independent(shapes); !independent) return independent;
  append(shapes);
  inserted_.push_back(std::move(shapes));
  place_forces();
  return Done{};
}

/// Mass products of the shapes, of which the last columns are those of `shapes`, with all.
MatrixX GrowingBody::mass_with_all(const LocalShapes& shapes) const {
  const ElementPart part = elements_->part(elements_->around(shapes.vertices));
  MatrixX rows(3 * std::ssize(part.vertices), body_->size() + shapes.size());
  rows.leftCols(body_->size()) = rows_at(body_->basis.shapes, part.vertices);
  spread(shapes, part.vertices, rows.rightCols(shapes.size()));
  MatrixX product(shapes.size(), rows.cols());
  MatrixX weighted(rows.rows(), shapes.size());
  for (Index c = 0; c < shapes.size(); ++c)
    part.rest->apply_mass(rows.col(body_->size() + c), weighted.col(c));
  product.noalias() = weighted.transpose() * rows;
  return product;
}

/// Keeps combinations of the shapes that the others do not span: those are eigenvectors of the mass that is
/// left when the others are projected out.
Status GrowingBody::make_independent(LocalShapes& shapes) const {
  const Index r = body_->size();
  const MatrixX with_all = mass_with_all(shapes);
  MatrixX others = MatrixX::Zero(r, r);
  for (std::size_t g = 0; g < materials_.size(); ++g)
    others += materials_[g].density * body_->inertia[g].shape_mass;
  const PositiveFactor factor(others);
  if (!factor.succeeded())
    return Diagnostic{ErrorCode::kNumerical, {{}, 0, 0, "insert"}, "the mass cannot be factorised", ""};
  const MatrixX left = with_all.leftCols(r);
  const MatrixX own = with_all.rightCols(shapes.size());
  const MatrixX remaining = own - left * factor.solve_all(left.transpose());
  const SymmetricEigen eigen(0.5 * (remaining + remaining.transpose()));
  Index kept = 0;
  while (kept < shapes.size() && eigen.values()[shapes.size() - 1 - kept] > kIndependent) ++kept;
  if (kept == 0)
    return Diagnostic{ErrorCode::kInconsistent,
                      {{}, 0, 0, "insert"},
                      "\"" + shapes.name + "\" adds nothing: the body can take all these shapes already",
                      "take another place or radius"};
  if (kept < shapes.size()) shapes.shapes = shapes.shapes * eigen.vectors().rightCols(kept);
  return Done{};
}

void GrowingBody::append(const LocalShapes& shapes) {
  if (!grown_) {
    grown_ = std::make_shared<ReducedBody>();
    grown_->basis = original_->basis;
    grown_->origin = original_->origin;
    grown_->inertia = original_->inertia;
    body_ = grown_;
  }
  const Index r = grown_->size(), c = shapes.size();
  MatrixX& U = grown_->basis.shapes;
  U.conservativeResize(Eigen::NoChange, r + c);
  U.rightCols(c).setZero();
  for (std::size_t i = 0; i < shapes.vertices.size(); ++i)
    U.block(3 * Index{shapes.vertices[i]}, r, 3, c) = shapes.shapes.middleRows<3>(3 * static_cast<Index>(i));
  grown_->basis.strength.conservativeResize(r + c);
  grown_->basis.strength.tail(c).setOnes();
  touched_.push_back(elements_->around(shapes.vertices));
  const ElementPart part = elements_->part(touched_.back());
  const MatrixX rows = rows_at(U, part.vertices);
  std::vector<Index> from = count_up(0, r);
  from.resize(to_size(r + c), -1);
  const std::vector<char> present = groups_of(*part.rest);
  for (std::size_t g = 0; g < grown_->inertia.size(); ++g) {
    select(grown_->inertia[g], from);
    if (present[g] != 0)
      add_integrals(group_mass(*part.rest, static_cast<Index>(g)), part.rest->rest_positions(),
                    grown_->origin, rows, c, grown_->inertia[g]);
  }
}

void GrowingBody::remove_columns(Index first, Index count) {
  const Index r = grown_->size();
  MatrixX& U = grown_->basis.shapes;
  for (Index c = first; c + count < r; ++c) U.col(c) = U.col(c + count);
  U.conservativeResize(Eigen::NoChange, r - count);
  grown_->basis.strength.conservativeResize(r - count);
  std::vector<Index> from = count_up(0, first);
  for (Index c = first + count; c < r; ++c) from.push_back(c);
  for (InertiaIntegrals& integrals : grown_->inertia) select(integrals, from);
}

void GrowingBody::drop(const std::vector<char>& marked) {
  for (std::size_t i = inserted_.size(); i-- > 0;) {
    if (marked[i] == 0) continue;
    remove_columns(first_of(i), inserted_[i].size());
    inserted_.erase(inserted_.begin() + static_cast<std::ptrdiff_t>(i));
    touched_.erase(touched_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  place_forces();
}

void GrowingBody::assign(std::vector<LocalShapes> list) {
  if (grown_) {
    remove_columns(original_->size(), grown_->size() - original_->size());
    inserted_.clear();
    touched_.clear();
  }
  for (LocalShapes& shapes : list) {
    append(shapes);
    inserted_.push_back(std::move(shapes));
  }
  place_forces();
}

void GrowingBody::set_materials(const std::vector<Material>& materials) {
  materials_ = materials;
  elements_ = elements_->with_materials(materials);
}

/// One part for all insertions whose elements meet, directly or through others.
void GrowingBody::place_forces() {
  std::vector<std::size_t> cluster(inserted_.size());
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    cluster[i] = i;
    for (std::size_t k = 0; k < i; ++k) {
      if (!meet(touched_[i], touched_[k])) continue;
      const std::size_t old = std::max(cluster[i], cluster[k]), to = std::min(cluster[i], cluster[k]);
      for (std::size_t& each : cluster)
        if (each == old) each = to;
    }
  }
  std::vector<GrownPart> parts;
  for (std::size_t c = 0; c < inserted_.size(); ++c) {
    std::vector<Index> elements;
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < inserted_.size(); ++i) {
      if (cluster[i] != c) continue;
      members.push_back(i);
      elements.insert(elements.end(), touched_[i].begin(), touched_[i].end());
    }
    if (members.empty()) continue;
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    const ElementPart part = elements_->part(std::move(elements));
    GrownPart made;
    auto original = std::make_shared<ReducedBody>(), all = std::make_shared<ReducedBody>();
    original->basis.shapes = rows_at(original_->basis.shapes, part.vertices);
    Index size = original_->size();
    for (const std::size_t i : members)
      for (Index k = 0; k < inserted_[i].size(); ++k, ++size) made.columns.push_back(first_of(i) + k);
    all->basis.shapes.resize(original->basis.shapes.rows(), size);
    all->basis.shapes.leftCols(original_->size()) = original->basis.shapes;
    size = original_->size();
    for (const std::size_t i : members) {
      spread(inserted_[i], part.vertices, all->basis.shapes.middleCols(size, inserted_[i].size()));
      size += inserted_[i].size();
    }
    made.all = part.loops->forces(std::move(all));
    made.original = part.loops->forces(std::move(original));
    parts.push_back(std::move(made));
  }
  forces_.set_parts(std::move(parts));
}

void GrowingBody::add_to(ConstVectorRef q, VectorRef field) const {
  for (std::size_t i = 0; i < inserted_.size(); ++i) {
    const LocalShapes& one = inserted_[i];
    const auto own = q.segment(first_of(i), one.size());
    for (std::size_t v = 0; v < one.vertices.size(); ++v)
      field.segment<3>(3 * Index{one.vertices[v]}) +=
          one.shapes.middleRows<3>(3 * static_cast<Index>(v)) * own;
  }
}

void GrowingBody::save(StateArrays& arrays) const {
  for (std::size_t i = 0; i < inserted_.size(); ++i) {
    const LocalShapes& one = inserted_[i];
    const std::string key = "inserted " + text(static_cast<Index>(i));
    arrays[key + " name"] = std::vector<double>(one.name.begin(), one.name.end());
    std::vector<double> vertices{static_cast<double>(one.seed)};
    vertices.insert(vertices.end(), one.vertices.begin(), one.vertices.end());
    arrays[key + " vertices"] = std::move(vertices);
    arrays[key + " shapes"] = std::vector<double>(one.shapes.data(), one.shapes.data() + one.shapes.size());
  }
}

Result<std::vector<LocalShapes>> GrowingBody::saved(const StateArrays& arrays) const {
  std::vector<LocalShapes> list;
  const auto broken = [] {
    return Diagnostic{ErrorCode::kInconsistent,
                      {},
                      "the saved state has broken insertions",
                      "take a checkpoint of this very scene"};
  };
  const auto vertices = static_cast<double>(rest_->mesh().vertex_count());
  for (Index i = 0;; ++i) {
    const std::string key = "inserted " + text(i);
    const auto name = arrays.find(key + " name"), who = arrays.find(key + " vertices"),
               shapes = arrays.find(key + " shapes");
    if (name == arrays.end()) return list;
    if (who == arrays.end() || shapes == arrays.end() || who->second.size() < 2) return broken();
    LocalShapes one;
    for (const double letter : name->second) one.name += static_cast<char>(letter);
    double last = -1.0;
    for (std::size_t v = 0; v < who->second.size(); ++v) {
      const double number = who->second[v];
      if (!(number >= 0.0 && number < vertices) || (v > 0 && !(number > last))) return broken();
      if (v == 0) one.seed = static_cast<VertexId>(number);
      if (v > 0) one.vertices.push_back(static_cast<VertexId>(last = number));
    }
    const std::size_t rows = 3 * one.vertices.size();
    if (shapes->second.empty() || shapes->second.size() % rows != 0) return broken();
    one.shapes = Eigen::Map<const MatrixX>(shapes->second.data(), static_cast<Index>(rows),
                                           static_cast<Index>(shapes->second.size() / rows));
    if (!one.shapes.allFinite()) return broken();
    list.push_back(std::move(one));
  }
}

}  // namespace pliant
