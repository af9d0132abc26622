// subspace/tree_body.hpp — a body made of domains that hang on one another: its plan, and what is built
// from it.
//
//   decomposed mesh ─┐                 reduce each class once
//                    ├─► TreePlan ───────────────────────────► TreeBody ──► any number of models
//   parts, instances ┘
//
// A class is one mesh with one basis; a domain is a class placed at rest by a rotation, a translation and a
// uniform scale ([BarbicZhao2011] §5). A domain is held at its base, which follows points of its parent (the
// joint).
#pragma once

#include "pliant/mesh/core/embedding.hpp"
#include "pliant/mesh/core/placement.hpp"
#include "pliant/subspace/element_loops.hpp"
#include "pliant/subspace/rest_body.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pliant {

/// Points of the parent that the base of a domain follows. If the meshes match, each row is one vertex.
struct Joint {
  WeightRows points;            // rows: points; columns: vertices of the parent's class
  std::vector<double> weights;  // of the points in the frame, by area; they sum to 1

  [[nodiscard]] Index point_count() const { return points.row_count(); }
};

/// How much a domain feels of the inertia of the subtrees that hang on it (docs/theory/tree.md).
enum class TreeInertia {
  kL1,  // their mass, at the joint ([BarbicZhao2011] Eq. 16)
  kL2,  // their mass, at the centre of the subtree
  kL3,  // all of their inertia, exactly (Eq. T9…T12)
};

struct TreeDomain {
  std::string name;
  Index class_index = 0;
  Index parent = -1;  // a lower number; −1: the root, which is domain 0
  Placement rest;
  Joint joint;                     // empty for the root
  std::vector<VertexId> vertices;  // of the whole body's mesh, one per vertex of the class
  std::vector<Index> elements;     // of the whole body's mesh, one per element of the class
};

/// A reduced class: coordinates q with y = X − origin + U q; U is zero on the base.
struct DomainClass {
  std::string name;
  std::shared_ptr<const RestBody> rest;        // in class coordinates
  std::shared_ptr<const ReducedBody> reduced;  // its origin: weighted centre of the base, or centre of mass
  Index attachment = 0;                        // number of attachment shapes among the shapes
  std::shared_ptr<const ElementLoops> loops;   // null: neither stresses nor laws without polynomials
};

struct TreeBody {
  VolumeMesh mesh;
  std::vector<DomainClass> classes;
  std::vector<TreeDomain> domains;  // parents first

  [[nodiscard]] const DomainClass& class_of(const TreeDomain& domain) const {
    return classes[to_size(domain.class_index)];
  }
};

}  // namespace pliant
