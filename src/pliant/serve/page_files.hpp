// serve/page_files.hpp — the page's built files, as they lie in the program itself.
#pragma once

#include <span>
#include <string_view>

namespace pliant::view {

struct PageFile {
  std::string_view path;  // as requested: "/index.html", "/assets/…"
  std::string_view type;  // of its content
  std::string_view content;
};

/// Empty when the program was built without the page (node was not there).
[[nodiscard]] std::span<const PageFile> page_files();

}  // namespace pliant::view
