#include "pliant/reduce/reduce_coupled.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/reduce/mass_space.hpp"
#include "pliant/reduce/rigid_motion.hpp"
#include "pliant/subspace/quartic_form.hpp"
#include "reduce/coupled_rest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <tuple>

namespace pliant {
namespace {

using test::beam_source;

constexpr std::array<Index, 3> kCoarse{12, 2, 2};

CoupledBody reduced(const CoupledSource& source) {
  Result<CoupledBody> body = reduce_coupled(source, no_progress());
  EXPECT_TRUE(body.ok()) << (body ? "" : to_string(body.error()));
  return std::move(body).value();
}

SparseMatrix mass_of(const CoupledBody& body, const CoupledDomain& domain, const SparseMatrix& whole) {
  SparseMatrix part(std::ssize(domain.vertices), std::ssize(domain.vertices));
  for (const VertexId v : domain.vertices)
    for (SparseMatrix::InnerIterator it(whole, v); it; ++it)
      part.coeffRef(body.row_of[to_size(it.row())], body.row_of[to_size(v)]) = it.value();
  part.makeCompressed();
  return part;
}

VectorX rest_of(const CoupledBody& body, const CoupledDomain& domain) {
  VectorX rest(3 * std::ssize(domain.vertices));
  for (std::size_t i = 0; i < domain.vertices.size(); ++i)
    rest.segment<3>(3 * static_cast<Index>(i)) = body.rest->mesh().vertices[to_size(domain.vertices[i])];
  return rest;
}

/// All that the dynamics rely on.
void check_domain(const CoupledBody& body, const CoupledDomain& domain, const std::vector<VertexId>& held,
                  Index modes) {
  const SparseMatrix mass = mass_of(body, domain, domain_mass(*body.rest, body.domain_of));
  const ReducedBody& reduced = *domain.reduced;
  const MatrixX& U = reduced.basis.shapes;
  ASSERT_EQ(U.rows(), 3 * std::ssize(domain.vertices));
  EXPECT_EQ(U.cols(), modes);
  EXPECT_EQ(reduced.basis.free, !domain.anchored);
  EXPECT_EQ(reduced.basis.strength.size(), U.cols());
  EXPECT_LT((U.transpose() * mass_times(mass, U) - MatrixX::Identity(modes, modes)).cwiseAbs().maxCoeff(),
            1e-11);

  const VectorX weights = mass * VectorX::Ones(mass.cols());
  const VectorX rest = rest_of(body, domain);
  const Vector3 center =
      Eigen::Map<const Eigen::Matrix3Xd>(rest.data(), 3, weights.size()) * weights / weights.sum();
  EXPECT_LT((reduced.origin + domain.shift - center).norm(), 1e-9);
  if (domain.anchored) {
    for (const VertexId v : held) {
      if (body.domain_of[to_size(v)] != body.domain_of[to_size(domain.vertices[0])]) continue;
      const Index row = 3 * Index{body.row_of[to_size(v)]};
      EXPECT_EQ(U.middleRows<3>(row).cwiseAbs().maxCoeff(), 0.0);
    }
  } else {
    const MatrixX rigid = rigid_fields(rest, center);
    EXPECT_LT((rigid.transpose() * mass_times(mass, U)).cwiseAbs().maxCoeff(),
              1e-10 * std::sqrt(weights.sum()));
  }
  InertiaIntegrals all = InertiaIntegrals::zero(modes);
  for (std::size_t g = 0; g < reduced.inertia.size(); ++g)
    all.add(body.rest->materials().materials[g].density, reduced.inertia[g]);
  EXPECT_NEAR(all.mass, weights.sum(), 1e-11 * weights.sum());
  EXPECT_LT(all.first.norm(), 1e-11 * weights.sum());
  EXPECT_LT((all.shape_mass - MatrixX::Identity(modes, modes)).cwiseAbs().maxCoeff(), 1e-11);
  // ∫ρ U_l Xᵀ against a sum over vertices
  const Eigen::Map<const Eigen::Matrix3Xd> x(rest.data(), 3, weights.size());
  const MatrixX MU = mass_times(mass, U);
  for (Index l = 0; l < modes; l += 5) {
    const VectorX shape = MU.col(l);
    const Matrix3 sum = Eigen::Map<const Eigen::Matrix3Xd>(shape.data(), 3, weights.size()) *
                        (x.colwise() - center).transpose();
    EXPECT_LT((sum - Eigen::Map<const Matrix3>(&all.shape_position(0, l))).norm(), 1e-10);
  }
}

/// Kind of elements, basis, clamped or free.
using Case = std::tuple<ElementKind, DomainBasis, bool>;
class CoupledDomains : public testing::TestWithParam<Case> {};

TEST_P(CoupledDomains, AreOrthonormalAndFreeOfRigidMotion) {
  const auto [element, kind, clamped] = GetParam();
  DomainBasisSettings settings;
  settings.kind = kind;
  settings.modes = 12;
  CoupledSource source = beam_source(3, settings, clamped, kCoarse, element, Law::kCorotational);
  // Two materials in each domain.
  MaterialMap materials{{test::soft(), test::soft(Law::kNeoHookean)}, {}};
  materials.materials[1].density = 3000.0;
  const VolumeMesh& mesh = source.elastic->mesh();
  for_each_element(mesh, [&](Index /*e*/, std::span<const VertexId> vertices) {
    materials.of_element.push_back(mesh.vertices[to_size(vertices[0])].y() > 0.05 ? 1 : 0);
  });
  source.elastic = std::make_shared<const ElasticBody>(mesh, materials);
  const CoupledBody body = reduced(source);
  ASSERT_EQ(body.domains.size(), 3U);
  EXPECT_EQ(body.pairs, (std::vector<std::pair<Index, Index>>{{0, 1}, {1, 2}}));
  EXPECT_EQ(body.domains[0].anchored, clamped);
  for (const CoupledDomain& domain : body.domains) check_domain(body, domain, source.held, 12);
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  constexpr std::array kKinds{"Patch", "Modes", "Attachment"};
  const auto [element, kind, clamped] = info.param;
  const std::string name = element == ElementKind::kTet   ? "Tet"
                           : element == ElementKind::kHex ? "Hex"
                                                          : "Tet10";
  return name + kKinds[static_cast<std::size_t>(kind)] + (clamped ? "Clamped" : "Free");
}

INSTANTIATE_TEST_SUITE_P(
    All, CoupledDomains,
    testing::Combine(testing::Values(ElementKind::kTet, ElementKind::kHex, ElementKind::kTet10),
                     testing::Values(DomainBasis::kPatch, DomainBasis::kModes, DomainBasis::kAttachment),
                     testing::Bool()),
    case_name);

/// The figures of docs/theory/coupled.md; two rings.
TEST(ReduceCoupled, FrequenciesOfABeamInPatches) {
  for (const Index modes : {20, 30})
    for (const Index domains : {2, 4, 8}) {
      DomainBasisSettings settings;
      settings.modes = modes;
      settings.rings = 2;
      const CoupledSource source = beam_source(domains, settings);
      const auto [same, consistent] = test::frequency_ratios(source, reduced(source), 6);
      EXPECT_LT(same.maxCoeff() - 1.0, modes == 20 ? 0.005 : 0.003) << domains << " domains, r = " << modes;
      EXPECT_GT(same.minCoeff() - 1.0, -1e-9);  // a subspace is stiffer
      EXPECT_LT((consistent.array() - 1.0).abs().maxCoeff(), domains > 4 ? 0.01 : 0.005);
    }
}

/// Rings by the width of the interfaces: a third one here, and all frequencies within 0.1 % of `full`.
TEST(ReduceCoupled, FrequenciesOfABeamWithAutomaticRings) {
  const CoupledSource source = beam_source(4, {});
  const CoupledPlan plan = plan_coupled(source, no_progress()).value();
  EXPECT_EQ(plan.classes[0].patch.rings, 3);
  const auto [same, consistent] = test::frequency_ratios(source, reduced(source), 6);
  EXPECT_LT(same.maxCoeff() - 1.0, 0.001);
}

/// What the other kinds of basis miss.
TEST(ReduceCoupled, AttachmentIsBetterThanModesAndPatchThanBoth) {
  std::array<double, 3> worst{};
  for (std::size_t kind = 0; kind < 3; ++kind) {
    DomainBasisSettings settings;
    settings.kind = static_cast<DomainBasis>(kind);
    settings.modes = 20;
    const CoupledSource source = beam_source(4, settings);
    worst[kind] = test::frequency_ratios(source, reduced(source), 6).first.maxCoeff() - 1.0;
  }
  EXPECT_LT(worst[0], 0.001);
  EXPECT_GT(worst[1], 0.1);
  EXPECT_GT(worst[2], 0.02);
  EXPECT_LT(worst[2], 0.1);
}

/// A ring: domains that meet in a loop, nothing held.
TEST(ReduceCoupled, FrequenciesOfARing) {
  TorusShape shape;
  shape.across = 3;
  shape.around = 30;
  VolumeMesh mesh = generate_torus(shape, ElementKind::kHex);
  std::vector<Index> domain_of = test::domains_by(mesh, [](const Vector3& x) {
    const double turn = std::atan2(x.y(), x.x()) / (2.0 * std::numbers::pi) + 0.5;
    return std::min<Index>(5, static_cast<Index>(6.0 * turn));
  });
  const CoupledSource source = test::coupled_source(std::move(mesh), std::move(domain_of), {}, {});
  const CoupledBody body = reduced(source);
  EXPECT_EQ(body.pairs.size(), 6U);
  const VectorX hz = test::coupled_frequencies(*source.elastic, body);
  EXPECT_LT(hz[5], 1e-3 * hz[6]);  // six rigid motions, exactly
  const auto [same, consistent] = test::frequency_ratios(source, body, 6);
  EXPECT_LT(same.maxCoeff() - 1.0, 0.01);
}

/// The polynomials are those of the inner elements: A = UᵀK U.
TEST(ReduceCoupled, PolynomialsAreOfInnerElements) {
  DomainBasisSettings settings;
  settings.modes = 8;
  const CoupledSource source = beam_source(3, settings, true, kCoarse);
  const CoupledPlan plan = plan_coupled(source, no_progress()).value();
  const CoupledBody body = reduced(source);
  for (std::size_t d = 0; d < 3; ++d) {
    const ReducedBody& domain = *body.domains[d].reduced;
    ASSERT_TRUE(domain.forms.has_value());
    const auto inner = inner_body(plan.classes[to_size(plan.class_of[d])]);
    EXPECT_EQ(inner->mesh().element_count(), std::ssize(body.domains[d].elements));
    const MatrixX K = domain.basis.shapes.transpose() *
                      (test::rest_stiffness(*inner).selfadjointView<Eigen::Lower>() * domain.basis.shapes);
    QuarticForm sum = QuarticForm::zero(8);
    domain.forms->combine(source.elastic->materials().materials, sum);
    for (Index l = 0; l < 8; ++l)
      for (Index k = 0; k <= l; ++k)
        EXPECT_NEAR(sum.second[pair_place(k, l)], K(k, l), 1e-10 * K.diagonal().maxCoeff());
  }
  EXPECT_EQ(coupling_body(plan)->mesh().element_count(), std::ssize(body.coupling_elements));
  EXPECT_EQ(coupling_body(plan)->mesh().vertex_count(), std::ssize(body.coupling_vertices));
}

/// A long chain has four kinds of domains: both ends, and within the reach of a patch nothing else differs.
TEST(ReduceCoupled, EqualDomainsAreReducedOnce) {
  DomainBasisSettings settings;
  settings.modes = 8;
  settings.rings = 2;
  CoupledSource source = beam_source(8, settings, true, {32, 2, 2});
  const CoupledPlan plan = plan_coupled(source, no_progress()).value();
  EXPECT_LE(std::ssize(plan.classes), 4);
  EXPECT_EQ(plan.class_of[3], plan.class_of[4]);
  EXPECT_NEAR(plan.shift[4].x() - plan.shift[3].x(), 0.125, 1e-12);
  const CoupledBody body = reduced(source);
  EXPECT_EQ(body.domains[3].reduced, body.domains[4].reduced);
  for (const CoupledDomain& domain : body.domains) check_domain(body, domain, source.held, 8);

  // Other settings, another material or another place of one vertex: another class.
  source.settings[4].modes = 7;
  EXPECT_NE(plan_coupled(source, no_progress()).value().class_of[4], plan.class_of[3]);
  source.settings[4].modes = 8;
  VolumeMesh moved = source.elastic->mesh();
  for (Vector3& x : moved.vertices)
    if (x.x() > 0.55 && x.x() < 0.58) x.z() *= 1.0 + 1e-6;
  source.elastic = std::make_shared<const ElasticBody>(moved, source.elastic->materials());
  const CoupledPlan other = plan_coupled(source, no_progress()).value();
  EXPECT_NE(other.class_of[4], other.class_of[3]);
}

TEST(ReduceCoupled, RigidDomainsAndBodiesOfOneDomain) {
  DomainBasisSettings settings;
  settings.modes = 0;
  CoupledSource source = beam_source(3, settings, true, kCoarse);
  source.settings[1].modes = 6;
  const CoupledBody body = reduced(source);
  EXPECT_EQ(body.domains[0].reduced->size(), 0);
  EXPECT_EQ(body.domains[1].reduced->size(), 6);
  EXPECT_EQ(body.domains[2].reduced->size(), 0);
  EXPECT_GT(body.domains[2].reduced->inertia[0].mass, 0.0);

  settings.modes = 10;
  const CoupledBody whole = reduced(beam_source(1, settings, true, kCoarse));
  EXPECT_TRUE(whole.coupling_elements.empty());
  EXPECT_EQ(whole.domains[0].reduced->size(), 10);
}

/// Not more shapes than a domain has degrees of freedom, and no derivatives for the linear law.
TEST(ReduceCoupled, TakesWhatThereIs) {
  DomainBasisSettings settings;
  settings.modes = 500;
  const CoupledBody body = reduced(beam_source(2, settings, true, {4, 1, 1}));
  EXPECT_EQ(body.domains[0].reduced->size(), 3 * 4);
  EXPECT_EQ(body.domains[1].reduced->size(), 3 * 12 - 6);
  settings.modes = 25;
  const CoupledBody linear =
      reduced(beam_source(3, settings, true, kCoarse, ElementKind::kTet, Law::kLinear));
  for (const CoupledDomain& domain : linear.domains) EXPECT_EQ(domain.reduced->size(), 25);
}

/// Shapes of the whole body, each domain's own motion taken out.
TEST(ReduceCoupled, GivenShapes) {
  DomainBasisSettings settings;
  settings.kind = DomainBasis::kShapes;
  settings.modes = 3;
  CoupledSource source = beam_source(3, settings, true, kCoarse);
  const VectorX& rest = source.elastic->rest_positions();
  MatrixX shapes(rest.size(), 5);
  for (Index i = 0; i < rest.size(); i += 3)
    for (Index j = 0; j < 5; ++j)
      shapes.col(j).segment<3>(i) =
          0.1 * Vector3(0, 0, std::pow(rest[i], 2.0 + static_cast<double>(j)) * (1.0 + rest[i + 1]));
  source.shapes = std::make_shared<const MatrixX>(shapes);
  const CoupledBody body = reduced(source);
  for (const CoupledDomain& domain : body.domains) check_domain(body, domain, source.held, 3);
}

void expect_error(const CoupledSource& source, ErrorCode code, const std::string& key) {
  const Result<CoupledBody> body = reduce_coupled(source, no_progress());
  ASSERT_FALSE(body.ok());
  EXPECT_EQ(body.error().code, code) << to_string(body.error());
  EXPECT_EQ(body.error().where.key, key) << to_string(body.error());
}

TEST(ReduceCoupled, SaysWhatIsWrong) {
  const CoupledSource good = beam_source(3, {}, true, kCoarse);
  CoupledSource bad = good;
  bad.settings[1].modes = -1;
  expect_error(bad, ErrorCode::kOutOfRange, "domain 'part 1', modes");
  bad = good;
  bad.settings[2].rings = 0;
  expect_error(bad, ErrorCode::kOutOfRange, "domain 'part 2', rings");
  bad = good;
  bad.settings[2].kind = DomainBasis::kShapes;
  expect_error(bad, ErrorCode::kMissing, "domain 'part 2'");
  bad = good;
  bad.domain_of[5] = 3;
  expect_error(bad, ErrorCode::kOutOfRange, "vertex 5");
  bad = good;
  bad.domain_of.pop_back();
  expect_error(bad, ErrorCode::kInconsistent, "domains");
  bad = good;
  bad.names.emplace_back("nothing");
  bad.settings.emplace_back();
  expect_error(bad, ErrorCode::kDegenerate, "domain 'nothing'");
  bad = good;  // a vertex among those of another domain
  bad.domain_of.back() = 0;
  expect_error(bad, ErrorCode::kInconsistent, "domain 'part 0'");
  bad = good;  // a hinge
  bad.held = test::vertices_where(bad.elastic->mesh(), [](const Vector3& x) { return x.x() + x.z() < 1e-9; });
  expect_error(bad, ErrorCode::kInconsistent, "domain 'part 0'");
}

/// The patch of a free domain may reach a hinge, which is none of its own.
TEST(ReduceCoupled, AHingeWithinReachOfAPatchIsLetGo) {
  DomainBasisSettings settings;
  settings.modes = 10;
  settings.rings = 8;
  CoupledSource source = beam_source(3, settings, true, kCoarse);
  source.held =
      test::vertices_where(source.elastic->mesh(), [](const Vector3& x) { return x.x() + x.z() < 1e-9; });
  source.settings[0].modes = 0;  // it stands
  const CoupledBody body = reduced(source);
  for (std::size_t d = 1; d < 3; ++d) check_domain(body, body.domains[d], source.held, 10);
}

TEST(ReduceCoupled, CanBeCancelled) {
  const std::atomic<bool> cancel{true};
  Progress progress(&cancel);
  const Result<CoupledBody> body = reduce_coupled(beam_source(3, {}, true, kCoarse), progress);
  ASSERT_FALSE(body.ok());
  EXPECT_EQ(body.error().code, ErrorCode::kCancelled);
}

/// The bits do not depend on the number of threads.
TEST(ReduceCoupled, DoesNotDependOnThreads) {
  DomainBasisSettings settings;
  settings.modes = 10;
  const CoupledSource source = beam_source(4, settings, true, kCoarse);
  const auto shapes = [&](int threads) {
    const ThreadScope scope(threads);
    return reduced(source).domains[2].reduced->basis.shapes;
  };
  EXPECT_EQ(shapes(1), shapes(3));
}

}  // namespace
}  // namespace pliant
