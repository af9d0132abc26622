#include "pliant/reduce/make_stvk_forms.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/reduce/stvk_rows.hpp"
#include "pliant/solve/blas.hpp"

#include <cblas.h>

#include <algorithm>
#include <array>
#include <optional>

namespace pliant {
namespace {

constexpr Index kTile = 128;       // columns per tile of the product: small enough to spread over threads
constexpr Index kBatchRows = 512;  // rows multiplied at once: 2 MB with r = 30

/// The Gram matrix of the columns of B, G += BᵀB (lower triangle), where B comes in batches of rows. Each
/// tile of G is one task, which adds the batches in order: the sums do not depend on the threads.
class Gram {
 public:
  explicit Gram(Index size)
      : tiles_(block_count(size, kTile)),
        width_((size + tiles_ - 1) / tiles_),
        products_(MatrixX::Zero(size, size)) {}

  [[nodiscard]] Index tasks() const { return tiles_ * (tiles_ + 1) / 2; }
  [[nodiscard]] const MatrixX& products() const { return products_; }

  /// Adds one tile of a batch; the `rows` rows of B stand one after the other. Different tiles may run
  /// concurrently.
  void add(Index task, const double* B, Index rows) {
    // Task number to tile (J, I) of a lower triangle stored row by row.
    Index J = 0;
    while ((J + 1) * (J + 2) / 2 <= task) ++J;
    const Index I = task - J * (J + 1) / 2;  // I ≤ J
    const Index size = products_.rows();
    const auto n = static_cast<int>(size);
    const auto k = static_cast<int>(rows);
    const auto height = static_cast<int>(std::min(width_, size - J * width_));
    const auto width = static_cast<int>(std::min(width_, size - I * width_));
    double* tile = &products_(J * width_, I * width_);
    if (I == J)
      cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, height, k, 1.0, B + J * width_, n, 1.0, tile, n);
    else
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, height, width, k, 1.0, B + J * width_, n,
                  B + I * width_, n, 1.0, tile, n);
  }

 private:
  Index tiles_;
  Index width_;
  MatrixX products_;
};

/// The form ½ factor φᵀGφ with φ = (q_l; ½ q_l q_p over all l, p). By Eq. R3 the symmetric coefficients are
/// sums over the ways to split the indices: A_kl = G_k,l; B_jkl = G_j,kl + G_k,jl + G_l,jk; C_ijkl = G_ij,kl
/// + G_ik,jl + G_il,jk.
QuarticForm collapse(const MatrixX& G, Index r, double factor) {
  QuarticForm form = QuarticForm::zero(r);
  const bool quadratic = G.rows() > r;
  const auto pair = [&](Index a, Index b) { return r + pair_place(std::min(a, b), std::max(a, b)); };
  // Lower triangle only.
  const auto product = [&](Index a, Index b) { return G(std::max(a, b), std::min(a, b)); };
  parallel_tasks(r, [&](Index l) {
    for (Index k = 0; k <= l; ++k) {
      form.second[pair_place(k, l)] = factor * G(l, k);
      if (!quadratic) continue;
      for (Index j = 0; j <= k; ++j) {
        form.third[triple_place(j, k, l)] = factor * (G(pair(k, l), j) + G(pair(j, l), k) + G(pair(j, k), l));
        for (Index i = 0; i <= j; ++i)
          form.fourth[quadruple_place(i, j, k, l)] =
              factor * (product(pair(i, j), pair(k, l)) + product(pair(i, k), pair(j, l)) +
                        product(pair(i, l), pair(j, k)));
      }
    }
  });
  return form;
}

/// Sums the forms of one material, over elements of any kind of strain, a batch at a time.
class FormBuilder {
 public:
  FormBuilder(const StrainWriter& writer, Progress& progress, Index& done)
      : writer_(&writer),
        progress_(&progress),
        done_(&done),
        strain_(writer.columns()),
        trace_(writer.columns()) {}

  /// False when cancelled.
  [[nodiscard]] bool add(StrainKind kind, const std::vector<Index>& elements) {
    const Index batch = std::max<Index>(1, kBatchRows / strain_rows(kind));
    const auto count = std::ssize(elements);
    for (Index begin = 0; begin < count; begin += batch) {
      if (progress_->cancelled()) return false;
      add_batch(kind, std::span(elements).subspan(to_size(begin), to_size(std::min(batch, count - begin))));
    }
    return true;
  }
  // ∫ ½ tr²E, rows give ∫ 2 tr²E.
  [[nodiscard]] QuarticForm lambda(Index r) const { return collapse(trace_.products(), r, 0.5); }
  // ∫ E:E, rows give ∫ 2 E:E, or less a third of ∫ 2 tr²E.
  [[nodiscard]] QuarticForm mu(Index r, bool without_trace) const {
    if (!without_trace) return collapse(strain_.products(), r, 1.0);
    return collapse(strain_.products() + trace_.products() / 3.0, r, 1.0);
  }

 private:
  void add_batch(StrainKind kind, std::span<const Index> elements) {
    const Index columns = writer_->columns();
    const auto count = std::ssize(elements);
    const Index strain_size = strain_rows(kind) * columns;
    const Index trace_size = trace_rows(kind) * columns;
    strain_rows_.resize(to_size(count * strain_size));
    trace_rows_.resize(to_size(count * trace_size));
    // Blocks of about 64 rows: small elements must not become tasks of their own.
    parallel_blocks(count, std::max<Index>(1, 64 / strain_rows(kind)), [&](Index, Index begin, Index end) {
      for (Index e = begin; e < end; ++e)
        writer_->write(elements[to_size(e)], kind, strain_rows_.data() + e * strain_size,
                       trace_rows_.data() + e * trace_size);
    });
    parallel_tasks(strain_.tasks() + trace_.tasks(), [&](Index task) {
      if (task < strain_.tasks())
        strain_.add(task, strain_rows_.data(), count * strain_rows(kind));
      else
        trace_.add(task - strain_.tasks(), trace_rows_.data(), count * trace_rows(kind));
    });
    progress_->update(*done_ += count);
  }

  const StrainWriter* writer_;
  Progress* progress_;
  Index* done_;
  Gram strain_;
  Gram trace_;
  std::vector<double> strain_rows_;
  std::vector<double> trace_rows_;
};

}  // namespace

/// One builder per material group, and another for rows without trace: all kinds of elements write rows of
/// the same length.
Result<StvkForms> make_stvk_forms(const ElasticBody& body, ConstMatrixRef U, Progress& progress) {
  PLIANT_ASSERT(U.rows() == body.dof_count());
  use_one_blas_thread();
  const Index r = U.cols();
  const MatrixX shapes = U.transpose();
  const VolumeMesh& mesh = body.mesh();
  const MaterialMap& map = body.materials();
  StvkForms forms;
  if (r == 0) {  // rigid
    forms.lambda.assign(map.materials.size(), QuarticForm::zero(0));
    forms.mu = forms.lambda;
    return forms;
  }
  progress.begin("polynomials", mesh.element_count());
  Index done = 0;
  for (std::size_t g = 0; g < map.materials.size(); ++g) {
    PLIANT_ASSERT(has_polynomial(map.materials[g]));
    const StrainWriter writer(mesh, shapes, map.materials[g]);
    std::array<std::vector<Index>, kStrainKinds.size()> elements;
    for (Index e = 0; e < mesh.element_count(); ++e)
      if (map.of_element.empty() ? g == 0 : map.of_element[to_size(e)] == static_cast<Index>(g))
        elements[to_size(writer.kind(e))].push_back(e);
    forms.lambda.push_back(QuarticForm::zero(r));
    forms.mu.push_back(QuarticForm::zero(r));
    for (const bool apart : {false, true}) {
      std::optional<FormBuilder> builder;
      for (const StrainKind kind : kStrainKinds) {
        if (without_trace(kind) != apart || elements[to_size(kind)].empty()) continue;
        if (!builder) builder.emplace(writer, progress, done);
        if (!builder->add(kind, elements[to_size(kind)])) {
          progress.end();
          return Diagnostic{ErrorCode::kCancelled, {}, "cancelled while making polynomials", ""};
        }
      }
      if (!builder) continue;
      forms.lambda.back().add(1.0, builder->lambda(r));
      forms.mu.back().add(1.0, builder->mu(r, apart));
    }
  }
  progress.end();
  return forms;
}

}  // namespace pliant
