#include "pliant/file/stl.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/polygon_soup.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace pliant {
namespace {

constexpr std::size_t kHeader = 84;  // 80 bytes of text, a count
// Normal and three corners as 12 floats, then 2 bytes without an agreed meaning.
constexpr std::size_t kFacet = 50;

std::uint32_t little_u32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

void append_u32(std::string& out, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) out += static_cast<char>(value >> (8 * i) & 0xffU);
}

/// Merges corners with equal coordinates into one vertex.
class CornerMerger {
 public:
  explicit CornerMerger(PolygonSoup& soup) : soup_(soup) {}

  Index vertex(const Vector3& position, Index line) {
    const Vector3 key = position + Vector3::Zero();  // turns −0 into 0: both are the same place
    const auto [found, is_new] =
        numbers_.try_emplace(Key{std::bit_cast<std::uint64_t>(key.x()), std::bit_cast<std::uint64_t>(key.y()),
                                 std::bit_cast<std::uint64_t>(key.z())},
                             soup_.vertex_count());
    if (is_new) soup_.add_vertex(key, line);
    return found->second;
  }

 private:
  using Key = std::array<std::uint64_t, 3>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t h = 0;
      for (const std::uint64_t part : key) {
        h = (h ^ part) * 0x9e3779b97f4a7c15U;
        h ^= h >> 29U;
      }
      return to_size(h);
    }
  };
  PolygonSoup& soup_;
  std::unordered_map<Key, Index, Hash> numbers_;
};

/// Many binary files start with "solid", too, so the size decides first. The size of an ASCII file cannot be
/// the one that its bytes 80 to 83, read as a count, would require.
bool is_binary(std::string_view bytes) {
  if (bytes.size() >= kHeader && bytes.size() == kHeader + kFacet * std::size_t{little_u32(bytes, 80)})
    return true;
  if (lower_case(TokenScanner(bytes, {}).next_word()) != "solid") return true;
  return bytes.substr(0, kHeader).find('\0') != std::string_view::npos;  // text contains no zero bytes
}

/// Normals are ignored: the order of the corners defines the orientation.
Result<SurfaceFile> read_binary(std::string_view bytes, std::string_view file) {
  PolygonSoup soup(file);
  if (bytes.size() < kHeader) {
    soup.fail(ErrorCode::kTruncated, 0, {}, "is neither ASCII nor binary STL",
              "a binary file has at least 84 bytes, an ASCII file starts with 'solid'");
    return soup.finish();
  }
  const std::size_t count = little_u32(bytes, 80);
  const std::size_t room = (bytes.size() - kHeader) / kFacet;
  if (count > room) {
    soup.fail(ErrorCode::kTruncated, 0, {},
              "header promises " + text(static_cast<Index>(count)) + " faces, bytes are there for " +
                  text(static_cast<Index>(room)));
    return soup.finish();
  }
  if (bytes.size() > kHeader + count * kFacet)
    soup.note({ErrorCode::kInconsistent,
               {std::string(file), 0, 0, {}},
               "bytes behind the last face are ignored",
               {}});
  CornerMerger merger(soup);
  for (std::size_t i = 0; i < count && !soup.hopeless(); ++i) {
    std::array<Index, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      Vector3 position;
      for (std::size_t k = 0; k < 3; ++k)
        position[static_cast<Index>(k)] = static_cast<double>(
            std::bit_cast<float>(little_u32(bytes, kHeader + i * kFacet + 12 * (c + 1) + 4 * k)));
      corners[c] = merger.vertex(position, 0);
    }
    soup.add_polygon(corners);
  }
  return soup.finish();
}

class AsciiReader {
 public:
  AsciiReader(std::string_view bytes, std::string_view file)
      : scan_(bytes, file), soup_(file), merger_(soup_) {}

  Result<SurfaceFile> read() {
    while (!soup_.hopeless() && scan_.next_line()) read_line();
    if (inside_solid_)
      soup_.fail(ErrorCode::kTruncated, scan_.line(), "face " + text(soup_.polygon_count()),
                 "the file ends before 'endsolid'");
    return soup_.finish();
  }

 private:
  void read_line() {
    const std::string keyword = lower_case(scan_.word());
    if (keyword == "vertex") {
      read_vertex();
    } else if (keyword == "endloop") {
      soup_.add_polygon(corners_, scan_.line());
      corners_.clear();
    } else if (keyword == "solid" || keyword == "endsolid") {
      inside_solid_ = keyword == "solid";
    } else if (keyword != "facet" && keyword != "outer" && keyword != "endfacet" && keyword != "color") {
      soup_.fail({ErrorCode::kSyntax, scan_.where(), in_quotes(keyword) + " is not an STL keyword", {}});
    }
  }

  void read_vertex() {
    Vector3 position = Vector3::Zero();
    for (Index i = 0; i < 3; ++i) {
      const std::string_view word = scan_.word();
      const std::optional<double> number = to_number(word);
      if (!number) {
        soup_.fail(
            {ErrorCode::kSyntax,
             scan_.where(),
             word.empty() ? "vertex has fewer than three coordinates" : in_quotes(word) + " is not a number",
             {}});
        break;
      }
      position[i] = *number;
    }
    corners_.push_back(merger_.vertex(position, scan_.line()));
  }

  TokenScanner scan_;
  PolygonSoup soup_;
  CornerMerger merger_;
  std::vector<Index> corners_;
  bool inside_solid_ = false;
};

}  // namespace

Result<SurfaceFile> read_stl(std::string_view bytes, std::string_view file) {
  if (bytes.empty())
    return Diagnostic{ErrorCode::kTruncated, {std::string(file), 0, 0, {}}, "file is empty", {}};
  return is_binary(bytes) ? read_binary(bytes, file) : AsciiReader(bytes, file).read();
}

Result<std::string> write_stl(const SurfaceMesh& mesh) {
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (!(mesh.vertices[v].cwiseAbs().maxCoeff() <= double{std::numeric_limits<float>::max()}))
      return Diagnostic{ErrorCode::kUnwritable,
                        {{}, 0, 0, "vertex " + text(static_cast<Index>(v))},
                        "coordinate does not fit the single precision of STL",
                        "write .ply or .obj"};
  if (mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max())
    return Diagnostic{ErrorCode::kUnwritable, {}, "too many triangles for STL", "write .ply or .obj"};
  std::string out = "binary STL, units as in the model";
  out.resize(80, ' ');
  append_u32(out, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& t : mesh.triangles) {
    const auto at = [&](std::size_t i) { return mesh.vertices[to_size(t[i])]; };
    const Vector3 normal = (at(1) - at(0)).cross(at(2) - at(0)).stableNormalized();
    const std::array rows{normal, at(0), at(1), at(2)};
    for (const Vector3& row : rows)
      for (Index k = 0; k < 3; ++k) {
        const auto value = static_cast<float>(row[k]);
        append_u32(out, std::bit_cast<std::uint32_t>(std::isfinite(value) ? value : 0.0F));
      }
    out.append(2, '\0');
  }
  return out;
}

}  // namespace pliant
