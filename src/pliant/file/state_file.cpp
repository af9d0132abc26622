#include "pliant/file/state_file.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/token_scanner.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <vector>

namespace pliant {
namespace {

constexpr std::size_t kMostErrors = 10;

class StateReader {
 public:
  StateReader(std::string_view bytes, std::string_view file, Index vertex_count)
      : size_(std::ssize(bytes)), file_(file), scan_(bytes, file), vertex_count_(vertex_count) {}

  Result<VertexState> read() {
    // A row has at least 13 characters and a line end: a file that is too short is refused before memory is
    // allocated.
    if (vertex_count_ > size_ / 13) {
      fail(ErrorCode::kTruncated, {std::string(file_), 0, 0, {}},
           "too short for the " + text(vertex_count_) + " vertices of the body");
      return errors_;
    }
    const auto n = to_size(vertex_count_);
    state_.displacements = VectorX::Zero(3 * vertex_count_);
    state_.velocities = VectorX::Zero(3 * vertex_count_);
    seen_at_.assign(n, 0);
    while (errors_.size() < kMostErrors && scan_.next_line()) read_row();
    if (errors_.empty()) check_complete();
    if (!errors_.empty()) return errors_;
    return std::move(state_);
  }

 private:
  void fail(ErrorCode code, Location where, std::string what, std::string remedy = {}) {
    errors_.push_back({code, std::move(where), std::move(what), std::move(remedy)});
  }

  void read_row() {
    const std::string_view word = scan_.word();
    const std::optional<Index> vertex = to_integer(word);
    const Index line = scan_.line();
    if (!vertex) return fail(ErrorCode::kSyntax, scan_.where(), in_quotes(word) + " is not a vertex number");
    if (*vertex < 0 || *vertex >= vertex_count_)
      return fail(ErrorCode::kOutOfRange, scan_.where(), "vertex " + text(*vertex) + " does not exist",
                  "vertices are 0 to " + text(vertex_count_ - 1));
    Index& seen = seen_at_[to_size(*vertex)];
    if (seen > 0)
      return fail(ErrorCode::kInconsistent, scan_.where(),
                  "vertex " + text(*vertex) + " stands already in line " + text(seen));
    seen = line;
    std::array<double, 6> numbers{};
    for (double& number : numbers)
      if (!read_number(number)) return;
    if (!scan_.word().empty())
      return fail(ErrorCode::kSyntax, scan_.where(), "more than six numbers behind the vertex");
    for (std::size_t k = 0; k < 3; ++k) {
      state_.displacements[3 * *vertex + static_cast<Index>(k)] = numbers[k];
      state_.velocities[3 * *vertex + static_cast<Index>(k)] = numbers[k + 3];
    }
  }

  bool read_number(double& number) {
    const std::string_view word = scan_.word();
    const std::optional<double> found = to_number(word);
    if (!found)
      fail(ErrorCode::kSyntax, scan_.where(),
           word.empty() ? "row is too short" : in_quotes(word) + " is not a number",
           "write 'vertex ux uy uz vx vy vz'");
    else if (!std::isfinite(*found))
      fail(ErrorCode::kNonFinite, scan_.where(), in_quotes(word) + " is not finite");
    number = found.value_or(0.0);
    return found && std::isfinite(*found);
  }

  void check_complete() {
    Index missing = 0;
    Index first = -1;
    for (Index v = 0; v < vertex_count_; ++v)
      if (seen_at_[to_size(v)] == 0 && missing++ == 0) first = v;
    if (missing > 0)
      fail(ErrorCode::kMissing, {std::string(file_), 0, 0, "vertex " + text(first)},
           "has no row; " + text(missing) + " of " + text(vertex_count_) + " vertices have none");
  }

  Index size_;
  std::string_view file_;
  TokenScanner scan_;
  Index vertex_count_;
  VertexState state_;
  std::vector<Index> seen_at_;  // line of each vertex's row, 0 if none yet
  Diagnostics errors_;
};

void append_number(std::string& out, double value) {
  std::array<char, 40> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 17).ptr;
  out += ' ';
  out.append(digits.data(), end);
}

}  // namespace

Result<VertexState> read_state(std::string_view bytes, std::string_view file, Index vertex_count) {
  return StateReader(bytes, file, vertex_count).read();
}

std::string write_state(const VertexState& state) {
  std::string out = "# vertex ux uy uz vx vy vz\n";
  for (Index v = 0; 3 * v < state.displacements.size(); ++v) {
    out += text(v);
    for (Index k = 0; k < 3; ++k) append_number(out, state.displacements[3 * v + k]);
    for (Index k = 0; k < 3; ++k) append_number(out, state.velocities[3 * v + k]);
    out += '\n';
  }
  return out;
}

}  // namespace pliant
