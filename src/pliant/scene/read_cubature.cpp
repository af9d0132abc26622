#include "pliant/scene/read_cubature.hpp"

#include "pliant/scene/access.hpp"

namespace pliant {

using namespace access;  // NOLINT(google-build-using-namespace)

std::optional<CubatureText> read_cubature(const Value& table, const std::string& path, Reading& reading) {
  const Value* own = table.find("cubature");
  if (own == nullptr) return std::nullopt;
  const std::string at = path + ".cubature";
  CubatureText text;
  if (own->has("interior")) text.interior = word(*own, "interior");
  if (own->has("interface")) text.interface = word(*own, "interface");
  text.error = number(*own, "error", text.error);
  text.points = optional_integer(*own, "points").value_or(text.points);
  text.seed = optional_integer(*own, "seed").value_or(text.seed);
  text.full_poses = own->has("poses") && word(*own, "poses") == "full";
  if (text.interior == "polynomial" && text.interface == "none" && own->has("points"))
    reading.add(ErrorCode::kInconsistent, reading.place(*own, at, "points"), "are not used by a polynomial",
                "leave it out");
  return text;
}

CubatureSpec cubature_spec(const CubatureText& text) {
  CubatureSpec spec;
  if (text.interior == "polynomial") spec.interior = InteriorForces::kPolynomial;
  if (text.interior == "cubature") spec.interior = InteriorForces::kCubature;
  if (text.interface == "uniform") spec.interface = InterfaceForces::kUniform;
  if (text.interface == "nonuniform") spec.interface = InterfaceForces::kNonuniform;
  spec.error = text.error;
  spec.points = text.points;
  spec.seed = static_cast<std::uint64_t>(text.seed);
  spec.full_poses = text.full_poses;
  return spec;
}

}  // namespace pliant
