// scene/domain_report.hpp — what `pliant decompose` shows: domains as a table, a labelled mesh, a picture.
#pragma once

#include "pliant/scene/assembly.hpp"
#include "pliant/scene/decompose.hpp"

#include <span>
#include <string>
#include <vector>

namespace pliant {

/// One line of the table.
struct DomainRow {
  std::string name;
  Index elements = 0;
  Index vertices = 0;
  double volume = 0.0;          // m³
  Index parent = -1;            // a row; -1: the root
  Index level = 0;              // 0: the root
  double interface_area = 0.0;  // with the parent, m²
  Index modes = 0;              // without attachment shapes; 0: rigid
};

/// The domains of a body in the order of the tree: parents first.
[[nodiscard]] std::vector<DomainRow> domain_rows(const VolumeMesh& mesh, const Decomposition& cut,
                                                 std::span<const Index> modes);

/// The same for placed parts. The interface of a part is its base, with the area of the faces that lie in it.
Result<std::vector<DomainRow>> domain_rows(const AssemblyShape& shape, const BodyText& text,
                                           std::span<const VertexId> held);

/// The mesh with labels 1, 2, ... in the order of the tree, named as the domains; without labelled faces.
[[nodiscard]] VolumeMesh labelled_by_domain(const VolumeMesh& mesh, const Decomposition& cut);

/// The tree as a picture: the root at the left, one column per level, one row per leaf, parents centred on
/// their children. Each box gives the elements, the shapes and the area of the interface with the parent. Its
/// bar shows the elements relative to those of the largest domain.
[[nodiscard]] std::string domain_tree_svg(std::span<const DomainRow> rows, const std::string& title);

}  // namespace pliant
