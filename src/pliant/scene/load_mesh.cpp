#include "pliant/scene/load_mesh.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/surface_file.hpp"
#include "pliant/file/volume_file.hpp"
#include "pliant/mesh/core/validate_volume.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/scene/assembly.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/scene/fill.hpp"

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr Index kDuckSurfaceResolution = 64;  // finer than most bodies made from it

/// Locates problems about a file as a whole (missing, unknown format) in the scene. Problems inside the file
/// keep their place there.
Diagnostics in_scene(const Diagnostics& list, const Location& where) {
  Diagnostics moved = list;
  for (Diagnostic& problem : moved) {
    const bool about_file = problem.where.line == 0 && problem.where.key.empty();
    if (!about_file) continue;
    const std::string file = problem.where.file;
    problem.where = where;
    if (!file.empty()) problem.what = file + ": " + problem.what;
  }
  return moved;
}

GenerateSpec to_spec(const GenerateText& text) {
  GenerateSpec spec;
  for (const Member& member : text.table.members) {
    const Value& value = member.value;
    if (member.name == "shape") {
      spec.shape = value.text;
    } else if (member.name == "element") {
      spec.element = value.text;
    } else if (value.kind == Value::Kind::kArray) {
      for (const Value& item : value.items) spec.parameters[member.name].push_back(item.number);
    } else {
      spec.parameters[member.name] = {value.number};
    }
  }
  return spec;
}

/// The mesh was sound before the transform, so problems after it are located at the transform.
Diagnostics in_transform(Diagnostics list, const TransformText& transform) {
  for (Diagnostic& problem : list) {
    if (!problem.where.key.empty()) problem.what = problem.where.key + ": " + problem.what;
    problem.where = transform.where;
    problem.remedy = "the mesh is sound before it; is scale = " + text(transform.scale) + " meant?";
  }
  return list;
}

/// The duck is generated as a surface and filled like any other. The surface is kept for drawing.
Status make_duck(const GenerateText& text, Progress& progress, BodyShape& shape) {
  const GenerateSpec spec = to_spec(text);
  double length = 1.0, resolution = 30.0;
  for (const auto& [name, values] : spec.parameters) {
    if (name == "length") {
      length = values[0];
    } else if (name == "resolution") {
      resolution = values[0];
    } else {
      return in_table({{ErrorCode::kUnknownKey,
                        {"", 0, 0, name},
                        "is not a parameter of the duck",
                        "it has length and resolution"}},
                      text);
    }
  }
  Result<SurfaceMesh> surface = generate_duck_surface(length, kDuckSurfaceResolution, progress);
  if (!surface) return in_table(surface.errors(), text);
  FillOptions options;
  options.resolution = static_cast<Index>(resolution);
  options.hexes = spec.element == "hex";
  options.quadratic = spec.element == "tet10";
  Result<MesherOutput> filled = fill_surface(surface.value(), "", options, progress);
  if (!filled) return in_table(filled.errors(), text);
  shape.mesh = std::move(filled.value().mesh);
  shape.surface = std::move(surface).value();
  return Done{};
}

Status make_generated(const GenerateText& text, Progress& progress, BodyShape& shape) {
  if (text.shape == "duck") return make_duck(text, progress, shape);
  SurfaceMesh drawn;
  Result<VolumeMesh> mesh = generate(to_spec(text), progress, &drawn);
  if (!mesh) return in_table(mesh.errors(), text);
  shape.mesh = std::move(mesh).value();
  if (!drawn.triangles.empty()) shape.surface = std::move(drawn);
  return Done{};
}

Status read_filled(const std::filesystem::path& path, const BodyText& body, Progress& progress,
                   BodyShape& shape) {
  Result<SurfaceFile> surface = read_surface_file(path);
  if (!surface) return in_scene(surface.errors(), body.mesh_where);
  Result<MesherOutput> filled = fill_surface(surface.value().mesh, path.string(), body.mesher, progress);
  if (!filled) return in_scene(filled.errors(), body.mesh_where);
  shape.mesh = std::move(filled.value().mesh);
  shape.notes = std::move(filled.value().notes);
  shape.surface = std::move(surface.value().mesh);  // unless the scene names another one
  return Done{};
}

Status load_volume(const SceneDescription& scene, const BodyText& body, Progress& progress,
                   BodyShape& shape) {
  if (body.generate) return make_generated(*body.generate, progress, shape);
  const std::filesystem::path path = scene.resolve(body.mesh.value_or(""));
  if (is_surface_file(path)) return read_filled(path, body, progress, shape);
  Result<VolumeFile> file = read_volume_file(path);
  if (!file) return in_scene(file.errors(), body.mesh_where);
  shape.mesh = std::move(file.value().mesh);
  shape.notes = std::move(file.value().notes);
  return Done{};
}

Matrix3 rotation(const Vector3& degrees) {
  const Vector3 angle = degrees * (std::numbers::pi / 180.0);
  return (Eigen::AngleAxisd(angle[2], Vector3::UnitZ()) * Eigen::AngleAxisd(angle[1], Vector3::UnitY()) *
          Eigen::AngleAxisd(angle[0], Vector3::UnitX()))
      .toRotationMatrix();
}

bool is_identity(const TransformText& t) {
  return t.scale == 1.0 && t.rotate_degrees == Vector3::Zero() && t.translate == Vector3::Zero();
}

/// A body of placed parts. A tree takes the parts as they are; other models need one connected mesh.
Result<BodyShape> load_parts(const SceneDescription& scene, const BodyText& body, Progress& progress) {
  Result<AssemblyShape> assembly = load_assembly(scene, body, progress);
  if (!assembly) return assembly.errors();
  BodyShape shape;
  shape.notes = assembly.value().notes;
  shape.assembly = std::make_shared<const AssemblyShape>(std::move(assembly).value());
  if (body.model_type == "tree") {
    shape.mesh = shape.assembly->body.mesh;
    return shape;
  }
  Result<VolumeMesh> whole = weld(shape.assembly->body);
  if (!whole) return located(whole.errors(), body.where);
  shape.mesh = std::move(whole).value();
  // Each part is sound, but parts of linear and quadratic elements may not go together.
  Result<Validation> valid = validate_volume(shape.mesh, default_location(shape.mesh));
  if (!valid) return located(valid.errors(), body.where);
  const Diagnostics notes = located(std::move(valid).value().notes, body.where);
  shape.notes.insert(shape.notes.end(), notes.begin(), notes.end());
  return shape;
}

}  // namespace

Diagnostics in_table(Diagnostics list, const GenerateText& text) {
  for (Diagnostic& problem : list) {
    const std::string key = problem.where.key;
    problem.where = text.where;
    if (key.empty()) continue;
    problem.where.key += "." + key;
    if (const Value* value = text.table.find(key); value != nullptr && value->line > 0) {
      problem.where.line = value->line;
      problem.where.column = value->column;
    }
  }
  return list;
}

Placement placement(const TransformText& transform) {
  return {rotation(transform.rotate_degrees), transform.translate, transform.scale};
}

Vector3 place(const TransformText& transform, const Vector3& x) {
  return rotation(transform.rotate_degrees) * (transform.scale * x) + transform.translate;
}

Result<BodyShape> load_shape(const SceneDescription& scene, const BodyText& body, Progress& progress) {
  if (body.assembly.given) return load_parts(scene, body, progress);
  BodyShape shape;
  if (Status loaded = load_volume(scene, body, progress, shape); !loaded) return loaded.errors();
  if (body.surface) {
    const std::filesystem::path path = scene.resolve(*body.surface);
    Result<SurfaceFile> surface = read_surface_file(path);
    if (!surface) return in_scene(surface.errors(), body.surface_where);
    shape.surface = std::move(surface.value().mesh);
  }
  if (!is_identity(body.transform)) {  // an untouched mesh keeps its bits
    for (Vector3& x : shape.mesh.vertices) x = place(body.transform, x);
    if (shape.surface) {
      for (Vector3& x : shape.surface->vertices) x = place(body.transform, x);
    }
    // A huge or tiny scale can make a sound mesh degenerate.
    Result<Validation> valid = validate_volume(shape.mesh, default_location(shape.mesh));
    if (!valid) return in_transform(valid.errors(), body.transform);
  }
  return shape;
}

}  // namespace pliant
