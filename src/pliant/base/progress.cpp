#include "pliant/base/progress.hpp"

namespace pliant {

void Progress::begin(std::string_view /*stage*/, Index /*total*/) {}
void Progress::update(Index /*done*/) {}
void Progress::end() {}

Progress& no_progress() {
  static Progress silent;
  return silent;
}

}  // namespace pliant
