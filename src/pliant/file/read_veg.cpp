#include "pliant/base/text.hpp"
#include "pliant/file/cursor.hpp"
#include "pliant/file/raw_volume.hpp"
#include "pliant/file/veg.hpp"
#include "pliant/file/words.hpp"

#include <algorithm>
#include <charconv>

namespace pliant {
namespace {

struct ElementSet {
  std::string name;
  std::vector<std::int64_t> members;  // element numbers of the file
  std::size_t offset;
};

struct Region {
  std::string set, material;
  std::size_t offset;
};

struct RegionLabel {
  Label label;
  std::string name;
};

/// `label_N` and `label_N_name` carry a label; any other name gets the number of its region.
RegionLabel label_from_name(std::string_view name, Label number) {
  constexpr std::string_view kPrefix = "label_";
  if (name.starts_with(kPrefix)) {
    Label label = 0;
    const char* end = name.data() + name.size();
    const auto [stop, status] = std::from_chars(name.data() + kPrefix.size(), end, label);
    if (status == std::errc{} && stop == end) return {label, {}};
    if (status == std::errc{} && *stop == '_' && stop + 1 != end) return {label, std::string(stop + 1, end)};
  }
  return {number, std::string(name)};
}

/// Sections may come in any order, so labels are assigned when all have been read.
class VegReader {
 public:
  VegReader(std::string_view bytes, const std::string& file)
      : in_(bytes, file, {.comment = '#', .commas = true, .rows = true}) {
    raw_.vertex_source = raw_.element_source = {file, bytes, true};
  }

  Result<VolumeFile> read() {
    if (!in_.next_row()) in_.fail(ErrorCode::kTruncated, "the file is empty", "export the mesh again");
    while (!in_.failed() && in_.next_row()) {
      const std::size_t at = in_.next_offset();
      const std::string keyword = upper_case(in_.word());
      if (!keyword.starts_with('*')) {
        in_.fail(ErrorCode::kSyntax,
                 "expected a section such as *VERTICES, got '" + keyword.substr(0, 40) + "'",
                 "the section before it holds more than it announced", at);
        break;
      }
      read_section(keyword, at);
    }
    if (!in_.failed()) label_elements();
    if (in_.failed()) return in_.error();
    return finish_volume(std::move(raw_));
  }

 private:
  void read_section(const std::string& keyword, std::size_t at) {
    const std::string name(in_.peek());
    if (keyword == "*VERTICES")
      read_vertices(at);
    else if (keyword == "*ELEMENTS")
      read_elements(at);
    else if (keyword == "*SET")
      read_set(name, at);
    else if (keyword == "*REGION")
      read_regions();
    else if (keyword == "*INCLUDE")
      in_.fail(ErrorCode::kUnsupported, "the file includes another one: " + name.substr(0, 80),
               "paste that file's content here", at);
    else if (keyword == "*MATERIAL")
      read_material(name);
    else
      skip_unknown(keyword);
  }

  /// Advances to the next row of the section; false at the next keyword or at the end.
  bool section_row() { return in_.next_row() && !in_.peek().starts_with('*'); }

  void skip_unknown(const std::string& keyword) {
    raw_.extras.insert("the section " + keyword.substr(0, 40));
    in_.rest_of_line();
    while (section_row()) in_.rest_of_line();
  }

  /// Material constants are not part of a mesh. Vega's customary ones are not even mentioned, since programs
  /// without materials write them as placeholders.
  void read_material(const std::string& name) {
    in_.rest_of_line();
    std::string constants;
    while (section_row()) constants += in_.rest_of_line();
    std::erase_if(constants, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    if (upper_case(constants) != "ENU,1000,1E6,0.45" && upper_case(constants) != "ENU,1000,1000000,0.45")
      raw_.extras.insert("the constants of the material '" + name.substr(0, 60) + "'");
  }

  void need_row() {
    if (!in_.next_row() && !in_.failed())
      in_.fail(ErrorCode::kTruncated, "the file ends inside a section", "copy or export the file again");
  }

  /// Rows must be numbered consecutively from 0 or 1.
  void row_number(Index i, std::int64_t& first) {
    const std::size_t at = in_.next_offset();
    const std::int64_t number = in_.integer();
    if (i == 0) first = number;
    if (in_.failed()) return;
    if (first != 0 && first != 1)
      in_.fail(ErrorCode::kInconsistent, "numbering starts at " + text(static_cast<Index>(first)),
               "start at 0 or 1", at);
    else if (number != first + i)
      in_.fail(ErrorCode::kInconsistent,
               "row number " + text(static_cast<Index>(number)) + " where " +
                   text(static_cast<Index>(first + i)) + " is expected",
               "number the rows one after another", at);
  }

  void end_row() {
    if (!in_.row_done()) in_.fail(ErrorCode::kSyntax, "the line holds more than is expected");
  }

  void read_vertices(std::size_t at) {
    if (!raw_.vertices.empty()) {
      in_.fail(ErrorCode::kInconsistent, "*VERTICES stands twice in the file", "keep one list", at);
      return;
    }
    need_row();
    const Index count = in_.count(7, "vertices");
    in_.rest_of_line();
    for (Index i = 0; i < count && !in_.failed(); ++i) {
      need_row();
      const std::size_t row = in_.next_offset();
      row_number(i, raw_.first_tag);
      const double x = in_.real();
      const double y = in_.real();
      const double z = in_.real();
      end_row();
      raw_.add_vertex({x, y, z}, row);
    }
  }

  void read_elements(std::size_t at) {
    if (element_count() > 0) {
      in_.fail(ErrorCode::kInconsistent, "*ELEMENTS stands twice in the file", "keep one list", at);
      return;
    }
    need_row();
    const std::size_t shape_at = in_.next_offset();
    const std::string shape = upper_case(in_.word());
    const bool tets = shape == "TET" || shape == "TETS";
    if (!in_.failed() && !tets && shape != "CUBIC")
      in_.fail(ErrorCode::kUnsupported, "elements of shape " + shape.substr(0, 40),
               "only TET and CUBIC are taken", shape_at);
    need_row();
    const Index count = in_.count(tets ? 9 : 17, "elements");
    in_.rest_of_line();
    for (Index i = 0; i < count && !in_.failed(); ++i) {
      need_row();
      const std::size_t row = in_.next_offset();
      row_number(i, first_element_);
      tets ? read_element(raw_.tets, row) : read_element(raw_.hexes, row);
      end_row();
    }
  }

  template <std::size_t N>
  void read_element(RawElements<N>& out, std::size_t row) {
    std::array<std::int64_t, N> tags;
    for (std::int64_t& tag : tags) tag = in_.integer();
    if (!in_.failed()) out.add(tags, 0, row);
  }

  void read_set(const std::string& name, std::size_t at) {
    if (name.empty()) {
      in_.fail(ErrorCode::kSyntax, "a set without a name", "write *SET name", at);
      return;
    }
    ElementSet set{name, {}, at};
    in_.rest_of_line();
    while (section_row())
      while (!in_.row_done()) set.members.push_back(in_.integer());
    sets_.push_back(std::move(set));
  }

  void read_regions() {
    in_.rest_of_line();
    while (section_row()) {
      Region region{{}, {}, in_.next_offset()};
      region.set = in_.word();
      region.material = in_.word();
      end_row();
      regions_.push_back(std::move(region));
    }
  }

  [[nodiscard]] std::size_t element_count() const {
    return raw_.tets.vertices.size() + raw_.hexes.vertices.size();
  }

  /// Applies the regions in order, so that later ones win; without regions, the sets.
  void label_elements() {
    auto& labels = raw_.hexes.labels.empty() ? raw_.tets.labels : raw_.hexes.labels;
    if (regions_.empty())
      for (const ElementSet& set : sets_) regions_.push_back({set.name, set.name, set.offset});
    for (const ElementSet& set : sets_) {
      const bool used = std::any_of(regions_.begin(), regions_.end(),
                                    [&](const Region& region) { return region.set == set.name; });
      if (!used) raw_.extras.insert("the set '" + set.name.substr(0, 60) + "'");
    }
    Label number = 0;
    for (const Region& region : regions_) {
      ++number;
      const bool all = region.set == "allElements";
      if (!all && region.material != region.set)
        raw_.extras.insert("the name of the material '" + region.material.substr(0, 60) + "'");
      const RegionLabel found = label_from_name(all ? region.material : region.set, number);
      if (!found.name.empty()) raw_.region_names[found.label] = found.name;
      if (all)
        std::fill(labels.begin(), labels.end(), found.label);
      else
        label_set(region, found.label, labels);
    }
  }

  void label_set(const Region& region, Label label, std::vector<Label>& labels) {
    const auto set =
        std::find_if(sets_.begin(), sets_.end(), [&](const ElementSet& s) { return s.name == region.set; });
    if (set == sets_.end()) {
      in_.fail(ErrorCode::kMissing, "the set '" + region.set.substr(0, 80) + "' is not defined",
               "define it by *SET", region.offset);
      return;
    }
    for (const std::int64_t member : set->members) {
      // Sets use the same first element number.
      if (member < first_element_ || member - first_element_ >= static_cast<std::int64_t>(labels.size())) {
        in_.fail(ErrorCode::kOutOfRange,
                 "the set '" + set->name.substr(0, 80) + "' names element " +
                     text(static_cast<Index>(member)) + ", which does not exist",
                 {}, set->offset);
        return;
      }
      labels[to_size(member - first_element_)] = label;
    }
  }

  Cursor in_;
  RawVolume raw_;
  std::int64_t first_element_ = 1;
  std::vector<ElementSet> sets_;
  std::vector<Region> regions_;
};

}  // namespace

Result<VolumeFile> read_veg(std::string_view bytes, const std::string& file) {
  return VegReader(bytes, file).read();
}

}  // namespace pliant
