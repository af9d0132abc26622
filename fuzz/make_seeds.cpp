// fuzz/make_seeds.cpp — fills FOLDER/<target>/ with what our own writers put out: `make_seeds FOLDER`.
//
// One line per seed in main(); a target's folder is the name of its fuzz program without `fuzz_`.
#include "pliant/base/atomic_file.hpp"
#include "pliant/file/gzip.hpp"
#include "pliant/file/medit.hpp"
#include "pliant/file/msh.hpp"
#include "pliant/file/obj.hpp"
#include "pliant/file/off.hpp"
#include "pliant/file/ply.hpp"
#include "pliant/file/pulls_file.hpp"
#include "pliant/file/state_file.hpp"
#include "pliant/file/stl.hpp"
#include "pliant/file/veg.hpp"
#include "pliant/file/vtu.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/tet10.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/store/checkpoint.hpp"
#include "pliant/store/reduced_cache.hpp"

#include <cstdio>
#include <filesystem>
#include <string>

namespace {

using namespace pliant;

/// One cell as tets, one as a hex, with labelled faces; names when the format has them.
VolumeMesh seed_mesh(bool tets, bool hexes, bool faces, bool names) {
  VolumeMesh mesh;
  if (tets) mesh = generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet);
  if (hexes) {
    const auto first = static_cast<VertexId>(mesh.vertices.size());
    const VolumeMesh box = generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kHex);
    for (const Vector3& p : box.vertices) mesh.vertices.emplace_back(p + Vector3(1.5, 0.25, 0));
    for (Hex hex : box.hexes) {
      for (VertexId& v : hex) v += first;
      mesh.hexes.push_back(hex);
    }
  }
  mesh.tet_labels.assign(mesh.tets.size(), 1);
  mesh.hex_labels.assign(mesh.hexes.size(), 2);
  if (!mesh.tet_labels.empty()) mesh.tet_labels.back() = 3;
  if (faces)
    for (const BoundaryFace& face : boundary_faces(mesh)) {
      const auto& v = face.vertices;
      if (face.size() == 3)
        mesh.triangles.push_back({v[0], v[1], v[2]});
      else
        mesh.quads.push_back(v);
    }
  mesh.triangle_labels.assign(mesh.triangles.size(), 4);
  mesh.quad_labels.assign(mesh.quads.size(), 5);
  if (names) mesh.region_names[1] = "core";
  return mesh;
}

std::string good(Result<std::string>&& bytes) { return bytes ? std::move(bytes).value() : std::string(); }

std::string tetgen_pair() {
  return std::string("4 3 1 1\n1 0 0 0 0.5 1\n2 1 0 0 0.5 1\n3 0 1 0 0.5 1\n4 0 0 1 0.5 0\n") + '\0' +
         "1 4 1\n1 1 2 3 4 7\n";
}

/// As TetGen writes it with -o2.
std::string tetgen_pair_10() {
  return std::string(
             "10 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 0 .5 .5\n5 0 0 .5\n6 .5 0 0\n7 .5 .5 0\n"
             "8 .5 0 .5\n9 0 .5 0\n") +
         '\0' + "1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n";
}

/// Vertices and quadratic tets of a mesh; there is no writer of this format.
std::string inp_text(const VolumeMesh& mesh) {
  std::string out = "** seed\n*Heading\n title\n*NODE, NSET=Nall\n";
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    out += std::to_string(i + 1);
    for (const double x : mesh.vertices[i]) out += ", " + std::to_string(x);
    out += '\n';
  }
  out += "*ELEMENT, TYPE=C3D10, ELSET=Core\n";
  for (std::size_t i = 0; i < mesh.tet10s.size(); ++i) {
    out += std::to_string(i + 1);
    for (std::size_t k = 0; k < 10; ++k)
      out += (k == 6 ? ",\n" : ", ") + std::to_string(mesh.tet10s[i][k] + 1);
    out += '\n';
  }
  return out + "*ELSET, ELSET=some\n1, 2\n*MATERIAL, NAME=m\n*ELASTIC\n1e6, 0.3\n";
}

std::string inp_linear() {
  return "*node\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1, 1\n8, 0, "
         "1, 1\n"
         "9, 3, 0, 0\n10, 4, 0, 0\n11, 3, 1, 0\n12, 3, 0, 1\n*element, type = c3d8,\nelset = \"a b\"\n"
         "1, 1, 2, 3, 4, 5, 6, 7, 8\n*element, type=C3D4\n2, 9, 10, 11, 12\n*end step\n";
}

std::string vtk_text() {
  return "# vtk DataFile Version 3.0\nseed\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0 0 "
         "1 0 0 0 1\n"
         "CELLS 2 9\n4 0 1 2 3\n3 0 2 1\nCELL_TYPES 2\n10\n5\nCELL_DATA 2\nSCALARS label int 1\nLOOKUP_TABLE "
         "default\n"
         "4 2\nFIELD FieldData 1\nmaterial 1 2 long\n4 2\n";
}

std::string vtk_quadratic() {
  return "# vtk DataFile Version 3.0\nseed\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 double\n0 0 0 1 0 0 "
         "0 "
         "1 0 0 0 1 .5 0 0 .5 .5 0 0 .5 0 0 0 .5 .5 0 .5 0 .5 .5\n"
         "CELLS 2 18\n10 0 1 2 3 4 5 6 7 8 9\n6 0 2 1 6 5 4\nCELL_TYPES 2\n24\n22\n";
}

std::string vtk_text_5() {
  return "# vtk DataFile Version 5.1\nseed\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0 0 "
         "1 0 0 0 1\n"
         "CELLS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2 3\nCELL_TYPES 1\n10\n";
}

/// Big-endian, as the format wants it.
std::string vtk_binary() {
  std::string out = "# vtk DataFile Version 3.0\nseed\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n";
  const std::string one("\x3f\x80\0\0", 4);
  const std::string zero(4, '\0');
  for (const char c : std::string("000100010001")) out += c == '1' ? one : zero;
  out += "\nCELLS 1 5\n";
  for (const char c : {'\4', '\0', '\1', '\2', '\3'}) out += std::string(3, '\0') + c;
  return out + "\nCELL_TYPES 1\n" + std::string(3, '\0') + "\x0a\n";
}

std::string vtu_text() {
  return "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"><UnstructuredGrid>"
         "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><Points><DataArray type=\"Float64\" "
         "format=\"ascii\">"
         "0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\" "
         "format=\"ascii\">0 1 2 3</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"binary\">"
         "BAAAAAQAAAA=</DataArray><DataArray type=\"UInt8\" Name=\"types\" "
         "format=\"ascii\">10</DataArray></Cells>"
         "</Piece></UnstructuredGrid></VTKFile>";
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: make_seeds FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  int failures = 0;
  const auto seed = [&](const char* target, const char* name, const std::string& bytes) {
    std::filesystem::create_directories(folder / target);
    if (bytes.empty() || !write_file(folder / target / name, bytes)) {
      std::fprintf(stderr, "seed %s/%s failed\n", target, name);
      ++failures;
    }
  };
  const VolumeMesh all = seed_mesh(true, true, true, true);
  const VolumeMesh unnamed = seed_mesh(true, true, true, false);
  const VolumeMesh tets = seed_mesh(true, false, false, true);
  const VolumeMesh hexes = seed_mesh(false, true, false, false);
  const VolumeMesh quadratic = make_quadratic(unnamed);

  seed("inp", "quadratic", inp_text(quadratic));
  seed("inp", "linear", inp_linear());
  seed("msh", "quadratic_2", good(write_msh(quadratic, MshVersion::k22, false, "seed")));
  seed("msh", "quadratic_4", good(write_msh(quadratic, MshVersion::k41, true, "seed")));
  seed("medit", "quadratic", good(write_medit(make_quadratic(seed_mesh(true, false, true, false)), "seed")));
  seed("tetgen", "pair_10", tetgen_pair_10());
  seed("vtu", "quadratic", write_vtu(quadratic, {}, {.faces = true, .compressed = false}));
  seed("msh", "text_2", good(write_msh(all, MshVersion::k22, false, "seed")));
  seed("msh", "text_4", good(write_msh(all, MshVersion::k41, false, "seed")));
  seed("msh", "binary_2", good(write_msh(all, MshVersion::k22, true, "seed")));
  seed("msh", "binary_4", good(write_msh(all, MshVersion::k41, true, "seed")));
  seed("medit", "mixed", good(write_medit(unnamed, "seed")));
  seed("veg", "tets", good(write_veg(tets, "seed")));
  seed("veg", "hexes", good(write_veg(hexes, "seed")));
  seed("tetgen", "pair", tetgen_pair());
  seed("vtk", "text", vtk_text());
  seed("vtk", "text_5", vtk_text_5());
  seed("vtk", "quadratic", vtk_quadratic());
  seed("vtk", "binary", vtk_binary());
  seed("vtu", "text", vtu_text());
  seed("vtu", "raw", write_vtu(all, {}, {.faces = true, .compressed = false}));
  seed("vtu", "packed", write_vtu(tets, {}, {.faces = false, .compressed = true}));
  seed("gz", "medit", gzip(good(write_medit(unnamed, "seed"))));
  seed("gz", "msh", gzip(good(write_msh(tets, MshVersion::k41, false, "seed"))));

  const SurfaceMesh surface = boundary_surface(tets).surface;
  seed("obj", "box", write_obj(surface));
  seed("off", "box", write_off(surface));
  seed("ply", "box", write_ply(surface));
  seed("stl", "box", good(write_stl(surface)));
  const VectorX numbers = VectorX::LinSpaced(12, -1.0, 1.0);
  seed("state", "four", "\4" + write_state({numbers, numbers}));
  const std::vector<Pull> pulls{
      {0.5, 3, {1.0, -2.0, 0.25}}, {0.5, 1, {0.0, 0.0, 9.81}}, {1.0, 0, {1e3, 0.0, 0.0}}};
  seed("pulls", "four", "\4" + write_pulls(pulls));
  seed("instances", "two", "trunk wood - 0 0 0 1 0 0 0 1\nleaf green trunk 0 0.5 2 0.6 0 0.8 0 0.3\n");
  seed("selection", "labels", "x < 1e-6 && (label == 2 || !(face_label != 3))");
  seed("selection", "functions", "hypot(x - 1, y) + max(abs(z), sqrt(2)) <= -sin(pi / 2) * 3e2 || true");
  Checkpoint checkpoint;
  checkpoint.numbers["body/u"] = {1.0, -2.5, 3e-300};
  checkpoint.integers["step"] = {7};
  checkpoint.texts["hash"] = "0123";
  seed("checkpoint", "small", write_checkpoint(checkpoint));
  const auto reduced_image = [](const VolumeMesh& mesh) {
    ReducedBody reduced;
    reduced.basis.shapes.setOnes(3 * mesh.vertex_count(), 1);
    reduced.basis.strength.setOnes(1);
    reduced.inertia = {InertiaIntegrals::zero(1)};
    return good(reduced_body_image({std::make_shared<const RestBody>(mesh, MaterialMap{{Material{}}, {}}),
                                    {1},
                                    std::make_shared<const ReducedBody>(std::move(reduced))},
                                   "fuzz"));
  };
  const VolumeMesh box = seed_mesh(true, false, false, false);
  seed("reduced_cache", "body", reduced_image(box));
  seed("reduced_cache", "quadratic", reduced_image(make_quadratic(box)));
  seed("reduced_cache", "edits", std::string("\1\1\0\3\0\0\2\2\0\1\5\3\0\7\2\2", 16));
  for (const auto& entry : std::filesystem::directory_iterator(PLIANT_EXAMPLES))
    if (entry.path().extension() == ".toml")
      seed("scene", entry.path().stem().c_str(), good(read_file(entry.path())));
  return failures == 0 ? 0 : 1;
}
