#include "commands.hpp"
#include "pliant/file/surface_file.hpp"
#include "pliant/file/volume_file.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/scene/fill.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>

namespace pliant::cli {
namespace {

struct MeshOptions {
  Common common;
  std::string surface;
  std::string output;
  Index resolution = 0;
  std::string element = "tet";
  bool largest = false;
};

Status check_options(const MeshOptions& options) {
  if (options.resolution < 1)
    return bad_option("--resolution", "must be >= 1, got " + std::to_string(options.resolution));
  if (options.element != "tet" && options.element != "hex" && options.element != "tet10")
    return bad_option("--element", "must be tet, hex or tet10, got " + options.element);
  if (options.element == "tet10" && std::filesystem::path(options.output).extension() == ".veg")
    return bad_option("--element", "Vega's format cannot hold quadratic tetrahedra",
                      "write .msh, .mesh or .vtu");
  if (Status possible = check_writable(options.output, "-o"); !possible) return possible;
  return check_not_input(options.output, "-o", {{options.surface}});
}

FillOptions fill_options(const MeshOptions& options) {
  FillOptions fill;
  fill.resolution = options.resolution;
  fill.hexes = options.element == "hex";
  fill.quadratic = options.element == "tet10";
  fill.largest = options.largest;
  return fill;
}

int make_mesh(const MeshOptions& options) {
  if (const Status good = check_options(options); !good) return report(good.errors());
  const Result<SurfaceFile> surface = read_surface_file(options.surface);
  if (!surface) return report(surface.errors());
  print_notes(surface.value().notes, options.common);

  const auto start = std::chrono::steady_clock::now();
  const auto progress = make_progress(options.common);
  const Result<MesherOutput> filled =
      fill_surface(surface.value().mesh, options.surface, fill_options(options), *progress);
  progress->end();
  if (!filled) return report(filled.errors());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  print_notes(filled.value().notes, options.common);
  const VolumeMesh& mesh = filled.value().mesh;
  if (const Status written = write_volume_file(options.output, mesh); !written)
    return report(written.errors());

  const MeshReport r = measure(mesh);
  if (options.common.json) {
    const nlohmann::ordered_json document{
        {"output", options.output},
        {"vertices", r.vertices},
        {"elements", {{"tet4", r.tets}, {"hex8", r.hexes}, {"tet10", r.tet10s}}},
        {"volume", r.volume},
        {"components", r.components},
        {"min_quality", r.min_quality},
        {"dihedral_deg", r.dihedral_deg},
        {"seconds", seconds}};
    return print_result(document.dump() + "\n");
  }
  say(options.common, fmt::format("{}: {} vertices, {} elements, volume {:.4g} m³, quality from {:.3f}, "
                                  "dihedral angles {:.1f} to {:.1f} "
                                  "degrees, {:.1f} s",
                                  options.output, r.vertices, r.tets + r.hexes + r.tet10s, r.volume,
                                  r.min_quality, r.dihedral_deg[0], r.dihedral_deg[1], seconds));
  return kDone;
}

}  // namespace

void add_mesh(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<MeshOptions>();
  CLI::App* command = app.add_subcommand("mesh", "Fill a triangle surface with elements");
  command->add_option("SURFACE", options->surface, "surface file: .obj, .stl, .ply or .off")->required();
  command->add_option("-o,--output", options->output, "volume mesh to write")->required();
  command->add_option("--resolution", options->resolution, "cells along the longest side")->required();
  command->add_option("--element", options->element,
                      "tet: isosurface stuffing (default); hex: voxels; tet10: quadratic tetrahedra");
  command->add_flag("--largest", options->largest, "of several separate parts keep only the largest");
  command->footer(
      "Examples:\n  pliant mesh dragon.obj -o dragon.vtu --resolution 60\n"
      "  pliant mesh dragon.obj -o dragon.msh --resolution 30 --element hex");
  add_common(*command, options->common);
  command->callback([options, &exit_code] {
    exit_code = with_threads(options->common, [&] { return make_mesh(*options); });
  });
}

}  // namespace pliant::cli
