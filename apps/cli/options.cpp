#include "commands.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant::cli {

void add_common(CLI::App& command, Common& common) {
  command.add_flag("--json", common.json, "print one JSON document on standard output");
  command.add_flag("--quiet", common.quiet, "no progress, no notes");
  command.add_option("--threads", common.threads,
                     "threads to use (default: all cores); results do not depend on it");
}

int apply(const Common& common) {
  if (common.threads < 0 || common.threads > 4096)
    return report(bad_option("--threads", "must lie in [0, 4096], got " + std::to_string(common.threads)));
  set_thread_count(common.threads);
  return kDone;
}

}  // namespace pliant::cli
