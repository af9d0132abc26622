#include "pliant/base/text.hpp"
#include "pliant/file/cursor.hpp"
#include "pliant/file/vtk_data.hpp"
#include "pliant/file/vtu.hpp"
#include "pliant/file/vtu_encoding.hpp"

#include <pugixml.hpp>

#include <bit>
#include <charconv>
#include <limits>
#include <numeric>

namespace pliant {
namespace {

std::optional<ScalarType> scalar_type(std::string_view name) {
  if (name == "Int8") return ScalarType::kInt8;
  if (name == "UInt8") return ScalarType::kUInt8;
  if (name == "Int16") return ScalarType::kInt16;
  if (name == "UInt16") return ScalarType::kUInt16;
  if (name == "Int32") return ScalarType::kInt32;
  if (name == "UInt32") return ScalarType::kUInt32;
  if (name == "Int64") return ScalarType::kInt64;
  if (name == "UInt64") return ScalarType::kUInt64;
  if (name == "Float32") return ScalarType::kFloat32;
  if (name == "Float64") return ScalarType::kFloat64;
  return std::nullopt;
}

/// −1 if it is not a whole number ≥ 0.
std::int64_t whole(std::string_view word) {
  std::int64_t value = -1;
  const auto [stop, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  return status == std::errc{} && stop == word.data() + word.size() && value >= 0 ? value : -1;
}

class VtuReader {
 public:
  VtuReader(std::string_view bytes, const std::string& file) : bytes_(bytes) {
    raw_.vertex_source = raw_.element_source = {file, bytes, true};
  }

  Result<VolumeFile> read() {
    if (bytes_.find_first_not_of(" \t\r\n") == std::string_view::npos)
      return error(ErrorCode::kTruncated, 0, "the file is empty", "export the mesh again");
    if (Status status = parse(); !status) return status.errors();
    const pugi::xml_node grid = document_.child("VTKFile").child("UnstructuredGrid");
    if (const pugi::xml_node total = vertex_count_node(grid); total)
      return error(ErrorCode::kMissing, total, "is a frame of the surface, without elements",
                   "run the scene with --frames volume");
    for (const pugi::xml_node piece : grid.children("Piece"))
      if (Status status = read_piece(piece); !status) return status.errors();
    read_label_names(grid.child("FieldData"));
    return finish_volume(std::move(raw_));
  }

  Result<FramePoints> read_points() {
    if (Status status = parse(); !status) return status.errors();
    const pugi::xml_node grid = document_.child("VTKFile").child("UnstructuredGrid");
    FramePoints points;
    for (const pugi::xml_node piece : grid.children("Piece")) {
      const Result<std::int64_t> count = count_of(piece, "NumberOfPoints");
      if (!count) return count.errors();
      if (Status status = read_points(piece, count.value()); !status) return status.errors();
    }
    points.places = std::move(raw_.vertices);
    if (Status status = read_numbers(grid, points); !status) return status.errors();
    return points;
  }

 private:
  [[nodiscard]] Diagnostic error(ErrorCode code, std::size_t offset, std::string what,
                                 std::string remedy) const {
    return {code, Location{raw_.element_source.file, line_of(bytes_, offset), 0, {}}, std::move(what),
            std::move(remedy)};
  }
  [[nodiscard]] Diagnostic error(ErrorCode code, pugi::xml_node node, std::string what,
                                 std::string remedy) const {
    return error(code, offset_of(node), std::move(what), std::move(remedy));
  }
  /// What only frames of surfaces have.
  static pugi::xml_node vertex_count_node(pugi::xml_node grid) {
    return grid.child("FieldData").find_child_by_attribute("DataArray", "Name", kFrameMeshVertices);
  }
  static std::size_t offset_of(pugi::xml_node node) {
    const std::ptrdiff_t offset = node.offset_debug();
    return offset < 0 ? 0 : to_size(offset);
  }

  Status parse();
  void cut_appended_data();
  Status read_file_attributes(pugi::xml_node root);
  Status read_piece(pugi::xml_node piece);
  [[nodiscard]] Result<std::int64_t> count_of(pugi::xml_node piece, const char* attribute) const;
  Status read_points(pugi::xml_node piece, std::int64_t count);
  Status read_numbers(pugi::xml_node grid, FramePoints& points) const;
  Result<VtkCells> read_cells(pugi::xml_node piece, std::int64_t count) const;
  [[nodiscard]] Result<NumberArray> read_array(pugi::xml_node node) const;
  [[nodiscard]] Result<NumberArray> read_text_array(pugi::xml_node node, ScalarType type) const;
  void read_label_names(pugi::xml_node field_data);

  std::string_view bytes_;
  std::string head_;  // the XML without appended data; parsed in place
  std::string_view appended_;
  bool appended_base64_ = false;
  VtuEncoding encoding_;
  pugi::xml_document document_;
  RawVolume raw_;
};

/// Raw appended data is not XML, so it is removed before parsing. It begins after an underscore.
void VtuReader::cut_appended_data() {
  const std::size_t open = bytes_.find("<AppendedData");
  if (open == std::string_view::npos) {
    head_ = bytes_;
    return;
  }
  const std::size_t close = std::min(bytes_.find('>', open), bytes_.size() - 1);
  const std::string_view tag = bytes_.substr(open, close - open);
  appended_base64_ = tag.find("base64") != std::string_view::npos;
  const std::size_t begin = std::min(bytes_.find('_', close), bytes_.size() - 1) + 1;
  std::size_t end = bytes_.rfind("</AppendedData");
  if (end == std::string_view::npos || end < begin) end = bytes_.size();
  appended_ = bytes_.substr(begin, end - begin);
  head_ = std::string(bytes_.substr(0, close + 1)) + "</AppendedData></VTKFile>";
}

Status VtuReader::parse() {
  cut_appended_data();
  const pugi::xml_parse_result parsed =
      document_.load_buffer_inplace(head_.data(), head_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) {
    const auto at = to_size(std::max<std::ptrdiff_t>(parsed.offset, 0));
    const bool ends = at + 1 >= bytes_.size();
    return error(ends ? ErrorCode::kTruncated : ErrorCode::kSyntax, at,
                 std::string("is not well-formed XML: ") + parsed.description(),
                 "copy or export the file again");
  }
  return read_file_attributes(document_.child("VTKFile"));
}

Status VtuReader::read_file_attributes(pugi::xml_node root) {
  if (!root) return error(ErrorCode::kSyntax, 0, "has no element VTKFile", "this is no .vtu file");
  const std::string_view kind = root.attribute("type").value();
  if (kind != "UnstructuredGrid" || !root.child("UnstructuredGrid"))
    return error(ErrorCode::kUnsupported, root,
                 "a VTK file of type '" + std::string(kind.substr(0, 40)) + "'",
                 "only UnstructuredGrid holds tetrahedra and hexahedra");
  const std::string_view order = root.attribute("byte_order").value();
  const bool big = order == "BigEndian";
  encoding_.swapped = big == (std::endian::native == std::endian::little);
  encoding_.wide_header = std::string_view(root.attribute("header_type").value()) == "UInt64";
  const std::string_view compressor = root.attribute("compressor").value();
  encoding_.compressed = !compressor.empty();
  if (encoding_.compressed && compressor != "vtkZLibDataCompressor")
    return error(ErrorCode::kUnsupported, root, "data packed by " + std::string(compressor.substr(0, 40)),
                 "save it with the zlib compressor, or without");
  return Done{};
}

Result<NumberArray> VtuReader::read_text_array(pugi::xml_node node, ScalarType type) const {
  NumberArray array;
  array.integral = is_integral(type);
  const pugi::xml_node content = node.first_child();
  Cursor in(content.value(), raw_.element_source.file);
  while (!in.at_end()) {
    if (array.integral)
      array.integers.push_back(in.integer());
    else
      array.reals.push_back(in.real());
  }
  if (in.failed()) {
    Diagnostic located = in.error();
    located.where.line +=
        line_of(bytes_, content.offset_debug() < 0 ? offset_of(node) : offset_of(content)) - 1;
    return located;
  }
  return array;
}

Result<NumberArray> VtuReader::read_array(pugi::xml_node node) const {
  const std::string_view type_name = node.attribute("type").value();
  const auto type = scalar_type(type_name);
  const std::string name = node.attribute("Name").value();
  if (!type)
    return error(ErrorCode::kUnsupported, node,
                 "the array '" + name + "' has the type '" + std::string(type_name.substr(0, 40)) + "'",
                 "only Int8 … UInt64, Float32 and Float64 are taken");
  const std::string_view format = node.attribute("format").value();
  Result<NumberArray> result = NumberArray();
  if (format == "ascii" || format.empty()) {
    result = read_text_array(node, *type);
  } else if (format == "binary" || format == "appended") {
    VtuEncoding encoding = encoding_;
    std::string_view encoded = node.child_value();
    encoding.base64 = true;
    if (format == "appended") {
      encoding.base64 = appended_base64_;
      const std::int64_t offset = whole(node.attribute("offset").value());
      if (offset < 0 || static_cast<std::uint64_t>(offset) > appended_.size())
        return error(ErrorCode::kTruncated, node, "the data of '" + name + "' lies outside the file",
                     "copy or export the file again");
      encoded = appended_.substr(to_size(offset));
    }
    Result<std::string> decoded = decode_vtu(encoded, encoding);
    if (!decoded) {
      const Diagnostic& found = decoded.error();
      return error(found.code, node, "array '" + name + "': " + found.what, found.remedy);
    }
    decode_numbers(decoded.value(), *type, encoding.swapped, result.value());
  } else {
    return error(ErrorCode::kUnsupported, node,
                 "data in the format '" + std::string(format.substr(0, 40)) + "'",
                 "only ascii, binary and appended are taken");
  }
  if (!result) return result;
  result.value().name = name;
  const std::int64_t components = whole(node.attribute("NumberOfComponents").value());
  result.value().components = components < 1 ? 1 : static_cast<Index>(components);
  return result;
}

Result<std::int64_t> VtuReader::count_of(pugi::xml_node piece, const char* attribute) const {
  const std::int64_t count = whole(piece.attribute(attribute).value());
  if (count < 0)
    return error(ErrorCode::kSyntax, piece, "NumberOfPoints and NumberOfCells must be whole numbers ≥ 0",
                 "export the mesh again");
  return count;
}

Status VtuReader::read_points(pugi::xml_node piece, std::int64_t count) {
  const pugi::xml_node node = piece.child("Points").child("DataArray");
  if (!node) {
    if (count == 0) return Done{};
    return error(ErrorCode::kMissing, piece, "the piece has no Points", "export the mesh again");
  }
  const Result<NumberArray> xyz = read_array(node);
  if (!xyz) return xyz.errors();
  // Division, since multiplying the announced count could overflow.
  if (xyz.value().size() % 3 != 0 || static_cast<std::int64_t>(xyz.value().size() / 3) != count)
    return error(ErrorCode::kInconsistent, node,
                 text(static_cast<Index>(count)) + " points are announced, but the array holds " +
                     text(std::ssize(xyz.value())) + " numbers",
                 "the file is damaged: export it again");
  for (std::size_t i = 0; i < xyz.value().size(); i += 3)
    raw_.add_vertex({xyz.value().real(i), xyz.value().real(i + 1), xyz.value().real(i + 2)}, offset_of(node));
  return Done{};
}

/// Which vertices of a mesh the points are: all of them, unless the file has numbers.
Status VtuReader::read_numbers(pugi::xml_node grid, FramePoints& points) const {
  const pugi::xml_node total = vertex_count_node(grid);
  if (!total) {
    points.mesh_vertices = std::ssize(points.places);
    points.vertices.resize(points.places.size());
    std::iota(points.vertices.begin(), points.vertices.end(), VertexId{0});
    return Done{};
  }
  const Result<NumberArray> count = read_array(total);
  if (!count) return count.errors();
  if (count.value().integers.size() != 1 || count.value().integers[0] < 0 ||
      count.value().integers[0] > std::numeric_limits<VertexId>::max())
    return error(ErrorCode::kOutOfRange, total, "is no number of vertices", "record the run again");
  points.mesh_vertices = static_cast<Index>(count.value().integers[0]);
  for (const pugi::xml_node piece : grid.children("Piece")) {
    const pugi::xml_node node =
        piece.child("PointData").find_child_by_attribute("DataArray", "Name", kFrameVertex);
    if (!node)
      return error(ErrorCode::kMissing, piece, std::string("the piece has no point array ") + kFrameVertex,
                   "the file is damaged: record the run again");
    const Result<NumberArray> numbers = read_array(node);
    if (!numbers) return numbers.errors();
    for (const std::int64_t vertex : numbers.value().integers) {
      if (vertex < 0 || vertex >= points.mesh_vertices)
        return error(
            ErrorCode::kOutOfRange, node,
            "a point is vertex " + text(static_cast<Index>(vertex)) + " of " + text(points.mesh_vertices),
            "the file is damaged: record the run again");
      points.vertices.push_back(static_cast<VertexId>(vertex));
    }
  }
  if (points.vertices.size() != points.places.size())
    return error(ErrorCode::kInconsistent, total,
                 "there are " + text(std::ssize(points.places)) + " points, but " +
                     text(std::ssize(points.vertices)) + " numbers of them",
                 "the file is damaged: record the run again");
  return Done{};
}

Result<VtkCells> VtuReader::read_cells(pugi::xml_node piece, std::int64_t count) const {
  VtkCells cells;
  cells.offset = offset_of(piece.child("Cells"));
  cells.offsets.push_back(0);
  for (const auto& [name, out] :
       {std::pair<const char*, std::vector<std::int64_t>*>{"connectivity", &cells.connectivity},
        {"offsets", &cells.offsets},
        {"types", &cells.types}}) {
    const pugi::xml_node node = piece.child("Cells").find_child_by_attribute("DataArray", "Name", name);
    if (!node) {
      if (count == 0) continue;
      return error(ErrorCode::kMissing, piece, std::string("the piece has no array Cells/") + name,
                   "export the mesh again");
    }
    const Result<NumberArray> array = read_array(node);
    if (!array) return array.errors();
    const auto& numbers = array.value().integers;
    out->insert(out->end(), numbers.begin(), numbers.end());
    if (out != &cells.connectivity && static_cast<std::int64_t>(numbers.size()) != count)
      return error(ErrorCode::kInconsistent, node,
                   text(static_cast<Index>(count)) + " cells are announced, but the array '" + name +
                       "' holds " + text(std::ssize(numbers)),
                   "the file is damaged: export it again");
  }
  return cells;
}

Status VtuReader::read_piece(pugi::xml_node piece) {
  const Result<std::int64_t> point_count = count_of(piece, "NumberOfPoints");
  if (!point_count) return point_count.errors();
  const Result<std::int64_t> announced = count_of(piece, "NumberOfCells");
  if (!announced) return announced.errors();
  const std::int64_t points = point_count.value(), cell_count = announced.value();
  const auto first_vertex = static_cast<std::int64_t>(raw_.vertices.size());
  if (Status status = read_points(piece, points); !status) return status;
  Result<VtkCells> cells = read_cells(piece, cell_count);
  if (!cells) return cells.errors();
  // The cells of a piece must not refer to vertices of the next one.
  for (const std::int64_t vertex : cells.value().connectivity)
    if (vertex < 0 || vertex >= points)
      return error(ErrorCode::kOutOfRange, cells.value().offset,
                   "a cell refers to vertex " + text(static_cast<Index>(vertex)) + " of " +
                       text(static_cast<Index>(points)),
                   "the file is damaged: export it again");

  for (const pugi::xml_node node : piece.child("PointData").children())
    raw_.extras.insert(unkept_array("point", node.attribute("Name").value()));
  std::vector<NumberArray> arrays;
  for (const pugi::xml_node node : piece.child("CellData").children()) {
    const auto type = scalar_type(node.attribute("type").value());
    if (!type || !is_integral(*type)) {  // cannot be labels
      raw_.extras.insert(unkept_array("cell", node.attribute("Name").value()));
      continue;
    }
    Result<NumberArray> array = read_array(node);
    if (!array) return array.errors();
    arrays.push_back(std::move(array).value());
  }
  const NumberArray* labels = find_label_array(arrays, to_size(cell_count));
  for (const NumberArray& array : arrays) {
    if (&array != labels) raw_.extras.insert(unkept_array("cell", array.name));
  }
  return add_vtk_cells(cells.value(), labels, first_vertex, raw_);
}

/// Strings `region_name N` and `face_name N` as write_vtu writes them: character codes up to a zero.
void VtuReader::read_label_names(pugi::xml_node field_data) {
  for (const pugi::xml_node node : field_data.children("DataArray")) {
    const std::string_view key = node.attribute("Name").value();
    const bool region = key.starts_with("region_name ");
    if (!region && !key.starts_with("face_name ")) {
      if (key != "TimeValue" && key != "TIME") raw_.extras.insert(unkept_array("field", key));
      continue;
    }
    const std::string_view digits = key.substr(key.find(' ') + 1);
    Label label = 0;
    const auto [stop, status] = std::from_chars(digits.data(), digits.data() + digits.size(), label);
    if (status != std::errc{} || stop != digits.data() + digits.size()) continue;
    const Result<NumberArray> codes = read_text_array(node, ScalarType::kUInt8);
    if (!codes) continue;
    std::string name;
    for (const std::int64_t code : codes.value().integers) {
      if (code <= 0 || code > 255) break;
      name += static_cast<char>(static_cast<unsigned char>(code));
    }
    (region ? raw_.region_names : raw_.face_names)[label] = name;
  }
}

}  // namespace

Result<VolumeFile> read_vtu(std::string_view bytes, const std::string& file) {
  return VtuReader(bytes, file).read();
}

Result<FramePoints> read_frame_points(std::string_view bytes, const std::string& file) {
  return VtuReader(bytes, file).read_points();
}

}  // namespace pliant
