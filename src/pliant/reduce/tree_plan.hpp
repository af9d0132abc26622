// reduce/tree_plan.hpp — a tree of domains before its classes are reduced.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/subspace/tree_body.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pliant {

/// A class before it is reduced.
struct ClassPlan {
  std::string name;
  std::shared_ptr<const ElasticBody> elastic;  // in class coordinates
  std::vector<VertexId> held;   // the base; for the root's class what the supports hold, empty in free flight
  std::vector<double> weights;  // of the base's vertices, sum 1 (empty for the root's class)
  Index linear_modes = 4;       // k
  Index modes = 20;             // r without attachment shapes; 0: rigid
  MatrixX shapes = {};          // that the class has taken, for its basis (Eq. R6); none: derivatives
};

struct TreePlan {
  VolumeMesh mesh;  // the whole body at rest; vertices on interfaces of matching meshes are shared
  std::vector<ClassPlan> classes;
  std::vector<TreeDomain> domains;  // parents first
};

}  // namespace pliant
