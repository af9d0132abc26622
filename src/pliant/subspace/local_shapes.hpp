// subspace/local_shapes.hpp — shapes that move a few vertices only, added to a body while it runs
// [LuoEtAl2018] §6.
//
// Who makes them needs the finite elements around a place. Models see this interface alone; reduce/
// local_elements.hpp implements it.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/insertion.hpp"
#include "pliant/subspace/element_loops.hpp"
#include "pliant/subspace/rest_body.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pliant {

/// Shapes that are zero at all but some vertices, orthonormal in the mass.
struct LocalShapes {
  std::string name;
  VertexId seed = 0;
  std::vector<VertexId> vertices;  // that move, ascending
  MatrixX shapes;                  // 3 per vertex × c

  [[nodiscard]] Index size() const { return shapes.cols(); }
  bool operator==(const LocalShapes& other) const {
    return name == other.name && seed == other.seed && vertices == other.vertices &&
           shapes.rows() == other.shapes.rows() && shapes.cols() == other.shapes.cols() &&
           shapes == other.shapes;
  }
};

/// Some elements of a body as a body of their own.
struct ElementPart {
  std::vector<Index> elements;     // of the whole body, ascending
  std::vector<VertexId> vertices;  // of the whole body, ascending
  std::shared_ptr<const RestBody> rest;
  std::shared_ptr<const ElementLoops> loops;
};

class LocalElements {
 public:
  LocalElements() = default;
  LocalElements(const LocalElements&) = delete;
  LocalElements& operator=(const LocalElements&) = delete;
  virtual ~LocalElements() = default;

  /// The shapes that `insertion` asks for. Domains are zero at the other `seeds`. `displacement`: of a vertex
  /// in the axes of the rest shape; static responses are those of the present shape.
  [[nodiscard]] virtual Result<LocalShapes> make(
      const Insertion& insertion, std::span<const VertexId> seeds,
      const std::function<Vector3(VertexId)>& displacement) const = 0;
  /// The elements that touch these vertices, ascending.
  [[nodiscard]] virtual std::vector<Index> around(std::span<const VertexId> vertices) const = 0;
  [[nodiscard]] virtual ElementPart part(std::vector<Index> elements) const = 0;
  /// The same elements with other constants for their material groups.
  [[nodiscard]] virtual std::shared_ptr<const LocalElements> with_materials(
      const std::vector<Material>& materials) const = 0;
};

}  // namespace pliant
