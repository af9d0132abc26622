// file/vtu.hpp — VTK's XML unstructured grids, and .pvd collections of them, as ParaView reads them.
//
// Read: text, inline base64, appended raw or base64 data, zlib blocks, 32- and 64-bit headers, both byte
// orders, several pieces (merged in order). Written: appended raw data, optionally in zlib blocks. Cells are
// the elements, then (with `faces`) the labelled faces; labels are the cell array `label`; names of labels
// are strings in the field data.
//
// The frames of a run share all that does not move: a FrameGrid holds it, encoded once.
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

/// What a file contains besides the mesh.
struct VtuData {
  std::vector<NamedArray> point;  // one tuple per vertex
  std::vector<NamedArray> cell;   // one tuple per element; labelled faces, if written, get zeros
};

struct VtuOptions {
  bool faces = false;       // also write labelled faces, as cells after the elements
  bool compressed = false;  // zlib blocks
};

/// The bytes of a .vtu file.
[[nodiscard]] std::string write_vtu(const VolumeMesh& mesh, VtuData data = {},
                                    const VtuOptions& options = {});

/// The point array and the field array that tell where the points of a frame are in the mesh.
inline constexpr const char* kFrameVertex = "vertex";
inline constexpr const char* kFrameMeshVertices = "mesh_vertices";

/// The points and cells of all frames of a run. Arrays are encoded, in zlib blocks.
struct FrameGrid {
  std::vector<VertexId> vertices;  // of the mesh: one for each point, ascending
  std::vector<Index> elements;     // of the mesh: the one of each cell
  Index mesh_vertices = 0;         // number of all vertices of the mesh
  std::map<Label, std::string> region_names, face_names;
  bool single_precision = false;  // of places and data that fit into floats
  std::string numbers;            // of the points in the mesh; empty if all vertices are points
  std::string labels, connectivity, offsets, types;
};

/// The elements of a mesh, with all vertices.
[[nodiscard]] FrameGrid volume_grid(const VolumeMesh& mesh);
/// The boundary faces of a mesh, with the labels of their elements, to be looked at: single precision. Points
/// are the vertices of these faces and those that `also` marks.
[[nodiscard]] FrameGrid surface_grid(const VolumeMesh& mesh, const std::vector<char>& also);

/// The bytes of a frame: its points are at `places`, its arrays have a tuple per point and cell.
[[nodiscard]] std::string write_frame(const FrameGrid& grid, std::span<const Vector3> places,
                                      const VtuData& data);

/// The points of a frame.
struct FramePoints {
  std::vector<Vector3> places;
  std::vector<VertexId> vertices;  // of the mesh: one for each point, within bounds
  Index mesh_vertices = 0;         // number of all vertices of the mesh
};
/// Reads the points alone, of any .vtu file. Files without numbers of the points have all vertices of a mesh.
Result<FramePoints> read_frame_points(std::string_view bytes, const std::string& file);

/// One frame of a collection.
struct PvdEntry {
  double time;       // s
  std::string file;  // relative to the .pvd
};

/// The text of a .pvd file.
[[nodiscard]] std::string write_pvd(std::span<const PvdEntry> entries);

}  // namespace pliant
