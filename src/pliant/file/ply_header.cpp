#include "pliant/file/ply_header.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/token_scanner.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace pliant {
namespace {

constexpr std::array<std::pair<std::string_view, PlyType>, 16> kTypes{{{"char", PlyType::kInt8},
                                                                       {"int8", PlyType::kInt8},
                                                                       {"uchar", PlyType::kUint8},
                                                                       {"uint8", PlyType::kUint8},
                                                                       {"short", PlyType::kInt16},
                                                                       {"int16", PlyType::kInt16},
                                                                       {"ushort", PlyType::kUint16},
                                                                       {"uint16", PlyType::kUint16},
                                                                       {"int", PlyType::kInt32},
                                                                       {"int32", PlyType::kInt32},
                                                                       {"uint", PlyType::kUint32},
                                                                       {"uint32", PlyType::kUint32},
                                                                       {"float", PlyType::kFloat32},
                                                                       {"float32", PlyType::kFloat32},
                                                                       {"double", PlyType::kFloat64},
                                                                       {"float64", PlyType::kFloat64}}};

class HeaderReader {
 public:
  HeaderReader(std::string_view bytes, std::string_view file) : bytes_(bytes), scan_(bytes, file) {}

  Result<PlyHeader> read() {
    if (!scan_.next_line() || scan_.word() != "ply")
      return error(bytes_.empty() ? ErrorCode::kTruncated : ErrorCode::kSyntax, "does not start with 'ply'");
    while (scan_.next_line()) {
      const std::string_view keyword = scan_.word();
      if (keyword == "end_header") return finish();
      if (keyword == "comment" || keyword == "obj_info") continue;
      Status status = keyword == "format"    ? read_format()
                      : keyword == "element" ? read_element()
                      : keyword == "property"
                          ? read_property()
                          : error(ErrorCode::kSyntax, in_quotes(keyword) + " in the header");
      if (!status) return status.errors();
    }
    return error(ErrorCode::kTruncated, "header has no 'end_header'");
  }

 private:
  Diagnostic error(ErrorCode code, std::string what) { return {code, scan_.where(), std::move(what), {}}; }

  Status read_format() {
    const std::string_view name = scan_.word();
    has_format_ = true;
    if (name == "ascii")
      header_.format = PlyFormat::kAscii;
    else if (name == "binary_little_endian")
      header_.format = PlyFormat::kLittleEndian;
    else if (name == "binary_big_endian")
      header_.format = PlyFormat::kBigEndian;
    else
      return error(ErrorCode::kUnsupported, in_quotes(name) + " is not a PLY format");
    return Done{};
  }

  Status read_element() {
    PlyElement element;
    element.name = scan_.word();
    const std::string_view count = scan_.word();
    const std::optional<Index> number = to_integer(count);
    if (!number || *number < 0) return error(ErrorCode::kSyntax, in_quotes(count) + " is not a count");
    if (*number > std::ssize(bytes_))
      return error(ErrorCode::kLimit, in_quotes(count) + " is more than the file can hold");
    element.count = *number;
    header_.elements.push_back(std::move(element));
    return Done{};
  }

  Result<PlyType> read_type() {
    const std::string_view name = scan_.word();
    for (const auto& [known, type] : kTypes)
      if (name == known) return type;
    return error(ErrorCode::kSyntax, in_quotes(name) + " is not a type");
  }

  Status read_property() {
    if (header_.elements.empty()) return error(ErrorCode::kSyntax, "property before any element");
    PlyProperty property;
    TokenScanner before = scan_;
    property.is_list = scan_.word() == "list";
    if (!property.is_list) scan_ = before;
    if (property.is_list) {
      const Result<PlyType> count = read_type();
      if (!count) return count.errors();
      property.count_type = count.value();
      if (property.count_type == PlyType::kFloat32 || property.count_type == PlyType::kFloat64)
        return error(ErrorCode::kUnsupported, "the length of a list cannot be a fraction");
    }
    const Result<PlyType> type = read_type();
    if (!type) return type.errors();
    property.type = type.value();
    property.name = scan_.word();
    if (property.name.empty()) return error(ErrorCode::kSyntax, "property without a name");
    header_.elements.back().properties.push_back(std::move(property));
    return Done{};
  }

  Result<PlyHeader> finish() {
    if (!has_format_) return error(ErrorCode::kMissing, "header has no 'format' line");
    const Location end = scan_.where();
    scan_.skip_line();
    header_.size = scan_.offset();
    header_.lines = end.line;
    const std::size_t room = bytes_.size() - header_.size;
    for (const PlyElement& element : header_.elements) {
      const std::size_t row = element.smallest_row(header_.format);
      if (row > 0 && to_size(element.count) > (room + 1) / row)
        return Diagnostic{ErrorCode::kTruncated,
                          {end.file, 0, 0, "element " + in_quotes(element.name)},
                          text(element.count) + " rows do not fit into the " +
                              text(static_cast<Index>(room)) + " bytes that follow",
                          {}};
    }
    return std::move(header_);
  }

  std::string_view bytes_;
  TokenScanner scan_;
  PlyHeader header_;
  bool has_format_ = false;
};

}  // namespace

std::size_t ply_size(PlyType type) {
  constexpr std::array<std::size_t, 8> kSizes{1, 1, 2, 2, 4, 4, 4, 8};
  return kSizes[to_size(type)];
}

Index PlyElement::find(std::string_view property) const {
  for (std::size_t i = 0; i < properties.size(); ++i)
    if (properties[i].name == property) return static_cast<Index>(i);
  return -1;
}

std::size_t PlyElement::smallest_row(PlyFormat format) const {
  std::size_t size = 0;
  for (const PlyProperty& property : properties)
    size +=
        format == PlyFormat::kAscii ? 2 : ply_size(property.is_list ? property.count_type : property.type);
  return size;
}

Result<PlyHeader> read_ply_header(std::string_view bytes, std::string_view file) {
  return HeaderReader(bytes, file).read();
}

}  // namespace pliant
