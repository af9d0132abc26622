#include "commands.hpp"
#include "pliant/file/surface_file.hpp"
#include "pliant/file/volume_file.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/core/orient_surface.hpp"
#include "pliant/mesh/core/surface_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace pliant::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
  Common common;
  std::string mesh;
};

Json box_json(const Vector3& low, const Vector3& high) {
  return Json::array({Json::array({low[0], low[1], low[2]}), Json::array({high[0], high[1], high[2]})});
}

std::string box_text(const Vector3& low, const Vector3& high) {
  return fmt::format("[{:.6g}, {:.6g}] x [{:.6g}, {:.6g}] x [{:.6g}, {:.6g}] m", low[0], high[0], low[1],
                     high[1], low[2], high[2]);
}

struct LabelCount {
  Label label;
  std::string name;  // empty where the file gives none
  Index elements = 0;
};

/// The labels of the elements, as selections and `[[body.region]]` name them.
std::vector<LabelCount> count_labels(const VolumeMesh& mesh) {
  std::map<Label, Index> counts;
  for_each_kind(mesh, [&](const auto&, const std::vector<Label>& labels) {
    for (const Label label : labels) ++counts[label];
  });
  std::vector<LabelCount> result;
  result.reserve(counts.size());
  for (const auto& [label, elements] : counts) {
    const auto name = mesh.region_names.find(label);
    result.push_back({label, name == mesh.region_names.end() ? "" : name->second, elements});
  }
  return result;
}

Json labels_json(const std::vector<LabelCount>& labels) {
  Json list = Json::array();
  for (const auto& [label, name, elements] : labels) {
    Json entry{{"label", label}, {"elements", elements}};
    if (!name.empty()) entry["name"] = name;
    list.push_back(std::move(entry));
  }
  return list;
}

std::string labels_text(const std::vector<LabelCount>& labels) {
  std::string text;
  for (const auto& [label, name, elements] : labels)
    text += fmt::format("  {:<20}{}{}: {} elements\n", text.empty() ? "labels" : "", label,
                        name.empty() ? "" : " \"" + name + "\"", elements);
  return text;
}

int volume_info(const InfoOptions& options) {
  if (std::filesystem::path(options.mesh).extension() == ".toml")
    return report(Diagnostic{ErrorCode::kUnsupported,
                             {options.mesh, 0, 0, ""},
                             "is a scene, not a mesh",
                             "pliant build tells where its time goes, pliant decompose its domains"});
  const Result<VolumeFile> file = read_volume_file(options.mesh);
  if (!file) return report(file.errors());
  print_notes(file.value().notes, options.common);
  const MeshReport r = measure(file.value().mesh);
  const std::vector<LabelCount> labels = count_labels(file.value().mesh);
  const Index inverted = file.value().reoriented;  // in the file; reading has turned them
  if (options.common.json) {
    const Json document{{"vertices", r.vertices},
                        {"elements", {{"tet4", r.tets}, {"hex8", r.hexes}, {"tet10", r.tet10s}}},
                        {"volume", r.volume},
                        {"bbox", box_json(r.low, r.high)},
                        {"components", r.components},
                        {"inverted", inverted},
                        {"duplicate_vertices", r.duplicate_vertices},
                        {"unused_vertices", r.unused_vertices},
                        {"min_quality", r.min_quality},
                        {"dihedral_deg", r.dihedral_deg},
                        {"boundary_triangles", r.boundary_triangles},
                        {"labels", labels_json(labels)}};
    return print_result(document.dump() + "\n");
  }
  std::string text = fmt::format("{}\n", options.mesh);
  text += fmt::format("  vertices            {}\n", r.vertices);
  text += fmt::format("  elements            {} tet4, {} hex8{}\n", r.tets, r.hexes,
                      r.tet10s > 0 ? fmt::format(", {} tet10", r.tet10s) : "");
  text += fmt::format("  volume              {:.6g} m³\n", r.volume);
  text += fmt::format("  bounding box        {}\n", box_text(r.low, r.high));
  text += fmt::format("  components          {}\n", r.components);
  text += fmt::format("  inverted            {}\n", inverted);
  text += fmt::format("  duplicate vertices  {}\n", r.duplicate_vertices);
  text += fmt::format("  unused vertices     {}\n", r.unused_vertices);
  text += fmt::format("  smallest quality    {:.4g}\n", r.min_quality);
  text +=
      fmt::format("  dihedral angles     {:.4g} to {:.4g} degrees\n", r.dihedral_deg[0], r.dihedral_deg[1]);
  text += fmt::format("  boundary triangles  {}\n", r.boundary_triangles);
  if (labels.size() > 1 || (labels.size() == 1 && labels.front().label != 0)) text += labels_text(labels);
  return print_result(text);
}

int surface_info(const InfoOptions& options) {
  const Result<SurfaceFile> file = read_surface_file(options.mesh);
  if (!file) return report(file.errors());
  print_notes(file.value().notes, options.common);
  const auto progress = make_progress(options.common);
  const SurfaceReport r = pliant::report(file.value().mesh, *progress);
  if (progress->cancelled()) return report(Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""});
  // as `pliant mesh` sees it
  const Index joined = r.duplicate_vertices > 0 ? orient_surface(file.value().mesh).open_edges : r.open_edges;
  if (options.common.json) {
    const Json document{{"vertices", r.vertices},
                        {"triangles", r.triangles},
                        {"components", r.components},
                        {"watertight", r.watertight},
                        {"manifold", r.manifold},
                        {"open_edges", r.open_edges},
                        {"open_edges_joined", joined},
                        {"nonmanifold_edges", r.nonmanifold_edges},
                        {"nonmanifold_vertices", r.nonmanifold_vertices},
                        {"misoriented_edges", r.misoriented_edges},
                        {"zero_area_triangles", r.zero_area_triangles},
                        {"duplicate_vertices", r.duplicate_vertices},
                        {"unused_vertices", r.unused_vertices},
                        {"self_intersections", r.self_intersections},
                        {"area", r.area},
                        {"volume", r.volume},
                        {"bbox", box_json(r.low, r.high)}};
    return print_result(document.dump() + "\n");
  }
  const auto yes = [](bool value) { return value ? "yes" : "no"; };
  std::string text = fmt::format("{}\n", options.mesh);
  text += fmt::format("  vertices            {}\n", r.vertices);
  text += fmt::format("  triangles           {} ({} without area)\n", r.triangles, r.zero_area_triangles);
  text += fmt::format("  bounding box        {}\n", box_text(r.low, r.high));
  text += fmt::format("  components          {}\n", r.components);
  text += fmt::format("  watertight          {} ({} open edges, {} of three or more triangles)\n",
                      yes(r.watertight), r.open_edges, r.nonmanifold_edges);
  if (r.duplicate_vertices > 0)
    text += fmt::format("  with equal vertices joined, as `pliant mesh` does: {} open edges\n", joined);
  text += fmt::format("  manifold            {} ({} edges, {} vertices are not)\n", yes(r.manifold),
                      r.nonmanifold_edges, r.nonmanifold_vertices);
  text += fmt::format("  misoriented edges   {}\n", r.misoriented_edges);
  text += fmt::format("  self-intersections  {}\n", r.self_intersections);
  text += fmt::format("  duplicate vertices  {}\n", r.duplicate_vertices);
  text += fmt::format("  unused vertices     {}\n", r.unused_vertices);
  text += fmt::format("  area                {:.6g} m²\n", r.area);
  if (r.watertight) text += fmt::format("  volume              {:.6g} m³\n", r.volume);
  return print_result(text);
}

}  // namespace

void add_info(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", "Counts, sizes and defects of a volume mesh or a surface");
  command->add_option("MESH", options->mesh, "volume mesh or surface file")->required();
  command->footer("Examples:\n  pliant info beam.msh\n  pliant info dragon.obj --json");
  add_common(*command, options->common);
  command->callback([options, &exit_code] {
    exit_code = with_threads(options->common, [&] {
      return is_surface_file(options->mesh) ? surface_info(*options) : volume_info(*options);
    });
  });
}

}  // namespace pliant::cli
