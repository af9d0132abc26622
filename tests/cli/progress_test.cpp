// Progress on the console: long stages show themselves even when they cannot tell how far they are.
#include "console.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace pliant {
namespace {

/// What was printed so far.
std::string printed(std::FILE* file) {
  std::fflush(file);
  const long size = std::ftell(file);
  std::string text(to_size(std::max(0L, size)), '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fseek(file, 0, SEEK_END);
  return text;
}

TEST(ConsoleProgress, SilentStagesAreShown) {
  std::FILE* out = std::tmpfile();
  ASSERT_NE(out, nullptr);
  {
    const auto progress = cli::make_console_progress({out, false, 0.001, 0.002});
    progress->begin("factorise", 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // a hundred looks fit into it
    progress->end();
    progress->begin("simulate", 4);
    progress->update(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  const std::string text = printed(out);
  std::fclose(out);
  EXPECT_TRUE(text.starts_with("factorise ... 0 s\n")) << text;
  EXPECT_NE(text.find("simulate 25 %, "), std::string::npos) << text;
}

TEST(ConsoleProgress, ShortStagesAreSilent) {
  std::FILE* out = std::tmpfile();
  ASSERT_NE(out, nullptr);
  {
    const auto progress = cli::make_console_progress({out, true, 3600.0, 0.001});
    for (Index i = 0; i < 100; ++i) progress->update(i);
    progress->begin("simulate", 100);
    for (Index i = 0; i < 100; ++i) progress->update(i);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    progress->end();
  }
  EXPECT_EQ(printed(out), "");
  std::fclose(out);
}

}  // namespace
}  // namespace pliant
