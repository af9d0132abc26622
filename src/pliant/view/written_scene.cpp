#include "pliant/view/written_scene.hpp"

#include "pliant/file/surface_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pliant::view {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else if (static_cast<unsigned char>(c) < 32)
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + "\"";
}

std::string key(const std::string& name) {
  const bool bare = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? name : quoted(name);
}

/// Shortest text that reads back as the same number, and as no integer.
std::string number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string inline_text(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kBool:
      return value.boolean ? "true" : "false";
    case Value::Kind::kInteger:
      return fmt::format("{}", value.integer);
    case Value::Kind::kNumber:
      return number(value.number);
    case Value::Kind::kArray: {
      std::string text;
      for (const Value& item : value.items) text += (text.empty() ? "" : ", ") + inline_text(item);
      return "[" + text + "]";
    }
    case Value::Kind::kTable: {
      std::string text;
      for (const Member& member : value.members)
        text += (text.empty() ? "" : ", ") + key(member.name) + " = " + inline_text(member.value);
      return "{ " + text + " }";
    }
    default:
      return quoted(value.text);
  }
}

bool is_table_list(const Value& value) {
  return value.kind == Value::Kind::kArray && !value.items.empty() &&
         std::all_of(value.items.begin(), value.items.end(),
                     [](const Value& item) { return item.kind == Value::Kind::kTable; });
}

void write_members(const Value& table, const std::string& path, std::string& text) {
  for (const Member& member : table.members)
    if (!is_table_list(member.value)) text += key(member.name) + " = " + inline_text(member.value) + "\n";
  for (const Member& member : table.members) {
    if (!is_table_list(member.value)) continue;
    for (const Value& item : member.value.items) {
      text += "\n[[" + path + "." + key(member.name) + "]]\n";
      for (const Member& inner : item.members)
        text += key(inner.name) + " = " + inline_text(inner.value) + "\n";
    }
  }
}

Value word(std::string text) {
  Value value;
  value.kind = Value::Kind::kText;
  value.text = std::move(text);
  return value;
}
Value integer(Index i) {
  Value value;
  value.kind = Value::Kind::kInteger;
  value.integer = i;
  return value;
}
Value* find(Value& table, std::string_view name) {
  for (Member& member : table.members)
    if (member.name == name) return &member.value;
  return nullptr;
}
void drop(Value& table, std::string_view name) {
  std::erase_if(table.members, [&](const Member& member) { return member.name == name; });
}
void set(Value& table, std::string name, Value value) {
  drop(table, name);
  table.members.push_back({std::move(name), std::move(value), 0, 0});
}

Value tree_of(const Value* before, const BodyText& body) {
  Value tree;
  if (before != nullptr && before->find("type") != nullptr && before->find("type")->text == "tree")
    tree = *before;
  for (const char* gone : {"modes_total", "distribution", "root", "merge_cycles"}) drop(tree, gone);
  set(tree, "type", word("tree"));
  set(tree, "linear_modes", integer(body.tree.linear_modes));
  Value labels;
  set(labels, "from", word("labels"));
  set(tree, "domains", std::move(labels));
  return tree;
}

}  // namespace

std::string write_toml(const Value& table) {
  std::string text;
  for (const Member& member : table.members)
    if (member.value.kind != Value::Kind::kTable && !is_table_list(member.value))
      text += key(member.name) + " = " + inline_text(member.value) + "\n";
  for (const Member& member : table.members) {
    const std::string name = key(member.name);
    if (member.value.kind == Value::Kind::kTable) {
      text += "\n[" + name + "]\n";
      write_members(member.value, name, text);
    } else if (is_table_list(member.value)) {
      for (const Value& item : member.value.items) {
        text += "\n[[" + name + "]]\n";
        write_members(item, name, text);
      }
    }
  }
  return text;
}

Result<std::string> write_cut_scene(const SceneDescription& scene, std::size_t b, const BodyText& body,
                                    const std::string& mesh_file) {
  Result<Value> parsed = parse_toml(scene.source, scene.file.string());
  if (!parsed) return parsed.errors();
  Value root = std::move(parsed).value();
  Value* bodies = find(root, "body");
  if (bodies == nullptr || b >= bodies->items.size())
    return Diagnostic{ErrorCode::kNotFound, {}, "the scene file does not list this body", ""};
  Value& table = bodies->items[b];
  // a surface that was filled is what the body still looks like
  if (body.mesh && is_surface_file(*body.mesh) && table.find("surface") == nullptr)
    set(table, "surface", word(*body.mesh));
  set(table, "model", tree_of(table.find("model"), body));
  for (const char* gone : {"mesh", "generate", "mesher", "domain"}) drop(table, gone);
  set(table, "mesh", word(mesh_file));
  Value domains;
  domains.kind = Value::Kind::kArray;
  for (const DomainText& domain : body.domains) {
    Value one;
    set(one, "name", word(domain.name));
    if (domain.modes) set(one, "modes", integer(*domain.modes));
    domains.items.push_back(std::move(one));
  }
  set(table, "domain", std::move(domains));
  return write_toml(root);
}

}  // namespace pliant::view
