#include "commands.hpp"
#include "pliant/file/volume_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pliant::cli {
namespace {

struct ConvertOptions {
  Common common;
  std::string input;
  std::string output;
  std::string format;
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

int convert(const ConvertOptions& options) {
  WriteOptions how;
  how.binary = options.binary;
  if (options.format == "2.2") {
    how.msh_version = MshVersion::k22;
  } else if (!options.format.empty() && options.format != "4.1") {
    return report(bad_option("--format", "must be 2.2 or 4.1, got " + options.format));
  }
  if (!options.format.empty() && std::filesystem::path(options.output).extension() != ".msh")
    return report(bad_option("--format", "is for .msh files only", "leave it out"));
  if (const Status possible = check_writable(options.output, "-o"); !possible)
    return report(possible.errors());
  if (const Status safe = check_not_input(options.output, "-o", {{options.input}}); !safe)
    return report(safe.errors());

  Result<VolumeFile> file = read_volume_file(options.input);
  if (!file) return report(file.errors());
  print_notes(file.value().notes, options.common);
  VolumeMesh& mesh = file.value().mesh;
  const Diagnostics& extras = file.value().extras;
  if (!extras.empty() && !options.drop_extras) return report(refused(extras));
  if (options.drop_extras) {
    print_notes(told(extras), options.common);
    print_notes(told(drop_unwritable(options.output, mesh)), options.common);
  }
  if (const Status written = write_volume_file(options.output, mesh, how); !written) {
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
        {"elements", {{"tet4", mesh.tets.size()}, {"hex8", mesh.hexes.size()}}}};
    return print_result(document.dump() + "\n");
  }
  say(options.common, fmt::format("{}: {} vertices, {} tets, {} hexes", options.output, mesh.vertex_count(),
                                  mesh.tets.size(), mesh.hexes.size()));
  return kDone;
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand("convert", "Volume mesh from one file format to another");
  command->add_option("IN", options->input, "volume mesh file")->required();
  command->add_option("-o,--output", options->output, "file to write: .msh, .mesh, .veg or .vtu")->required();
  command->add_option("--format", options->format, "version of a .msh file: 4.1 (default) or 2.2");
  command->add_flag("--binary", options->binary, "write a binary .msh");
  command->add_flag("--drop-extras", options->drop_extras,
                    "leave out what the target cannot hold: material constants, data arrays, names, ...");
  command->footer(
      "Examples:\n  pliant convert beam.mesh -o beam.msh\n  pliant convert beam.vtu -o beam.msh --format "
      "2.2");
  add_common(*command, options->common);
  command->callback([options, &exit_code] {
    exit_code = with_threads(options->common, [&] { return convert(*options); });
  });
}

}  // namespace pliant::cli
