#include "pliant/file/ply.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/ply_header.hpp"
#include "pliant/file/polygon_soup.hpp"

#include <bit>
#include <cmath>
#include <memory>

namespace pliant {
namespace {

/// The numbers of the body, one after the other. A double represents every PLY type exactly.
class Numbers {
 public:
  Numbers() = default;
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  virtual ~Numbers() = default;
  /// Empty at the end of the file, or if the next word is not a number.
  virtual std::optional<double> next(PlyType type) = 0;
  /// An upper bound on how many numbers of this type can still follow.
  [[nodiscard]] virtual std::size_t room(PlyType type) const = 0;
  [[nodiscard]] virtual Index line() const = 0;
  /// Why next() returned nothing.
  [[nodiscard]] virtual Diagnostic problem() const = 0;
};

class AsciiNumbers : public Numbers {
 public:
  AsciiNumbers(std::string_view bytes, std::string_view file, const PlyHeader& header)
      : size_(bytes.size()), scan_(bytes, file) {
    for (Index i = 0; i < header.lines; ++i) scan_.skip_line();
  }

  std::optional<double> next(PlyType) override {
    word_ = scan_.next_word();
    return to_number(word_);
  }
  [[nodiscard]] std::size_t room(PlyType) const override { return (size_ - scan_.offset()) / 2 + 1; }
  [[nodiscard]] Index line() const override { return scan_.line(); }
  [[nodiscard]] Diagnostic problem() const override {
    if (word_.empty()) return {ErrorCode::kTruncated, scan_.where(), "the file ends too early", {}};
    return {ErrorCode::kSyntax, scan_.where(), in_quotes(word_) + " is not a number", {}};
  }

 private:
  std::size_t size_;
  TokenScanner scan_;
  std::string_view word_;
};

class BinaryNumbers : public Numbers {
 public:
  BinaryNumbers(std::string_view bytes, std::string_view file, const PlyHeader& header)
      : bytes_(bytes), file_(file), at_(header.size), big_(header.format == PlyFormat::kBigEndian) {}

  std::optional<double> next(PlyType type) override {
    const std::size_t size = ply_size(type);
    if (bytes_.size() - at_ < size) return std::nullopt;
    std::uint64_t raw = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t byte = big_ ? i : size - 1 - i;
      raw = raw << 8U | static_cast<unsigned char>(bytes_[at_ + byte]);
    }
    at_ += size;
    return decode(raw, type);
  }
  [[nodiscard]] std::size_t room(PlyType type) const override {
    return (bytes_.size() - at_) / ply_size(type);
  }
  [[nodiscard]] Index line() const override { return 0; }
  [[nodiscard]] Diagnostic problem() const override {
    return {ErrorCode::kTruncated, {std::string(file_), 0, 0, {}}, "the file ends too early", {}};
  }

 private:
  static double decode(std::uint64_t raw, PlyType type) {
    switch (type) {
      case PlyType::kInt8:
        return static_cast<std::int8_t>(raw);
      case PlyType::kInt16:
        return static_cast<std::int16_t>(raw);
      case PlyType::kInt32:
        return static_cast<std::int32_t>(raw);
      case PlyType::kFloat32:
        return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw)));
      case PlyType::kFloat64:
        return std::bit_cast<double>(raw);
      default:
        return static_cast<double>(raw);
    }
  }

  std::string_view bytes_;
  std::string_view file_;
  std::size_t at_;
  bool big_;
};

class PlyReader {
 public:
  PlyReader(std::string_view bytes, std::string_view file, const PlyHeader& header)
      : header_(header), file_(file), soup_(file) {
    if (header.format == PlyFormat::kAscii)
      numbers_ = std::make_unique<AsciiNumbers>(bytes, file, header);
    else
      numbers_ = std::make_unique<BinaryNumbers>(bytes, file, header);
  }

  Result<SurfaceFile> read() {
    for (const PlyElement& element : header_.elements)
      if (!read_element(element)) break;
    return soup_.finish();
  }

 private:
  struct Columns {
    std::array<Index, 3> position{-1, -1, -1};
    Index corners = -1;
  };

  /// The columns of the properties that are needed; −1 for others.
  bool find_columns(const PlyElement& element, Columns& columns) {
    if (element.name == "vertex") {
      columns.position = {element.find("x"), element.find("y"), element.find("z")};
      for (const Index column : columns.position)
        if (column < 0 || element.properties[to_size(column)].is_list)
          return refuse(element, "has no coordinates x, y, z");
    } else if (element.name == "face") {
      columns.corners = std::max(element.find("vertex_indices"), element.find("vertex_index"));
      if (columns.corners < 0 || !element.properties[to_size(columns.corners)].is_list)
        return refuse(element, "has no list vertex_indices");
    }
    return true;
  }

  bool refuse(const PlyElement& element, std::string what) {
    soup_.fail(ErrorCode::kMissing, 0, "element " + in_quotes(element.name), std::move(what));
    return false;
  }

  bool read_element(const PlyElement& element) {
    Columns columns;
    if (!find_columns(element, columns)) return false;
    if (element.properties.empty()) return true;  // its rows take no bytes
    for (Index row = 0; row < element.count && !soup_.hopeless(); ++row) {
      if (!read_row(element, columns, row)) return false;
      if (columns.position[0] >= 0) soup_.add_vertex(position_, numbers_->line());
      if (columns.corners >= 0) soup_.add_polygon(corners_, numbers_->line());
    }
    return !soup_.hopeless();
  }

  bool read_row(const PlyElement& element, const Columns& columns, Index row) {
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      const auto column = static_cast<Index>(i);
      if (property.is_list) {
        if (!read_list(property, column == columns.corners)) return locate(element, row);
        continue;
      }
      const std::optional<double> number = numbers_->next(property.type);
      if (!number) return locate(element, row);
      for (std::size_t k = 0; k < 3; ++k)
        if (columns.position[k] == column) position_[static_cast<Index>(k)] = *number;
    }
    return true;
  }

  /// Reads a list and stores its numbers if it is the list of corners.
  bool read_list(const PlyProperty& property, bool wanted) {
    const std::optional<double> length = numbers_->next(property.count_type);
    if (!length) return false;
    if (!(*length >= 0.0) || *length != std::floor(*length)) {
      problem_ = Diagnostic{ErrorCode::kOutOfRange, {}, text(*length) + " is not the length of a list", {}};
      return false;
    }
    // Checked before the loop: the length of a list is not trusted.
    if (*length > static_cast<double>(numbers_->room(property.type))) {
      problem_ =
          Diagnostic{ErrorCode::kTruncated, {}, "list of " + text(*length) + " goes beyond the end", {}};
      return false;
    }
    if (wanted) corners_.clear();
    for (auto left = static_cast<Index>(*length); left > 0; --left) {
      const std::optional<double> number = numbers_->next(property.type);
      if (!number) return false;
      if (!wanted) continue;
      // Fractions, and numbers beyond any vertex, become −1, which finish() refuses.
      const bool whole = *number == std::floor(*number) && std::abs(*number) < 1e10;
      corners_.push_back(whole ? static_cast<Index>(*number) : -1);
    }
    return true;
  }

  bool locate(const PlyElement& element, Index row) {
    Diagnostic problem = problem_ ? *problem_ : numbers_->problem();
    problem.where.file = file_;
    if (problem.where.line == 0) problem.where.line = numbers_->line();
    problem.where.key = element.name + ' ' + text(row);
    soup_.fail(std::move(problem));
    return false;
  }

  const PlyHeader& header_;
  std::string_view file_;
  PolygonSoup soup_;
  std::unique_ptr<Numbers> numbers_;
  std::optional<Diagnostic> problem_;
  Vector3 position_ = Vector3::Zero();
  std::vector<Index> corners_;
};

template <class Number>
void append(std::string& out, Number number) {
  using Bits = std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;
  const auto raw = std::bit_cast<Bits>(number);
  for (std::size_t i = 0; i < sizeof(Number); ++i) out += static_cast<char>(raw >> (8 * i) & 0xffU);
}

}  // namespace

Result<SurfaceFile> read_ply(std::string_view bytes, std::string_view file) {
  const Result<PlyHeader> header = read_ply_header(bytes, file);
  if (!header) return header.errors();
  return PlyReader(bytes, file, header.value()).read();
}

std::string write_ply(const SurfaceMesh& mesh) {
  std::string out = "ply\nformat binary_little_endian 1.0\nelement vertex " + text(mesh.vertex_count()) +
                    "\nproperty double x\nproperty double y\nproperty double z\nelement face " +
                    text(std::ssize(mesh.triangles)) +
                    "\nproperty list uchar int vertex_indices\nend_header\n";
  for (const Vector3& v : mesh.vertices)
    for (Index k = 0; k < 3; ++k) append(out, v[k]);
  for (const Triangle& t : mesh.triangles) {
    out += '\3';
    for (const VertexId v : t) append(out, v);
  }
  return out;
}

}  // namespace pliant
