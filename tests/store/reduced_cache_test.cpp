#include "pliant/store/reduced_cache.hpp"

#include "fem/bodies.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/mesh/core/tet10.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <limits>

namespace pliant {
namespace {

constexpr const char* kKey = "0123456789abcdef0123456789abcdef";

/// Random numbers in all places; nothing here is a real body, but everything has the right size.
ReducedBody sample_reduced(Index r, std::size_t groups, bool forms) {
  Rng rng(17);
  const auto fill = [&](auto& matrix) {
    for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = rng.uniform(-1.0, 1.0);
  };
  ReducedBody body;
  body.basis.shapes.resize(81, r);
  body.basis.strength.resize(r);
  fill(body.basis.shapes);
  fill(body.basis.strength);
  body.basis.captured = 0.75;
  body.basis.expected = {0.01, 0.02, 0.03, -1.0};
  body.basis.free = true;
  body.basis.attachment = r / 2;
  fill(body.origin);
  for (std::size_t g = 0; g < groups; ++g) {
    InertiaIntegrals& inertia = body.inertia.emplace_back(InertiaIntegrals::zero(r));
    inertia.mass = rng.uniform(0.0, 1.0);
    fill(inertia.first);
    fill(inertia.second);
    fill(inertia.shape_first);
    fill(inertia.shape_position);
    fill(inertia.shape_shape);
    fill(inertia.shape_mass);
  }
  if (forms) {
    body.forms.emplace();
    for (std::size_t g = 0; g < 2 * groups; ++g) {
      QuarticForm form = QuarticForm::zero(r);
      fill(form.second);
      fill(form.third);
      fill(form.fourth);
      (g % 2 == 0 ? body.forms->lambda : body.forms->mu).push_back(form);
    }
  } else {
    CubaturePoints points;
    points.gradients.resize(27, r);
    points.weights.resize(3);
    points.curve.resize(3, 2);
    points.poses.resize(r, 4);
    for (MatrixX* each : {&points.gradients, &points.curve, &points.poses}) fill(*each);
    fill(points.weights);
    points.groups = {0, static_cast<Index>(groups) - 1, 0};
    points.elements = {1, 0, 5};
    points.error = 0.03;
    body.cubature = std::move(points);
  }
  return body;
}

/// 27 vertices with tets, a hex and quadratic tets, two of them held.
CachedBody with_rest(ReducedBody reduced) {
  const VolumeMesh linear = generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet);
  VolumeMesh mesh = make_quadratic(linear);
  mesh.tets = linear.tets;
  mesh.hexes = generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kHex).hexes;
  MaterialMap map;
  map.materials.assign(reduced.inertia.size(), test::material_of(Law::kStvk));
  map.materials.back() = {Law::kNeoHookean, 3e5, 0.45, 1200.0, true, 0.25};
  for (Index e = 0; e < mesh.element_count(); ++e) map.of_element.push_back(e % std::ssize(map.materials));
  return {std::make_shared<const RestBody>(std::move(mesh), std::move(map)),
          {1, 6},
          std::make_shared<const ReducedBody>(std::move(reduced))};
}

CachedBody sample(Index r, std::size_t groups, bool forms) {
  return with_rest(sample_reduced(r, groups, forms));
}

/// The bytes of every number that a body holds.
std::string bits(const CachedBody& body) {
  CachedNumbers numbers;
  std::string all;
  for (const Hdf5Array& array : reduced_body_arrays(body, numbers)) {
    Index count = 1;
    for (const Index size : array.shape) count *= size;
    all += array.name;
    all.append(reinterpret_cast<const char*>(array.values), to_size(count) * sizeof(double));
  }
  return all;
}

std::string image(const CachedBody& body) { return reduced_body_image(body, kKey).value(); }

TEST(ReducedCache, ReadsBackEveryBit) {
  ReducedBody body = sample_reduced(5, 2, true);
  body.basis.shapes(3, 2) = -0.0;
  body.inertia[1].shape_mass(1, 1) = std::numeric_limits<double>::denorm_min();
  for (const CachedBody& cached :
       {with_rest(body), sample(5, 3, false), sample(1, 1, true), sample(0, 1, true)}) {
    const std::string bytes = image(cached);
    const Result<CachedBody> read = parse_reduced_body(bytes, kKey, "x.h5");
    ASSERT_TRUE(read.ok()) << to_string(read.error());
    EXPECT_EQ(bits(read.value()), bits(cached));
    const ReducedBody &written = *cached.reduced, &back = *read.value().reduced;
    EXPECT_EQ(back.basis.free, written.basis.free);
    EXPECT_EQ(back.basis.attachment, written.basis.attachment);
    EXPECT_EQ(back.forms.has_value(), written.forms.has_value());
    if (written.forms) {
      EXPECT_EQ(back.forms->size(), written.size());
    }
    ASSERT_EQ(back.cubature.has_value(), written.cubature.has_value());
    if (written.cubature) {
      EXPECT_EQ(back.cubature->groups, written.cubature->groups);
      EXPECT_EQ(back.cubature->elements, written.cubature->elements);
    }
    const RestBody &at_rest = *cached.rest, &rest = *read.value().rest;
    EXPECT_EQ(rest.mesh().vertices, at_rest.mesh().vertices);
    EXPECT_EQ(rest.mesh().tets, at_rest.mesh().tets);
    EXPECT_EQ(rest.mesh().hexes, at_rest.mesh().hexes);
    EXPECT_EQ(rest.mesh().tet10s, at_rest.mesh().tet10s);
    EXPECT_EQ(rest.materials().materials, at_rest.materials().materials);
    EXPECT_EQ(rest.materials().of_element, at_rest.materials().of_element);
    EXPECT_EQ(read.value().held, cached.held);
    EXPECT_EQ(image(read.value()), bytes);  // canonical
  }
}

TEST(ReducedCache, KeepsABodyOfAFolder) {
  const test::TemporaryFolder folder;
  const ReducedCache cache(folder.path() / "deep" / "cache");
  Diagnostics notes;
  EXPECT_FALSE(cache.load(kKey, notes));
  EXPECT_TRUE(notes.empty());  // not there is no trouble
  const CachedBody body = sample(4, 1, true);
  ASSERT_TRUE(cache.save(kKey, body).ok());
  ASSERT_TRUE(cache.save(kKey, body).ok());  // again, over it
  const auto loaded = cache.load(kKey, notes);
  ASSERT_TRUE(loaded && notes.empty());
  EXPECT_EQ(bits(*loaded), bits(body));

  // under another name it is another's body
  std::filesystem::rename(cache.file(kKey), cache.file("ffff"));
  EXPECT_FALSE(cache.load("ffff", notes));
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].code, ErrorCode::kInconsistent);
  EXPECT_EQ(notes[0].where.key, "key");
  EXPECT_EQ(notes[0].where.file, cache.file("ffff").string());
}

TEST(ReducedCache, CannotSaveWhereAFileIsInTheWay) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "file", "x").ok());
  const Status saved = ReducedCache(folder.path() / "file" / "cache").save(kKey, sample(1, 1, false));
  ASSERT_FALSE(saved.ok());
  EXPECT_EQ(saved.error().code, ErrorCode::kUnwritable);
}

/// One random change of a file: bits, a cut, an extension, two blocks exchanged, a block of zeros.
std::string damaged(const std::string& good, Rng& rng) {
  const auto below = [&](std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(rng.uniform(0.0, static_cast<double>(n))));
  };
  std::string bytes = good;
  switch (below(5)) {
    case 0:
      for (std::size_t i = below(3) + 1; i > 0; --i) bytes[below(bytes.size())] ^= char(1U << below(8));
      break;
    case 1:
      bytes.resize(below(bytes.size()));
      break;
    case 2:
      for (std::size_t i = below(600) + 1; i > 0; --i) bytes.push_back(char(below(256)));
      break;
    case 3: {
      const std::size_t size = below(500) + 8;
      std::swap_ranges(bytes.begin(), bytes.begin() + Index(size),
                       bytes.begin() + Index(bytes.size() - size));
      const std::size_t a = below(bytes.size() - size), b = below(bytes.size() - size);
      std::memmove(bytes.data() + a, good.data() + b, size);
      break;
    }
    default: {
      const std::size_t size = below(2000) + 1, at = below(bytes.size() - size);
      std::fill_n(bytes.begin() + Index(at), size, '\0');
    }
  }
  return bytes;
}

TEST(ReducedCache, TrustsNoneOfAThousandDamagedFiles) {
  const test::TemporaryFolder folder;
  const ReducedCache cache(folder.path());
  const CachedBody body = sample(4, 2, true);
  ASSERT_TRUE(cache.save(kKey, body).ok());
  const std::string good = read_file(cache.file(kKey)).value();
  Rng rng(99);
  int done = 0;
  while (done < 1000) {
    const std::string bad = damaged(good, rng);
    if (bad == good) continue;
    ++done;
    std::filesystem::remove(cache.file(kKey));  // cutting an old file short would wait for the disk
    std::ofstream(cache.file(kKey), std::ios::binary) << bad;
    Diagnostics notes;
    EXPECT_FALSE(cache.load(kKey, notes)) << done;
    ASSERT_EQ(notes.size(), 1U) << done;
    EXPECT_EQ(notes[0].where.file, cache.file(kKey).string());
    EXPECT_FALSE(notes[0].remedy.empty());
  }
  ASSERT_TRUE(cache.save(kKey, body).ok());  // built anew, it serves again
  Diagnostics notes;
  EXPECT_TRUE(cache.load(kKey, notes) && notes.empty());
}

TEST(ReducedCache, SaysWhatIsWrong) {
  const std::string good = image(sample(3, 1, true));
  const auto code = [&](const std::string& bytes) {
    const Result<CachedBody> read = parse_reduced_body(bytes, kKey, "x.h5");
    return read.ok() ? ErrorCode::kUsage : read.error().code;
  };
  EXPECT_EQ(code(""), ErrorCode::kSyntax);
  EXPECT_EQ(code("PK\x03\x04 something else"), ErrorCode::kSyntax);
  EXPECT_EQ(code(good.substr(512)), ErrorCode::kSyntax);  // bare HDF5, without our seal
  EXPECT_EQ(code(good.substr(0, 100)), ErrorCode::kTruncated);
  EXPECT_EQ(code(good.substr(0, good.size() - 1)), ErrorCode::kTruncated);
  EXPECT_EQ(code(good + '\0'), ErrorCode::kInconsistent);
  std::string old = good;
  old[8] = char(kReducedCacheVersion + 1);
  EXPECT_EQ(code(old), ErrorCode::kUnsupported);
  EXPECT_EQ(code(seal_reduced_body("no HDF5", kKey)), ErrorCode::kSyntax);
  EXPECT_EQ(code(seal_reduced_body("", kKey)), ErrorCode::kSyntax);
}

/// Files with a right checksum whose arrays do not fit together: `edit` changes the arrays before writing.
std::pair<ErrorCode, std::string> read_edited(const std::function<void(std::vector<Hdf5Array>&)>& edit) {
  const CachedBody body = sample(3, 2, true);
  CachedNumbers numbers;
  std::vector<Hdf5Array> arrays = reduced_body_arrays(body, numbers);
  edit(arrays);
  const Result<std::string> payload = write_hdf5(arrays);
  if (!payload) return {ErrorCode::kUsage, "not written"};
  const auto read = parse_reduced_body(seal_reduced_body(payload.value(), kKey), kKey, "x.h5");
  if (read) return {ErrorCode::kUsage, ""};
  return {read.error().code, read.error().where.key};
}

Hdf5Array& named(std::vector<Hdf5Array>& arrays, const std::string& name) {
  return *std::find_if(arrays.begin(), arrays.end(), [&](const Hdf5Array& a) { return a.name == name; });
}

TEST(ReducedCache, ChecksArraysAgainstEachOther) {
  using Edited = std::pair<ErrorCode, std::string>;
  const Edited whole{ErrorCode::kUsage, ""};
  EXPECT_EQ(read_edited([](auto&) {}), whole);

  const CachedBody body = sample(3, 2, true);
  CachedNumbers numbers;
  for (const Hdf5Array& array : reduced_body_arrays(body, numbers)) {
    const Edited refused{ErrorCode::kInconsistent, array.name};
    EXPECT_EQ(read_edited([&](auto& arrays) {
                std::erase_if(arrays, [&](const Hdf5Array& a) { return a.name == array.name; });
              }),
              refused);  // missing
    EXPECT_EQ(read_edited([&](auto& arrays) { named(arrays, array.name).shape.back() -= 1; }), refused);
    EXPECT_EQ(read_edited([&](auto& arrays) { named(arrays, array.name).shape.push_back(1); }), refused);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> nans(1000, nan);
    const ErrorCode code = array.name == "sizes" ? ErrorCode::kInconsistent : ErrorCode::kNonFinite;
    EXPECT_EQ(read_edited([&](auto& arrays) { named(arrays, array.name).values = nans.data(); }),
              Edited(code, array.name));
  }
}

/// Sizes that would need more memory than there is, or are no sizes at all.
TEST(ReducedCache, AllocatesNothingThatAFileMerelyClaims) {
  // of a body with r = 3, 81 degrees of freedom, two groups, polynomials, six tets, one hex, six
  // quadratic tets, two held vertices, no cubature points
  const std::vector<double> rest{6, 1, 6, 2, 0, 0, 0};
  std::vector<std::vector<double>> claims{
      {1e4, 3e11, 1, 1, 0, 0}, {3, 81, 1e12, 1, 1, 0}, {1e9, 81, 1, 1, 1, 0}, {3, -81, 1, 1, 1, 0},
      {3.5, 81, 2, 1, 1, 0},   {3, 81, 2, 2, 1, 0},    {3, 82, 2, 1, 1, 0},   {1e300, 3, 2, 1, 1, 0},
      {1e4, 81, 2, 1, 1, 0},   {3, 81, 2, 1, 1, 4},    {3, 81, 2, 1, 1, -1.0}};
  for (std::vector<double>& claim : claims) claim.insert(claim.end(), rest.begin(), rest.end());
  for (const auto& more : {std::array{1e12, 1.0, 6.0, 2.0},
                           {6.0, 1e12, 6.0, 2.0},
                           {6.0, 1.0, 1e12, 2.0},
                           {6.0, 1.0, 6.0, 28.0},
                           {6.5, 1.0, 6.0, 2.0}})
    claims.push_back({3, 81, 2, 1, 1, 0, more[0], more[1], more[2], more[3], 0, 0, 0});
  claims.push_back({3, 81, 2, 1, 1, 0, 6, 1, 6, 2, 1e12, 0, 0});
  claims.push_back({3, 81, 2, 1, 1, 0, 6, 1, 6, 2, 1, 1e12, 0});
  claims.push_back({3, 81, 2, 1, 1, 0, 6, 1, 6, 2, 0.5, 0, 0});
  for (const std::vector<double>& claim : claims) {
    const auto [code, key] = read_edited([&](auto& arrays) { arrays[0].values = claim.data(); });
    EXPECT_EQ(code, ErrorCode::kInconsistent);
    EXPECT_EQ(key, "sizes");
  }
  // an honest file, but others expect fewer coordinates or groups
  for (const std::vector<double>& claim : {std::vector<double>{2, 81, 2, 1, 1, 0, 6, 1, 6, 2, 0, 0, 0},
                                           {0, 81, 2, 1, 1, 0, 6, 1, 6, 2, 0, 0, 0}}) {
    const auto [code, key] = read_edited([&](auto& arrays) { arrays[0].values = claim.data(); });
    EXPECT_EQ(code, ErrorCode::kInconsistent);
    EXPECT_EQ(key, "basis/shapes");
  }
}

/// Finite numbers that are no vertex, no material, no law.
TEST(ReducedCache, ChecksTheBodyAtRest) {
  const auto read_with = [](const char* name, std::size_t place, double value) {
    std::vector<double> values;
    return read_edited([&](auto& arrays) {
      Hdf5Array& array = named(arrays, name);
      values.assign(array.values, array.values + array.shape[0] * array.shape[1]);
      values[place] = value;
      array.values = values.data();
    });
  };
  for (const char* name : {"rest/tets", "rest/hexes", "rest/tet10s", "rest/held", "rest/material_of"})
    for (const double wrong : {27.0, -1.0, 0.5, -0.0, 1e300})
      EXPECT_EQ(read_with(name, 1, wrong), std::pair(ErrorCode::kInconsistent, std::string(name))) << wrong;
  const std::pair no_material(ErrorCode::kInconsistent, std::string("rest/materials"));
  EXPECT_EQ(read_with("rest/materials", 0, 5.0), no_material);   // law
  EXPECT_EQ(read_with("rest/materials", 1, -1.0), no_material);  // Young's modulus
  EXPECT_EQ(read_with("rest/materials", 2, 0.5), no_material);   // Poisson's ratio
  EXPECT_EQ(read_with("rest/materials", 4, 2.0), no_material);   // invertible or not
}

TEST(ReducedCache, KeyFollowsEveryInput) {
  const auto key = [](double x, double young, double density, VertexId held, const char* recipe) {
    VolumeMesh mesh = generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet);
    mesh.vertices[0].x() += x;
    Material material = test::material_of(Law::kStvk);
    material.young = young;
    material.density = density;
    const std::vector<VertexId> vertices{held};
    return reduced_body_key(ElasticBody(mesh, {{material}, {}}), vertices, recipe);
  };
  const std::string first = key(0.0, 1.0, 1.0, 0, "r = 10");
  EXPECT_EQ(first, key(0.0, 1.0, 1.0, 0, "r = 10"));
  EXPECT_EQ(first.size(), 32U);
  EXPECT_NE(first, key(1e-15, 1.0, 1.0, 0, "r = 10"));
  EXPECT_NE(first, key(0.0, 2.0, 1.0, 0, "r = 10"));
  EXPECT_NE(first, key(0.0, 1.0, 2.0, 0, "r = 10"));
  EXPECT_NE(first, key(0.0, 1.0, 1.0, 1, "r = 10"));
  EXPECT_NE(first, key(0.0, 1.0, 1.0, 0, "r = 11"));
}

}  // namespace
}  // namespace pliant
