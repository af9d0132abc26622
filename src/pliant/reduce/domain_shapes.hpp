// reduce/domain_shapes.hpp — what one domain of a tree sees of shapes that the whole body has taken.
#pragma once

#include "pliant/reduce/rest_system.hpp"
#include "pliant/reduce/tree_plan.hpp"

namespace pliant {

/// Displacements of the domain's vertices (3n × m, in class coordinates) relative to the frame that follows
/// its base, from displacements of the whole body. The frame is that of Eq. T1 to T3. What is left of the
/// motion of the base, its warping, is taken away along with the linear response of the domain to it, since a
/// class is held at its base (Eq. R6). `system`: of the domain's class, held at its base.
[[nodiscard]] MatrixX domain_shapes(const TreePlan& plan, const TreeDomain& domain, const RestSystem& system,
                                    ConstMatrixRef whole);

}  // namespace pliant
