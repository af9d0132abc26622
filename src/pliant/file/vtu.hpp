// file/vtu.hpp — VTK's XML unstructured grids, and .pvd collections of them, as ParaView reads them.
//
// Read: text, inline base64, appended raw or base64 data, zlib blocks, 32- and 64-bit headers, both byte
// orders, several pieces (merged in order). Written: appended raw data, optionally in zlib blocks. Cells are
// the elements, then (with `faces`) the labelled faces; labels are the cell array `label`; names of labels
// are strings in the field data.
#pragma once

#include "pliant/file/volume_file.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

Result<VolumeFile> read_vtu(std::string_view bytes, const std::string& file);

/// One value (or vector) per vertex or element.
struct NamedArray {
  std::string name;
  int components = 1;
  std::vector<double> values;  // components × count, one tuple after another
};

/// What a frame of a simulation contains besides the mesh.
struct VtuData {
  std::vector<NamedArray> point;  // one tuple per vertex
  std::vector<NamedArray> cell;   // one tuple per element; labelled faces, if written, get zeros
};

/// The encoded arrays of a mesh's cells, which all frames of a run share.
struct VtuCells {
  std::string labels, connectivity, offsets, types;
};

struct VtuOptions {
  bool faces = false;         // also write labelled faces, as cells after the elements
  bool compressed = false;    // zlib blocks
  VtuCells* cells = nullptr;  // taken from here; if it is empty, it is filled first
};

/// The bytes of a .vtu file.
[[nodiscard]] std::string write_vtu(const VolumeMesh& mesh, const VtuData& data = {},
                                    const VtuOptions& options = {});

/// One frame of a collection.
struct PvdEntry {
  double time;       // s
  std::string file;  // relative to the .pvd
};

/// The text of a .pvd file.
[[nodiscard]] std::string write_pvd(std::span<const PvdEntry> entries);

}  // namespace pliant
