// build/subspace.hpp — the shapes that the coordinates of a body belong to, whatever its model.
//
// A state fits another build of a body only if its coordinates mean the same there.
#pragma once

#include "pliant/base/index.hpp"
#include "pliant/math/types.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pliant {

struct Subspace {
  struct Domain {
    std::string name;
    Index parent = -1;
    Index basis = 0;                                        // in `bases`
    std::shared_ptr<const std::vector<VertexId>> vertices;  // of the whole body
  };
  std::vector<std::shared_ptr<const MatrixX>> bases;  // U; none: coordinates are displacements
  std::vector<Domain> domains;                        // none: one basis for the whole body
};

/// Equal but for rounding: built twice from the same numbers.
[[nodiscard]] bool same_subspace(const Subspace& a, const Subspace& b);

}  // namespace pliant
