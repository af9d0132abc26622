#include "pliant/file/token_scanner.hpp"

namespace pliant {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0'; }

}  // namespace

std::size_t TokenScanner::newline_at(std::size_t position) const {
  if (position >= bytes_.size()) return 0;
  if (bytes_[position] == '\n') return 1;
  if (bytes_[position] != '\r') return 0;
  return position + 1 < bytes_.size() && bytes_[position + 1] == '\n' ? 2 : 1;
}

void TokenScanner::skip_line() {
  while (at_ < bytes_.size()) {
    if (const std::size_t length = newline_at(at_); length > 0) {
      at_ += length;
      ++line_;
      line_start_ = at_;
      return;
    }
    ++at_;
  }
}

void TokenScanner::mark() {
  word_line_ = line_;
  word_column_ = static_cast<Index>(at_ - line_start_) + 1;
}

bool TokenScanner::next_line() {
  if (started_) {
    if (continuation_ == Continuation::kBackslash)
      while (!word().empty()) {  // the line may continue after a backslash
      }
    skip_line();
  }
  started_ = true;
  while (at_ < bytes_.size()) {
    const TokenScanner before = *this;
    if (!word().empty()) {
      *this = before;
      return true;
    }
    skip_line();
  }
  mark();
  return false;
}

std::string_view TokenScanner::word() {
  started_ = true;
  const auto joins = [this](std::size_t position) {
    return continuation_ == Continuation::kBackslash && bytes_[position] == '\\' &&
           (newline_at(position + 1) > 0 || position + 1 == bytes_.size());
  };
  while (at_ < bytes_.size()) {
    if (joins(at_)) {
      ++at_;
      skip_line();
    } else if (is_blank(bytes_[at_])) {
      ++at_;
    } else {
      break;
    }
  }
  mark();
  const std::size_t begin = at_;
  while (at_ < bytes_.size() && !is_blank(bytes_[at_]) && bytes_[at_] != '#' && newline_at(at_) == 0 &&
         !joins(at_))
    ++at_;
  return bytes_.substr(begin, at_ - begin);
}

std::string_view TokenScanner::next_word() {
  while (true) {
    const std::string_view found = word();
    if (!found.empty() || at_ >= bytes_.size()) return found;
    skip_line();
  }
}

Location TokenScanner::where() const { return {std::string(file_), word_line_, word_column_, {}}; }

}  // namespace pliant
