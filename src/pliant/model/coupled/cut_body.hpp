// model/coupled/cut_body.hpp — a body of coupled domains after cuts through its full ones.
//
// Vertices and tets keep their numbers; those that cuts add follow after them. Elements that are not cut,
// reduced domains and coupling elements stay what they are.
#pragma once

#include "pliant/mesh/cut/cut_mesh.hpp"
#include "pliant/model/model.hpp"
#include "pliant/subspace/coupled_body.hpp"

#include <memory>
#include <vector>

namespace pliant {

/// All cuts of a body so far.
struct Cuts {
  std::vector<CutVertex> fresh;  // after the vertices of the whole body; each by earlier ones
  std::vector<Tet> tets;         // all of the body
  std::vector<Index> parents;    // of each: its number in the whole body

  [[nodiscard]] bool empty() const { return fresh.empty(); }
};

/// `more` through the body after `cuts` (none: the whole body).
[[nodiscard]] Cuts cuts_after(const Cuts& cuts, MeshCut more);

/// Values of fresh vertices follow after those of the others; `width` numbers each.
void append_fresh(const Cuts& cuts, Index from, Index width, VectorX& values);

/// The whole body after its cuts, its materials at present.
[[nodiscard]] std::shared_ptr<const CoupledBody> cut_body(const CoupledBody& whole,
                                                          const std::vector<Material>& materials,
                                                          const Cuts& cuts);
/// Supports hold the copies of what they hold.
[[nodiscard]] std::vector<Support> cut_supports(std::vector<Support> supports, const Cuts& cuts,
                                                Index vertices);
/// Loads act on the parts of the faces that they acted on. `whole`: the mesh before all cuts.
[[nodiscard]] std::vector<Load> cut_loads(std::vector<Load> loads, const Cuts& cuts, const VolumeMesh& whole);

/// For checkpoints: arrays "cut_vertices", "cut_tets", "cut_parents".
void save_cuts(const Cuts& cuts, StateArrays& arrays);
/// No cuts where the arrays are missing. Fails when they do not fit the mesh.
[[nodiscard]] Result<Cuts> load_cuts(const StateArrays& arrays, const VolumeMesh& whole,
                                     const std::vector<char>& cuttable);

}  // namespace pliant
