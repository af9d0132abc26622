#include "pliant/serve/page_files.hpp"

#include "pliant/base/index.hpp"

#include <array>
#include <vector>

// The assembler embeds the files, so that the compiler need not parse a megabyte of numbers.
// NOLINTBEGIN(bugprone-macro-parentheses): a declared name cannot stand in parentheses
#define PLIANT_EMBED(symbol, file)                                                               \
  extern "C" const char symbol[];                                                                \
  extern "C" const char symbol##_end[];                                                          \
  __asm__(".section .rodata\n.global " #symbol "\n.global " #symbol "_end\n.balign 16\n" #symbol \
          ":\n.incbin \"" file "\"\n" #symbol "_end:\n.byte 0\n.previous\n");
// NOLINTEND(bugprone-macro-parentheses)
#include PLIANT_PAGE_DATA

namespace pliant::view {

std::span<const PageFile> page_files() {
  [[maybe_unused]] const auto content_of = [](const char* begin, const char* end) {
    return std::string_view(begin, to_size(end - begin));
  };
  static const std::vector<PageFile> files{
#include PLIANT_PAGE_LIST
  };
  return files;
}

}  // namespace pliant::view
