#!/usr/bin/env python3
"""Makes both sides of the page's protocol from src/pliant/draw/protocol.json: protocol.hpp and protocol.cpp beside it,
and page/src/protocol.ts. With --check nothing is written; exit 1 when a file is not what would be written.

Layout of a frame, little endian: u8 kind, u8 version, two zero bytes, then the fields in order. Numbers stand where they
come, a string is a u32 count and UTF-8, a list a u32 count and its items. Lists of numbers begin at a multiple of 4 from
the frame's start (zero bytes fill the gap), so that the page can look at them in place."""

import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = "src/pliant/draw/protocol.json"
SCALARS = {  # C++ type, TypeScript reader and writer, TypeScript array
    "u8": ("std::uint8_t", "Uint8", None),
    "u16": ("std::uint16_t", "Uint16", "Uint16Array"),
    "u32": ("std::uint32_t", "Uint32", "Uint32Array"),
    "f32": ("float", "Float32", "Float32Array"),
    "f64": ("double", "Float64", None),
}
WARNING = f"Made by tools/make_protocol.py from {SOURCE}; change that file, not this one."


def snake(name):
    return "".join("_" + c.lower() if c.isupper() and i else c.lower() for i, c in enumerate(name))


# --- C++ ------------------------------------------------------------------------------------------------------------

def cpp_type(kind):
    if kind in SCALARS:
        return SCALARS[kind][0]
    if kind == "string":
        return "std::string"
    if kind == "vec3":
        return "std::array<float, 3>"
    if kind.startswith("["):
        return f"std::vector<{cpp_type(kind[1:-1])}>"
    return kind


def cpp_struct(item):
    lines = [f"/// {item['about']}", f"struct {item['name']} {{"]
    for name, kind, about in item["fields"]:
        start = "{}" if kind.startswith("[") or kind in ("string", "vec3") else "{}" if kind not in SCALARS else " = 0"
        lines.append(f"  {cpp_type(kind)} {name}{start};" + (f"  // {about}" if about else ""))
    lines.append("};")
    return lines


def cpp_both_ways(item):
    fields = "".join(f", x.{name}" for name, _, _ in item["fields"])
    x = "x" if fields else "/*x*/"
    return [f"static void put(WireWriter& out, const {item['name']}& {x}) {{ put_all(out{fields}); }}",
            f"static void take(WireReader& in, {item['name']}& {x}) {{ take_all(in{fields}); }}"]


CPP_HELPERS = """/// Numbers, strings and lists of numbers as they are, structs by their fields.
template <class Field>
void put_one(WireWriter& out, const Field& field) {
  if constexpr (requires { out.put(field); }) {
    out.put(field);
  } else if constexpr (requires { field.size(); }) {
    out.count(field.size());
    for (const auto& item : field) put(out, item);
  } else {
    put(out, field);
  }
}
template <class... Fields>
void put_all([[maybe_unused]] WireWriter& out, const Fields&... fields) {
  (put_one(out, fields), ...);
}
template <class Field>
void take_one(WireReader& in, Field& field) {
  if constexpr (requires { in.take(field); }) {
    in.take(field);
  } else if constexpr (requires { field.size(); }) {
    field.resize(in.count(1));
    for (auto& item : field) take(in, item);
  } else {
    take(in, field);
  }
}
template <class... Fields>
void take_all([[maybe_unused]] WireReader& in, Fields&... fields) {
  (take_one(in, fields), ...);
}
"""


def header(spec):
    messages = spec["from_server"] + spec["from_page"]
    lines = ["// draw/protocol.hpp — the messages between the server and the page.", "//", f"// {WARNING}",
             "// clang-format off", "#pragma once", "", '#include "pliant/draw/wire.hpp"', "",
             "#include <array>", "#include <cstdint>", "#include <optional>", "#include <span>", "#include <string>",
             "#include <variant>", "#include <vector>", "", "namespace pliant::view {", "",
             f"inline constexpr std::uint8_t kProtocolVersion = {spec['version']};", ""]
    for item in spec["structs"] + messages:
        lines += cpp_struct(item) + [""]
    for side, name, about in (("from_server", "ServerMessage", "What the server sends."),
                              ("from_page", "PageMessage", "What a page sends.")):
        names = ", ".join(item["name"] for item in spec[side])
        lines += [f"/// {about}", f"using {name} = std::variant<{names}>;", ""]
    lines += ["/// A frame with one message.",
              *(f"[[nodiscard]] Bytes encode(const {item['name']}& message);" for item in messages), "",
              "/// None when the frame is no such message, of another version, cut short or too long.",
              "[[nodiscard]] std::optional<ServerMessage> decode_from_server(std::span<const std::uint8_t> frame);",
              "[[nodiscard]] std::optional<PageMessage> decode_from_page(std::span<const std::uint8_t> frame);", "",
              "}  // namespace pliant::view"]
    return "\n".join(lines) + "\n"


def source(spec):
    messages = spec["from_server"] + spec["from_page"]
    lines = [f"// {WARNING}", "// clang-format off", '#include "pliant/draw/protocol.hpp"', "", "namespace pliant::view {", "",
             CPP_HELPERS]
    for item in spec["structs"] + messages:
        lines += cpp_both_ways(item)
    lines += ["", "namespace {", "", "template <class Message>", "Bytes frame_of(std::uint8_t kind, const Message& message) {",
              "  WireWriter out(kind, kProtocolVersion);", "  put(out, message);", "  return std::move(out).bytes();", "}", "",
              "template <class Message, class Any>", "std::optional<Any> message_of(WireReader& in) {", "  Message message;",
              "  take(in, message);", "  if (!in.finished()) return std::nullopt;", "  return Any(std::move(message));", "}", "",
              "}  // namespace", ""]
    for item in messages:
        lines.append(f"Bytes encode(const {item['name']}& message) {{ return frame_of({item['id']}, message); }}")
    for side, name, function in (("from_server", "ServerMessage", "decode_from_server"), ("from_page", "PageMessage", "decode_from_page")):
        lines += ["", f"std::optional<{name}> {function}(std::span<const std::uint8_t> frame) {{",
                  "  WireReader in(frame, kProtocolVersion);", "  switch (in.kind()) {"]
        for item in spec[side]:
            lines += [f"    case {item['id']}: return message_of<{item['name']}, {name}>(in);"]
        lines += ["    default: return std::nullopt;", "  }", "}"]
    return "\n".join(lines + ["", "}  // namespace pliant::view"]) + "\n"


# --- TypeScript -----------------------------------------------------------------------------------------------------

def ts_type(kind):
    if kind in SCALARS:
        return "number"
    if kind == "string":
        return "string"
    if kind == "vec3":
        return "[number, number, number]"
    if kind.startswith("["):
        inner = kind[1:-1]
        return SCALARS[inner][2] if inner in SCALARS else f"{inner}[]"
    return kind


def ts_read(kind):
    if kind in SCALARS or kind in ("string", "vec3"):
        return f"r.{kind}()"
    if kind.startswith("["):
        inner = kind[1:-1]
        return f"r.{inner}s()" if inner in SCALARS else f"r.list(read{inner})"
    return f"read{kind}(r)"


def ts_write(name, kind):
    if kind in SCALARS or kind in ("string", "vec3"):
        return f"w.{kind}(m.{name});"
    if kind.startswith("[") and SCALARS.get(kind[1:-1], (None,) * 3)[2]:
        return f"w.{kind[1:-1]}s(m.{name});"
    raise SystemExit(f"the page cannot send {kind}")


def typescript(spec):
    lines = [f"// {WARNING}", 'import { Reader, Writer } from "./wire";', "", f"export const VERSION = {spec['version']};", ""]
    for item in spec["structs"] + spec["from_server"] + spec["from_page"]:
        lines += [f"/** {item['about']} */", f"export interface {item['name']} {{"]
        for name, kind, about in item["fields"]:
            lines.append(f"  {name}: {ts_type(kind)};" + (f" // {about}" if about else ""))
        lines += ["}", ""]
    for item in spec["structs"] + spec["from_server"]:
        fields = ", ".join(f"{name}: {ts_read(kind)}" for name, kind, _ in item["fields"])
        lines.append(f"const read{item['name']} = (r: Reader): {item['name']} => ({{ {fields} }});")
    lines += ["", "export type ServerMessage ="]
    lines += [f"  | ({{ kind: \"{item['name']}\" }} & {item['name']})" for item in spec["from_server"]]
    lines[-1] += ";"
    lines += ["", "/** The message of a frame; throws when it is none of this version. */",
              "export function decode(frame: ArrayBuffer): ServerMessage {", "  const r = new Reader(frame, VERSION);", "  switch (r.kind) {"]
    for item in spec["from_server"]:
        lines += [f"    case {item['id']}:", f"      return {{ kind: \"{item['name']}\", ...read{item['name']}(r) }};"]
    lines += ["    default:", "      throw new Error(`unknown message ${r.kind}`);", "  }", "}", "", "/** Frames that the page sends. */",
              "export const encode = {"]
    for item in spec["from_page"]:
        argument = f"m: {item['name']}" if item["fields"] else ""
        writes = " ".join(ts_write(name, kind) for name, kind, _ in item["fields"])
        lines += [f"  {item['name']}({argument}): ArrayBuffer {{", f"    const w = new Writer({item['id']}, VERSION);",
                  *([f"    {writes}"] if writes else []), "    return w.bytes();", "  },"]
    lines += ["};"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file is out of date")
    check = parser.parse_args().check
    spec = json.loads((ROOT / SOURCE).read_text(encoding="utf-8"))
    ids = [item["id"] for item in spec["from_server"] + spec["from_page"]]
    if len(set(ids)) != len(ids):
        sys.exit("two messages have the same id")
    stale = []
    for name, text in (("src/pliant/draw/protocol.hpp", header(spec)), ("src/pliant/draw/protocol.cpp", source(spec)),
                       ("page/src/protocol.ts", typescript(spec))):
        file = ROOT / name
        if file.exists() and file.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not check:
            file.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{name}: {'is not what tools/make_protocol.py makes' if check else 'written'}")
    sys.exit(1 if check and stale else 0)


if __name__ == "__main__":
    main()
