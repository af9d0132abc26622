#include "pliant/base/text.hpp"
#include "pliant/file/cursor.hpp"
#include "pliant/file/inp.hpp"
#include "pliant/file/raw_volume.hpp"
#include "pliant/file/words.hpp"

#include <algorithm>
#include <array>

namespace pliant {
namespace {

std::string_view trimmed(std::string_view word) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  const std::size_t begin = word.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return word.substr(begin, word.find_last_not_of(kBlanks) - begin + 1);
}

/// A keyword and its parameters, all in upper case without blanks; `*Node Print` is NODEPRINT.
struct Keyword {
  std::string name;
  std::map<std::string, std::string> parameters;  // values as written, without quotes
  std::size_t offset = 0;

  /// Empty if it is not given.
  [[nodiscard]] std::string_view value(const std::string& parameter) const {
    const auto found = parameters.find(parameter);
    return found == parameters.end() ? std::string_view() : std::string_view(found->second);
  }
};

std::string plain_name(std::string_view word) {
  std::string name = upper_case(word);
  std::erase_if(name, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
  return name;
}

/// The text behind the asterisk.
Keyword parse_keyword(std::string_view line, std::size_t offset) {
  Keyword keyword;
  keyword.offset = offset;
  bool first = true;
  while (first || !line.empty()) {
    const std::size_t comma = std::min(line.find(','), line.size());
    const std::string_view part = line.substr(0, comma);
    line.remove_prefix(std::min(comma + 1, line.size()));
    const std::size_t equals = std::min(part.find('='), part.size());
    std::string_view value = trimmed(part.substr(std::min(equals + 1, part.size())));
    if (value.size() > 1 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    if (first)
      keyword.name = plain_name(part);
    else
      keyword.parameters.emplace(plain_name(part.substr(0, equals)), value);
    first = false;
  }
  return keyword;
}

bool is_number_start(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.'; }

/// Keywords that make, move or fetch nodes or elements: without them the mesh would be another one.
bool changes_mesh(std::string_view keyword) {
  static constexpr std::array<std::string_view, 9> kNames{
      "INCLUDE", "SYSTEM", "NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SUBSTRUCTURE"};
  return std::find(kNames.begin(), kNames.end(), keyword) != kNames.end();
}

/// Rows belong to the keyword before them.
class InpReader {
 public:
  InpReader(std::string_view bytes, const std::string& file)
      : in_(bytes, file, {.comment = '\0', .commas = true, .rows = true}) {
    raw_.vertex_source = raw_.element_source = {file, bytes, true};
  }

  Result<VolumeFile> read() {
    if (!next_line()) in_.fail(ErrorCode::kTruncated, "the file is empty", "export the mesh again");
    while (!in_.failed() && next_line()) {
      if (!at_keyword()) {
        in_.fail(ErrorCode::kSyntax, "expected a keyword such as *NODE, got " + in_quotes(in_.peek()),
                 "only CalculiX and Abaqus input files are taken");
        break;
      }
      read_section(read_keyword());
    }
    if (in_.failed()) return in_.error();
    return finish_volume(std::move(raw_));
  }

 private:
  [[nodiscard]] bool at_keyword() { return in_.peek().starts_with('*'); }
  /// Advances to the next line that is neither empty nor a comment; false at the end.
  bool next_line() {
    while (in_.next_row()) {
      if (!in_.peek().starts_with("**")) return true;
      in_.rest_of_line();
    }
    return false;
  }
  /// The same, but stops at the next keyword.
  bool next_data() { return next_line() && !at_keyword(); }

  Keyword read_keyword() {
    const std::size_t at = in_.next_offset();
    std::string line(trimmed(in_.rest_of_line().substr(1)));
    // Parameters begin with a letter: the rows behind a stray comma are no parameters.
    while (line.ends_with(',') && next_data() && !is_number_start(in_.peek().front()))
      line += trimmed(in_.rest_of_line());
    return parse_keyword(line, at);
  }

  void read_section(const Keyword& keyword) {
    const bool nodes = keyword.name == "NODE";
    const bool elements = keyword.name == "ELEMENT";
    if (changes_mesh(keyword.name) || ((nodes || elements) && keyword.parameters.contains("INPUT")))
      in_.fail(ErrorCode::kUnsupported,
               "the keyword *" + keyword.name + (nodes || elements ? " with INPUT" : ""),
               "write all nodes and elements out, into this file", keyword.offset);
    else if (nodes)
      read_nodes(keyword);
    else if (elements)
      read_elements(keyword);
    else
      skip_section(keyword);
  }

  void skip_section(const Keyword& keyword) {
    // Titles and switches of the printout are no content.
    if (keyword.name != "HEADING" && keyword.name != "PREPRINT")
      raw_.extras.insert("the keyword *" + keyword.name.substr(0, 40));
    while (next_data()) in_.rest_of_line();
  }

  void read_nodes(const Keyword& keyword) {
    const std::string system = upper_case(keyword.value("SYSTEM"));
    if (!system.empty() && system != "R") {
      in_.fail(ErrorCode::kUnsupported, "nodes in the coordinate system " + in_quotes(system),
               "only rectangular coordinates are taken", keyword.offset);
      return;
    }
    if (keyword.parameters.contains("NSET")) raw_.extras.insert("sets of nodes");
    while (next_data()) {
      const std::size_t row = in_.next_offset();
      const std::int64_t tag = in_.integer();
      const double x = in_.real();
      const double y = in_.real();
      const double z = in_.real();
      if (!in_.row_done()) raw_.extras.insert("normals of nodes");
      while (!in_.row_done()) in_.real();
      if (in_.failed()) return;
      raw_.vertex_tags.push_back(tag);
      raw_.add_vertex({x, y, z}, row);
    }
  }

  void read_elements(const Keyword& keyword) {
    const std::string type = upper_case(keyword.value("TYPE"));
    const Label label = label_of(keyword.value("ELSET"));
    if (type == "C3D4")
      read_rows(raw_.tets, label);
    else if (type == "C3D8")
      read_rows(raw_.hexes, label);
    else if (type == "C3D10")
      read_rows(raw_.tet10s, label);
    else if (type.empty())
      in_.fail(ErrorCode::kMissing, "*ELEMENT without TYPE", "write *ELEMENT, TYPE=C3D10", keyword.offset);
    else
      in_.fail(ErrorCode::kUnsupported, "elements of type " + in_quotes(type),
               "only C3D4, C3D8 and C3D10 are taken: remove the others, or mesh again", keyword.offset);
  }

  template <std::size_t N>
  void read_rows(RawElements<N>& out, Label label) {
    while (next_data()) {
      const std::size_t row = in_.next_offset();
      in_.integer();  // its number, which nothing refers to
      std::array<std::int64_t, N> tags{};
      for (std::int64_t& tag : tags) {
        if (in_.row_done()) continue_row(N);
        tag = in_.integer();
      }
      if (!in_.row_done())
        in_.fail(ErrorCode::kSyntax, "the element has more than " + text(static_cast<Index>(N)) + " nodes",
                 "check the TYPE of its *ELEMENT", row);
      if (in_.failed()) return;
      out.add(tags, label, row);
    }
  }

  /// Only a comma at the end of a line announces another one. Without this rule, a row that lacks a node
  /// would take the number of the next element for it.
  void continue_row(std::size_t nodes) {
    const std::size_t end = in_.offset();
    const std::string_view before = in_.bytes().substr(0, end);
    const std::size_t last = before.find_last_not_of(" \t\r");
    const bool comma = last != std::string_view::npos && before[last] == ',';
    if (comma && next_data()) return;
    const bool ends = in_.offset() == in_.bytes().size();
    in_.fail(ends ? ErrorCode::kTruncated : ErrorCode::kSyntax,
             "the row ends before its " + text(static_cast<Index>(nodes)) + " nodes",
             "a row that continues on the next line ends with a comma", end);
  }

  Label label_of(std::string_view set) {
    if (set.empty()) return 0;
    const auto next = static_cast<Label>(labels_.size() + 1);
    const auto [found, added] = labels_.emplace(upper_case(set), next);
    if (added) raw_.region_names[next] = set;
    return found->second;
  }

  Cursor in_;
  RawVolume raw_;
  std::map<std::string, Label> labels_;  // of sets, by their names in upper case
};

}  // namespace

Result<VolumeFile> read_inp(std::string_view bytes, const std::string& file) {
  return InpReader(bytes, file).read();
}

}  // namespace pliant
