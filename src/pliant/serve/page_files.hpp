// serve/page_files.hpp — the built files of the page, embedded in the program.
#pragma once

#include <span>
#include <string_view>

namespace pliant::view {

struct PageFile {
  std::string_view path;  // as requested: "/index.html", "/assets/…"
  std::string_view type;  // of its content
  std::string_view content;
};

/// The files of the page. Empty when the program was built without it (node was not available).
[[nodiscard]] std::span<const PageFile> page_files();

}  // namespace pliant::view
