#include "pliant/edit/sketching.hpp"

#include "pliant/base/text.hpp"
#include "pliant/edit/refuse.hpp"
#include "pliant/scene/body_parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace pliant::view {
namespace {

constexpr std::size_t kMostPulls = 256;
constexpr std::size_t kMostForces = 64;  // per pull
constexpr float kLargestForce = 1e12F;   // N
constexpr double kInterval = 0.1;        // s between forces of a pull
constexpr double kGrip = 0.06;           // radius of the patch on which a pull acts, over the body's size

}  // namespace

WorkPiece work_piece(const Simulation& simulation, std::size_t b) {
  WorkPiece piece;
  piece.elastic = simulation.scene().elastic[b];
  piece.reduced = simulation.scene().reports[b].basis.has_value();
  const DrawnBody& drawn = simulation.drawn(b);
  piece.carriers.reserve(to_size(drawn.point_count()));
  for (Index i = 0; i < drawn.point_count(); ++i) piece.carriers.push_back(drawn.carriers(i));
  return piece;
}

Result<std::vector<Support>> supports_of(const BodyText& body, const VolumeMesh& mesh) {
  Diagnostics problems, notes;
  std::vector<Support> supports = make_supports(body, mesh, problems, notes);
  if (!problems.empty()) return problems;
  return supports;
}

SketchDesk::SketchDesk(WorkPiece piece) : piece_(std::move(piece)) {
  const VectorX& rest = piece_.elastic->rest_positions();
  points_.reserve(piece_.carriers.size());
  Vector3 low = Vector3::Constant(1e30), high = -low;
  for (const auto& carriers : piece_.carriers) {
    Vector3 x = Vector3::Zero();
    for (const auto& [vertex, weight] : carriers)
      x += weight * rest.segment<3>(3 * static_cast<Index>(vertex));
    points_.push_back(x);
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  radius_ = kGrip * (high - low).norm();
}

std::vector<std::pair<VertexId, double>> SketchDesk::grip(std::uint32_t point) const {
  std::map<VertexId, double> shares;
  double sum = 0.0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double far = (points_[i] - points_[point]).norm() / radius_;
    if (far >= 1.0 && i != point) continue;
    const double share = i == point ? 1.0 : (1.0 - far * far) * (1.0 - far * far);
    sum += share;
    for (const auto& [vertex, weight] : piece_.carriers[i]) shares[vertex] += share * weight;
  }
  std::vector<std::pair<VertexId, double>> list;
  for (const auto& [vertex, share] : shares)
    if (share != 0.0) list.emplace_back(vertex, share / sum);
  return list;
}

Result<std::unique_ptr<SketchDesk>> SketchDesk::make(const BodyText& body, WorkPiece piece,
                                                     Progress& progress) {
  if (!piece.reduced)
    return refuse("only a body of the model `modal` has a basis to sketch", "pliant view --model modal");
  std::unique_ptr<SketchDesk> desk(new SketchDesk(std::move(piece)));
  const ElasticBody& elastic = *desk->piece_.elastic;
  const Result<std::vector<Support>> supports = supports_of(body, elastic.mesh());
  if (!supports) return supports.errors();
  progress.begin("factorise the linear model", 0);
  Result<RestSystem> system = RestSystem::make(elastic, free_dofs(elastic, supports.value()), progress);
  progress.end();
  if (!system) return system.errors();
  if (system.value().floating())
    return refuse("nothing holds this body, so that pulls on it have no equilibrium",
                  "give it `fixed` in the scene");
  desk->system_ = std::make_unique<RestSystem>(std::move(system).value());
  return desk;
}

Result<SketchShapes> SketchDesk::shapes(std::uint32_t point) const {
  if (point >= piece_.carriers.size()) return refuse("there is no point " + text(Index{point}));
  MatrixX columns = MatrixX::Zero(piece_.elastic->dof_count(), 3);
  for (const auto& [vertex, weight] : grip(point))
    for (Index c = 0; c < 3; ++c) columns(3 * static_cast<Index>(vertex) + c, c) += weight;
  system_->solve(columns);
  SketchShapes result;
  result.point = point;
  result.shapes.reserve(9 * piece_.carriers.size());
  for (const auto& carriers : piece_.carriers) {
    Matrix3 moved = Matrix3::Zero();
    for (const auto& [vertex, weight] : carriers)
      moved += weight * columns.middleRows<3>(3 * static_cast<Index>(vertex));
    for (Index k = 0; k < 3; ++k)
      for (Index c = 0; c < 3; ++c) result.shapes.push_back(static_cast<float>(moved(c, k)));
  }
  return result;
}

Status SketchDesk::add(const AddPull& pull) {
  if (pulls_.size() >= kMostPulls) return refuse("a sketch has at most 256 pulls");
  if (pull.point >= piece_.carriers.size()) return refuse("there is no point " + text(Index{pull.point}));
  if (pull.forces.empty() || pull.forces.size() % 3 != 0 || pull.forces.size() > 3 * kMostForces)
    return refuse("a pull has 1 to 64 forces");
  if (!std::all_of(pull.forces.begin(), pull.forces.end(),
                   [](float f) { return std::abs(f) <= kLargestForce; }))
    return refuse("a pull must be finite");
  pulls_.push_back(pull);
  return Done{};
}

std::vector<Pull> SketchDesk::rows() const {
  std::vector<Pull> rows;
  double time = 0.0;
  for (const AddPull& pull : pulls_) {
    const std::vector<std::pair<VertexId, double>> held = grip(pull.point);
    for (std::size_t i = 0; i + 2 < pull.forces.size(); i += 3) {
      const Vector3 force(pull.forces[i], pull.forces[i + 1], pull.forces[i + 2]);
      for (const auto& [vertex, share] : held) rows.push_back({time, vertex, share * force});
      time += kInterval;
    }
    time = std::ceil(time + 0.5);
  }
  return rows;
}

}  // namespace pliant::view
