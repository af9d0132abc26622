#include "commands.hpp"
#include "pliant/scene/schema.hpp"

namespace pliant::cli {

void add_schema(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("schema", "The reference page of scene files, as Markdown");
  auto markdown = std::make_shared<bool>(true);
  command->add_flag("--markdown", *markdown, "the only form so far");
  command->callback([markdown, &exit_code] { exit_code = print_result(schema_markdown()); });
}

}  // namespace pliant::cli
