#include "commands.hpp"
#include "pliant/file/volume_file.hpp"
#include "pliant/mesh/core/tet10.hpp"
#include "pliant/mesh/core/validate_volume.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace pliant::cli {
namespace {

struct ConvertOptions {
  Common common;
  std::string input;
  std::string output;
  std::string format;
  std::optional<Index> order;  // of the tetrahedra
  bool binary = false;
  bool drop_extras = false;
};

/// What would be lost, as errors that name the way out.
Diagnostics refused(Diagnostics lost) {
  for (Diagnostic& loss : lost) {
    loss.code = ErrorCode::kUnwritable;
    loss.what = "is not carried over: " + loss.what;
    loss.remedy = "add --drop-extras to go without it";
  }
  return lost;
}

/// The same as notes.
Diagnostics told(Diagnostics lost) {
  for (Diagnostic& loss : lost) loss.what = "is not carried over: " + loss.what;
  return lost;
}

/// How many elements lose their curved edges when they become linear.
Index curved_count(const VolumeMesh& mesh) {
  return std::count_if(mesh.tet10s.begin(), mesh.tet10s.end(),
                       [&](const Tet10& tet) { return !is_straight(corners(mesh, tet)); });
}

/// Changes the order of the tetrahedra and checks the result like a file: neighbours need not fit any longer,
/// and an element with straight edges may be inside out where the curved one was not.
Status change_order(const ConvertOptions& options, VolumeFile& file) {
  if (!options.order) return Done{};
  VolumeMesh& mesh = file.mesh;
  if (const Index curved = *options.order == 1 ? curved_count(mesh) : 0; curved > 0)
    print_notes({{ErrorCode::kUnsupported,
                  {options.input, 0, 0, {}},
                  fmt::format("{} curved elements become straight", curved),
                  {}}},
                options.common);
  if (*options.order == 2 && !mesh.hexes.empty())
    print_notes({{ErrorCode::kUnsupported,
                  {options.input, 0, 0, {}},
                  fmt::format("{} hexahedra stay trilinear", mesh.hexes.size()),
                  "only tetrahedra become quadratic"}},
                options.common);
  const auto faces = std::ssize(mesh.triangles) + std::ssize(mesh.quads);
  mesh = *options.order == 2 ? make_quadratic(std::move(mesh)) : make_linear(mesh).mesh;
  if (const Index lost = faces - std::ssize(mesh.triangles) - std::ssize(mesh.quads); lost > 0)
    print_notes({{ErrorCode::kUnsupported,
                  {options.input, 0, 0, {}},
                  fmt::format("left out {} labelled faces at midside vertices, which are gone", lost),
                  {}}},
                options.common);
  const LocatePart plain = default_location(mesh);
  const auto locate = [&](MeshPart part, Index i) {
    Location where = plain(part, i);
    where.file = options.input;
    return where;
  };
  Result<Validation> valid = validate_volume(mesh, locate);
  if (!valid) return valid.errors();
  Diagnostics notes = std::move(valid).value().notes;
  std::erase_if(notes, [&](const Diagnostic& note) {  // those that the file has had before
    return std::any_of(file.notes.begin(), file.notes.end(),
                       [&](const Diagnostic& before) { return before.what == note.what; });
  });
  print_notes(notes, options.common);
  return Done{};
}

void print_summary(const ConvertOptions& options, const VolumeMesh& mesh) {
  const std::string quadratic =
      mesh.tet10s.empty() ? "" : fmt::format(", {} quadratic tets", mesh.tet10s.size());
  say(options.common, fmt::format("{}: {} vertices, {} tets, {} hexes{}", options.output, mesh.vertex_count(),
                                  mesh.tets.size(), mesh.hexes.size(), quadratic));
}

Result<WriteOptions> check_options(const ConvertOptions& options) {
  WriteOptions how;
  how.binary = options.binary;
  if (options.order && *options.order != 1 && *options.order != 2)
    return bad_option("--order", "must be 1 or 2, got " + std::to_string(*options.order));
  if (options.format == "2.2") {
    how.msh_version = MshVersion::k22;
  } else if (!options.format.empty() && options.format != "4.1") {
    return bad_option("--format", "must be 2.2 or 4.1, got " + options.format);
  }
  if (!options.format.empty() && std::filesystem::path(options.output).extension() != ".msh")
    return bad_option("--format", "is for .msh files only", "leave it out");
  if (const Status possible = check_writable(options.output, "-o"); !possible) return possible.errors();
  if (const Status safe = check_not_input(options.output, "-o", {{options.input}}); !safe)
    return safe.errors();
  return how;
}

int convert(const ConvertOptions& options) {
  const Result<WriteOptions> how = check_options(options);
  if (!how) return report(how.errors());
  Result<VolumeFile> file = read_volume_file(options.input);
  if (!file) return report(file.errors());
  print_notes(file.value().notes, options.common);
  VolumeMesh& mesh = file.value().mesh;
  const Diagnostics& extras = file.value().extras;
  if (!extras.empty() && !options.drop_extras) return report(refused(extras));
  if (const Status changed = change_order(options, file.value()); !changed) return report(changed.errors());
  if (options.drop_extras) {
    print_notes(told(extras), options.common);
    print_notes(told(drop_unwritable(options.output, mesh)), options.common);
  }
  if (const Status written = write_volume_file(options.output, mesh, how.value()); !written) {
    Diagnostics errors = written.errors();
    VolumeMesh less = mesh;
    if (!drop_unwritable(options.output, less).empty())
      errors.front().remedy += ", or add --drop-extras to go without";
    return report(errors);
  }
  if (options.common.json) {
    const nlohmann::ordered_json document{
        {"output", options.output},
        {"vertices", mesh.vertex_count()},
        {"elements",
         {{"tet4", mesh.tets.size()}, {"hex8", mesh.hexes.size()}, {"tet10", mesh.tet10s.size()}}}};
    return print_result(document.dump() + "\n");
  }
  print_summary(options, mesh);
  return kDone;
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand("convert", "Volume mesh from one file format to another");
  command->add_option("IN", options->input, "volume mesh file")->required();
  command->add_option("-o,--output", options->output, "file to write: .msh, .mesh, .veg or .vtu")->required();
  command->add_option("--format", options->format, "version of a .msh file: 4.1 (default) or 2.2");
  command->add_option("--order", options->order,
                      "2: make all tetrahedra quadratic (tet10), straight; 1: make them linear (tet4)");
  command->add_flag("--binary", options->binary, "write a binary .msh");
  command->add_flag("--drop-extras", options->drop_extras,
                    "leave out what the target cannot hold: material constants, data arrays, names, ...");
  command->footer(
      "Examples:\n  pliant convert beam.mesh -o beam.msh\n  pliant convert beam.vtu -o beam.msh --format "
      "2.2\n  pliant convert beam.msh -o beam10.msh --order 2");
  add_common(*command, options->common);
  command->callback([options, &exit_code] {
    exit_code = with_threads(options->common, [&] { return convert(*options); });
  });
}

}  // namespace pliant::cli
