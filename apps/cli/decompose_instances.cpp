#include "decompose_instances.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/file/surface_file.hpp"
#include "pliant/scene/instances_scene.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pliant::cli {
namespace {

/// One line of the table.
struct ClassRow {
  Index copies = 0, mirrored = 0, vertices = 0, triangles = 0, original = 0;
  double smallest = 1.0, largest = 1.0;  // scale
  double error = 0.0;                    // m
};

std::vector<ClassRow> class_rows(const Congruence& found) {
  std::vector<ClassRow> rows(to_size(found.class_count()));
  for (std::size_t c = 0; c < rows.size(); ++c) {
    rows[c].original = found.originals[c];
    const SurfacePart& part = found.parts[to_size(found.originals[c])];
    rows[c].vertices = std::ssize(part.vertices);
    rows[c].triangles = std::ssize(part.triangles);
  }
  for (const PartCopy& copy : found.copies) {
    ClassRow& row = rows[to_size(copy.class_index)];
    ++row.copies;
    row.mirrored += copy.mirrored ? 1 : 0;
    row.smallest = std::min(row.smallest, copy.placement.scale);
    row.largest = std::max(row.largest, copy.placement.scale);
    row.error = std::max(row.error, copy.error);
  }
  return rows;
}

std::string table(const InstancesOptions& options, const Congruence& found) {
  std::string out =
      fmt::format("{}: {} parts in {} classes\n", options.surface, found.parts.size(), found.class_count());
  out += fmt::format("  {:>5} {:>6} {:>8} {:>8} {:>9} {:>16} {:>10}\n", "class", "parts", "mirrored",
                     "vertices", "triangles", "scale", "error / m");
  const std::vector<ClassRow> rows = class_rows(found);
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const ClassRow& row = rows[c];
    out += fmt::format("  {:>5} {:>6} {:>8} {:>8} {:>9} {:>16} {:>10.2g}\n", c + 1, row.copies, row.mirrored,
                       row.vertices, row.triangles,
                       fmt::format("{:.4g} to {:.4g}", row.smallest, row.largest), row.error);
  }
  return out;
}

std::string document(const InstancesOptions& options, const Congruence& found) {
  nlohmann::ordered_json classes = nlohmann::ordered_json::array();
  for (const ClassRow& row : class_rows(found))
    classes.push_back({{"parts", row.copies},
                       {"mirrored", row.mirrored},
                       {"vertices", row.vertices},
                       {"triangles", row.triangles},
                       {"scale", {row.smallest, row.largest}},
                       {"error", row.error}});
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  for (const PartCopy& copy : found.copies)
    parts.push_back({{"class", copy.class_index + 1}, {"mirrored", copy.mirrored}});
  const nlohmann::ordered_json all{{"surface", options.surface},
                                   {"parts", found.parts.size()},
                                   {"classes", found.class_count()},
                                   {"class_list", std::move(classes)},
                                   {"part_list", std::move(parts)}};
  return all.dump() + "\n";
}

/// All files beside the scene.
Status write_scene(const InstancesOptions& options, const SurfaceMesh& surface, const Congruence& found) {
  Result<PartTree> tree = hang_parts(surface, found);
  if (!tree) {
    Diagnostic problem = tree.error();
    problem.where.file = options.surface;
    return problem;
  }
  const std::filesystem::path scene_path(options.output);
  const InstancesScene scene = instances_scene(surface, found, tree.value(), scene_path.stem().string());
  const std::filesystem::path folder = scene_path.parent_path();
  std::vector<std::string> names{scene.instances_name};
  for (const auto& [name, text] : scene.surfaces) names.push_back(name);
  for (const std::string& name : names)
    if (Status safe = check_not_input(folder / name, "-o", {{options.surface}}); !safe) return safe;
  for (const auto& [name, text] : scene.surfaces)
    if (Status written = write_file(folder / name, text); !written) return written;
  if (Status written = write_file(folder / scene.instances_name, scene.instances); !written) return written;
  return write_file(scene_path, scene.toml);
}

}  // namespace

int decompose_instances(const InstancesOptions& options) {
  if (!(options.tolerance > 0 && options.tolerance < 1))
    return report(bad_option("--tolerance", "must lie in (0, 1)", "e.g. --tolerance 0.001"));
  if (!options.output.empty())
    if (const Status possible = check_writable(options.output, "-o"); !possible)
      return report(possible.errors());
  if (const Status safe = check_not_input(options.output, "-o", {{options.surface}}); !safe)
    return report(safe.errors());
  const Result<SurfaceFile> file = read_surface_file(options.surface);
  if (!file) return report(file.errors());
  print_notes(file.value().notes, options.common);
  const Congruence found = find_copies(file.value().mesh, options.tolerance);
  if (!options.output.empty())
    if (const Status written = write_scene(options, file.value().mesh, found); !written)
      return report(written.errors());
  return print_result(options.common.json ? document(options, found) : table(options, found));
}

}  // namespace pliant::cli
