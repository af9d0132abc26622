#include "pliant/reduce/domain_basis.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/base/text.hpp"
#include "pliant/fem/natural_modes.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/reduce/mass_pca.hpp"
#include "pliant/reduce/modal_derivatives.hpp"
#include "pliant/reduce/rigid_motion.hpp"
#include "pliant/subspace/mass.hpp"
#include "pliant/subspace/quartic_form.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kRounding = 1e-12;  // of the largest eigenvalue of a Gram matrix
constexpr double kDependent =
    1e-9;  // of the largest of some vectors: what else is left of others is rounding
constexpr double kInvisible =
    1e-10;  // ratio of squared motion to energy, to the largest: not seen in the domain

Diagnostic wrong(ErrorCode code, std::string key, std::string what, std::string remedy = {}) {
  return {code, {{}, 0, 0, std::move(key)}, std::move(what), std::move(remedy)};
}

Diagnostic interrupted() { return wrong(ErrorCode::kCancelled, {}, "interrupted"); }

/// The elements on which shapes are computed.
struct Solved {
  std::shared_ptr<const ElasticBody> elastic;
  std::vector<VertexId> own;  // vertices of the domain, as in its space
  std::vector<char> free;     // per degree of freedom
  std::vector<Patch> cuts;
  bool chain = false;
};

/// The patch, or without rings the inner elements alone.
SubMesh solved_part(const DomainPatch& patch) {
  std::vector<Index> elements;
  for_each_element(patch.part.mesh, [&](Index e, std::span<const VertexId> vertices) {
    const bool inner =
        std::all_of(vertices.begin(), vertices.end(), [&](VertexId v) { return patch.own[to_size(v)] != 0; });
    if (inner || patch.rings > 0) elements.push_back(e);
  });
  return extract_elements(patch.part.mesh, std::move(elements));
}

MaterialMap materials_of(const MaterialMap& whole, const std::vector<Index>& elements) {
  MaterialMap part{whole.materials, {}};
  part.of_element.reserve(elements.size());
  for (const Index e : elements) part.of_element.push_back(whole.of_element[to_size(e)]);
  return part;
}

/// Vertices that are held in the patch of a free domain but would let it turn are let go: then they are one
/// more place where forces enter.
Solved solved(const DomainPatch& patch, const DomainSpace& space) {
  const SubMesh part = solved_part(patch);
  Solved result;
  result.chain = patch.chain;
  result.elastic =
      std::make_shared<const ElasticBody>(part.mesh, materials_of(patch.materials, part.elements));
  for (const VertexId v : space.vertices) result.own.push_back(part.local(v));
  const auto local = [&](const std::vector<VertexId>& vertices) {
    std::vector<VertexId> list;
    for (const VertexId v : vertices)
      if (const VertexId l = part.local(v); l >= 0) list.push_back(l);
    return list;
  };
  for (const Patch& cut : patch.cuts) result.cuts.push_back({cut.name, local(cut.vertices)});
  result.free.assign(to_size(result.elastic->dof_count()), 1);
  const std::vector<VertexId> held = local(patch.held);
  if (!held.empty() && !space.anchored && !exclude_rotation(part.mesh, held))
    result.cuts.push_back({"held", held});
  else
    for (const VertexId v : held)
      std::fill_n(result.free.begin() + 3 * static_cast<std::ptrdiff_t>(v), 3, char{0});
  return result;
}

MatrixX rows_of(const std::vector<VertexId>& vertices, ConstMatrixRef X) {
  MatrixX rows(3 * std::ssize(vertices), X.cols());
  for (std::size_t i = 0; i < vertices.size(); ++i)
    rows.middleRows<3>(3 * static_cast<Index>(i)) = X.middleRows<3>(3 * Index{vertices[i]});
  return rows;
}

/// Columns on the patch and what the domain feels of them.
struct Shapes {
  MatrixX patch;   // without the rigid motion of the domain
  MatrixX domain;  // its rows
};

/// X −= R RᵀMX on the domain, and the same motion on the patch.
class Restriction {
 public:
  Restriction(const Solved& solved, const DomainSpace& space)
      : solved_(&solved), space_(&space), mass_rigid_(mass_times(space.mass, space.rigid)) {
    if (space.rigid.cols() > 0)
      patch_rigid_ = rigid_fields(solved.elastic->rest_positions(), space.center) * space.rigid_factor;
  }
  [[nodiscard]] MatrixX domain(ConstMatrixRef X) const {
    MatrixX rows = rows_of(solved_->own, X);
    for (int pass = 0; pass < 2 && space_->rigid.cols() > 0; ++pass)
      subtract_combination(rows, space_->rigid, inner_products(mass_rigid_, rows));
    return rows;
  }
  [[nodiscard]] Shapes both(MatrixX X) const {
    Shapes shapes;
    shapes.domain = domain(X);
    if (space_->rigid.cols() > 0)
      subtract_combination(X, patch_rigid_, inner_products(mass_rigid_, rows_of(solved_->own, X)));
    shapes.patch = std::move(X);
    return shapes;
  }

 private:
  const Solved* solved_;
  const DomainSpace* space_;
  MatrixX mass_rigid_, patch_rigid_;
};

/// Combinations that are orthonormal in the energy of the patch.
MatrixX energy_orthonormal(const RestSystem& system, MatrixX X) {
  MatrixX G = inner_products(X, system.stiffness_times(X));
  // Unit energy first, so that units and sizes do not matter; columns of no load are zero.
  const double largest = G.diagonal().maxCoeff();
  for (Index j = 0; j < X.cols(); ++j) X.col(j) *= G(j, j) > 1e-24 * largest ? 1.0 / std::sqrt(G(j, j)) : 0.0;
  G = inner_products(X, system.stiffness_times(X));
  const SymmetricEigen solver(0.5 * (G + G.transpose()));
  const VectorX& values = solver.values();
  const Index kept = (values.array() > kRounding * values.maxCoeff()).count();
  return combine(
      X, solver.vectors().rightCols(kept) * values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal());
}

/// The combinations that move the domain most for their energy on the patch, mass-orthonormal in the domain
/// (C3). The patch's columns must be orthonormal in energy.
Shapes softest(const Shapes& all, const SparseMatrix& mass, Index count) {
  const MatrixX G = inner_products(all.domain, mass_times(mass, all.domain));
  const SymmetricEigen solver(0.5 * (G + G.transpose()));
  const VectorX& values = solver.values();
  const Index kept = std::min<Index>(count, (values.array() > kInvisible * values.maxCoeff()).count());
  const MatrixX C =
      solver.vectors().rightCols(kept) * values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  return {combine(all.patch, C), combine(all.domain, C)};
}

/// Rayleigh–Ritz in the domain, K of its inner elements (C4); the eigenvalues, ascending.
VectorX make_ritz(const ElasticBody& inner, Shapes& shapes) {
  SparseMatrix stiffness = inner.make_matrix();
  VectorX force(inner.dof_count());
  inner.force_and_tangent(VectorX::Zero(inner.dof_count()), TangentKind::kExact, force, stiffness);
  const MatrixX KX = stiffness.selfadjointView<Eigen::Lower>() * shapes.domain;
  const MatrixX K = inner_products(shapes.domain, KX);
  const SymmetricEigen solver(0.5 * (K + K.transpose()));
  MatrixX V = solver.vectors();
  const MatrixX before = combine(shapes.domain, V);
  MatrixX domain = before;
  fix_signs(domain);
  for (Index j = 0; j < V.cols(); ++j)
    if (before.col(j).dot(domain.col(j)) < 0.0) V.col(j) *= -1.0;
  shapes = {combine(shapes.patch, V), std::move(domain)};
  return solver.values().cwiseMax(kRounding * solver.values().maxCoeff());
}

void append(Basis& basis, const MatrixX& shapes, const VectorX& strength) {
  const Index before = basis.size(), added = shapes.cols();
  basis.shapes.conservativeResize(Eigen::NoChange, before + added);
  basis.shapes.rightCols(added) = shapes;
  basis.strength.conservativeResize(before + added);
  basis.strength.tail(added) = strength;
}

/// All that the columns of the basis leave of X, the strongest `room` of it. What is left of vectors that lie
/// in their span is rounding: a small domain has no more shapes than degrees of freedom.
void fill(Basis& basis, const DomainSpace& space, const MatrixX& X, Index room) {
  const Index dofs = 3 * std::count(space.held.begin(), space.held.end(), char{0}) - space.rigid.cols();
  room = std::min(room, dofs - basis.size());
  if (room <= 0 || X.cols() == 0) return;
  MatrixX known(basis.shapes.rows(), space.rigid.cols() + basis.size());
  known << space.rigid, basis.shapes;
  const MassPca pca = mass_pca(space.mass, X, known, {room, {}});
  const double least = kDependent * mass_norms(space.mass, X).maxCoeff();
  Index kept = 0;
  while (kept < pca.shapes.cols() && pca.singular[kept] > least) ++kept;
  if (kept == 0) return;
  basis.captured = pca.captured;
  append(basis, pca.shapes.leftCols(kept), pca.singular.head(kept) / pca.singular[0]);
}

/// Natural modes to start from. Forces and moments on its two cuts tell a piece of something slender nearly
/// all that its neighbours do, and every shape more than needed is a derivative less. Wide or branching
/// pieces need modes, and where there are no cuts, modes are all there is.
Index wanted_modes(const DomainBasisSettings& settings, bool cuts, bool chain) {
  if (settings.linear_modes) return std::min(*settings.linear_modes, settings.modes);
  if (settings.kind == DomainBasis::kModes || !cuts) return std::max<Index>(1, settings.modes / 2);
  if (settings.kind == DomainBasis::kAttachment) return std::min<Index>(4, settings.modes);
  return chain ? 1 : std::min<Index>(4, settings.modes);
}

/// How many linear shapes a basis may have. With many neighbours they could take all of it, but where a
/// domain bends far, derivatives matter more than the last of them.
Index linear_room(const DomainBasisSettings& settings, const ElasticBody& inner, bool chain) {
  const std::vector<Material>& materials = inner.materials().materials;
  const bool linear = std::all_of(materials.begin(), materials.end(),
                                  [](const Material& material) { return material.law == Law::kLinear; });
  if (settings.kind != DomainBasis::kPatch || settings.linear_modes || chain || linear) return settings.modes;
  return std::max(settings.modes / 2, std::min<Index>(settings.modes, 8));
}

/// Natural modes and static responses of the patch. C2
Result<MatrixX> linear_shapes(const Solved& solved, const RestSystem& system,
                              const DomainBasisSettings& settings, Progress& progress) {
  const bool cuts = settings.kind != DomainBasis::kModes && !solved.cuts.empty();
  Result<NaturalModes> modes = natural_modes(
      *solved.elastic, solved.free, wanted_modes(settings, cuts, solved.chain), progress, system.known());
  if (!modes) return modes.errors();
  MatrixX shapes = std::move(modes).value().shapes;
  remove_rigid_modes(*solved.elastic, system.rigid(), shapes);
  if (!cuts) return shapes;
  const Result<MatrixX> responses = attachment_modes(system, solved.cuts, progress);
  if (!responses) return responses.errors();
  const Index k = shapes.cols();
  shapes.conservativeResize(Eigen::NoChange, k + responses.value().cols());
  shapes.rightCols(responses.value().cols()) = responses.value();
  return shapes;
}

/// Derivatives of the vectors on the patch, each weighted by λ₁²/(λ_i λ_j), as the domain feels them. C5
Result<MatrixX> weighted_derivatives(const RestSystem& system, const Shapes& vectors, const VectorX& values,
                                     const Restriction& restriction, Progress& progress) {
  const Result<MatrixX> derivatives = static_derivatives(system, vectors.patch, progress);
  if (!derivatives) return derivatives.errors();
  MatrixX weighted = restriction.domain(derivatives.value());
  for (Index j = 0; j < values.size(); ++j)
    for (Index i = 0; i <= j; ++i)
      weighted.col(pair_place(i, j)) *= values[0] / values[i] * (values[0] / values[j]);
  return weighted;
}

/// Rows of held vertices are zero but for rounding, and all columns orthonormal; make it exact.
void tidy(Basis& basis, const DomainSpace& space) {
  for (std::size_t v = 0; v < space.held.size(); ++v)
    if (space.held[v] != 0) basis.shapes.middleRows<3>(3 * static_cast<Index>(v)).setZero();
  basis.shapes = mass_orthonormalize(space.mass, basis.shapes, space.rigid, 0.0).vectors;
}

SparseMatrix block(const SparseMatrix& whole, const std::vector<VertexId>& vertices) {
  std::vector<int> number(to_size(whole.cols()), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) number[to_size(vertices[i])] = static_cast<int>(i);
  std::vector<Eigen::Triplet<double, int>> entries;
  for (const VertexId v : vertices)
    for (SparseMatrix::InnerIterator it(whole, v); it; ++it)
      if (number[to_size(it.row())] >= 0)
        entries.emplace_back(number[to_size(it.row())], number[to_size(v)], it.value());
  SparseMatrix part(std::ssize(vertices), std::ssize(vertices));
  part.setFromTriplets(entries.begin(), entries.end());
  return part;
}

}  // namespace

Diagnostics check(const DomainBasisSettings& settings) {
  Diagnostics errors;
  if (settings.modes < 0)
    errors.push_back(
        wrong(ErrorCode::kOutOfRange, "modes", "must not be negative, got " + text(settings.modes)));
  if (settings.linear_modes && *settings.linear_modes < 1)
    errors.push_back(wrong(ErrorCode::kOutOfRange, "linear_modes",
                           "must be at least 1, got " + text(*settings.linear_modes)));
  if (settings.rings && *settings.rings < 1)
    errors.push_back(wrong(ErrorCode::kOutOfRange, "rings",
                           "must be at least 1, got " + text(*settings.rings),
                           "choose basis = \"attachment\" for a domain alone"));
  return errors;
}

DomainSpace domain_space(const DomainPatch& patch) {
  const VolumeMesh& mesh = patch.part.mesh;
  DomainSpace space;
  for (Index v = 0; v < mesh.vertex_count(); ++v)
    if (patch.own[to_size(v)] != 0) space.vertices.push_back(static_cast<VertexId>(v));
  const auto n = std::ssize(space.vertices);
  space.rest.resize(3 * n);
  for (Index i = 0; i < n; ++i) {
    const VertexId v = space.vertices[to_size(i)];
    space.rest.segment<3>(3 * i) = mesh.vertices[to_size(v)];
    space.held.push_back(std::binary_search(patch.held.begin(), patch.held.end(), v) ? 1 : 0);
  }
  space.anchored = std::find(space.held.begin(), space.held.end(), char{1}) != space.held.end();

  // The vertices outside the domain count as one other domain: rows of the domain do not see the difference.
  const std::vector<Index> domain_of(patch.own.begin(), patch.own.end());
  space.mass.resize(n, n);
  for (std::size_t g = 0; g < patch.materials.materials.size(); ++g) {
    std::vector<Index> elements;
    for (Index e = 0; e < mesh.element_count(); ++e)
      if (patch.materials.of_element[to_size(e)] == static_cast<Index>(g)) elements.push_back(e);
    VolumeMesh group;
    group.vertices = mesh.vertices;
    for (const Index e : elements) {
      if (e < mesh.first_hex())
        group.tets.push_back(mesh.tets[to_size(e)]);
      else if (e < mesh.first_tet10())
        group.hexes.push_back(mesh.hexes[to_size(e - mesh.first_hex())]);
      else
        group.tet10s.push_back(mesh.tet10s[to_size(e - mesh.first_tet10())]);
    }
    space.unit_masses.push_back(
        block(domain_mass(group, std::vector<double>(elements.size(), 1.0), domain_of), space.vertices));
    space.mass += patch.materials.materials[g].density * space.unit_masses.back();
  }
  const VectorX weights = space.mass * VectorX::Ones(n);
  space.center = Eigen::Map<const Eigen::Matrix3Xd>(space.rest.data(), 3, n) * weights / weights.sum();
  space.rigid.resize(3 * n, 0);
  space.rigid_factor.setZero();
  if (!space.anchored) {
    const MassFactors factors =
        mass_orthonormalize(space.mass, rigid_fields(space.rest, space.center), MatrixX(3 * n, 0), 0.0);
    space.rigid = factors.vectors;
    space.rigid_factor = least_squares(factors.factor, Matrix6::Identity());
  }
  return space;
}

Result<Basis> make_domain_basis(const DomainPatch& patch, const DomainSpace& space, const ElasticBody& inner,
                                const DomainBasisSettings& settings, Progress& progress) {
  Diagnostics errors = check(settings);
  if (!errors.empty()) return errors;
  Basis basis;
  basis.free = !space.anchored;
  basis.shapes.resize(space.rest.size(), 0);
  const bool moves = std::find(space.held.begin(), space.held.end(), char{0}) != space.held.end();
  if (settings.modes == 0 || !moves) return basis;

  const Solved solution = solved(patch, space);
  const Result<RestSystem> system = RestSystem::make(*solution.elastic, solution.free, progress);
  if (!system) return system.errors();
  if (progress.cancelled()) return interrupted();
  const Restriction restriction(solution, space);
  Result<MatrixX> linear = linear_shapes(solution, system.value(), settings, progress);
  if (!linear) return linear.errors();
  const MatrixX independent = energy_orthonormal(system.value(), std::move(linear).value());
  Shapes vectors =
      softest(restriction.both(independent), space.mass, linear_room(settings, inner, patch.chain));
  const VectorX values = make_ritz(inner, vectors);
  append(basis, vectors.domain, VectorX::Ones(values.size()));
  basis.attachment = 0;

  if (basis.size() < settings.modes) {
    const Result<MatrixX> derivatives =
        weighted_derivatives(system.value(), vectors, values, restriction, progress);
    if (!derivatives) return derivatives.errors();
    fill(basis, space, derivatives.value(), settings.modes - basis.size());
  }
  if (const Index room = settings.modes - basis.size(); room > 0) {
    // Few vectors have few derivatives, linear ones have none: more natural modes.
    const Result<NaturalModes> more =
        natural_modes(*solution.elastic, solution.free, settings.modes, progress, system.value().known());
    if (!more) return more.errors();
    MatrixX scaled = restriction.domain(more.value().shapes);
    for (Index j = 0; j < scaled.cols(); ++j)
      scaled.col(j) *= more.value().squared[0] / more.value().squared[j];
    fill(basis, space, scaled, room);
  }
  tidy(basis, space);
  return basis;
}

Result<Basis> domain_basis_from_shapes(const DomainPatch& patch, const DomainSpace& space,
                                       ConstMatrixRef shapes, Index modes) {
  Basis basis;
  basis.free = !space.anchored;
  basis.shapes.resize(space.rest.size(), 0);
  if (modes == 0) return basis;
  std::vector<VertexId> vertices;
  vertices.reserve(space.vertices.size());
  for (const VertexId v : space.vertices) vertices.push_back(patch.part.vertices[to_size(v)]);
  MatrixX X = rows_of(vertices, shapes);
  if (!space.anchored)
    for (Index j = 0; j < X.cols(); ++j) X.col(j) = remove_finite_motion(space.rest, space.mass, X.col(j));
  for (std::size_t v = 0; v < space.held.size(); ++v)
    if (space.held[v] != 0) X.middleRows<3>(3 * static_cast<Index>(v)).setZero();
  fill(basis, space, X, modes);
  return basis;
}

}  // namespace pliant
