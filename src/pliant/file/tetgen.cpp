#include "pliant/file/tetgen.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/cursor.hpp"
#include "pliant/file/raw_volume.hpp"

#include <array>
#include <cmath>

namespace pliant {
namespace {

constexpr CursorOptions kRows{.comment = '#', .commas = false, .rows = true};

/// Numbers at the end of a header line may be omitted; then they are 0.
std::int64_t optional_count(Cursor& in, std::string_view things) {
  return in.row_done() ? 0 : in.count(1, things);
}

void begin(Cursor& in) {
  if (!in.next_row() && !in.failed())
    in.fail(ErrorCode::kTruncated, "the file is empty", "export the mesh again");
}

void begin_row(Cursor& in) {
  if (!in.next_row() && !in.failed())
    in.fail(ErrorCode::kTruncated, "the file ends before the number of rows that its first line announces",
            "copy or export the file again");
}

void expect_number(Cursor& in, std::int64_t expected) {
  const std::size_t at = in.next_offset();
  const std::int64_t number = in.integer();
  if (!in.failed() && number != expected)
    in.fail(ErrorCode::kInconsistent,
            "row number " + text(static_cast<Index>(number)) + " where " +
                text(static_cast<Index>(expected)) + " is expected",
            "rows must be numbered one after another from 0 or 1", at);
}

void end_row(Cursor& in) {
  if (!in.row_done())
    in.fail(ErrorCode::kSyntax, "the line holds more than the first line announces", "check the first line");
}

void read_nodes(Cursor& in, RawVolume& raw) {
  begin(in);
  const Index count = in.count(7, "vertices");
  const std::size_t at = in.next_offset();
  const std::int64_t dimension = in.row_done() ? 3 : in.integer();
  if (!in.failed() && dimension != 3)
    in.fail(ErrorCode::kUnsupported, "vertices of dimension " + text(static_cast<Index>(dimension)),
            "only solids in 3 dimensions are taken", at);
  const std::int64_t attributes = optional_count(in, "attributes");
  const std::int64_t markers = optional_count(in, "boundary markers");
  if (attributes > 0) raw.extras.insert("attributes of vertices");
  for (Index i = 0; i < count && !in.failed(); ++i) {
    begin_row(in);
    const std::size_t row = in.next_offset();
    if (i == 0)
      raw.first_tag = in.integer();
    else
      expect_number(in, raw.first_tag + i);
    if (!in.failed() && raw.first_tag != 0 && raw.first_tag != 1)
      in.fail(ErrorCode::kInconsistent, "numbering starts at " + text(static_cast<Index>(raw.first_tag)),
              "start at 0 or 1", row);
    const double x = in.real();
    const double y = in.real();
    const double z = in.real();
    for (std::int64_t k = 0; k < attributes && !in.failed(); ++k) in.real();
    for (std::int64_t k = 0; k < markers && !in.row_done(); ++k) {
      if (in.integer() != 0) raw.extras.insert("boundary markers of vertices");
    }
    end_row(in);
    raw.add_vertex({x, y, z}, row);
  }
}

class ElementReader {
 public:
  ElementReader(Cursor& in, RawVolume& raw) : in_(in), raw_(raw) {}

  void read() {
    begin(in_);
    const Index count = in_.count(9, "elements");
    const std::size_t at = in_.next_offset();
    nodes_ = in_.row_done() ? 4 : in_.integer();
    if (!in_.failed() && nodes_ != 4 && nodes_ != 8 && nodes_ != 10)
      in_.fail(ErrorCode::kUnsupported,
               text(count) + " elements with " + text(static_cast<Index>(nodes_)) + " nodes each",
               "only 4 or 10 (tetrahedra) or 8 (hexahedra) are taken", at);
    attributes_ = optional_count(in_, "attributes");
    if (attributes_ > 1) raw_.extras.insert("second attributes of elements");
    for (Index i = 0; i < count && !in_.failed(); ++i) read_row(i);
    if (whole_labels_) return;
    raw_.note(ErrorCode::kWrongType, "region attributes that are no whole numbers count as label 0");
    raw_.extras.insert("region attributes that are no whole numbers");
  }

 private:
  void read_row(Index i) {
    begin_row(in_);
    const std::size_t row = in_.next_offset();
    if (i == 0)
      first_ = in_.integer();
    else
      expect_number(in_, first_ + i);
    if (!in_.failed() && first_ != 0 && first_ != 1)
      in_.fail(ErrorCode::kInconsistent, "numbering starts at " + text(static_cast<Index>(first_)),
               "start at 0 or 1", row);
    std::array<std::int64_t, 10> n{};
    for (std::int64_t k = 0; k < nodes_ && !in_.failed(); ++k) n[to_size(k)] = in_.integer();
    Label label = 0;
    for (std::int64_t k = 0; k < attributes_ && !in_.failed(); ++k) {
      const double value = in_.real();
      if (k == 0) label = label_of(value);
    }
    end_row(in_);
    if (in_.failed()) return;
    if (nodes_ == 4)
      raw_.tets.add({n[0], n[1], n[2], n[3]}, label, row);
    else if (nodes_ == 8)
      raw_.hexes.add({n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]}, label, row);
    else  // TetGen halves the edges 2 3, 3 0, 0 1, 1 2, 1 3, 2 0
      raw_.tet10s.add({n[0], n[1], n[2], n[3], n[6], n[7], n[9], n[5], n[8], n[4]}, label, row);
  }

  Label label_of(double value) {
    if (std::abs(value) <= std::numeric_limits<Label>::max() && std::floor(value) == value)
      return static_cast<Label>(value);
    whole_labels_ = false;
    return 0;
  }

  Cursor& in_;
  RawVolume& raw_;
  std::int64_t nodes_ = 4, attributes_ = 0, first_ = 0;
  bool whole_labels_ = true;
};

}  // namespace

Result<VolumeFile> read_tetgen(std::string_view node_bytes, const std::string& node_file,
                               std::string_view ele_bytes, const std::string& ele_file) {
  RawVolume raw;
  raw.vertex_source = {node_file, node_bytes, true};
  raw.element_source = {ele_file, ele_bytes, true};
  Cursor nodes(node_bytes, node_file, kRows);
  read_nodes(nodes, raw);
  if (nodes.failed()) return nodes.error();
  Cursor elements(ele_bytes, ele_file, kRows);
  ElementReader(elements, raw).read();
  if (elements.failed()) return elements.error();
  return finish_volume(std::move(raw));
}

}  // namespace pliant
