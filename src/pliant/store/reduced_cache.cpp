#include "pliant/store/reduced_cache.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/base/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <system_error>

namespace pliant {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian; other hosts must swap");

constexpr std::string_view kMagic{"PLRB\r\n\x1a\n", 8};
constexpr std::size_t kVersionAt = 8, kSizeAt = 16, kKeyAt = 24, kChecksumAt = 56, kDigits = 32;

constexpr double kLargestRank = 10000.0;  // bound that keeps r⁴ within an Index
// Of degrees of freedom and groups: such numbers are exact in a double.
constexpr double kLargestCount = 1e12;
constexpr Index kMaterialNumbers = 7;
constexpr Index kLaws = 5;
// r, degrees of freedom, groups, has forms, is free, attachment, tets, hexes, quadratic tets, held vertices,
// cubature points, columns of their curve, their poses
constexpr const char* kSizes = "sizes";

/// Calls visit(name, shape, values) for every array of the body at rest. Writing and reading share this list.
template <class Numbers, class Visit>
void each_rest_array(Numbers& numbers, const Visit& visit) {
  const auto rows = [&](const char* name, auto& list, Index width) {
    visit(std::string(name), std::vector<Index>{std::ssize(list) / width, width}, list.data());
  };
  rows("rest/vertices", numbers.vertices, 3);
  rows("rest/tets", numbers.tets, 4);
  rows("rest/hexes", numbers.hexes, 8);
  rows("rest/tet10s", numbers.tet10s, 10);
  rows("rest/material_of", numbers.material_of, 1);
  rows("rest/materials", numbers.materials, kMaterialNumbers);
  rows("rest/held", numbers.held, 1);
  if (numbers.point_groups.empty()) return;
  rows("cubature/groups", numbers.point_groups, 1);
  rows("cubature/elements", numbers.point_elements, 1);
}

/// The same for every array of the reduced body.
template <class Body, class Visit>
void each_array(Body& body, const Visit& visit) {
  const auto vector = [&](const std::string& name, auto& v) {
    visit(name, std::vector<Index>{v.size()}, v.data());
  };
  const auto matrix = [&](const std::string& name, auto& m) {  // column by column in memory
    visit(name, std::vector<Index>{m.cols(), m.rows()}, m.data());
  };
  const auto number = [&](const std::string& name, auto& x) { visit(name, std::vector<Index>{1}, &x); };
  matrix("basis/shapes", body.basis.shapes);
  vector("basis/strength", body.basis.strength);
  number("basis/captured", body.basis.captured);
  number("basis/expected/gravity", body.basis.expected.gravity);
  number("basis/expected/mixed", body.basis.expected.mixed);
  number("basis/expected/frequencies", body.basis.expected.frequencies);
  number("basis/expected/swing", body.basis.expected.swing);
  vector("origin", body.origin);
  for (std::size_t g = 0; g < body.inertia.size(); ++g) {
    auto& inertia = body.inertia[g];
    const std::string group = fmt::format("inertia/{}/", g);
    number(group + "mass", inertia.mass);
    vector(group + "first", inertia.first);
    matrix(group + "second", inertia.second);
    matrix(group + "shape_first", inertia.shape_first);
    matrix(group + "shape_position", inertia.shape_position);
    matrix(group + "shape_shape", inertia.shape_shape);
    matrix(group + "shape_mass", inertia.shape_mass);
  }
  if (body.cubature) {
    matrix("cubature/gradients", body.cubature->gradients);
    vector("cubature/weights", body.cubature->weights);
    matrix("cubature/curve", body.cubature->curve);
    matrix("cubature/poses", body.cubature->poses);
    number("cubature/error", body.cubature->error);
  }
  if (!body.forms) return;
  const auto form = [&](const std::string& group, auto& f) {
    vector(group + "second", f.second);
    vector(group + "third", f.third);
    vector(group + "fourth", f.fourth);
  };
  for (std::size_t g = 0; g < body.forms->lambda.size(); ++g) {
    form(fmt::format("forms/{}/lambda/", g), body.forms->lambda[g]);
    form(fmt::format("forms/{}/mu/", g), body.forms->mu[g]);
  }
}

struct Sizes {
  Index rank = 0, dofs = 0, groups = 0;
  bool forms = false, free = false;
  Index attachment = 0;
  Index tets = 0, hexes = 0, tet10s = 0, held = 0;
  Index points = 0, curve = 0, poses = 0;

  /// How many numbers a body of these sizes has. A double, since the sizes come from a file and an integer
  /// could overflow.
  [[nodiscard]] double numbers() const {
    const auto r = static_cast<double>(rank), g = static_cast<double>(groups);
    const double form = r * (r + 1) / 2 * (1 + (r + 2) / 3 * (1 + (r + 3) / 4));
    const double reduced =
        r * static_cast<double>(dofs) + r + 8 + g * (13 + 12 * r + 10 * r * r + (forms ? 2 * form : 0));
    return reduced + static_cast<double>(dofs) + 5.0 * static_cast<double>(tets) +
           9.0 * static_cast<double>(hexes) + 11.0 * static_cast<double>(tet10s) +
           g * static_cast<double>(kMaterialNumbers) + static_cast<double>(held) +
           static_cast<double>(points) * (9.0 * r + 3.0) + 3.0 * static_cast<double>(curve) +
           r * static_cast<double>(poses);
  }
};

std::optional<Sizes> read_sizes(const Hdf5Image& image) {
  std::array<double, 13> raw{};
  const std::array<Index, 1> shape{std::ssize(raw)};
  if (!image.read(kSizes, shape, raw.data())) return std::nullopt;
  // The sizes are checked before they determine an allocation; `attachment` may be at most r.
  const std::array<double, 13> largest{kLargestRank,  kLargestCount, kLargestCount, 1.0,           1.0,
                                       raw[0],        kLargestCount, kLargestCount, kLargestCount, raw[1] / 3,
                                       kLargestCount, kLargestCount, kLargestCount};
  for (std::size_t i = 0; i < raw.size(); ++i)
    if (!(raw[i] >= 0.0 && raw[i] <= largest[i] && raw[i] == std::floor(raw[i]))) return std::nullopt;
  if (static_cast<Index>(raw[1]) % 3 != 0) return std::nullopt;
  return Sizes{static_cast<Index>(raw[0]),
               static_cast<Index>(raw[1]),
               static_cast<Index>(raw[2]),
               raw[3] == 1.0,
               raw[4] == 1.0,
               static_cast<Index>(raw[5]),
               static_cast<Index>(raw[6]),
               static_cast<Index>(raw[7]),
               static_cast<Index>(raw[8]),
               static_cast<Index>(raw[9]),
               static_cast<Index>(raw[10]),
               static_cast<Index>(raw[11]),
               static_cast<Index>(raw[12])};
}

/// Room for the numbers of the body at rest.
CachedNumbers empty_numbers(const Sizes& sizes) {
  const auto room = [](Index count, Index width) { return std::vector<double>(to_size(count * width)); };
  return {{},
          room(sizes.dofs, 1),
          room(sizes.tets, 4),
          room(sizes.hexes, 8),
          room(sizes.tet10s, 10),
          room(sizes.tets + sizes.hexes + sizes.tet10s, 1),
          room(sizes.groups, kMaterialNumbers),
          room(sizes.held, 1),
          room(sizes.points, 1),
          room(sizes.points, 1)};
}

template <class Element>
void append(const std::vector<Element>& elements, std::vector<double>& list) {
  for (const Element& element : elements)
    for (const VertexId v : element) list.push_back(static_cast<double>(v));
}

CachedNumbers numbers_of(const CachedBody& body) {
  const RestBody& rest = *body.rest;
  const VectorX& places = rest.rest_positions();
  CachedNumbers numbers;
  numbers.vertices.assign(places.data(), places.data() + places.size());
  append(rest.mesh().tets, numbers.tets);
  append(rest.mesh().hexes, numbers.hexes);
  append(rest.mesh().tet10s, numbers.tet10s);
  numbers.material_of.assign(rest.materials().of_element.begin(), rest.materials().of_element.end());
  for (const Material& m : rest.materials().materials)
    for (const double x :
         {static_cast<double>(m.law), m.young, m.poisson, m.density, m.invertible ? 1.0 : 0.0,
          m.inversion_threshold, static_cast<double>(m.quadrature)})
      numbers.materials.push_back(x);
  numbers.held.assign(body.held.begin(), body.held.end());
  if (const std::optional<CubaturePoints>& points = body.reduced->cubature) {
    numbers.point_groups.assign(points->groups.begin(), points->groups.end());
    numbers.point_elements.assign(points->elements.begin(), points->elements.end());
  }
  return numbers;
}

/// Whether all of them count from 0 and stay below `end`; −0 would not come back as it was.
bool are_indices(std::span<const double> list, Index end) {
  return std::all_of(list.begin(), list.end(), [&](double x) {
    return !std::signbit(x) && x < static_cast<double>(end) && x == std::floor(x);
  });
}

/// Elements of numbers that are indices.
template <class Element>
std::vector<Element> elements_of(const std::vector<double>& list) {
  std::vector<Element> elements(list.size() / std::tuple_size_v<Element>);
  for (std::size_t i = 0; i < list.size(); ++i)
    elements[i / std::tuple_size_v<Element>][i % std::tuple_size_v<Element>] = static_cast<VertexId>(list[i]);
  return elements;
}

std::optional<Material> material_at(const double* x) {
  if (!are_indices({x, 1}, kLaws) || !are_indices({x + 4, 1}, 2) || !are_indices({x + 6, 1}, 15))
    return std::nullopt;
  const Material material{
      static_cast<Law>(static_cast<int>(x[0])), x[1], x[2], x[3], x[4] == 1.0, x[5], static_cast<int>(x[6])};
  if (!check(material).empty()) return std::nullopt;
  return material;
}

/// Fills rest and held; the name of the array that is wrong, if one is.
const char* take_numbers(const CachedNumbers& numbers, CachedBody& body) {
  VolumeMesh mesh;
  MaterialMap map;
  const auto n = std::ssize(numbers.vertices) / 3;
  const auto groups = std::ssize(numbers.materials) / kMaterialNumbers;
  if (!are_indices(numbers.tets, n)) return "rest/tets";
  if (!are_indices(numbers.hexes, n)) return "rest/hexes";
  if (!are_indices(numbers.tet10s, n)) return "rest/tet10s";
  if (!are_indices(numbers.held, n)) return "rest/held";
  if (!are_indices(numbers.material_of, groups)) return "rest/material_of";
  for (Index v = 0; v < n; ++v)
    mesh.vertices.emplace_back(Eigen::Map<const Vector3>(numbers.vertices.data() + 3 * v));
  mesh.tets = elements_of<Tet>(numbers.tets);
  mesh.hexes = elements_of<Hex>(numbers.hexes);
  mesh.tet10s = elements_of<Tet10>(numbers.tet10s);
  for_each_kind(mesh, [](const auto& elements, auto& labels) { labels.assign(elements.size(), 0); });
  for (Index g = 0; g < groups; ++g) {
    const std::optional<Material> material = material_at(numbers.materials.data() + kMaterialNumbers * g);
    if (!material) return "rest/materials";
    map.materials.push_back(*material);
  }
  for (const double m : numbers.material_of) map.of_element.push_back(static_cast<Index>(m));
  for (const double v : numbers.held) body.held.push_back(static_cast<VertexId>(v));
  body.rest = std::make_shared<const RestBody>(std::move(mesh), std::move(map));
  return nullptr;
}

/// The same for the cubature points of `reduced`.
const char* take_points(const CachedNumbers& numbers, const CachedBody& body, ReducedBody& reduced) {
  if (!reduced.cubature) return nullptr;
  const auto groups = std::ssize(body.rest->materials().materials);
  if (!are_indices(numbers.point_groups, groups)) return "cubature/groups";
  if (!are_indices(numbers.point_elements, body.rest->mesh().element_count())) return "cubature/elements";
  for (const double group : numbers.point_groups)
    reduced.cubature->groups.push_back(static_cast<Index>(group));
  for (const double element : numbers.point_elements)
    reduced.cubature->elements.push_back(static_cast<Index>(element));
  return nullptr;
}

ReducedBody empty_body(const Sizes& sizes) {
  ReducedBody body;
  body.basis.shapes.resize(sizes.dofs, sizes.rank);
  body.basis.strength.resize(sizes.rank);
  body.basis.free = sizes.free;
  body.basis.attachment = sizes.attachment;
  const auto groups = to_size(sizes.groups);
  body.inertia.assign(groups, InertiaIntegrals::zero(sizes.rank));
  if (sizes.forms) {
    const std::vector<QuarticForm> zeros(groups, QuarticForm::zero(sizes.rank));
    body.forms = StvkForms{zeros, zeros};
  }
  if (sizes.points > 0) {
    CubaturePoints points;
    points.gradients.resize(9 * sizes.points, sizes.rank);
    points.weights.resize(sizes.points);
    points.curve.resize(3, sizes.curve);
    points.poses.resize(sizes.rank, sizes.poses);
    body.cubature = std::move(points);
  }
  return body;
}

template <class T>
T number_at(std::string_view bytes, std::size_t place) {
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof(T));
  return value;
}

template <class T>
void put_number(std::string& bytes, std::size_t place, T value) {
  std::memcpy(bytes.data() + place, &value, sizeof(T));
}

std::string digest(std::string_view text) {
  Hasher hasher;
  hasher.add(text);
  return hasher.hex();
}

/// Of all bytes except those of the checksum itself.
std::string checksum(std::string_view bytes) {
  Hasher hasher;
  hasher.add(bytes.substr(0, kChecksumAt));
  hasher.add(bytes.substr(kChecksumAt + kDigits));
  return hasher.hex();
}

Diagnostic distrust(ErrorCode code, const std::string& file, std::string what, std::string key = {}) {
  return {code, {file, 0, 0, std::move(key)}, std::move(what), "it is built anew"};
}

bool is_key(const std::string& key) {
  return !key.empty() &&
         std::all_of(key.begin(), key.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
}

template <class T>
void add_list(Hasher& hasher, std::span<const T> list) {
  static_assert(std::has_unique_object_representations_v<T> || std::is_same_v<T, double>);
  const auto size = static_cast<std::uint64_t>(list.size());  // sizes keep neighbouring lists apart
  hasher.add(&size, sizeof(size));
  hasher.add(list.data(), list.size_bytes());
}

}  // namespace

std::optional<Diagnostic> check_seal(std::string_view bytes, std::string_view key, const std::string& name) {
  if (bytes.substr(0, kMagic.size()) != kMagic)
    return distrust(ErrorCode::kSyntax, name, "this is no reduced body of ours");
  if (bytes.size() < kReducedCacheHeader)
    return distrust(ErrorCode::kTruncated, name, fmt::format("ends after {} bytes", bytes.size()));
  if (const auto version = number_at<std::uint32_t>(bytes, kVersionAt); version != kReducedCacheVersion)
    return distrust(ErrorCode::kUnsupported, name,
                    fmt::format("is of version {}, this program writes {}", version, kReducedCacheVersion));
  const auto claimed = number_at<std::uint64_t>(bytes, kSizeAt);
  if (const std::size_t there = bytes.size() - kReducedCacheHeader; claimed != there)
    return distrust(claimed > there ? ErrorCode::kTruncated : ErrorCode::kInconsistent, name,
                    fmt::format("has {} bytes behind its header instead of {}", there, claimed));
  if (bytes.substr(kChecksumAt, kDigits) != checksum(bytes))
    return distrust(ErrorCode::kInconsistent, name, "is damaged: its checksum does not agree", "checksum");
  if (bytes.substr(kKeyAt, kDigits) != digest(key))
    return distrust(ErrorCode::kInconsistent, name, "was made from other inputs", "key");
  return std::nullopt;
}

/// The version is part of the key: after a change of the program, old files are simply not found.
std::string reduced_body_key(const RestBody& body, std::span<const VertexId> held, std::string_view recipe) {
  Hasher hasher;
  hasher.add(&kReducedCacheVersion, sizeof(kReducedCacheVersion));
  const VectorX& rest = body.rest_positions();
  add_list(hasher, std::span<const double>(rest.data(), to_size(rest.size())));
  add_list(hasher, std::span<const Tet>(body.mesh().tets));
  add_list(hasher, std::span<const Hex>(body.mesh().hexes));
  add_list(hasher, std::span<const Tet10>(body.mesh().tet10s));
  add_list(hasher, std::span<const Index>(body.materials().of_element));
  // Everything of a material that the polynomials, the modes or their derivatives depend on.
  for (const Material& material : body.materials().materials) {
    hasher.add(law_name(material.law));
    const std::array<double, 6> numbers{material.young,
                                        material.poisson,
                                        material.density,
                                        material.invertible ? 1.0 : 0.0,
                                        material.inversion_threshold,
                                        static_cast<double>(material.quadrature)};
    add_list(hasher, std::span<const double>(numbers));
  }
  add_list(hasher, held);
  hasher.add(recipe);
  return hasher.hex();
}

std::vector<Hdf5Array> reduced_body_arrays(const CachedBody& cached, CachedNumbers& numbers) {
  const ReducedBody& body = *cached.reduced;
  const RestBody& rest = *cached.rest;
  PLIANT_ASSERT(!body.forms || body.forms->lambda.size() == body.inertia.size());
  PLIANT_ASSERT(body.basis.shapes.rows() == rest.dof_count());
  PLIANT_ASSERT(body.inertia.size() == rest.materials().materials.size());
  numbers = numbers_of(cached);
  numbers.sizes = {static_cast<double>(body.size()),
                   static_cast<double>(body.basis.shapes.rows()),
                   static_cast<double>(body.inertia.size()),
                   body.forms ? 1.0 : 0.0,
                   body.basis.free ? 1.0 : 0.0,
                   static_cast<double>(body.basis.attachment),
                   static_cast<double>(rest.mesh().tets.size()),
                   static_cast<double>(rest.mesh().hexes.size()),
                   static_cast<double>(rest.mesh().tet10s.size()),
                   static_cast<double>(cached.held.size()),
                   body.cubature ? static_cast<double>(body.cubature->count()) : 0.0,
                   body.cubature ? static_cast<double>(body.cubature->curve.cols()) : 0.0,
                   body.cubature ? static_cast<double>(body.cubature->poses.cols()) : 0.0};
  std::vector<Hdf5Array> arrays{{kSizes, {std::ssize(numbers.sizes)}, numbers.sizes.data()}};
  const auto add = [&](const std::string& name, const std::vector<Index>& shape, const double* values) {
    arrays.push_back({name, shape, values});
  };
  each_rest_array(std::as_const(numbers), add);
  each_array(body, add);
  return arrays;
}

std::string seal_reduced_body(std::string_view payload, std::string_view key) {
  std::string bytes(kReducedCacheHeader, '\0');
  bytes.replace(0, kMagic.size(), kMagic);
  put_number(bytes, kVersionAt, kReducedCacheVersion);
  put_number(bytes, kSizeAt, static_cast<std::uint64_t>(payload.size()));
  bytes.replace(kKeyAt, kDigits, digest(key));
  bytes += payload;
  bytes.replace(kChecksumAt, kDigits, checksum(bytes));
  return bytes;
}

Result<std::string> reduced_body_image(const CachedBody& body, std::string_view key) {
  CachedNumbers numbers;
  Result<std::string> payload = write_hdf5(reduced_body_arrays(body, numbers));
  if (!payload) return payload;
  return seal_reduced_body(payload.value(), key);
}

Result<CachedBody> parse_reduced_body(std::string_view bytes, std::string_view key, const std::string& name) {
  if (std::optional<Diagnostic> problem = check_seal(bytes, key, name)) return *std::move(problem);
  const std::string_view payload = bytes.substr(kReducedCacheHeader);
  const Hdf5Image image(payload);
  if (!image.ok()) return distrust(ErrorCode::kSyntax, name, "holds no HDF5 file");
  const std::optional<Sizes> sizes = read_sizes(image);
  if (!sizes) return distrust(ErrorCode::kInconsistent, name, "has no sizes that could be", kSizes);
  // A file cannot contain more numbers than it has bytes for: checked before anything is allocated.
  const std::size_t available = payload.size() / sizeof(double);
  if (sizes->numbers() > static_cast<double>(available))
    return distrust(ErrorCode::kInconsistent, name, "claims more numbers than it has bytes for", kSizes);

  CachedNumbers numbers = empty_numbers(*sizes);
  ReducedBody body = empty_body(*sizes);
  Diagnostics errors;
  const auto read = [&](const std::string& array, const std::vector<Index>& shape, double* values) {
    if (!errors.empty()) return;
    if (!image.read(array, shape, values)) {
      errors.push_back(distrust(ErrorCode::kInconsistent, name, "is missing or of another shape", array));
      return;
    }
    Index count = 1;
    for (const Index size : shape) count *= size;
    if (!Eigen::Map<const VectorX>(values, count).allFinite())
      errors.push_back(distrust(ErrorCode::kNonFinite, name, "holds a number that is not finite", array));
  };
  each_rest_array(numbers, read);
  each_array(body, read);
  if (!errors.empty()) return errors;
  CachedBody cached;
  if (const char* wrong = take_numbers(numbers, cached))
    return distrust(ErrorCode::kInconsistent, name, "holds numbers that cannot be", wrong);
  if (const char* wrong = take_points(numbers, cached, body))
    return distrust(ErrorCode::kInconsistent, name, "holds numbers that cannot be", wrong);
  cached.reduced = std::make_shared<const ReducedBody>(std::move(body));
  return cached;
}

std::filesystem::path ReducedCache::file(const std::string& key) const {
  PLIANT_ASSERT(is_key(key));
  return folder_ / (key + ".h5");
}

std::optional<CachedBody> ReducedCache::load(const std::string& key, Diagnostics& notes) const {
  const std::filesystem::path path = file(key);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  const Result<std::string> bytes = read_file(path);
  if (!bytes) {
    notes.insert(notes.end(), bytes.errors().begin(), bytes.errors().end());
    return std::nullopt;
  }
  Result<CachedBody> body = parse_reduced_body(bytes.value(), key, path.string());
  if (!body) {
    notes.insert(notes.end(), body.errors().begin(), body.errors().end());
    return std::nullopt;
  }
  return std::move(body).value();
}

Status ReducedCache::save(const std::string& key, const CachedBody& body) const {
  const Result<std::string> bytes = reduced_body_image(body, key);
  if (!bytes) return bytes.errors();
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error)
    return Diagnostic{ErrorCode::kUnwritable,
                      {folder_.string(), 0, 0, {}},
                      "cannot make the folder: " + error.message(),
                      "choose another cache folder"};
  return write_file(file(key), bytes.value());
}

}  // namespace pliant
