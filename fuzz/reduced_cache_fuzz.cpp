// Any bytes are a reduced body or a located error; what is accepted is written back as the same bytes. Since
// random bytes never have the right checksum, they also serve as a list of changes to the arrays of a good
// body, which are then written, sealed and read: there the checks of sizes and shapes are at work.
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/store/reduced_cache.hpp"

#include <cstdint>
#include <cstdlib>
#include <limits>

namespace {

using namespace pliant;

constexpr std::string_view kKey = "fuzz";

/// A box of quadratic tets and one of linear ones.
VolumeMesh two_boxes() {
  VolumeMesh mesh = generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet10);
  const auto first = static_cast<VertexId>(mesh.vertices.size());
  const VolumeMesh linear = generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet);
  for (const Vector3& x : linear.vertices) mesh.vertices.emplace_back(x + Vector3(2, 0, 0));
  for (Tet tet : linear.tets) {
    for (VertexId& v : tet) v += first;
    mesh.tets.push_back(tet);
  }
  mesh.tet_labels = linear.tet_labels;
  return mesh;
}

CachedBody good_body() {
  const VolumeMesh mesh = two_boxes();
  ReducedBody body;
  body.basis.shapes.setOnes(3 * mesh.vertex_count(), 2);
  body.basis.strength.setOnes(2);
  body.inertia.assign(2, InertiaIntegrals::zero(2));
  body.forms.emplace();
  body.forms->lambda.assign(2, QuarticForm::zero(2));
  body.forms->mu = body.forms->lambda;
  return {std::make_shared<const RestBody>(mesh, MaterialMap{{Material{}, Material{}}, {}}),
          {0, 3},
          std::make_shared<const ReducedBody>(std::move(body))};
}

/// Reads; aborts when an error has no place or when the body is not written back as it was read.
void check(std::string_view bytes, bool canonical) {
  const Result<CachedBody> body = parse_reduced_body(bytes, kKey, "fuzz");
  if (!body.ok()) {
    if (body.error().where.file != "fuzz" || body.error().remedy.empty()) std::abort();
    return;
  }
  const Result<std::string> again = reduced_body_image(body.value(), kKey);
  if (!again.ok() || (canonical && again.value() != bytes)) std::abort();
}

/// Hands out the fuzzer's bytes one after the other, zeros when they are used up.
class Script {
 public:
  Script(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  [[nodiscard]] bool done() const { return left_ == 0; }
  std::uint8_t byte() { return left_ == 0 ? std::uint8_t{0} : (--left_, *data_++); }
  /// Small numbers, large ones, and those that are no sizes.
  double number() {
    const std::uint8_t kind = byte();
    const double x = byte() + 256.0 * byte();
    switch (kind % 5) {
      case 0:
        return x;
      case 1:
        return -x;
      case 2:
        return x * 1e11;
      case 3:
        return x / 7.0;
      default:
        return std::numeric_limits<double>::infinity();
    }
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

constexpr Index kRoom = 4096;  // numbers behind every array whose shape the script changes

void edit(Script& script, std::vector<Hdf5Array>& arrays, std::vector<std::vector<double>>& values) {
  const std::size_t at = script.byte() % arrays.size();
  Hdf5Array& array = arrays[at];
  switch (script.byte() % 4) {
    case 0: {  // another value
      const std::size_t place = script.byte() % 16;
      values[at][place] = script.number();
      break;
    }
    case 1: {  // another size
      Index& size = array.shape[script.byte() % array.shape.size()];
      size = script.byte() % 64;
      break;
    }
    case 2:  // another rank
      if (array.shape.size() < 5) array.shape.push_back(script.byte() % 3);
      break;
    default:
      array.name = script.byte() % 2 == 0 ? "away" : arrays[script.byte() % arrays.size()].name;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check({reinterpret_cast<const char*>(data), size}, true);

  static const CachedBody good = good_body();
  CachedNumbers numbers;
  std::vector<Hdf5Array> arrays = reduced_body_arrays(good, numbers);
  std::vector<std::vector<double>> values;  // copies with room, since shapes may grow
  values.reserve(arrays.size());
  for (Hdf5Array& array : arrays) {
    Index count = 1;
    for (const Index extent : array.shape) count *= extent;
    values.emplace_back(array.values, array.values + count).resize(to_size(kRoom), 0.5);
    array.values = values.back().data();
  }
  Script script(data, size);
  for (int edits = 0; edits < 8 && !script.done(); ++edits) edit(script, arrays, values);
  for (const Hdf5Array& array : arrays) {
    Index count = 1;
    for (const Index extent : array.shape) count *= extent;
    if (count > kRoom) return 0;
  }
  const Result<std::string> payload = write_hdf5(arrays);
  if (payload.ok()) check(seal_reduced_body(payload.value(), kKey), false);  // names may clash
  return 0;
}
