#include "pliant/file/pulls_file.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/token_scanner.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <tuple>

namespace pliant {
namespace {

constexpr std::size_t kMostErrors = 10;

class PullsReader {
 public:
  PullsReader(std::string_view bytes, std::string_view file, Index vertex_count)
      : file_(file), scan_(bytes, file), vertex_count_(vertex_count) {}

  Result<std::vector<Pull>> read() {
    while (errors_.size() < kMostErrors && scan_.next_line()) read_row();
    if (errors_.empty() && rows_.empty())
      fail(ErrorCode::kMissing, {std::string(file_), 0, 0, {}}, "has no pulls",
           "write 'time vertex fx fy fz'");
    if (errors_.empty()) sort_rows();
    if (!errors_.empty()) return errors_;
    std::vector<Pull> pulls;
    pulls.reserve(rows_.size());
    for (const Row& row : rows_) pulls.push_back(row.pull);
    return pulls;
  }

 private:
  struct Row {
    Pull pull;
    Index line = 0;
  };

  void fail(ErrorCode code, Location where, std::string what, std::string remedy = {}) {
    errors_.push_back({code, std::move(where), std::move(what), std::move(remedy)});
  }

  void read_row() {
    Row row;
    const std::optional<double> time = read_number();
    row.line = scan_.line();
    if (!time) return;
    row.pull.time = *time;
    const std::string_view word = scan_.word();
    const std::optional<Index> vertex = to_integer(word);
    if (!vertex)
      return fail(ErrorCode::kSyntax, scan_.where(),
                  word.empty() ? "row is too short" : in_quotes(word) + " is not a vertex number",
                  "write 'time vertex fx fy fz'");
    if (*vertex < 0 || *vertex >= vertex_count_)
      return fail(ErrorCode::kOutOfRange, scan_.where(), "vertex " + text(*vertex) + " does not exist",
                  "vertices are 0 to " + text(vertex_count_ - 1));
    row.pull.vertex = static_cast<VertexId>(*vertex);
    for (Index k = 0; k < 3; ++k) {
      const std::optional<double> number = read_number();
      if (!number) return;
      row.pull.force[k] = *number;
    }
    if (!scan_.word().empty())
      return fail(ErrorCode::kSyntax, scan_.where(), "more than five numbers in a row");
    rows_.push_back(row);
  }

  std::optional<double> read_number() {
    const std::string_view word = scan_.word();
    const std::optional<double> found = to_number(word);
    if (!found) {
      fail(ErrorCode::kSyntax, scan_.where(),
           word.empty() ? "row is too short" : in_quotes(word) + " is not a number",
           "write 'time vertex fx fy fz'");
      return std::nullopt;
    }
    if (!std::isfinite(*found)) {
      fail(ErrorCode::kNonFinite, scan_.where(), in_quotes(word) + " is not finite");
      return std::nullopt;
    }
    return found;
  }

  void sort_rows() {
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
      return std::tie(a.pull.time, a.pull.vertex) < std::tie(b.pull.time, b.pull.vertex);
    });
    for (std::size_t i = 1; i < rows_.size() && errors_.size() < kMostErrors; ++i) {
      const Row& before = rows_[i - 1];
      const Row& row = rows_[i];
      if (row.pull.time == before.pull.time && row.pull.vertex == before.pull.vertex)
        fail(ErrorCode::kInconsistent, {std::string(file_), row.line, 1, {}},
             "vertex " + text(Index{row.pull.vertex}) + " is pulled at this time in line " +
                 text(before.line) + " already",
             "add the two forces");
    }
  }

  std::string_view file_;
  TokenScanner scan_;
  Index vertex_count_;
  std::vector<Row> rows_;
  Diagnostics errors_;
};

void append_number(std::string& out, double value) {
  std::array<char, 40> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 17).ptr;
  out.append(digits.data(), end);
}

}  // namespace

Result<std::vector<Pull>> read_pulls(std::string_view bytes, std::string_view file, Index vertex_count) {
  return PullsReader(bytes, file, vertex_count).read();
}

std::string write_pulls(std::span<const Pull> pulls) {
  std::string out = "# time vertex fx fy fz\n";
  for (const Pull& pull : pulls) {
    append_number(out, pull.time);
    out += ' ';
    out += text(Index{pull.vertex});
    for (Index k = 0; k < 3; ++k) {
      out += ' ';
      append_number(out, pull.force[k]);
    }
    out += '\n';
  }
  return out;
}

}  // namespace pliant
