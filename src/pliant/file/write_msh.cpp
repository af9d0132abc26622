#include "pliant/base/text.hpp"
#include "pliant/file/msh.hpp"
#include "pliant/file/put.hpp"

#include <algorithm>
#include <array>

namespace pliant {
namespace {

constexpr int kTriangle = 2, kQuad = 3, kTet = 4, kHex = 5;

/// Elements of one type and label, in the order of the mesh.
struct Block {
  int dimension;
  int type;
  Label label;
  std::vector<std::size_t> members;
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
  MshWriter(const VolumeMesh& mesh, bool binary) : mesh_(mesh), binary_(binary) {}

  std::string write_2() {
    header("2.2");
    names();
    nodes_2();
    elements_2();
    return std::move(out_);
  }

  std::string write_4() {
    collect_blocks();
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

  template <class Elements>
  void elements_2(const Elements& elements, const std::vector<Label>& labels, int type) {
    Fields fields(out_, binary_);
    if (binary_ && !elements.empty()) {
      fields.number(type);
      fields.number(static_cast<std::int32_t>(elements.size()));
      fields.number(2);
    }
    for (std::size_t i = 0; i < elements.size(); ++i) {
      fields.number(next_element_++);
      if (!binary_) {
        fields.number(type);
        fields.number(2);
      }
      // Physical and elementary tag.
      fields.number(labels[i]);
      fields.number(labels[i]);
      for (const VertexId v : elements[i]) fields.number(v + 1);
      fields.end_row();
    }
  }

  void elements_2() {
    const std::size_t count =
        mesh_.tets.size() + mesh_.hexes.size() + mesh_.triangles.size() + mesh_.quads.size();
    out_ += "$Elements\n" + std::to_string(count) + "\n";
    elements_2(mesh_.triangles, mesh_.triangle_labels, kTriangle);
    elements_2(mesh_.quads, mesh_.quad_labels, kQuad);
    elements_2(mesh_.tets, mesh_.tet_labels, kTet);
    elements_2(mesh_.hexes, mesh_.hex_labels, kHex);
    out_ += binary_ ? "\n$EndElements\n" : "$EndElements\n";
  }

  /// Runs of equal labels: reading the blocks one after another restores the order of the elements.
  void collect_blocks() {
    const auto collect = [&](const std::vector<Label>& labels, int dimension, int type) {
      for (std::size_t i = 0; i < labels.size(); ++i) {
        if (i == 0 || labels[i] != labels[i - 1]) blocks_.push_back({dimension, type, labels[i], {}});
        blocks_.back().members.push_back(i);
      }
      std::vector<Label>& known = labels_[dimension == 2 ? 0 : 1];
      known.insert(known.end(), labels.begin(), labels.end());
    };
    collect(mesh_.triangle_labels, 2, kTriangle);
    collect(mesh_.quad_labels, 2, kQuad);
    collect(mesh_.tet_labels, 3, kTet);
    collect(mesh_.hex_labels, 3, kHex);
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

  template <class Elements>
  void members_4(const Elements& elements, const Block& block, Fields& fields) {
    for (const std::size_t i : block.members) {
      fields.size(to_size(next_element_++));
      for (const VertexId v : elements[i]) fields.size(to_size(v) + 1);
      fields.end_row();
    }
  }

  void elements_4() {
    out_ += "$Elements\n";
    Fields fields(out_, binary_);
    const std::size_t count =
        mesh_.tets.size() + mesh_.hexes.size() + mesh_.triangles.size() + mesh_.quads.size();
    for (const std::size_t value : {blocks_.size(), count, std::size_t{1}, count}) fields.size(value);
    fields.end_row();
    for (const Block& block : blocks_) {
      fields.number(block.dimension);
      fields.number(block.label);
      fields.number(block.type);
      fields.size(block.members.size());
      fields.end_row();
      if (block.type == kTriangle) members_4(mesh_.triangles, block, fields);
      if (block.type == kQuad) members_4(mesh_.quads, block, fields);
      if (block.type == kTet) members_4(mesh_.tets, block, fields);
      if (block.type == kHex) members_4(mesh_.hexes, block, fields);
    }
    out_ += binary_ ? "\n$EndElements\n" : "$EndElements\n";
  }

  const VolumeMesh& mesh_;
  bool binary_;
  std::string out_;
  std::int32_t next_element_ = 1;
  std::vector<Block> blocks_;
  std::array<std::vector<Label>, 2> labels_;  // distinct labels of faces, of elements
};

Diagnostic refused(const std::string& file, std::string what, std::string remedy) {
  return {ErrorCode::kUnwritable, Location{file, 0, 0, {}}, std::move(what), std::move(remedy)};
}

}  // namespace

Result<std::string> write_msh(const VolumeMesh& mesh, MshVersion version, bool binary,
                              const std::string& file) {
  for (const auto* labels : {&mesh.tet_labels, &mesh.hex_labels, &mesh.triangle_labels, &mesh.quad_labels})
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
