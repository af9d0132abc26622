// file/raw_volume.hpp — a volume mesh as its file tells it: own vertex tags, every element with its place.
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

/// Elements of one shape, by the file's own vertex tags.
template <std::size_t N>
struct RawElements {
  std::vector<std::array<std::int64_t, N>> vertices;
  std::vector<Label> labels;
  std::vector<std::size_t> offsets;  // byte at which each stands; empty when the format cannot tell

  void add(const std::array<std::int64_t, N>& tags, Label label, std::size_t offset) {
    vertices.push_back(tags);
    labels.push_back(label);
    offsets.push_back(offset);
  }
};

/// The text (or bytes) that offsets point into.
struct RawSource {
  std::string file;
  std::string_view bytes;
  bool text = true;  // offsets are told as lines
};

/// Element shapes that a file holds and that we cannot take: kept until the end, to count them all.
struct UnsupportedElements {
  std::string name;
  Index count = 0;
  std::int64_t first = 0;  // the file's own number of the first
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

/// Turns tags into vertex numbers and validates; the one place where a read mesh is judged.
Result<VolumeFile> finish_volume(RawVolume&& raw);

[[nodiscard]] inline bool is_label(std::int64_t value) {
  return value >= std::numeric_limits<Label>::min() && value <= std::numeric_limits<Label>::max();
}

}  // namespace pliant
