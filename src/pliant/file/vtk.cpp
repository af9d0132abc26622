#include "pliant/file/vtk.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/cursor.hpp"
#include "pliant/file/vtk_data.hpp"
#include "pliant/file/words.hpp"

#include <bit>
#include <charconv>

namespace pliant {
namespace {

std::optional<ScalarType> scalar_type(std::string_view word) {
  const std::string name = lower_case(word);
  if (name == "char" || name == "signed_char") return ScalarType::kInt8;
  if (name == "unsigned_char") return ScalarType::kUInt8;
  if (name == "short") return ScalarType::kInt16;
  if (name == "unsigned_short") return ScalarType::kUInt16;
  if (name == "int") return ScalarType::kInt32;
  if (name == "unsigned_int") return ScalarType::kUInt32;
  // written on 64-bit machines
  if (name == "long" || name == "vtktypeint64" || name == "vtkidtype") return ScalarType::kInt64;
  if (name == "unsigned_long" || name == "vtktypeuint64") return ScalarType::kUInt64;
  if (name == "float") return ScalarType::kFloat32;
  if (name == "double") return ScalarType::kFloat64;
  return std::nullopt;
}

class VtkReader {
 public:
  VtkReader(std::string_view bytes, const std::string& file) : in_(bytes, file) {
    raw_.vertex_source = raw_.element_source = {file, bytes, true};
  }

  Result<VolumeFile> read() {
    read_header();
    while (!in_.at_end()) {
      at_ = in_.next_offset();
      read_section(lower_case(in_.word()));
    }
    if (in_.failed()) return in_.error();
    if (!cells_seen_ || !types_seen_)
      return Diagnostic{ErrorCode::kTruncated, in_.location(in_.offset()),
                        std::string("the file ends without ") + (cells_seen_ ? "CELL_TYPES" : "CELLS"),
                        "copy or export the file again"};
    const NumberArray* labels = find_label_array(cell_arrays_, cells_.types.size());
    for (const NumberArray& array : cell_arrays_) {
      if (&array != labels) raw_.extras.insert(unkept_array("cell", array.name));
    }
    if (Status status = add_vtk_cells(cells_, labels, 0, raw_); !status) return status.errors();
    return finish_volume(std::move(raw_));
  }

 private:
  void read_header() {
    if (in_.at_end()) {
      in_.fail(ErrorCode::kTruncated, "the file is empty", "export the mesh again");
      return;
    }
    if (!in_.rest_of_line().starts_with("# vtk DataFile")) {
      in_.fail(ErrorCode::kSyntax, "does not begin with '# vtk DataFile Version'",
               "this is no legacy VTK file", 0);
      return;
    }
    in_.rest_of_line();  // title
    const std::size_t kind_at = in_.next_offset();
    const std::string kind = lower_case(in_.word());
    if (kind != "ascii" && kind != "binary") {
      in_.fail(ErrorCode::kSyntax, "expected ASCII or BINARY", {}, kind_at);
      return;
    }
    in_.rest_of_line();
    const std::size_t dataset_at = in_.next_offset();
    if (lower_case(in_.word()) != "dataset") in_.fail(ErrorCode::kSyntax, "expected DATASET", {}, dataset_at);
    const std::string dataset = lower_case(in_.word());
    if (!in_.failed() && dataset != "unstructured_grid")
      in_.fail(ErrorCode::kUnsupported, "a data set of kind " + dataset.substr(0, 40),
               "only UNSTRUCTURED_GRID holds tetrahedra and hexahedra", dataset_at);
    if (kind == "binary") {
      in_.set_binary(std::endian::native == std::endian::little);  // the data is big-endian
      raw_.vertex_source.text = raw_.element_source.text = false;
    }
  }

  void read_section(const std::string& keyword) {
    if (keyword == "points") {
      read_points();
    } else if (keyword == "cells") {
      read_cells();
    } else if (keyword == "cell_types") {
      const std::size_t count = number(header(1), 0, 1, "cell types");
      types_seen_ = true;
      cells_.types = read_numbers(ScalarType::kInt32, count, false).integers;
    } else if (keyword == "cell_data" || keyword == "point_data") {
      tuples_ = number(header(1), 0, 0, "tuples");
      of_cells_ = keyword == "cell_data";
    } else if (keyword == "field") {
      read_field();
    } else if (keyword == "metadata") {
      in_.rest_of_line();
      while (in_.remaining() > 0 && in_.rest_of_line().find_first_not_of(" \t") != std::string_view::npos) {
      }
    } else {
      read_attribute(keyword);
    }
  }

  /// The words on the rest of the line, at least `least`.
  std::vector<std::string_view> header(std::size_t least) {
    std::vector<std::string_view> words;
    std::string_view line = in_.rest_of_line();
    while (true) {
      const std::size_t begin = line.find_first_not_of(" \t");
      if (begin == std::string_view::npos) break;
      const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
      words.push_back(line.substr(begin, end - begin));
      line.remove_prefix(end);
    }
    if (words.size() < least) {
      in_.fail(ErrorCode::kSyntax,
               "the line needs " + text(static_cast<Index>(least)) + " words behind its keyword", {}, at_);
      words.resize(least);
    }
    return words;
  }

  /// Word i of a header as the number of items of at least `least_bytes` each (0: not checked here).
  std::size_t number(const std::vector<std::string_view>& words, std::size_t i, std::size_t least_bytes,
                     std::string_view things) {
    if (in_.failed()) return 0;
    std::int64_t value = 0;
    const auto [stop, status] = std::from_chars(words[i].data(), words[i].data() + words[i].size(), value);
    if (status != std::errc{} || stop != words[i].data() + words[i].size() || value < 0)
      in_.fail(ErrorCode::kSyntax, "expected a count, got '" + std::string(words[i].substr(0, 40)) + "'", {},
               at_);
    else if (least_bytes > 0)
      in_.check_count(value, least_bytes, things, at_);
    return in_.failed() ? 0 : to_size(value);
  }

  ScalarType type_of(std::string_view word) {
    const auto type = scalar_type(word);
    if (!type)
      in_.fail(ErrorCode::kUnsupported, "data of type '" + std::string(word.substr(0, 40)) + "'",
               "only integer and floating-point arrays are taken", at_);
    return type.value_or(ScalarType::kFloat64);
  }

  /// `positions`: also remember where each number stands in a text file.
  NumberArray read_numbers(ScalarType type, std::size_t count, bool positions) {
    NumberArray array;
    array.integral = is_integral(type);
    if (in_.failed()) return array;
    const std::size_t least = in_.binary() ? scalar_size(type) : 1;
    if (count > in_.remaining() / least) {
      in_.fail(ErrorCode::kTruncated,
               text(static_cast<Index>(count)) + " numbers are announced, but only " +
                   text(static_cast<Index>(in_.remaining())) + " bytes follow",
               "copy or export the file again", at_);
      return array;
    }
    if (in_.binary()) {
      const std::size_t begin = in_.offset();
      if (in_.take(count * scalar_size(type)))
        decode_numbers(in_.bytes().substr(begin, count * scalar_size(type)), type,
                       std::endian::native == std::endian::little, array);
      return array;
    }
    for (std::size_t i = 0; i < count && !in_.failed(); ++i) {
      if (positions) positions_.push_back(in_.next_offset());
      if (array.integral)
        array.integers.push_back(in_.integer());
      else
        array.reals.push_back(in_.real());
    }
    return array;
  }

  void read_points() {
    const auto words = header(2);
    const std::size_t count = number(words, 0, 6 - 3 * to_size(in_.binary()), "points");
    const ScalarType type = type_of(words[1]);
    if (!in_.failed() && !raw_.vertices.empty())
      in_.fail(ErrorCode::kInconsistent, "POINTS stands twice in the file", "keep one list", at_);
    positions_.clear();
    const NumberArray xyz = read_numbers(type, 3 * count, true);
    if (in_.failed()) return;
    for (std::size_t i = 0; i < count; ++i) {
      raw_.vertices.emplace_back(xyz.real(3 * i), xyz.real(3 * i + 1), xyz.real(3 * i + 2));
      if (!positions_.empty()) raw_.vertex_offsets.push_back(positions_[3 * i]);
    }
  }

  void read_cells() {
    const auto words = header(2);
    const std::size_t count = number(words, 0, 0, "cells");
    const std::size_t size = number(words, 1, 0, "numbers");
    if (!in_.failed() && cells_seen_)
      in_.fail(ErrorCode::kInconsistent, "CELLS stands twice in the file", "keep one list", at_);
    cells_seen_ = true;
    cells_.offset = at_;
    if (in_.bytes().substr(in_.offset()).starts_with("OFFSETS"))
      read_cells_5(count, size);
    else
      read_cells_2(count, size);
  }

  /// Since version 5: offsets (one more than there are cells), then the connectivity.
  void read_cells_5(std::size_t count, std::size_t size) {
    in_.word();
    const ScalarType offset_type = type_of(header(1)[0]);
    cells_.offsets = read_numbers(offset_type, count, false).integers;
    at_ = in_.next_offset();
    if (!in_.failed() && lower_case(in_.word()) != "connectivity")
      in_.fail(ErrorCode::kSyntax, "expected CONNECTIVITY", {}, at_);
    const ScalarType type = type_of(header(1)[0]);
    cells_.connectivity = read_numbers(type, size, false).integers;
  }

  /// Before version 5: for each cell the number of its vertices, then the vertices.
  void read_cells_2(std::size_t count, std::size_t size) {
    positions_.clear();
    const NumberArray list = read_numbers(ScalarType::kInt32, size, true);
    cells_.offsets.push_back(0);
    std::size_t i = 0;
    for (std::size_t cell = 0; cell < count && !in_.failed(); ++cell) {
      const std::int64_t length = i < list.integers.size() ? list.integers[i] : -1;
      if (length < 0 || static_cast<std::uint64_t>(length) > list.integers.size() - i - 1) {
        in_.fail(ErrorCode::kInconsistent,
                 "cell " + text(static_cast<Index>(cell)) + " does not fit into the list",
                 "the file is damaged: export it again", i < positions_.size() ? positions_[i] : at_);
        return;
      }
      if (!positions_.empty()) cells_.positions.push_back(positions_[i]);
      const auto begin = list.integers.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      cells_.connectivity.insert(cells_.connectivity.end(), begin, begin + length);
      cells_.offsets.push_back(static_cast<std::int64_t>(cells_.connectivity.size()));
      i += to_size(length) + 1;
    }
  }

  void keep(NumberArray array, std::string_view name, std::size_t components) {
    if (!of_cells_) {
      raw_.extras.insert(unkept_array(tuples_ > 0 ? "point" : "field", name));
      return;
    }
    array.name = name;
    array.components = static_cast<Index>(components);
    cell_arrays_.push_back(std::move(array));
  }

  void read_field() {
    const std::size_t arrays = number(header(2), 1, 0, "arrays");
    for (std::size_t i = 0; i < arrays && !in_.at_end(); ++i) {
      at_ = in_.next_offset();
      const std::string name(in_.word());
      const auto words = header(3);
      const std::size_t components = number(words, 0, 1, "components");
      const std::size_t tuples = number(words, 1, 0, "tuples");
      const ScalarType type = type_of(words[2]);
      keep(read_numbers(type, product(components, tuples), false), name, components);
      if (in_.peek() == "METADATA") read_section("metadata");
    }
  }

  /// The product, or the largest value on overflow: no file contains that many numbers, so the size check
  /// refuses it.
  static std::size_t product(std::size_t a, std::size_t b) {
    return a != 0 && b > std::numeric_limits<std::size_t>::max() / a ? std::numeric_limits<std::size_t>::max()
                                                                     : a * b;
  }

  void read_attribute(const std::string& keyword) {
    const bool binary = in_.binary();
    if (keyword != "scalars" && keyword != "lookup_table")
      raw_.extras.insert(unkept_array(of_cells_ ? "cell" : "point", in_.peek()));
    if (keyword == "scalars") {
      const auto words = header(2);
      const ScalarType type = type_of(words[1]);
      const std::size_t components = words.size() > 2 ? number(words, 2, 1, "components") : 1;
      const std::string name(words[0]);
      if (in_.peek() == "LOOKUP_TABLE") in_.rest_of_line();
      keep(read_numbers(type, product(components, tuples_), false), name, components);
    } else if (keyword == "vectors" || keyword == "normals") {
      read_numbers(type_of(header(2)[1]), product(3, tuples_), false);
    } else if (keyword == "tensors" || keyword == "tensors6") {
      read_numbers(type_of(header(2)[1]), product(keyword == "tensors" ? 9 : 6, tuples_), false);
    } else if (keyword == "texture_coordinates") {
      const auto words = header(3);
      const std::size_t dimension = number(words, 1, 1, "components");
      read_numbers(type_of(words[2]), product(dimension, tuples_), false);
    } else if (keyword == "global_ids" || keyword == "pedigree_ids" || keyword == "edge_flags") {
      read_numbers(type_of(header(2)[1]), tuples_, false);
    } else if (keyword == "color_scalars") {
      const std::size_t components = number(header(2), 1, 1, "components");
      read_numbers(binary ? ScalarType::kUInt8 : ScalarType::kFloat32, product(components, tuples_), false);
    } else if (keyword == "lookup_table") {
      const std::size_t size = number(header(2), 1, 1, "colours");
      read_numbers(binary ? ScalarType::kUInt8 : ScalarType::kFloat32, product(4, size), false);
    } else {
      in_.fail(ErrorCode::kSyntax, "unknown keyword '" + keyword.substr(0, 40) + "'",
               "the section before it holds more than it announced", at_);
    }
  }

  Cursor in_;
  RawVolume raw_;
  std::size_t at_ = 0;                  // byte at which the current section begins
  std::vector<std::size_t> positions_;  // of the numbers that were read last
  VtkCells cells_;
  bool cells_seen_ = false, types_seen_ = false;
  std::size_t tuples_ = 0;
  bool of_cells_ = false;
  std::vector<NumberArray> cell_arrays_;
};

}  // namespace

Result<VolumeFile> read_vtk(std::string_view bytes, const std::string& file) {
  return VtkReader(bytes, file).read();
}

}  // namespace pliant
