#include "pliant/scene/read_assembly.hpp"

#include "pliant/scene/access.hpp"
#include "pliant/scene/load_mesh.hpp"
#include "pliant/scene/read_look.hpp"

#include <algorithm>

namespace pliant {
namespace {

using namespace access;  // NOLINT(google-build-using-namespace)

/// The place of a member if the user wrote it, or else of the table that should contain it.
Location place(const Value& table, const std::string& path, std::string_view key, const std::string& file) {
  const Value* value = table.find(key);
  const Value& at = value != nullptr && value->line > 0 ? *value : table;
  return {file, at.line, at.column, path + "." + std::string(key)};
}

ClassText read_class(const Value& table, const std::string& path, const std::string& file,
                     const PartReaders& readers, Diagnostics& problems) {
  ClassText part;
  part.shape.where = {file, table.line, table.column, path};
  part.shape.name = word(table, "name");
  part.shape.name_where = place(table, path, "name", file);
  if (table.has("mesh") || table.has("generate")) {
    readers.shape(table, path, part.shape);
    part.has_mesh = true;
  } else {
    for (const std::string_view key : {"mesher", "surface", "base"})
      if (table.has(key))
        problems.push_back({ErrorCode::kInconsistent, place(table, path, key, file),
                            "needs a `mesh` or `generate` in this class",
                            "without one, the class only has settings for a generated one"});
  }
  if (const Value* material = table.find("material"))
    part.material = readers.material(*material, path + ".material");
  if (table.has("base")) {
    part.base.emplace();
    part.base->expression = word(table, "base");
    part.base->where = place(table, path, "base", file);
  }
  part.shape.look = read_look(table, path, file, problems);
  part.linear_modes = optional_integer(table, "linear_modes");
  part.modes = optional_integer(table, "modes");
  return part;
}

AssemblyInstance read_instance(const Value& table, const std::string& path, const std::string& file) {
  AssemblyInstance instance;
  instance.name = word(table, "name");
  instance.class_name = word(table, "class");
  instance.parent = word(table, "parent");
  instance.where = {file, table.line, table.column, path};
  TransformText transform;
  transform.translate = vector(table, "translate");
  transform.rotate_degrees = vector(table, "rotate");
  transform.scale = number(table, "scale", 1.0);
  instance.placement = placement(transform);
  return instance;
}

/// Reports keys that exclude each other.
void check_sources(const Value& body, const std::string& path, const std::string& file,
                   const AssemblyText& text, Diagnostics& problems) {
  const auto add = [&](ErrorCode code, std::string_view key, std::string what, std::string remedy) {
    problems.push_back({code, place(body, path, key, file), std::move(what), std::move(remedy)});
  };
  for (const std::string_view key : {"mesh", "generate", "mesher", "surface"})
    if (body.has(key))
      add(ErrorCode::kInconsistent, key, "stands beside parts with meshes of their own",
          "give it to a [[body.class]]");
  if (text.generated && (text.instances_file || !text.instances.empty()))
    add(ErrorCode::kInconsistent, text.instances_file ? "instances" : "instance",
        "stands beside `assembly`, which has instances of its own", "keep one of the two");
  if (!text.generated && text.classes.empty())
    add(ErrorCode::kMissing, "class", "is missing", "instances need a [[body.class]] each");
  if (!text.generated && text.instances.empty() && !text.instances_file)
    add(ErrorCode::kMissing, "instance", "is missing", "place the classes by [[body.instance]]");
  if (text.generated) return;
  for (const ClassText& part : text.classes)
    if (!part.has_mesh)
      problems.push_back({ErrorCode::kMissing, part.shape.where,
                          "class \"" + part.shape.name + "\" has no mesh",
                          "give mesh = \"...\" or generate = { shape = ... }"});
}

}  // namespace

bool has_assembly(const Value& body) {
  return body.has("assembly") || body.has("class") || body.has("instance") || body.has("instances");
}

AssemblyText read_assembly(const Value& body, const std::string& path, const std::string& file,
                           const PartReaders& readers, Diagnostics& problems) {
  AssemblyText text;
  if (!has_assembly(body)) return text;
  text.given = true;
  if (const Value* generated = body.find("assembly"))
    text.generated = GenerateText{word(*generated, "shape"), *generated, place(body, path, "assembly", file)};
  const auto& classes = tables(body, "class");
  for (std::size_t i = 0; i < classes.size(); ++i)
    text.classes.push_back(
        read_class(classes[i], path + ".class[" + std::to_string(i) + "]", file, readers, problems));
  const auto& instances = tables(body, "instance");
  for (std::size_t i = 0; i < instances.size(); ++i)
    text.instances.push_back(
        read_instance(instances[i], path + ".instance[" + std::to_string(i) + "]", file));
  text.instances_file = optional_word(body, "instances");
  text.instances_where = place(body, path, "instances", file);
  check_sources(body, path, file, text, problems);
  return text;
}

}  // namespace pliant
