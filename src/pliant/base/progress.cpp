#include "pliant/base/progress.hpp"

#include "pliant/base/cancel_scope.hpp"

namespace pliant {
namespace {

// Set by CancelScope. Worker threads of parallel loops do not have it: ask for cancellation outside of loops.
thread_local std::atomic<bool>* own_flag = nullptr;

}  // namespace

CancelScope::CancelScope(std::atomic<bool>& flag) : before_(own_flag) { own_flag = &flag; }
CancelScope::~CancelScope() { own_flag = before_; }

void Progress::begin(std::string_view /*stage*/, Index /*total*/) {}
void Progress::update(Index /*done*/) {}
void Progress::end() {}

std::atomic<bool>& Progress::cancel_flag() {
  static std::atomic<bool> flag{false};
  return own_flag != nullptr ? *own_flag : flag;
}

Progress& no_progress() {
  static Progress silent;
  return silent;
}

}  // namespace pliant
