#include "pliant/file/obj.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/polygon_soup.hpp"

#include <array>

namespace pliant {
namespace {

/// Statements that do not concern the shape.
constexpr std::array kIgnored = {"vt",     "vn",     "vp",     "g",          "o",         "s",    "l",
                                 "p",      "mg",     "bevel",  "c_interp",   "d_interp",  "lod",  "mtllib",
                                 "usemtl", "maplib", "usemap", "shadow_obj", "trace_obj", "call", "csh"};

bool is_ignored(std::string_view keyword) {
  for (const std::string_view known : kIgnored)
    if (keyword == known) return true;
  return false;
}

class ObjReader {
 public:
  ObjReader(std::string_view bytes, std::string_view file)
      : scan_(bytes, file, TokenScanner::Continuation::kBackslash), soup_(file) {}

  Result<SurfaceFile> read() {
    while (!soup_.hopeless() && scan_.next_line()) {
      const std::string_view keyword = scan_.word();
      if (keyword == "v")
        read_vertex();
      else if (keyword == "f" || keyword == "fo")
        read_face();
      else if (!is_ignored(keyword))
        skip(keyword);
    }
    if (skipped_ > 0)
      soup_.note(
          {ErrorCode::kUnsupported,
           first_skipped_,
           text(skipped_) + " statements of unknown kind were skipped, the first is " + skipped_keyword_,
           {}});
    return soup_.finish();
  }

 private:
  void skip(std::string_view keyword) {
    if (skipped_++ > 0) return;
    first_skipped_ = scan_.where();
    skipped_keyword_ = in_quotes(keyword);
  }

  /// x y z; a weight or a colour may follow.
  void read_vertex() {
    const Index line = scan_.line();
    Vector3 position;
    for (Index i = 0; i < 3; ++i) {
      const std::string_view word = scan_.word();
      const std::optional<double> number = to_number(word);
      if (!number) {
        soup_.fail(
            {ErrorCode::kSyntax, scan_.where(),
             word.empty() ? "vertex has fewer than three coordinates" : in_quotes(word) + " is not a number",
             "write 'v x y z'"});
        position.setZero();  // keeps the numbering, so that faces are not blamed as well
        break;
      }
      position[i] = *number;
    }
    soup_.add_vertex(position, line);
  }

  void read_face() {
    const Index line = scan_.line();
    corners_.clear();
    for (std::string_view word = scan_.word(); !word.empty(); word = scan_.word()) {
      const std::optional<Index> index = to_integer(word.substr(0, word.find('/')));
      if (!index || *index == 0) {
        soup_.fail({index ? ErrorCode::kOutOfRange : ErrorCode::kSyntax, scan_.where(),
                    in_quotes(word) + " is not a face corner",
                    "write vertex numbers from 1, or from -1 counting back"});
        return;
      }
      // Negative numbers count back from the vertices read so far.
      corners_.push_back(*index > 0 ? *index - 1 : std::max<Index>(soup_.vertex_count() + *index, -1));
    }
    soup_.add_polygon(corners_, line);
  }

  TokenScanner scan_;
  PolygonSoup soup_;
  std::vector<Index> corners_;
  Index skipped_ = 0;
  Location first_skipped_;
  std::string skipped_keyword_;
};

}  // namespace

Result<SurfaceFile> read_obj(std::string_view bytes, std::string_view file) {
  return ObjReader(bytes, file).read();
}

std::string write_obj(const SurfaceMesh& mesh) {
  std::string out;
  for (const Vector3& v : mesh.vertices)
    out += "v " + text(v.x()) + ' ' + text(v.y()) + ' ' + text(v.z()) + '\n';
  for (const Triangle& t : mesh.triangles)
    out += "f " + text(Index{t[0]} + 1) + ' ' + text(Index{t[1]} + 1) + ' ' + text(Index{t[2]} + 1) + '\n';
  return out;
}

}  // namespace pliant
