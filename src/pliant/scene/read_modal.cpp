#include "pliant/scene/read_modal.hpp"

#include "pliant/scene/access.hpp"
#include "pliant/scene/read_cubature.hpp"
#include "pliant/scene/read_training.hpp"

namespace pliant {
namespace {

using namespace access;  // NOLINT(google-build-using-namespace)

}  // namespace

ModalText read_modal(const Value& table, const std::string& path, Reading& reading) {
  ModalText modal;
  modal.linear_modes = optional_integer(table, "linear_modes").value_or(modal.linear_modes);
  modal.modes = optional_integer(table, "modes").value_or(modal.modes);
  modal.energy = optional_number(table, "energy");
  if (const Value* flag = table.find("derivatives")) modal.derivatives = flag->boolean;
  modal.modes_used = optional_integer(table, "modes_used");
  if (const Value* shapes = table.find("shapes"))
    for (const Value& item : shapes->items) modal.shapes.push_back(item.text);
  modal.sketch = optional_word(table, "sketch");
  modal.separation = number(table, "separation", modal.separation);
  modal.exact = word(table, "forces") == "exact";
  modal.train =
      read_training(table, path, reading.file(),
                    {"shapes", "sketch", "patch", "energy", "linear_modes", "derivatives"}, reading.problems);
  if (word(table, "basis") == "patch" || word(table, "basis") == "attachment")
    reading.add(ErrorCode::kUnsupported, reading.place(table, path, "basis"),
                "\"" + word(table, "basis") + "\" is a basis of `coupled`", "take \"modes\" or \"trained\"");
  modal.float_storage = word(table, "storage") == "float";
  modal.cubature = read_cubature(table, path, reading);
  if (modal.cubature && modal.cubature->interface != "none")
    reading.add(ErrorCode::kInconsistent, reading.place(table, path, "cubature"),
                "has an `interface`, and `modal` has none", "leave it out");
  if (modal.cubature && modal.exact)
    reading.add(ErrorCode::kInconsistent, reading.place(table, path, "forces"), "is exact, beside `cubature`",
                "keep one of the two");
  if (modal.modes < 1)
    reading.add(ErrorCode::kOutOfRange, reading.place(table, path, "modes"), "must be at least 1",
                "e.g. modes = 20");
  if (table.has("shapes") && modal.shapes.empty())
    reading.add(ErrorCode::kMissing, reading.place(table, path, "shapes"), "is empty",
                "name files of shapes, or leave it out");
  if (table.has("shapes") && table.has("sketch"))
    reading.add(ErrorCode::kInconsistent, reading.place(table, path, "sketch"), "stands beside `shapes`",
                "keep one of the two");
  if (modal.exact && modal.float_storage)
    reading.add(ErrorCode::kInconsistent, reading.place(table, path, "storage"),
                "is that of a polynomial, and forces are exact", "leave it out");
  const auto& patches = tables(table, "patch");
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const std::string at = indexed(path + ".patch", i);
    reading.need_selection(patches[i], at, "vertices");
    modal.patches.push_back({word(patches[i], "name"), reading.selection(patches[i], at, "vertices")});
  }
  if (!patches.empty() && (table.has("shapes") || table.has("sketch")))
    reading.add(ErrorCode::kInconsistent, reading.place(patches.front(), path + ".patch"),
                "belongs to a basis of natural modes", "leave out `shapes` and `sketch`, or the patches");
  return modal;
}

}  // namespace pliant
