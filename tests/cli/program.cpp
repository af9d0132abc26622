#include "program.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace pliant::test {

std::vector<std::string> Outcome::error_lines() const {
  std::vector<std::string> lines;
  std::istringstream in(err);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("error: ")) lines.push_back(line);
  }
  return lines;
}

Outcome run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                    int interrupt_after_ms) {
  static int serial = 0;
  const std::filesystem::path base = std::filesystem::temp_directory_path() /
                                     ("pliant-" + std::to_string(getpid()) + "-" + std::to_string(++serial));
  const std::string out = base.string() + ".out", err = base.string() + ".err";
  const pid_t child = fork();
  if (child == 0) {
    const int out_file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int err_file = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out_file, STDOUT_FILENO);
    dup2(err_file, STDERR_FILENO);
    std::vector<char*> argv{const_cast<char*>(PLIANT_PROGRAM)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    if (chdir(folder.c_str()) == 0) execv(PLIANT_PROGRAM, argv.data());
    _exit(127);
  }
  if (interrupt_after_ms > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(interrupt_after_ms));
    kill(child, SIGINT);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  outcome.out = read_text(out);
  outcome.err = read_text(err);
  std::filesystem::remove(out);
  std::filesystem::remove(err);
  return outcome;
}

std::vector<std::string> listing(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace pliant::test
