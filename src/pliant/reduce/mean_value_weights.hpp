// reduce/mean_value_weights.hpp — functions that are a mean value of their neighbours at every vertex.
//
// In the ring of tets around a vertex, its neighbours' mean value coordinates [FloaterKosReimers2005] say of
// which mean it is the value. So interpolation is positive whatever the shape of the tets, other than with
// the Laplacian of finite elements.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

namespace pliant {

/// Values at all vertices: `known` where `unknown` is 0, means of the neighbours elsewhere. Fails for meshes
/// with hexes.
[[nodiscard]] Result<VectorX> mean_value_weight(const VolumeMesh& mesh, const std::vector<char>& unknown,
                                                const VectorX& known);

}  // namespace pliant
