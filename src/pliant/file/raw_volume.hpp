// file/raw_volume.hpp — a volume mesh as its file gives it: with the file's vertex tags and the place of each
// element.
#pragma once

#include "pliant/file/volume_file.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// Elements of one shape, in terms of the file's vertex tags.
template <std::size_t N>
struct RawElements {
  std::vector<std::array<std::int64_t, N>> vertices;
  std::vector<Label> labels;
  std::vector<std::size_t> offsets;  // byte at which each stands; empty if the format does not tell

  void add(const std::array<std::int64_t, N>& tags, Label label, std::size_t offset) {
    vertices.push_back(tags);
    labels.push_back(label);
    offsets.push_back(offset);
  }
};

/// The text (or bytes) to which offsets refer.
struct RawSource {
  std::string file;
  std::string_view bytes;
  bool text = true;  // report offsets as lines
};

/// Elements of a shape that we cannot use. They are collected until the end, so that all of them are counted.
struct UnsupportedElements {
  std::string name;
  Index count = 0;
  std::int64_t first = 0;  // the file's number of the first one
  std::size_t offset = 0;
};

struct RawVolume {
  RawSource vertex_source, element_source;
  std::vector<Vector3> vertices;
  std::vector<std::size_t> vertex_offsets;  // empty when unknown
  std::vector<std::int64_t> vertex_tags;    // empty: first_tag, first_tag + 1, ...
  std::int64_t first_tag = 0;
  RawElements<4> tets;
  RawElements<8> hexes;
  RawElements<10> tet10s;  // midside vertices in the order of kTet10Edges
  RawElements<3> triangles;
  RawElements<4> quads;
  std::map<Label, std::string> region_names, face_names;
  std::map<int, UnsupportedElements> unsupported;  // by the file's type number
  Index ignored_points = 0, ignored_lines = 0;
  Diagnostics notes;
  std::set<std::string> extras;  // kinds of data that are not kept

  void add_vertex(const Vector3& position, std::size_t offset) {
    vertices.push_back(position);
    vertex_offsets.push_back(offset);
  }
  void add_unsupported(int type, std::string_view name, std::int64_t number, std::size_t offset);
  void note(ErrorCode code, std::string what, std::string remedy = {});
};

/// Converts tags to vertex numbers and validates the mesh, for all formats.
Result<VolumeFile> finish_volume(RawVolume&& raw);

[[nodiscard]] inline bool is_label(std::int64_t value) {
  return value >= std::numeric_limits<Label>::min() && value <= std::numeric_limits<Label>::max();
}

}  // namespace pliant
