#include "pliant/scene/read_coupled.hpp"

#include "pliant/scene/access.hpp"
#include "pliant/scene/read_cubature.hpp"
#include "pliant/scene/read_tree.hpp"

namespace pliant {

using namespace access;  // NOLINT(google-build-using-namespace)

CoupledText read_coupled(const Value& table, const std::string& path, Reading& reading) {
  CoupledText coupled;
  static_cast<DomainSource&>(coupled) = read_domain_source(table, path, reading.file(), reading.problems);
  coupled.modes = optional_integer(table, "modes").value_or(coupled.modes);
  coupled.linear_modes = optional_integer(table, "linear_modes");
  coupled.rings = optional_integer(table, "rings");
  if (table.has("basis")) coupled.basis = word(table, "basis");
  if (table.has("scheme")) coupled.scheme = word(table, "scheme");
  coupled.springs = optional_number(table, "springs");
  if (const Value* flag = table.find("invertible_coupling")) coupled.invertible_coupling = flag->boolean;
  if (coupled.invertible_coupling && coupled.springs)
    reading.add(ErrorCode::kInconsistent, reading.place(table, path, "invertible_coupling"),
                "is about the elements between domains, which `springs` replace", "keep one of the two");
  if (coupled.basis == "trained")
    reading.add(ErrorCode::kUnsupported, reading.place(table, path, "basis"),
                "\"trained\" is a basis of `modal`", "take \"patch\", \"modes\" or \"attachment\"");
  if (coupled.rings && coupled.basis != "patch")
    reading.add(ErrorCode::kInconsistent, reading.place(table, path, "rings"), "belongs to basis = \"patch\"",
                "leave it out");
  coupled.cubature = read_cubature(table, path, reading);
  if (coupled.cubature && coupled.cubature->interface != "none" && coupled.springs)
    reading.add(ErrorCode::kInconsistent, reading.place(table, path, "cubature"),
                "chooses among the elements between domains, which `springs` replace", "keep one of the two");
  if (coupled.cubature && coupled.cubature->full_poses)
    reading.add(ErrorCode::kUnsupported, reading.place(table, path, "cubature"),
                "asks for poses of the full model, and domains have none of their own", "leave out `poses`");
  return coupled;
}

}  // namespace pliant
