#include "pliant/scene/read_blended.hpp"

#include "pliant/scene/access.hpp"
#include "pliant/scene/read_cubature.hpp"
#include "pliant/scene/read_tree.hpp"

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
  blended.smooth = word(table, "gradients") == "smooth";
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
  if (count > 1 && table.has("seeds") && count != blended.seeds.size())
    reading.add(ErrorCode::kInconsistent, reading.place(table, path, "coordinates"),
                "has another length than `seeds`", "give one for each seed, or one for all");
  return blended;
}

BlendedSpec blended_spec(const BodyText& body) {
  const BlendedText& blended = body.blended;
  BlendedSpec spec;
  spec.seeds = blended.seeds;
  spec.automatic = blended.automatic.value_or(kDefaultDomains);
  for (const std::string& name : blended.coordinates) spec.coordinates.push_back(coordinates_of(name));
  spec.weights = weight_kind(blended.weights);
  if (blended.cubature) spec.cubature = cubature_spec(*blended.cubature);
  spec.gradients = blended.smooth ? BlendedGradients::kSmooth : BlendedGradients::kNodal;
  return spec;
}

}  // namespace pliant
