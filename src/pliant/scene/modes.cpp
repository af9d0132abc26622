#include "pliant/scene/modes.hpp"

#include "pliant/file/surface_file.hpp"
#include "pliant/file/volume_file.hpp"
#include "pliant/file/vtu.hpp"
#include "pliant/model/full/full_model.hpp"
#include "pliant/scene/body_parts.hpp"

#include <fmt/format.h>

namespace pliant {

Result<ModesOutcome> mesh_modes(const ModesRequest& request, Progress& progress) {
  Diagnostics problems = check(request.material);
  for (Diagnostic& problem : problems) problem.where.key = "--" + problem.where.key;
  if (request.count < 1)
    problems.push_back(
        {ErrorCode::kOutOfRange, {"", 0, 0, "--count"}, "must be >= 1", "ask for one mode at least"});
  if (!problems.empty()) return problems;
  if (is_surface_file(request.mesh))
    return Diagnostic{ErrorCode::kUnsupported,
                      {request.mesh.string(), 0, 0, ""},
                      "is a surface",
                      "fill it first: pliant mesh " + request.mesh.string() + " -o FILE.vtu --resolution 40"};
  progress.begin("read " + request.mesh.string(), 0);
  Result<VolumeFile> file = read_volume_file(request.mesh);
  if (!file) return file.errors();

  BodyText body;
  for (const std::string& expression : request.fixed) {
    SelectionText text;
    text.expression = expression;
    text.where.key = "--fix \"" + expression + "\"";
    body.fixed.push_back(std::move(text));
  }
  std::vector<Support> supports = make_supports(body, file.value().mesh, problems, file.value().notes);
  if (!problems.empty()) return problems;

  progress.begin("assemble", 0);
  auto elastic =
      std::make_shared<const ElasticBody>(std::move(file.value().mesh), MaterialMap{{request.material}, {}});
  Result<std::unique_ptr<Model>> model = make_full_model({elastic, std::move(supports), {}}, {});
  if (!model) return model.errors();
  progress.begin("factorise and iterate", 0);
  Result<Model::Frequencies> modes = model.value()->natural_frequencies(request.count, progress);
  progress.end();
  if (!modes) return modes.errors();
  return ModesOutcome{request.mesh.stem().string(), std::move(model).value(), std::move(modes).value(),
                      std::move(file.value().notes)};
}

std::string modes_vtu(const ModesOutcome& outcome) {
  VtuData data;
  for (Index m = 0; m < outcome.modes.shapes.cols(); ++m) {
    const VectorX shape = outcome.modes.shapes.col(m);
    double largest = 0.0;
    for (Index i = 0; i < shape.size() / 3; ++i) largest = std::max(largest, shape.segment<3>(3 * i).norm());
    NamedArray array{fmt::format("mode {:02} {:.4g} Hz", m + 1, outcome.modes.hz[to_size(m)]), 3, {}};
    array.values.resize(to_size(shape.size()));
    for (Index i = 0; i < shape.size(); ++i) array.values[to_size(i)] = shape[i] / largest;
    data.point.push_back(std::move(array));
  }
  return write_vtu(outcome.model->mesh(), data, {false, true});
}

}  // namespace pliant
