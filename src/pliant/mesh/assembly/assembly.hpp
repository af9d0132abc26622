// mesh/assembly/assembly.hpp — a body assembled from copies of a few parts, such as branches with leaves.
//
// A class is a part in its own coordinates; an instance places it in the world and attaches it to its parent.
// An instance is held at the base of its class, some of its vertices. The meshes of child and parent need not
// match: each vertex of the base follows the point of the parent in which it lies, or which is nearest
// (mesh/core/embedding.hpp).
//
//     classes, instances ──assemble──► whole mesh, domains with joints, parents first
//
// Every instance has vertices of its own in the whole mesh, also where it touches its parent.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/mesh/core/embedding.hpp"
#include "pliant/mesh/core/placement.hpp"
#include "pliant/mesh/core/surface_mesh.hpp"

#include <span>
#include <string>
#include <vector>

namespace pliant {

struct AssemblyClass {
  std::string name;
  VolumeMesh mesh;             // in class coordinates
  std::vector<VertexId> base;  // may be empty if only the root has this class
  SurfaceMesh surface;         // a finer surface to be carried along, in class coordinates; may be empty
};

struct AssemblyInstance {
  std::string name;
  std::string class_name;
  std::string parent;  // the name of another instance; empty for the root
  Placement placement;
  Location where;  // its place in the input, if it has one
};

struct Assembly {
  std::vector<AssemblyClass> classes;
  std::vector<AssemblyInstance> instances;  // in any order
};

/// An instance with its place in the tree.
struct AssembledDomain {
  Index instance = 0;
  Index class_index = 0;
  Index parent = -1;               // number of a domain, lower than its own; −1: the root
  std::vector<VertexId> vertices;  // of the whole mesh, one per vertex of the class
  std::vector<Index> elements;     // of the whole mesh, one per element of the class
  WeightRows joint;                // one row per base vertex, over the vertices of the parent's class
  double gap = 0.0;                // largest distance of a base vertex from the parent          m
};

struct AssembledBody {
  // At rest; the label of an element is the number of its domain + 1, with the name of the instance.
  VolumeMesh mesh;
  std::vector<AssembledDomain> domains;           // parents first
  std::vector<std::vector<double>> base_weights;  // per class: weights of the base's vertices, by area, sum 1
};

/// The shares of base vertices in the area of the boundary faces that lie in the base; they sum to 1. Equal
/// shares if no whole face lies in the base. Error kDegenerate if the base is a point or a line, which cannot
/// hold a rotation.
Result<std::vector<double>> base_weights(const VolumeMesh& mesh, std::span<const VertexId> base);

/// Errors at an instance (its `where`, and "instance NAME" as key): unknown class (kNotFound), unknown parent
/// (kNotFound), a name that is taken, a second root, a circle of parents (kInconsistent), an invalid
/// placement (kOutOfRange), a base that is farther from its parent than it is wide (kInconsistent). Errors at
/// "class NAME": no base (kMissing), or one that is a point or a line (kDegenerate). If there is no root:
/// kMissing.
Result<AssembledBody> assemble(const Assembly& assembly, Progress& progress = no_progress());

/// The surfaces of all instances at rest, in the order of the domains. A class without a surface shows its
/// boundary.
struct AssembledSurface {
  SurfaceMesh surface;
  std::vector<Index> starts;  // first vertex of each domain, and the end
  Embedding embedding;        // in the whole mesh: each surface in its own domain
};
Result<AssembledSurface> assembled_surface(const Assembly& assembly, const AssembledBody& body,
                                           Progress& progress = no_progress());

/// The whole mesh with vertices at the same place (within 1e-6 of its size) merged, for models without
/// domains. Error kInconsistent if that leaves parts unconnected: key "instance NAME" of the first.
Result<VolumeMesh> weld(const AssembledBody& body);

}  // namespace pliant
