#include "pliant/base/text.hpp"
#include "pliant/file/face_midsides.hpp"
#include "pliant/file/msh.hpp"
#include "pliant/file/put.hpp"

#include <algorithm>
#include <array>

namespace pliant {
namespace {

constexpr int kTriangle = 2, kQuad = 3, kTet = 4, kHex = 5, kTriangle6 = 9, kTet10 = 11;

/// Gmsh lists the vertex of the edge 2 3 before that of 1 3.
Tet10 in_gmsh_order(const Tet10& t) { return {t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[9], t[8]}; }

/// Elements of one type and label that stand side by side in the mesh.
struct Block {
  int dimension;
  int type;
  Label label;
  std::size_t begin, end;  // in the list of its shape
};

/// Writes the fields of Gmsh's format as text or as bytes.
class Fields {
 public:
  Fields(std::string& out, bool binary) : out_(out), binary_(binary) {}
  void number(std::int32_t value) { put(value); }
  void size(std::size_t value) { put(static_cast<std::uint64_t>(value)); }
  void real(double value) { put(value); }
  void end_row() {
    if (!binary_) out_.back() = '\n';
  }

 private:
  template <class T>
  void put(T value) {
    if (binary_) {
      put_raw(out_, value);
    } else {
      put_text(out_, value);
      out_ += ' ';
    }
  }
  std::string& out_;
  bool binary_;
};

class MshWriter {
 public:
  MshWriter(const VolumeMesh& mesh, bool binary)
      : mesh_(mesh), binary_(binary), triangles_(with_midsides(mesh)) {
    collect_blocks();
  }

  std::string write_2() {
    header("2.2");
    names();
    nodes_2();
    elements_2();
    return std::move(out_);
  }

  std::string write_4() {
    header("4.1");
    names();
    entities();
    nodes_4();
    elements_4();
    return std::move(out_);
  }

 private:
  void header(const char* version) {
    out_ += std::string("$MeshFormat\n") + version + (binary_ ? " 1 8\n" : " 0 8\n");
    if (binary_) {
      put_raw(out_, std::int32_t{1});
      out_ += '\n';
    }
    out_ += "$EndMeshFormat\n";
  }

  void names() {
    const std::size_t count = mesh_.region_names.size() + mesh_.face_names.size();
    if (count == 0) return;
    out_ += "$PhysicalNames\n" + std::to_string(count) + "\n";
    for (const auto& [label, name] : mesh_.face_names)
      out_ += "2 " + std::to_string(label) + " \"" + name + "\"\n";
    for (const auto& [label, name] : mesh_.region_names)
      out_ += "3 " + std::to_string(label) + " \"" + name + "\"\n";
    out_ += "$EndPhysicalNames\n";
  }

  void nodes_2() {
    out_ += "$Nodes\n" + std::to_string(mesh_.vertices.size()) + "\n";
    Fields fields(out_, binary_);
    std::int32_t tag = 1;
    for (const Vector3& p : mesh_.vertices) {
      fields.number(tag++);
      for (const double x : p) fields.real(x);
      fields.end_row();
    }
    out_ += binary_ ? "\n$EndNodes\n" : "$EndNodes\n";
  }

  /// The vertices of element i of a type, in Gmsh's order.
  template <class Put>
  void put_vertices(int type, std::size_t i, const Put& put) const {
    const auto all = [&](const auto& vertices) {
      for (const VertexId v : vertices) put(v);
    };
    if (type == kTriangle) all(mesh_.triangles[i]);
    if (type == kTriangle6) all(triangles_[i]);
    if (type == kQuad) all(mesh_.quads[i]);
    if (type == kTet) all(mesh_.tets[i]);
    if (type == kHex) all(mesh_.hexes[i]);
    if (type == kTet10) all(in_gmsh_order(mesh_.tet10s[i]));
  }

  [[nodiscard]] std::size_t count() const {
    return to_size(mesh_.element_count()) + mesh_.triangles.size() + mesh_.quads.size();
  }

  void elements_2() {
    out_ += "$Elements\n" + std::to_string(count()) + "\n";
    Fields fields(out_, binary_);
    for (const Block& block : blocks_) {
      if (binary_) {
        fields.number(block.type);
        fields.number(static_cast<std::int32_t>(block.end - block.begin));
        fields.number(2);
      }
      for (std::size_t i = block.begin; i < block.end; ++i) {
        fields.number(next_element_++);
        if (!binary_) {
          fields.number(block.type);
          fields.number(2);
        }
        // Physical and elementary tag.
        fields.number(block.label);
        fields.number(block.label);
        put_vertices(block.type, i, [&](VertexId v) { fields.number(v + 1); });
        fields.end_row();
      }
    }
    out_ += binary_ ? "\n$EndElements\n" : "$EndElements\n";
  }

  /// Runs of equal type and label: reading the blocks one after another restores the order of the elements.
  void collect_blocks() {
    const auto collect = [&](const std::vector<Label>& labels, int dimension, const auto& type_of) {
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const int type = type_of(i);
        const bool same = i > 0 && labels[i] == labels[i - 1] && type == blocks_.back().type;
        if (!same) blocks_.push_back({dimension, type, labels[i], i, i});
        blocks_.back().end = i + 1;
      }
      std::vector<Label>& known = labels_[dimension == 2 ? 0 : 1];
      known.insert(known.end(), labels.begin(), labels.end());
    };
    const auto always = [](int type) { return [type](std::size_t) { return type; }; };
    collect(mesh_.triangle_labels, 2,
            [&](std::size_t i) { return is_quadratic(triangles_[i]) ? kTriangle6 : kTriangle; });
    collect(mesh_.quad_labels, 2, always(kQuad));
    collect(mesh_.tet_labels, 3, always(kTet));
    collect(mesh_.hex_labels, 3, always(kHex));
    collect(mesh_.tet10_labels, 3, always(kTet10));
    for (auto& known : labels_) {
      std::sort(known.begin(), known.end());
      known.erase(std::unique(known.begin(), known.end()), known.end());
    }
  }

  /// One entity per label, whose tag is the label; unless the label is 0, it is also its physical group.
  void entities() {
    out_ += "$Entities\n";
    Fields fields(out_, binary_);
    for (const std::size_t count : {std::size_t{0}, std::size_t{0}, labels_[0].size(), labels_[1].size()})
      fields.size(count);
    fields.end_row();
    Vector3 low = mesh_.vertices.empty() ? Vector3::Zero().eval() : mesh_.vertices.front();
    Vector3 high = low;
    for (const Vector3& p : mesh_.vertices) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    for (const auto& known : labels_)
      for (const Label label : known) {
        fields.number(label);
        for (const double x : low) fields.real(x);
        for (const double x : high) fields.real(x);
        fields.size(label == 0 ? 0 : 1);
        if (label != 0) fields.number(label);
        fields.size(0);
        fields.end_row();
      }
    out_ += binary_ ? "\n$EndEntities\n" : "$EndEntities\n";
  }

  void nodes_4() {
    out_ += "$Nodes\n";
    Fields fields(out_, binary_);
    const std::size_t count = mesh_.vertices.size();
    // Blocks, nodes, smallest and largest tag.
    for (const std::size_t value : {std::size_t{1}, count, std::size_t{1}, count}) fields.size(value);
    fields.end_row();
    // One block: entity dimension, entity tag, parametric.
    fields.number(3);
    fields.number(labels_[1].empty() ? 0 : labels_[1].front());
    fields.number(0);
    fields.size(count);
    fields.end_row();
    for (std::size_t i = 0; i < count; ++i) {
      fields.size(i + 1);
      fields.end_row();
    }
    for (const Vector3& p : mesh_.vertices) {
      for (const double x : p) fields.real(x);
      fields.end_row();
    }
    out_ += binary_ ? "\n$EndNodes\n" : "$EndNodes\n";
  }

  void elements_4() {
    out_ += "$Elements\n";
    Fields fields(out_, binary_);
    for (const std::size_t value : {blocks_.size(), count(), std::size_t{1}, count()}) fields.size(value);
    fields.end_row();
    for (const Block& block : blocks_) {
      fields.number(block.dimension);
      fields.number(block.label);
      fields.number(block.type);
      fields.size(block.end - block.begin);
      fields.end_row();
      for (std::size_t i = block.begin; i < block.end; ++i) {
        fields.size(to_size(next_element_++));
        put_vertices(block.type, i, [&](VertexId v) { fields.size(to_size(v) + 1); });
        fields.end_row();
      }
    }
    out_ += binary_ ? "\n$EndElements\n" : "$EndElements\n";
  }

  const VolumeMesh& mesh_;
  bool binary_;
  std::string out_;
  std::int32_t next_element_ = 1;
  std::vector<QuadraticTriangle> triangles_;
  std::vector<Block> blocks_;
  std::array<std::vector<Label>, 2> labels_;  // distinct labels of faces, of elements
};

Diagnostic refused(const std::string& file, std::string what, std::string remedy) {
  return {ErrorCode::kUnwritable, Location{file, 0, 0, {}}, std::move(what), std::move(remedy)};
}

}  // namespace

Result<std::string> write_msh(const VolumeMesh& mesh, MshVersion version, bool binary,
                              const std::string& file) {
  for (const auto* labels :
       {&mesh.tet_labels, &mesh.hex_labels, &mesh.tet10_labels, &mesh.triangle_labels, &mesh.quad_labels})
    for (const Label label : *labels)
      if (label < 0)
        return refused(file, "Gmsh's format cannot hold the negative label " + text(Index{label}),
                       "give labels ≥ 0, or write .mesh or .vtu");
  for (const auto* names : {&mesh.region_names, &mesh.face_names})
    for (const auto& [label, name] : *names)
      if (name.find_first_of("\"\n\r") != std::string::npos)
        return refused(
            file, "Gmsh's format cannot hold quotes or line ends in the name of label " + text(Index{label}),
            "rename it");
  MshWriter writer(mesh, binary);
  return version == MshVersion::k22 ? writer.write_2() : writer.write_4();
}

}  // namespace pliant
