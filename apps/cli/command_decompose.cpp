#include "commands.hpp"
#include "decompose_instances.hpp"
#include "decompose_vertices.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/file/surface_file.hpp"
#include "pliant/file/volume_file.hpp"
#include "pliant/scene/assembly.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/scene/domain_report.hpp"
#include "pliant/scene/load_mesh.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pliant::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DecomposeOptions {
  Common common;
  std::string input;
  std::optional<Index> automatic;
  bool labels = false;
  bool vertices = false;
  bool merge_cycles = false;
  std::vector<std::string> fixed;
  std::optional<std::string> root, body;
  std::string output, svg, matrix;
  bool instances = false;
  double tolerance = 1e-3;
};

/// A body with its domains.
struct Cut {
  std::string name;
  std::vector<DomainRow> rows;
  VolumeMesh mesh;                                            // labelled by domain, if those are of elements
  std::vector<std::pair<std::string, std::string>> touching;  // in edges or vertices only
  std::optional<VertexDomains> vertices;                      // instead of rows
  std::vector<Index> modes = {};                              // of domains of vertices
};

bool divides_vertices(const DecomposeOptions& options) { return options.vertices || !options.matrix.empty(); }

Diagnostics check_options(const DecomposeOptions& options) {
  Diagnostics problems;
  if (options.automatic && *options.automatic < 1)
    problems.push_back(bad_option("--auto", "must be >= 1", "e.g. --auto 8"));
  if (options.automatic && options.labels)
    problems.push_back(bad_option("--auto", "stands beside --labels", "keep one of the two"));
  if (divides_vertices(options)) {
    const std::string why = "belongs to domains of elements, which form a tree";
    if (options.root) problems.push_back(bad_option("--root", why, "leave it out, or --vertices"));
    if (options.merge_cycles)
      problems.push_back(bad_option("--merge-cycles", why, "leave it out, or --vertices"));
    if (!options.svg.empty()) problems.push_back(bad_option("--svg", why, "leave it out, or --vertices"));
    if (!options.output.empty() && std::filesystem::path(options.output).extension() != ".vtu")
      problems.push_back(bad_option("-o", "domains of vertices need a .vtu file", "e.g. -o domains.vtu"));
  }
  for (const auto& [file, option] : {std::pair(options.output, "-o"), std::pair(options.svg, "--svg"),
                                     std::pair(options.matrix, "--matrix")}) {
    if (file.empty()) continue;
    if (const Status possible = check_writable(file, option); !possible) problems.push_back(possible.error());
  }
  return problems;
}

Status check_outputs(const DecomposeOptions& options, std::span<const std::filesystem::path> inputs) {
  if (Status safe = check_not_input(options.output, "-o", inputs); !safe) return safe;
  if (Status safe = check_not_input(options.matrix, "--matrix", inputs); !safe) return safe;
  return check_not_input(options.svg, "--svg", inputs);
}

/// What the command line says about domains replaces what the scene says.
void override_domains(const DecomposeOptions& options, BodyText& body) {
  if (options.automatic || options.labels) {
    body.domains.clear();
    for (DomainSource* source :
         {static_cast<DomainSource*>(&body.tree), static_cast<DomainSource*>(&body.coupled)})
      *source = {
          options.labels, options.automatic, {options.input, 0, 0, options.labels ? "--labels" : "--auto"}};
  }
  if (options.merge_cycles) body.tree.merge_cycles = true;
  if (options.root) {
    body.tree.root = options.root;
    body.tree.root_where = {"", 0, 0, "--root"};
  }
}

Result<Cut> cut_vertices(const BodyText& body, const VolumeMesh& mesh, const std::vector<Support>& supports,
                         Diagnostics& notes) {
  std::vector<std::vector<VertexId>> held;
  held.reserve(supports.size());
  for (const Support& support : supports) held.push_back(support.vertices);
  Result<VertexDomains> domains = vertex_domains(mesh, body, body.coupled, held);
  if (!domains) return domains.errors();
  notes.insert(notes.end(), domains.value().notes.begin(), domains.value().notes.end());
  Cut cut{body.name, {}, mesh, {}, std::move(domains).value()};
  cut.modes = modes_of_domains(*cut.vertices, body);
  return cut;
}

Result<Cut> cut_body(const BodyText& body, const VolumeMesh& mesh, const AssemblyShape* assembly,
                     bool vertices, Diagnostics& notes) {
  Diagnostics problems;
  const std::vector<Support> supports = make_supports(body, mesh, problems, notes);
  if (assembly != nullptr && vertices)
    problems.push_back({ErrorCode::kUnsupported, body.where, "is made of placed parts, which form a tree",
                        "leave out --vertices"});
  if (!problems.empty()) return problems;
  if (vertices) return cut_vertices(body, mesh, supports, notes);
  std::vector<VertexId> held;
  for (const Support& support : supports)
    held.insert(held.end(), support.vertices.begin(), support.vertices.end());
  if (assembly != nullptr) {
    Result<std::vector<DomainRow>> rows = domain_rows(*assembly, body, held);
    if (!rows) return rows.errors();
    return Cut{body.name, std::move(rows).value(), mesh, {}, {}};
  }
  Result<Decomposition> parts = decompose(mesh, body, held);
  if (!parts) return parts.errors();
  notes.insert(notes.end(), parts.value().notes.begin(), parts.value().notes.end());
  std::vector<DomainRow> rows = domain_rows(mesh, parts.value(), modes_of_domains(parts.value(), body));
  Cut cut{body.name, std::move(rows), labelled_by_domain(mesh, parts.value()), {}, {}};
  const std::vector<std::string>& names = parts.value().map.names;
  for (const auto& [a, b] : parts.value().graph.touching)
    cut.touching.emplace_back(names[to_size(a)], names[to_size(b)]);
  return cut;
}

/// Whether the options ask for domains of vertices, or else the models of all bodies have them.
Result<bool> scene_divides_vertices(const DecomposeOptions& options) {
  if (divides_vertices(options)) return true;
  if (options.root || options.merge_cycles || !options.svg.empty()) return false;
  const Result<SceneDescription> scene = read_scene_file(options.input, {std::nullopt, std::nullopt, false});
  if (!scene) return scene.errors();
  return std::all_of(scene.value().bodies.begin(), scene.value().bodies.end(),
                     [](const BodyText& body) { return body.model_type == "coupled"; });
}

Result<std::vector<Cut>> cut_scene(const DecomposeOptions& options, Diagnostics& notes, Progress& progress) {
  if (!options.fixed.empty()) return bad_option("--fix", "is for mesh files", "the scene says it all");
  const Result<bool> vertices = scene_divides_vertices(options);
  if (!vertices) return vertices.errors();
  Result<SceneDescription> scene =
      read_scene_file(options.input, {vertices.value() ? "coupled" : "tree", std::nullopt, false});
  if (!scene) return scene.errors();
  if (const Status safe = check_outputs(options, scene.value().inputs); !safe) return safe.errors();
  std::vector<Cut> cuts;
  Diagnostics problems;
  for (BodyText& body : scene.value().bodies) {
    if (options.body && *options.body != body.name) continue;
    override_domains(options, body);
    Result<BodyShape> shape = load_shape(scene.value(), body, progress);
    if (!shape) return shape.errors();
    notes.insert(notes.end(), shape.value().notes.begin(), shape.value().notes.end());
    Result<Cut> cut =
        cut_body(body, shape.value().mesh, shape.value().assembly.get(), vertices.value(), notes);
    if (cut) {
      cuts.push_back(std::move(cut).value());
    } else {
      problems.insert(problems.end(), cut.errors().begin(), cut.errors().end());
    }
  }
  if (!problems.empty()) return problems;
  if (cuts.empty())
    return bad_option("--body", "there is no body \"" + options.body.value_or("") + "\" in the scene");
  return cuts;
}

Result<std::vector<Cut>> cut_file(const DecomposeOptions& options, Diagnostics& notes) {
  if (options.body) return bad_option("--body", "is for scenes", "leave it out");
  if (is_surface_file(options.input))
    return Diagnostic{ErrorCode::kUnsupported,
                      {options.input, 0, 0, ""},
                      "is a surface",
                      "fill it first: pliant mesh " + options.input + " -o FILE.vtu --resolution 40"};
  if (!options.automatic && !options.labels)
    return bad_option("", "a mesh file needs --auto N or --labels", "e.g. --auto 8");
  if (const Status safe = check_outputs(options, {{options.input}}); !safe) return safe.errors();
  Result<VolumeFile> file = read_volume_file(options.input);
  if (!file) return file.errors();
  notes.insert(notes.end(), file.value().notes.begin(), file.value().notes.end());
  BodyText body;
  body.name = std::filesystem::path(options.input).stem().string();
  body.model_type = divides_vertices(options) ? "coupled" : "tree";
  for (const std::string& expression : options.fixed) {
    SelectionText text;
    text.expression = expression;
    text.where.key = "--fix \"" + expression + "\"";
    body.fixed.push_back(std::move(text));
  }
  override_domains(options, body);
  Result<Cut> cut = cut_body(body, file.value().mesh, nullptr, divides_vertices(options), notes);
  if (!cut) return cut.errors();
  std::vector<Cut> cuts;
  cuts.push_back(std::move(cut).value());
  return cuts;
}

Json cut_json(const Cut& cut) {
  if (cut.vertices) return vertex_domains_json(cut.mesh, *cut.vertices, cut.modes);
  Json domains = Json::array();
  Index depth = 0;
  for (const DomainRow& row : cut.rows) {
    depth = std::max(depth, row.level);
    Json parent;  // null for the root
    if (row.parent >= 0) parent = cut.rows[to_size(row.parent)].name;
    domains.push_back({{"name", row.name},
                       {"elements", row.elements},
                       {"vertices", row.vertices},
                       {"volume", row.volume},
                       {"parent", std::move(parent)},
                       {"level", row.level},
                       {"interface_area", row.interface_area},
                       {"modes", row.modes}});
  }
  Json touching = Json::array();
  for (const auto& [a, b] : cut.touching) touching.push_back({a, b});
  return {{"root", cut.rows.front().name},
          {"depth", depth},
          {"elements", cut.mesh.element_count()},
          {"domains", std::move(domains)},
          {"touching", std::move(touching)}};
}

std::string cut_text(const Cut& cut) {
  if (cut.vertices) return vertex_domains_text(cut.name, cut.mesh, *cut.vertices, cut.modes);
  std::size_t width = 6;
  for (const DomainRow& row : cut.rows) width = std::max(width, row.name.size() + 2 * to_size(row.level));
  width = std::min<std::size_t>(width, 48);
  std::string text =
      fmt::format("{}: {} domains, root \"{}\"\n", cut.name, cut.rows.size(), cut.rows.front().name);
  text += fmt::format("  {:<{}} {:>9} {:>9} {:>12} {:>6} {:>14} {:>6}  {}\n", "domain", width, "elements",
                      "vertices", "volume / m³", "level", "interface / m²", "modes", "parent");
  for (const DomainRow& row : cut.rows) {
    const std::string name = std::string(2 * to_size(row.level), ' ') + row.name;
    text += fmt::format("  {:<{}} {:>9} {:>9} {:>12.5g} {:>6} {:>14} {:>6}  {}\n", name, width, row.elements,
                        row.vertices, row.volume, row.level,
                        row.parent >= 0 ? fmt::format("{:.5g}", row.interface_area) : "-",
                        row.modes > 0 ? fmt::format("{}", row.modes) : "rigid",
                        row.parent >= 0 ? cut.rows[to_size(row.parent)].name : "-");
  }
  return text;
}

Status write_files(const DecomposeOptions& options, const Cut& cut, Diagnostics& notes) {
  if (!options.matrix.empty())
    if (Status drawn = write_file(options.matrix, step_matrix_svg(*cut.vertices, cut.modes)); !drawn)
      return drawn;
  if (cut.vertices && !options.output.empty())
    return write_file(options.output, vertex_domains_vtu(cut.mesh, *cut.vertices));
  if (!options.output.empty()) {
    VolumeMesh labelled = cut.mesh;
    for (const Diagnostic& lost : drop_unwritable(options.output, labelled)) notes.push_back(lost);
    if (Status written = write_volume_file(options.output, labelled); !written) return written;
  }
  if (options.svg.empty()) return Done{};
  return write_file(options.svg, domain_tree_svg(cut.rows, cut.name));
}

int run_decompose(const DecomposeOptions& options) {
  if (options.instances)
    return decompose_instances({options.common, options.input, options.output, options.tolerance});
  if (const Diagnostics problems = check_options(options); !problems.empty()) return report(problems);
  const bool scene = std::filesystem::path(options.input).extension() == ".toml";
  const auto progress = make_progress(options.common);
  Diagnostics notes;
  const Result<std::vector<Cut>> cuts =
      scene ? cut_scene(options, notes, *progress) : cut_file(options, notes);
  progress->end();
  if (!cuts) return report(cuts.errors());
  const char* file = !options.output.empty() ? "-o" : !options.svg.empty() ? "--svg" : "--matrix";
  if (cuts.value().size() > 1 && !(options.output.empty() && options.svg.empty() && options.matrix.empty()))
    return report(bad_option(file, "the scene has several bodies",
                             "name one of them: --body \"" + cuts.value().front().name + "\""));
  if (const Status written = write_files(options, cuts.value().front(), notes); !written)
    return report(written.errors());
  print_notes(notes, options.common);
  if (!options.common.json) {
    std::string text;
    for (const Cut& cut : cuts.value()) text += cut_text(cut);
    return print_result(text);
  }
  if (!scene) return print_result(cut_json(cuts.value().front()).dump() + "\n");
  Json bodies = Json::object();
  for (const Cut& cut : cuts.value()) bodies[cut.name] = cut_json(cut);
  return print_result(Json{{"bodies", std::move(bodies)}}.dump() + "\n");
}

}  // namespace

void add_decompose(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DecomposeOptions>();
  CLI::App* command = app.add_subcommand("decompose", "Domains of a body: sizes, tree, labelled mesh");
  command->add_option("INPUT", options->input, "volume mesh, or a scene (.toml); a surface with --instances")
      ->required();
  command->add_option("--auto", options->automatic, "cut into about so many domains");
  command->add_flag("--labels", options->labels, "one domain per label of the mesh");
  command->add_flag("--vertices", options->vertices,
                    "domains of vertices, as `coupled` needs them: rings are welcome");
  command->add_option("--fix", options->fixed, "mesh files: selection of held vertices; may be repeated")
      ->take_all()
      ->expected(1);
  command->add_option("--root", options->root, "name of the root domain");
  command->add_flag("--merge-cycles", options->merge_cycles, "domains that form a ring become one");
  command->add_option("--body", options->body, "scenes: this body only");
  command->add_option("-o,--output", options->output, "write the mesh labelled by domain: .msh, .vtu, ...");
  command->add_option("--svg", options->svg, "write the tree as a picture");
  command->add_option("--matrix", options->matrix,
                      "write a picture of the matrix of a step of `coupled`, before and after factorisation");
  command->add_flag(
      "--instances", options->instances,
      "INPUT is a surface: which of its parts are copies of one another; -o writes a scene of them");
  command->add_option("--tolerance", options->tolerance, "with --instances: over a part's diameter (0.001)");
  command->footer(
      "Examples:\n  pliant decompose octopus.mesh --auto 9 -o octopus_domains.vtu --svg octopus.svg\n"
      "  pliant decompose torus.msh --vertices --auto 6 -o torus_domains.vtu\n"
      "  pliant decompose examples/hammock.toml --matrix hammock.svg\n"
      "  pliant decompose examples/flower.toml --json\n"
      "  pliant decompose --instances sakura.obj -o sakura.toml");
  add_common(*command, options->common);
  command->callback([options, &exit_code] {
    exit_code = with_threads(options->common, [&] { return run_decompose(*options); });
  });
}

}  // namespace pliant::cli
