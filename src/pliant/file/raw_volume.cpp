#include "pliant/file/raw_volume.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/cursor.hpp"
#include "pliant/mesh/core/validate_volume.hpp"

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

Location locate(const RawSource& source, const std::vector<std::size_t>& offsets, Index i, std::string key) {
  Location where{source.file, 0, 0, std::move(key)};
  if (to_size(i) < offsets.size()) {
    const std::size_t offset = offsets[to_size(i)];
    if (source.text)
      where.line = line_of(source.bytes, offset);
    else
      where.key += " (byte " + text(static_cast<Index>(offset)) + ")";
  }
  return where;
}

/// Maps the vertex tags of the file to positions in its list. Consecutive tags, the usual case, need no
/// table.
class TagTable {
 public:
  explicit TagTable(const RawVolume& raw)
      : count_(static_cast<std::int64_t>(raw.vertices.size())), first_(raw.first_tag) {
    const auto& tags = raw.vertex_tags;
    if (tags.empty()) return;
    first_ = tags.front();
    bool consecutive = true;
    for (std::size_t i = 1; i < tags.size() && consecutive; ++i)
      consecutive = tags[i - 1] < std::numeric_limits<std::int64_t>::max() && tags[i] == tags[i - 1] + 1;
    if (consecutive) return;
    order_.resize(tags.size());
    std::iota(order_.begin(), order_.end(), VertexId{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](VertexId a, VertexId b) { return tags[to_size(a)] < tags[to_size(b)]; });
    sorted_.reserve(tags.size());
    for (const VertexId v : order_) sorted_.push_back(tags[to_size(v)]);
  }

  /// −1 if the file has no such vertex.
  [[nodiscard]] VertexId find(std::int64_t tag) const {
    if (sorted_.empty()) {
      // Unsigned, since the difference of two tags may overflow a signed number.
      const bool inside =
          tag >= first_ && static_cast<std::uint64_t>(tag) - static_cast<std::uint64_t>(first_) <
                               static_cast<std::uint64_t>(count_);
      return inside ? static_cast<VertexId>(tag - first_) : -1;
    }
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), tag);
    return found != sorted_.end() && *found == tag ? order_[to_size(found - sorted_.begin())] : -1;
  }

  /// Position of the second of two vertices with the same tag; −1 if there are none.
  [[nodiscard]] Index repeated() const {
    const auto found = std::adjacent_find(sorted_.begin(), sorted_.end());
    return found == sorted_.end() ? -1 : order_[to_size(found - sorted_.begin()) + 1];
  }

 private:
  std::int64_t count_, first_;
  std::vector<std::int64_t> sorted_;  // empty if tags are consecutive
  std::vector<VertexId> order_;
};

template <std::size_t N>
Status resolve(const RawElements<N>& raw, const RawSource& source, const TagTable& table, const char* kind,
               Index first_number, std::vector<std::array<VertexId, N>>& out) {
  out.resize(raw.vertices.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t k = 0; k < N; ++k) {
      out[i][k] = table.find(raw.vertices[i][k]);
      if (out[i][k] >= 0) continue;
      const auto number = static_cast<Index>(i);
      return Diagnostic{
          ErrorCode::kOutOfRange,
          locate(source, raw.offsets, number, std::string(kind) + " " + text(first_number + number)),
          "refers to vertex " + text(static_cast<Index>(raw.vertices[i][k])) +
              ", which the file does not define",
          "the file is damaged or its numbering starts elsewhere"};
    }
  return Done{};
}

/// Elements are numbered tets, hexes, quadratic tets, as in a VolumeMesh.
Status resolve_all(const RawVolume& raw, const TagTable& table, VolumeMesh& mesh) {
  const RawSource& source = raw.element_source;
  const Index first_hex = std::ssize(raw.tets.vertices);
  const Index first_tet10 = first_hex + std::ssize(raw.hexes.vertices);
  for (Status& status : std::array{resolve(raw.tets, source, table, "element", 0, mesh.tets),
                                   resolve(raw.hexes, source, table, "element", first_hex, mesh.hexes),
                                   resolve(raw.tet10s, source, table, "element", first_tet10, mesh.tet10s),
                                   resolve(raw.triangles, source, table, "triangle", 0, mesh.triangles),
                                   resolve(raw.quads, source, table, "quad", 0, mesh.quads)})
    if (!status) return std::move(status);
  return Done{};
}

void take_labels(RawVolume& raw, VolumeMesh& mesh) {
  mesh.tet_labels = std::move(raw.tets.labels);
  mesh.hex_labels = std::move(raw.hexes.labels);
  mesh.tet10_labels = std::move(raw.tet10s.labels);
  mesh.triangle_labels = std::move(raw.triangles.labels);
  mesh.quad_labels = std::move(raw.quads.labels);
  mesh.region_names = std::move(raw.region_names);
  mesh.face_names = std::move(raw.face_names);
}

/// The place in the file of each part of the mesh. Both must outlive the result.
LocatePart located(const RawVolume& raw, const VolumeMesh& mesh) {
  return [&](MeshPart part, Index i) {
    const RawSource& source = raw.element_source;
    switch (part) {
      case MeshPart::kVertex:
        return locate(raw.vertex_source, raw.vertex_offsets, i, "vertex " + text(i));
      case MeshPart::kTet:
        return locate(source, raw.tets.offsets, i, "element " + text(i));
      case MeshPart::kHex:
        return locate(source, raw.hexes.offsets, i, "element " + text(mesh.first_hex() + i));
      case MeshPart::kTet10:
        return locate(source, raw.tet10s.offsets, i, "element " + text(mesh.first_tet10() + i));
      case MeshPart::kTriangle:
        return locate(source, raw.triangles.offsets, i, "triangle " + text(i));
      case MeshPart::kQuad:
        return locate(source, raw.quads.offsets, i, "quad " + text(i));
      case MeshPart::kMesh:
        break;
    }
    return Location{source.file, 0, 0, {}};
  };
}

Diagnostics unsupported_errors(const RawVolume& raw) {
  Diagnostics errors;
  for (const auto& [type, found] : raw.unsupported) {
    Location where =
        locate(raw.element_source, {found.offset}, 0, "element " + text(static_cast<Index>(found.first)));
    errors.push_back({ErrorCode::kUnsupported, std::move(where),
                      text(found.count) + " " + found.name + " (type " + text(Index{type}) +
                          "), of which this is the first",
                      "only tetrahedra of 4 or 10 nodes and 8-node hexahedra are taken: split or re-mesh, or "
                      "export first order"});
  }
  return errors;
}

void note_ignored(RawVolume& raw) {
  if (raw.ignored_points + raw.ignored_lines == 0) return;
  raw.note(ErrorCode::kUnsupported,
           text(raw.ignored_points) + " point and " + text(raw.ignored_lines) + " line elements are ignored");
}

}  // namespace

void RawVolume::add_unsupported(int type, std::string_view name, std::int64_t number, std::size_t offset) {
  auto& entry = unsupported[type];
  if (entry.count++ == 0) entry = {std::string(name), 1, number, offset};
}

void RawVolume::note(ErrorCode code, std::string what, std::string remedy) {
  notes.push_back({code, Location{element_source.file, 0, 0, {}}, std::move(what), std::move(remedy)});
}

Result<VolumeFile> finish_volume(RawVolume&& raw) {
  // Unsupported solid elements would leave holes, so they are errors, all of them together.
  if (!raw.unsupported.empty()) return unsupported_errors(raw);
  note_ignored(raw);
  const TagTable table(raw);
  if (const Index twice = table.repeated(); twice >= 0)
    return Diagnostic{
        ErrorCode::kInconsistent,
        locate(raw.vertex_source, raw.vertex_offsets, twice, "vertex " + text(twice)),
        "the vertex number " + text(static_cast<Index>(raw.vertex_tags[to_size(twice)])) + " is given twice",
        "number the vertices uniquely"};

  VolumeFile result;
  VolumeMesh& mesh = result.mesh;
  if (Status status = resolve_all(raw, table, mesh); !status) return status.errors();
  mesh.vertices = std::move(raw.vertices);
  take_labels(raw, mesh);
  Result<Validation> validation = validate_volume(mesh, located(raw, mesh));
  if (!validation) return validation.errors();
  result.notes = std::move(raw.notes);
  for (const Diagnostic& note : validation.value().notes) result.notes.push_back(note);
  result.reoriented = validation.value().reoriented;
  for (const std::string& extra : raw.extras)
    result.extras.push_back(
        {ErrorCode::kUnsupported, Location{raw.element_source.file, 0, 0, {}}, extra, {}});
  return result;
}

}  // namespace pliant
