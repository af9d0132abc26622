// pliant — the program. Commands are in command_*.cpp; no arithmetic happens in this folder.
#include "commands.hpp"
#include "console.hpp"

#include <cstdio>
#include <exception>
#include <new>

namespace {

int run(int argc, char** argv) {
  using namespace pliant::cli;
  CLI::App app{"Pliant: real-time simulation of solids that bend far", "pliant"};
  app.footer(
      "Examples:\n"
      "  pliant info beam.msh\n"
      "  pliant mesh dragon.obj -o dragon.vtu --resolution 60\n"
      "  pliant modes beam.msh --young 1e6 --poisson 0.3 --density 1000 --fix \"x < 1e-6\" --count 10\n"
      "  pliant run examples/cantilever_tet.toml --out out/cantilever\n\n"
      "Exit codes: 0 done, 1 the computation failed or was interrupted, 2 the request was bad.\n"
      "Guides are in docs/guide.");
  app.set_version_flag("--version", std::string("pliant ") + PLIANT_VERSION);
  app.require_subcommand(1);

  int exit_code = kDone;
  add_info(app, exit_code);
  add_convert(app, exit_code);
  add_mesh(app, exit_code);
  add_modes(app, exit_code);
  add_run(app, exit_code);
  add_schema(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return report(bad_option("", error.what(), "see pliant --help"));
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  pliant::cli::catch_interrupts();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "error: out of memory; take a coarser mesh or fewer modes\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
  }
  return pliant::cli::kFailed;
}
