#include "pliant/base/text.hpp"
#include "pliant/file/cursor.hpp"
#include "pliant/file/msh.hpp"
#include "pliant/file/raw_volume.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace pliant {
namespace {

struct ElementType {
  const char* name;
  int nodes;
};

/// Gmsh's element types by number. Node counts are needed even for types that we do not use, to find the next
/// element.
constexpr std::array<ElementType, 32> kTypes{{{"", 0},
                                              {"2-node lines", 2},
                                              {"3-node triangles", 3},
                                              {"4-node quadrangles", 4},
                                              {"4-node tetrahedra", 4},
                                              {"8-node hexahedra", 8},
                                              {"6-node wedges", 6},
                                              {"5-node pyramids", 5},
                                              {"3-node lines", 3},
                                              {"6-node triangles", 6},
                                              {"9-node quadrangles", 9},
                                              {"10-node tetrahedra", 10},
                                              {"27-node hexahedra", 27},
                                              {"18-node wedges", 18},
                                              {"14-node pyramids", 14},
                                              {"points", 1},
                                              {"8-node quadrangles", 8},
                                              {"20-node hexahedra", 20},
                                              {"15-node wedges", 15},
                                              {"13-node pyramids", 13},
                                              {"9-node triangles", 9},
                                              {"10-node triangles", 10},
                                              {"12-node triangles", 12},
                                              {"15-node triangles", 15},
                                              {"incomplete 15-node triangles", 15},
                                              {"21-node triangles", 21},
                                              {"4-node lines", 4},
                                              {"5-node lines", 5},
                                              {"6-node lines", 6},
                                              {"20-node tetrahedra", 20},
                                              {"35-node tetrahedra", 35},
                                              {"56-node tetrahedra", 56}}};
constexpr int kLine = 1, kTriangle = 2, kQuad = 3, kTet = 4, kHex = 5, kLine3 = 8, kTriangle6 = 9,
              kTet10 = 11, kPoint = 15;
constexpr int kMostNodes = 56;

/// Reads section after section; both versions fill the same RawVolume.
class MshReader {
 public:
  MshReader(std::string_view bytes, const std::string& file) : in_(bytes, file) {
    raw_.vertex_source = raw_.element_source = {file, bytes, true};
  }

  Result<VolumeFile> read() {
    read_header();
    bool nodes = false;
    bool elements = false;
    while (!in_.at_end()) {
      const std::size_t at = in_.next_offset();
      const std::string section(in_.word());
      if (!section.starts_with('$')) {
        in_.fail(ErrorCode::kSyntax, "expected a section such as $Nodes, got '" + section.substr(0, 40) + "'",
                 "the section before it holds more than it announced", at);
        break;
      }
      nodes = nodes || section == "$Nodes";
      elements = elements || section == "$Elements";
      read_section(section, at);
    }
    if (in_.failed()) return in_.error();
    if (!nodes || !elements)
      return Diagnostic{ErrorCode::kTruncated, in_.location(in_.offset()),
                        std::string("the file ends without ") + (nodes ? "$Elements" : "$Nodes"),
                        "copy or export the file again"};
    raw_.vertex_source.text = raw_.element_source.text = !in_.binary();
    return finish_volume(std::move(raw_));
  }

 private:
  void read_header();
  void read_section(const std::string& section, std::size_t at);
  void read_names();
  void read_entities();
  void read_nodes_2();
  void read_nodes_4();
  void read_elements_2();
  void read_elements_2_binary();
  void read_elements_4();
  void read_element(int type, std::int64_t number, std::int64_t label, std::size_t at);

  // One field, as text or as binary data.
  std::int64_t number() { return in_.binary() ? in_.raw<std::int32_t>() : in_.integer(); }
  std::int64_t size() {
    return in_.binary() ? static_cast<std::int64_t>(in_.raw<std::uint64_t>()) : in_.integer();
  }
  /// Where the next field begins.
  std::size_t here() { return in_.binary() ? in_.offset() : in_.next_offset(); }
  double real() { return in_.binary() ? in_.raw<double>() : in_.real(); }
  std::int64_t size_of(std::size_t least_text, std::size_t least_binary, std::string_view things) {
    const std::size_t at = here();
    const std::int64_t value = size();
    in_.check_count(value, in_.binary() ? least_binary : least_text, things, at);
    return in_.failed() ? 0 : value;
  }
  /// Binary data begins right after the line that opens the section.
  void begin_data() {
    if (in_.binary()) in_.rest_of_line();
  }
  /// Points and lines, which are ignored.
  static bool is_scaffold(std::int64_t type) { return type == kPoint || type == kLine || type == kLine3; }
  bool known_type(std::int64_t type, std::size_t at) {
    if (type >= 1 && type < static_cast<std::int64_t>(kTypes.size())) return true;
    in_.fail(ErrorCode::kUnsupported, "elements of type " + text(static_cast<Index>(type)),
             "only tetrahedra of 4 and 10 nodes (4, 11) and 8-node hexahedra (5) are taken", at);
    return false;
  }

  /// The physical tag, or the elementary one if there is none: a mesh stores only one of them.
  std::int64_t label_of(std::int64_t type, std::int64_t physical, std::int64_t elementary) {
    if (physical == 0) return elementary;
    if (elementary != 0 && elementary != physical && !is_scaffold(type))
      raw_.extras.insert("elementary tags beside physical ones");
    return physical;
  }

  Cursor in_;
  RawVolume raw_;
  bool version_4_ = false;
  std::array<std::map<std::int64_t, std::int64_t>, 4> physical_;  // by dimension: entity → physical tag
};

void MshReader::read_header() {
  if (in_.at_end()) {
    in_.fail(ErrorCode::kTruncated, "the file is empty", "export the mesh again");
    return;
  }
  if (in_.peek() != "$MeshFormat") {
    const bool old = in_.peek() == "$NOD";
    in_.fail(old ? ErrorCode::kUnsupported : ErrorCode::kSyntax,
             old ? "this is version 1 of Gmsh's format" : "does not begin with $MeshFormat: not a Gmsh mesh",
             "save it with Gmsh as version 4.1 or 2.2");
    return;
  }
  in_.word();
  const std::size_t at = in_.next_offset();
  const double version = in_.real();
  const std::int64_t kind = in_.integer();
  const std::int64_t data_size = in_.integer();
  if (in_.failed()) return;
  version_4_ = version == 4.1;
  if (!version_4_ && !(version >= 2.0 && version < 3.0))
    in_.fail(ErrorCode::kUnsupported, "version " + text(version) + " of Gmsh's format",
             "save it as 4.1 (gmsh -save -format msh41) or 2.2", at);
  if (kind != 0 && kind != 1) in_.fail(ErrorCode::kSyntax, "the file type must be 0 or 1", {}, at);
  if (data_size != 8)
    in_.fail(ErrorCode::kUnsupported, "a data size of " + text(static_cast<Index>(data_size)) + " bytes",
             "save it on a 64-bit machine", at);
  if (kind == 1 && !in_.failed()) {
    // The byte order mark: a 1 as a 32-bit integer.
    in_.rest_of_line();
    in_.set_binary(false);
    const std::size_t mark = in_.offset();
    const auto one = in_.raw<std::int32_t>();
    if (one == 0x01000000)
      in_.set_binary(true);
    else if (one != 1)
      in_.fail(ErrorCode::kSyntax, "the byte order mark is neither 1 nor its reverse", {}, mark);
  }
  if (in_.word() != "$EndMeshFormat") in_.fail(ErrorCode::kSyntax, "expected $EndMeshFormat");
}

void MshReader::read_section(const std::string& section, std::size_t at) {
  if (section == "$PhysicalNames") {
    read_names();
  } else if (section == "$Entities" && version_4_) {
    read_entities();
  } else if (section == "$Nodes") {
    version_4_ ? read_nodes_4() : read_nodes_2();
  } else if (section == "$Elements") {
    if (version_4_)
      read_elements_4();
    else if (in_.binary())
      read_elements_2_binary();
    else
      read_elements_2();
  } else {
    // Sections that are not needed are skipped by searching for their end.
    const std::string end = "$End" + section.substr(1);
    const std::size_t found = in_.bytes().find(end, in_.offset());
    if (found == std::string_view::npos)
      in_.fail(ErrorCode::kTruncated, "the section " + section.substr(0, 40) + " does not end",
               "copy or export the file again", at);
    else
      in_.seek(found + end.size());
    if (section != "$Comments") raw_.extras.insert("the section " + section.substr(0, 40));
    return;
  }
  if (in_.failed()) return;
  const std::size_t end = in_.next_offset();
  if (in_.word() != "$End" + section.substr(1))
    in_.fail(ErrorCode::kSyntax, "expected the end of " + section, "the count in its header is wrong", end);
}

void MshReader::read_names() {
  const Index count = in_.count(6, "physical names");
  for (Index i = 0; i < count && !in_.failed(); ++i) {
    const std::size_t at = in_.next_offset();
    const std::int64_t dimension = in_.integer();
    const std::int64_t tag = in_.integer();
    std::string_view name = in_.rest_of_line();
    const std::size_t open = name.find('"');
    const std::size_t close = name.rfind('"');
    if (open == close || !is_label(tag)) {
      in_.fail(ErrorCode::kSyntax, "expected: dimension, tag, \"name\"", {}, at);
      return;
    }
    name = name.substr(open + 1, close - open - 1);
    if (dimension == 3) raw_.region_names[static_cast<Label>(tag)] = name;
    if (dimension == 2) raw_.face_names[static_cast<Label>(tag)] = name;
  }
}

void MshReader::read_entities() {
  begin_data();
  std::array<std::int64_t, 4> counts{};
  // Counts of points, curves, surfaces and volumes.
  for (auto& count : counts) count = size_of(8, 36, "entities");
  bool several = false;
  for (std::size_t dimension = 0; dimension < 4; ++dimension)
    for (std::int64_t i = 0; i < counts[dimension] && !in_.failed(); ++i) {
      const std::int64_t tag = number();
      for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) real();  // a position (points) or a bounding box
      // Groups of the entity; the first one counts.
      const std::int64_t physicals = size_of(2, 4, "physical tags");
      several = several || physicals > 1;
      for (std::int64_t k = 0; k < physicals && !in_.failed(); ++k) {
        const std::int64_t physical = number();
        if (k == 0) physical_[dimension][tag] = physical;
      }
      if (dimension == 0) continue;
      const std::int64_t bounding = size_of(2, 4, "bounding entities");
      for (std::int64_t k = 0; k < bounding && !in_.failed(); ++k) number();
    }
  if (!several) return;
  raw_.note(ErrorCode::kUnsupported, "entities belong to several physical groups: the first of each counts");
  raw_.extras.insert("second physical groups of entities");
}

void MshReader::read_nodes_2() {
  const Index count = in_.count(in_.binary() ? 28 : 8, "nodes");
  begin_data();
  for (Index i = 0; i < count && !in_.failed(); ++i) {
    const std::size_t at = here();
    raw_.vertex_tags.push_back(number());
    const double x = real();
    const double y = real();
    const double z = real();
    raw_.add_vertex({x, y, z}, at);
  }
}

void MshReader::read_nodes_4() {
  begin_data();
  const std::int64_t blocks = size_of(1, 20, "node blocks");
  const std::int64_t total = size_of(8, 32, "nodes");
  size();  // smallest tag
  size();  // largest tag
  for (std::int64_t b = 0; b < blocks && !in_.failed(); ++b) {
    const std::size_t at = in_.offset();
    const std::int64_t dimension = number();
    number();
    const bool parametric = number() != 0;
    if (parametric) raw_.extras.insert("parametric coordinates of nodes");
    if (dimension < 0 || dimension > 3)
      in_.fail(ErrorCode::kOutOfRange, "entity dimension " + text(static_cast<Index>(dimension)), {}, at);
    const std::int64_t count = size_of(8, 32, "nodes");
    for (std::int64_t i = 0; i < count && !in_.failed(); ++i) raw_.vertex_tags.push_back(size());
    for (std::int64_t i = 0; i < count && !in_.failed(); ++i) {
      const std::size_t row = here();
      const double x = real();
      const double y = real();
      const double z = real();
      for (std::int64_t k = 0; parametric && k < dimension; ++k) real();
      raw_.add_vertex({x, y, z}, row);
    }
  }
  if (!in_.failed() && total != static_cast<std::int64_t>(raw_.vertices.size()))
    in_.fail(ErrorCode::kInconsistent, text(static_cast<Index>(total)) +
                                           " nodes are announced, but the blocks hold " +
                                           text(std::ssize(raw_.vertices)));
}

void MshReader::read_element(int type, std::int64_t number, std::int64_t label, std::size_t at) {
  std::array<std::int64_t, kMostNodes> nodes{};
  const int count = kTypes[to_size(type)].nodes;
  const bool wide = version_4_;
  for (int k = 0; k < count; ++k) nodes[to_size(k)] = wide ? size() : this->number();
  if (in_.failed()) return;
  if (label < 0 && is_label(label)) label = -label;  // reversed entities have negative tags
  if (label < 0 || !is_label(label)) {
    in_.fail(ErrorCode::kOutOfRange, "the tag " + text(static_cast<Index>(label)) + " is too large", {}, at);
    return;
  }
  const auto tag = static_cast<Label>(label);
  const auto& n = nodes;
  switch (type) {
    case kTet:
      return raw_.tets.add({n[0], n[1], n[2], n[3]}, tag, at);
    case kHex:
      return raw_.hexes.add({n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]}, tag, at);
    case kTet10:  // Gmsh lists the vertex of the edge 2 3 before that of 1 3
      return raw_.tet10s.add({n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[9], n[8]}, tag, at);
    case kTriangle:
    case kTriangle6:  // its midside vertices are those of its tet
      return raw_.triangles.add({n[0], n[1], n[2]}, tag, at);
    case kQuad:
      return raw_.quads.add({n[0], n[1], n[2], n[3]}, tag, at);
    case kPoint:
      ++raw_.ignored_points;
      return;
    case kLine:
    case kLine3:
      ++raw_.ignored_lines;
      return;
    default:
      raw_.add_unsupported(type, kTypes[to_size(type)].name, number, at);
  }
}

void MshReader::read_elements_2() {
  const Index count = in_.count(8, "elements");
  for (Index i = 0; i < count && !in_.failed(); ++i) {
    const std::size_t at = in_.next_offset();
    const std::int64_t element = in_.integer();
    const std::int64_t type = in_.integer();
    const Index tags = in_.count(2, "tags");
    std::array<std::int64_t, 2> tag{};
    for (Index k = 0; k < tags && !in_.failed(); ++k) {
      const std::int64_t value = in_.integer();
      if (k < 2) tag[to_size(k)] = value;
    }
    if (in_.failed() || !known_type(type, at)) return;
    if (tags > 2) raw_.extras.insert("partitions of elements");
    read_element(static_cast<int>(type), element, label_of(type, tag[0], tag[1]), at);
  }
}

void MshReader::read_elements_2_binary() {
  const Index count = in_.count(4, "elements");
  begin_data();
  for (Index done = 0; done < count && !in_.failed();) {
    const std::size_t at = in_.offset();
    const std::int64_t type = number();
    const std::int64_t follow = number();
    const std::int64_t tags = number();
    if (in_.failed() || !known_type(type, at)) return;
    in_.check_count(follow, 8, "elements", at);
    in_.check_count(tags, 4, "tags", at);
    if (!in_.failed() && (follow == 0 || follow > count - done))
      in_.fail(
          ErrorCode::kInconsistent,
          "a block of " + text(static_cast<Index>(follow)) + " elements, " + text(count - done) + " are left",
          {}, at);
    for (std::int64_t i = 0; i < follow && !in_.failed(); ++i, ++done) {
      const std::size_t row = in_.offset();
      const std::int64_t element = number();
      std::array<std::int64_t, 2> tag{};
      for (std::int64_t k = 0; k < tags && !in_.failed(); ++k) {
        const std::int64_t value = number();
        if (k < 2) tag[to_size(k)] = value;
      }
      if (tags > 2) raw_.extras.insert("partitions of elements");
      read_element(static_cast<int>(type), element, label_of(type, tag[0], tag[1]), row);
    }
  }
}

void MshReader::read_elements_4() {
  begin_data();
  const std::int64_t blocks = size_of(1, 20, "element blocks");
  const std::int64_t total = size_of(4, 16, "elements");
  size();
  size();
  std::int64_t done = 0;
  for (std::int64_t b = 0; b < blocks && !in_.failed(); ++b) {
    const std::size_t at = here();
    const std::int64_t dimension = number();
    const std::int64_t entity = number();
    const std::int64_t type = number();
    const std::int64_t count = size_of(4, 16, "elements");
    if (in_.failed() || !known_type(type, at)) return;
    if (dimension < 0 || dimension > 3) {
      in_.fail(ErrorCode::kOutOfRange, "entity dimension " + text(static_cast<Index>(dimension)), {}, at);
      return;
    }
    const auto& physical = physical_[to_size(dimension)];
    const auto found = physical.find(entity);
    const std::int64_t label = label_of(type, found != physical.end() ? found->second : 0, entity);
    for (std::int64_t i = 0; i < count && !in_.failed(); ++i, ++done) {
      const std::size_t row = here();
      const std::int64_t element = size();
      read_element(static_cast<int>(type), element, label, row);
    }
  }
  if (!in_.failed() && done != total)
    in_.fail(ErrorCode::kInconsistent, text(static_cast<Index>(total)) +
                                           " elements are announced, but the blocks hold " +
                                           text(static_cast<Index>(done)));
}

}  // namespace

Result<VolumeFile> read_msh(std::string_view bytes, const std::string& file) {
  return MshReader(bytes, file).read();
}

}  // namespace pliant
