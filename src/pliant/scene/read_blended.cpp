#include "pliant/scene/read_blended.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/file/state_file.hpp"
#include "pliant/scene/access.hpp"
#include "pliant/scene/read_cubature.hpp"
#include "pliant/scene/read_tree.hpp"

#include <algorithm>
#include <filesystem>

namespace pliant {
namespace {

using namespace access;  // NOLINT(google-build-using-namespace)

constexpr double kBlendedError = 0.05;  // of the force of a segment

DomainCoordinates coordinates_of(const std::string& name) {
  if (name == "affine") return DomainCoordinates::kAffine;
  return name == "rigid" ? DomainCoordinates::kRigid : DomainCoordinates::kQuadratic;
}

/// `integration` and `cubature`.
std::optional<CubatureText> read_points(const Value& table, const std::string& path, Reading& reading) {
  std::optional<CubatureText> cubature = read_cubature(table, path, reading);
  if (!table.has("integration") || word(table, "integration") == "exact") {
    if (cubature)
      reading.add(ErrorCode::kInconsistent, reading.place(table, path, "cubature"),
                  "is not used by integration = \"exact\"", "take integration = \"cubature\"");
    return std::nullopt;
  }
  if (!cubature) return CubatureText{.error = kBlendedError};
  const Value& own = *table.find("cubature");
  const std::string at = path + ".cubature";
  for (const char* key : {"interior", "interface", "poses"})
    if (own.has(key))
      reading.add(ErrorCode::kUnsupported, reading.place(own, at, key), "does not belong to `blended`",
                  "it has points, error and seed");
  if (!own.has("error")) cubature->error = kBlendedError;
  return cubature;
}

}  // namespace

BlendedText read_blended(const Value& table, const std::string& path, Reading& reading) {
  BlendedText blended;
  static_cast<DomainSource&>(blended) = read_domain_source(table, path, reading.file(), reading.problems);
  blended.seeds = vectors(table, "seeds");
  if (table.has("seeds")) blended.domains_where = reading.place(table, path, "seeds");
  if (const Value* typed = table.find("coordinates")) {
    if (typed->kind == Value::Kind::kText) blended.coordinates = {typed->text};
    for (const Value& item : typed->items) blended.coordinates.push_back(item.text);
    if (blended.coordinates.empty())
      reading.add(ErrorCode::kMissing, reading.place(table, path, "coordinates"), "is empty",
                  "e.g. coordinates = \"quadratic\"");
  }
  if (table.has("weights")) blended.weights = word(table, "weights");
  if (table.has("direction")) {
    blended.direction = vector(table, "direction");
    if (!(blended.direction->norm() > 0.0))
      reading.add(ErrorCode::kOutOfRange, reading.place(table, path, "direction"), "has no length",
                  "e.g. direction = [0, 0, 1]");
    if (blended.weights != "principal" && blended.weights != "auto")
      reading.add(ErrorCode::kInconsistent, reading.place(table, path, "direction"),
                  "belongs to principal weights, not to " + blended.weights,
                  "take weights = \"principal\", or leave it out");
  }
  if (const Value* poses = table.find("poses")) {
    for (const Value& item : poses->items) blended.poses.push_back(item.text);
    blended.poses_where = reading.place(table, path, "poses");
    if (blended.poses.empty())
      reading.add(ErrorCode::kMissing, blended.poses_where, "is empty",
                  "name files that `pliant run --final` or --snapshots wrote, or leave it out");
  }
  blended.envelop = word(table, "poses_as") == "emwe";
  if (table.has("poses_as") && !table.has("poses"))
    reading.add(ErrorCode::kInconsistent, reading.place(table, path, "poses_as"), "stands without `poses`",
                "give poses = [\"pose.txt\", ...], or leave it out");
  blended.smooth = word(table, "gradients") == "smooth";
  blended.modes = optional_integer(table, "modes").value_or(0);
  if (blended.modes > 0 && blended.envelop)
    reading.add(ErrorCode::kUnsupported, reading.place(table, path, "modes"),
                "adds vectors, which do not go with weights fitted to poses",
                "take poses_as = \"vectors\", or leave out `modes`");
  blended.cubature = read_points(table, path, reading);
  if (blended.labels)
    reading.add(ErrorCode::kUnsupported, blended.domains_where,
                "domains of `blended` grow from seeds, not from labels",
                "take domains = { auto = 4 }, or seeds = [[x, y, z], ...]");
  if (table.has("seeds") && table.has("domains"))
    reading.add(ErrorCode::kInconsistent, blended.domains_where, "stands beside `domains`",
                "keep one of the two");
  if (table.has("seeds") && blended.seeds.empty())
    reading.add(ErrorCode::kMissing, blended.domains_where, "is empty", "e.g. seeds = [[0, 0, 0]]");
  const std::size_t count = blended.coordinates.size();
  if (blended.envelop && std::any_of(blended.coordinates.begin(), blended.coordinates.end(),
                                     [](const std::string& name) { return name != "quadratic"; }))
    reading.add(ErrorCode::kInconsistent, reading.place(table, path, "poses_as"),
                "shapes the weights of quadratic coordinates, but some domains are not quadratic",
                "take coordinates = \"quadratic\", or poses_as = \"vectors\"");
  if (blended.envelop && blended.smooth)
    reading.add(ErrorCode::kUnsupported, reading.place(table, path, "poses_as"),
                "gives weights that are known at vertices only, and smooth gradients need them between",
                "take gradients = \"nodal\"");
  if (count > 1 && table.has("seeds") && count != blended.seeds.size())
    reading.add(ErrorCode::kInconsistent, reading.place(table, path, "coordinates"),
                "has another length than `seeds`", "give one for each seed, or one for all");
  return blended;
}

Result<BlendedSpec> blended_spec(const SceneDescription& scene, const BodyText& body, Index vertices) {
  const BlendedText& blended = body.blended;
  BlendedSpec spec;
  spec.seeds = blended.seeds;
  spec.automatic = blended.automatic.value_or(kDefaultDomains);
  for (const std::string& name : blended.coordinates) spec.coordinates.push_back(coordinates_of(name));
  spec.weights = weight_kind(blended.weights);
  spec.direction = blended.direction;
  spec.modes = blended.modes;
  if (spec.direction) spec.weights = WeightKind::kPrincipal;
  if (blended.cubature) spec.cubature = cubature_spec(*blended.cubature);
  spec.gradients = blended.smooth ? BlendedGradients::kSmooth : BlendedGradients::kNodal;
  spec.poses.as = blended.envelop ? PosesAs::kEnvelopes : PosesAs::kVectors;
  Diagnostics problems;
  for (const std::string& typed : blended.poses) {
    const std::filesystem::path file = scene.resolve(typed);
    const Result<std::string> bytes = read_file(file);
    if (!bytes) {
      problems.push_back({bytes.error().code, blended.poses_where, file.string() + ": " + bytes.error().what,
                          "pliant run SCENE --final FILE writes one"});
      continue;
    }
    Result<VertexState> state = read_state(bytes.value(), file.string(), vertices);
    if (state)
      spec.poses.poses.push_back(std::move(state.value().displacements));
    else
      problems.insert(problems.end(), state.errors().begin(), state.errors().end());
  }
  if (!problems.empty()) return problems;
  return spec;
}

}  // namespace pliant
