// pliant — the program. Commands are in command_*.cpp; no arithmetic happens in this folder.
#include "commands.hpp"
#include "console.hpp"
#include "pliant/base/text.hpp"

#include <cstdio>
#include <exception>
#include <new>

namespace {

/// The nearest of the known words, or all of them.
std::string known(const std::string& word, const std::vector<std::string>& words) {
  const std::string near =
      pliant::nearest_word(word, std::vector<std::string_view>(words.begin(), words.end()));
  if (!near.empty()) return "did you mean " + near + "?";
  std::string all;
  for (const std::string& one : words) all += (all.empty() ? "known: " : ", ") + one;
  return all;
}

/// A word that the command line has no place for is named with what may have been meant.
pliant::Diagnostic explain(const CLI::App& app, const CLI::ParseError& error) {
  using pliant::cli::bad_option;
  const std::vector<std::string> left = app.remaining(true);
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (left.empty() || (!chosen.empty() && dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr))
    return bad_option("", error.what(), "see pliant --help");
  const std::string word = left.front().substr(0, left.front().find('='));
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  std::vector<std::string> words;
  if (word.starts_with("-")) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
    return bad_option(word, "is no option of " + command.get_display_name(), known(word, words));
  }
  if (!chosen.empty())
    return bad_option(word, "is one argument too many",
                      "see pliant " + command.get_name() + " --help; text with spaces needs quotes");
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
    words.push_back(one->get_name());
  return bad_option(word, "is no command", known(word, words));
}

int run(int argc, char** argv) {
  using namespace pliant::cli;
  CLI::App app{"Pliant: real-time simulation of solids that bend far", "pliant"};
  app.footer(
      "Examples:\n"
      "  pliant info beam.msh\n"
      "  pliant mesh dragon.obj -o dragon.vtu --resolution 60\n"
      "  pliant modes beam.msh --young 1e6 --poisson 0.3 --density 1000 --fix \"x < 1e-6\" --count 10\n"
      "  pliant run examples/cantilever_tet.toml --out out/cantilever\n"
      "  pliant view examples/spoon.toml\n\n"
      "Exit codes: 0 done, 1 the computation failed or was interrupted, or the disk is full, 2 the request "
      "was bad.\n"
      "Guides are in docs/guide.");
  app.set_version_flag("--version", std::string("pliant ") + PLIANT_VERSION);
  app.require_subcommand(1);

  int exit_code = kDone;
  add_info(app, exit_code);
  add_convert(app, exit_code);
  add_mesh(app, exit_code);
  add_modes(app, exit_code);
  add_decompose(app, exit_code);
  add_build(app, exit_code);
  add_run(app, exit_code);
  add_sketch(app, exit_code);
  add_view(app, exit_code);
  add_haptic(app, exit_code);
  add_weights(app, exit_code);
  add_render(app, exit_code);
  add_schema(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return report(explain(app, error));
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
