#include "pliant/scene/sketch.hpp"

#include "pliant/base/text.hpp"
#include "pliant/reduce/sketch.hpp"
#include "pliant/scene/access.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/scene/schema.hpp"

#include <limits>

namespace pliant {
namespace {

using namespace access;

const SectionSchema& pull_section() {
  using Form = ValueForm;
  static const SectionSchema schema{
      "[[pull]]",
      "One hand that pulls.",
      {{"where", Form::kText, "", "", "selection of vertices that share the force", {}},
       {"vertices", Form::kIntegers, "", "", "vertex numbers instead, from 0", Bounds{0.0, 2147483647.0}},
       {"near", Form::kVector, "", "m", "or: the vertex nearest to this place", {}},
       {"t", Form::kNumbers, "", "s", "ascending times", {}, true},
       {"force", Form::kVectors, "", "N", "one force per time, linear in between", {}, true}}};
  return schema;
}

const SectionSchema& script_schema() {
  using Form = ValueForm;
  static const SectionSchema schema{
      "Pull script",
      "",
      {{"rate", Form::kNumber, "30", "1/s", "samples per second", Bounds{1e-3, 1e6}},
       {"pull", Form::kSections, "", "", "the pulls", {}, true, {}, &pull_section()}}};
  return schema;
}

VertexId nearest_vertex(const Vector3& place, const VolumeMesh& mesh) {
  const std::vector<bool> used = vertices_of_elements(mesh);
  double nearest = std::numeric_limits<double>::infinity();
  VertexId found = 0;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const double distance = (mesh.vertices[v] - place).squaredNorm();
    if (!used[v] || distance >= nearest) continue;
    nearest = distance;
    found = static_cast<VertexId>(v);
  }
  return found;
}

PullTrack read_track(const Value& table, const std::string& file, const std::string& path,
                     const VolumeMesh& mesh, Diagnostics& problems) {
  PullTrack track;
  track.t = numbers(table, "t");
  track.force = vectors(table, "force");
  const Value* where = table.find("where");
  const Value* list = table.find("vertices");
  const Value* near = table.find("near");
  const int kinds = static_cast<int>(where != nullptr) + static_cast<int>(list != nullptr) +
                    static_cast<int>(near != nullptr);
  if (kinds != 1) {
    problems.push_back({ErrorCode::kMissing,
                        {file, table.line, table.column, path},
                        "needs one of where, vertices and near",
                        "e.g. near = [0.2, 0, 0]"});
    return track;
  }
  if (near != nullptr) {
    track.vertices = {nearest_vertex(to_vector(*near), mesh)};
    return track;
  }
  SelectionText selection;
  selection.by_number = list != nullptr;
  const Value& chosen = list != nullptr ? *list : *where;
  selection.where = {file, chosen.line, chosen.column, path + (list != nullptr ? ".vertices" : ".where")};
  if (list != nullptr)
    selection.numbers = integers(*list);
  else
    selection.expression = where->text;
  track.vertices = selected_vertices(selection, mesh, problems);
  return track;
}

}  // namespace

Result<std::vector<Pull>> expand_pull_script(std::string_view toml, const std::string& file,
                                             const VolumeMesh& mesh) {
  Result<Value> root = parse_toml(toml, file);
  if (!root) return root.errors();
  Diagnostics problems = check_and_fill(root.value(), script_schema(), file);
  if (!problems.empty()) return problems;
  std::vector<PullTrack> tracks;
  const std::vector<Value>& pulls = tables(root.value(), "pull");
  tracks.reserve(pulls.size());
  for (std::size_t i = 0; i < pulls.size(); ++i)
    tracks.push_back(read_track(pulls[i], file, "pull[" + std::to_string(i) + "]", mesh, problems));
  if (!problems.empty()) return problems;
  Result<std::vector<Pull>> samples =
      sample_pulls(tracks, 1.0 / number(root.value(), "rate", 30.0), mesh.vertex_count());
  if (!samples) return located(samples.errors(), {file, 0, 0, {}});
  return samples;
}

std::vector<std::filesystem::path> inputs_but_pulls(const SceneDescription& scene) {
  std::vector<std::filesystem::path> inputs = scene.inputs;
  for (const BodyText& body : scene.bodies) {
    if (!body.modal.sketch) continue;
    const std::filesystem::path pulls = scene.resolve(*body.modal.sketch);
    std::erase(inputs, pulls);
  }
  return inputs;
}

}  // namespace pliant
