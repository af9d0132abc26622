// mesh/assembly.hpp — a body put together from copies of a few parts: a tree of branches with its leaves.
//
// A class is a part as it was drawn; an instance places it in the world and hangs it on its parent. The base
// of a class, some of its vertices, is what an instance is held by. Meshes of child and parent need not
// match: each base vertex is followed by the point of the parent that it lies in, or next to
// (mesh/embedding.hpp).
//
//     classes, instances ──assemble──► whole mesh, domains with joints, parents first
//
// Every instance keeps vertices of its own in the whole mesh, also where it touches its parent.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/mesh/embedding.hpp"
#include "pliant/mesh/placement.hpp"
#include "pliant/mesh/surface_mesh.hpp"

#include <span>
#include <string>
#include <vector>

namespace pliant {

struct AssemblyClass {
  std::string name;
  VolumeMesh mesh;             // in class coordinates
  std::vector<VertexId> base;  // may be empty when only the root is of this class
  SurfaceMesh surface;         // a finer one to be carried along, in class coordinates; may be empty
};

struct AssemblyInstance {
  std::string name;
  std::string class_name;
  std::string parent;  // the name of another instance; empty for the root
  Placement placement;
  Location where;  // where it was typed, if it was
};

struct Assembly {
  std::vector<AssemblyClass> classes;
  std::vector<AssemblyInstance> instances;  // in any order
};

/// An instance that has found its place in the tree.
struct AssembledDomain {
  Index instance = 0;
  Index class_index = 0;
  Index parent = -1;               // a lower number of a domain; -1: the root
  std::vector<VertexId> vertices;  // of the whole mesh, one per vertex of the class
  std::vector<Index> elements;     // of the whole mesh, one per element of the class
  WeightRows joint;                // one row per base vertex, over the vertices of the parent's class
  double gap = 0.0;                // largest distance of a base vertex from the parent          m
};

struct AssembledBody {
  VolumeMesh mesh;  // at rest; the label of an element is its domain's number + 1, named as the instance
  std::vector<AssembledDomain> domains;           // parents first
  std::vector<std::vector<double>> base_weights;  // of each class: of the base's vertices, by area, sum 1
};

/// Shares of the boundary's area that base vertices have, summing to 1; equal ones when no whole face lies in
/// the base. Error kDegenerate when the base is a point or a line: nothing can be held by it.
Result<std::vector<double>> base_weights(const VolumeMesh& mesh, std::span<const VertexId> base);

/// Errors, each at the instance (its `where`, and "instance NAME" as key): unknown class (kNotFound), unknown
/// parent (kNotFound), a name that is taken, a second root, a circle of parents (kInconsistent), a placement
/// that is none (kOutOfRange), a base farther off its parent than it is wide (kInconsistent); at "class
/// NAME": no base (kMissing) or one that holds nothing (kDegenerate). No root: kMissing.
Result<AssembledBody> assemble(const Assembly& assembly, Progress& progress = no_progress());

/// The surfaces of all instances at rest, in the order of the domains; what has none shows its boundary.
struct AssembledSurface {
  SurfaceMesh surface;
  std::vector<Index> starts;  // first vertex of each domain, and the end
  Embedding embedding;        // in the whole mesh: each surface in its own domain
};
Result<AssembledSurface> assembled_surface(const Assembly& assembly, const AssembledBody& body,
                                           Progress& progress = no_progress());

/// The whole mesh with vertices in the same place (within 1e-6 of its size) made one, for models that know no
/// domains. Error kInconsistent when that leaves parts unconnected: key "instance NAME" of the first.
Result<VolumeMesh> weld(const AssembledBody& body);

}  // namespace pliant
