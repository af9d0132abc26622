#include "pliant/base/diagnostic.hpp"

namespace pliant {

std::string to_string(const Diagnostic& diagnostic) {
  const Location& where = diagnostic.where;
  std::string line = where.file;
  if (where.line > 0) line += ":" + std::to_string(where.line);
  if (where.line > 0 && where.column > 0) line += ":" + std::to_string(where.column);
  if (!line.empty()) line += ": ";
  if (!where.key.empty()) line += where.key + ": ";
  line += diagnostic.what;
  if (!diagnostic.remedy.empty()) line += "; " + diagnostic.remedy;
  return line;
}

}  // namespace pliant
