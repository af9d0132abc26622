#include "pliant/file/off.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/polygon_soup.hpp"

#include <algorithm>

namespace pliant {
namespace {

class OffReader {
 public:
  OffReader(std::string_view bytes, std::string_view file)
      : size_(std::ssize(bytes)), scan_(bytes, file), soup_(file) {}

  Result<SurfaceFile> read() {
    if (read_header() && read_counts()) {
      for (Index i = 0; i < vertices_ && !soup_.hopeless() && next_row("vertex ", i); ++i) read_vertex();
      for (Index i = 0; i < faces_ && !soup_.hopeless() && next_row("face ", i); ++i) read_face();
    }
    return soup_.finish();
  }

 private:
  bool fail(ErrorCode code, std::string what, std::string remedy = {}) {
    soup_.fail({code, scan_.where(), std::move(what), std::move(remedy)});
    return false;
  }

  /// [ST][C][N]OFF. The variants 4OFF and nOFF, of other dimensions, are not surfaces in space.
  bool read_header() {
    const std::string_view word = scan_.next_word();
    if (word.empty()) return fail(ErrorCode::kTruncated, "file is empty");
    std::string_view prefix = word;
    if (prefix.ends_with("OFF")) {
      prefix.remove_suffix(3);
      if (prefix.starts_with("ST")) prefix.remove_prefix(2);
      if (prefix.starts_with("C")) prefix.remove_prefix(1);
      if (prefix.starts_with("N")) prefix.remove_prefix(1);
      if (prefix.empty()) return true;
      return fail(ErrorCode::kUnsupported, in_quotes(word) + " is not a surface in three dimensions",
                  "write it as OFF");
    }
    return fail(ErrorCode::kSyntax, "starts with " + in_quotes(word), "an OFF file starts with 'OFF'");
  }

  /// Numbers of vertices, faces and (not always) edges. Each vertex and face takes some bytes, which bounds
  /// the counts.
  bool read_counts() {
    for (Index* count : {&vertices_, &faces_}) {
      const std::string_view word = scan_.next_word();
      if (word.empty()) return fail(ErrorCode::kTruncated, "ends before its counts");
      if (word == "BINARY")
        return fail(ErrorCode::kUnsupported, "binary OFF is not read", "write it as text");
      const std::optional<Index> number = to_integer(word);
      if (!number || *number < 0) return fail(ErrorCode::kSyntax, in_quotes(word) + " is not a count");
      if (*number > size_)
        return fail(ErrorCode::kLimit, in_quotes(word) + " is more than the file can hold");
      *count = *number;
    }
    return true;
  }

  bool next_row(const char* what, Index number) {
    if (scan_.next_line()) return true;
    soup_.fail(ErrorCode::kTruncated, scan_.line(), what + text(number),
               "is missing: the file ends too early");
    return false;
  }

  void read_vertex() {
    Vector3 position;
    for (Index i = 0; i < 3; ++i) {
      const std::string_view word = scan_.word();
      const std::optional<double> number = to_number(word);
      if (!number) {
        fail(ErrorCode::kSyntax,
             word.empty() ? "vertex has fewer than three coordinates" : in_quotes(word) + " is not a number");
        position.setZero();
        break;
      }
      position[i] = *number;
    }
    soup_.add_vertex(position, scan_.line());
  }

  void read_face() {
    corners_.clear();
    const std::string_view word = scan_.word();
    const std::optional<Index> count = to_integer(word);
    if (!count || *count < 0) {
      fail(ErrorCode::kSyntax, in_quotes(word) + " is not a number of corners");
      return;
    }
    const Index line = scan_.line();
    for (Index i = 0; i < *count; ++i) {
      const std::string_view corner = scan_.word();
      const std::optional<Index> index = to_integer(corner);
      if (!index) {
        fail(ErrorCode::kSyntax, corner.empty()
                                     ? "face ends after " + text(i) + " of " + text(*count) + " corners"
                                     : in_quotes(corner) + " is not a vertex number");
        return;
      }
      corners_.push_back(*index);
    }
    soup_.add_polygon(corners_, line);
  }

  Index size_;
  TokenScanner scan_;
  PolygonSoup soup_;
  std::vector<Index> corners_;
  Index vertices_ = 0;
  Index faces_ = 0;
};

}  // namespace

Result<SurfaceFile> read_off(std::string_view bytes, std::string_view file) {
  return OffReader(bytes, file).read();
}

std::string write_off(const SurfaceMesh& mesh) {
  std::string out = "OFF\n" + text(mesh.vertex_count()) + ' ' + text(std::ssize(mesh.triangles)) + " 0\n";
  for (const Vector3& v : mesh.vertices) out += text(v.x()) + ' ' + text(v.y()) + ' ' + text(v.z()) + '\n';
  for (const Triangle& t : mesh.triangles)
    out += "3 " + text(Index{t[0]}) + ' ' + text(Index{t[1]}) + ' ' + text(Index{t[2]}) + '\n';
  return out;
}

}  // namespace pliant
