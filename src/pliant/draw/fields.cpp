#include "pliant/draw/fields.hpp"

#include <algorithm>
#include <cmath>

namespace pliant::view {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLeast = 0.15;           // s between two computations of a field, at least
constexpr double kShare = 0.1;            // share of the time that fields may take
constexpr double kShareBelowTop = 0.995;  // share of the points whose stress lies below the top of the scale
constexpr float kSteps = 65535.0F;

/// The mean over the elements around each vertex.
std::vector<float> at_vertices(const VolumeMesh& mesh, const VectorX& of_elements) {
  std::vector<float> sum(mesh.vertices.size(), 0.0F), count(mesh.vertices.size(), 0.0F);
  for_each_element(mesh, [&](Index element, std::span<const VertexId> vertices) {
    for (const VertexId v : vertices) {
      sum[to_size(v)] += static_cast<float>(of_elements[element]);
      count[to_size(v)] += 1.0F;
    }
  });
  for (std::size_t v = 0; v < sum.size(); ++v) sum[v] /= std::max(count[v], 1.0F);
  return sum;
}

}  // namespace

std::vector<float> surface_field(const Model& model, const DrawnBody& drawn, FieldKind kind) {
  std::vector<float> values(to_size(drawn.point_count()));
  if (kind == FieldKind::kVonMises) {
    const std::vector<float> stress = at_vertices(model.mesh(), model.von_mises());
    for (Index i = 0; i < drawn.point_count(); ++i)
      for (const auto& [vertex, weight] : drawn.carriers(i))
        values[to_size(i)] += static_cast<float>(weight) * stress[to_size(vertex)];
    return values;
  }
  const VectorX& u = model.displacements();
  for (Index i = 0; i < drawn.point_count(); ++i) {
    Vector3 d = Vector3::Zero();
    for (const auto& [vertex, weight] : drawn.carriers(i))
      d += weight * u.segment<3>(3 * static_cast<Index>(vertex));
    values[to_size(i)] = static_cast<float>(d.norm());
  }
  return values;
}

Field pack_field(const std::vector<float>& values, FieldKind kind) {
  Field field;
  field.quantity = static_cast<std::uint8_t>(kind);
  if (values.empty()) return field;
  std::vector<float> sorted = values;
  const double share = kind == FieldKind::kVonMises ? kShareBelowTop : 1.0;
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
  std::nth_element(sorted.begin(), sorted.begin() + place, sorted.end());
  field.top = std::max(sorted[to_size(place)], 0.0F);
  field.values.reserve(values.size());
  for (const float value : values) {
    const float part = field.top > 0.0F ? std::clamp(value / field.top, 0.0F, 1.0F) : 0.0F;
    field.values.push_back(static_cast<std::uint16_t>(std::isfinite(part) ? kSteps * part + 0.5F : 0.0F));
  }
  return field;
}

const Field& FieldCache::get(const Model& model, const DrawnBody& drawn, std::uint32_t body, FieldKind kind,
                             std::uint32_t epoch, std::uint32_t step, std::uint32_t revision, bool at_rest) {
  Entry& entry = entries_[{body, kind}];
  const auto now = Clock::now();
  const double age = std::chrono::duration<double>(now - entry.made).count();
  const bool known = entry.revision == revision && !entry.field.values.empty();
  const bool present = known && entry.epoch == epoch && entry.field.step == step;
  // While the simulation stands still there is time to recompute at once.
  const bool fresh = known && !at_rest && age < std::max(kLeast, entry.seconds / kShare);
  if (present || fresh) return entry.field;
  entry.field = pack_field(surface_field(model, drawn, kind), kind);
  entry.field.body = body;
  entry.field.step = step;
  entry.epoch = epoch;
  entry.revision = revision;
  entry.made = Clock::now();
  entry.seconds = std::chrono::duration<double>(entry.made - now).count();
  return entry.field;
}

Result<ModeShapes> ModeShapes::find(const Model& model, const DrawnBody& drawn, Index count,
                                    const Progress& progress) {
  const Result<Model::Frequencies> found = model.natural_frequencies(count, progress);
  if (!found) return found.errors();
  const Model::Frequencies& modes = found.value();
  ModeShapes shapes;
  shapes.rigid_ = static_cast<std::uint32_t>(modes.rigid);
  for (Index m = 0; m < std::min(modes.shapes.cols(), std::ssize(modes.hz)); ++m) {
    shapes.hz_.push_back(static_cast<float>(modes.hz[to_size(m)]));
    std::vector<Vector3> moved;
    moved.reserve(to_size(drawn.point_count()));
    double largest = 0.0;
    for (Index i = 0; i < drawn.point_count(); ++i) {
      Vector3 d = Vector3::Zero();
      for (const auto& [vertex, weight] : drawn.carriers(i))
        d += weight * modes.shapes.col(m).segment<3>(3 * static_cast<Index>(vertex));
      largest = std::max(largest, d.norm());
      moved.push_back(d);
    }
    std::vector<std::uint16_t> halves;
    halves.reserve(3 * moved.size());
    for (const Vector3& d : moved)
      for (Index c = 0; c < 3; ++c)
        halves.push_back(to_half(static_cast<float>(largest > 0.0 ? d[c] / largest : 0.0)));
    shapes.shapes_.push_back(std::move(halves));
  }
  return shapes;
}

Mode ModeShapes::mode(std::uint32_t number) const {
  Mode mode;
  mode.mode = number;
  mode.rigid = rigid_;
  mode.hz = hz_;
  if (number < shapes_.size()) mode.shape = shapes_[number];
  return mode;
}

}  // namespace pliant::view
