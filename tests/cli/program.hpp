// tests/cli/program.hpp — runs the real program and keeps what it said.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pliant::test {

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
  [[nodiscard]] std::vector<std::string> error_lines() const;  // those that begin with "error: "
};

/// `pliant ARGUMENTS` in `folder`, as a subprocess; arguments are passed on untouched by any shell.
Outcome run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                    int interrupt_after_ms = 0);

/// Names in a folder, sorted.
std::vector<std::string> listing(const std::filesystem::path& folder);

void write_text(const std::filesystem::path& file, const std::string& text);
std::string read_text(const std::filesystem::path& file);

}  // namespace pliant::test
